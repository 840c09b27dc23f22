//! Hostile names of engines and players: no command prints a name in a form that could control a terminal, reverse
//! or hide the text beside it, or act as a spreadsheet formula.

use crate::run::tool;
use overboard_formats::foreign::is_unseen;
use std::{fs, path::Path, process::Output};

/// Characters that reverse, hide, pad and mark up text, after a full-width sign that begins a formula.
const HOSTILE: &str = "\u{ff1d}1\u{202e}gnp\u{2066}\u{3164}\u{200b}<b>&\u{feff}|\u{e0041}";

/// A UCI engine that uses such names for itself, its option and its move.
const ENGINE: &str = r#"while read -r line; do case $line in
uci) printf 'id name \033[2J%s\noption name %s type string\nuciok\n' "$HOSTILE" "$HOSTILE";;
isready) echo readyok;;
go*) printf 'bestmove e2\033]0;%s\a\n' "$HOSTILE";;
quit) exit;;
esac; done"#;

/// The output of a run, which must not contain any invisible character.
fn seen(output: &Output, line: &[&str]) -> String {
    let [out, err] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8(bytes.clone()).unwrap());
    let said = out + &err;
    is_harmless(&said, line);
    said
}

fn is_harmless(text: &str, from: &[&str]) {
    let raw = text
        .chars()
        .find(|c| is_unseen(*c) && !matches!(c, '\n' | '\t'));
    assert!(
        raw.is_none() && !text.contains("panicked"),
        "{from:?}: {raw:?} in {text}"
    );
}

fn run(folder: &Path, line: &[&str]) -> (String, i32) {
    let output = tool()
        .args(line)
        .current_dir(folder)
        .env("HOSTILE", HOSTILE)
        .output()
        .unwrap();
    (seen(&output, line), output.status.code().unwrap())
}

/// Checks each cell of a table as a spreadsheet would read it.
fn no_cell_is_a_formula(table: &str) {
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(table.as_bytes());
    for row in rows.records() {
        for cell in &row.unwrap() {
            assert!(
                !cell.starts_with(['=', '@', '\u{ff1d}', '\u{ff20}']),
                "{cell:?}"
            );
        }
    }
}

/// Every command that prints an engine's name or output, or the names of players in a ledger.
#[cfg(unix)]
#[test]
fn no_engine_and_no_ledger_controls_what_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("engine.sh"), ENGINE).unwrap();
    let engine = format!("name='{HOSTILE}' cmd='sh engine.sh' st=5");
    let field = [
        "--engine", &engine, "--player", "random", "--pairs", "2", "--sprt", "0,5",
    ];
    let (said, exit) = run(
        at,
        &[&["match", "--ledger", "a.jsonl"], &field[..]].concat(),
    );
    // It never makes a legal move, so it loses every game.
    assert_eq!(exit, 1, "{said}");
    assert!(
        said.contains("\\u{202e}gnp") && said.contains("illegal move"),
        "{said}"
    );
    for line in [
        &["match", "--json", "--ledger", "a.jsonl"][..],
        &["match", "--ledger", "b.jsonl"],
        &["plan", "plan.json"],
    ] {
        assert_ne!(run(at, &[line, &field[..]].concat()).1, 2);
    }
    for line in [
        &["run", "plan.json", "--ledger", "c.jsonl"][..],
        &["extend", "--pairs", "1", "a.jsonl"],
        &["ledger", "a.jsonl"],
        &["ledger", "--json", "a.jsonl"],
        &["ledger", "--to", "csv", "a.jsonl"],
        &["ledger", "--to", "games", "a.jsonl"],
        &["ledger", "--to", "plies", "--format", "csv", "a.jsonl"],
        &[
            "stats",
            "--sprt",
            "0,5",
            "--by",
            "opening,first-ply,end,length",
            "a.jsonl",
        ],
        &["stats", "--json", "--by", "opening", "a.jsonl"],
        &["stats", "--csv", "--by", "opening,first-ply", "a.jsonl"],
        &[
            "stats",
            "--plot-score",
            "score.svg",
            "--plot-lengths",
            "lengths.svg",
            "a.jsonl",
        ],
        &["merge", "--out", "d.jsonl", "a.jsonl"],
        &["stats", "a.jsonl", "d.jsonl"],
        &["engine", "check", "sh engine.sh", "--st", "5"],
        &["engine", "check", "--json", "sh engine.sh", "--st", "5"],
        // An unknown option, a duplicate name, and names that look alike.
        &[
            "match",
            "--engine",
            &format!("{engine} option.\u{202e}=1"),
            "--player",
            "random",
            "--pairs",
            "1",
        ],
        &[
            "match", "--engine", &engine, "--engine", &engine, "--pairs", "1",
        ],
        &[
            "match",
            "--engine",
            &engine,
            "--engine",
            &format!("{engine} \u{202e}"),
            "--pairs",
            "1",
        ],
    ] {
        let (said, exit) = run(at, line);
        assert!((0..=2).contains(&exit), "{line:?}: {said}");
        if line.contains(&"--csv") {
            no_cell_is_a_formula(&said);
        }
    }
    for svg in ["score.svg", "lengths.svg"] {
        let text = fs::read_to_string(at.join(svg)).unwrap();
        is_harmless(&text, &[svg]);
        assert!(!text.contains("<b>"), "{text}");
        roxmltree::Document::parse(&text).unwrap();
    }
    // Its first fault is kept beside the ledger, in a file with a harmless name.
    let names = fs::read_dir(at)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let faults: Vec<_> = names.filter(|name| name.ends_with(".fault.txt")).collect();
    assert!(
        !faults.is_empty() && faults.iter().all(|name| name.is_ascii()),
        "{faults:?}"
    );
    for fault in &faults {
        is_harmless(&fs::read_to_string(at.join(fault)).unwrap(), &[fault]);
    }
}

/// Every command that prints the players of a record.
#[test]
fn no_player_of_a_record_controls_what_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let game = |result: &str, other: &str| {
        format!(
            "[Event \"{HOSTILE}\u{2028}\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"{HOSTILE}\"]\n[White \"{HOSTILE}\"]\n\
             [Black \"=\u{1b}[2J{other}\"]\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n"
        )
    };
    let text = game("1-0", "a") + &game("0-1", "a") + &game("1-0", "b") + &game("0-1", "b");
    fs::write(folder.path().join("games.pgn"), text).unwrap();
    for line in [
        &["check", "--notes", "games.pgn"][..],
        &["check", "--json", "games.pgn"],
        &["show", "games.pgn"],
        &["show", "--json", "games.pgn"],
        &["show", "--list", "games.pgn"],
        &["show", "--svg", "-", "games.pgn"],
        &["view", "--output", "-", "games.pgn"],
        &["select", "--json", "games.pgn"],
        &["convert", "--to", "games", "games.pgn"],
        &["convert", "--to", "games", "--format", "csv", "games.pgn"],
        &["convert", "--to", "plies", "--format", "csv", "games.pgn"],
        &["convert", "--to", "jsonl", "games.pgn"],
        &["stats", "games.pgn"],
        &["stats", "--json", "--by", "opening,first-ply", "games.pgn"],
        &["stats", "--csv", "games.pgn"],
        &["stats", "--plot-score", "score.svg", "games.pgn"],
        &["score", "games.pgn"],
        &["orders", "games.pgn"],
    ] {
        let (said, exit) = run(folder.path(), line);
        assert!((0..=2).contains(&exit), "{line:?}: {said}");
        if line.starts_with(&["stats", "--csv"]) {
            no_cell_is_a_formula(&said);
        }
    }
    let svg = fs::read_to_string(folder.path().join("score.svg")).unwrap();
    is_harmless(&svg, &["score.svg"]);
    roxmltree::Document::parse(&svg).unwrap();
}
