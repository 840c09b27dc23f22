//! Positions in which several rules interact, and random positions that follow from them.

use crate::{chance::Chance, depth::tries};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

/// Positions in which several rules interact: castling under attack, pins, en passant that exposes a king,
/// promotions with a choice of captures, many officers of one kind. The first is the initial one; the
/// next five are the test positions of the chessprogramming wiki's page on perft.
pub const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "8/PPPPPPPP/4k3/8/8/4K3/pppppppp/8 w - - 0 1",
    "1r1b1n2/P1P1P1P1/7k/8/8/7K/p1p1p1p1/1R1B1N2 w - - 0 1",
    "1k6/8/8/Q2Q2Q1/8/8/Q2Q2Q1/3K4 w - - 0 1",
    "k7/8/2N1N3/1N3N2/3n4/1N3N2/2N1N3/K7 w - - 0 1",
    "k7/8/3R4/1R1q1R2/3K4/3B4/1B3B2/8 w - - 0 1",
    "8/8/8/KPpPpPpk/8/8/8/8 w - - 0 2",
    "8/8/8/k1pP3R/8/8/8/4K3 w - c6 0 2",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",
    "4k3/8/8/8/4pP2/8/8/2B1K3 b - f3 0 2",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "8/8/8/4k3/8/8/8/R3K3 w - - 140 120",
    "k7/P7/1K6/8/8/8/8/7R w - - 98 90",
];

/// Plays this number of games, or more in a deep run, with random legal moves from each start in turn, and visits every
/// position.
pub fn for_each_position(
    games: usize,
    longest: usize,
    chance: &mut Chance,
    mut visit: impl FnMut(&Chess),
) {
    for index in 0..tries(games) {
        let fen: Fen = STARTS[index % STARTS.len()].parse().expect("a FEN");
        let mut position: Chess = fen
            .into_position(CastlingMode::Standard)
            .expect("a position");
        for _ in 0..longest {
            visit(&position);
            let Some(m) = chance.pick(&position.legal_moves()) else {
                break;
            };
            position.play_unchecked(m);
        }
    }
}
