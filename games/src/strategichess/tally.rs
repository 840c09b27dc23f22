//! Counts the squares of many sets together.

use super::squares::SquareSet;

/// Counts the squares of many sets, eight sets at a time.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    ones: SquareSet,
    twos: SquareSet,
    fours: SquareSet,
    eights: u32,
}

impl Tally {
    /// Adds eight sets.
    #[inline(always)]
    pub fn take(&mut self, sets: [SquareSet; 8]) {
        let [a, b, c, d, e, f, g, h] = sets;
        let (ones, ab) = add(self.ones, a, b);
        let (ones, cd) = add(ones, c, d);
        let (ones, ef) = add(ones, e, f);
        let (ones, gh) = add(ones, g, h);
        let (twos, abcd) = add(self.twos, ab, cd);
        let (twos, efgh) = add(twos, ef, gh);
        let (fours, eights) = add(self.fours, abcd, efgh);
        *self = Self {
            ones,
            twos,
            fours,
            eights: self.eights + eights.count(),
        };
    }

    /// How many squares there were.
    #[inline(always)]
    pub fn total(self) -> u32 {
        self.ones.count() + 2 * self.twos.count() + 4 * self.fours.count() + 8 * self.eights
    }
}

/// The sum of three sets, square by square, and the carry.
#[inline(always)]
fn add(a: SquareSet, b: SquareSet, c: SquareSet) -> (SquareSet, SquareSet) {
    let half = a ^ b;
    (half ^ c, a & b | half & c)
}
