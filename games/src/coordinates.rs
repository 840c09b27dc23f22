//! Games as lines of coordinate moves, the way engines and self-play records write them:
//! `[start position, tab] moves`, with one space between moves.

use crate::registry::{AnyGame, Variant, Visitor};
use overboard_formats::{foreign::visible, header::escape};
use overboard_referee::game::{
    listing::status,
    notation::Notation,
    position::PositionError,
    record::{Movetext as _, Record},
};
use std::{
    borrow::Cow,
    fmt::{self, Write},
    ops::{ControlFlow, Range},
};

/// A game read from a line: its initial position, and movetext made from its plies.
#[derive(Clone, Debug)]
pub struct Line {
    game: Variant,
    /// The initial position as FEN, if it is not that of the game.
    start: Option<String>,
    /// The tags that declare the game.
    tags: Vec<(&'static str, String)>,
    /// The movetext with its numbers, without the result.
    movetext: String,
    /// Whether the last turn is not over.
    ends_within_turn: bool,
    result: Option<&'static str>,
    /// The offsets of the plies that a referee counts.
    places: Vec<usize>,
}

/// Why a line is not a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// The start position cannot be used.
    #[error("the start position cannot be used: {fault}")]
    Start {
        /// The reason.
        fault: PositionError,
        /// Index of its first byte.
        at: usize,
    },
    /// There is a word after the result.
    #[error("`{word}` follows the result, where nothing may")]
    Late {
        /// The word.
        word: String,
        /// Index of its first byte.
        at: usize,
    },
    /// A word is not a legal move.
    #[error("`{word}` is not a legal move in {fen}; possible: {possible}")]
    Move {
        /// The word.
        word: String,
        /// Index of its first byte.
        at: usize,
        /// The position, as FEN.
        fen: String,
        /// The legal moves.
        possible: String,
    },
}

impl LineError {
    /// Index of the first byte concerned.
    #[must_use]
    pub const fn at(&self) -> usize {
        match self {
            Self::Start {
                fault: PositionError::Text(fault),
                at,
            } => *at + fault.bytes.start,
            Self::Start { at, .. } | Self::Late { at, .. } | Self::Move { at, .. } => *at,
        }
    }
}

impl Line {
    /// Reads a line of a game that starts from `first` unless the line says otherwise, under rules in the form of the tag
    /// Rules, which must be those of `first`.
    ///
    /// # Errors
    /// If the start position cannot be used, or a word is not a legal move: the first one.
    pub fn read_under(
        line: &str,
        game: Variant,
        first: &AnyGame,
        rules: &str,
    ) -> Result<Self, LineError> {
        let mut start = None;
        let (position, moves) = match line.split_once('\t') {
            Some((fen, moves)) => {
                let at = fen.len() - fen.trim_start().len();
                let read = first.read_under(fen.trim(), rules);
                let read = read.map_err(|fault| LineError::Start { fault, at })?;
                let fen = read.position.fen();
                if fen != first.fen() {
                    start = Some(fen);
                }
                (read.position, moves)
            }
            None => (first.clone(), line),
        };
        // Level 0 is a game of chess.
        let level = Some(position.level().unwrap_or(0));
        let read = Self {
            game,
            tags: game.tags(position.boards(), level, rules),
            start,
            movetext: String::new(),
            ends_within_turn: false,
            result: None,
            places: Vec::new(),
        };
        position.visit(Following {
            read,
            line,
            moves_at: line.len() - moves.len(),
        })
    }

    /// Whether a word is the result; an error if there was a result before it.
    fn takes_for_result(&mut self, word: &str, at: usize) -> Result<bool, LineError> {
        if self.result.is_some() {
            return Err(LineError::Late {
                word: shown(word),
                at,
            });
        }
        self.result = RESULTS.into_iter().find(|known| *known == word);
        Ok(self.result.is_some())
    }

    /// Index of the first byte of a ply in the line from which this was read; plies count from 1.
    #[must_use]
    pub fn place_of(&self, ply: u32) -> usize {
        let nth = usize::try_from(ply).unwrap_or(usize::MAX).saturating_sub(1);
        self.places
            .get(nth)
            .or(self.places.last())
            .copied()
            .unwrap_or_default()
    }

    /// The result after the moves.
    #[must_use]
    pub const fn result(&self) -> Option<&'static str> {
        self.result
    }

    /// The movetext, without the result; not necessarily in canonical form.
    #[must_use]
    pub fn movetext(&self) -> &str {
        &self.movetext
    }

    /// Writes the game as a record with this result.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_record(&self, result: &str, out: &mut impl Write) -> fmt::Result {
        writeln!(out, "[Event \"?\"]\n[Result \"{result}\"]")?;
        for (name, value) in &self.tags {
            writeln!(out, "[{name} \"{}\"]", escape(value))?;
        }
        // A turn that breaks off is no fault only where the record says that the game was stopped (MG-3).
        if self.ends_within_turn && self.game.info().has_levels {
            let how = match result {
                "*" => "unterminated",
                _ => "abandoned",
            };
            writeln!(out, "[Termination \"{how}\"]")?;
        }
        if let Some(fen) = &self.start {
            writeln!(out, "[SetUp \"1\"]\n[FEN \"{}\"]", escape(fen))?;
        }
        writeln!(out, "\n{}\n{result}\n", self.movetext.trim_ascii())
    }
}

/// A line being read.
struct Following<'a> {
    read: Line,
    line: &'a str,
    /// Index of the first byte of the moves.
    moves_at: usize,
}

impl Visitor for Following<'_> {
    type Out = Result<Line, LineError>;

    fn visit<G: Record>(self, first: &G) -> Result<Line, LineError> {
        let Self {
            mut read,
            line,
            moves_at,
        } = self;
        let mut game = first.clone();
        let mut movetext = G::Movetext::default();
        for place in phrases::<G>(&line[moves_at..], moves_at) {
            let text = in_one_space(&line[place.clone()]);
            if read.takes_for_result(&text, place.start)? {
                continue;
            }
            let step = game
                .at(&text)
                .ok_or_else(|| refuse(&game, &text, place.start))?;
            if game.is_counted(&step) {
                read.places.push(place.start);
            }
            let before = game.clone();
            let effects = step.make(&mut game);
            movetext.take(&step, &before, &game, &effects, "");
        }
        read.movetext = movetext.finish(&game);
        read.ends_within_turn = !game.is_between_turns();
        Ok(read)
    }
}

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The words of the moves, each with the index of its first byte in the line.
fn words(moves: &str, moves_at: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut next = moves_at;
    let all = moves
        .split(|c: char| c.is_ascii_whitespace())
        .map(move |word| {
            let at = next;
            next += word.len() + 1;
            (at, word)
        });
    all.filter(|(_, word)| !word.is_empty())
}

/// The ranges of the plies, each of one or more words.
pub(crate) fn phrases<G: Record>(
    moves: &str,
    moves_at: usize,
) -> impl Iterator<Item = Range<usize>> {
    let mut all = words(moves, moves_at).peekable();
    std::iter::from_fn(move || {
        let (at, word) = all.next()?;
        let mut end = at + word.len();
        let more = G::words_after(word, all.peek().map(|(_, next)| *next));
        for (at, word) in all.by_ref().take(more) {
            end = at + word.len();
        }
        Some(at..end)
    })
}

/// Replaces all white space by single spaces.
pub(crate) fn in_one_space(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| !b.is_ascii_whitespace()) {
        return text.into();
    }
    text.split_ascii_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .into()
}

/// A word as messages quote it.
#[must_use]
pub fn shown(word: &str) -> String {
    match word.char_indices().nth(20) {
        Some((end, _)) => format!("{}…", visible(&word[..end])),
        None => visible(word).into_owned(),
    }
}

/// Moves named as possible before the rest is only counted, and the most that are looked at to name the first of them: boards in
/// boards have more than memory can hold.
const NAMED: usize = 24;
const LOOKED_AT: usize = 4096;

fn refuse(position: &impl Notation, word: &str, at: usize) -> LineError {
    let mut plies = Vec::new();
    if status(position).outcome.is_none() {
        let _ = position.legal(|ply| {
            plies.push(position.coordinates(ply));
            if plies.len() < LOOKED_AT {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
    }
    plies.sort_unstable();
    let named = plies[..plies.len().min(NAMED)].join(" ");
    let possible = match position.choices() {
        _ if named.is_empty() => "none, the game is over".into(),
        Some(all) if all <= NAMED as u64 => named,
        Some(all) => format!("{named} and {} more", all - NAMED as u64),
        None => format!("{named} and many more"),
    };
    LineError::Move {
        word: shown(word),
        at,
        fen: position.fen(),
        possible,
    }
}
