//! Participants, pairs and rounds, and how they are written.

use crate::ids::TeamNo;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A colour; the colour of a team in a match is that on its first board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl Colour {
    /// The other colour.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// Two participants who meet, by their numbers. White is the colour on a team's first board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Pair {
    /// The participant with White.
    pub white: TeamNo,
    /// The participant with Black.
    pub black: TeamNo,
}

impl Pair {
    /// A pair, White first.
    #[must_use]
    pub const fn new(white: TeamNo, black: TeamNo) -> Self {
        Self { white, black }
    }

    /// The same two with colours reversed.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            white: self.black,
            black: self.white,
        }
    }

    /// The two, the smaller number first.
    #[must_use]
    pub const fn unordered(self) -> (TeamNo, TeamNo) {
        if self.white.get() < self.black.get() {
            (self.white, self.black)
        } else {
            (self.black, self.white)
        }
    }

    /// The game of the players of these two teams on a board, from 1.
    #[must_use]
    pub const fn on_board(self, board: u32) -> Game {
        let [white, black] = [self.white, self.black];
        Game {
            white: Seat { team: white, board },
            black: Seat { team: black, board },
        }
    }

    /// The opponent of one of the two.
    #[must_use]
    pub fn opponent(self, number: TeamNo) -> Option<TeamNo> {
        if number == self.white {
            Some(self.black)
        } else if number == self.black {
            Some(self.white)
        } else {
            None
        }
    }
}

/// A round: who meets whom, in the order of the tables, and who is free.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Round {
    /// The pairs, table 1 first.
    pub pairs: Vec<Pair>,
    /// The participants without an opponent.
    pub free: Vec<TeamNo>,
}

/// A player by team and board, both from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Seat {
    /// The team's number.
    pub team: TeamNo,
    /// The player's board in the team.
    pub board: u32,
}

/// A game between two players of different teams.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Game {
    /// The player with White.
    pub white: Seat,
    /// The player with Black.
    pub black: Seat,
}

/// The colours of the White team's boards, board 1 first, as TRF record 352 writes them: `WBWB`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern(Vec<Colour>);

/// Why a text is not a pattern.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a pattern of colours such as WBWB, found `{0}`")]
pub struct PatternError(String);

impl Pattern {
    /// White and Black alternating on `boards` boards.
    #[must_use]
    pub fn alternating(boards: usize) -> Self {
        let colour = |board| {
            if board % 2 == 0 {
                Colour::White
            } else {
                Colour::Black
            }
        };
        Self((0..boards).map(colour).collect())
    }

    /// White on all of `boards` boards.
    #[must_use]
    pub fn one_side(boards: usize) -> Self {
        Self(vec![Colour::White; boards])
    }

    /// The White team's colour on a board, from 0; a pattern that is too short is repeated.
    #[must_use]
    pub fn on(&self, board: usize) -> Colour {
        self.0
            .get(board % self.0.len().max(1))
            .copied()
            .unwrap_or(Colour::White)
    }

    /// How many boards it has.
    #[must_use]
    pub fn boards(&self) -> usize {
        self.0.len()
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let colour = |letter| match letter {
            'W' | 'w' => Some(Colour::White),
            'B' | 'b' => Some(Colour::Black),
            _ => None,
        };
        let colours: Option<Vec<_>> = text.chars().map(colour).collect();
        let colours = colours.filter(|colours| !colours.is_empty() && colours.len() <= 1000);
        colours
            .map(Self)
            .ok_or_else(|| PatternError(text.chars().take(40).collect()))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|colour| f.write_str(if *colour == Colour::White { "W" } else { "B" }))
    }
}
