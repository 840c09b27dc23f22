//! The names of boards side by side.

use overboard_rules::{
    game::{BoardId, Game, Refusal},
    ply::BoardName,
    rule::Rule,
};
use std::fmt;

/// One of linked boards, or all of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LinkedBoard {
    /// All boards together.
    All,
    /// The board with this index; A has 0.
    One(u16),
}

impl LinkedBoard {
    /// The board with this index. Boards beyond the last name share it.
    #[must_use]
    pub fn of(board: usize) -> Self {
        Self::One(u16::try_from(board).unwrap_or(u16::MAX))
    }

    /// The index of a board, if there are so many.
    pub(crate) fn index(self, boards: usize) -> Option<usize> {
        match self {
            Self::One(board) if usize::from(board) < boards => Some(board.into()),
            _ => None,
        }
    }
}

impl BoardId for LinkedBoard {
    const WHOLE: Self = Self::All;
}

impl fmt::Display for LinkedBoard {
    /// The letters of the board; empty for all of them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::One(board) => BoardName(usize::from(*board)).fmt(f),
        }
    }
}

/// Why nothing can be played on a board that is not there, or on all together.
pub(crate) fn no_such<G: Game<Board = LinkedBoard>>(
    at: LinkedBoard,
    boards: usize,
    rule: &'static Rule,
) -> Box<Refusal<G>> {
    let words = match at {
        LinkedBoard::All => "on which board? A ply is made on one of them".to_string(),
        LinkedBoard::One(_) => format!("there is no board {at}; there are {boards} boards"),
    };
    Box::new(Refusal::new(words, rule, at))
}
