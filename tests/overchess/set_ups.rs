//! The set-ups of sub-games, as the FENs in their blocks give them (OV-4, OV-15, OV-40).

use crate::text;
use overboard_referee::finding::Severity;

/// The findings of a record that are not notes: the code and the rule of each.
fn found(tags: &str, moves: &str) -> Vec<(&'static str, Option<&'static str>)> {
    let record = format!("[Variant \"Overchess\"]\n{tags}\n\n{moves} *\n");
    let mut findings = text::judge(record.as_bytes()).remove(0).findings;
    findings.retain(|finding| finding.severity != Severity::Note);
    let short = |finding: &overboard_referee::finding::Finding| {
        (finding.code.id, finding.rule.map(|rule| rule.id))
    };
    findings.iter().map(short).collect()
}

/// The findings of a sub-game between complete sub-sets that begins from this FEN.
fn of_full_armies(rules: &str, fields: &str) -> Vec<(&'static str, Option<&'static str>)> {
    let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {fields}");
    let block = format!("<d5: [SetUp \"1\"] [FEN \"{fen}\"] 1. e4 1-0>");
    let rules = format!("[Rules \"{rules}\"]");
    found(&rules, &format!("1. e4 d5 2. exd5 {block} Nf6"))
}

#[test]
fn a_set_up_has_no_history_at_any_depth() {
    for (rules, rest) in [("illegal=2", ""), ("depth=2", " - - -")] {
        let with = |fields: &str| of_full_armies(rules, &format!("{fields}{rest}"));
        assert_eq!(with("w KQkq - 0 1"), []);
        for wrong in [
            "w KQkq e6 0 1",
            "w KQkq e3 0 1",
            "w KQkq - 149 1",
            "w KQkq - 0 30",
            "b KQkq - 0 1",
        ] {
            assert_eq!(
                with(wrong),
                [("illegal-move", Some("OV-4"))],
                "{rules}, {wrong}"
            );
        }
        assert_eq!(
            with("w Kkq - 0 1"),
            [("illegal-move", Some("OV-5"))],
            "{rules}"
        );
    }
}

#[test]
fn a_set_up_that_ends_the_sub_game_has_no_history_either() {
    let tags = "[SetUp \"1\"]\n[FEN \"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1 e4=1N,d5=0 - -\"]";
    let with = |fields: &str| {
        let fen = format!("4k3/8/8/8/8/8/8/1N2K3 {fields}");
        let block = format!("<d5: [SetUp \"1\"] [FEN \"{fen}\"] 1/2-1/2>");
        found(tags, &format!("1. exd5 {block} Ke7"))
    };
    assert_eq!(with("w - - 0 1"), []);
    for wrong in ["b - - 0 1", "w - e6 0 1", "w - - 9 1", "w - - 0 9"] {
        assert_eq!(with(wrong), [("illegal-move", Some("OV-4"))], "{wrong}");
    }
}

#[test]
fn an_individual_is_set_up_once() {
    let with = |sets: &str| of_full_armies("depth=2", &format!("w KQkq - 0 1 {sets} - -"));
    assert_eq!(with("a1:e2/h1,h1:e2/a1"), []);
    assert_eq!(with("a2:e2/a2,b2:e2/a2"), [("illegal-move", Some("OV-40"))]);
    assert_eq!(with("h1:e2/a1"), [("illegal-move", Some("OV-40"))]);
    assert_eq!(with("a7:d7/h2"), [("illegal-move", Some("OV-40"))]);
}

#[test]
fn kings_are_set_up_at_home_at_every_depth() {
    let fen = "rnbqkbnr/pppppppp/8/8/4K3/8/PPPPPPPP/RNBQ1BNR w kq - 0 1";
    for (rules, rest) in [("illegal=2", ""), ("depth=2", " - - -")] {
        let block = format!("<d5: [SetUp \"1\"] [FEN \"{fen}{rest}\"] 1-0>");
        let rules = format!("[Rules \"{rules}\"]");
        let found = found(&rules, &format!("1. e4 d5 2. exd5 {block} Nf6"));
        assert_eq!(found, [("illegal-move", Some("OV-4"))]);
    }
}

/// What is found in a sub-game that is dead at its set-up and has these tags.
fn dead(depth: &str, sets: &str, tags: &str) -> Vec<(&'static str, Option<&'static str>)> {
    let outer = format!(
        "[Rules \"{depth}\"]\n[WhiteLieutenants \"e4=Cy\"]\n[BlackLieutenants \"d5=Di\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1 {sets} - -\"]"
    );
    found(&outer, &format!("1. exd5 <d5: {tags} 1/2-1/2> Ke7 2. e5"))
}

#[test]
fn a_sub_game_dead_at_its_set_up_is_judged_like_any_other() {
    for (depth, sets, rest) in [
        ("illegal=2", "e4=0,d5=0", ""),
        ("depth=2", "e4:e2={},d5:d7={}", " - - -"),
    ] {
        let with = |tags: &str| dead(depth, sets, tags);
        let from = |fen: &str| with(&format!("[SetUp \"1\"] [FEN \"{fen}{rest}\"]"));
        assert_eq!(from("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), [], "{depth}");
        for (fen, rule) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "OV-3",
            ),
            ("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "OV-3"),
            ("4k3/8/8/8/8/8/8/3K4 w - - 0 1", "OV-4"),
            ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", "OV-4"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 3 1", "OV-4"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 7", "OV-4"),
        ] {
            assert_eq!(from(fen), [("illegal-move", Some(rule))], "{depth}, {fen}");
        }
        assert_eq!(with("[SetUp \"1\"] [FEN \"hello\"]"), [("bad-fen", None)]);
        assert_eq!(with("[SetUp \"1\"]"), [("setup-tag", None)]);
        assert_eq!(with("[Variant \"Olympic Chess\"]"), [("bad-rules", None)]);
        assert_eq!(with("[Rules \"edition=2025\"]"), [("bad-rules", None)]);
        assert_eq!(with("[White \"Cy\"] [Black \"Di\"]"), []);
        let stranger = ("not-entitled", Some("OV-13"));
        assert_eq!(
            with("[White \"Zoe\"] [Black \"Di\"]"),
            [stranger],
            "{depth}"
        );
        assert_eq!(
            with("[White \"Zoe\"] [Black \"Cy\"]"),
            [stranger; 2],
            "{depth}"
        );
    }
}

#[test]
fn roles_inside_a_dead_sub_game_are_judged() {
    let with = |tags: &str| dead("depth=2", "e4:e2={},d5:d7={}", tags);
    assert_eq!(with("[WhiteCommander \"Cy\"]"), []);
    assert_eq!(
        with("[WhiteLieutenants \"a2=Cy\"]"),
        [("bad-list", Some("OV-43"))]
    );
}

#[test]
fn players_of_a_dead_sub_game_are_judged_however_it_was_attacked() {
    let found = |fen: &str, who: &str, moves: &str| {
        let tags = format!("{who}\n[SetUp \"1\"]\n[FEN \"{fen}\"]");
        found(&tags, moves)
    };
    let stranger = ("not-entitled", Some("OV-13"));
    // En passant: the defender is the pawn on d5.
    let passing = found(
        "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1 e5=0,d7=0 - -",
        "[BlackLieutenants \"d7=Di\"]",
        "1... d5 2. exd6 <d6: [White \"Cy\"] [Black \"Zoe\"] 1/2-1/2> Ke7",
    );
    assert_eq!(passing, [stranger]);
    let under_fog = found(
        "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1 e4=0,d5=0 - -",
        "[Rules \"fog\"]\n[BlackLieutenants \"d5=Di\"]",
        "1. exd5 Ke7 <d5: [White \"Cy\"] [Black \"Zoe\"] 1/2-1/2> 2. Kd2",
    );
    assert_eq!(under_fog, [stranger]);
}
