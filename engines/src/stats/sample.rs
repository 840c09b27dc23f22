//! Units of play by their scores: games, pairs of games, or anything else with a few outcomes.

use super::wdl::Wdl;
use serde::Serialize;
use statrs::function::erf::erf;

/// The 97.5 % quantile of the normal distribution: a 95 % interval extends this many standard errors to either side.
pub(super) const QUANTILE: f64 = 1.959_963_984_540_054;
/// The probability outside an interval on either side.
const TAIL: f64 = 0.025;

/// Units by their scores.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The possible scores of a unit, from 0 to 1, ascending.
    scores: Vec<f64>,
    /// How many units had each score.
    counts: Vec<u64>,
    /// Games per unit.
    games: u32,
}

/// A figure with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// The figure; null if it has no finite value.
    pub value: Option<f64>,
    /// The lower end of its 95 % interval; null if it has no finite value.
    pub low: Option<f64>,
    /// The upper end of its 95 % interval; null if it has no finite value.
    pub high: Option<f64>,
}

impl Interval {
    /// A figure with an interval that is symmetric around it.
    #[must_use]
    pub fn around(value: f64, half: f64) -> Self {
        Self {
            value: Some(value),
            low: Some(value - half),
            high: Some(value + half),
        }
    }

    /// The same figures on another scale, which must be increasing.
    #[must_use]
    pub fn map(self, scale: impl Fn(f64) -> Option<f64>) -> Self {
        let [value, low, high] = [self.value, self.low, self.high].map(|x| x.and_then(&scale));
        Self { value, low, high }
    }

    /// The figure and its bounds in words, with their signs and this many decimal places.
    #[must_use]
    pub fn words(self, places: usize) -> String {
        let [value, low, high] =
            [self.value, self.low, self.high].map(|x| x.map(|x| format!("{x:+.places$}")));
        match (value, low, high) {
            (Some(value), Some(low), Some(high)) => format!("{value} ({low} to {high})"),
            (Some(value), Some(low), None) => format!("{value} (above {low})"),
            (Some(value), None, Some(high)) => format!("{value} (below {high})"),
            (Some(value), None, None) => format!("{value} (without bounds)"),
            (None, Some(low), _) => format!("above {low}"),
            (None, _, Some(high)) => format!("below {high}"),
            (None, None, None) => "without bounds".into(),
        }
    }

    /// Its ends, if it has both.
    #[must_use]
    pub fn ends(self) -> Option<[f64; 2]> {
        Some([self.low?, self.high?])
    }

    /// Half of its width, if it has both ends.
    #[must_use]
    pub fn half(self) -> Option<f64> {
        let [low, high] = self.ends()?;
        Some((high - low) / 2.0)
    }
}

/// A figure without bounds.
impl From<Option<f64>> for Interval {
    fn from(value: Option<f64>) -> Self {
        Self {
            value,
            ..Self::default()
        }
    }
}

impl From<f64> for Interval {
    fn from(value: f64) -> Self {
        Some(value).into()
    }
}

/// Why outcomes are not a sample.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SampleError {
    /// A score is out of bounds.
    #[error("expected a score from 0 to 1, found `{0}`")]
    Score(String),
    /// A score occurs twice.
    #[error("the score {0} is given twice")]
    Twice(String),
    /// There is only one score.
    #[error("at least two scores are needed; give a count of 0 for a score that did not occur")]
    Few,
    /// There are too many units.
    #[error("the counts are too large")]
    Many,
}

impl Sample {
    /// A sample of games.
    #[must_use]
    pub fn of_games(score: Wdl) -> Self {
        Self {
            scores: vec![0.0, 0.5, 1.0],
            counts: vec![score.losses, score.draws, score.wins],
            games: 1,
        }
    }

    /// A sample of pairs of games, by the points in them: 0, ½, 1, 1½, 2.
    #[must_use]
    pub fn of_pairs(counts: [u64; 5]) -> Self {
        Self {
            scores: vec![0.0, 0.25, 0.5, 0.75, 1.0],
            counts: counts.to_vec(),
            games: 2,
        }
    }

    /// A sample of units of `games` games, from pairs of score (from 0 to 1) and count.
    ///
    /// # Errors
    /// A score that is out of bounds or occurs twice, fewer than two scores, too many units.
    pub fn new(outcomes: &[(f64, u64)], games: u32) -> Result<Self, SampleError> {
        let mut outcomes = outcomes.to_vec();
        if let Some((score, _)) = outcomes
            .iter()
            .find(|(score, _)| !(0.0..=1.0).contains(score))
        {
            return Err(SampleError::Score(score.to_string()));
        }
        outcomes.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let Some(twice) = outcomes.windows(2).find(|two| two[0].0 == two[1].0) {
            return Err(SampleError::Twice(twice[0].0.to_string()));
        }
        if outcomes.len() < 2 {
            return Err(SampleError::Few);
        }
        let total = outcomes
            .iter()
            .try_fold(0_u64, |sum, (_, count)| sum.checked_add(*count));
        if total.is_none_or(|total| total > 1 << 53) {
            return Err(SampleError::Many);
        }
        let (scores, counts) = outcomes.into_iter().unzip();
        Ok(Self {
            scores,
            counts,
            games: games.max(1),
        })
    }

    /// The possible scores of a unit, ascending.
    #[must_use]
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// How many units had each score, in the same order.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Games per unit.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// The number of units.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Mean score of a unit and its standard deviation, that of the sample itself (divided by N).
    #[must_use]
    pub fn moments(&self) -> Option<(f64, f64)> {
        let units = self.units();
        if units == 0 {
            return None;
        }
        let mean_of = |f: &dyn Fn(f64) -> f64| -> f64 {
            let terms = self
                .scores
                .iter()
                .zip(&self.counts)
                .map(|(score, count)| f(*score) * *count as f64);
            terms.sum::<f64>() / units as f64
        };
        let mean = mean_of(&|score| score);
        if self.counts.contains(&units) {
            return Some((mean, 0.0));
        }
        Some((mean, mean_of(&|score| (score - mean).powi(2)).sqrt()))
    }

    /// The share of the points, from 0 to 1. If all units scored the same, the interval is exact (Clopper and Pearson
    /// 1934), since the normal approximation would have no width.
    #[must_use]
    pub fn share(&self) -> Interval {
        let Some((mean, deviation)) = self.moments() else {
            return Interval::default();
        };
        let units = self.units() as f64;
        if deviation > 0.0 {
            let Interval { value, low, high } =
                Interval::around(mean, QUANTILE * deviation / units.sqrt());
            return Interval {
                value,
                low: low.map(|low| low.max(0.0)),
                high: high.map(|high| high.min(1.0)),
            };
        }
        let least = TAIL.powf(1.0 / units);
        Interval {
            value: Some(mean),
            low: Some(least * mean),
            high: Some(least * mean + (1.0 - least)),
        }
    }

    /// Likelihood of superiority: the probability, from 0 to 1, that the mean is above one half. If all units scored
    /// the same, it is the Bayesian one with a uniform prior, `1 - 2^-(N+1)`.
    #[must_use]
    pub fn los(&self) -> Option<f64> {
        let (mean, deviation) = self.moments()?;
        let units = self.units() as f64;
        if deviation > 0.0 {
            return Some(normal((mean - 0.5) * units.sqrt() / deviation));
        }
        let rest = (-units - 1.0).exp2();
        Some(if mean > 0.5 {
            1.0 - rest
        } else if mean < 0.5 {
            rest
        } else {
            0.5
        })
    }

    /// The mean score above one half in standard deviations of a game, with its interval. The standard error is 1/√N,
    /// as in all tools, unless the delta method, with the sample's skewness and kurtosis, finds that more than a
    /// hundredth too small.
    #[must_use]
    pub fn strength(&self) -> Interval {
        match self.moments() {
            Some((mean, deviation)) if deviation > 0.0 => {
                let per_game = f64::from(self.games).sqrt();
                let strength = (mean - 0.5) / deviation;
                let variance = self.variance_of_strength(strength, mean, deviation);
                let variance = if variance > 1.02 { variance } else { 1.0 };
                let half = QUANTILE * (variance / self.units() as f64).sqrt();
                Interval::around(strength / per_game, half / per_game)
            }
            _ => Interval::default(),
        }
    }

    /// N times the variance of the mean above one half in standard deviations: 1 - t γ + t² (κ - 1) / 4.
    fn variance_of_strength(&self, strength: f64, mean: f64, deviation: f64) -> f64 {
        let units = self.units() as f64;
        let moment = |power: i32| -> f64 {
            let terms = self.scores.iter().zip(&self.counts);
            terms
                .map(|(x, n)| ((x - mean) / deviation).powi(power) * *n as f64)
                .sum::<f64>()
                / units
        };
        let variance = 1.0 - strength * moment(3) + strength * strength * (moment(4) - 1.0) / 4.0;
        variance.max(0.0)
    }
}

/// The cumulative normal distribution at `x`.
fn normal(x: f64) -> f64 {
    0.5 + 0.5 * erf(x / std::f64::consts::SQRT_2)
}
