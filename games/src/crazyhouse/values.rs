//! Evaluation of Crazyhouse.

use super::{Agreed, CrazyhouseBy, HELD};
use crate::{
    chess::values::place,
    crazyhouse::notation::CrazyhouseLaws,
    one_board::play::{BoardValues, any_has, pieces},
};
use overboard_referee::game::play::{Tags, admits_listed};
use overboard_rules::{
    by_side::BySide,
    position::{Explain, Movegen},
    square::{Piece, Role},
    variant::RuleOption,
};

impl<L: CrazyhouseLaws> BoardValues for CrazyhouseBy<L> {
    /// Nearer to each other than in chess: whatever is captured comes back, and short pieces are good droppers.
    #[inline]
    fn worth(role: Role) -> i32 {
        match role {
            Role::Pawn => 100,
            Role::Knight => 220,
            Role::Bishop => 240,
            Role::Rook => 280,
            Role::Queen => 500,
            Role::King | Role::Silver | Role::Gold => 0,
        }
    }

    fn material(&self) -> i32 {
        pieces(self, &Role::OF_CHESS[..5], |piece, _| {
            Self::worth(piece.role)
        }) + held(self, 10)
    }

    /// A piece in the pocket counts more than on the board, and one near the enemy king more than elsewhere.
    fn evaluate(&self) -> i32 {
        let queens = any_has(self, Role::Queen);
        let kings = BySide::from_fn(|side| self.king(side));
        let near = |piece: Piece, square| match (piece.role, kings[piece.side.other()]) {
            (Role::King | Role::Pawn, _) | (_, None) => 0,
            (_, Some(king)) => 6 * (7 - i32::from(king.distance(square))),
        };
        pieces(self, &Role::OF_CHESS, |piece, square| {
            Self::worth(piece.role) + place(piece, square, queens) + near(piece, square)
        }) + held(self, 11)
    }

    fn agreed(tags: Tags<'_>) -> Agreed {
        let mut items = tags.rules.split(':').map(RuleOption::split);
        Agreed {
            flag_always_loses: items.any(|item| item == ("flag", Some("always"))),
        }
    }

    fn admits(rules: &str) -> Result<(), String> {
        admits_listed(<L as CrazyhouseLaws>::INFO, rules)
    }
}

/// The value of the pockets for the side to move, in tenths of what their pieces are worth on the board.
fn held<L: CrazyhouseLaws>(position: &CrazyhouseBy<L>, tenths: i32) -> i32 {
    let of = |side| -> i32 {
        HELD.iter()
            .map(|role| {
                i32::from(position.pockets.count(side, *role)) * CrazyhouseBy::<L>::worth(*role)
            })
            .sum()
    };
    (of(position.turn()) - of(position.turn().other())) * tenths / 10
}
