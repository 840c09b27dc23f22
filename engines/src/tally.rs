//! The results of a batch so far.

use crate::{
    ending::{End, half_points},
    manifest::{Fixture, Manifest},
    stats::{Counter, Decision, Sprt, Wdl},
};
use overboard_rules::{outcome::Cause, square::Side};
use std::collections::BTreeMap;

/// Counts of a batch's games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The number of games.
    pub games: u64,
    /// The total of their plies.
    pub plies: u64,
    /// The plies of the longest game.
    pub longest: u32,
    /// White's games.
    pub results: Wdl,
    /// Games by why they ended, in the order of [`Cause::ALL`].
    pub causes: [u64; Cause::ALL.len()],
    /// Each pairing, in the order of [`Manifest::pairings`].
    pub meetings: Vec<Meeting>,
    /// The state of the run's test, if it has one.
    pub trial: Option<Trial>,
    /// Faults of players, by player number and the cause of the game's end.
    pub faults: BTreeMap<(usize, Cause), u64>,
    games_per_unit: u8,
}

/// A test that is evaluated after every complete unit, in order from the first of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The test.
    pub sprt: Sprt,
    /// Complete units, from the first of the run up to the first gap.
    pub units: u64,
    /// The decision, once there is one; no unit is counted from then on.
    pub decision: Option<Decision>,
}

/// Counts of one pairing, from its first player's point of view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The two, by their numbers among the players.
    pub players: [usize; 2],
    /// Their games, in pairs by unit if units have two games.
    pub games: Counter,
}

impl Tally {
    /// No games yet.
    #[must_use]
    pub fn of(manifest: &Manifest) -> Self {
        let meeting = |players| Meeting {
            players,
            games: Counter::default(),
        };
        Self {
            games: 0,
            plies: 0,
            longest: 0,
            results: Wdl::default(),
            causes: [0; Cause::ALL.len()],
            meetings: manifest.pairings().into_iter().map(meeting).collect(),
            trial: manifest.sprt.map(|sprt| Trial {
                sprt,
                units: 0,
                decision: None,
            }),
            faults: BTreeMap::new(),
            games_per_unit: manifest.games_per_unit,
        }
    }

    /// Counts a game, and the fault that ended it, if any; the games of a unit must follow one another.
    pub fn count(&mut self, fixture: &Fixture, end: End, plies: u32, fault: Option<usize>) {
        if let Some(player) = fault {
            *self.faults.entry((player, end.cause)).or_default() += 1;
        }
        self.games += 1;
        self.plies += u64::from(plies);
        self.longest = self.longest.max(plies);
        self.results.count(half_points(end.outcome, Side::White));
        self.causes[end.cause as usize] += 1;
        let meeting = (fixture.unit % self.meetings.len() as u64) as usize;
        let meeting = &mut self.meetings[meeting];
        let side = if fixture.swapped {
            Side::Black
        } else {
            Side::White
        };
        let scored = half_points(end.outcome, side);
        let is_whole = if self.games_per_unit == 1 {
            meeting.games.add(scored, None);
            true
        } else {
            meeting.games.add(scored, Some(fixture.unit))
        };
        if is_whole && let Some(trial) = &mut self.trial {
            trial.look(fixture.unit, meeting);
        }
    }

    /// Whether the run's test has decided, so that no more games are wanted.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.trial
            .as_ref()
            .is_some_and(|trial| trial.decision.is_some())
    }

    /// Games that were stopped at the limit of plies.
    #[must_use]
    pub const fn capped(&self) -> u64 {
        self.causes[Cause::PlyCap as usize]
    }

    /// Mean number of plies.
    #[must_use]
    pub fn mean_plies(&self) -> f64 {
        if self.games == 0 {
            0.0
        } else {
            self.plies as f64 / self.games as f64
        }
    }
}

impl Trial {
    /// Adds a complete unit to the test. A unit after a gap is ignored, since the test takes units in order.
    fn look(&mut self, unit: u64, meeting: &Meeting) {
        if self.decision.is_some() || unit != self.units {
            return;
        }
        self.units += 1;
        let decision = self
            .sprt
            .ratio(&meeting.games.sample())
            .map(|ratio| self.sprt.decide(ratio));
        self.decision = decision.filter(|decision| *decision != Decision::Open);
    }
}
