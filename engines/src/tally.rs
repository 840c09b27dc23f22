//! What a batch has come to so far.

use crate::{
    ending::{End, worth},
    manifest::{Fixture, Manifest},
    stats::{Point, Sample},
};
use overboard_rules::{
    outcome::{Cause, Outcome},
    square::Side,
};

/// Counts of a batch's games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Plies of the longest.
    pub longest: u32,
    /// White's wins, draws, Black's wins.
    pub results: [u64; 3],
    /// Games by why they ended, in the order of [`Cause::ALL`].
    pub causes: [u64; Cause::ALL.len()],
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
            longest: 0,
            results: [0; 3],
            causes: [0; Cause::ALL.len()],
            meetings: manifest.pairings().into_iter().map(meeting).collect(),
            games_per_unit: manifest.games_per_unit,
        }
    }

    /// Counts a game; the games of a unit come one after another.
    pub fn count(&mut self, fixture: &Fixture, end: End, plies: u32) {
        self.games += 1;
        self.plies += u64::from(plies);
        self.longest = self.longest.max(plies);
        self.results[place(end.outcome, Side::White)] += 1;
        self.causes[end.cause as usize] += 1;
        let meeting = (fixture.unit % self.meetings.len() as u64) as usize;
        let meeting = &mut self.meetings[meeting];
        let side = if fixture.swapped { Side::Black } else { Side::White };
        let place = place(end.outcome, side);
        meeting.score[place] += 1;
        if self.games_per_unit == 2 {
            meeting.pair(fixture.unit, 2 - place);
        }
    }

    /// Games that were stopped at the limit of plies.
    #[must_use]
    pub const fn capped(&self) -> u64 {
        self.causes[Cause::PlyCap as usize]
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

    /// The games, by pairs where there are pairs.
    #[must_use]
    pub fn sample(&self) -> Sample {
        Point { score: self.score, pairs: self.pairs }.sample()
    }
}

/// 0 for a win of this side, 1 for a draw, 2 for a loss.
fn place(outcome: Outcome, side: Side) -> usize {
    (1 - worth(outcome, side)) as usize
}
