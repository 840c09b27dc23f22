//! An event as the input of standings: every participant's scores against every opponent.

use crate::{ids::TeamNo, points::Points, team::Colour};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Pairing systems as far as they decide what an unplayed round means (C.07, articles 15 and 16).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum System {
    /// Each participant plays some of the others.
    Swiss,
    /// Each participant plays all others, or all of another group.
    RoundRobin,
    /// The loser is eliminated.
    Knockout,
}

/// Editions of the tie-break regulations (C.07).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Edition {
    /// In force from 1 August 2024.
    Of2024,
    /// In force from 1 March 2026.
    Of2026,
}

/// One of the two scores of a team. A single player has one score, which serves as both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Match points.
    #[default]
    Match,
    /// Game points.
    Game,
}

impl Score {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Match => Self::Game,
            Self::Game => Self::Match,
        }
    }
}

/// Of match points and of game points one each. In files it is a list of two in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "[T; 2]"))]
#[serde(from = "[T; 2]", into = "[T; 2]")]
pub struct ByScore<T: Clone> {
    /// That of match points.
    pub matches: T,
    /// That of game points.
    pub games: T,
}

impl<T: Copy> ByScore<T> {
    /// The same for both.
    #[must_use]
    pub const fn both(one: T) -> Self {
        Self {
            matches: one,
            games: one,
        }
    }

    /// That of one score.
    #[must_use]
    pub const fn of(self, score: Score) -> T {
        match score {
            Score::Match => self.matches,
            Score::Game => self.games,
        }
    }

    /// What a function makes of each.
    #[must_use]
    pub fn map<U: Clone>(self, change: impl Fn(T) -> U) -> ByScore<U> {
        ByScore {
            matches: change(self.matches),
            games: change(self.games),
        }
    }
}

impl ByScore<Points> {
    /// No points.
    pub const ZERO: Self = Self::both(Points::ZERO);
}

impl AddAssign for ByScore<Points> {
    fn add_assign(&mut self, other: Self) {
        self.matches += other.matches;
        self.games += other.games;
    }
}

impl<T: Clone> From<[T; 2]> for ByScore<T> {
    fn from([matches, games]: [T; 2]) -> Self {
        Self { matches, games }
    }
}

impl<T: Clone> From<ByScore<T>> for [T; 2] {
    fn from(both: ByScore<T>) -> Self {
        [both.matches, both.games]
    }
}

/// What happened to a participant in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A match or game over the board.
    Played,
    /// The opponent did not come.
    ForfeitWin,
    /// The participant did not come, or neither did.
    ForfeitLoss,
    /// The pairing-allocated bye.
    Pab,
    /// A bye worth a win.
    FullBye,
    /// A bye worth a draw.
    HalfBye,
    /// Absent with notice, withdrawn, or not yet entered.
    ZeroBye,
    /// The free round of an odd field in which everyone has one.
    Free,
}

impl Kind {
    /// Whether it is a requested bye (16.1).
    #[must_use]
    pub const fn is_requested(self) -> bool {
        matches!(self, Self::HalfBye | Self::ZeroBye)
    }

    /// Whether it is a voluntarily unplayed round (16.1).
    #[must_use]
    pub const fn is_voluntary(self) -> bool {
        self.is_requested() || matches!(self, Self::ForfeitLoss)
    }

    /// Whether it is a forfeit, won or lost.
    #[must_use]
    pub const fn is_forfeit(self) -> bool {
        matches!(self, Self::ForfeitWin | Self::ForfeitLoss)
    }
}

/// A participant's round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundEntry {
    /// What happened.
    pub kind: Kind,
    /// The opponent, by index in [`Tournament::rows`], even if it did not come.
    pub opponent: Option<usize>,
    /// The colour; for a team that on board 1.
    pub colour: Option<Colour>,
    /// The points of the round.
    pub scores: ByScore<Points>,
    /// Game points on each board, board 1 first; empty if boards do not count.
    pub boards: Vec<Points>,
    /// Own kings or sub-games, and the opponent's, if they were counted.
    pub tally: Option<[Points; 2]>,
}

/// A participant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// Pairing number.
    pub number: TeamNo,
    /// Rating, or a team's strength.
    pub rating: Option<u32>,
    /// Rounds from the first.
    pub rounds: Vec<RoundEntry>,
    /// Points given or deducted apart from the rounds.
    pub extra: ByScore<Points>,
}

/// A result as it is for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "they say what they are")]
pub enum SideResult {
    Win,
    Draw,
    Loss,
}

/// Points for a win, a draw and a loss. In files they are a list in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "[Points; 3]", into = "[Points; 3]")]
pub struct Worth {
    /// For a win; in game points: for all boards won.
    pub win: Points,
    /// For a draw.
    pub draw: Points,
    /// For a loss.
    pub loss: Points,
}

impl Worth {
    /// The points for a result.
    #[must_use]
    pub const fn of(self, result: SideResult) -> Points {
        match result {
            SideResult::Win => self.win,
            SideResult::Draw => self.draw,
            SideResult::Loss => self.loss,
        }
    }

    /// The points for the same result `times` times.
    #[must_use]
    pub const fn times(self, times: i32) -> Self {
        Self {
            win: self.win.times(times),
            draw: self.draw.times(times),
            loss: self.loss.times(times),
        }
    }
}

impl From<[Points; 3]> for Worth {
    fn from([win, draw, loss]: [Points; 3]) -> Self {
        Self { win, draw, loss }
    }
}

impl From<Worth> for [Points; 3] {
    fn from(Worth { win, draw, loss }: Worth) -> Self {
        [win, draw, loss]
    }
}

/// An event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tournament {
    /// What unplayed rounds mean.
    pub system: System,
    /// The regulations.
    pub edition: Edition,
    /// Rounds that are scheduled in all.
    pub rounds: u32,
    /// The score that comes first.
    pub primary: Score,
    /// Whether the participants are teams.
    pub teams: bool,
    /// What a match is worth.
    pub worth: ByScore<Worth>,
    /// Whether Fore Buchholz (8.3) also counts a forfeit of the last round as a draw; the text speaks of games.
    pub fore_forfeits: bool,
    /// The participants.
    pub rows: Vec<Entrant>,
}

impl RoundEntry {
    /// The points of one kind.
    #[must_use]
    pub const fn score(&self, score: Score) -> Points {
        self.scores.of(score)
    }
}

impl Tournament {
    /// What a match is worth.
    #[must_use]
    pub const fn worth(&self, score: Score) -> Worth {
        self.worth.of(score)
    }

    /// A participant's points.
    #[must_use]
    pub fn total(&self, row: usize, score: Score) -> Points {
        let row = &self.rows[row];
        row.extra.of(score) + row.rounds.iter().map(|entry| entry.score(score)).sum()
    }

    /// Whether a round counts as played under article 15: with `forfeits`, or in a round robin (15.2), a
    /// forfeit does.
    #[must_use]
    pub fn counts(&self, entry: &RoundEntry, forfeits: bool) -> bool {
        let ordinary = forfeits || self.system != System::Swiss;
        entry.kind == Kind::Played
            || (ordinary && entry.kind.is_forfeit() && entry.opponent.is_some())
    }

    /// A participant's points as opponents' tie-breaks count them (16.3): requested byes count as a draw each if no
    /// later round was played.
    #[must_use]
    pub fn adjusted(&self, row: usize, score: Score) -> Points {
        let total = self.total(row, score);
        if self.system != System::Swiss {
            return total;
        }
        let mut adjusted = total;
        for entry in self.rows[row].rounds.iter().rev() {
            if !entry.kind.is_voluntary() {
                break;
            }
            if entry.kind.is_requested() {
                adjusted += self.worth(score).draw - entry.score(score);
            }
        }
        adjusted
    }
}
