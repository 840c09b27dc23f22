//! What is known before a round is paired: the teams, their histories, and which of them are present.

use super::settings::Settings;
use crate::{
    ids::{RoundNo, TeamNo},
    points::Points,
    team::Colour,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What is to be paired: the round after the teams' histories.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NextRound {
    /// The regulations of the event.
    pub settings: Settings,
    /// Every team of the event, in any order, including those that are absent or have withdrawn.
    pub teams: Vec<Team>,
    /// Pairs that may not meet in this round, whatever they have played, in any order.
    #[serde(default)]
    pub forbidden: Vec<(TeamNo, TeamNo)>,
}

/// A team and its history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Team {
    /// Its pairing number (1.1).
    pub tpn: TeamNo,
    /// Whether it takes part in the next round.
    pub presence: Presence,
    /// The rounds so far, round 1 first, without gaps.
    pub history: Vec<Past>,
    /// Virtual points of the acceleration (C.04.7), index 0 for round 1; rounds beyond the list have 0.
    #[serde(default)]
    pub virtual_points: Vec<Points>,
}

/// Whether a team takes part in the next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// It is to be paired.
    Present,
    /// It has arrived, but requested a bye for this round, is absent, or has withdrawn.
    Absent,
    /// It has not arrived yet. Until it does, its number does not count (C.04.2 2.4).
    NotArrived,
}

/// One round of one team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Past {
    /// What happened.
    pub event: Event,
    /// Match points of the round, including penalties and bonuses.
    pub match_points: Points,
    /// Game points of the round (kings in StrategiChess), including penalties and bonuses.
    pub game_points: Points,
}

/// What happened to a team in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Event {
    /// A match in which at least one board was played.
    Played {
        /// The other team.
        opponent: TeamNo,
        /// The colour of the first board, as scheduled.
        colour: Colour,
    },
    /// A match that was won because the other team forfeited all of it.
    ForfeitWin {
        /// The team that did not play.
        opponent: TeamNo,
    },
    /// A match that was lost because the team forfeited all of it.
    ForfeitLoss {
        /// The team that was there.
        opponent: TeamNo,
    },
    /// A match that neither team played.
    DoubleForfeit {
        /// The other team that was not there.
        opponent: TeamNo,
    },
    /// The pairing-allocated bye (1.4).
    PairingBye,
    /// A full-point bye.
    FullBye,
    /// A half-point bye.
    HalfBye,
    /// Not paired, for whatever reason: a zero-point bye, withdrawn, not yet entered.
    Absent,
}

impl Event {
    /// The team it was paired with, whether the match was played or not.
    #[must_use]
    pub const fn opponent(self) -> Option<TeamNo> {
        match self {
            Self::Played { opponent, .. }
            | Self::ForfeitWin { opponent }
            | Self::ForfeitLoss { opponent }
            | Self::DoubleForfeit { opponent } => Some(opponent),
            Self::PairingBye | Self::FullBye | Self::HalfBye | Self::Absent => None,
        }
    }

    /// What the other team's history must contain, if this one is right.
    const fn mirrored(self, me: TeamNo) -> Option<Self> {
        match self {
            Self::Played { colour, .. } => Some(Self::Played {
                opponent: me,
                colour: colour.other(),
            }),
            Self::ForfeitWin { .. } => Some(Self::ForfeitLoss { opponent: me }),
            Self::ForfeitLoss { .. } => Some(Self::ForfeitWin { opponent: me }),
            Self::DoubleForfeit { .. } => Some(Self::DoubleForfeit { opponent: me }),
            Self::PairingBye | Self::FullBye | Self::HalfBye | Self::Absent => None,
        }
    }
}

/// The most teams that can be paired: time and memory grow with the square of their number.
pub const MOST_TEAMS: usize = 4096;

/// Why a field cannot be paired.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NextRoundError {
    /// More teams than [`MOST_TEAMS`].
    #[error("{0} teams are more than the {MOST_TEAMS} that can be paired")]
    TooMany(usize),
    /// A team has the number 0; numbers start at 1.
    #[error("team number 0: numbers start at 1")]
    NumberZero,
    /// A number is given twice.
    #[error("team number {0} is given twice")]
    SameNumber(TeamNo),
    /// Histories have different lengths.
    #[error("team {team} has a history of {found} rounds, others have {expected}")]
    Length {
        /// The team.
        team: TeamNo,
        /// Rounds of its history.
        found: usize,
        /// Rounds of the first team's history.
        expected: usize,
    },
    /// All rounds have been played.
    #[error("all {0} rounds have been paired")]
    Over(u16),
    /// A history names an opponent that does not exist.
    #[error("team {team}, round {round}: there is no team {opponent}")]
    Unknown {
        /// The team.
        team: TeamNo,
        /// The round.
        round: RoundNo,
        /// The number that no team has.
        opponent: TeamNo,
    },
    /// Two histories contradict each other.
    #[error(
        "round {round}: the histories of team {team} and team {opponent} contradict each other"
    )]
    Contradiction {
        /// The team.
        team: TeamNo,
        /// The round.
        round: RoundNo,
        /// The other team.
        opponent: TeamNo,
    },
    /// A forbidden pair names a team that does not exist.
    #[error("forbidden pair {0}-{1}: there is no such pair of teams")]
    ForbiddenPair(TeamNo, TeamNo),
    /// Acceleration is set although game points are the primary score.
    #[error("no acceleration where game points are the primary score (C.04.7 1.4.4)")]
    Acceleration,
}

impl NextRound {
    /// The round that is to be paired.
    #[must_use]
    pub fn round(&self) -> RoundNo {
        RoundNo::at(self.teams.first().map_or(0, |team| team.history.len()))
    }

    /// Checks the field.
    ///
    /// # Errors
    /// The first [`NextRoundError`] in the order of the teams.
    pub fn validate(&self) -> Result<(), NextRoundError> {
        if self.teams.len() > MOST_TEAMS {
            return Err(NextRoundError::TooMany(self.teams.len()));
        }
        let teams = self.by_number()?;
        self.validate_rounds()?;
        for team in &self.teams {
            for (index, past) in team.history.iter().enumerate() {
                validate_round(&teams, team.tpn, index, past.event)?;
            }
        }
        let there = |tpn: TeamNo| teams.binary_search_by_key(&tpn, |team| team.tpn).is_ok();
        for (a, b) in self.forbidden.iter().copied() {
            if a == b || !there(a) || !there(b) {
                return Err(NextRoundError::ForbiddenPair(a, b));
            }
        }
        Ok(())
    }

    /// The teams ordered by number.
    fn by_number(&self) -> Result<Vec<&Team>, NextRoundError> {
        let mut teams: Vec<_> = self.teams.iter().collect();
        teams.sort_by_key(|team| team.tpn);
        if teams.first().is_some_and(|team| team.tpn.get() == 0) {
            return Err(NextRoundError::NumberZero);
        }
        match teams.windows(2).find(|pair| pair[0].tpn == pair[1].tpn) {
            Some(pair) => Err(NextRoundError::SameNumber(pair[0].tpn)),
            None => Ok(teams),
        }
    }

    fn validate_rounds(&self) -> Result<(), NextRoundError> {
        let expected = self.round().index();
        if expected >= usize::from(self.settings.rounds) {
            return Err(NextRoundError::Over(self.settings.rounds));
        }
        for team in &self.teams {
            let found = team.history.len();
            if found != expected {
                return Err(NextRoundError::Length {
                    team: team.tpn,
                    found,
                    expected,
                });
            }
        }
        let accelerated = self
            .teams
            .iter()
            .flat_map(|team| &team.virtual_points)
            .any(|p| p.0 != 0);
        if accelerated && !self.settings.primary_is_match_points() {
            return Err(NextRoundError::Acceleration);
        }
        Ok(())
    }
}

/// Checks that the other team's history agrees about a round.
fn validate_round(
    teams: &[&Team],
    team: TeamNo,
    index: usize,
    event: Event,
) -> Result<(), NextRoundError> {
    let Some(opponent) = event.opponent() else {
        return Ok(());
    };
    let round = RoundNo::at(index);
    let Ok(place) = teams.binary_search_by_key(&opponent, |team| team.tpn) else {
        return Err(NextRoundError::Unknown {
            team,
            round,
            opponent,
        });
    };
    let theirs = teams[place].history.get(index).map(|past| past.event);
    if opponent == team || theirs != event.mirrored(team) {
        return Err(NextRoundError::Contradiction {
            team,
            round,
            opponent,
        });
    }
    Ok(())
}
