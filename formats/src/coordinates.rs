//! Games as lines of coordinate moves, the way engines and self-play records write them:
//! `[start position, tab] moves`, with one space between moves.

use crate::{
    any::AnyPosition,
    encoding::visible,
    header::{Game, escape},
    notation::Unusable,
    san::MoveText,
};
use overboard_rules::{ply::BoardName, square::Side};
use std::fmt::{self, Write};

/// A game read from a line: where it starts, and its plies as SAN.
#[derive(Clone, Debug)]
pub struct Line {
    game: Game,
    /// FEN of the first position, where it is not the game's own.
    start: Option<String>,
    /// How many boards there are.
    boards: usize,
    plies: Vec<(Turn, MoveText)>,
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
        let boards = position.boards();
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
                        plies.push((position.turn_of(trimmed), san));
                        position = after;
                    }
                    None => return Err(refuse(&position, trimmed, at)),
                },
            }
            at += word.len() + 1;
        }
        Ok(Self { game, start, boards, plies, result })
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
        if self.boards > 1 {
            let names: Vec<_> = (0..self.boards).map(|board| BoardName(board).to_string()).collect();
            writeln!(out, "[Boards \"{}\"]", names.join(":"))?;
        }
        for (index, (turn, san)) in self.plies.iter().enumerate() {
            let Turn { number, side, board } = turn;
            match (board, side) {
                (Some(board), side) => write!(out, "\n{} {san}", board_number(*board, *number, *side))?,
                (None, Side::White) => write!(out, "\n{number}. {san}")?,
                (None, Side::Black) if index == 0 => write!(out, "\n{number}... {san}")?,
                (None, Side::Black) => write!(out, " {san}")?,
            }
        }
        writeln!(out, "\n{result}\n")
    }
}

/// Whose ply it is, and which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Number of the move.
    pub number: u32,
    /// Who makes it.
    pub side: Side,
    /// The board that it is made from, among linked ones.
    pub board: Option<u16>,
}

/// The number of a ply on linked boards: `12A.` for White, `12a.` for Black.
#[must_use]
pub fn board_number(board: u16, number: u32, side: Side) -> String {
    let name = BoardName(usize::from(board)).to_string();
    match side {
        Side::White => format!("{number}{name}."),
        Side::Black => format!("{number}{}.", name.to_lowercase()),
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
