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

/// Where several play for a team, each answers for what they did themselves.
#[test]
fn each_player_of_a_team_has_attempts_of_their_own() {
    let remedies = |tags: &str, moves: &str| -> Vec<(String, String)> {
        let report = report(tags, moves);
        let remedies = report
            .findings
            .into_iter()
            .filter_map(|finding| finding.remedy);
        remedies
            .map(|remedy| (remedy.sources(), remedy.text))
            .collect()
    };
    let names = |white: &str| format!("[White \"{white}\"]\n[Black \"Di:Ed\"]");
    let linked = "[Variant \"StrategiChess\"]\n[Boards \"A:B\"]";
    let two = remedies(
        &format!("{linked}\n{}", names("Ann:Bob")),
        "1A. Ke9 1B. Ke9 *",
    );
    assert_eq!(two.len(), 2);
    assert!(
        two.iter()
            .all(|(_, text)| text.contains("give Black two minutes")),
        "{two:?}"
    );
    let one = remedies(
        &format!("{linked}\n{}", names("Ann:Ann")),
        "1A. Ke9 1B. Ke9 *",
    );
    assert_eq!(one[1].0, "SC-37");
    assert!(
        one[1]
            .1
            .contains("White on board B has made 2 illegal moves"),
        "{one:?}"
    );
    // White on A and White on B are opponents in Bughouse.
    let bughouse = "[Variant \"Bughouse\"]";
    let two = remedies(bughouse, "1A. e4 {[%illegal W A.Ke3]} 1B. Ke3 *");
    assert!(two[0].1.contains("give Black two minutes"), "{two:?}");
    let second = remedies(bughouse, "1A. e4 1a. e5 {[%illegal W A.Ke3]} 2A. Ke3 *");
    assert_eq!(second[0].0, "BH-5");
    assert!(
        second[0]
            .1
            .contains("White on board A has made 2 illegal moves"),
        "{second:?}"
    );
    // A clock may rise by what the opponent's attempt gave it, and the remedy says what it then shows.
    let clocks = "1A. e4 {[%clk 0:02:00]} 1a. e5 {[%clk 0:03:00]} 2A. d4 {[%clk 0:01:50]} {[%illegal B A.Ke6]} 2a. d6 {[%clk 0:02:50]} 3A. d5 {[%clk 0:03:40]} *";
    assert_eq!(found(bughouse, clocks), [""; 0]);
    let sets = remedies(
        bughouse,
        "1A. e4 {[%clk 0:02:00]} 1a. e5 {[%clk 0:03:00]} 2A. Ke3 *",
    );
    assert!(
        sets[0].1.contains("Black's clock is set to 0:05:00"),
        "{sets:?}"
    );
}
