//! Why a move is refused in games where pieces ride on others: the reasons and their wording.

use crate::{
    ply::Written,
    square::{Piece, Role, Square},
};
use std::fmt;

/// What is wrong with a move of a rider or a carrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Riding {
    /// The piece on this square carries a rider and may not move.
    Ridden(Square),
    /// The rider on this square sits on an enemy piece and acts on the second level only.
    Annexes(Square),
    /// The piece on this square is on the first level and can only go up on to its own pieces.
    ClimbsOnOwn(Square),
    /// There is no piece on the arrival square that could be a carrier.
    NoCarrier,
    /// The move would put a piece on top of a king.
    OnKing,
    /// The mover already has a rider on the arrival square.
    OwnRider(Role),
    /// A pawn would leave the first level.
    PawnAbove,
    /// The king would capture the piece here, which carries a rider.
    KingUnderRider(Square),
    /// The enemy piece on the arrival square rides on one of the mover's, and the move does not go up to it.
    TakenAbove(Role),
    /// When the rider leaves this square, the enemy piece below it is free to attack the king.
    SetsFree(Square),
    /// The rook that would castle carries a rider.
    RookRidden(Square),
}

impl Riding {
    /// The square of a piece that the reason refers to.
    #[must_use]
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::Ridden(on) | Self::RookRidden(on) | Self::KingUnderRider(on) => Some(on),
            _ => None,
        }
    }

    /// Writes the reason: `name` is the mover's piece, `rider` the one on the reason's square.
    pub(crate) fn report(
        self,
        name: &str,
        written: &Written,
        rider: Option<Piece>,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let there = rider
            .map(|rider| format!("a {} {}", rider.side.adjective(), rider.role.name()))
            .unwrap_or_default();
        // Castling names no piece; a king's move that means castling does.
        let Written::Move(pattern) = written else {
            return Self::explain_rook(&there, f);
        };
        let (to, letter) = (pattern.to, pattern.role.letter());
        match self {
            Self::Ridden(on) => write!(f, "the {name} on {on} carries {there} and may not move"),
            Self::Annexes(on) => {
                write!(
                    f,
                    "the {name} on {on} rides an enemy piece and can only move onto another, `{letter}{to}^`"
                )
            }
            Self::ClimbsOnOwn(on) => write!(
                f,
                "the {name} on {on} is on the first level, from which it may mount only pieces of its own side"
            ),
            Self::NoCarrier => write!(f, "there is no piece on {to} for the {name} to ride"),
            Self::OnKing => write!(f, "nothing rides on a king, and one stands on {to}"),
            Self::OwnRider(role) => write!(
                f,
                "a {} of the same side rides on {to} already",
                role.name()
            ),
            Self::PawnAbove => f.write_str("a pawn never leaves the first level"),
            Self::KingUnderRider(_) => {
                write!(
                    f,
                    "the king would come to stand under {there}, and nothing rides on a king"
                )
            }
            Self::TakenAbove(role) => write!(
                f,
                "the {} on {to} rides on a piece of the same side as the {name}, and is taken by `{letter}x{to}^`",
                role.name()
            ),
            Self::SetsFree(from) => {
                write!(
                    f,
                    "the {name} that leaves {from} sets an enemy piece free to attack its king"
                )
            }
            Self::RookRidden(_) => Self::explain_rook(&there, f),
        }
    }

    fn explain_rook(there: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the rook carries {there}, and a rook that castles carries nobody"
        )
    }
}
