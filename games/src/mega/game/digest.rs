//! Digests of what repetition compares (MG-16).

use super::{Boards, Game};
use crate::{
    board8::board::squares,
    chess::Chess,
    mega::field::{Field, State},
};
use overboard_rules::{digest, path::DEEPEST, square::Side};
use std::sync::LazyLock;

/// The digest of the first position of each level.
static FIRST: LazyLock<[u128; DEEPEST + 1]> = LazyLock::new(|| {
    let mut first = [0; DEEPEST + 1];
    first[0] = Chess::default().repetition_digest();
    for level in 1..=DEEPEST {
        let game = Game::bare(level as u8, false, Field::start(), Side::White);
        let sum = squares(game.field.occupied())
            .filter_map(|at| Some(square_digest(game.word_at(at)?, first[level - 1])))
            .fold(0_u128, u128::wrapping_add);
        first[level] = game.digest_with(sum);
    }
    first
});

impl Game {
    /// A square, the mega-piece there and its state; `None` where there is none.
    pub(super) fn word_at(&self, at: u8) -> Option<(u64, State)> {
        let (piece, state) = (self.field.piece_at(at)?, self.field.state_at(at)?);
        let word = u64::from(at) << 16 | (piece.side as u64) << 12 | (piece.role as u64) << 8 | state as u64;
        Some((word, state))
    }

    pub(super) fn board_digest(&self, at: u8) -> u128 {
        let board = match &self.boards {
            Boards::Leaves(leaves) => leaves[usize::from(at)].as_ref().map(|leaf| leaf.key()),
            Boards::Games(games) => games[usize::from(at)].as_ref().map(|game| game.digest()),
        };
        board.unwrap_or_else(|| FIRST[usize::from(self.level) - 1])
    }

    pub(super) fn digest_at(&self, at: u8) -> u128 {
        self.word_at(at).map_or(0, |there| square_digest(there, self.board_digest(at)))
    }

    pub(in crate::mega) fn resum(&mut self) {
        self.sum = self.sum_of(self.field.occupied());
    }

    /// The digests of some squares, added up: what they are in the sum of all.
    pub(super) fn sum_of(&self, set: u64) -> u128 {
        squares(set).fold(0, |sum, at| sum.wrapping_add(self.digest_at(at)))
    }

    fn digest_with(&self, sum: u128) -> u128 {
        let rights = self.field.board.castling.iter().fold(0, |bits, right| bits << 1 | u64::from(*right));
        let en_passant = self.field.board.en_passant.map_or(64, u64::from);
        let rest = en_passant << 8 | rights << 1 | self.turn as u64;
        digest::of(&[rest, sum as u64, (sum >> 64) as u64])
    }

    /// The digest of what repetition compares (MG-16).
    pub fn digest(&self) -> u128 {
        self.digest_with(self.sum)
    }
}

/// The digest of a square and of the board there, which counts as long as it is played on.
#[inline]
pub(super) fn square_digest((word, state): (u64, State), board: u128) -> u128 {
    let board = if state == State::Neutral { board } else { 0 };
    digest::beside(word, board)
}
