//! Attempts that were taken back (GEN-9): a legal one, and one that is no move, are errors and do not count.

use crate::text::judge;
use overboard_referee::{
    finding::{Severity, Verdict},
    report::Report,
};
use overboard_rules::outcome::Outcome;

fn report(tags: &str, moves: &str) -> Report {
    judge(format!("{tags}\n\n{moves}\n").as_bytes()).remove(0)
}

/// The errors of a record, and whether its result follows from attempts.
fn found(tags: &str, moves: &str) -> Vec<&'static str> {
    let findings = report(tags, moves).findings.into_iter();
    findings
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.code.id)
        .collect()
}

/// Checks that the second attempt, each written like this, loses for the side that makes it.
#[track_caller]
fn loses(tags: &str, moves: &str, attempt: &str, result: &str) {
    let twice = format!("{moves} {{[%illegal {attempt}]}} {{[%illegal {attempt}]}} {result}");
    let report = report(tags, &twice);
    assert_eq!(
        report.verdict,
        Verdict::Clean,
        "{twice}: {:?}",
        report.findings
    );
    let judged = report.result.judged.map(Outcome::as_str);
    assert_eq!(judged, Some(result), "{twice}");
}

/// Checks that an attempt does not count however often it is made, and is an error each time.
#[track_caller]
fn counts_not(code: &'static str, tags: &str, moves: &str, attempt: &str) {
    let twice = format!("{moves} {{[%illegal {attempt}]}} {{[%illegal {attempt}]}} *");
    assert_eq!(found(tags, &twice), [code; 2], "{twice}");
    assert_eq!(report(tags, &twice).result.judged, None, "{twice}");
}

#[track_caller]
fn is_legal(tags: &str, moves: &str, attempt: &str) {
    counts_not("legal-attempt", tags, moves, attempt);
}

#[track_caller]
fn is_nothing(tags: &str, moves: &str, attempt: &str) {
    counts_not("no-attempt", tags, moves, attempt);
}

#[test]
fn in_chess() {
    is_legal("", "1. e4", "e5");
    is_legal("", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Nc6", "O-O");
    for nonsense in ["clock", "the king", "z4", "B clock", "e4 Nf3"] {
        is_nothing("", "1. e4", nonsense);
    }
    for illegal in ["Nf9", "e4", "O-O", "--", "R@c3", "Nd7^", "e5/B"] {
        loses("", "1. e4", illegal, "1-0");
    }
}

#[test]
fn a_side_may_stand_first() {
    loses("", "1. e4 e5", "B Nd4", "1-0");
    loses("", "1. e4 e5", "W Nd4", "0-1");
    // Whoever is not to move has no legal move.
    loses("", "1. e4 e5", "B Nf6", "1-0");
    is_legal("", "1. e4 e5", "W Nf3");
}

#[test]
fn in_other_games_on_one_board() {
    let meta = "[Variant \"MetaChess #4\"]";
    is_legal(meta, "1. e4", "Nd7^");
    loses(meta, "1. e4", "Nf6^", "1-0");
    let olympic = "[Variant \"Olympic Chess\"]";
    is_nothing(olympic, "1. a3", "something");
    let shuffled =
        "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"r4k2/8/8/8/8/8/8/5KR1 w G - 0 1\"]";
    is_legal(shuffled, "1. Kf2 Kf7", "Kf1");
    loses(shuffled, "1. Kf2 Kf7", "O-O", "0-1");
}

#[test]
fn on_boards_of_mega_chess() {
    let mega = "[Variant \"Mega-Chess\"]";
    let turn = "1. <A2.e4 B2.e4 C2.e4 D2.e4 E2.e4 F2.e4 G2.e4 H2.e4>";
    for legal in ["A2.e5", "H2.Nc6", "A2.1/2-1/2", "Nc6"] {
        is_legal(mega, turn, legal);
    }
    for illegal in ["A2.e4", "A2.Nf3", "A7.e4", "D4.e5", "A2.--", "Nc5"] {
        loses(mega, turn, illegal, "1-0");
    }
    for nonsense in ["A2.", "A2.clock", "J2.e4"] {
        is_nothing(mega, turn, nonsense);
    }
}

#[test]
fn inside_a_turn_of_mega_chess() {
    let mega = "[Variant \"Mega-Chess\"]";
    // The board of the last item has its own sheet, on which it is Black's move.
    assert_eq!(
        found(
            mega,
            "1. <A2.e4 {[%illegal e5]} B2.e4 C2.e4 D2.e4 E2.e4 F2.e4 G2.e4 H2.e4> *"
        ),
        ["legal-attempt"]
    );
    assert_eq!(
        found(
            mega,
            "1. <A2.e4 {[%illegal C2.e4]} B2.e4 C2.e4 D2.e4 E2.e4 F2.e4 G2.e4 H2.e4> *"
        ),
        ["legal-attempt"]
    );
}

#[test]
fn at_actions_of_overchess() {
    let tags = "[Variant \"Overchess\"]\n[Rules \"consolidation\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1 d2=1P,e2=7P2R2N2B1Q - -\"]";
    let moves = "1. Kd1 Kd8";
    is_legal(tags, moves, "<consolidate d2: e2+P>");
    is_legal(tags, moves, "consolidate d2: e2+P");
    is_nothing(tags, moves, "<consolidate it>");
    loses(tags, moves, "<consolidate d1: e2+P>", "0-1");
    loses(tags, moves, "<consolidate d2: e2+Q>", "0-1");
}

#[test]
fn at_moves_before_which_plies_are_omitted() {
    let tags = "[Variant \"Overchess\"]\n[Rules \"prisoners\"]";
    let moves = "1. e4 d5 2. exd5 <d5: 1. e4 d5 2. exd5 1-0>";
    is_legal(tags, moves, "Nf6");
    loses(tags, moves, "Nf5", "1-0");
}

#[test]
fn on_linked_boards() {
    let tags = "[Variant \"StrategiChess\"]\n[Boards \"A:B\"]";
    is_legal(tags, "1A. e7", "e8");
    is_nothing(tags, "1A. e7", "clock");
}
