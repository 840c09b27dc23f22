//! `moves`, `perft`, `show`, `convert` and `select`, run both as a person and as a program would run them.

use crate::run::{overboard, printed, tool};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, fen::Fen};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Output, Stdio},
    thread,
};
use tempfile::TempDir;

const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MATE: &str = "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1";
const STALEMATE: &str = "7k/8/5KQ1/8/8/8/8/8 b - - 0 1";
const BAD: &str = "7k/8/5KQ1/8/8/8/8/8 x - - 0 1";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A file in the repository, as a command-line argument.
fn ours(path: &str) -> String {
    root().join(path).to_str().unwrap().to_string()
}

/// The games in these folders of the repository.
fn games(folders: &[&str]) -> Vec<PathBuf> {
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(root().join(folder)).unwrap());
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|end| end == "pgn" || end == "npgn")
    });
    paths.sort();
    paths
}

/// Runs the program with this on its standard input.
fn piped(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = tool()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref().to_vec();
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(
        !said(&output).contains("panicked"),
        "{args:?}: {}",
        said(&output)
    );
    output
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal ends the tool")
}

/// The output of a run that succeeds and writes nothing to standard error.
fn good(output: &Output) -> String {
    let (text, exit) = printed(output);
    assert_eq!((exit, said(output).as_str()), (0, ""), "{text}");
    text
}

fn objects(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Checks that a line of JSON has these fields, no others, in this order.
#[track_caller]
fn has_fields(line: &str, fields: &[&str]) {
    let object: Value = serde_json::from_str(line).unwrap();
    let mut known: Vec<_> = object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    // An inner field comes before the field after its outer one.
    known.sort_by_key(|field| line.rfind(&format!("\"{field}\":")));
    assert_eq!(known, fields, "{line}");
}

/// Positions with their statuses: ended in some way, or not.
fn standings() -> [(&'static str, &'static str, Value); 7] {
    [
        ("chess", ARRAY, json!(["ongoing", null])),
        (
            "chess",
            "7k/8/5K2/7Q/8/8/8/8 b - - 0 1",
            json!(["check", null]),
        ),
        ("chess", MATE, json!(["mate", "w"])),
        (
            "chess",
            "8/8/8/8/8/5k2/6q1/7K w - - 0 1",
            json!(["mate", "b"]),
        ),
        ("chess", STALEMATE, json!(["stalemate", "draw"])),
        (
            "chess",
            "7k/8/5K2/6N1/8/8/8/8 b - - 0 1",
            json!(["dead", "draw"]),
        ),
        (
            "chess",
            "7k/8/5K2/6R1/8/8/8/8 b - - 150 90",
            json!(["seventyfive", "draw"]),
        ),
    ]
}

#[test]
fn moves_have_one_shape_and_an_order() {
    let text = good(&overboard(&["moves", "--json"]));
    assert!(text.starts_with(&format!(
        r#"{{"fen":"{ARRAY}","moves":[{{"coord":"a2a3","san":"a3"}},"#
    )));
    assert!(text.ends_with("],\"status\":\"ongoing\",\"winner\":null}\n"));
    for (variant, fen) in [
        ("chess", "r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("olympic", ""),
    ] {
        let given = if fen.is_empty() {
            vec![]
        } else {
            vec!["--fen", fen]
        };
        let text = good(&overboard(
            &[&["moves", "--json", "--variant", variant], given.as_slice()].concat(),
        ));
        let object = &objects(&text)[0];
        let coords: Vec<_> = object["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m["coord"].as_str())
            .collect();
        assert!(coords.is_sorted() && coords.len() > 10, "{coords:?}");
        assert!(
            object["moves"]
                .as_array()
                .unwrap()
                .iter()
                .all(|m| m.as_object().unwrap().len() == 2)
        );
    }
    let castles = good(&overboard(&[
        "moves",
        "--fen",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    ]));
    assert!(
        castles.contains("ongoing, White to move, 15 legal moves\n"),
        "{castles}"
    );
    assert!(castles.contains("\n  e1g1  O-O\n"), "{castles}");
}

#[test]
fn a_position_says_how_it_stands() {
    for (variant, fen, expected) in standings() {
        let text = good(&overboard(&[
            "moves",
            "--json",
            "--variant",
            variant,
            "--fen",
            fen,
        ]));
        let object = &objects(&text)[0];
        assert_eq!(
            json!([object["status"], object["winner"]]),
            expected,
            "{fen}"
        );
        let ended = !object["winner"].is_null();
        assert_eq!(
            object["moves"].as_array().unwrap().is_empty(),
            ended,
            "{fen}"
        );
        let shown = good(&overboard(&[
            "show",
            "--json",
            "--variant",
            variant,
            "--fen",
            fen,
        ]));
        assert_eq!(objects(&shown)[0]["status"], object["status"], "{fen}");
    }
}

#[test]
fn a_bad_position_is_answered_in_its_place() {
    let lines = format!(
        "\u{feff}{MATE}\r\n# a remark\n\n{BAD}\n{ARRAY}\n8/8/8/8/8/8/8/8 w - - 0 1\n{MATE}"
    );
    let output = piped(&["moves", "--json", "--fens", "-"], &lines);
    assert_eq!((code(&output), said(&output).as_str()), (2, ""));
    let text = printed(&output).0;
    let answers = objects(&text);
    has_fields(text.lines().nth(1).unwrap(), &["fen", "error", "bytes"]);
    let errors: Vec<_> = answers
        .iter()
        .map(|answer| answer.get("error").is_some())
        .collect();
    assert_eq!(errors, [false, true, false, true, false]);
    assert_eq!(answers[1]["fen"], BAD);
    assert_eq!(answers[1]["bytes"], json!([20, 21]));
    assert_eq!(answers[3]["bytes"], Value::Null);

    let output = piped(&["perft", "1", "--fens", "-"], &lines);
    let (text, exit) = printed(&output);
    assert_eq!(exit, 2);
    assert!(
        text.contains(&format!("  {BAD}\n  {}^\n{ARRAY}\n20\n", " ".repeat(20))),
        "{text}"
    );

    // A single bad position is an error.
    let output = overboard(&["moves", "--fen", BAD]);
    assert_eq!((code(&output), output.stdout.len()), (2, 0));
    assert!(said(&output).starts_with("error: the position cannot be read: the side to move"));
}

#[test]
fn another_program_may_wait_for_each_answer() {
    let mut child = tool()
        .args(["moves", "--json", "--fens", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for fen in [MATE, BAD, ARRAY, STALEMATE] {
        writeln!(stdin, "{fen}").unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["fen"], fen);
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn threads_change_nothing() {
    let fens = good(&overboard(&[
        "convert",
        "--to",
        "fen",
        &ours("examples/history.pgn"),
    ]));
    let mixed = fens.replacen('\n', "\nno position\n", 1);
    for args in [
        &["moves", "--json"][..],
        &["moves"],
        &["perft", "2", "--divide"],
        &["perft", "1", "--json"],
    ] {
        let run = |jobs: &str| piped(&[args, &["--fens", "-", "--jobs", jobs]].concat(), &mixed);
        let [one, two, three] = ["1", "2", "3"].map(run);
        assert!(
            one.stdout == two.stdout && two.stdout == three.stdout,
            "{args:?}"
        );
        assert!([one, two, three].iter().all(|output| code(output) == 2));
    }
    let file = ours("examples/faults.pgn");
    for args in [
        &["select"][..],
        &["select", "--json", "--verdict", "illegal"],
    ] {
        let run = |jobs: &str| overboard(&[args, &["--jobs", jobs, &file]].concat()).stdout;
        assert!(run("1") == run("2") && run("2") == run("3"), "{args:?}");
    }
}

#[test]
fn a_line_without_end_is_refused_in_little_words() {
    let lines = format!("{}\n{MATE}\n", "x".repeat(17 << 20));
    for args in [
        &["moves", "--fens", "-"][..],
        &["moves", "--json", "--fens", "-"],
    ] {
        let output = piped(args, &lines);
        let (text, exit) = printed(&output);
        assert!(exit == 2 && text.len() < 2_000, "{}", text.len());
        assert!(
            text.contains("longer than 16777216 bytes") && text.contains("mate"),
            "{text}"
        );
    }
    let output = piped(
        &["convert", "--from", "coord", "--to", "coord", "-"],
        &lines,
    );
    assert!(
        said(&output).starts_with("error: -:1:1: the line is longer than"),
        "{}",
        said(&output)
    );
}

#[test]
fn lines_of_chess_are_counted_as_by_the_library() {
    let fens = [
        ARRAY,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        MATE,
        STALEMATE,
        "7k/8/5K2/6N1/8/8/8/8 b - - 0 1",
    ];
    for depth in 0..=3 {
        let output = piped(
            &["perft", "--json", &depth.to_string(), "--fens", "-"],
            fens.join("\n"),
        );
        let text = good(&output);
        text.lines()
            .for_each(|line| has_fields(line, &["fen", "depth", "nodes", "divide"]));
        for (fen, answer) in fens.iter().zip(objects(&text)) {
            let position: Chess = fen
                .parse::<Fen>()
                .unwrap()
                .into_position(CastlingMode::Standard)
                .unwrap();
            assert_eq!(
                answer["nodes"],
                shakmaty::perft(&position, depth),
                "{fen} {depth}"
            );
            assert_eq!(
                (&answer["fen"], &answer["depth"]),
                (&json!(fen), &json!(depth))
            );
            let parts = answer["divide"].as_object().unwrap();
            assert!(parts.keys().is_sorted());
            let sum: u64 = parts.values().map(|part| part.as_u64().unwrap()).sum();
            assert_eq!(
                sum,
                if depth == 0 {
                    0
                } else {
                    answer["nodes"].as_u64().unwrap()
                }
            );
        }
    }
    assert_eq!(good(&overboard(&["perft", "4"])), "197281\n");
    assert!(good(&overboard(&["perft", "1", "--divide"])).starts_with("a2a3: 1\na2a4: 1\n"));
    let linked = ["--variant", "strategichess", "--boards", "3"];
    assert_eq!(
        good(&overboard(&[&["perft", "1"], &linked[..]].concat())),
        "291\n"
    );
    let boards = good(&overboard(&[&["show", "--as-fen"], &linked[..]].concat()));
    assert_eq!(boards.matches(" | ").count(), 2, "{boards}");
}

#[test]
fn lines_of_olympic_chess_are_counted_as_by_hand() {
    let known = fs::read_to_string(root().join("tests/naive/positions/olympic.txt")).unwrap();
    let lines = known
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let known: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
    let fens: Vec<_> = known.iter().map(|fields| fields[0]).collect();
    for depth in 1..=3 {
        let args = [
            "perft",
            &depth.to_string(),
            "--variant",
            "olympic",
            "--json",
            "--fens",
            "-",
        ];
        let answers = objects(&good(&piped(&args, fens.join("\n"))));
        assert_eq!(answers.len(), known.len());
        for (fields, answer) in known
            .iter()
            .zip(answers)
            .filter(|(fields, _)| fields[depth] != "-")
        {
            assert_eq!(
                answer["nodes"].to_string(),
                fields[depth],
                "{} {depth}",
                fields[0]
            );
        }
    }
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    for (args, why) in [
        (
            &["moves", "--variant", "metachess", "--level", "2"][..],
            "MetaChess",
        ),
        (&["moves", "--level", "2"], "--level is for Recursive Chess"),
        (
            &["moves", "--rules", "fog"],
            "--rules: `fog` is not an option of Chess",
        ),
        (&["moves", "--fens", "no such file"], "no such file: "),
        (&["moves", "--fens", "."], ".: "),
        (&["perft", "1000"], "must be from 0 to 100"),
        (
            &["moves", "--boards", "2"],
            "--boards is for StrategiChess, not for Chess",
        ),
        (&["show", "no such file"], "no such file: "),
        (&["show", "."], ".: "),
        (&["show", "--fen", BAD], "the side to move"),
        (&["show", "--game", "2"], "required"),
        (
            &["show", "--at", "2w", "--fen", ARRAY],
            "cannot be used with",
        ),
        (&["show", "--size", "20"], "required"),
        (&["show", "--json", "--as-fen"], "cannot be used with"),
        (&["show", "--json", "--svg", "-"], "only one form"),
        (&["show", "--png", "-", "--svg", "-"], "only one form"),
        (
            &["select", "--verdict", "fine", "-"],
            "possible values: clean, undetermined",
        ),
        (&["select", "--tag", "White", "-"], "Name=value"),
        (&["select", "--tag", "=x", "-"], "Name=value"),
        (&["select", "--number", "0", "-"], "counted from 1"),
        (&["select", "--number", "5-3", "-"], "counted from 1"),
        (
            &[
                "convert", "--from", "coord", "--to", "npgn", "--rules", "fog", "-",
            ],
            "not an option of",
        ),
    ] {
        let output = piped(args, "");
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(
            output.stdout.is_empty() && said(&output).contains(why),
            "{args:?}: {}",
            said(&output)
        );
    }
}

const MARK: &str =
    "[Event \"a\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 b - - 0 50\"]\n[SetUp \"1\"]\n\n50... Kg7 51. a8=Q Kf6 *\n
[Event \"stands\"]\n\n1. e4 e5 2. Ke3 {[%stands e1e3]} Nc6 *\n
[Event \"empty\"]\n\n*\n
[Event \"varied\"]\n\n1. e4 (1. d4 d5 (1... e6) 2. c4) 1... e5 (1... c5 2. c3) 2. d4 *\n
[Event \"illegal\"]\n\n1. e4 e5 2. Ke3 Nc6 *\n
[Event \"unknown\"]\n[Variant \"Antichess\"]\n\n1. e4 *\n";

#[test]
fn a_game_is_shown_where_it_is_asked_for() {
    let shown = |game: &str, at: &str| {
        let output = piped(&["show", "--as-fen", "--game", game, "--at", at, "-"], MARK);
        (
            printed(&output).0.trim_end().to_string(),
            code(&output),
            said(&output),
        )
    };
    for (game, at, fen) in [
        ("1", "start", "7k/P7/8/8/8/8/8/K7 b - - 0 50"),
        ("1", "50b", "8/P5k1/8/8/8/8/8/K7 w - - 1 51"),
        ("1", "51w", "Q7/6k1/8/8/8/8/8/K7 b - - 0 51"),
        ("1", "51.", "Q7/6k1/8/8/8/8/8/K7 b - - 0 51"),
        ("1", "51...", "Q7/8/5k2/8/8/8/8/K7 w - - 1 52"),
        ("1", "end", "Q7/8/5k2/8/8/8/8/K7 w - - 1 52"),
        (
            "2",
            "2w",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/4K3/PPPP1PPP/RNBQ1BNR b kq - 1 2",
        ),
        (
            "2",
            "end",
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/4K3/PPPP1PPP/RNBQ1BNR w kq - 2 3",
        ),
        ("3", "end", ARRAY),
        (
            "4",
            "1b",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        ),
        (
            "4",
            "end",
            "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2",
        ),
    ] {
        assert_eq!(
            shown(game, at),
            (fen.to_string(), 0, String::new()),
            "{game} {at}"
        );
    }
    for (game, at, why) in [
        (
            "1",
            "49b",
            "this game has no move 49b; its last one is 51... Kf6",
        ),
        (
            "1",
            "52w",
            "this game has no move 52w; its last one is 51... Kf6",
        ),
        ("3", "1w", "this game has no move 1w"),
        (
            "5",
            "2b",
            "the game is not judged from 2... onwards: 2. Ke3 is illegal",
        ),
        (
            "5",
            "end",
            "the game is not judged from 2... onwards: 2. Ke3 is illegal",
        ),
    ] {
        let (fen, exit, warning) = shown(game, at);
        assert!(
            exit == 1 && !fen.is_empty() && warning.contains(why),
            "{game} {at}: {warning}"
        );
    }
    let (nothing, exit, warning) = shown("6", "end");
    assert!(
        exit == 1 && nothing.is_empty() && warning.contains("not supported"),
        "{warning}"
    );
    for (game, at, why) in [
        ("7", "end", "there is no game 7; the file has 6 games"),
        ("1", "7", "--at 7: expected"),
        ("1", "w", "--at w: expected"),
    ] {
        let (nothing, exit, complaint) = shown(game, at);
        assert!(
            exit == 2 && nothing.is_empty() && complaint.contains(why),
            "{complaint}"
        );
    }
    let output = piped(&["show", "-"], "");
    assert_eq!(
        (code(&output), said(&output).as_str()),
        (2, "error: -: there is no game 1; the file has no games\n")
    );
}

#[test]
fn a_position_is_shown_in_every_form() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let olympic = "4k/1+P3/5/5/K4[RRsp] b - - 0 9";
    let text = good(&overboard(&[
        "show",
        "--ascii",
        "--variant",
        "olympic",
        "--fen",
        olympic,
    ]));
    assert!(
        text.contains("Black to move, holds S P") && text.contains("White holds 2R"),
        "{text}"
    );
    assert!(text.is_ascii() && text.contains("4   . +P  ."), "{text}");
    let text = good(&overboard(&[
        "show",
        "--at",
        "12b",
        &ours("examples/history.pgn"),
    ]));
    assert!(
        text.starts_with("Anderssen, Adolf - Kieseritzky, Lionel, 12... Qg6\n\n8  ♜ ♞ ♝"),
        "{text}"
    );
    assert!(!text.contains('\u{1b}'));
    let json = good(&overboard(&[
        "show",
        "--json",
        &ours("examples/history.pgn"),
    ]));
    has_fields(&json, &["fen", "variant", "ply", "last", "status"]);
    assert_eq!(objects(&json)[0]["last"], "23. Be7#");

    for (args, squares) in [
        (&["--variant", "chess"][..], 64),
        (&["--variant", "olympic", "--letters"], 25),
    ] {
        let drawn = good(&overboard(
            &[&["show", "--size", "20", "--svg", "-"], args].concat(),
        ));
        let document = roxmltree::Document::parse(&drawn).unwrap();
        assert_eq!(document.root_element().tag_name().name(), "svg");
        assert!(drawn.matches("20").count() >= squares / 8);
        let file = path("a.png");
        assert_eq!(
            good(&overboard(
                &[&["show", "--size", "20", "--png", &file], args].concat()
            )),
            ""
        );
        let png = fs::read(&file).unwrap();
        let number =
            |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()).to_string();
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
        let size = ["width", "height"]
            .map(|name| document.root_element().attribute(name).unwrap().to_string());
        assert_eq!([number(16), number(20)], size);
        let piped = overboard(&[&["show", "--size", "20", "--png", "-"], args].concat());
        assert!(piped.stdout == png && code(&piped) == 0);
    }
    // Two pictures and text at once.
    let text = good(&overboard(&[
        "show",
        "--as-fen",
        "--svg",
        &path("b.svg"),
        "--png",
        &path("b.png"),
    ]));
    assert_eq!(text, format!("{ARRAY}\n"));
    assert!(fs::read(path("b.svg")).unwrap().starts_with(b"<svg "));
}

#[cfg(unix)]
#[test]
fn one_of_linked_boards_is_shown_alone() {
    let game = ours("examples/linked.npgn");
    let whole = printed(&overboard(&["show", "--as-fen", &game])).0;
    let second = whole.trim().split(" | ").nth(1).unwrap();
    assert_eq!(
        printed(&overboard(&["show", "--as-fen", "--board", "B", &game]))
            .0
            .trim(),
        second
    );
    let drawn = printed(&overboard(&["show", "--ascii", "--board", "b", &game])).0;
    assert!(
        drawn.contains("Board B") && !drawn.contains("Board A"),
        "{drawn}"
    );
    for (board, why) in [
        ("D", "there are boards A to C"),
        ("7", "there are boards A to C"),
    ] {
        let out = overboard(&["show", "--board", board, &game]);
        assert_eq!(out.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&out.stderr).contains(why));
    }
    let chess = overboard(&["show", "--board", "A"]);
    assert!(String::from_utf8_lossy(&chess.stderr).contains("there is one board only"));
}

#[test]
fn pictures_replace_files_and_nothing_else() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let draw = |path: &Path| overboard(&["show".as_ref(), "--svg".as_ref(), path.as_os_str()]);
    fs::write(path("old.svg"), "old").unwrap();
    fs::set_permissions(path("old.svg"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("old.svg", path("link.svg")).unwrap();
    good(&draw(&path("link.svg")));
    assert!(fs::symlink_metadata(path("link.svg")).unwrap().is_symlink());
    assert!(fs::read(path("old.svg")).unwrap().starts_with(b"<svg "));
    assert_eq!(
        fs::metadata(path("old.svg")).unwrap().permissions().mode() & 0o777,
        0o640
    );
    let output = draw(&path("none/new.svg"));
    let complaint = said(&output);
    assert!(
        code(&output) == 2
            && complaint.contains("none/new.svg: ")
            && !complaint.contains("at path")
    );
    assert_eq!(code(&draw(folder.path())), 2);
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        2,
        "no draft is left behind"
    );
    good(&draw(Path::new("/dev/null")));
    assert!(
        fs::metadata("/dev/null")
            .unwrap()
            .file_type()
            .is_char_device()
    );
}

/// Converts standard input, and must succeed.
fn convert(from: &str, to: &str, input: impl AsRef<[u8]>) -> Vec<u8> {
    let output = piped(&["convert", "--from", from, "--to", to, "-"], input);
    assert_eq!((code(&output), said(&output).as_str()), (0, ""));
    output.stdout
}

#[test]
fn json_lines_lose_nothing_that_the_canonical_form_keeps() {
    for path in games(&[
        "examples",
        "docs/npgn/suite/notation",
        "docs/npgn/suite/foreign",
    ]) {
        let text = fs::read(&path).unwrap();
        let output = piped(&["fmt", "-"], &text);
        if code(&output) != 0 {
            assert!(path.ends_with("utf16.pgn"), "{}", path.display());
            assert_eq!(code(&piped(&["convert", "--to", "jsonl", "-"], &text)), 2);
            continue;
        }
        let lines = convert("npgn", "jsonl", &text);
        for line in std::str::from_utf8(&lines).unwrap().lines() {
            has_fields(
                line,
                &["elements", "variant", "verdict", "result", "plies", "lost"],
            );
        }
        let back = convert("jsonl", "npgn", lines);
        assert!(
            back == output.stdout,
            "{}\n{}",
            path.display(),
            String::from_utf8_lossy(&back)
        );
    }
}

#[test]
fn odd_texts_are_canonical_at_once_and_go_through_json_lines() {
    for text in [
        "[Event \"a\"]\n[White \"x\n\n1. e4 {never closed",
        "; first\n%escape\n[Event \"a\"]\n{then} 1. e4 $1 ; rest } \" <\n e5!? *",
        "[Event \"a\"]\n[Variant \"Recursive Chess\"]\n[Level \"1\"]\n\n1. <A2.e4 B2 C2.> e5 *",
        "[Event \"a\"]\n[Variant \"Overchess\"]\n\n1. e4 <e5: [Event \"inner\"] 1. e4 1-0> *",
        "1. e4 \u{a0} e5 ) ] } > *",
        "1. e4 (1. d4 (1. c4 *",
        "1. e4 u=1 6\n3. ?> *",
    ] {
        let expected = piped(&["fmt", "-"], text).stdout;
        assert!(piped(&["fmt", "-"], &expected).stdout == expected, "{text}");
        let back = convert("jsonl", "npgn", convert("npgn", "jsonl", text));
        assert_eq!(
            String::from_utf8_lossy(&back),
            String::from_utf8_lossy(&expected),
            "{text}"
        );
    }
}

#[test]
fn lines_that_are_no_games_are_named_and_the_others_converted() {
    let good_line = r#"{"elements":[{"ply":"e4"},{"result":"*"}]}"#;
    let deep = "[".repeat(100_000);
    for (line, why) in [
        ("e4", "expected value"),
        ("{}", "missing field `elements`"),
        (r#"{"elements":[]}"#, "at least one element"),
        (r#"{"elements":[{}]}"#, "element 1: it says nothing"),
        (
            r#"{"elements":[{"ply":"e4","comment":"x"}]}"#,
            "element 1: it says more than one thing",
        ),
        (r#"{"elements":[{"nags":"$1"}]}"#, "unknown field `nags`"),
        (
            r#"{"elements":[{"comment":"a}b"}]}"#,
            "element 1: a comment holds no `}`",
        ),
        (
            r#"{"elements":[{"result":"*"},{"ply":"e4 e5"}]}"#,
            "element 2: a word of the movetext",
        ),
        (
            r#"{"elements":[{"tag":["White","a\nb"]}]}"#,
            "no line break",
        ),
        (r#"{"elements":[{"open":"subgame"}]}"#, "a `square` belongs"),
        (
            r#"{"elements":[{"coord":"e2e4"}]}"#,
            "`coord` belongs to a `ply`",
        ),
        (
            r#"{"elements":[{"tag":["Event","a"]},{"result":"*"},{"tag":["Event","b"]}]}"#,
            "2 records",
        ),
        (
            r#"{"elements":[{"result":"*"}],"lost":"a limit"}"#,
            "some of the record was lost: a limit",
        ),
        (r#"{"elements":[{"result":"*"}]} x"#, "trailing characters"),
        (&deep, "invalid type"),
        (&format!("{{\"elements\":{deep}"), "expected"),
    ] {
        let lines = format!("\u{feff}{good_line}\r\n\n{line}\n{good_line}");
        let output = piped(&["convert", "--from", "jsonl", "--to", "coord", "-"], lines);
        assert_eq!(
            (printed(&output).0.as_str(), code(&output)),
            ("e2e4\ne2e4\n", 1),
            "{line}"
        );
        let complaint = said(&output);
        assert!(
            complaint.starts_with("error: -:3:") && complaint.contains(why),
            "{complaint}"
        );
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
    }
}

#[test]
fn a_record_over_a_limit_is_marked_in_json_and_the_next_one_is_whole() {
    let text = format!(
        "[Event \"a\"]\n\n1. e4 {} *\n\n[Event \"b\"]\n\n1. d4 *\n",
        "x".repeat(300)
    );
    let output = piped(&["convert", "--to", "jsonl", "-"], text);
    let (lines, exit) = printed(&output);
    let lost: Vec<_> = objects(&lines)
        .iter()
        .map(|game| game["lost"].is_null())
        .collect();
    assert_eq!((lost, exit), (vec![false, true], 1));
    assert!(
        said(&output)
            .starts_with("error: -:3:1: part of this game is lost: more than the limit of 255")
    );
    let back = piped(&["convert", "--from", "jsonl", "--to", "coord", "-"], lines);
    assert_eq!((printed(&back).0.as_str(), code(&back)), ("d2d4\n", 1));
}

/// A record without what coordinate moves cannot express: tags, comments, variations, agreements.
fn bare(record: &str) -> String {
    let tags = |line: &&str| {
        !line.starts_with('[') || line.starts_with("[FEN") || line.starts_with("[Variant")
    };
    record
        .lines()
        .filter(tags)
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn coordinate_moves_are_the_main_line() {
    let history = fs::read_to_string(root().join("examples/history.pgn")).unwrap();
    let coords = convert("npgn", "coord", &history);
    assert_eq!(convert("coord", "coord", &coords), coords);
    let back = String::from_utf8(convert("coord", "npgn", &coords)).unwrap();
    assert_eq!(convert("npgn", "coord", &back), coords);
    let moves = |text: &str| {
        let words = text
            .split_ascii_whitespace()
            .filter(|word| !matches!(*word, "1-0" | "0-1" | "1/2-1/2" | "*"));
        words.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(moves(&bare(&back)), moves(&bare(&history)));

    let varied = piped(&["convert", "--to", "coord", "-"], MARK);
    let expected =
        format!("7k/P7/8/8/8/8/8/K7 b - - 0 50\th8g7 a7a8q g7f6\n{ARRAY}\t\ne2e4 e7e5 d2d4\n");
    assert_eq!((printed(&varied).0, code(&varied)), (expected.clone(), 1));
    assert_eq!(said(&varied).lines().count(), 3, "{}", said(&varied));
    assert_eq!(convert("coord", "coord", &expected), expected.as_bytes());
    let round = convert("npgn", "coord", convert("coord", "npgn", &expected));
    assert_eq!(String::from_utf8(round).unwrap(), expected);

    let olympic = [
        "convert",
        "--from",
        "coord",
        "--variant",
        "olympic",
        "--to",
        "npgn",
        "-",
    ];
    let text = good(&piped(&olympic, "a2a3 e4e3 a3a4\n"));
    assert!(
        text.contains("[Variant \"Olympic Chess\"]\n") && text.contains("\n1. a3 e3\n2. a4 *\n"),
        "{text}"
    );
    assert_eq!(convert("npgn", "coord", text), b"a2a3 e4e3 a3a4\n");
}

#[test]
fn lines_of_coordinate_moves_are_read_kindly_and_judged() {
    for (line, movetext) in [
        ("e2e4 e7e5", "1. e4 e5 *"),
        ("e2e4  E7E5 1-0\r", "1. e4 e5 1-0"),
        ("f2f3 e7e5 g2g4 d8h4", "1. f3 e5 2. g4 Qh4# 0-1"),
        (
            "7k/P7/8/8/8/8/8/K7 b - - 0 50\th8g7 a7a8q",
            "50... Kg7 51. a8=Q *",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t1/2-1/2",
            "1/2-1/2",
        ),
    ] {
        let text = String::from_utf8(convert("coord", "npgn", format!("\n{line}\n\t\n"))).unwrap();
        assert_eq!(
            text.lines().rev().find(|line| !line.is_empty()),
            Some(movetext),
            "{line:?}"
        );
    }
    for (line, why) in [
        ("e2e5", ":2:1: `e2e5` is not a legal move in rnbq"),
        (
            "e2e4 * e7e5",
            ":2:8: `e7e5` follows the result, where nothing may",
        ),
        (
            "f2f3 e7e5 g2g4 d8h4 a2a3",
            ":2:21: `a2a3` is not a legal move in",
        ),
        (
            "8/8/8/8/8/8/8/kNK5 w - - 0 1\tb1c3",
            "the game had ended by dead position",
        ),
        (
            "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 e2e4",
            ":2:81: ",
        ),
        (
            " bad\te2e4",
            ":2:5: the start position cannot be used: a FEN has six fields",
        ),
        (
            "8/8/8/8/8/8/8/8 w - - 0 1\te2e4",
            ":2:1: the start position cannot be used: no game",
        ),
        ("\u{1b}[31m", "`\\u{1b}[31m` is not a legal move"),
        (
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "`xxxxxxxxxxxxxxxxxxxx…` is not a legal move",
        ),
    ] {
        let output = piped(
            &["convert", "--from", "coord", "--to", "coord", "-"],
            format!("e2e4\n{line}\nd2d4"),
        );
        assert_eq!(
            (printed(&output).0.as_str(), code(&output)),
            ("e2e4\nd2d4\n", 1),
            "{line:?}"
        );
        assert!(said(&output).contains(why), "{}", said(&output));
    }
}

#[test]
fn every_position_of_a_game_is_a_line() {
    let file = ours("examples/history.pgn");
    let text = good(&overboard(&["convert", "--to", "fen", &file]));
    let games: Vec<_> = text.split_terminator("\n\n").collect();
    let reports = overboard(&["check", "--json", &file]);
    for (index, (game, report)) in games.iter().zip(objects(&printed(&reports).0)).enumerate() {
        assert_eq!(
            game.lines().count() as u64,
            report["plies"].as_u64().unwrap() + 1
        );
        if index % 4 == 0 {
            let number = (index + 1).to_string();
            let end = good(&overboard(&[
                "show", "--at", "end", "--as-fen", "--game", &number, &file,
            ]));
            assert_eq!(game.lines().last(), Some(end.trim_end()));
        }
    }
    let output = piped(&["convert", "--to", "fen", "-"], MARK);
    let counts: Vec<_> = printed(&output)
        .0
        .split_terminator("\n\n")
        .map(|game| game.lines().count())
        .collect();
    // The last game has no position at all.
    assert_eq!((counts, code(&output)), (vec![4, 5, 1, 4, 3, 1], 1));
    assert_eq!(
        said(&output)
            .matches("positions of this game are missing")
            .count(),
        2
    );
}

#[test]
fn a_file_that_is_not_there_does_not_stop_the_others() {
    let file = ours("examples/history.pgn");
    for args in [&["convert", "--to", "coord"][..], &["select"]] {
        let alone = good(&overboard(&[args, &[&file]].concat()));
        let output = overboard(&[args, &["no such file", &file, "."]].concat());
        assert_eq!((printed(&output).0, code(&output)), (alone, 2));
        assert_eq!(said(&output).lines().count(), 2, "{}", said(&output));
    }
}

#[test]
fn all_games_of_a_file_are_the_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.pgn");
    let crlf = "[Event \"a\"]\r\n\r\n1. e4 *\r\n\r\n[Event \"b\"]\r\n\r\n1. d4 *\r\n";
    let lead = "\n\n; lead\n%esc\n[Event \"a\"]\n\n1. e4 *\n[Event \"b\"]\n\n1. d4 *";
    let mail = "From: me\n\nA game:\n\n[Event \"a\"]\n\n1. e4 *\n\nAnd one:\n\n1. d4 *\n\nBye\n";
    let marked = format!("\u{feff}{lead}");
    let given = [crlf, lead, mail, &marked].map(|text| text.as_bytes().to_vec());
    let kept = games(&[
        "examples",
        "docs/npgn/suite/notation",
        "docs/npgn/suite/foreign",
    ]);
    for bytes in kept.iter().map(|path| fs::read(path).unwrap()).chain(given) {
        fs::write(&file, &bytes).unwrap();
        let output = overboard(&["select".as_ref(), file.as_os_str()]);
        assert!(
            output.stdout == bytes,
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
    let both = piped(&["select", "-", "--number", "2,1"], crlf);
    assert_eq!(
        both.stdout,
        crlf.as_bytes(),
        "in their order, from standard input too"
    );
    fs::write(&file, &marked).unwrap();
    let name = file.to_str().unwrap();
    let twice = good(&overboard(&["select", name, name]));
    assert_eq!(
        twice,
        format!("{marked}\n\n{lead}"),
        "one mark, and an empty line between"
    );
    fs::write(&file, crlf).unwrap();
    let twice = good(&overboard(&["select", name, name]));
    assert_eq!(twice, format!("{crlf}\r\n{crlf}"));
}

#[test]
fn games_picked_and_joined_judge_the_same() {
    let verdicts = |bytes: &[u8]| -> Vec<Value> {
        let games = objects(&printed(&piped(&["check", "--json", "-"], bytes)).0);
        let known = |game: &Value| {
            let codes: Vec<_> = game["findings"]
                .as_array()?
                .iter()
                .map(|f| (&f["code"], &f["text"]))
                .collect();
            Some(json!([game["verdict"], game["plies"], codes]))
        };
        games.iter().filter_map(known).collect()
    };
    let all: Vec<u8> = games(&["docs/npgn/suite/foreign", "docs/npgn/suite/notation"])
        .into_iter()
        .filter(|path| !path.ends_with("utf16.pgn") && !path.ends_with("bom-crlf-latin1.pgn"))
        .flat_map(|path| [fs::read(path).unwrap(), b"\n\n".to_vec()].concat())
        .collect();
    let judged = verdicts(&all);
    assert!(judged.len() > 60);
    for step in [2, 3, 7] {
        let numbers: Vec<_> = (1..=judged.len())
            .filter(|number| number % step != 0)
            .collect();
        let list: Vec<_> = numbers.iter().map(usize::to_string).collect();
        let picked = piped(&["select", "--number", &list.join(","), "-"], &all).stdout;
        let expected: Vec<_> = numbers
            .iter()
            .map(|number| judged[number - 1].clone())
            .collect();
        assert!(verdicts(&picked) == expected, "{step}");
        let others = piped(
            &["select", "--invert", "--number", &list.join(","), "-"],
            &all,
        )
        .stdout;
        assert_eq!(verdicts(&others).len(), judged.len() - numbers.len());
    }
}

#[test]
fn games_are_picked_by_what_they_are() {
    let (history, faults) = (ours("examples/history.pgn"), ours("examples/faults.pgn"));
    let picked = |args: &[&str]| {
        let output = overboard(&[&["select", "--json"], args].concat());
        let numbers: Vec<_> = objects(&printed(&output).0)
            .iter()
            .map(|game| game["game"].as_u64().unwrap())
            .collect();
        (numbers, code(&output))
    };
    assert_eq!(
        picked(&["--tag", "white~ANDERSSEN", &history]),
        (vec![1, 2], 0)
    );
    assert_eq!(
        picked(&[
            "--tag",
            "White=Anderssen, Adolf",
            "--number",
            "2-",
            &history
        ]),
        (vec![2], 0)
    );
    assert_eq!(picked(&["--tag", "White=Anderssen", &history]), (vec![], 1));
    assert_eq!(
        picked(&[
            "--tag",
            "White~Anderssen",
            "--tag",
            "White~Morphy",
            &history
        ])
        .0[..3],
        [1, 2, 3]
    );
    assert_eq!(
        picked(&["--number", "3,5-6,18-", &faults]),
        (vec![3, 5, 6, 18], 0)
    );
    assert_eq!(
        picked(&["--invert", "--number", "2-", &faults]),
        (vec![1], 0)
    );
    let by_check: Vec<_> = objects(&printed(&overboard(&["check", "--json", &faults])).0)
        .iter()
        .filter(|game| game["verdict"] == "illegal" || game["verdict"] == "unreadable")
        .map(|game| game["game"].as_u64().unwrap())
        .collect();
    assert_eq!(
        picked(&["--verdict", "illegal,unreadable", &faults]),
        (by_check.clone(), 0)
    );
    assert_eq!(
        picked(&["--verdict", "illegal", "--verdict", "unreadable", &faults]),
        (by_check, 0)
    );
    assert_eq!(
        picked(&[
            "--verdict",
            "clean",
            "--deny",
            "missing-tag",
            "--number",
            "8",
            &faults
        ])
        .0
        .len(),
        1
    );
    let broken = "[Event \"a\"]\n[Site \"x]\n[White \"Ann\"]\n\n1. e4 *\n";
    assert!(piped(&["select", "--tag", "White=ann", "-"], broken).stdout == broken.as_bytes());

    let text = good(&overboard(&["select", "--json", "--number", "2", &history]));
    let object = &objects(&text)[0];
    has_fields(&text, &["file", "game", "bytes", "verdict", "written"]);
    let [from, to] =
        [0, 1].map(|end| usize::try_from(object["bytes"][end].as_u64().unwrap()).unwrap());
    let game = good(&overboard(&["select", "--number", "2", &history]));
    assert_eq!(game.as_bytes(), &fs::read(&history).unwrap()[from..to]);
}

#[test]
fn games_are_split_into_files_and_none_is_written_over() {
    let folder = TempDir::new().unwrap();
    let target = folder.path().join("games");
    let target = target.to_str().unwrap();
    let history = ours("examples/history.pgn");
    let written = good(&overboard(&["select", "--split", target, &history]));
    assert_eq!(written.lines().count(), 12);
    assert!(written.starts_with(&format!("{target}/history-000001.pgn\n")) || cfg!(windows));
    let joined: Vec<u8> = written
        .lines()
        .flat_map(|name| fs::read(name).unwrap())
        .collect();
    assert_eq!(joined, fs::read(&history).unwrap());
    let output = overboard(&["select", "--split", target, &history]);
    assert!(
        code(&output) == 2 && said(&output).contains("it was not overwritten"),
        "{}",
        said(&output)
    );
    assert_eq!(fs::read_dir(target).unwrap().count(), 12);
    let output = piped(&["select", "--json", "--split", target, "-"], "1. e4 *");
    let name = objects(&good(&output))[0]["written"]
        .as_str()
        .unwrap()
        .to_string();
    assert!(name.ends_with("game-000001.pgn"));
    assert_eq!(fs::read(name).unwrap(), b"1. e4 *");
}

#[test]
fn a_closed_pipe_is_no_failure_and_nothing_is_said_beside_the_data() {
    let big = fs::read(root().join("examples/history.pgn"))
        .unwrap()
        .repeat(40);
    for args in [
        &["convert", "--to", "jsonl", "-"][..],
        &["convert", "--to", "fen", "-"],
        &["convert", "--to", "coord", "-"],
        &["select", "-"],
    ] {
        let mut child = tool()
            .args(args)
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut first = String::new();
        let input = big.clone();
        let writer = thread::spawn(move || drop(stdin.write_all(&input)));
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut first)
            .unwrap();
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!((code(&output), said(&output).as_str()), (0, ""), "{args:?}");
        assert!(!first.is_empty() && !first.contains('\u{1b}'));
    }
}
