//! Hashes of what repetition compares (MG-16).

use super::{Boards, Game};
use crate::{
    board8::board::squares,
    chess::Chess,
    mega::mega_board::{MegaBoard, State},
};
use overboard_rules::{
    hash,
    path::DEEPEST,
    square::{Role, Side},
};
use std::sync::LazyLock;

/// The hash of the initial position of each level.
static FIRST: LazyLock<[u128; DEEPEST + 1]> = LazyLock::new(|| {
    let mut first = [0; DEEPEST + 1];
    first[0] = Chess::default().repetition_hash();
    for level in 1..=DEEPEST {
        let game = Game::bare(level as u8, false, MegaBoard::start(), Side::White);
        let mut sum = 0_u128;
        for at in squares(game.field.occupied()) {
            if let Some(there) = game.word_at(at) {
                sum = sum.wrapping_add(square_hash(there, first[level - 1]));
            }
        }
        first[level] = game.hash_with(sum);
    }
    first
});

impl Game {
    /// A square, the mega-piece on it and its state; `None` if there is none.
    ///
    /// Computed from all sets, since in random play a branch on the right one would be unpredictable.
    pub(super) fn word_at(&self, at: u8) -> Option<(u64, State)> {
        let has = |set: u64| set >> (at & 63) & 1;
        if has(self.field.occupied()) == 0 {
            return None;
        }
        let number = |sum: u64, (number, set): (u64, u64)| sum | (number * has(set));
        let roles = Role::OF_CHESS.map(|role| (role as u64, self.field.kind(role)));
        let states = State::ALL.map(|state| (state as u64, self.field.with(state)));
        let (role, state) = (
            roles.into_iter().fold(0, number),
            states.into_iter().fold(0, number),
        );
        let side = Side::Black as u64 * has(self.field.of(Side::Black));
        Some((
            u64::from(at) << 16 | side << 12 | role << 8 | state,
            State::ALL[(state & 3) as usize],
        ))
    }

    pub(super) fn board_hash(&self, at: u8) -> u128 {
        let board = match &self.boards {
            Boards::Leaves(leaves) => leaves[usize::from(at)].as_ref().map(|leaf| leaf.key()),
            Boards::Games(games) => games[usize::from(at)]
                .as_ref()
                .map(|game| game.position_hash()),
        };
        board.unwrap_or_else(|| FIRST[usize::from(self.level) - 1])
    }

    pub(super) fn hash_at(&self, at: u8) -> u128 {
        self.word_at(at)
            .map_or(0, |there| square_hash(there, self.board_hash(at)))
    }

    pub(in crate::mega) fn resum(&mut self) {
        self.sum = self.sum_of(self.field.occupied());
    }

    /// The sum of the hashes of some squares: their share in the sum of all.
    pub(super) fn sum_of(&self, set: u64) -> u128 {
        squares(set).fold(0, |sum, at| sum.wrapping_add(self.hash_at(at)))
    }

    fn hash_with(&self, sum: u128) -> u128 {
        let rights = self
            .field
            .board
            .castling
            .iter()
            .fold(0, |bits, right| bits << 1 | u64::from(*right));
        let en_passant = self.field.board.en_passant.map_or(64, u64::from);
        let rest = en_passant << 8 | rights << 1 | self.turn as u64;
        hash::of(&[rest, sum as u64, (sum >> 64) as u64])
    }

    /// The hash of what repetition compares (MG-16).
    pub fn position_hash(&self) -> u128 {
        self.hash_with(self.sum)
    }
}

/// The hash of a square and of its board; the board counts only while it is in play.
#[inline]
pub(super) fn square_hash((word, state): (u64, State), board: u128) -> u128 {
    let board = if state == State::Neutral { board } else { 0 };
    hash::beside(word, board)
}
