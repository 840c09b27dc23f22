use crate::depth::tries;
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::overchess::*;
use overboard_referee::{
    self as referee,
    game::{notation::Notation as _, position::ReadPosition},
    report::Report,
};
use overboard_rules::{game::Game as _, outcome::Outcome, square::Side};

mod levels;

fn judged(rules: &str, moves: &str) -> Report {
    let text = format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[Variant \"Overchess\"]\n{}\n{moves} *\n",
        if rules.is_empty() {
            String::new()
        } else {
            format!("[Rules \"{rules}\"]\n")
        }
    );
    let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
    overboard_games::referee::AnyReferee::new(referee::Options::default())
        .judge(&mut parser)
        .unwrap()
        .unwrap()
}

/// The rules and messages of the findings.
fn reported(rules: &str, moves: &str) -> Vec<String> {
    let report = judged(rules, moves);
    report
        .findings
        .iter()
        .map(|finding| {
            format!(
                "{} {}: {}",
                finding.code.id,
                finding.rule.map_or("-", |rule| rule.id),
                finding.message.as_it_came()
            )
        })
        .collect()
}

const CLEAN: [&str; 0] = [];
const EXCHANGE: &str = "1. e4 d5 2. exd5 <d5: 1. e4 d5 2. exd5 Qxd5 1/2-1/2>";

#[test]
fn sub_games_are_judged_to_their_end() {
    let mate = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#";
    assert_eq!(
        reported("", &format!("1. e4 d5 2. exd5 <d5: {mate} 1-0> Nf6")),
        CLEAN
    );
    assert_eq!(
        reported("", &format!("1. e4 d5 2. exd5 <d5: {mate} 0-1> Nf6"))[0],
        "wrong-result OV-16: the result is 1-0 by checkmate, but 0-1 is recorded"
    );
    assert_eq!(reported("", "1. e4 d5 2. exd5 <d5: 1-0> Nf6"), CLEAN);
    assert!(reported("", "1. e4 d5 2. exd5 Nf6")[0].starts_with("open-ply OV-2"));
    assert!(reported("", "1. e4 <e4: 1-0> d5")[0].starts_with("illegal-move OV-2"));
    assert!(reported("", "1. e4 d5 2. exd5 <e5: 1-0> Nf6")[0].starts_with("illegal-move OV-2:"));
    assert_eq!(
        reported("", "1. e4 d5 2. exd5 <d5: 1. e4 Nf5 1-0> Nf6")[0],
        "illegal-move CH-8: over-move 2, sub-game d5, move 1... Nf5 is illegal: no black knight can move to f5 from b8 or g8"
    );
}

#[test]
fn set_ups_are_compared_with_the_rosters_piece_by_piece() {
    let second = |fen: &str| {
        reported(
            "",
            &format!("{EXCHANGE} 2... dxe4 <e4: [SetUp \"1\"] [FEN \"{fen}\"] 1-0> 3. Nf3"),
        )
    };
    assert_eq!(
        second("rnbqkbnr/ppppppp1/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"),
        CLEAN
    );
    assert_eq!(
        second("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        [
            "illegal-move OV-3: over-move 2, sub-game e4: the set-up is illegal: the attacker's set-up holds 8 pawns, not 7"
        ]
    );
    assert!(second("rnbqkbnr/ppppppp1/8/8/8/8/PPPP1PPP/RNBQKBNR w KQq - 0 1")[0].contains("OV-5"));
    assert!(
        second("rnbqkbnr/ppppppp1/8/8/8/P7/PPPP2PP/RNBQKBNR w KQkq - 0 1")[0]
            .contains("does not start on a3")
    );
    let without = reported("", &format!("{EXCHANGE} 2... dxe4 <e4: 1. d4 1-0> 3. Nf3"));
    assert!(
        without[0].contains("there is no FEN with its set-up"),
        "{without:?}"
    );
}

#[test]
fn actions_are_judged_and_may_be_left_out() {
    let won = EXCHANGE.replace("1/2-1/2", "1-0");
    assert_eq!(
        reported("prisoners", &format!("{won} <prisoners P> 2... Nf6")),
        CLEAN
    );
    assert_eq!(reported("prisoners", &format!("{won} 2... Nf6")), CLEAN);
    assert!(reported("", &format!("{won} <prisoners P> 2... Nf6"))[0].contains("OV-21"));
    assert!(reported("prisoners", &format!("{won} <prisoners 2P> 2... Nf6"))[0].contains("OV-20"));
    let spares = "reserves=team/2P";
    assert_eq!(
        reported(
            spares,
            &format!("{EXCHANGE} <reserve e4: P> <reserve d5: P> 2... Nf6")
        ),
        CLEAN
    );
    assert_eq!(
        reported(
            spares,
            &format!("{EXCHANGE} 2... Nf6 3. <reserve e4: P> e5")
        ),
        CLEAN
    );
    assert!(
        reported(
            spares,
            &format!("{EXCHANGE} 2... Nf6 3. <reserve e4: P> Nf3")
        )[0]
        .contains("OV-25")
    );
    assert_eq!(
        reported("consolidation", "1. e4 e5 2. <consolidate a2> Nf6"),
        CLEAN
    );
    assert_eq!(
        reported(
            "consolidation",
            "1. <consolidate a2> Nf6 2. Nf3 {So far.} 2... e5"
        ),
        CLEAN
    );
    assert!(reported("", "1. e4 e5 2. <consolidate a2> Nf6")[0].contains("OV-22"));
    assert_eq!(
        reported(
            "consolidation",
            &format!("{EXCHANGE} 2... <consolidate a7: d5+P> 3. Nf3")
        ),
        CLEAN
    );
    assert_eq!(
        reported(
            "consolidation",
            &format!("{EXCHANGE} 2... <consolidate a7> 3. Nf3")
        ),
        CLEAN
    );
}

#[test]
fn under_fog_the_sub_game_is_recorded_one_over_move_later() {
    assert_eq!(
        reported("fog", "1. e4 d5 2. exd5 Nf6 <d5: 1. e4 1-0> 3. Nf3"),
        CLEAN
    );
    assert!(reported("fog", "1. e4 d5 2. exd5 Qxd5 <d5: 1-0> 3. Nf3")[0].contains("OV-30"));
    assert!(reported("fog", "1. e4 d5 2. exd5 <d5: 1-0> Nf6")[0].contains("OV-30"));
}

/// Random play that attacks where possible; every position is written and read back.
#[test]
fn positions_are_read_as_they_are_written() {
    let mut state = 11_u64;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for rules in [
        "",
        "fog:subdraw=both",
        "prisoners:consolidation:reserves=team/2P1N/3P",
        "fog:prisoners:consolidation:reserves=set/1P/1N1P:subdraw=defender",
    ] {
        for _ in 0..tries(4) {
            let mut over = Over::first(1, options(rules));
            for _ in 0..250 {
                let text = over.fen();
                let ReadPosition {
                    position: read,
                    lenient,
                    ..
                } = read(&text, 1, over.rules()).unwrap_or_else(|why| panic!("{text}: {why}"));
                assert_eq!((read.fen(), lenient), (text.clone(), false));
                let mut plies = Vec::new();
                over.legal_moves(|ply| plies.push(ply));
                let mut again = Vec::new();
                read.legal_moves(|ply| again.push(ply));
                assert_eq!(plies, again, "{text}");
                if plies.is_empty() || over.end_by_itself().is_some() {
                    assert!(over.end_by_itself().is_some(), "{text}");
                    break;
                }
                let attacks: Vec<_> = plies
                    .iter()
                    .copied()
                    .filter(|ply| matches!(ply, Ply::Over(m) if over.current().attacks(*m)))
                    .collect();
                let from = if attacks.is_empty() { &plies } else { &attacks };
                let ply = from[next(from.len())];
                assert_eq!(over.by_coordinates(&over.coordinates(ply)), Some(ply));
                over.play(ply);
                if matches!(over.due(), Due::Sub(_)) && next(9) == 0 {
                    let outcomes = [
                        Outcome::Win(Side::White),
                        Outcome::Win(Side::Black),
                        Outcome::Draw,
                    ];
                    over.conclude(0, outcomes[next(3)]);
                }
            }
        }
    }
}

#[test]
fn texts_other_than_positions_are_refused() {
    let head = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
    for (text, word) in [
        ("", "nine fields"),
        ("8/8/8/8/8/8/8/8 w - - 0 1 - - -", "no over-king"),
        (&format!("{head} d5=9P - -"), "more than a complete one"),
        (
            &format!("{head} - e4xd5:p - {{e5: setup w}}"),
            "nothing that can be open",
        ),
        (
            &format!("{head} - e4xd5:p - {{d5: setup w}}"),
            "only one set-up",
        ),
        (&format!("{head} - - 1P/1P"), "not of the kind"),
        (
            &format!("{head} - - - {{settle d5}}"),
            "nothing is to be settled",
        ),
        (&format!("{head} - e4xd5 -"), "contested square is written"),
    ] {
        let why = read(text, 1, Options::default()).unwrap_err().to_string();
        assert!(why.contains(word), "{text}: {why}");
    }
    let deep = format!("{head} - - - {}", "{".repeat(100_000));
    assert!(read(&deep, 1, Options::default()).is_err());
}

#[test]
fn an_act_that_was_broken_off_is_judged_as_far_as_it_went() {
    let found = |moves: &str| reported("consolidation", &format!("{EXCHANGE} {moves} *"));
    for right in [
        "{[%begun consolidate a7]}",
        "dxe4 {[%begun e4.setup PPPPPPP1/RNBQKBNR]}",
    ] {
        assert_eq!(found(right), Vec::<String>::new(), "{right}");
    }
    let illegal = found("{[%begun consolidate a7 give b7 P]}");
    assert_eq!(illegal.len(), 1, "{illegal:?}");
    assert!(illegal[0].contains("`give b7 P`"), "{illegal:?}");
    // What is finished is written as an act.
    for finished in [
        "1. d4 {[%begun consolidate a7 done]}",
        "1. d4 {[%begun d7d5]}",
        "1. d4 {[%begun]}",
    ] {
        let found = reported("consolidation", finished);
        assert!(found[0].contains("invalid arguments"), "{found:?}");
    }
    // Nothing can be played before it is finished.
    let found = found("{[%begun consolidate a7]} dxe4");
    assert!(!found.is_empty());
}
