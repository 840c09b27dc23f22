//! Evaluation of Olympic Chess.

use crate::{
    olympic::Olympic,
    one_board::play::{BoardValues, advance, pieces},
};
use overboard_rules::{
    by_side::BySide,
    position::{Explain, Movegen},
    square::{Piece, Role, Square},
};

const KINDS: [Role; 6] = [
    Role::Pawn,
    Role::Silver,
    Role::Gold,
    Role::Bishop,
    Role::Rook,
    Role::King,
];

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

    fn material(&self) -> i32 {
        pieces(self, &KINDS[..5], |piece, _| Self::worth(piece.role)) + held(self, 10)
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
        pieces(self, &KINDS, |piece, square| {
            Self::worth(piece.role) + place(piece, square)
        }) + held(self, 11)
    }
}

/// The value of the pieces in hand for the side to move, in tenths of their value on the board.
fn held(olympic: &Olympic, tenths: i32) -> i32 {
    let of = |side| -> i32 {
        KINDS[..5]
            .iter()
            .map(|role| i32::from(olympic.hand(side, *role)) * Olympic::worth(*role))
            .sum()
    };
    (of(olympic.turn()) - of(olympic.turn().other())) * tenths / 10
}
