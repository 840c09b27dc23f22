//! Records of one board: numbers without letters, and claims.

use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::referee::AnyReferee;
use overboard_referee::Options;

/// The kind of each finding on a record with these tags, its rule, and its message.
fn judged(tags: &str, moves: &str) -> Vec<(&'static str, &'static str, String)> {
    let roster = "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.05.12\"]\n[Round \"-\"]\n[White \"A:B\"]\n[Black \"C:D\"]\n";
    let text = format!("{roster}[Result \"*\"]\n[Variant \"StrategiChess\"]\n{tags}\n{moves} *\n");
    let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
    let report = AnyReferee::new(Options::default())
        .judge(&mut parser)
        .unwrap()
        .unwrap();
    let reported = report.findings.into_iter();
    reported
        .map(|found| {
            (
                found.code.id,
                found.rule.map_or("", |rule| rule.id),
                found.message.as_it_came().to_owned(),
            )
        })
        .collect()
}

#[test]
fn records_of_one_board_have_no_letters() {
    assert_eq!(judged("", "1. f7 a8 2. fg7 ab8 3. g8 Nd10 4. 8g7"), []);
    assert_eq!(
        judged("", "1. f7 a8 2. g7").first().map(|found| found.1),
        Some("CH-20")
    );
    assert_eq!(
        judged("", "1. f7 a8 2. e5 O-O")
            .first()
            .map(|found| found.1),
        Some("SC-9")
    );
    assert_eq!(judged("[Boards \"A:B\"]\n", "1A. f7 1B. e7"), []);
    let tag = judged("", "1A. f7").remove(0).2;
    assert!(
        tag.contains("it needs the tag Boards with more than one board, such as [Boards \"A:B\"]"),
        "{tag}"
    );
}

#[test]
fn claims_count_captures_only() {
    let fen = "7k6/14/14/14/14/14/14/14/14/14/4P9/7K6/14/R13 w E 97 90";
    let tags = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    let [early] = &judged(&tags, "90. e7 Kg14 {[%claim fifty]}")[..] else {
        panic!("one finding")
    };
    assert_eq!((early.0, early.1), ("wrong-claim", "SC-11"));
    assert_eq!(
        early.2,
        "the claim is not correct: 99 plies without capture, not 100"
    );
    let right = judged(&tags, "90. e7 Kg14 91. e8 {[%claim fifty]}");
    assert_eq!(
        right.last().map(|found| (found.0, found.1)),
        Some(("wrong-result", "SC-11"))
    );
}
