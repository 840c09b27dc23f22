//! A move in two bytes.

use super::squares::square_at;
use overboard_rules::square::Square;

/// A legal move of StrategiChess in the position in which it was found; two bytes, cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Move {
    /// Both are square numbers, which fit.
    #[inline]
    pub(super) const fn new(from: u32, to: u32) -> Self {
        Self {
            from: from as u8,
            to: to as u8,
        }
    }

    #[inline]
    pub(super) const fn origin(self) -> u32 {
        self.from as u32
    }

    #[inline]
    pub(super) const fn arrival(self) -> u32 {
        self.to as u32
    }

    /// The origin.
    #[must_use]
    pub const fn from(self) -> Square {
        square_at(self.origin())
    }

    /// The arrival square.
    #[must_use]
    pub const fn to(self) -> Square {
        square_at(self.arrival())
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}
