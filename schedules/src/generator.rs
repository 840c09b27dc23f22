//! Random team events: teams of random strength, results by strength, random absences and forfeits.
//!
//! The same seed and number give the same event on every machine: random numbers come from ChaCha with eight
//! rounds, and expected scores from a table of integers, since floating point may differ in the last bit.

use crate::{
    ids::TeamNo,
    lots::below,
    points::Points,
    swiss_team::{
        acceleration::baku,
        next_round::{Event, NextRound, Past, Presence, Team},
        pairing::{Match, Pairing},
        settings::Settings,
    },
    team::Colour,
    tiebreak::rating::expected,
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use serde::{Deserialize, Serialize};

/// What kind of events to generate. Rates are per thousand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// The regulations.
    pub settings: Settings,
    /// The number of teams.
    pub teams: u16,
    /// The boards of a match.
    pub boards: u16,
    /// Rate of draws among boards.
    pub draws: u16,
    /// Rate of matches that a team forfeits.
    pub forfeits: u16,
    /// Rate of rounds for which a team asks for a half-point or a zero-point bye.
    pub byes: u16,
    /// Rate of teams that arrive after round 1.
    pub late: u16,
    /// Rate of rounds before which a team withdraws.
    pub withdrawals: u16,
    /// Pairs of teams kept apart for the whole event.
    pub forbidden: u16,
    /// Whether the first half of the field is accelerated (C.04.7).
    pub acceleration: bool,
}

impl Plan {
    /// An event without absences, forfeits and forbidden pairs.
    #[must_use]
    pub fn plain(settings: Settings, teams: u16, boards: u16) -> Self {
        Self {
            settings,
            teams,
            boards,
            draws: 300,
            forfeits: 0,
            byes: 0,
            late: 0,
            withdrawals: 0,
            forbidden: 0,
            acceleration: false,
        }
    }
}

/// A random event, played round by round.
#[derive(Clone, Debug)]
pub struct RandomEvent {
    plan: Plan,
    chance: ChaCha8Rng,
    field: NextRound,
    /// By number; the strongest have the smallest numbers.
    strengths: Vec<u16>,
    withdrawn: Vec<bool>,
    /// Rounds that each team misses at the start.
    arrivals: Vec<usize>,
    /// The byes asked for in the next round.
    asked: Vec<Event>,
}

impl RandomEvent {
    /// The event of a plan, seed and number, before its first round.
    #[must_use]
    pub fn new(plan: Plan, seed: u64, number: u64) -> Self {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        chance.set_stream(number);
        let teams = usize::from(plan.teams);
        let mut event = Self {
            field: NextRound {
                settings: plan.settings.clone(),
                teams: Vec::new(),
                forbidden: Vec::new(),
            },
            chance,
            strengths: Vec::new(),
            withdrawn: vec![false; teams],
            arrivals: vec![0; teams],
            asked: vec![Event::Absent; teams],
            plan,
        };
        event.enter_teams();
        event.forbid_pairs();
        event.announce();
        event
    }

    /// What is known before the next round: the input of its pairing.
    #[must_use]
    pub fn field(&self) -> &NextRound {
        &self.field
    }

    /// The strengths by number, as ratings.
    #[must_use]
    pub fn strengths(&self) -> &[u16] {
        &self.strengths
    }

    /// Whether all rounds have been played.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.field.round().get() > u32::from(self.plan.settings.rounds)
    }

    /// Plays a round that has been paired, and decides which teams are present in the next one.
    pub fn play(&mut self, pairing: &Pairing) {
        let mut round: Vec<Past> = self
            .asked
            .iter()
            .map(|event| self.unplayed(*event))
            .collect();
        if let Some(bye) = pairing.bye {
            round[bye.index()] = self.unplayed(Event::PairingBye);
        }
        for game in &pairing.matches {
            let (white, black) = self.play_match(game);
            round[game.white.index()] = white;
            round[game.black.index()] = black;
        }
        for (team, past) in self.field.teams.iter_mut().zip(round) {
            team.history.push(past);
        }
        self.announce();
    }

    /// A random number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        below(&mut self.chance, bound)
    }

    /// Whether an event of this rate per thousand happens.
    fn happens(&mut self, rate: u16) -> bool {
        rate > 0 && self.below(1000) < usize::from(rate)
    }

    fn enter_teams(&mut self) {
        self.strengths = (0..self.plan.teams)
            .map(|_| 1400 + self.below(1200) as u16)
            .collect();
        self.strengths.sort_unstable_by(|a, b| b.cmp(a));
        let teams = usize::from(self.plan.teams);
        for team in 0..teams {
            if self.happens(self.plan.late) {
                self.arrivals[team] = 1 + self.below(2);
            }
            let mut virtual_points = Vec::new();
            if self.plan.acceleration {
                let rounds = self.plan.settings.rounds;
                virtual_points = baku(team, teams, rounds, Points::whole(2), Points::whole(1));
            }
            self.field.teams.push(Team {
                tpn: TeamNo::at(team),
                presence: Presence::Present,
                history: Vec::new(),
                virtual_points,
            });
        }
    }

    fn forbid_pairs(&mut self) {
        let teams = usize::from(self.plan.teams);
        for _ in 0..self.plan.forbidden {
            let (a, b) = (self.below(teams), self.below(teams));
            if a != b {
                self.field.forbidden.push((TeamNo::at(a), TeamNo::at(b)));
            }
        }
    }

    /// Decides which teams are present in the next round.
    fn announce(&mut self) {
        let round = self.field.round();
        for team in 0..self.field.teams.len() {
            let arrived = round.get() as usize > self.arrivals[team];
            let withdraws = self.happens(self.plan.withdrawals);
            self.withdrawn[team] |= arrived && withdraws;
            let asks = self.happens(self.plan.byes);
            let kinds = [
                Event::HalfBye,
                Event::HalfBye,
                Event::Absent,
                Event::FullBye,
            ];
            let kind = kinds[self.below(kinds.len())];
            let is_in = arrived && !self.withdrawn[team];
            self.asked[team] = if is_in { kind } else { Event::Absent };
            self.field.teams[team].presence = if !arrived {
                Presence::NotArrived
            } else if is_in && !asks {
                Presence::Present
            } else {
                Presence::Absent
            };
        }
    }

    /// What a team gets for a round in which it did not play: a win, a draw, or nothing.
    fn unplayed(&self, event: Event) -> Past {
        let boards = i32::from(self.plan.boards);
        let (match_points, game_points) = match event {
            Event::ForfeitWin { .. } | Event::FullBye => (Points::whole(2), Points::whole(boards)),
            Event::PairingBye | Event::HalfBye => (Points::whole(1), Points(5 * boards)),
            _ => (Points(0), Points(0)),
        };
        Past {
            event,
            match_points,
            game_points,
        }
    }

    fn play_match(&mut self, game: &Match) -> (Past, Past) {
        let rate = self.plan.forfeits;
        let (white, black) = (game.white, game.black);
        let (no_white, no_black) = (self.happens(rate), self.happens(rate));
        let (for_white, for_black) = match (no_white, no_black) {
            (false, false) => return self.play_boards(white, black),
            (true, false) => (
                Event::ForfeitLoss { opponent: black },
                Event::ForfeitWin { opponent: white },
            ),
            (false, true) => (
                Event::ForfeitWin { opponent: black },
                Event::ForfeitLoss { opponent: white },
            ),
            (true, true) => (
                Event::DoubleForfeit { opponent: black },
                Event::DoubleForfeit { opponent: white },
            ),
        };
        (self.unplayed(for_white), self.unplayed(for_black))
    }

    fn play_boards(&mut self, white: TeamNo, black: TeamNo) -> (Past, Past) {
        let strength = |team: TeamNo| i64::from(self.strengths[team.index()]);
        let expected = expected(strength(white) - strength(black)) as usize;
        let boards = i32::from(self.plan.boards);
        let points: i32 = (0..boards).map(|_| self.play_board(expected)).sum();
        let half = 5 * boards;
        let won = |own: i32| Points::whole(1 + (own - half).signum());
        let past = |own: i32, opponent: TeamNo, colour: Colour| Past {
            event: Event::Played { opponent, colour },
            match_points: won(own),
            game_points: Points(own),
        };
        (
            past(points, black, Colour::White),
            past(2 * half - points, white, Colour::Black),
        )
    }

    /// The result of one board, in tenths of a point, for a side with this expected percentage.
    fn play_board(&mut self, expected: usize) -> i32 {
        if self.happens(self.plan.draws) {
            5
        } else if self.below(100) < expected {
            10
        } else {
            0
        }
    }
}
