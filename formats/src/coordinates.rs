//! Games as lines of coordinate moves, the way engines and self-play records write them:
//! `[start position, tab] moves`, with one space between moves.

use crate::{
    any::AnyPosition,
    encoding::visible,
    header::{Game, escape},
    notation::Unusable,
    san::MoveText,
};
use overboard_rules::square::Side;
use std::fmt::{self, Write};

/// A game read from a line: where it starts, and its plies as SAN.
#[derive(Clone, Debug)]
pub struct Line {
    game: Game,
    /// FEN of the first position, where it is not the game's own.
    start: Option<String>,
    number: u32,
    side: Side,
    plies: Vec<MoveText>,
    result: Option<&'static str>,
}

/// Why a line is no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineFault {
    /// The start position cannot be used.
    #[error("{0}")]
    Start(#[from] Unusable),
    /// A word that is no legal move where it stands.
    #[error("`{word}` is no legal move in {fen}; possible: {possible}")]
    Move {
        /// The word.
        word: String,
        /// Index of its first byte.
        at: usize,
        /// The position.
        fen: String,
        /// The legal moves.
        possible: String,
    },
}

impl LineFault {
    /// Index of the first byte meant.
    #[must_use]
    pub const fn at(&self) -> usize {
        match self {
            Self::Start(Unusable::Text(fault)) => fault.bytes.start,
            Self::Start(_) => 0,
            Self::Move { at, .. } => *at,
        }
    }
}

impl Line {
    /// Reads a line of a game that starts from `first` unless the line says otherwise.
    ///
    /// # Errors
    /// A start position that cannot be used, or the first word that is no legal move.
    pub fn read(line: &str, game: Game, first: &AnyPosition) -> Result<Self, LineFault> {
        let (start, moves) =
            line.split_once('\t').map_or((None, line), |(fen, moves)| (Some(fen.trim()), moves));
        let mut position = match start {
            Some(fen) => first.read(fen)?.0,
            None => first.clone(),
        };
        let (number, side) = (position.fullmove(), position.turn());
        let start = start.map(|_| position.fen()).filter(|fen| *fen != first.fen());
        let mut plies = Vec::new();
        let mut result = None;
        let mut at = line.len() - moves.len();
        for word in moves.split(' ') {
            let trimmed = word.trim();
            match RESULTS.iter().find(|known| **known == trimmed) {
                _ if trimmed.is_empty() => {}
                Some(known) if result.is_none() => result = Some(*known),
                _ => match position.played(trimmed).filter(|_| result.is_none()) {
                    Some((san, after)) => {
                        plies.push(san);
                        position = after;
                    }
                    None => return Err(refuse(&position, trimmed, at)),
                },
            }
            at += word.len() + 1;
        }
        Ok(Self { game, start, number, side, plies, result })
    }

    /// The result that stands behind the moves.
    #[must_use]
    pub const fn result(&self) -> Option<&'static str> {
        self.result
    }

    /// Writes the game as a record with this result.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_record(&self, result: &str, out: &mut impl Write) -> fmt::Result {
        writeln!(out, "[Event \"?\"]\n[Result \"{result}\"]")?;
        if self.game != Game::Chess {
            writeln!(out, "[Variant \"{}\"]", self.game.name())?;
        }
        if let Some(fen) = &self.start {
            writeln!(out, "[SetUp \"1\"]\n[FEN \"{}\"]", escape(fen))?;
        }
        let (mut number, mut side) = (self.number, self.side);
        for (index, san) in self.plies.iter().enumerate() {
            match side {
                Side::White => write!(out, "\n{number}. {san}")?,
                Side::Black if index == 0 => write!(out, "\n{number}... {san}")?,
                Side::Black => write!(out, " {san}")?,
            }
            number += u32::from(side == Side::Black);
            side = side.other();
        }
        writeln!(out, "\n{result}\n")
    }
}

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

fn refuse(position: &AnyPosition, word: &str, at: usize) -> LineFault {
    let mut list = Vec::new();
    position.list_into(&mut list);
    let possible: Vec<_> = list.iter().map(|ply| ply.coord.as_str()).collect();
    let possible = if possible.is_empty() { "none, the game is over".into() } else { possible.join(" ") };
    let word: String = word.chars().take(20).collect();
    LineFault::Move { word: visible(&word).into_owned(), at, fen: position.fen(), possible }
}
