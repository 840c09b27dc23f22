//! What games with pockets add to chess: drops, and any number of pieces of a kind.
//!
//! The library's list of moves has room for those of chess. Where a side may have more queens than in chess, its moves are
//! taken from the sets of `pick` instead.

use super::{ChessBy, ChessLaws, Move, attacks, role_from, role_to, square_to};
use overboard_rules::square::{Role, Square};
use shakmaty::{Bitboard, Position as _};

impl Move {
    /// The drop of a piece on a square; `None` if chess has no such piece.
    #[must_use]
    pub fn drop(role: Role, to: Square) -> Option<Self> {
        let (role, to) = (role_to(role)?, square_to(to));
        Some(Self(shakmaty::Move::Put { role, to }))
    }

    /// The kind of piece that is dropped; `None` for a move on the board.
    #[must_use]
    #[inline]
    pub const fn dropped(self) -> Option<Role> {
        match self.0 {
            shakmaty::Move::Put { role, .. } => Some(role_from(role)),
            _ => None,
        }
    }
}

impl<L: ChessLaws> ChessBy<L> {
    /// The position in a game that never asks for the library's list, whatever the number of its pieces.
    pub fn unlisted(self) -> Self {
        Self {
            is_crowded: false,
            ..self
        }
    }

    /// The number of pieces on the board.
    #[inline]
    pub fn pieces(&self) -> usize {
        self.position.board().occupied().count()
    }

    /// Whether a right to castle is lost by a move.
    #[inline]
    pub fn gives_up_castling(&self, Move(m): Move) -> bool {
        match m {
            shakmaty::Move::Castle { .. } => true,
            shakmaty::Move::Normal { role, from, to, .. } => {
                let rights = self.position.castles().castling_rights();
                self.loses_rights(role, from) || rights.contains(to)
            }
            _ => false,
        }
    }

    /// The empty squares on which a piece of the side to move leaves its king safe; bit 0 is `a1`.
    #[inline]
    pub fn drop_squares(&self) -> u64 {
        let board = self.position.board();
        let empty = !board.occupied();
        if self.checkers.is_empty() {
            return empty.0;
        }
        match (
            self.checkers.single_square(),
            board.king_of(self.position.turn()),
        ) {
            (Some(checker), Some(king)) => attacks::between(checker, king).0,
            // Nothing can be put between a king and two attackers.
            _ => Bitboard::EMPTY.0,
        }
    }
}
