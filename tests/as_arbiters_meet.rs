//! Clocks, results and numbers as arbiters meet them in records from elsewhere.

use crate::text::{judge, judge_sheets, judge_with};
use overboard_referee::Options;
use overboard_referee::finding::Severity;

/// The kinds of the findings of a record other than notes, or with them.
fn found(record: &str, notes: bool) -> Vec<&'static str> {
    let reports = judge(record.as_bytes());
    let findings = reports.into_iter().flat_map(|report| report.findings);
    findings
        .filter(|finding| notes || finding.severity > Severity::Note)
        .map(|finding| finding.code.id)
        .collect()
}

fn assert_found(cases: &[(&str, &[&str])]) {
    for (record, expected) in cases {
        assert_eq!(found(record, false), *expected, "{record}");
    }
}

const FOOLS: &str = "1. f3 e5 2. g4 Qh4#";

#[test]
fn an_open_result_after_the_end_is_a_note() {
    for moves in [
        FOOLS,
        "[Variant \"Overchess\"] 1. e4 d5 2. exd5 <d5: 1. f3 e5 2. g4 Qh4# *> c6",
    ] {
        let record = format!("{moves} *");
        assert_found(&[(&record, &[])]);
        assert!(found(&record, true).contains(&"unknown-result"), "{record}");
    }
    // Where a player is said to have resigned, it contradicts that.
    assert_found(&[("1. e4 {[%resign B]} *", &["wrong-result"])]);
}

#[test]
fn a_draw_on_time_is_no_error_by_a_guess() {
    let tag = |moves: &str| format!("[Termination \"time forfeit\"] {moves} 1/2-1/2");
    assert_found(&[(&tag("1. e4 e5"), &["termination"])]);
    let alone = "[SetUp \"1\"] [FEN \"4k2r/8/8/8/8/8/8/4K3 w - - 0 1\"] 1. Kd2";
    assert_found(&[(&tag(alone), &[])]);
}

#[test]
fn the_tag_termination_is_held_against_the_end() {
    let said = |tag: &str, moves: &str| {
        let names = "[White \"Ann\"] [Black \"Ben\"]";
        found(&format!("{names} [Termination \"{tag}\"] {moves}"), false)
    };
    let right: &[&str] = &[];
    for (tag, moves) in [
        ("Ben won by checkmate", FOOLS),
        ("Ben won by resignation", "1. e4 e5"),
        ("Ben won on time", "1. e4 e5"),
        ("Ben won - game abandoned", "1. e4 e5"),
        ("normal", FOOLS),
        ("adjudication", FOOLS),
    ] {
        assert_eq!(said(tag, &format!("{moves} 0-1")), right, "{tag}");
    }
    for (tag, moves) in [
        ("Game drawn by agreement", "1. e4 e5"),
        (
            "Game drawn by repetition",
            "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8",
        ),
    ] {
        assert_eq!(said(tag, &format!("{moves} 1/2-1/2")), right, "{tag}");
    }
    for (tag, moves) in [
        ("time forfeit", "1. f3 e5 2. g4 Qh4# 0-1"),
        ("Ann won by checkmate", "1. f3 e5 2. g4 Qh4# 0-1"),
        ("Ben won by resignation", "1. f3 e5 2. g4 Qh4# 0-1"),
        ("Ann won on time", "1. e4 e5 0-1"),
        ("Ben won by checkmate", "1. e4 e5 0-1"),
        ("Ben won by resignation", "1. e4 e5 1/2-1/2"),
        ("Game drawn by agreement", "1. e4 e5 0-1"),
        ("Game drawn by repetition", "1. e4 e5 1/2-1/2"),
        ("Game drawn by 50-move rule", "1. e4 e5 1/2-1/2"),
        ("Game drawn by stalemate", "1. e4 e5 1/2-1/2"),
    ] {
        assert_eq!(said(tag, moves), ["termination"], "{tag}");
    }
    assert_eq!(said("by lot", "1. e4 e5 0-1"), ["tag-value"]);
    // A name that is neither player's says nothing.
    assert_eq!(said("ann_1990 won by resignation", "1. e4 e5 0-1"), right);
}

#[test]
fn clocks_are_held_against_the_time_control() {
    let clocks = |control: &str, moves: &str| {
        found(&format!("[TimeControl \"{control}\"] {moves} *"), false)
    };
    let right: &[&str] = &[];
    let first = |clock: &str| format!("1. e4 {{[%clk {clock}]}}");
    assert_eq!(clocks("600", &first("0:10:00")), right);
    assert_eq!(clocks("600", &first("0:15:50")), ["clock-rises"]);
    assert_eq!(clocks("600+5", &first("0:10:05")), right);
    assert_eq!(clocks("40/7200:3600", &first("2:10:00")), ["clock-rises"]);
    assert_eq!(clocks("*180", &first("0:04:00")), right);
    // A first reading may come late, and a game may begin in its middle.
    let late = "1. e4 e5 2. Nf3 Nc6 3. Bc4 {[%clk 0:10:15]}";
    assert_eq!(clocks("600+5", late), right);
    let middle = "[SetUp \"1\"] [FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 40\"] 40. Rh2 {[%clk 0:12:00]}";
    assert_eq!(clocks("600+5", middle), right);
    // An illegal attempt gives the other side time.
    let attempt = |side: &str| {
        format!(
            "1. e4 {{[%clk 0:09:50]}} 1... e5 {{[%clk 0:09:50]}} {{[%illegal {side} Nd4]}} 2. Nf3 {{[%clk 0:11:45]}}"
        )
    };
    assert_eq!(clocks("600", &attempt("B")), right);
    assert_eq!(clocks("600", &attempt("W")), ["clock-rises"]);
    assert_eq!(
        found("1. e4 e5 2. Nf3 {[%clk 0:00:00]} 1-0", false),
        ["winner-out-of-time"]
    );
    assert_eq!(
        found("1. f3 e5 2. g4 Qh4# {[%clk 0:00:00]} 0-1", false),
        right
    );
}

#[test]
fn a_draw_does_not_rest_on_a_claim_of_anything() {
    assert_found(&[
        (
            "1. e4 e5 {[%claim foo]} 1/2-1/2",
            &["bad-command", "wrong-result"],
        ),
        ("1. e4 e5 {[%claim foo]} 2. Nf3 1/2-1/2", &["bad-command"]),
    ]);
}

#[test]
fn a_number_left_out_is_reported_once() {
    let numbered = |numbers: &[u32]| {
        let plies = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let moves = numbers.iter().zip(0..).map(|(number, nth)| {
            let [white, black] = [plies[nth % 2 * 2], plies[nth % 2 * 2 + 1]];
            format!("{number}. {white} {black} ")
        });
        found(&(moves.collect::<String>() + "*"), false)
    };
    assert_eq!(numbered(&[1, 2, 4, 5, 6, 7]), ["move-number"]);
    assert_eq!(
        numbered(&[1, 2, 4, 5, 7, 8]),
        ["move-number", "move-number"]
    );
    assert_eq!(numbered(&[1, 2, 9, 4, 5, 6]), ["move-number"]);
    assert_eq!(numbered(&[1, 9, 3, 11, 5]), ["move-number", "move-number"]);
    // On linked boards each counts for itself.
    let linked = "[Variant \"StrategiChess\"] [Boards \"A:B\"] 1A. e7 1B. e7 1a. e9 1b. e9 3A. h6 2B. h6 3a. h9 2b. h9 4A. k6 *";
    assert_eq!(found(linked, false), ["move-number"]);
}

#[test]
fn tags_with_slips_are_reported() {
    for (tag, is_right) in [
        ("[WhiteElo \"2700\"]", true),
        ("[WhiteElo \"27000\"]", false),
        ("[ECO \"B90\"]", true),
        ("[ECO \"B90a\"]", true),
        ("[ECO \"B9O\"]", false),
        ("[ECO \"F10\"]", false),
        ("[ECO \"?\"]", true),
    ] {
        let kinds = found(&format!("{tag} 1. e4 *"), false);
        assert_eq!(kinds.is_empty(), is_right, "{tag}: {kinds:?}");
    }
}

/// The kinds of findings other than notes of a record in bytes.
fn found_in(record: &[u8]) -> Vec<&'static str> {
    let findings = judge(record).into_iter().flat_map(|report| report.findings);
    findings
        .filter(|finding| finding.severity > Severity::Note)
        .map(|finding| finding.code.id)
        .collect()
}

#[test]
fn each_odd_spelling_is_read_with_one_warning() {
    for (record, expected) in [
        ("1. e4 e5 1/2–1/2", "result-form"),
        ("1. e4 e5 ½—½", "result-form"),
        ("1. e4 e5 1:0", "result-form"),
        ("1. e4 e5 0:0", "result-form"),
        ("[result \"1-0\"] 1. e4 e5 1-0", "tag-name"),
        ("1.\u{a0}e4 e5\u{a0}2.\u{a0}Nf3 *", "odd-blank"),
        ("1. e4\u{2009}e5 *", "odd-blank"),
        ("1. e4 e6 2. e5 d5 3. exd6e.p. *", "en-passant-mark"),
        ("1. e4 d5 2. exd5ep *", "en-passant-mark"),
        ("1. e4 d5 2. ed *", "short-capture"),
        ("1. e4 d5 2. exd *", "short-capture"),
        ("1. e4 d5 2. e:d5 *", "capture-form"),
        ("1. Nf3 e5 2. N:e5 *", "capture-form"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. OO *", "castling-form"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O–O *", "castling-form"),
        ("1. e4 e5 2. Sf3 Sc6 3. Lb5 *", "piece-letters"),
        ("1. e4 e5 2. Re2 Re7 3. Cf3 *", "piece-letters"),
    ] {
        assert_found(&[(record, &[expected])]);
    }
    assert_eq!(
        found_in(b"1. e4\xa0e5 \xbd-\xbd"),
        ["odd-blank", "result-form"]
    );
    // What an arbiter may give is no odd spelling.
    assert_found(&[("1. e4 e5 1/2-0", &[]), ("1. e4 e5 0-1/2", &[])]);
    // Two pawns could capture so, so the word is not read.
    let two = "[SetUp \"1\"] [FEN \"4k3/8/3p4/4P3/3p4/4P3/8/4K3 w - - 0 1\"] 1. ed *";
    assert_found(&[(two, &["bad-ply"])]);
}

#[test]
fn a_last_0_0_is_what_the_position_and_the_tag_say() {
    const OPEN: &str = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5";
    let lost = format!("[Result \"0-0\"] {OPEN} 0-0");
    assert_found(&[("1. e4 e5 0-0", &[]), (&lost, &[])]);
    let castles = format!("{OPEN} 0-0");
    assert_found(&[(&castles, &["castling-form", "missing-result"])]);
    assert!(found(&castles, true).contains(&"castling-or-result"));
    // Before another record as well as at the end, and not where more follows.
    let two = format!("{lost}\n\n[Event \"2\"]\n\n1. e4 *");
    let more = format!("{OPEN} 0-0 4... d6 *");
    assert_found(&[(&two, &[]), (&more, &["castling-form"])]);
    assert_found(&[("1. f3 e5 2. g4 Qh4# 0-0", &["wrong-result"])]);
}

#[test]
fn a_wrong_claim_binds_to_the_move_announced() {
    let claim = "1. Nf3 Nf6 {[%claim threefold Ng1]}";
    for (rest, expected) in [
        ("2. Ng1 *", &["wrong-claim"][..]),
        ("2. d4 *", &["wrong-claim", "announced-move"]),
    ] {
        assert_found(&[(&format!("{claim} {rest}"), expected)]);
    }
    assert_found(&[(
        "1. Nf3 Nf6 {[%claim threefold Ng8]} 2. d4 *",
        &["wrong-claim"],
    )]);
    assert_found(&[
        ("1. e4 e5 {[%claim B threefold]} *", &["wrong-claim"]),
        ("1. e4 e5 {[%claim W threefold]} *", &["wrong-claim"]),
    ]);
}

#[test]
fn claims_say_what_they_rest_on() {
    let message = |record: &str, kind: &str| {
        let report = judge(record.as_bytes()).remove(0);
        let mut findings = report.findings.into_iter();
        let found = findings.find(|finding| finding.code.id == kind);
        found.expect(kind).message.as_it_came().to_string()
    };
    let twice = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    let right = message(
        &format!("{twice} {{[%claim threefold]}} 1/2-1/2"),
        "right-claim",
    );
    assert!(
        right.contains("the third time: at the start, after 2... and after 4... (rnbqkbnr/"),
        "{right}"
    );
    let with_move = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 {[%claim threefold Ng8]} 1/2-1/2";
    let right = message(with_move, "right-claim");
    assert!(
        right.contains("at the start, after 2... and after the move intended"),
        "{right}"
    );
    let wrong = message(
        "1. Nf3 Nf6 2. Ng1 Ng8 {[%claim threefold]} *",
        "wrong-claim",
    );
    assert!(
        wrong.ends_with("the second time, not the third: at the start and after 2..."),
        "{wrong}"
    );
}

#[test]
fn kings_that_show_a_board_the_result_are_no_illegal_moves() {
    let bare = "[SetUp \"1\"] [FEN \"8/8/8/3k4/3P4/8/8/4K3 b - - 0 50\"] 50... Kxd4";
    for (rest, expected) in [
        ("51. Ke2 Ke4 52. Kf2 1/2-1/2", &["after-end"][..]),
        // No king can go there: it was put there.
        ("51. Ke8 1/2-1/2", &["after-end"]),
        ("51. e4 1/2-1/2", &["move-after-end"]),
    ] {
        assert_found(&[(&format!("{bare} {rest}"), expected)]);
    }
}

/// What the arbiter does, in the three kinds of games, from the articles as they are written.
#[test]
fn findings_say_what_the_arbiter_does() {
    let remedy = |record: &str| {
        let report = judge(record.as_bytes()).remove(0);
        let mut findings = report.findings.into_iter();
        findings
            .find_map(|finding| finding.remedy)
            .expect("a remedy")
    };
    let illegal = |control: &str| {
        remedy(&format!(
            "[TimeControl \"{control}\"] 1. e4 {{[%clk 0:09:00]}} 1... e5 {{[%clk 0:08:00]}} 2. Ke3 Nf6 *"
        ))
    };
    for (control, seconds, articles) in [
        ("5400+30", 120, "FIDE 7.5.1, 7.5.5"),
        ("900+10", 60, "FIDE A.3, A.5.2"),
        ("600", 60, "FIDE B.3, A.3, A.5.2"),
    ] {
        let remedy = illegal(control);
        let given = remedy.given.expect("time");
        assert_eq!((given.seconds, given.clock), (seconds, Some(480 + seconds)));
        assert_eq!(remedy.sources(), articles, "{control}");
    }
    let supervised = |control: &str| {
        let text = format!("[TimeControl \"{control}\"] 1. e4 e5 2. Ke3 Nf6 *");
        let options = Options {
            supervised: true,
            ..Options::default()
        };
        let report = judge_with(text.as_bytes(), options).remove(0);
        let mut findings = report.findings.into_iter();
        let remedy = findings
            .find_map(|finding| finding.remedy)
            .expect("a remedy");
        (remedy.given.expect("time").seconds, remedy.sources())
    };
    assert_eq!(
        supervised("900+10"),
        (60, "FIDE A.4, 7.5.1, 7.5.5, A.3".into())
    );
    assert_eq!(supervised("180+2"), (120, "FIDE B.2, 7.5.1, 7.5.5".into()));
    let unpromoted = remedy(
        "[TimeControl \"900+10\"] [SetUp \"1\"] [FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"] 1. a8 *",
    );
    assert!(
        unpromoted.text.contains("put a queen in its place"),
        "{}",
        unpromoted.text
    );
    assert_eq!(unpromoted.sources(), "FIDE 7.5.2, 7.5.5, A.3");
    // A pawn that cannot go there is no such case.
    let blocked = remedy("[SetUp \"1\"] [FEN \"r6k/P7/8/8/8/8/8/K7 w - - 0 1\"] 1. a8 *");
    assert_eq!(blocked.sources(), "FIDE 7.5.1, 7.5.5, A.5.2");
    let second = remedy("1. e4 e5 {[%illegal Ke3]} 2. Ke3 *");
    assert!(second.text.contains("loses the game"), "{}", second.text);
    assert_eq!(second.sources(), "FIDE 7.5.5");
    let claim = remedy("1. e4 e5 {[%claim threefold]} *");
    assert_eq!(
        claim.given.map(|given| given.side.to_string()),
        Some("Black".into())
    );
    assert_eq!(claim.sources(), "FIDE 9.5.3");
    // Words that could be two moves are a fault of the record, and nobody loses by a second one.
    let unclear = remedy("[Rules \"illegal=2\"] 1. d4 d5 {[%illegal Ke3]} 2. Nf3 Nf6 3. Nd2 *");
    assert_eq!(
        (unclear.by, unclear.given),
        (None, None),
        "{}",
        unclear.text
    );
    assert_eq!(unclear.sources(), "FIDE 8.1.1, C.10");
    let other = remedy("[Variant \"Olympic Chess\"] 1. Ka5 *");
    assert_eq!(other.sources(), "FIDE 7.5.1, 7.5.5, A.5.2, by analogy");
}

#[test]
fn a_person_who_plays_both_sides_is_named() {
    let of = |white: &str, black: &str| {
        found(
            &format!("[White \"{white}\"] [Black \"{black}\"] 1. e4 *"),
            false,
        )
    };
    assert_eq!(of("Doe, Ann", "Doe, Ann"), ["one-name"]);
    for [white, black] in [["Doe, Ann", "Doe, Ben"], ["random", "random"], ["?", "?"]] {
        assert_eq!(of(white, black), [""; 0], "{white}");
    }
}

/// The sub-game has the last word of the match, but the result is missing on the sheet of the over-game.
#[test]
fn a_missing_result_is_reported_where_it_is_missing() {
    let sheets = "[GameId \"1\"]\n[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5\n\n[Parent \"1/2w.d5\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";
    let reports = judge_sheets(sheets.as_bytes(), Options::default());
    let codes = reports.iter().map(|report| {
        let weighty =
            |finding: &&overboard_referee::finding::Finding| finding.severity > Severity::Note;
        let found = report.findings.iter().filter(weighty);
        found.map(|finding| finding.code.id).collect::<Vec<_>>()
    });
    assert_eq!(codes.collect::<Vec<_>>(), [vec!["missing-result"], vec![]]);
}
