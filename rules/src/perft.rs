//! Counting lines of play (GEN-6).

use crate::position::Position;

/// How many lines of exactly `depth` legal plies there are. Mate and stalemate end a line; draws by
/// repetition, by count or by dead position do not. The last ply is counted, not played.
#[must_use]
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal(),
        _ => {
            let mut lines = 0;
            position.for_each_legal(|m| lines += perft(&position.after(m), depth - 1));
            lines
        }
    }
}

/// The lines of `depth` plies behind each legal ply, in no particular order; none at depth 0.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(P::Move, u64)> {
    let mut lines = Vec::new();
    if depth > 0 {
        position.for_each_legal(|m| lines.push((m, perft(&position.after(m), depth - 1))));
    }
    lines
}
