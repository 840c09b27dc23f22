//! The number of the laws by which games are judged, and records that were judged under others.

use crate::{
    run::{overboard, printed},
    text::judge,
};
use overboard_games::registry::Variant;
use std::fs;

/// What is said about its laws of a record with this tag Laws: codes and messages.
fn said_of(laws: &str, rest: &str) -> Vec<(&'static str, String)> {
    let text = format!("[Laws \"{laws}\"]\n{rest}\n");
    let reports = judge(text.as_bytes());
    let [report] = reports.as_slice() else {
        panic!("one game: {text}");
    };
    let about = report
        .findings
        .iter()
        .filter(|finding| ["other-laws", "laws-changed", "tag-value"].contains(&finding.code.id));
    about
        .map(|finding| (finding.code.id, finding.message.shown().into_owned()))
        .collect()
}

const SINCE: &str = "since then dead positions and draws on time are decided by any series of moves, not by material alone (GEN-3, GEN-10)";

/// A wall of pawns: only laws 2 know that it is dead.
const WALL: &str = "[SetUp \"1\"]\n[FEN \"4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1\"]\n\n";

#[test]
fn earlier_laws_are_compared_with_those_in_force() {
    assert_eq!(said_of("overboard 2", "1. e4 *"), []);
    let clean = format!(
        "the record was judged under laws 1 of chess; {SINCE}: no finding rests on what changed"
    );
    assert_eq!(said_of("Overboard 1", "1. e4 *"), [("other-laws", clean)]);
    let ended = format!("{WALL}1/2-1/2");
    let dead = format!(
        "the record was judged under laws 1 of chess; {SINCE}: on that rests the end of the game"
    );
    assert_eq!(said_of("overboard 1", &ended), [("laws-changed", dead)]);
    let won = format!("{WALL}0-1");
    let wrong = format!(
        "the record was judged under laws 1 of chess; {SINCE}: on that rests the error wrong-result in line 5, the end of the game"
    );
    assert_eq!(said_of("overboard 1", &won), [("laws-changed", wrong)]);
    // Mate was mate under all of them.
    let mate = said_of("overboard 1", "1. f3 e5 2. g4 Qh4# 3. a3 0-1");
    assert_eq!(mate[0].0, "other-laws");
}

#[test]
fn laws_that_are_not_known_are_said_to_be_so() {
    let later = "the record was judged under laws 9 of chess, which are later than those of this program, 2";
    assert_eq!(
        said_of("overboard 9", "1. e4 *"),
        [("other-laws", later.into())]
    );
    assert_eq!(said_of("Knightly Judge 4", "1. e4 *"), []);
    for unread in ["2", "overboard", "overboard two", "overboard 99999999999"] {
        assert_eq!(said_of(unread, "1. e4 *")[0].0, "tag-value", "{unread}");
    }
    let unknown = "[Variant \"Atomic\"]\n\n1. e4 *";
    assert_eq!(said_of("overboard 1", unknown), []);
}

#[test]
fn linked_boards_are_judged_by_laws_of_their_own() {
    let laws = |boards: &str| {
        let text = format!("[Variant \"StrategiChess\"]\n[Boards \"{boards}\"]\n\n1A. e7 *");
        judge(text.as_bytes())[0].laws.unwrap().laws
    };
    let info = Variant::Strategi.info();
    assert_eq!(laws("A:B"), info.laws_on(true));
    assert_eq!(laws("A"), info.laws_on(false));
}

/// The changelog has a row for each number of the laws of each game.
#[test]
fn the_changelog_says_what_each_number_changed() {
    let changelog = fs::read_to_string("../CHANGELOG.md").unwrap();
    for game in Variant::ALL {
        for change in game.info().changes {
            assert!(
                changelog.contains(change.says),
                "{}: {}",
                game.name(),
                change.says
            );
            for rule in change.rules {
                assert!(changelog.contains(rule.id), "{}", rule.id);
            }
        }
    }
}

#[test]
fn every_form_of_a_report_names_the_laws() {
    let laws = format!("laws {} of Chess", Variant::Chess.info().laws);
    let game = "../examples/history.pgn";
    let dir = tempfile::tempdir().unwrap();
    let [html, junit, sarif] = ["r.html", "r.xml", "r.sarif"].map(|name| dir.path().join(name));
    let run = overboard(&[
        "check",
        game,
        "--html",
        html.to_str().unwrap(),
        "--junit",
        junit.to_str().unwrap(),
        "--sarif",
        sarif.to_str().unwrap(),
    ]);
    assert_eq!(printed(&run).1, 0);
    for report in [html, junit] {
        assert!(fs::read_to_string(report).unwrap().contains(&laws));
    }
    let sarif: serde_json::Value = serde_json::from_slice(&fs::read(sarif).unwrap()).unwrap();
    let named = &sarif["runs"][0]["properties"]["laws"];
    assert_eq!(named, &serde_json::json!([{"game": "Chess", "laws": 2}]));
}
