//! Perft: counts legal move sequences (GEN-6).

use crate::game::Game;
use std::ops::ControlFlow;

/// The number of sequences of exactly `depth` legal plies, on any boards; saturates at `u64::MAX`. Mate and stalemate
/// end a sequence; draws by repetition, by count or by dead position do not. The last ply is counted, not played.
///
/// ```
/// use overboard_games::{chess::Chess, one_board::OneBoard};
/// use overboard_rules::perft::perft;
///
/// assert_eq!(perft(&OneBoard(Chess::default()), 3), 8_902);
/// ```
#[must_use]
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.count_legal(),
        _ => {
            let mut lines = 0_u64;
            let _ = game.legal(|ply| {
                lines = lines.saturating_add(perft_after(game, ply, depth - 1));
                ControlFlow::Continue(())
            });
            lines
        }
    }
}

/// The number of sequences of exactly `depth` plies after a legal ply. At depth 0 the ply is not played.
pub fn perft_after<G: Game>(game: &G, ply: G::Ply, depth: u32) -> u64 {
    if depth == 0 {
        1
    } else {
        perft(&game.after(ply), depth)
    }
}

/// The numbers of sequences of `depth` plies by first ply, in no particular order; empty at depth 0.
pub fn divide<G: Game>(game: &G, depth: u32) -> Vec<(G::Ply, u64)> {
    let mut lines = Vec::new();
    if depth > 0 {
        let _ = game.legal(|ply| {
            lines.push((ply, perft_after(game, ply, depth - 1)));
            ControlFlow::Continue(())
        });
    }
    lines
}
