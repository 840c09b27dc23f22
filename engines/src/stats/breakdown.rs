//! Games broken down by how they began and how they ended.

use super::{account::Counted, spread::Spread, wdl::Wdl};
use crate::ending::half_points;
use overboard_formats::foreign::Foreign;
use overboard_rules::square::Side;
use serde::Serialize;
use std::collections::BTreeMap;

/// What games are broken down by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum By {
    /// Initial position and plies of the opening.
    Opening,
    /// First ply.
    FirstPly,
    /// Reason of the ending, and winner.
    End,
    /// How many games last longer than each number of plies.
    Length,
}

/// Games broken down by whatever was requested.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Breakdown {
    asked: Vec<By>,
    /// By opening: the initial position and its plies.
    pub openings: BTreeMap<Foreign, Wdl>,
    /// By the first ply.
    pub first_plies: BTreeMap<Foreign, Wdl>,
    /// By the word for why they ended.
    pub ends: BTreeMap<Foreign, Wdl>,
}

/// Stands for the opening of a game without one, and for the first ply of a game without plies.
const NONE: &str = "-";

impl Breakdown {
    /// No games yet, broken down by these.
    #[must_use]
    pub fn by(asked: &[By]) -> Self {
        Self {
            asked: asked.to_vec(),
            ..Self::default()
        }
    }

    /// Whether games are broken down by this.
    #[must_use]
    pub fn is_by(&self, by: By) -> bool {
        self.asked.contains(&by)
    }

    /// Counts a game; `end` is the word for why it ended.
    pub fn count(&mut self, game: &Counted<'_>, end: &'static str) {
        let scored = half_points(game.outcome, Side::White);
        let named = |name: &Option<Foreign>| name.clone().unwrap_or_else(|| NONE.into());
        if self.is_by(By::Opening) {
            let group = self.openings.entry(named(&game.opening));
            group.or_default().count(scored);
        }
        if self.is_by(By::FirstPly) {
            let group = self.first_plies.entry(named(&game.first_ply));
            group.or_default().count(scored);
        }
        if self.is_by(By::End) {
            self.ends.entry(end.into()).or_default().count(scored);
        }
    }
}

/// A point of the curve of lengths.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Point")
)]
pub struct Survival {
    /// The number of plies.
    pub plies: i64,
    /// Games that ended after so many.
    pub ended: u64,
    /// Games that were stopped after so many.
    pub stopped: u64,
    /// The share of the games that continue, from 0 to 1.
    pub share: f64,
}

/// How many games last longer than a number of plies, for each length that occurs, the shortest first: the Kaplan-Meier
/// estimate, since games that were stopped would have lasted longer, nobody knows how long.
#[must_use]
pub fn survival(all: &Spread, stopped: &Spread) -> Vec<Survival> {
    let stops: BTreeMap<_, _> = stopped.counts().collect();
    let (mut left, mut share) = (all.total(), 1.0);
    let point = |(plies, count): (i64, u64)| {
        let stopped = stops.get(&plies).copied().unwrap_or_default();
        let ended = count - stopped;
        share *= 1.0 - ended as f64 / left as f64;
        left -= count;
        Survival {
            plies,
            ended,
            stopped,
            share,
        }
    };
    all.counts().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_were_stopped_went_on() {
        let (mut all, mut stopped) = (Spread::default(), Spread::default());
        for plies in [10, 10, 20, 30, 30] {
            all.take(plies);
        }
        stopped.take(20);
        let points: Vec<_> = survival(&all, &stopped)
            .iter()
            .map(|point| (point.plies, point.ended, point.stopped))
            .collect();
        assert_eq!(points, [(10, 2, 0), (20, 0, 1), (30, 2, 0)]);
        let shares: Vec<_> = survival(&all, &stopped)
            .iter()
            .map(|point| point.share)
            .collect();
        assert!(
            (shares[0] - 0.6).abs() < 1e-12 && shares[1] == shares[0] && shares[2].abs() < 1e-12
        );
    }
}
