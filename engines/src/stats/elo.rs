//! Differences in strength: logistic Elo, and Elo normalised by how much games differ.

use super::sample::{Interval, Sample};

/// Normalised Elo of one standard deviation of a game: 800 / ln 10, the slope at which both kinds of Elo
/// agree where nothing is drawn.
pub(super) const UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The difference in Elo of a share of the points; `None` where it has no bound.
#[must_use]
pub fn elo(share: f64) -> Option<f64> {
    (share > 0.0 && share < 1.0).then(|| -400.0 * (1.0 / share - 1.0).log10() + 0.0)
}

/// The share of the points of a difference in Elo.
#[must_use]
pub fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl Sample {
    /// The difference in Elo; the ends are those of the share of the points.
    #[must_use]
    pub fn elo(&self) -> Interval {
        self.share().map(elo)
    }

    /// The difference in normalised Elo; none where all units scored alike.
    #[must_use]
    pub fn normalised_elo(&self) -> Interval {
        self.strength().map(|strength| Some(UNIT * strength))
    }
}
