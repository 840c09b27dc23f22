//! Whether the next ply needs a move number, and has one.

use overboard_rules::square::Side;

/// How far the move numbers of a game are from the right ones, since one of them was wrong.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Shift(i64);

impl Shift {
    /// Whether a number is right, or as far off as the one before it, which was reported.
    pub fn accepts(&mut self, given: u32, due: u32) -> bool {
        let shift = i64::from(given) - i64::from(due);
        let before = std::mem::replace(&mut self.0, shift);
        shift == 0 || shift == before
    }

    /// A right number was read.
    #[inline]
    pub const fn reset(&mut self) {
        self.0 = 0;
    }
}

/// What stands before the next ply.
pub struct Numbers {
    /// A move number.
    given: bool,
    /// Something after which the ply needs a number: a comment, a variation, a block, or the beginning of the record.
    interrupted: bool,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            given: false,
            interrupted: true,
        }
    }
}

impl Numbers {
    /// Whether a move number stands before the next ply.
    #[must_use]
    pub const fn is_given(&self) -> bool {
        self.given
    }

    /// Whether a ply of this side lacks its number.
    #[inline]
    #[must_use]
    pub const fn lacks(&self, side: Side) -> bool {
        !self.given && (self.interrupted || matches!(side, Side::White))
    }

    /// A move number was read.
    #[inline]
    pub const fn give(&mut self) {
        self.given = true;
    }

    /// The number read last counts for nothing that follows.
    pub const fn drop_given(&mut self) {
        self.given = false;
    }

    /// A ply was read.
    #[inline]
    pub const fn pass(&mut self) {
        self.given = false;
        self.interrupted = false;
    }

    /// Something interrupts the plies; a number before it still counts.
    pub const fn pause(&mut self) {
        self.interrupted = true;
    }

    /// Something interrupts the plies, and a number before it counts no longer.
    pub const fn interrupt(&mut self) {
        self.given = false;
        self.interrupted = true;
    }
}
