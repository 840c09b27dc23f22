//! Differences in strength: logistic Elo, and Elo normalised by the deviation of a game.

use super::sample::{Interval, Sample};

/// Normalised Elo of one standard deviation of a game: 800 / ln 10, the slope at which both kinds of Elo agree if there
/// are no draws.
pub(super) const UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The Elo difference for a share of the points; `None` if it is unbounded.
#[must_use]
pub fn elo(share: f64) -> Option<f64> {
    (share > 0.0 && share < 1.0).then(|| -400.0 * (1.0 / share - 1.0).log10() + 0.0)
}

/// The share of the points for an Elo difference.
#[must_use]
pub fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl Sample {
    /// The Elo difference; the ends of its interval follow from those of the share of the points.
    #[must_use]
    pub fn elo(&self) -> Interval {
        self.share().map(elo)
    }

    /// The normalised Elo difference; `None` if all units scored the same.
    #[must_use]
    pub fn normalised_elo(&self) -> Interval {
        self.strength().map(|strength| Some(UNIT * strength))
    }
}
