//! Positions as they are read from text.

use overboard_rules::{
    ply::{BoardName, Wing},
    rule::Rule,
    setup::Impossible,
    square::Square,
};
use std::{fmt, ops::Range};

/// Why a text is not a FEN, and which bytes of it are wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}")]
pub struct FenError {
    /// What was found and what was expected.
    pub what: String,
    /// The bytes concerned.
    pub bytes: Range<usize>,
}

/// Why a text is not a position to start from.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// It cannot be parsed.
    #[error("{0}")]
    Text(#[from] FenError),
    /// No game can have this position.
    #[error("no game can start from this position: {}", overboard_rules::refusal::list(.0, "and"))]
    Impossible(Vec<Impossible>),
    /// Some of several boards are impossible; each is given by its index.
    #[error("no game can start from this position: {}", overboard_rules::refusal::list(.0.iter().map(|(board, why)| format!("board {}: {why}", BoardName(*board))), "and"))]
    Boards(Vec<(usize, Impossible)>),
    /// Boards inside others cannot be like this; with the rule.
    #[error("no game can start from this position: {0}")]
    Nested(String, &'static Rule),
}

/// Something that says that no game leads to a position, which is played nevertheless, as it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    /// The board inside others on which it is, as messages name it: `board A2`; empty on the only one.
    pub on: String,
    /// What is doubtful.
    pub why: Impossible,
}

impl Doubt {
    /// What is doubtful on the board with this name.
    #[must_use]
    pub fn on(board: &str, reasons: Vec<Impossible>) -> Vec<Self> {
        let doubt = |why| Self {
            on: board.to_string(),
            why,
        };
        reasons.into_iter().map(doubt).collect()
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.on.as_str() {
            "" => write!(f, "{}", self.why),
            on => write!(f, "{on}: {}", self.why),
        }
    }
}

/// A position as it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadPosition<P> {
    /// The position.
    pub position: P,
    /// Whether the text is not in canonical form, but was accepted.
    pub lenient: bool,
    /// What says that no game leads to it.
    pub doubts: Vec<Doubt>,
}

impl<P> ReadPosition<P> {
    /// A position that a game can lead to, for all that is known.
    pub const fn of(position: P, lenient: bool) -> Self {
        Self {
            position,
            lenient,
            doubts: Vec::new(),
        }
    }

    /// The same with the position converted.
    pub fn map<Q>(self, of: impl FnOnce(P) -> Q) -> ReadPosition<Q> {
        ReadPosition {
            position: of(self.position),
            lenient: self.lenient,
            doubts: self.doubts,
        }
    }
}

/// A king that moves two squares from its home square in chess means castling.
#[must_use]
pub fn castling_of(from: Square, to: Square) -> Option<Wing> {
    if from.rank != to.rank || from.file != 4 {
        return None;
    }
    match to.file {
        6 => Some(Wing::KingSide),
        2 => Some(Wing::QueenSide),
        _ => None,
    }
}
