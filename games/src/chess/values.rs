//! Evaluation of orthodox chess.

use crate::{
    chess::{ChessBy, ChessLaws},
    one_board::play::{BoardValues, advance, any_has, centrality, pieces},
};
use overboard_rules::square::{Piece, Role, Square};

impl<L: ChessLaws> BoardValues for ChessBy<L> {
    #[inline]
    fn worth(role: Role) -> i32 {
        match role {
            Role::Pawn => 100,
            Role::Knight => 320,
            Role::Bishop => 330,
            Role::Rook => 500,
            Role::Queen => 900,
            Role::King | Role::Silver | Role::Gold => 0,
        }
    }

    fn material(&self) -> i32 {
        pieces(self, &Role::OF_CHESS[..5], |piece, _| {
            Self::worth(piece.role)
        })
    }

    fn evaluate(&self) -> i32 {
        let queens = any_has(self, Role::Queen);
        pieces(self, &Role::OF_CHESS, |piece, square| {
            Self::worth(piece.role) + place(piece, square, queens)
        })
    }
}

/// The value of a chess piece's place.
#[inline]
pub(crate) fn place(Piece { side, role }: Piece, square: Square, queens: bool) -> i32 {
    let (advance, centre) = (advance(side, square, 8), centrality(square, 8, 8));
    match role {
        Role::Pawn => {
            advance * advance
                + if matches!(square.file, 2..=5) {
                    3 * advance
                } else {
                    0
                }
        }
        Role::Knight => 8 * centre - 30,
        Role::Bishop => 4 * centre - 10,
        Role::Rook => i32::from(advance == 6) * 20 + i32::from(matches!(square.file, 2..=5)) * 5,
        Role::Queen => centre,
        Role::King if queens => -12 * advance - 6 * centre,
        Role::King => 8 * centre,
        Role::Silver | Role::Gold => 0,
    }
}
