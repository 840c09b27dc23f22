//! How often a position has occurred in the game, by incremental Zobrist hash.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position};

/// The hashes of every position since the last irreversible move, newest last.
///
/// An en passant right distinguishes two positions only if the capture is legal, as the laws of chess require.
pub struct History {
    hashes: Vec<Zobrist64>,
}

impl History {
    /// An empty history; call [`History::start`] before the first move.
    pub fn new() -> History {
        History {
            hashes: Vec::with_capacity(256),
        }
    }

    /// Starts a new game with `position`.
    pub fn start(&mut self, position: &Chess) {
        self.hashes.clear();
        self.hashes.push(hash(position));
    }

    /// Plays the legal move `m`, and returns how often the resulting position has occurred,
    /// including now.
    pub fn play(&mut self, position: &mut Chess, m: Move) -> usize {
        let updated = self
            .hashes
            .last()
            .and_then(|&current| position.update_zobrist_hash(current, m, EnPassantMode::Legal));
        if position.is_irreversible(m) {
            self.hashes.clear();
        }
        position.play_unchecked(m);
        self.hashes.push(updated.unwrap_or_else(|| hash(position)));
        self.occurrences_of_last()
    }

    fn occurrences_of_last(&self) -> usize {
        let Some((last, earlier)) = self.hashes.split_last() else {
            return 0;
        };
        let same_side_to_move = earlier.iter().rev().skip(1).step_by(2);
        1 + same_side_to_move.filter(|hash| *hash == last).count()
    }
}

fn hash(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}
