//! The pieces on the board and in hand, and which arrangements of them are positions.

use super::{
    Olympic,
    attacks::{self, Bitboard},
};
use crate::one_board::holding;
use overboard_rules::{
    setup::{Impossible, playable},
    square::{Piece, Role, Side},
};

/// The kinds of pieces that can be in hand, in the order in which a hand counts them.
pub const HAND: [Role; 5] = [
    Role::Rook,
    Role::Bishop,
    Role::Gold,
    Role::Silver,
    Role::Pawn,
];

/// The index of a role in a hand; `None` for one that is never in hand.
#[inline]
pub(super) const fn hand_index(role: Role) -> Option<usize> {
    Some(match role {
        Role::Rook => 0,
        Role::Bishop => 1,
        Role::Gold => 2,
        Role::Silver => 3,
        Role::Pawn => 4,
        Role::Knight | Role::Queen | Role::King => return None,
    })
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardPiece {
    /// Its side, and its kind; a promoted pawn is still a pawn here.
    pub piece: Piece,
    /// Whether it has been promoted, so that it moves as a gold until it is captured (OC-5, OC-7).
    pub promoted: bool,
}

impl Olympic {
    /// This position, and what says that no game leads to it.
    ///
    /// # Errors
    /// Every reason why it is no position, if there is one for which the rules do not say how it is played: a missing
    /// king or too many, a pawn where it would have been promoted (OC-5), more pieces of a kind than squares.
    pub(super) fn possible(self) -> Result<(Self, Vec<Impossible>), Vec<Impossible>> {
        let pieces = &self.pieces;
        let kings = Side::BOTH.map(|side| pieces.king(side).count_ones());
        let arrived = |side| pieces.pawns(side) & attacks::last_rank(side);
        let reasons = holding([
            (kings.contains(&0), Impossible::MissingKing),
            (
                kings.iter().any(|kings| *kings > 1),
                Impossible::TooManyKings,
            ),
            (
                arrived(Side::White) | arrived(Side::Black) != 0,
                Impossible::PawnOnItsLastRank,
            ),
            (
                (0..HAND.len()).any(|kind| pieces.count(kind) > 25),
                Impossible::TooManyOfOneKind,
            ),
            (self.can_be_taken(), Impossible::OppositeCheck),
        ]);
        playable(reasons).map(|doubts| (self, doubts))
    }

    /// Whether the side to move attacks the other side's king.
    fn can_be_taken(&self) -> bool {
        let occupied = self.pieces.occupied();
        Bitboard(self.pieces.king(self.turn.other()))
            .any(|king| self.pieces.attackers(king, self.turn, occupied) != 0)
    }
}
