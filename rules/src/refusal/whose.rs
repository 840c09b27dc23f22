//! Whose piece a written move names.

use super::{Refusal, barrier};
use crate::{
    ply::{Pattern, Written},
    position::Position,
    square::{Piece, Role, Square},
};
use std::fmt;

/// Whether a move names its square of origin, and a piece of the opponent's of that kind stands there: whose piece it is
/// comes before where it goes (GEN-1).
pub(super) fn names_the_opponents<P: Position>(position: &P, written: &Written) -> bool {
    let Written::Move(pattern) = written else {
        return false;
    };
    let Some(origin) = pattern.origin() else {
        return false;
    };
    let stands = |side| {
        let role = pattern.role;
        let mut squares = position.squares_of(Piece { side, role });
        squares.any(|on| on == origin)
    };
    let side = position.turn();
    stands(side.other()) && !stands(side)
}

/// Whether the opponent has a piece that could make the move, if it were the opponent's turn.
pub fn opponent_could<P: Position>(position: &P, pattern: &Pattern) -> bool {
    let piece = Piece {
        side: position.turn().other(),
        role: pattern.role,
    };
    position
        .squares_of(piece)
        .filter(|from| pattern.may_start_on(*from))
        .any(|from| moves_freely(position, piece, from, pattern))
}

fn moves_freely<P: Position>(position: &P, piece: Piece, from: Square, pattern: &Pattern) -> bool {
    P::moves_so(piece, from, pattern.to, P::takes(pattern))
        && (piece.role == Role::Pawn || barrier(position, piece.role, from, pattern.to).is_none())
}

impl Refusal {
    pub(super) fn explain_whose(
        &self,
        pattern: &Pattern,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let (side, role, to) = (self.side, pattern.role.name(), pattern.to);
        let other = side.other();
        match pattern.origin() {
            Some(from) => {
                write!(
                    f,
                    "it is {side}'s move, and the {role} on {from} is {other}'s"
                )
            }
            None => write!(
                f,
                "it is {side}'s move; only a {} {role} can go to {to}",
                other.adjective()
            ),
        }
    }
}
