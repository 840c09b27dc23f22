//! Evaluation of `StrategiChess` on one board.

use crate::{
    one_board::play::{BoardValues, any_has, centrality, pieces},
    strategichess::Strategi,
};
use overboard_rules::{
    by_side::BySide,
    position::Explain,
    square::{Piece, Role, Square},
};

impl BoardValues for Strategi {
    const LONG_GAME: u32 = 5_000;

    #[inline]
    fn worth(role: Role) -> i32 {
        match role {
            Role::Pawn => 100,
            Role::Knight => 250,
            Role::Bishop => 400,
            Role::Rook => 650,
            Role::Queen => 1100,
            Role::King | Role::Silver | Role::Gold => 0,
        }
    }

    fn material(&self) -> i32 {
        pieces(self, &Role::OF_CHESS[..5], |piece, _| {
            Self::worth(piece.role)
        })
    }

    /// Pieces are better in the centre, the more so the shorter their reach, and near the enemy king; a king is better
    /// at the edge while there are queens. Pawns do not promote, so an advanced one is not worth more.
    fn evaluate(&self) -> i32 {
        let kings = BySide::from_fn(|side| self.king(side));
        let queens = any_has(self, Role::Queen);
        let place = |Piece { side, role }: Piece, square: Square| {
            let centre = centrality(square, 14, 14);
            let near = kings[side.other()].map_or(0, |king| 13 - i32::from(square.distance(king)));
            match role {
                Role::Pawn => 2 * centre,
                Role::Knight => 8 * centre + 4 * near,
                Role::Bishop => 4 * centre + 2 * near,
                Role::Rook | Role::Queen => centre + 3 * near,
                Role::King if queens => -6 * centre,
                Role::King => 4 * centre,
                Role::Silver | Role::Gold => 0,
            }
        };
        pieces(self, &Role::OF_CHESS, |piece, square| {
            Self::worth(piece.role) + place(piece, square)
        })
    }
}
