//! Evaluation of `MetaChess` #4.

use crate::{
    chess::{Chess, values::place},
    metachess::Meta,
    one_board::play::BoardValues,
};
use overboard_rules::{
    position::Movegen,
    square::{Piece, Role, Side, Square},
};

impl BoardValues for Meta {
    #[inline]
    fn worth(role: Role) -> i32 {
        Chess::worth(role)
    }

    fn material(&self) -> i32 {
        on_both_levels(self, |piece, _, _| Self::worth(piece.role))
    }

    /// Pieces as in chess, but a piece that carries a rider counts less: a little less if its own side blocks it, much
    /// less if it is annexed.
    fn evaluate(&self) -> i32 {
        let has_queen = |side| self.board.count(Role::Queen, side) > 0;
        let queens = Side::BOTH.into_iter().any(has_queen);
        on_both_levels(self, |piece, square, rider| {
            let worth = Self::worth(piece.role);
            match rider {
                None => worth + place(piece, square, queens),
                Some(side) if side == piece.side => worth * 15 / 16,
                Some(_) => worth * 3 / 4,
            }
        })
    }
}

/// Sums `worth` over every piece on both levels, with its square and the side of its rider, from the side to
/// move's point of view.
fn on_both_levels(meta: &Meta, worth: impl Fn(Piece, Square, Option<Side>) -> i32) -> i32 {
    let of = |side| -> i32 {
        let of_role = |role| {
            let piece = Piece { side, role };
            meta.standing(piece)
                .map(|(square, rider)| worth(piece, square, rider))
                .sum::<i32>()
        };
        Role::OF_CHESS.iter().map(|role| of_role(*role)).sum()
    };
    of(meta.turn()) - of(meta.turn().other())
}
