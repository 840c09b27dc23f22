//! `moves`, `perft`, `show`, `convert` and `select`: nothing is lost on the way, and other programs and libraries agree. What
//! they print is shown by the cases in `tests/cli`.

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
pub fn fed(args: &[&str], input: impl AsRef<[u8]>) -> Output {
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
    output
}

/// The same, if nothing breaks.
fn piped(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let output = fed(args, input);
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
fn a_position_is_drawn_in_two_forms() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
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

/// A line may be nested as deeply as it likes: it is named, and the others are converted.
#[test]
fn deep_lines_of_json_are_named() {
    let good_line = r#"{"elements":[{"ply":"e4"},{"result":"*"}]}"#;
    let deep = "[".repeat(100_000);
    for (line, why) in [
        (deep.clone(), "invalid type"),
        (format!("{{\"elements\":{deep}"), "expected"),
    ] {
        let lines = format!("{line}\n{good_line}");
        let output = piped(&["convert", "--from", "jsonl", "--to", "coord", "-"], lines);
        assert_eq!((printed(&output).0.as_str(), code(&output)), ("e2e4\n", 1));
        let complaint = said(&output);
        assert!(
            complaint.starts_with("error: -:1:") && complaint.contains(why),
            "{complaint}"
        );
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
    }
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

    let varied =
        format!("7k/P7/8/8/8/8/8/K7 b - - 0 50\th8g7 a7a8q g7f6\n{ARRAY}\t\ne2e4 e7e5 d2d4\n");
    assert_eq!(convert("coord", "coord", &varied), varied.as_bytes());
    let round = convert("npgn", "coord", convert("coord", "npgn", &varied));
    assert_eq!(String::from_utf8(round).unwrap(), varied);

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
    assert_eq!(convert("npgn", "coord", text), b"a2a3 e4e3 a3a4\n");
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
