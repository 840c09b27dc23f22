//! A move as a player writes it, before its legality is known.

use crate::square::{Role, Square};
use std::fmt;

/// The two ways to castle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wing {
    /// `O-O`.
    KingSide,
    /// `O-O-O`.
    QueenSide,
}

impl Wing {
    /// Castling on this wing, as records write it.
    #[must_use]
    pub const fn letters(self) -> &'static str {
        match self {
            Self::KingSide => "O-O",
            Self::QueenSide => "O-O-O",
        }
    }

    /// The wing of a castling, as programs write it: in capitals, small letters or zeros.
    #[must_use]
    pub fn of_letters(text: &str) -> Option<Self> {
        match text {
            "O-O" | "o-o" | "0-0" => Some(Self::KingSide),
            "O-O-O" | "o-o-o" | "0-0-0" => Some(Self::QueenSide),
            _ => None,
        }
    }
}

/// A move as written in short algebraic notation: the kind of piece and its arrival square, with as much of the origin
/// as the writer chose to give.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    /// The kind of piece that moves.
    pub role: Role,
    /// The file of the origin, if it is written.
    pub file: Option<u8>,
    /// The rank of the origin, if it is written.
    pub rank: Option<u8>,
    /// Whether the capture mark `x` is written.
    pub capture: bool,
    /// The arrival square.
    pub to: Square,
    /// The kind that the piece promotes to, if it is written.
    pub promotion: Option<Role>,
    /// The board and level where it arrives.
    pub arrival: Arrival,
}

/// The board and level where a piece arrives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Arrival {
    /// On the first level of its own board.
    #[default]
    Here,
    /// On the second level, `Nd2^`.
    Above,
    /// On the linked board with this index, `Nb6/B`.
    Beside(u16),
}

/// What an act did that both sides let stand, legal or not (GEN-9).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StandingAct {
    /// A piece was moved.
    Moved {
        /// The square that it left.
        from: Square,
        /// The square that it went to.
        to: Square,
        /// The board and level where it arrived.
        arrival: Arrival,
        /// What it was promoted to.
        promotion: Option<Role>,
    },
    /// King and rook were moved as in castling.
    Castled(Wing),
    /// A piece was dropped from the hand.
    Dropped {
        /// Its kind.
        role: Role,
        /// The square on which it was put.
        to: Square,
    },
    /// The turn passed, and nothing was moved.
    Passed,
}

impl StandingAct {
    /// A piece was moved on its board, and remained what it was.
    #[must_use]
    pub const fn moved(from: Square, to: Square) -> Self {
        Self::Moved {
            from,
            to,
            arrival: Arrival::Here,
            promotion: None,
        }
    }
}

impl Pattern {
    /// The shortest pattern of a move on one board: it names the file of a pawn that captures, and nothing else of the
    /// origin.
    #[inline]
    #[must_use]
    pub fn of(role: Role, from: Square, capture: bool, to: Square) -> Self {
        let file = (role == Role::Pawn && capture).then_some(from.file);
        Self {
            role,
            file,
            rank: None,
            capture,
            to,
            promotion: None,
            arrival: Arrival::Here,
        }
    }

    /// Whether a piece on `from` may be the one that is meant.
    #[must_use]
    pub fn may_start_on(&self, from: Square) -> bool {
        self.file.is_none_or(|file| file == from.file)
            && self.rank.is_none_or(|rank| rank == from.rank)
    }

    /// The first form of the pattern for which `alone` returns true, of these: without origin, with the file, with the
    /// rank, with both.
    #[inline]
    #[must_use]
    pub fn shortest(self, from: Square, alone: impl FnMut(&Self) -> bool) -> Self {
        let by_file = Self {
            file: Some(from.file),
            ..self
        };
        let by_rank = Self {
            rank: Some(from.rank),
            ..self
        };
        let both = Self {
            rank: Some(from.rank),
            ..by_file
        };
        [self, by_file, by_rank]
            .into_iter()
            .find(alone)
            .unwrap_or(both)
    }

    /// The origin, if it is written in full.
    #[must_use]
    pub fn origin(&self) -> Option<Square> {
        Some(Square::new(self.file?, self.rank?))
    }
}

/// Everything that the text of a ply can say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Written {
    /// A move of a piece on its board.
    Move(Pattern),
    /// Castling.
    Castle(Wing),
    /// A piece dropped from the hand, `R@c3`.
    Drop {
        /// The kind of piece.
        role: Role,
        /// The square.
        to: Square,
    },
    /// A piece dropped from the hand as if it were promoted, `S@c3=G`, which no rule allows.
    PromotedDrop {
        /// The kind of piece.
        role: Role,
        /// The square.
        to: Square,
    },
    /// The pass `--`.
    Pass,
}

/// The letters of a linked board by its index: `A` for the first, `AA` after `Z`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardName(pub usize);

impl fmt::Display for BoardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 >= 26 {
            Self(self.0 / 26 - 1).fmt(f)?;
        }
        // A remainder below 26 gives a letter.
        write!(f, "{}", char::from(b'A' + (self.0 % 26) as u8))
    }
}
