//! Sheets of the boards of Mega-Chess, together and by themselves, as clubs keep them by hand.

use crate::{
    rows::piped,
    text::{judge, judge_sheets},
};
use overboard_referee::{
    Options,
    finding::{Severity, Verdict},
};
use std::{fs, path::Path};

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

/// The sheets of an example, and the index of the one of a board.
fn sheets_of(example: &str, parent: &str) -> (String, usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let record = fs::read_to_string(root.join("examples").join(example)).unwrap();
    let sheets = piped(&["unbundle"], &record);
    let tag = format!("[Parent \"{parent}\"]");
    let mut each = sheets.split("[Event ").skip(1);
    let at = each.position(|sheet| sheet.contains(&tag)).unwrap();
    (sheets, at)
}

#[test]
fn sheets_of_all_boards_are_judged_together() {
    for example in ["megachess.npgn", "megachess-free.npgn"] {
        let (sheets, _) = sheets_of(example, "#1/A2");
        for report in judge_sheets(sheets.as_bytes(), Options::default()) {
            assert_eq!(
                report.verdict,
                Verdict::Clean,
                "{example}: {:?}",
                report.findings
            );
        }
    }
}

/// A remark may stand between a ply and its ordinal, as on the sheets of linked boards.
#[test]
fn an_ordinal_may_stand_in_any_comment_after_its_ply() {
    let (sheets, _) = sheets_of("megachess.npgn", "#1/A2");
    let remarked = sheets.replace(" {[%seq", " {A remark.} (-- {[%seq 1]}) $1 {[%seq");
    assert_ne!(remarked, sheets);
    for report in judge_sheets(remarked.as_bytes(), Options::default()) {
        let findings = report.findings.iter();
        let loose: Vec<_> = findings
            .filter(|finding| finding.code.id == "loose-sheet")
            .collect();
        assert!(loose.is_empty(), "{loose:?}");
        assert_ne!(report.verdict, Verdict::Illegal, "{:?}", report.findings);
    }
}

/// A wrong move is found on the sheet of its board, at its place, and nowhere else.
#[test]
fn a_wrong_move_is_found_on_the_sheet_of_its_board() {
    let (sheets, at) = sheets_of("megachess.npgn", "#1/B2");
    let right = "Bc4";
    let from = sheets.find("[Parent \"#1/B2\"]").unwrap();
    let place = from + sheets[from..].find(right).unwrap();
    let wrong = format!("{}Bc5{}", &sheets[..place], &sheets[place + right.len()..]);
    let reports = judge_sheets(wrong.as_bytes(), Options::default());
    let illegal = |nth: &usize| {
        let mut findings = reports[*nth].findings.iter();
        findings.any(|finding| finding.code.id == "illegal-move")
    };
    let accused: Vec<_> = (0..reports.len()).filter(illegal).collect();
    assert_eq!(accused, [at]);
    let finding = &reports[at].findings[0];
    assert_eq!(finding.place.span.from as usize, place);
    assert_eq!(finding.number.as_deref(), Some("3."));
}

/// A sheet that is missing is named by what was played there.
#[test]
fn a_missing_sheet_of_a_board_is_noticed() {
    let (sheets, at) = sheets_of("megachess.npgn", "#1/B2");
    let without: String = sheets
        .split("[Event ")
        .skip(1)
        .enumerate()
        .filter(|(nth, _)| *nth != at)
        .map(|(_, sheet)| format!("[Event {sheet}"))
        .collect();
    let reports = judge_sheets(without.as_bytes(), Options::default());
    let mut messages = reports.iter().flat_map(|report| &report.findings);
    assert!(messages.any(|finding| {
        finding
            .message
            .as_it_came()
            .contains("ply 2 is on no sheet")
    }));
}
