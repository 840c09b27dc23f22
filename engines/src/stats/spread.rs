//! Distributions of integers: lengths, margins.

use super::sample::{Interval, QUANTILE};
use std::collections::BTreeMap;

/// How often each number occurred.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spread {
    counts: BTreeMap<i64, u64>,
    total: u64,
}

impl Spread {
    /// Adds a number.
    pub fn take(&mut self, number: i64) {
        *self.counts.entry(number).or_default() += 1;
        self.total += 1;
    }

    /// How many numbers were added.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Each number that occurred, ascending, and how often.
    pub fn counts(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> + '_ {
        self.counts.iter().map(|(number, count)| (*number, *count))
    }

    /// The least and the greatest number.
    #[must_use]
    pub fn ends(&self) -> Option<(i64, i64)> {
        let (least, _) = self.counts.first_key_value()?;
        let (most, _) = self.counts.last_key_value()?;
        Some((*least, *most))
    }

    /// Mean and standard deviation, the latter as an estimate (divided by N - 1; 0 for a single number).
    #[must_use]
    pub fn moments(&self) -> Option<(f64, f64)> {
        if self.total == 0 {
            return None;
        }
        let total = self.total as f64;
        let mean = self
            .counts()
            .map(|(number, count)| number as f64 * count as f64)
            .sum::<f64>()
            / total;
        let squares: f64 = self
            .counts()
            .map(|(number, count)| (number as f64 - mean).powi(2) * count as f64)
            .sum();
        Some((mean, (squares / (total - 1.0).max(1.0)).sqrt()))
    }

    /// The mean with its 95 % interval, if two numbers differ.
    #[must_use]
    pub fn mean(&self) -> Interval {
        match self.moments() {
            Some((mean, deviation)) if deviation > 0.0 => {
                Interval::around(mean, QUANTILE * deviation / (self.total as f64).sqrt())
            }
            moments => Interval {
                value: moments.map(|(mean, _)| mean),
                ..Interval::default()
            },
        }
    }

    /// The least number that is not exceeded by this share of all, such as 0.5 for the median.
    #[must_use]
    pub fn quantile(&self, part: f64) -> Option<i64> {
        let wanted = (self.total as f64 * part).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (number, count) in self.counts() {
            seen += count;
            if seen >= wanted {
                return Some(number);
            }
        }
        None
    }
}
