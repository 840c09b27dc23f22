//! A move or a drop in two bytes.

use super::{attacks::square_at, setup::HAND};
use overboard_rules::square::{Role, Square};

/// A legal move or drop of Olympic Chess in the position in which it was found; two bytes, cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// Origins from here on stand for the kinds in [`HAND`].
const HELD: u32 = 25;

impl Move {
    #[inline]
    pub(super) const fn shift(from: u32, to: u32, promotes: bool) -> Self {
        Self((from << 6 | to << 1) as u16 | promotes as u16)
    }

    #[inline]
    pub(super) const fn drop(kind: usize, to: u32) -> Self {
        Self::shift(HELD + kind as u32, to, false)
    }

    #[inline]
    pub(super) const fn origin(self) -> Origin {
        let from = self.0 as u32 >> 6;
        if from < HELD {
            Origin::Board(from)
        } else {
            Origin::Hand((from - HELD) as usize)
        }
    }

    #[inline]
    pub(super) const fn arrival(self) -> u32 {
        self.0 as u32 >> 1 & 31
    }

    /// The origin; `None` for a drop.
    #[must_use]
    pub const fn from(self) -> Option<Square> {
        match self.origin() {
            Origin::Board(from) => Some(square_at(from)),
            Origin::Hand(_) => None,
        }
    }

    /// The arrival square.
    #[must_use]
    pub const fn to(self) -> Square {
        square_at(self.arrival())
    }

    /// The kind of piece that is dropped; `None` for a move on the board.
    #[must_use]
    pub const fn dropped(self) -> Option<Role> {
        match self.origin() {
            Origin::Board(_) => None,
            Origin::Hand(kind) => Some(HAND[kind]),
        }
    }

    /// Whether a pawn or silver is promoted to a gold.
    #[must_use]
    #[inline]
    pub const fn promotes(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.dropped() {
            Some(role) => write!(f, "{}@", role.letter())?,
            None => self.from().map_or(Ok(()), |from| write!(f, "{from}"))?,
        }
        write!(
            f,
            "{}{}",
            self.to(),
            if self.promotes() { "=G" } else { "" }
        )
    }
}

/// The origin of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The square of this number.
    Board(u32),
    /// The hand, with the index of the kind in it.
    Hand(usize),
}
