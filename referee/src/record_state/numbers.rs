//! Whether the next ply needs a move number, and has one.

use overboard_rules::square::Side;

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
