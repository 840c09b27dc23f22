//! What a batch has come to so far.

use crate::{
    ending::{End, Termination, worth},
    manifest::{Fixture, Manifest},
};
use overboard_rules::{outcome::Outcome, square::Side};

/// Counts of a batch's games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// White's wins, draws, Black's wins.
    pub results: [u64; 3],
    /// Games by their [`Termination`], in the order of [`Termination::ALL`].
    pub terminations: [u64; Termination::ALL.len()],
    /// Each pairing by itself, in the order of [`Manifest::pairings`].
    pub meetings: Vec<Meeting>,
    games_per_unit: u8,
}

/// Counts of one pairing, as its first player sees them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The two, by their numbers among the players.
    pub players: [usize; 2],
    /// Wins, draws, losses.
    pub score: [u64; 3],
    /// Pairs of games by what the first player scored in them: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// A unit of which only one game has been counted, and the half points in it.
    open: Option<(u64, usize)>,
}

impl Tally {
    /// Nothing counted yet.
    #[must_use]
    pub fn of(manifest: &Manifest) -> Self {
        let meeting = |players| Meeting { players, score: [0; 3], pairs: [0; 5], open: None };
        Self {
            games: 0,
            plies: 0,
            results: [0; 3],
            terminations: [0; Termination::ALL.len()],
            meetings: manifest.pairings().into_iter().map(meeting).collect(),
            games_per_unit: manifest.games_per_unit,
        }
    }

    /// Counts a game; the games of a unit come one after another.
    pub fn count(&mut self, fixture: &Fixture, end: End, plies: u32) {
        self.games += 1;
        self.plies += u64::from(plies);
        self.results[place(end.outcome, Side::White)] += 1;
        self.terminations[end.termination as usize] += 1;
        let meeting = (fixture.unit % self.meetings.len() as u64) as usize;
        let meeting = &mut self.meetings[meeting];
        let side = if fixture.swapped { Side::Black } else { Side::White };
        let place = place(end.outcome, side);
        meeting.score[place] += 1;
        if self.games_per_unit == 2 {
            meeting.pair(fixture.unit, 2 - place);
        }
    }

    /// Mean number of plies.
    #[must_use]
    pub fn mean_plies(&self) -> f64 {
        if self.games == 0 { 0.0 } else { self.plies as f64 / self.games as f64 }
    }
}

impl Meeting {
    fn pair(&mut self, unit: u64, half_points: usize) {
        match self.open.take() {
            Some((open, before)) if open == unit => self.pairs[before + half_points] += 1,
            _ => self.open = Some((unit, half_points)),
        }
    }

    /// The first player's share of the points, and half the width of its 95 % interval; by pairs where
    /// there are pairs. `None` before two of them are there.
    #[must_use]
    pub fn share(&self) -> Option<(f64, f64)> {
        let by_pairs = self.pairs.iter().sum::<u64>() > 0;
        let counts = if by_pairs { self.pairs.to_vec() } else { self.score.iter().rev().copied().collect() };
        let total = counts.iter().sum::<u64>();
        if total < 2 {
            return None;
        }
        let (total, top) = (total as f64, (counts.len() - 1) as f64);
        let mean =
            counts.iter().enumerate().map(|(at, count)| at as f64 / top * *count as f64).sum::<f64>() / total;
        let spread = |(at, count): (usize, &u64)| (at as f64 / top - mean).powi(2) * *count as f64;
        let variance = counts.iter().enumerate().map(spread).sum::<f64>() / total;
        Some((mean, 1.959_964 * (variance / total).sqrt()))
    }
}

/// 0 for a win of this side, 1 for a draw, 2 for a loss.
fn place(outcome: Outcome, side: Side) -> usize {
    (1 - worth(outcome, side)) as usize
}

/// The difference in Elo of a share of the points; `None` where it has no bound.
#[must_use]
pub fn elo(share: f64) -> Option<f64> {
    (share > 0.0 && share < 1.0).then(|| -400.0 * (1.0 / share - 1.0).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_fastchess() {
        let meeting = Meeting { players: [0, 1], score: [0; 3], pairs: [1, 9, 81, 8, 1], open: None };
        let (share, half) = meeting.share().unwrap();
        let [low, mid, high] = [share - half, share, share + half].map(|share| elo(share).unwrap());
        assert!((mid + 1.74).abs() < 0.005, "{mid}");
        assert!(((high - low) / 2.0 - 17.03).abs() < 0.005, "{low} {high}");
        assert_eq!([elo(0.0), elo(1.0)], [None, None]);
    }
}
