//! A position of any game, for those who ask before they know which.

use crate::{
    draw::Panel,
    header::Game,
    notation::{Notation, Unusable},
    san::MoveText,
};
use overboard_rules::{
    chess::Chess,
    olympic::Olympic,
    outcome::{Cause, Outcome},
    perft,
    position::Position,
    square::Side,
};

/// A legal position of one of the games whose rules are here.
#[derive(Clone, Debug)]
pub enum AnyPosition {
    /// Of orthodox chess.
    Chess(Chess),
    /// Of Olympic Chess.
    Olympic(Olympic),
}

impl From<Chess> for AnyPosition {
    fn from(position: Chess) -> Self {
        Self::Chess(position)
    }
}

impl From<Olympic> for AnyPosition {
    fn from(position: Olympic) -> Self {
        Self::Olympic(position)
    }
}

/// Does the same whatever the game.
macro_rules! whichever {
    ($any:expr, $position:ident => $what:expr) => {
        match $any {
            AnyPosition::Chess($position) => $what,
            AnyPosition::Olympic($position) => $what,
        }
    };
}

/// A legal ply in both its spellings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listed {
    /// In coordinates.
    pub coord: MoveText,
    /// As SAN, with its sign.
    pub san: MoveText,
}

impl Listed {
    /// A number that grows as the coordinates do in byte order.
    fn key(&self) -> u128 {
        let mut bytes = [0; 16];
        bytes[..self.coord.len()].copy_from_slice(self.coord.as_bytes());
        u128::from_be_bytes(bytes)
    }
}

/// What a position is by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    /// One of `ongoing check mate stalemate dead seventyfive repetition kingfall megamate
    /// megastalemate kingscounted`.
    pub word: &'static str,
    /// Its outcome, where it ends the game.
    pub outcome: Option<Outcome>,
}

impl AnyPosition {
    /// Whether the rules of a game are here.
    #[must_use]
    pub const fn knows(game: Game) -> bool {
        matches!(game, Game::Chess | Game::Olympic)
    }

    /// The position from which a game starts; `None` where its rules are not here.
    #[must_use]
    pub fn start(game: Game) -> Option<Self> {
        match game {
            Game::Chess => Some(Self::Chess(Chess::default())),
            Game::Olympic => Some(Self::Olympic(Olympic::default())),
            _ => None,
        }
    }

    /// The game that it is a position of.
    #[must_use]
    pub const fn game(&self) -> Game {
        match self {
            Self::Chess(_) => Game::Chess,
            Self::Olympic(_) => Game::Olympic,
        }
    }

    /// Reads a position of this one's game; answers also whether its form had to be forgiven.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is no position.
    pub fn read(&self, fen: &str) -> Result<(Self, bool), Unusable> {
        Ok(match self {
            Self::Chess(_) => Chess::read(fen).map(|(position, lenient)| (Self::Chess(position), lenient))?,
            Self::Olympic(_) => {
                Olympic::read(fen).map(|(position, lenient)| (Self::Olympic(position), lenient))?
            }
        })
    }

    /// The position as FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        whichever!(self, position => position.fen())
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Side {
        whichever!(self, position => position.turn())
    }

    /// What the position is by itself (GEN-11).
    #[must_use]
    pub fn status(&self) -> Status {
        whichever!(self, position => status(position))
    }

    /// Writes the legal plies into `list`, in byte order of their coordinates; none in a position that
    /// has ended (GEN-11).
    pub fn list_into(&self, list: &mut Vec<Listed>) {
        list.clear();
        if whichever!(self, position => position.ending().is_none()) {
            self.plies_into(list);
        }
    }

    /// The same, also behind an end by count or dead position, where lines of play go on (GEN-6).
    pub fn plies_into(&self, list: &mut Vec<Listed>) {
        list.clear();
        whichever!(self, position => position.for_each_legal(|m| {
            list.push(Listed { coord: position.coordinates(m), san: position.san(m) });
        }));
        list.sort_unstable_by_key(Listed::key);
    }

    /// The legal ply of these coordinates as SAN, and the position behind it; `None` where there is no
    /// such ply.
    #[must_use]
    pub fn played(&self, coordinates: &str) -> Option<(MoveText, Self)> {
        whichever!(self, position => {
            let m = position.at(coordinates)?;
            Some((position.san(m), Self::from(position.after(m))))
        })
    }

    /// The position behind each legal ply, in byte order of their coordinates, also behind an end by
    /// count or dead position (GEN-6).
    #[must_use]
    pub fn branches(&self) -> Vec<(MoveText, Self)> {
        let mut branches = Vec::with_capacity(64);
        whichever!(self, position => position.for_each_legal(|m| {
            branches.push((position.coordinates(m), Self::from(position.after(m))));
        }));
        branches.sort_unstable_by(|(a, _), (b, _)| a.as_bytes().cmp(b.as_bytes()));
        branches
    }

    /// Number of the move to come.
    #[must_use]
    pub fn fullmove(&self) -> u32 {
        whichever!(self, position => position.fullmove())
    }

    /// The board, to be drawn.
    #[must_use]
    pub fn panel(&self) -> Panel {
        whichever!(self, position => position.panel())
    }

    /// How many lines of so many plies there are (GEN-6).
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        whichever!(self, position => perft::perft(position, depth))
    }
}

fn status<P: Notation>(position: &P) -> Status {
    let Some(ruling) = position.ending() else {
        return Status { word: if position.in_check() { "check" } else { "ongoing" }, outcome: None };
    };
    let word = match ruling.cause {
        Cause::Checkmate => "mate",
        Cause::Stalemate => "stalemate",
        Cause::DeadPosition => "dead",
        Cause::SeventyFiveMoves => "seventyfive",
        _ => "repetition",
    };
    Status { word, outcome: Some(ruling.outcome) }
}
