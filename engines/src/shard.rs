//! A part of a batch: a contiguous range of its units.

use serde::{Deserialize, Serialize};
use std::{fmt, ops::Range, str::FromStr};

/// A part of a run: its index, from 0, and the number of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "[u64; 2]", try_from = "[u64; 2]")]
pub struct Shard {
    index: u64,
    count: u64,
}

/// Why a text or a pair of numbers is not a shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a shard is `i/S` with i from 0 to S-1, such as 0/8, not `{0}`")]
pub struct ShardError(pub String);

impl Shard {
    /// All units.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Part `index` of `count`.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn new(index: u64, count: u64) -> Result<Self, ShardError> {
        if index < count {
            Ok(Self { index, count })
        } else {
            Err(ShardError(format!("{index}/{count}")))
        }
    }

    /// The index of the part, from 0.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.index
    }

    /// The number of parts.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.count
    }

    /// The units of this part, of `units` in all.
    #[must_use]
    pub fn range(self, units: u64) -> Range<u64> {
        let edge =
            |index: u64| (u128::from(units) * u128::from(index) / u128::from(self.count)) as u64;
        edge(self.index)..edge(self.index + 1)
    }

    /// The parts, of `count`, that contain these units; at least one of `units` in all.
    #[must_use]
    pub fn holding(count: u64, units: u64, wanted: &Range<u64>) -> Range<u64> {
        // The first part that ends after a unit; a header may claim so many parts that nobody could go through them.
        let part_of = |unit: u64| {
            let end = (u128::from(unit) + 1) * u128::from(count);
            (end.div_ceil(u128::from(units)) - 1) as u64
        };
        part_of(wanted.start)..part_of(wanted.end - 1) + 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers = text
            .split_once('/')
            .and_then(|(index, count)| index.parse().ok().zip(count.parse().ok()));
        numbers
            .and_then(|(index, count)| Self::new(index, count).ok())
            .ok_or_else(|| ShardError(text.into()))
    }
}

impl From<Shard> for [u64; 2] {
    fn from(shard: Shard) -> Self {
        [shard.index, shard.count]
    }
}

impl TryFrom<[u64; 2]> for Shard {
    type Error = ShardError;

    fn try_from([index, count]: [u64; 2]) -> Result<Self, ShardError> {
        Self::new(index, count)
    }
}

/// Adds a range to others, none of which begins after it; those that touch become one.
pub fn add(ranges: &mut Vec<Range<u64>>, range: Range<u64>) {
    match ranges.last_mut() {
        Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
        _ => ranges.push(range),
    }
}

/// Ranges as a list: `0-3,7`.
#[must_use]
pub fn list(ranges: &[Range<u64>]) -> String {
    ranges.iter().map(span).collect::<Vec<_>>().join(",")
}

/// A range as `7` or `0-3`; both ends are included.
#[must_use]
pub fn span(range: &Range<u64>) -> String {
    if range.end - range.start == 1 {
        range.start.to_string()
    } else {
        format!("{}-{}", range.start, range.end - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_out_every_unit_once() {
        for (units, count) in [(0, 3), (1, 4), (10, 3), (100, 7), (u64::MAX, 5)] {
            let mut next = 0;
            for index in 0..count {
                let range = Shard::new(index, count).unwrap().range(units);
                assert_eq!(range.start, next);
                next = range.end;
            }
            assert_eq!(next, units);
        }
    }

    #[test]
    fn shards_are_written_as_they_are_read() {
        assert_eq!("2/8".parse::<Shard>().unwrap().to_string(), "2/8");
        for text in ["8/8", "-1/2", "1", "a/b", "0/0", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn lists_are_short() {
        let mut ranges = Vec::new();
        for range in [0..2, 1..3, 5..6, 7..8, 8..9] {
            add(&mut ranges, range);
        }
        assert_eq!(list(&ranges), "0-2,5,7-8");
        assert_eq!(list(&[]), "");
    }

    #[test]
    fn parts_hold_the_units_that_they_share_out() {
        assert_eq!(Shard::holding(4, 100, &(24..51)), 0..3);
        for (units, count) in [(1, 4), (10, 3), (7, 100), (100, 7)] {
            for unit in 0..units {
                let parts = Shard::holding(count, units, &(unit..unit + 1));
                let holds = |index: &u64| {
                    Shard::new(*index, count)
                        .unwrap()
                        .range(units)
                        .contains(&unit)
                };
                assert!(parts.clone().eq((0..count).filter(holds)), "{unit} {count}");
            }
        }
        assert_eq!(
            Shard::holding(u64::MAX, 1 << 53, &(0..1 << 53)).end,
            u64::MAX
        );
    }
}
