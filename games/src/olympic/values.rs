//! Evaluation of Olympic Chess.

use crate::{
    olympic::Olympic,
    one_board::play::{BoardValues, advance, held, pieces},
};
use overboard_rules::{
    by_side::BySide,
    position::Explain,
    square::{Piece, Role, Side, Square},
};

impl BoardValues for Olympic {
    #[inline]
    fn worth(role: Role) -> i32 {
        match role {
            Role::Pawn => 100,
            Role::Silver => 450,
            Role::Gold => 500,
            Role::Bishop => 600,
            Role::Rook => 700,
            Role::King | Role::Knight | Role::Queen => 0,
        }
    }

    fn in_hand(&self, side: Side, role: Role) -> u8 {
        self.hand(side, role)
    }

    /// A piece in hand counts more than on the board, and one near the enemy king more than elsewhere.
    fn evaluate(&self) -> i32 {
        let kings = BySide::from_fn(|side| self.king(side));
        let place = |Piece { side, role }: Piece, square: Square| match (role, kings[side.other()])
        {
            (Role::King, _) | (_, None) => 0,
            (Role::Pawn, Some(_)) => 15 * advance(side, square, 5),
            (_, Some(king)) => 10 * (4 - i32::from(square.distance(king))),
        };
        pieces(self, |piece, square| {
            Self::worth(piece.role) + place(piece, square)
        }) + held(self, 11)
    }
}
