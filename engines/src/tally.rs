//! The results of a batch so far.

use crate::{
    ending::{End, worth},
    manifest::{Fixture, Manifest},
    stats::{Decision, Point, Sample, Sprt},
};
use overboard_rules::{
    outcome::{Cause, Outcome},
    square::Side,
};
use std::collections::BTreeMap;

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
    /// How the run's test goes, where it has one.
    pub trial: Option<Trial>,
    /// What players did wrong, by their numbers and what their games ended by.
    pub faults: BTreeMap<(usize, Cause), u64>,
    games_per_unit: u8,
}

/// A test that is looked at after every whole unit, in the order of the units from the first of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The test.
    pub sprt: Sprt,
    /// Whole units, from the first of the run, of which none is missing.
    pub units: u64,
    /// What it has decided, once it has: no unit is looked at from then on.
    pub decision: Option<Decision>,
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
            trial: manifest.sprt.map(|sprt| Trial { sprt, units: 0, decision: None }),
            faults: BTreeMap::new(),
            games_per_unit: manifest.games_per_unit,
        }
    }

    /// Counts a game, and the fault of a player that ended it; the games of a unit come one after another.
    pub fn count(&mut self, fixture: &Fixture, end: End, plies: u32, fault: Option<usize>) {
        if let Some(player) = fault {
            *self.faults.entry((player, end.cause)).or_default() += 1;
        }
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
        let is_whole = self.games_per_unit == 1 || meeting.pair(fixture.unit, 2 - place);
        if let Some(trial) = self.trial.as_mut().filter(|_| is_whole) {
            trial.look(fixture.unit, meeting);
        }
    }

    /// Whether the run's test has decided, so that no more games are wanted.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.trial.as_ref().is_some_and(|trial| trial.decision.is_some())
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

impl Trial {
    /// Looks at a unit that has become whole. One that comes after a gap says nothing: the test is of the units in
    /// their order.
    fn look(&mut self, unit: u64, meeting: &Meeting) {
        if self.decision.is_some() || unit != self.units {
            return;
        }
        self.units += 1;
        let decision = self.sprt.ratio(&meeting.sample()).map(|ratio| self.sprt.decide(ratio));
        self.decision = decision.filter(|decision| *decision != Decision::Open);
    }
}

impl Meeting {
    /// Takes a game of a pair; returns whether the pair is whole with it.
    fn pair(&mut self, unit: u64, half_points: usize) -> bool {
        match self.open.take() {
            Some((open, before)) if open == unit => {
                self.pairs[before + half_points] += 1;
                true
            }
            _ => {
                self.open = Some((unit, half_points));
                false
            }
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
