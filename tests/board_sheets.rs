//! Sheets of single boards of Mega-Chess, which clubs keep by hand.

use crate::text::judge;
use overboard_referee::finding::{Severity, Verdict};

/// The errors of the sheet of a board on which either player may move (MG-18).
fn on_a_free_board(moves: &str) -> Vec<&'static str> {
    let sheet = format!("[Parent \"7/A2\"]\n[Rules \"turns=free\"]\n\n{moves}\n");
    let report = judge(sheet.as_bytes()).remove(0);
    let errors = report.findings.iter();
    let errors = errors.filter(|finding| finding.severity == Severity::Error);
    let codes: Vec<_> = errors.map(|finding| finding.code.id).collect();
    assert_eq!(
        codes.is_empty(),
        report.verdict == Verdict::Clean,
        "{moves}"
    );
    codes
}

#[test]
fn a_player_may_be_passed_over() {
    for moves in [
        "1. e4 -- 2. Nf3 *",
        "1. -- e5 *",
        "1. -- e5 2. -- Nf6 3. e4 *",
        "1. e4 -- 2. e5 d5 3. exd6 *",
        // Mate by the second of two moves in a row.
        "1. e4 -- 2. Bc4 -- 3. Qh5 -- 4. Qxf7# 1-0",
    ] {
        assert_eq!(on_a_free_board(moves), [""; 0], "{moves}");
    }
}

#[test]
fn what_the_option_does_not_allow() {
    for (moves, code) in [
        ("1. e4 -- 2. -- *", "illegal-move"),
        ("1. e4 f6 2. Qh5+ -- *", "illegal-move"),
        // En passant is possible only against the last move.
        ("1. e4 -- 2. e5 d5 3. -- Nc6 4. exd6 *", "illegal-move"),
        ("1. e4 -- 2. e6 *", "illegal-move"),
    ] {
        assert_eq!(on_a_free_board(moves), [code], "{moves}");
    }
}

#[test]
fn numbers_count_those_who_were_passed_over() {
    let found =
        judge(b"[Parent \"7/A2\"]\n[Rules \"turns=free\"]\n\n1. e4 -- 3. Nf3 *\n").remove(0);
    let codes: Vec<_> = found.findings.iter().map(|found| found.code.id).collect();
    assert!(codes.contains(&"move-number"), "{codes:?}");
}
