//! Whether a side can still mate: published positions, and what judges make of them.

use crate::{depth::tries, parallel::in_parallel};
use overboard_formats::{limits::Limits, parse::Parser, san::MoveText};
use overboard_games::{
    chess::{
        Chess,
        winnable::{NODES, Never, Winnable},
    },
    one_board::notation::BoardNotation,
    referee::AnyReferee,
};
use overboard_referee::{Options, finding::Verdict};
use overboard_rules::{outcome::Prospect, position::Movegen, square::Side};
use shakmaty::{CastlingMode, Color, Position as _};

mod exhaustive;
mod play;

/// A position, and whether White and Black can mate in it.
struct Published {
    fen: String,
    can_mate: [bool; 2],
}

/// Positions that were made to be hard.
fn published() -> Vec<Published> {
    read(include_str!("winnable/positions.txt"))
}

fn read(table: &str) -> Vec<Published> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (marks, fen) = line.split_once(' ').expect("marks and a position");
            let fields: Vec<_> = fen.split_whitespace().chain(["-", "-"]).take(4).collect();
            Published {
                fen: format!("{} 0 1", fields.join(" ")),
                can_mate: [marks.starts_with('W'), marks.ends_with('B')],
            }
        })
        .collect()
}

fn position(fen: &str) -> Option<Chess> {
    Some(Chess::read(fen).ok()?.position)
}

const SIDES: [Side; 2] = [Side::White, Side::Black];

/// What is searched here for one answer: enough for nineteen of twenty positions.
const FEW: u32 = 3_000;

#[test]
fn published_positions_are_answered_right() {
    let nodes = if tries(1) > 1 { NODES } else { FEW };
    let questions = published();
    assert_eq!(questions.len(), 1_803);
    let answers = in_parallel(&questions, |question| {
        let Some(position) = position(&question.fen) else {
            return [None, None];
        };
        SIDES.map(|side| Some(position.winnable(side, Some(nodes))))
    });
    let mut undecided = 0;
    for (question, answers) in questions.iter().zip(answers) {
        for (can_mate, answer) in question.can_mate.into_iter().zip(answers) {
            match answer.expect("a position") {
                Winnable::By(_) | Winnable::Surely => assert!(can_mate, "{}", question.fen),
                Winnable::Never(_) => assert!(!can_mate, "{}", question.fen),
                Winnable::Undecided => undecided += 1,
            }
        }
    }
    let allowed = if nodes == NODES { 36 } else { 650 };
    assert!(undecided < allowed, "{undecided} of 3,606 are undecided");
}

#[test]
fn judges_presume_a_mate_only_where_there_is_one() {
    let questions = published();
    in_parallel(&questions, |question| {
        let Some(position) = position(&question.fen) else {
            return;
        };
        for (side, can_mate) in SIDES.into_iter().zip(question.can_mate) {
            if position.winnable(side, Some(FEW)) == Winnable::Undecided {
                continue;
            }
            let expected = if can_mate {
                Prospect::Open
            } else {
                Prospect::Never
            };
            assert_eq!(
                position.prospect(side),
                expected,
                "{side}: {}",
                question.fen
            );
        }
    });
}

#[test]
fn ends_of_real_games_are_answered_right() {
    let questions = read(include_str!("winnable/ends.txt"));
    assert_eq!(questions.len(), 1_000);
    in_parallel(&questions, |question| {
        let position = position(&question.fen).expect("a position of chess");
        for (side, can_mate) in SIDES.into_iter().zip(question.can_mate) {
            let is_open = position.prospect(side) == Prospect::Open;
            assert_eq!(is_open, can_mate, "{side}: {}", question.fen);
        }
    });
}

#[test]
fn the_moves_that_are_named_end_in_mate() {
    let questions = published();
    let mates = in_parallel(&questions, |question| {
        let Some(position) = position(&question.fen) else {
            return 0;
        };
        let mut mates = 0;
        for side in SIDES {
            if let Winnable::By(line) = position.winnable(side, Some(FEW)) {
                assert_eq!(mated(&question.fen, &line), Some(side), "{}", question.fen);
                mates += 1;
            }
        }
        mates
    });
    assert!(mates.into_iter().sum::<usize>() > 1_100);
}

/// Who has mated after these moves, by another program's rules.
fn mated(fen: &str, moves: &[MoveText]) -> Option<Side> {
    let mut position = theirs(fen)?;
    for name in moves {
        let uci: shakmaty::uci::UciMove = name.parse().ok()?;
        position = position.clone().play(uci.to_move(&position).ok()?).ok()?;
    }
    let side = match position.turn() {
        Color::White => Side::Black,
        Color::Black => Side::White,
    };
    position.is_checkmate().then_some(side)
}

fn theirs(fen: &str) -> Option<shakmaty::Chess> {
    let fen: shakmaty::fen::Fen = fen.parse().ok()?;
    let made = fen.into_position(CastlingMode::Standard);
    made.or_else(shakmaty::PositionError::ignore_too_much_material)
        .ok()
}

fn verdict(text: &str) -> Verdict {
    let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
    let mut referee = AnyReferee::new(Options::default());
    let report = referee.judge(&mut parser).expect("text");
    report.expect("a record").verdict
}

#[test]
fn a_flag_falls_as_the_position_says() {
    let questions: Vec<_> = published().into_iter().step_by(4).collect();
    in_parallel(&questions, |question| {
        let Some(position) = position(&question.fen) else {
            return;
        };
        // Mate, stalemate and dead positions come before the flag.
        if !position.has_legal_move() || question.can_mate == [false, false] {
            return;
        }
        for (side, can_mate) in SIDES.into_iter().zip(question.can_mate) {
            if position.winnable(side, Some(FEW)) == Winnable::Undecided {
                continue;
            }
            let loser = if side == Side::White { 'B' } else { 'W' };
            let win = if side == Side::White { "1-0" } else { "0-1" };
            let right = if can_mate { win } else { "1/2-1/2" };
            let wrong = if can_mate { "1/2-1/2" } else { win };
            let text = |result| {
                format!(
                    "[FEN \"{}\"]\n\n{{[%flag {loser}]}} {result}\n",
                    question.fen
                )
            };
            assert_eq!(verdict(&text(right)), Verdict::Clean, "{}", text(right));
            assert_eq!(
                verdict(&text(wrong)),
                Verdict::WrongResult,
                "{}",
                text(wrong)
            );
        }
    });
}

#[test]
fn nothing_is_played_in_a_dead_position() {
    let questions = published();
    let dead = in_parallel(&questions, |question| {
        let Some(position) = position(&question.fen) else {
            return 0;
        };
        let is_decided = |side| position.winnable(side, Some(FEW)) != Winnable::Undecided;
        let is_dead = question.can_mate == [false, false];
        // Moves of bare kings tell an electronic board the result.
        if !is_dead
            || position.is_bare()
            || !position.has_legal_move()
            || !SIDES.into_iter().all(is_decided)
        {
            return 0;
        }
        let m = position.moves_in_order()[0];
        let turn = if position.turn() == Side::White {
            "1."
        } else {
            "1..."
        };
        let san = position.san(m);
        let text = format!(
            "[FEN \"{}\"]\n\n{turn} {} 1/2-1/2\n",
            question.fen,
            san.as_str()
        );
        assert_eq!(verdict(&text), Verdict::Illegal, "{text}");
        let drawn = format!("[FEN \"{}\"]\n\n1/2-1/2\n", question.fen);
        assert_eq!(verdict(&drawn), Verdict::Clean, "{drawn}");
        1
    });
    assert!(dead.into_iter().sum::<usize>() > 500);
}

#[test]
fn what_keeps_the_men_apart_is_named() {
    let fen = "8/8/2k5/p1p1p1p1/P1P1P1P1/2K5/8/8 w - - 0 1";
    let position = position(fen).expect("a position");
    let Winnable::Never(Never::Walls(wall)) = position.winnable(Side::White, Some(FEW)) else {
        panic!("a wall");
    };
    assert_eq!(wall.fixed.len(), 8);
    assert!(wall.reach.iter().all(|square| square.rank >= 4), "{wall:?}");
}
