//! The sheets of both boards of Bughouse: an order is found by what is dropped, and one slip leaves the rest judged.

use crate::run::overboard;
use serde_json::Value;
use std::{fs, path::PathBuf};
use tempfile::TempDir;

/// Runs a command on a text, and returns what it prints.
fn printed(args: &[&str], text: &str) -> String {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games.npgn");
    fs::write(&file, text).unwrap();
    let all = [args, &[file.to_str().unwrap()]].concat();
    let output = overboard(&all);
    let said = String::from_utf8_lossy(&output.stderr);
    // Something unreadable on a sheet is no fault of the program.
    assert!(
        output.status.code() <= Some(2) && !said.contains("panicked"),
        "{args:?}: {said}\n{text}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The verdict on each record, and what is found that is more than a note: its kind and its ply.
fn judged(text: &str) -> (Vec<String>, Vec<(String, String)>) {
    let (mut verdicts, mut found) = (Vec::new(), Vec::new());
    for line in printed(&["check", "--json"], text).lines() {
        let report: Value = serde_json::from_str(line).unwrap();
        let Some(verdict) = report["verdict"].as_str() else {
            continue;
        };
        verdicts.push(verdict.to_owned());
        for finding in report["findings"].as_array().unwrap() {
            if finding["severity"] != "note" {
                let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
                found.push((text("code"), text("text")));
            }
        }
    }
    (verdicts, found)
}

/// A text without the commands that say in which order plies were made.
fn without_ordinals(sheets: &str) -> String {
    let mut kept = String::new();
    let mut rest = sheets;
    while let Some((before, after)) = rest.split_once("{[%seq ") {
        kept.push_str(before);
        rest = after.split_once('}').unwrap().1;
    }
    kept + rest
}

/// The plies of each board of a record, in order.
fn plies(record: &str) -> [Vec<&str>; 2] {
    let mut boards = [Vec::new(), Vec::new()];
    let words: Vec<_> = record.split_whitespace().collect();
    for pair in words.windows(2) {
        let number = pair[0].trim_end_matches('.');
        if pair[0].ends_with('.') && number.starts_with(|first: char| first.is_ascii_digit()) {
            let board = usize::from(number.ends_with(['B', 'b']));
            boards[board].push(pair[1]);
        }
    }
    boards
}

fn games() -> String {
    let folder = TempDir::new().unwrap();
    let ledger: PathBuf = folder.path().join("games.jsonl");
    let ledger = ledger.to_str().unwrap();
    let played = [
        "selfplay",
        "--variant",
        "bughouse",
        "--player",
        "random",
        "--pairs",
        "4",
        "--max-plies",
        "160",
        "--ledger",
        ledger,
    ];
    assert_eq!(overboard(&played).status.code(), Some(0));
    let written = overboard(&["ledger", "--to", "npgn", ledger]);
    String::from_utf8(written.stdout).unwrap()
}

#[test]
fn records_come_back_from_their_sheets() {
    let whole = games();
    let sheets = printed(&["unbundle"], &whole);
    assert_eq!(printed(&["bundle"], &sheets), whole);
    let (verdicts, found) = judged(&sheets);
    assert_eq!(found, []);
    assert_eq!(verdicts.len(), 8 * 3);
    // Without ordinals another order may be found, in which each board has the same plies.
    let again = printed(&["bundle"], &without_ordinals(&sheets));
    let (_, found) = judged(&again);
    assert_eq!(found, []);
    for (one, other) in whole.split("[Event ").zip(again.split("[Event ")) {
        assert_eq!(plies(one), plies(other));
    }
}

const OUTER: &str = "[Event \"Pairs\"]\n[White \"Ann:Bob\"]\n[Black \"Di:Ed\"]\n[Result \"1-0\"]\n[GameId \"7\"]\n[Variant \"Bughouse\"]\n\n1-0\n\n";

fn sheet(board: &str, plies: &str) -> String {
    format!("[Event \"Pairs\"]\n[Parent \"7/{board}\"]\n[Variant \"Bughouse\"]\n\n{plies} *\n\n")
}

#[test]
fn a_drop_waits_for_its_capture() {
    let both = [
        OUTER,
        &sheet("A", "1. e4 d5 2. exd5 Qxd5"),
        &sheet("B", "1. e4 P@d5 2. P@d4"),
    ]
    .concat();
    let record = printed(&["bundle"], &both);
    let moves = record.split("\n\n").nth(1).unwrap().replace('\n', " ");
    assert_eq!(
        moves.trim(),
        "1A. e4 1B. e4 1a. d5 2A. exd5 1b. P@d5 2a. Qxd5 2B. P@d4 1-0"
    );
    assert!(record.contains("[White \"Ann:Bob\"]"));
    let apart = printed(&["unbundle"], &record);
    // White on board B is of the other team.
    assert!(apart.contains("[White \"Ed\"]\n[Black \"Bob\"]"), "{apart}");
}

/// Mate ends the match on both boards, so that it is made last.
#[test]
fn what_ends_the_match_comes_last() {
    let both = [
        OUTER,
        &sheet("A", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#"),
        &sheet("B", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 d6"),
    ]
    .concat();
    let record = printed(&["bundle"], &both);
    let moves = record.replace('\n', " ");
    assert!(moves.contains("4b. d6 4A. Qxf7# 1-0"), "{record}");
}

#[test]
fn one_slip_is_one_finding() {
    let on_a = sheet("A", "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8");
    let illegal = [OUTER, &on_a, &sheet("B", "1. e4 e5 2. Ke3 d6")].concat();
    let (verdicts, found) = judged(&illegal);
    assert_eq!(found, [("no-order".to_owned(), "Ke3".to_owned())]);
    assert_eq!(verdicts.len(), 3);
    // No black knight was taken on board A.
    let lacking = [OUTER, &on_a, &sheet("B", "1. e4 N@d5 2. d4")].concat();
    assert_eq!(
        judged(&lacking).1,
        [("no-order".to_owned(), "N@d5".to_owned())]
    );
    let unreadable = [OUTER, &on_a, &sheet("B", "1. e4 Nf9 2. d4")].concat();
    assert_eq!(
        judged(&unreadable).1,
        [("bad-ply".to_owned(), "Nf9".to_owned())]
    );
    // With a sheet missing, a drop hangs on what was taken there, and nobody is accused.
    let missing = [OUTER, &sheet("A", "1. e4 d5 2. N@f3 Nc6")].concat();
    let (verdicts, found) = judged(&missing);
    assert!(
        !verdicts.iter().any(|verdict| verdict == "illegal"),
        "{found:?}"
    );
}

/// The cards of an event say who sits where, and its records have the tags of both teams.
#[test]
fn pairs_meet_in_an_event() {
    let folder = TempDir::new().unwrap();
    let cup = folder.path().join("cup");
    let cup = cup.to_str().unwrap();
    let done = |args: &[&str]| {
        let output = overboard(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    };
    done(&["event", "new", cup, "--game", "bughouse"]);
    for (team, players) in [("Leeds", "Ann;Bob"), ("York", "Di;Ed")] {
        done(&["event", "enter", cup, team, "--players", players]);
    }
    done(&["pair", "next", cup]);
    let head = done(&["event", "cards", cup, "--npgn"]);
    for tag in [
        "[White \"Ann:Bob\"]",
        "[Black \"Di:Ed\"]",
        "[WhiteTeam \"Leeds\"]",
        "[Variant \"Bughouse\"]",
    ] {
        assert!(head.contains(tag), "{tag}: {head}");
    }
    let card = done(&["event", "cards", cup]);
    let cells = |text: &str| {
        let found = card.find(text).unwrap_or_else(|| panic!("{text}: {card}"));
        card[found..]
            .find("</tr>")
            .map(|end| card[found..found + end].to_owned())
    };
    // On board B York has White.
    let row = cells(">B</td>").unwrap();
    assert!(row.find("Ed (York)") < row.find("Bob (Leeds)"), "{row}");
    let record = head.replace("\n*\n", "\n1A. e4 {[%resign B:A]} 1-0\n");
    let record = record.replace("[Result \"*\"]", "[Result \"1-0\"]");
    let file = folder.path().join("round1.npgn");
    fs::write(&file, record).unwrap();
    done(&["result", cup, "1", "--from", file.to_str().unwrap()]);
    let table = done(&["standings", cup, "--json"]);
    assert!(table.contains("Leeds"), "{table}");
}
