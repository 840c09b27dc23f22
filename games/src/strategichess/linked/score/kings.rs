//! The kings of every board, as far as they are known.

use crate::strategichess::linked::{Linked, LinkedBoard};
use overboard_referee::readings::Readings;
use overboard_rules::{by_side::BySide, outcome::Outcome, square::Side};
use serde::Serialize;

/// What is known of a king.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum King {
    /// It stands on its board.
    Stands,
    /// It was captured, or there never was one.
    Gone,
    /// It is not known, since its board is no longer judged.
    Open,
}

/// White's and Black's king of each board, board A first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kings(pub Vec<BySide<King>>);

/// The least and the greatest possible number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "[u32; 2]")]
pub struct Range {
    /// The fewest.
    pub least: u32,
    /// The most.
    pub most: u32,
}

impl Kings {
    /// A king of each side on one board.
    pub(super) fn one_each() -> Self {
        Self(vec![BySide::both(King::Stands)])
    }

    /// The kings of a position.
    pub(super) fn of(position: &Linked) -> Self {
        let king = |board, side| {
            if position.king_on(board, side).is_some() {
                King::Stands
            } else {
                King::Gone
            }
        };
        Self::on_each(position.boards(), king)
    }

    /// The kings under these readings; `self` are those before. The king of a lost board is open, whatever the readings
    /// say.
    pub(super) fn after(&self, readings: &Readings<Linked>) -> Self {
        if !readings.is_any() {
            return self.in_doubt();
        }
        let king = |board: usize, side: Side| {
            let before = self.0.get(board).map_or(King::Open, |kings| kings[side]);
            let at = LinkedBoard::of(board);
            if readings.lost().binary_search(&at).is_err() {
                king_in(readings, board, side)
            } else if before == King::Gone {
                King::Gone
            } else {
                King::Open
            }
        };
        Self::on_each(readings.latest().boards(), king)
    }

    fn on_each(boards: usize, king: impl Fn(usize, Side) -> King) -> Self {
        let kings = (0..boards).map(|board| BySide::from_fn(|side| king(board, side)));
        Self(kings.collect())
    }

    /// The same kings, none of them known to stand.
    pub(super) fn in_doubt(&self) -> Self {
        let doubt = |king| if king == King::Gone { king } else { King::Open };
        Self(self.0.iter().map(|kings| kings.map(doubt)).collect())
    }

    /// How many each team has (SC-30).
    #[must_use]
    pub fn count(&self) -> BySide<Range> {
        BySide::from_fn(|side| {
            let those = |king| self.0.iter().filter(|kings| kings[side] == king).count() as u32;
            let least = those(King::Stands);
            Range {
                least,
                most: least + those(King::Open),
            }
        })
    }

    /// The kings if either this or that is the case.
    pub(super) fn or(&self, other: &Self) -> Self {
        let either = |(a, b): (&BySide<King>, &BySide<King>)| {
            BySide::from_fn(|side| {
                if a[side] == b[side] {
                    a[side]
                } else {
                    King::Open
                }
            })
        };
        Self(self.0.iter().zip(&other.0).map(either).collect())
    }
}

/// The king of a side on a board that is not lost.
fn king_in(readings: &Readings<Linked>, board: usize, side: Side) -> King {
    let stands = |reading: &Linked| reading.king_on(board, side).is_some();
    match (readings.iter().any(stands), readings.iter().all(stands)) {
        (true, true) => King::Stands,
        (false, false) => King::Gone,
        _ => King::Open,
    }
}

impl Range {
    /// Exactly this number.
    #[must_use]
    pub const fn exactly(number: u32) -> Self {
        Self {
            least: number,
            most: number,
        }
    }

    /// Whether there is only one possibility.
    #[must_use]
    pub const fn is_certain(self) -> bool {
        self.least == self.most
    }

    /// Whether this number is possible.
    #[must_use]
    pub const fn may_be(self, number: u32) -> bool {
        self.least <= number && number <= self.most
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_certain() {
            write!(f, "{}", self.least)
        } else {
            write!(f, "{}..{}", self.least, self.most)
        }
    }
}

impl From<Range> for [u32; 2] {
    fn from(Range { least, most }: Range) -> Self {
        [least, most]
    }
}

/// Possible outcomes: a win of White, a win of Black, a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Outcomes([bool; 3]);

impl Outcomes {
    pub const ANY: Self = Self([true; 3]);

    pub fn only(outcome: Outcome) -> Self {
        Self(Outcome::ALL.map(|this| this == outcome))
    }

    /// The possible results of counting the kings (SC-30).
    pub fn counted(kings: BySide<Range>) -> Self {
        let [white, black] = kings.into_array();
        let draw = white.least <= black.most && black.least <= white.most;
        Self([white.most > black.least, black.most > white.least, draw])
    }

    pub fn or(self, other: Self) -> Self {
        Self([0, 1, 2].map(|index| self.0[index] || other.0[index]))
    }

    /// Those that are possible.
    pub fn list(self) -> Vec<Outcome> {
        let mut possible = Outcome::ALL.to_vec();
        possible.retain(|outcome| self.holds(*outcome));
        possible
    }

    pub const fn holds(self, outcome: Outcome) -> bool {
        let [white, black, draw] = self.0;
        match outcome {
            Outcome::Win(Side::White) => white,
            Outcome::Win(Side::Black) => black,
            Outcome::Draw => draw,
        }
    }

    /// The outcome, if only one is possible.
    pub fn certain(self) -> Option<Outcome> {
        match self.list()[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_give_the_outcomes_that_there_may_be() {
        let range = |least, most| Range { least, most };
        let certain = |white, black| Outcomes::counted(BySide::new(white, black)).certain();
        assert_eq!(
            certain(range(2, 3), range(0, 1)),
            Some(Outcome::Win(Side::White))
        );
        assert_eq!(
            certain(range(1, 1), range(2, 3)),
            Some(Outcome::Win(Side::Black))
        );
        assert_eq!(certain(range(2, 2), range(2, 2)), Some(Outcome::Draw));
        assert_eq!(certain(range(1, 2), range(1, 1)), None);
        assert!(
            !Outcomes::counted(BySide::new(range(1, 2), range(1, 1)))
                .holds(Outcome::Win(Side::Black))
        );
    }
}
