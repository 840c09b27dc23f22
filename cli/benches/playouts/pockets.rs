//! Random games of Crazyhouse on the library that knows it.

use super::reference::Chance;
use shakmaty::{Position, variant::Crazyhouse};

/// Plays random games of Crazyhouse until one side is mated or cannot move; returns their plies. A board of Bughouse that is
/// played for itself costs as much a ply.
pub fn playouts(games: u64) -> u64 {
    let mut chance = Chance::new();
    let mut plies = 0;
    for _ in 0..games {
        let mut game = Crazyhouse::default();
        loop {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play_unchecked(moves[chance.below(moves.len())]);
            plies += 1;
        }
    }
    plies
}
