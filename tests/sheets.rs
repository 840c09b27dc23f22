//! Records are converted to score-sheets and back, to the games of chess that they contain, and to lines.

use crate::run::{overboard, tool};
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, san::SanPlus};
use std::{
    fs,
    io::Write,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::{Output, Stdio},
};
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

fn example(name: &str) -> String {
    fs::read_to_string(root().join("examples").join(name)).unwrap()
}

fn piped(args: &[&str], input: &str) -> Output {
    let mut tool = tool();
    let started = tool
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = started.unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

fn printed(args: &[&str], input: &str) -> String {
    let output = piped(args, input);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_sheets_among_the_examples_are_those_of_the_match() {
    let whole = example("linked.npgn");
    let sheets = example("sheets/linked.npgn");
    assert_eq!(printed(&["unbundle", "-"], &whole), sheets);
    assert_eq!(printed(&["bundle", "-"], &sheets), whole);
}

#[test]
fn files_are_written_whole_or_not_at_all() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (sheets, whole) = (path("sheets.npgn"), path("whole.npgn"));
    let game = root().join("examples/kingfall.npgn");
    let output = overboard(&[
        "unbundle",
        "--json",
        "--output",
        &sheets,
        game.to_str().unwrap(),
    ]);
    let reported: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (
            reported["id"].as_str(),
            reported["sheets"].as_u64(),
            reported["line"].as_u64()
        ),
        (Some("#1"), Some(5), Some(1))
    );
    let output = overboard(&["bundle", "--output", &whole, "--json", &sheets]);
    let reported: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(reported["sheets"].as_u64(), Some(5));
    assert_eq!(
        fs::read_to_string(&whole).unwrap(),
        example("kingfall.npgn")
    );
    assert_eq!(
        overboard(&["bundle", "--output", &whole, &path("none")])
            .status
            .code(),
        Some(2)
    );
    assert_eq!(
        overboard(&["bundle", "--json", &sheets]).status.code(),
        Some(2)
    );
}

/// What `check --json` reports for each game: its verdict, its number of plies, and its findings by kind, line and
/// text.
fn checked(input: &str) -> Vec<(String, u64, Vec<String>)> {
    let output = piped(&["check", "--json", "-"], input);
    let lines = String::from_utf8(output.stdout).unwrap();
    let games = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    games
        .filter(|game| game["summary"].is_null())
        .map(|game| {
            let reported = |finding: &Value| {
                let text = |name: &str| finding[name].as_str().unwrap().to_string();
                format!("{} {} {}", text("code"), finding["line"], text("text"))
            };
            let findings = game["findings"].as_array().unwrap().iter();
            let findings = findings
                .filter(|finding| finding["severity"] != "note")
                .map(reported)
                .collect();
            (
                game["verdict"].as_str().unwrap().to_string(),
                game["plies"].as_u64().unwrap(),
                findings,
            )
        })
        .collect()
}

#[test]
fn sheets_are_judged_together() {
    let sheets = example("sheets/linked.npgn");
    let clean = checked(&sheets);
    assert!(
        clean
            .iter()
            .all(|(verdict, _, findings)| verdict == "clean" && findings.is_empty()),
        "{clean:?}"
    );
    assert_eq!(
        clean.iter().map(|(_, plies, _)| *plies).sum::<u64>(),
        2 * clean[0].1
    );
    // Faults are reported on the sheet that contains them, in a file as on standard input.
    let wrong = sheets.replace("4B. Ng10", "4B. Ng9");
    let line = wrong
        .lines()
        .position(|line| line.starts_with("4B. Ng9"))
        .unwrap()
        + 1;
    let reported = checked(&wrong);
    let verdicts: Vec<_> = reported
        .iter()
        .map(|(verdict, ..)| verdict.as_str())
        .collect();
    assert_eq!(verdicts[0], "undetermined");
    assert_eq!(reported[2].0, "illegal");
    assert_eq!(reported[2].2[0], format!("illegal-move {line} Ng9"));
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("sheets.npgn");
    fs::write(&file, &wrong).unwrap();
    let output = overboard(&["check", "--no-board", file.to_str().unwrap()]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(
        shown.contains(&format!("sheets.npgn:{line}:5\n")) && shown.contains("| 4B. Ng9 "),
        "{shown}"
    );
    // Without the sheet of one board the others are judged as far as they go.
    let parts: Vec<_> = sheets.split("\n\n[Event ").collect();
    let reported = checked(&[parts[0], parts[1], parts[3]].join("\n\n[Event "));
    assert!(
        reported
            .iter()
            .all(|(verdict, _, findings)| verdict == "undetermined"
                && (findings[0].starts_with("loose-sheet") || findings[0].starts_with("open-ply"))),
        "{reported:?}"
    );
    // Other records before and after the sheets are reported as usual, and `select` agrees.
    let among = format!("{}\n{wrong}\n1. e4 e5 2. Ke3 *\n", example("kingfall.npgn"));
    let verdicts: Vec<_> = checked(&among)
        .into_iter()
        .map(|(verdict, ..)| verdict)
        .collect();
    assert_eq!(verdicts[0], "clean");
    assert_eq!(verdicts.last().unwrap(), "illegal");
    let picked = printed(&["select", "--verdict", "undetermined", "-"], &wrong);
    assert!(
        picked.contains("[GameId \"#1\"]") && !picked.contains("[Parent \"#1/B\"]"),
        "{picked}"
    );
}

#[test]
fn a_sheet_of_individuals_is_judged_alone() {
    let record = "[Variant \"Overchess\"]\n[Rules \"depth=2\"]\n\n1. e4 d5 2. exd5 <d5: 1. e4 d5 2. exd5 <d5: 1-0> Nf6 1-0> Nf6 *\n";
    let sheets = printed(&["unbundle", "-"], record);
    let sheet = sheets.split("\n\n[Event ").nth(1).unwrap();
    assert!(
        sheet.contains("[Around \"") && sheet.contains("{d5: setup w - -}\"]"),
        "{sheet}"
    );
    assert_eq!(
        printed(&["bundle", "-"], &sheets),
        printed(&["fmt", "-"], record)
    );
    let reported = checked(&sheets);
    assert_eq!(reported.len(), 3);
}

#[test]
fn what_does_not_fit_is_reported_with_its_places() {
    let sheets = printed(&["unbundle", "-"], &example("kingfall.npgn"));
    let without = |tag: &str| {
        let parts = sheets.split("\n[Event ").enumerate().map(|(at, part)| {
            if at == 0 {
                part.into()
            } else {
                format!("[Event {part}")
            }
        });
        parts
            .filter(|part: &String| !part.contains(tag))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let output = piped(&["bundle", "-"], &without("[Parent \"#1/2b\"]"));
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("plies 18 to 21 are on no sheet"),
        "{}",
        said(&output)
    );
    let output = piped(&["bundle", "-"], &without("[GameId"));
    assert!(
        said(&output).contains("no sheet has the GameId `#1`"),
        "{}",
        said(&output)
    );
    let other = sheets.replace("5. Nxe5", "5. Bxf7");
    let output = piped(
        &["bundle", "--output", "/dev/null", "--json", "-"],
        &format!("{sheets}{other}"),
    );
    assert!(
        said(&output).contains("two sheets of this game differ: 5. `Nxe5` here\n  -:"),
        "{}",
        said(&output)
    );
    let reported: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(reported["problem"]["code"].as_str(), Some("unlike"));
    assert_eq!(reported["problem"]["places"].as_array().unwrap().len(), 2);
    let output = piped(&["unbundle", "-"], "[Variant \"Mega-Chess\"]\n\n1. Qd4 *\n");
    assert!(said(&output).contains("not known which boards it carries along"));
}

/// A game of chess as another library reads it.
#[derive(Default)]
struct Elsewhere {
    games: usize,
    plies: usize,
}

#[derive(Default)]
struct Tags {
    fen: Option<String>,
    result: String,
    round: String,
}

impl pgn_reader::Visitor for Elsewhere {
    type Tags = Tags;
    type Movetext = (Chess, String);
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: pgn_reader::RawTag<'_>,
    ) -> ControlFlow<()> {
        let value = value.decode_utf8_lossy().into_owned();
        match name {
            b"FEN" => tags.fen = Some(value),
            b"Result" => tags.result = value,
            b"Round" => tags.round = value,
            b"Variant" => panic!("no chess: {value}"),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<(), Self::Movetext> {
        assert!(tags.round.contains('.'), "{}", tags.round);
        let start = tags.fen.map_or(Chess::default(), |fen| {
            fen.parse::<Fen>()
                .unwrap()
                .into_position(CastlingMode::Standard)
                .unwrap()
        });
        ControlFlow::Continue((start, tags.result))
    }

    fn san(&mut self, (position, _): &mut Self::Movetext, san: SanPlus) -> ControlFlow<()> {
        let m = san.san.to_move(position).unwrap();
        assert_eq!(SanPlus::from_move(position.clone(), m), san);
        position.play_unchecked(m);
        self.plies += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<(), pgn_reader::Skip> {
        ControlFlow::Continue(pgn_reader::Skip(true))
    }

    fn outcome(
        &mut self,
        (_, result): &mut Self::Movetext,
        outcome: shakmaty::Outcome,
    ) -> ControlFlow<()> {
        assert_eq!(outcome.to_string(), *result);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (position, result): Self::Movetext) {
        if position.is_checkmate() {
            assert_eq!(
                result,
                if position.turn().is_white() {
                    "0-1"
                } else {
                    "1-0"
                }
            );
        }
        self.games += 1;
    }
}

#[test]
fn games_within_a_game_are_chess_to_other_programs() {
    let mut elsewhere = Elsewhere::default();
    let mut read = |text: &str| {
        let mut reader = pgn_reader::Reader::new(text.as_bytes());
        let before = elsewhere.games;
        while reader.read_game(&mut elsewhere).unwrap().is_some() {}
        elsewhere.games - before
    };
    assert_eq!(
        read(&printed(
            &["convert", "--to", "pgn", "-"],
            &example("kingfall.npgn")
        )),
        4
    );
    assert_eq!(
        read(&printed(
            &["convert", "--to", "pgn", "-"],
            &example("overchess.npgn")
        )),
        4
    );
    // A sub-game with only a recorded result is a game without moves.
    let reported = "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5: 1-0> Nf6 *\n";
    let flat = printed(&["convert", "--to", "pgn", "-"], reported);
    assert_eq!(read(&flat), 1, "{flat}");
    assert!(
        flat.contains("[Round \"?.2w.d5\"]") && flat.ends_with("\n\n1-0\n\n"),
        "{flat}"
    );
    let turn = "<A2.e4 B2.d4 C1.Nf3 D2.e4 E2.e4 F2.c4 G1.Nc3 H2.e4>";
    let answer = "<A2.e5 B2.d5 C1.d5 D2.e5 E2.e5 F2.c5 G1.d5 H2.e5>";
    // The mega-knight moves with its board.
    let mega = format!(
        "[Variant \"Mega-Chess\"]\n[Round \"4\"]\n\n1. {turn} {answer} 2. Nf3 Nc6 3. <F3.Nf3> *\n"
    );
    let mega = mega.replace(
        "A2.e5 B2.d5 C1.d5",
        "A2.e5!? {Well.} $14 {[%clk 0:41:07]} B2.d5 C1.d5",
    );
    let mega = mega
        .replace("Nf3 Nc6", "Nf3 $4 {Not on a board.} 2... Nc6")
        .replace(
            "<F3.Nf3>",
            "<A2.d4 B2.c4 C1.c4 D2.d4 E2.d4 F2.d3 F3.Nf3 H2.d4>",
        );
    let flat = printed(&["convert", "--to", "pgn", "-"], &mega);
    assert_eq!(read(&flat), 8, "{flat}");
    assert!(
        flat.contains("[Round \"4.G1\"]") && flat.contains("1. Nc3 d5 2. Nf3 *"),
        "{flat}"
    );
    let remarks = "1. e4 e5 $5 {Well.} $14 {[%clk 0:41:07]} 2. d4 *";
    assert!(
        flat.replace('\n', " ").contains(remarks) && !flat.contains("Not on a board"),
        "{flat}"
    );
    let output = piped(
        &["convert", "--to", "pgn", "-"],
        "[Variant \"Olympic Chess\"]\n\n1. a3 *\n",
    );
    assert!(output.status.code() == Some(1) && said(&output).contains("cannot be written as PGN"));
}

#[test]
fn a_sub_game_is_shown_at_any_moment() {
    let show = |at: &str| {
        let path = root().join("examples/kingfall.npgn");
        overboard(&["show", "--as-fen", "--at", at, path.to_str().unwrap()])
    };
    let fen = |at: &str| String::from_utf8(show(at).stdout).unwrap();
    assert_eq!(
        fen("2b.d5.1w"),
        "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1\n"
    );
    assert!(fen("2b.d5").ends_with(" w KQkq - 1 3\n") && fen("2b.d5") == fen("2b.d5.end"));
    let wrong = show("2b.d6");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        said(&wrong).contains("sub-games with moves: 2w.d5 2b.d5 5w.e6 7b.b5"),
        "{}",
        said(&wrong)
    );
}

#[test]
fn rosters_stand_in_a_table() {
    let path = root().join("examples/kingfall.npgn");
    let shown = overboard(&["show", "--ascii", "--at", "5w", path.to_str().unwrap()]);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(
        shown.contains("White, 575 points") && shown.contains("P  d5  7P2R2N2B        29  1P1Q"),
        "{shown}"
    );
    assert!(shown.lines().all(|line| line.len() < 80), "{shown}");
    let svg = overboard(&["show", "--svg", "-", "--at", "5w", path.to_str().unwrap()]);
    assert!(String::from_utf8(svg.stdout).unwrap().starts_with("<svg "));
}

#[test]
fn lines_of_overchess_go_both_ways() {
    let rules = [
        "--from",
        "coord",
        "--variant",
        "overchess",
        "--rules",
        "prisoners:consolidation",
    ];
    let line = printed(
        &["convert", "--to", "coord", "-"],
        &example("kingfall.npgn"),
    );
    let record = printed(
        &[&["convert"], &rules[..], &["--to", "npgn", "-"]].concat(),
        &line,
    );
    assert!(
        record.contains("[Rules \"prisoners:consolidation\"]")
            && record.contains("<consolidate h7: e6+P e6+Q>")
    );
    assert_eq!(printed(&["convert", "--to", "coord", "-"], &record), line);
    assert_eq!(
        printed(
            &[&["convert"], &rules[..], &["--to", "coord", "-"]].concat(),
            &line
        ),
        line
    );
    let deep = "[Variant \"Overchess\"]\n[Rules \"depth=2\"]\n\n1. e4 d5 2. exd5 <d5: 0-1> Nf6 *\n";
    let line = printed(&["convert", "--to", "coord", "-"], deep);
    assert_eq!(line, "e2e4 d7d5 e4d5 d5.0-1 g8f6\n");
    let rules = [
        "--from",
        "coord",
        "--variant",
        "overchess",
        "--rules",
        "depth=2",
    ];
    assert_eq!(
        printed(
            &[&["convert"], &rules[..], &["--to", "coord", "-"]].concat(),
            &line
        ),
        line
    );
    let deep = "[Variant \"Overchess\"]\n[Rules \"depth=2\"]\n\n1. e4 d5 2. exd5 <d5: 1. e4 d5 2. exd5 <d5: 1. f3 1-0> Nf6 1-0> Nf6 *\n";
    let line = printed(&["convert", "--to", "coord", "-"], deep);
    assert!(
        line.contains("d5.d5.f2f3 d5.d5.1-0 d5.g8f6 d5.1-0 g8f6"),
        "{line}"
    );
    let record = printed(
        &[&["convert"], &rules[..], &["--to", "npgn", "-"]].concat(),
        &line,
    );
    assert_eq!(printed(&["convert", "--to", "coord", "-"], &record), line);
}
