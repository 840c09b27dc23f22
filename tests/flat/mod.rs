//! Helpers shared by the tests of every game on one board, for comparison with a naive model.

use overboard_games::one_board::{OneBoard, notation::BoardNotation};
use overboard_referee::game::position::PositionError;
use overboard_rules::{
    perft::perft,
    ply::{Pattern, Written},
    position::Found,
    refusal::{Reason, Refusal, opponent_could},
    riding::Riding,
    square::{Piece, Square},
};
use std::collections::BTreeSet;

/// The positions in a file: each FEN with its node counts from depth 1 on, as far as they are listed.
pub fn positions(file: &'static str) -> impl Iterator<Item = (&'static str, Vec<u64>)> {
    let lines = file
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let (fen, counts) = line.split_once('\t').unwrap();
        (
            fen,
            counts
                .split('\t')
                .filter(|count| *count != "-")
                .map(|count| count.parse().unwrap())
                .collect(),
        )
    })
}

/// Each position in a file has as many lines of play as the file says; returns the number of positions.
pub fn are_counted_alike<P: BoardNotation>(file: &'static str) -> usize {
    let count = |(fen, counts): (&str, Vec<u64>)| {
        let position = P::read(fen).unwrap().position;
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(
                perft(&OneBoard(position.clone()), depth),
                count,
                "depth {depth} of {fen}"
            );
        }
    };
    positions(file).map(count).count()
}

/// The legal moves.
pub fn listed<P: BoardNotation>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.legal_moves(|m| moves.push(m));
    moves
}

/// The move with these coordinates, which must exist.
pub fn at<P: BoardNotation>(position: &P, coordinates: &str) -> P::Move {
    position
        .at(coordinates)
        .unwrap_or_else(|| panic!("no {coordinates} in {}", position.fen()))
}

/// Exactly these moves are legal, given in coordinates and in order.
pub fn are_listed_alike<P: BoardNotation>(position: &P, moves: &[String]) {
    let mut list: Vec<_> = listed(position)
        .iter()
        .map(|m| position.coordinates(*m).to_string())
        .collect();
    list.sort();
    assert_eq!(list, moves, "{}", position.fen());
    assert_eq!(
        position.count_legal(),
        moves.len() as u64,
        "{}",
        position.fen()
    );
    assert_eq!(
        position.has_legal_move(),
        !moves.is_empty(),
        "{}",
        position.fen()
    );
}

/// These moves, given in coordinates, are written as `san` writes them, and all differently.
pub fn are_written_alike<P: BoardNotation>(
    position: &P,
    moves: &[String],
    san: impl Fn(&str) -> String,
) {
    let mut texts = BTreeSet::new();
    for coordinates in moves {
        let text = san(coordinates);
        assert_eq!(
            position.san(at(position, coordinates)).as_str(),
            text,
            "{coordinates} in {}",
            position.fen()
        );
        texts.insert(text);
    }
    assert_eq!(texts.len(), moves.len(), "{}", position.fen());
}

/// Whether a move names its square of origin, and only the opponent has a piece of that kind there: whose piece it is
/// comes before everything else (GEN-1).
fn names_the_opponents<P: BoardNotation>(position: &P, pattern: &Pattern) -> bool {
    let (Some(file), Some(rank)) = (pattern.file, pattern.rank) else {
        return false;
    };
    let stands = |side| {
        let role = pattern.role;
        let mut squares = position.squares_of(Piece { side, role });
        squares.any(|on| on == Square::new(file, rank))
    };
    let side = position.turn();
    stands(side.other()) && !stands(side)
}

/// The rule against a move to a square occupied by the mover's own piece: a capture that only the opponent could make
/// is made out of turn.
pub fn rule_of_own_piece<P: BoardNotation>(position: &P, pattern: &Pattern) -> &'static str {
    if pattern.capture && opponent_could(position, pattern) {
        "CH-1"
    } else {
        "CH-2"
    }
}

/// The written move is resolved if it means exactly one legal move, given in coordinates; otherwise it is refused, and
/// this is the refusal, unless it is for whose piece the move names.
pub fn refusal<P: BoardNotation>(
    position: &P,
    written: &Written,
    meant: &[&str],
) -> Option<Refusal> {
    let at = || format!("{written:?} in {}", position.fen());
    let refusal = Refusal::of(position, written);
    match (position.find(written), meant) {
        (Found::One(m), [coordinates]) => {
            assert_eq!(position.coordinates(m).as_str(), *coordinates, "{}", at());
            assert_eq!(refusal, None, "{}", at());
            None
        }
        (Found::None, []) | (Found::Several, [_, _, ..]) => {
            let refusal = refusal.unwrap_or_else(|| panic!("{} is not refused", at()));
            let words = refusal.to_string();
            assert!(
                !words.is_empty() && words.trim() == words && !words.contains("  "),
                "{}: {words:?}",
                at()
            );
            // A rider is in the way of the piece under it, whoever has the turn.
            let is_ridden = matches!(refusal.reason(), Reason::Riding(Riding::Ridden(_)));
            let is_theirs =
                matches!(written, Written::Move(pattern) if names_the_opponents(position, pattern));
            if position.end_by_itself().is_some() || is_ridden || !is_theirs {
                return Some(refusal);
            }
            assert_eq!(refusal.reason(), &Reason::WrongSide, "{}", at());
            None
        }
        (found, _) => panic!("{}: {found:?}, of {} meant", at(), meant.len()),
    }
}

/// The position of a FEN that a game can lead to, and whether its form was lenient.
pub fn read<P: BoardNotation>(fen: &str) -> Result<(P, bool), PositionError> {
    let read = P::read(fen)?;
    if read.doubts.is_empty() {
        Ok((read.position, read.lenient))
    } else {
        let reasons = read.doubts.into_iter().map(|doubt| doubt.why);
        Err(PositionError::Impossible(reasons.collect()))
    }
}
