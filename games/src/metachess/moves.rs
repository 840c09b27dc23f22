//! A move in four bytes.

use crate::board8::attacks::square_at;
use overboard_rules::{
    ply::{Arrival, Wing},
    square::{Role, Square},
};

/// A legal move of `MetaChess` #4 in the position in which it was found; four bytes, cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u32);

/// Set if the move ends on the second level.
const ABOVE: u32 = 1 << 18;
/// Set for castling and en passant captures.
const SPECIAL: u32 = 1 << 19;

impl Move {
    /// A move to the first level.
    #[inline]
    pub(super) const fn below(role: Role, from: u32, to: u32) -> Self {
        Self(to | from << 6 | (role as u32) << 12)
    }

    /// A move to the second level.
    #[inline]
    pub(super) const fn above(role: Role, from: u32, to: u32) -> Self {
        Self(Self::below(role, from, to).0 | ABOVE)
    }

    /// A promotion. No pawn becomes a pawn, so 0 stands for no promotion.
    #[inline]
    pub(super) const fn promotion_to(role: Role, from: u32, to: u32) -> Self {
        Self(Self::below(Role::Pawn, from, to).0 | (role as u32) << 15)
    }

    /// Castling, given the king's move, or an en passant capture.
    #[inline]
    pub(super) const fn special(role: Role, from: u32, to: u32) -> Self {
        Self(Self::below(role, from, to).0 | SPECIAL)
    }

    #[inline]
    pub(super) const fn origin(self) -> u32 {
        self.0 >> 6 & 63
    }

    #[inline]
    pub(super) const fn target(self) -> u32 {
        self.0 & 63
    }

    #[inline]
    const fn is_special(self) -> bool {
        self.0 & SPECIAL != 0
    }

    /// The origin; the king's for castling.
    #[must_use]
    pub const fn from(self) -> Square {
        square_at(self.origin())
    }

    /// The arrival square; the king's for castling.
    #[must_use]
    pub const fn to(self) -> Square {
        square_at(self.target())
    }

    /// The kind of piece that moves.
    #[must_use]
    #[inline]
    pub const fn role(self) -> Role {
        Role::ALL[(self.0 >> 12 & 7) as usize]
    }

    /// The piece promoted to.
    #[must_use]
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.0 >> 15 & 7 {
            0 => None,
            role => Some(Role::ALL[role as usize]),
        }
    }

    /// Whether it ends on the second level.
    #[must_use]
    #[inline]
    pub const fn is_above(self) -> bool {
        self.0 & ABOVE != 0
    }

    /// The level on which it ends.
    #[must_use]
    pub const fn arrival(self) -> Arrival {
        if self.is_above() {
            Arrival::Above
        } else {
            Arrival::Here
        }
    }

    /// Whether a pawn is captured en passant.
    #[must_use]
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.is_special() && matches!(self.role(), Role::Pawn)
    }

    /// The wing to which it castles.
    #[must_use]
    #[inline]
    pub const fn wing(self) -> Option<Wing> {
        match (self.is_special(), self.role()) {
            (true, Role::King) if self.target() > self.origin() => Some(Wing::KingSide),
            (true, Role::King) => Some(Wing::QueenSide),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", self.role().letter(), self.from(), self.to())?;
        if let Some(role) = self.promotion() {
            write!(f, "={}", role.letter())?;
        }
        f.write_str(if self.is_above() { "^" } else { "" })
    }
}
