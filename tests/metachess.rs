//! MetaChess #4, judged against the naive model and by counts made by hand.

#![allow(clippy::unwrap_used)]

mod chance;
#[path = "naive/metachess.rs"]
mod naive;
mod text;

use chance::Chance;
use naive::Naive;
use overboard_formats::{
    line::History,
    notation::{Notation, Unusable},
    report::Report,
    san::{META, San, Spelt, Suffix},
};
use overboard_rules::{
    metachess::{Meta, Move},
    outcome::{Cause, Outcome},
    perft::perft,
    ply::{Arrival, Pattern, Wing, Written},
    position::{Found, Position},
    refusal::{Reason, Refusal},
    square::{Piece, Role, Side, Square},
};
use std::collections::{BTreeSet, HashMap};

/// The array of regular chess.
const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The positions of the file: each FEN with its counts at depths 1 to 3 as far as they were made.
fn positions() -> impl Iterator<Item = (&'static str, Vec<u64>)> {
    let lines = include_str!("naive/positions/metachess.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let (fen, counts) = line.split_once('\t').unwrap();
        (fen, counts.split('\t').filter(|count| *count != "-").map(|count| count.parse().unwrap()).collect())
    })
}

/// Where games start from: the array every other time, else the positions of the file in turn, without
/// those in which nothing can be played.
fn starts() -> impl Iterator<Item = &'static str> {
    let playable: Vec<_> =
        positions().filter(|(_, counts)| counts[0] > 0).flat_map(|(fen, _)| [ARRAY, fen]).collect();
    playable.into_iter().cycle()
}

fn ours(fen: &str) -> Meta {
    Meta::read(fen).unwrap_or_else(|fault| panic!("{fen}: {fault}")).0
}

fn listed(position: &Meta) -> Vec<Move> {
    let mut moves = Vec::new();
    position.for_each_legal(|m| moves.push(m));
    moves
}

/// The move of these coordinates, which is there.
fn at(position: &Meta, coordinates: &str) -> Move {
    position.at(coordinates).unwrap_or_else(|| panic!("no {coordinates} in {}", position.fen()))
}

#[test]
fn lines_are_counted_as_the_naive_model_counts_them() {
    let mut all = 0;
    for (fen, counts) in positions() {
        let position = ours(fen);
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth), count, "depth {depth} of {fen}");
        }
        all += 1;
    }
    assert!(all > 60, "{all}");
}

/// How a position stands, in the words of the naive model.
fn status(position: &Meta) -> &'static str {
    let ending = position.ending().map(|ruling| (ruling.cause, ruling.outcome, ruling.rule.id));
    match (ending, position.in_check()) {
        (Some((Cause::Checkmate, Outcome::Win(winner), "MC-13")), true) if winner != position.turn() => {
            "mate"
        }
        (Some((Cause::Stalemate, Outcome::Draw, "MC-13")), false) => "stalemate",
        (Some((Cause::DeadPosition, Outcome::Draw, "MC-13")), _) => "dead",
        (Some((Cause::SeventyFiveMoves, Outcome::Draw, "MC-13")), _) => "seventyfive",
        (None, true) => "check",
        (None, false) => "ongoing",
        (other, check) => panic!("{other:?} and check {check} in {}", position.fen()),
    }
}

/// Every move of a position is written as the naive model writes it, and no two alike.
fn are_written_alike(ours: &Meta, theirs: &Naive, moves: &[String]) {
    let mut texts = BTreeSet::new();
    for coordinates in moves {
        let san = theirs.san(coordinates);
        assert_eq!(ours.san(at(ours, coordinates)).as_str(), san, "{coordinates} in {}", theirs.fen());
        texts.insert(san);
    }
    assert_eq!(texts.len(), moves.len(), "{}", theirs.fen());
}

const GAMES: usize = 70;
const LONGEST: usize = 80;

#[test]
fn random_games_are_played_alike() {
    let mut chance = Chance::seeded(41);
    let mut ends: HashMap<_, u32> = HashMap::new();
    let (mut seen, mut stacked) = (0, 0);
    for start in starts().take(GAMES) {
        let (mut ours, mut theirs) = (ours(start), Naive::parse(start));
        for ply in 0..=LONGEST {
            let moves = theirs.moves();
            let mut list: Vec<_> = listed(&ours).iter().map(|m| ours.coordinates(*m).to_string()).collect();
            list.sort();
            assert_eq!(list, moves, "{}", theirs.fen());
            assert_eq!(ours.count_legal(), moves.len() as u64, "{}", theirs.fen());
            assert_eq!(ours.has_legal_move(), !moves.is_empty(), "{}", theirs.fen());
            assert_eq!(ours.fen(), theirs.fen());
            assert_eq!(ours.in_check(), theirs.in_check(), "{}", theirs.fen());
            let status = status(&ours);
            assert_eq!(status, theirs.status(), "{}", theirs.fen());
            seen += 1;
            stacked += usize::from(theirs.stacks() >= 3);
            if moves.is_empty() || ply == LONGEST {
                *ends.entry(status).or_default() += 1;
                break;
            }
            // Up as often as not, so that stacks come and go.
            let up: Vec<_> = moves.iter().filter(|text| text.ends_with('^')).collect();
            let chosen = match chance.pick(&up) {
                Some(up) if chance.below(3) == 0 => up,
                _ => &moves[chance.below(moves.len())],
            };
            let written = if chance.below(30) == 0 { &moves[..] } else { std::slice::from_ref(chosen) };
            are_written_alike(&ours, &theirs, written);
            ours.play(at(&ours, chosen));
            theirs = theirs.play(chosen);
        }
    }
    assert!(seen > 3_000 && stacked > 1_000, "{stacked} of {seen}");
    assert!(["mate", "check", "ongoing"].iter().all(|end| ends.contains_key(end)), "{ends:?}");
}
