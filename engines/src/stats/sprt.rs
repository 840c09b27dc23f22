//! Sequential probability ratio tests: games are played until one of two strengths is much likelier.
//!
//! The ratio is the generalised one for the exact multinomial distribution: the distribution under each hypothesis is
//! the most likely one that has its strength (M. Van den Bergh, `support_MLE_multinomial.pdf` and
//! `normalized_elo_practical.pdf` at cantate.be/Fishtest).

use super::{
    elo::{UNIT, share_of},
    sample::Sample,
};
use serde::{Deserialize, Serialize};

/// What the two hypotheses are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// Logistic Elo: the mean score.
    Logistic,
    /// Normalised Elo: the score above one half, in standard deviations of a game.
    Normalised,
}

/// A test of one strength against another.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "Written", try_from = "Written")]
pub struct Sprt {
    model: Model,
    elo: [f64; 2],
    errors: [f64; 2],
}

/// All numbers in it are finite, so equality is reflexive.
impl Eq for Sprt {}

/// A test of one strength against another.
#[derive(Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Sprt")
)]
#[serde(deny_unknown_fields)]
struct Written {
    /// What the two hypotheses are about.
    model: Model,
    /// The strength of the hypothesis H0.
    elo0: f64,
    /// The strength of the hypothesis H1.
    elo1: f64,
    /// The probability of accepting H1 although H0 is true.
    alpha: f64,
    /// The probability of accepting H0 although H1 is true.
    beta: f64,
}

impl From<Sprt> for Written {
    fn from(
        Sprt {
            model,
            elo: [elo0, elo1],
            errors: [alpha, beta],
        }: Sprt,
    ) -> Self {
        Self {
            model,
            elo0,
            elo1,
            alpha,
            beta,
        }
    }
}

impl TryFrom<Written> for Sprt {
    type Error = TestError;

    fn try_from(
        Written {
            model,
            elo0,
            elo1,
            alpha,
            beta,
        }: Written,
    ) -> Result<Self, TestError> {
        Self::new(model, [elo0, elo1], [alpha, beta])
    }
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Decision {
    /// The lower strength is accepted.
    H0,
    /// The higher strength is accepted.
    H1,
    /// More units are needed.
    #[serde(rename = "open")]
    Open,
}

/// Why there is no such test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TestError {
    /// The strengths are in the wrong order.
    #[error("the first number (ELO0) must be less than the second (ELO1)")]
    Order,
    /// The strengths are out of bounds.
    #[error("expected from -1000 to 1000 Elo, or from -200 to 200 normalised Elo")]
    Bounds,
    /// The error rates are invalid.
    #[error("alpha and beta must be above 0 and below 0.5")]
    Errors,
}

/// Replaces a count of 0, so that no outcome is impossible (as in fishtest and fastchess).
const HARDLY: f64 = 1e-3;
/// The most steps of the search for a distribution.
const ROUNDS: usize = 200;
/// The change of a distribution below which it has converged.
const SETTLED: f64 = 1e-14;

impl Sprt {
    /// A test of `elo[0]` against `elo[1]`. `errors` are the rates of accepting H1 if H0 is true, and H0 if H1 is true.
    ///
    /// # Errors
    /// If the strengths or error rates are not a test.
    pub fn new(model: Model, elo: [f64; 2], errors: [f64; 2]) -> Result<Self, TestError> {
        let most = if model == Model::Logistic {
            1000.0
        } else {
            200.0
        };
        if !elo.iter().all(|elo| elo.abs() <= most) {
            return Err(TestError::Bounds);
        }
        if elo[0] >= elo[1] {
            return Err(TestError::Order);
        }
        if !errors.iter().all(|error| *error > 0.0 && *error < 0.5) {
            return Err(TestError::Errors);
        }
        Ok(Self { model, elo, errors })
    }

    /// What the hypotheses are about.
    #[must_use]
    pub const fn model(&self) -> Model {
        self.model
    }

    /// The two strengths.
    #[must_use]
    pub const fn elo(&self) -> [f64; 2] {
        self.elo
    }

    /// The two error rates.
    #[must_use]
    pub const fn errors(&self) -> [f64; 2] {
        self.errors
    }

    /// The ratio at or below which H0 is accepted, and that at or above which H1 is accepted (Wald 1945).
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        let [alpha, beta] = self.errors;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// The logarithm of the likelihood ratio of H1 to H0; `None` if the outcomes of the sample are impossible under one
    /// of the strengths.
    #[must_use]
    pub fn ratio(&self, sample: &Sample) -> Option<f64> {
        if sample.units() == 0 {
            return Some(0.0);
        }
        let at_least = |count: &u64| if *count == 0 { HARDLY } else { *count as f64 };
        let counts = Vec::from_iter(sample.counts().iter().map(at_least));
        let units: f64 = counts.iter().sum();
        let seen = Vec::from_iter(counts.iter().map(|count| count / units));
        let [h0, h1] = self.elo.map(|elo| self.likeliest(sample, &seen, elo));
        let (h0, h1) = (h0?, h1?);
        let mut sum = 0.0;
        for (at, seen) in seen.iter().enumerate() {
            sum += seen * (h1[at] / h0[at]).ln();
        }
        let ratio = units * sum;
        if ratio.is_finite() { Some(ratio) } else { None }
    }

    /// The most likely distribution if this is the strength.
    fn likeliest(&self, sample: &Sample, seen: &[f64], elo: f64) -> Option<Vec<f64>> {
        match self.model {
            Model::Logistic => with_mean(sample.scores(), seen, share_of(elo)),
            Model::Normalised => {
                let strength = elo / UNIT * f64::from(sample.games()).sqrt();
                with_strength(sample.scores(), seen, strength)
            }
        }
    }

    /// What a ratio decides.
    #[must_use]
    pub fn decide(&self, ratio: f64) -> Decision {
        let [low, high] = self.bounds();
        if ratio >= high {
            Decision::H1
        } else if ratio <= low {
            Decision::H0
        } else {
            Decision::Open
        }
    }
}

/// The most likely distribution with this mean.
fn with_mean(scores: &[f64], seen: &[f64], mean: f64) -> Option<Vec<f64>> {
    let distances: Vec<_> = scores.iter().map(|score| score - mean).collect();
    balanced(&distances, seen)
}

/// The most likely distribution whose mean is this many of its own standard deviations above one half. The condition is
/// linearised at a distribution, the most likely one under that is found, and so on until it converges.
fn with_strength(scores: &[f64], seen: &[f64], strength: f64) -> Option<Vec<f64>> {
    let mut law = vec![1.0 / scores.len() as f64; scores.len()];
    for _ in 0..ROUNDS {
        let (mean, deviation) = moments(scores, &law);
        let slope = |score: &f64| {
            score - 0.5 - 0.5 * strength * deviation * (1.0 + ((score - mean) / deviation).powi(2))
        };
        let distances = Vec::from_iter(scores.iter().map(slope));
        let next = balanced(&distances, seen)?;
        let mut both = law.iter().zip(&next);
        let is_settled = both.all(|(old, new)| (old - new).abs() < SETTLED);
        law = next;
        if is_settled {
            break;
        }
    }
    Some(law)
}

/// The mean and the standard deviation of a distribution.
fn moments(scores: &[f64], law: &[f64]) -> (f64, f64) {
    let (mut mean, mut variance) = (0.0, 0.0);
    for (score, p) in scores.iter().zip(law) {
        mean += score * p;
    }
    for (score, p) in scores.iter().zip(law) {
        variance += (score - mean).powi(2) * p;
    }
    (mean, variance.sqrt())
}

/// The most likely distribution under which these distances are 0 on average: `p / (1 + θ distance)`, with the
/// θ for which that holds.
fn balanced(distances: &[f64], seen: &[f64]) -> Option<Vec<f64>> {
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let most = distances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..ROUNDS {
        let (mut value, mut slope) = (0.0, 0.0);
        for (distance, p) in distances.iter().zip(seen) {
            let term = distance / (1.0 + theta * distance);
            value += p * term;
            slope -= p * term * term;
        }
        // The value decreases as θ grows.
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - value / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        let change = (next - theta).abs();
        theta = next;
        if change <= 1e-16 * theta.abs().max(1.0) {
            break;
        }
    }
    let both = distances.iter().zip(seen);
    Some(
        both.map(|(distance, p)| p / (1.0 + theta * distance))
            .collect(),
    )
}
