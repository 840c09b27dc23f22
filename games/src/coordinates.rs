//! Games as lines of coordinate moves, the way engines and self-play records write them:
//! `[start position, tab] moves`, with one space between moves.

use crate::{
    game_notation::{GameNotation as _, Turn},
    mega::{self, Mega},
    notation::Unusable,
    overchess::Over,
    registry::{AnyGame, Variant},
};
use overboard_formats::{canonical::board_number, header::escape, san::PlyText};
use overboard_pictures::foreign::visible;
use overboard_rules::{game::Game as _, square::Side};
use std::{
    borrow::Cow,
    fmt::{self, Write},
    ops::Range,
};

pub mod overs;

use overs::{Deed, Movetext, words_behind};

/// A game read from a line: where it starts, and its plies as SAN.
#[derive(Clone, Debug)]
pub struct Line {
    game: Variant,
    /// FEN of the first position, where it is not the game's own.
    start: Option<String>,
    /// How many boards there are.
    boards: usize,
    plies: Vec<(Turn, PlyText)>,
    result: Option<&'static str>,
    /// Index of the first byte of the moves.
    moves_at: usize,
    /// The movetext of a nested game, with its numbers.
    nested: Option<String>,
    /// The level of Recursive Chess.
    level: Option<u8>,
    /// The rules agreed.
    rules: String,
    /// Where the plies that a referee counts begin, where these are not all words.
    places: Vec<usize>,
}

/// Why a line is no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineFault {
    /// The start position cannot be used.
    #[error("the start position cannot be used: {fault}")]
    Start {
        /// Why.
        fault: Unusable,
        /// Index of its first byte.
        at: usize,
    },
    /// A word behind the result.
    #[error("`{word}` stands behind the result")]
    Late {
        /// The word.
        word: String,
        /// Index of its first byte.
        at: usize,
    },
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
    /// The line stops within what a record holds as a whole.
    #[error("the line stops within {what}, which a record holds only as a whole")]
    Halfway {
        /// What is not complete.
        what: &'static str,
        /// Index of the byte behind the last word.
        at: usize,
    },
}

impl LineFault {
    /// Index of the first byte meant.
    #[must_use]
    pub const fn at(&self) -> usize {
        match self {
            Self::Start { fault: Unusable::Text(fault), at } => *at + fault.bytes.start,
            Self::Start { at, .. }
            | Self::Late { at, .. }
            | Self::Move { at, .. }
            | Self::Halfway { at, .. } => *at,
        }
    }
}

impl Line {
    /// Reads a line of a game that starts from `first` unless the line says otherwise.
    ///
    /// # Errors
    /// A start position that cannot be used, or the first word that is no legal move.
    pub fn read(line: &str, game: Variant, first: &AnyGame) -> Result<Self, LineFault> {
        Self::read_under(line, game, first, "")
    }

    /// The same under rules such as the tag Rules holds, which are also those of `first`.
    ///
    /// # Errors
    /// A start position that cannot be used, or the first word that is no legal move.
    pub fn read_under(line: &str, game: Variant, first: &AnyGame, rules: &str) -> Result<Self, LineFault> {
        let (start, moves) = line.split_once('\t').map_or((None, line), |(fen, moves)| (Some(fen), moves));
        let mut position = match start {
            Some(fen) => {
                let at = fen.len() - fen.trim_start().len();
                first.read_under(fen.trim(), rules).map_err(|fault| LineFault::Start { fault, at })?.0
            }
            None => first.clone(),
        };
        let moves_at = line.len() - moves.len();
        let mut read = Self {
            game,
            boards: position.boards(),
            start: start.map(|_| position.fen()).filter(|fen| *fen != first.fen()),
            plies: Vec::new(),
            result: None,
            moves_at,
            nested: None,
            // Level 0 is a game of chess; the line of a nested game tells its own.
            level: game.info().has_levels.then_some(0),
            rules: rules.into(),
            places: Vec::new(),
        };
        if let AnyGame::Over(over) = &mut position {
            read.over_moves(line, over)?;
            return Ok(read);
        }
        let mut nested = Nested::of(&position);
        for (at, word) in words(moves, moves_at) {
            if read.takes_for_result(word, at)? {
                continue;
            }
            let (san, after) = position.played(word).ok_or_else(|| refuse(&position, word, at))?;
            let Some(turn) = position.turn_of(word) else { continue };
            if let (Some(nested), AnyGame::Mega(mega)) = (&mut nested, &position) {
                nested.take(mega, word);
            }
            read.plies.push((turn, san));
            position = after;
        }
        if let Some(nested) = nested {
            let (level, turns) = nested.finish();
            (read.level, read.nested) = (Some(level), Some(turns));
        }
        Ok(read)
    }

    /// Whether a word is the result; an error where the result stands before it.
    fn takes_for_result(&mut self, word: &str, at: usize) -> Result<bool, LineFault> {
        if self.result.is_some() {
            return Err(LineFault::Late { word: shown(word), at });
        }
        self.result = RESULTS.into_iter().find(|known| *known == word);
        Ok(self.result.is_some())
    }

    /// Reads the plies of Overchess, some of them of several words.
    fn over_moves(&mut self, line: &str, over: &mut Over) -> Result<(), LineFault> {
        let mut movetext = Movetext::default();
        for place in phrases(&line[self.moves_at..], self.moves_at) {
            let text = in_one_space(&line[place.clone()]);
            if self.takes_for_result(&text, place.start)? {
                continue;
            }
            let Some(deed) = Deed::read(over, &text) else {
                return Err(refuse(&over.clone().into(), &text, place.start));
            };
            let before = over.clone();
            let effects = deed.bring_about(over).unwrap_or_default();
            movetext.take(&deed, &before, over, &effects);
            if deed.is_counted(&before) {
                self.places.push(place.start);
            }
        }
        let nested = movetext.finish(over);
        self.nested = Some(nested.map_err(|what| self.halfway(line, what))?);
        Ok(())
    }

    /// The line stops in the middle of something.
    fn halfway(&self, line: &str, what: &'static str) -> LineFault {
        LineFault::Halfway { what, at: self.moves_at + line[self.moves_at..].trim_end().len() }
    }

    /// Index of the first byte of a ply in the line that this was read from, counted from 1.
    #[must_use]
    pub fn place_of(&self, line: &str, ply: u32) -> usize {
        let nth = usize::try_from(ply).unwrap_or(usize::MAX).saturating_sub(1);
        if let Some(place) = self.places.get(nth) {
            return *place;
        }
        words(&line[self.moves_at..], self.moves_at).nth(nth).map_or(self.moves_at, |(at, _)| at)
    }

    /// The result that stands behind the moves.
    #[must_use]
    pub const fn result(&self) -> Option<&'static str> {
        self.result
    }

    /// The movetext of a nested game, without the result: the turns of Recursive Chess, or the over-moves
    /// of Overchess with their sub-games.
    #[must_use]
    pub fn turns(&self) -> Option<&str> {
        self.nested.as_deref()
    }

    /// Writes the game as a record with this result.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_record(&self, result: &str, out: &mut impl Write) -> fmt::Result {
        writeln!(out, "[Event \"?\"]\n[Result \"{result}\"]")?;
        for (name, value) in self.game.tags(self.boards, self.level, &self.rules) {
            writeln!(out, "[{name} \"{}\"]", escape(&value))?;
        }
        if let Some(fen) = &self.start {
            writeln!(out, "[SetUp \"1\"]\n[FEN \"{}\"]", escape(fen))?;
        }
        if let Some(turns) = &self.nested {
            return writeln!(out, "\n{turns}\n{result}\n");
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

/// A game of Recursive Chess as it is read.
struct Nested {
    level: u8,
    movetext: mega::Movetext,
}

impl Nested {
    fn of(position: &AnyGame) -> Option<Self> {
        let AnyGame::Mega(mega) = position else { return None };
        Some(Self { level: mega.level(), movetext: mega::Movetext::default() })
    }

    fn take(&mut self, mega: &Mega, word: &str) {
        let Some(ply) = mega::at(mega, word) else { return };
        let effects = mega.clone().play(ply);
        self.movetext.take(mega, &ply, &effects);
    }

    fn finish(self) -> (u8, String) {
        (self.level, self.movetext.finish())
    }
}

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The words of the moves, each with the index of its first byte in the line.
fn words(moves: &str, moves_at: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut next = moves_at;
    let all = moves.split(|c: char| c.is_ascii_whitespace()).map(move |word| {
        let at = next;
        next += word.len() + 1;
        (at, word)
    });
    all.filter(|(_, word)| !word.is_empty())
}

/// The places of the plies of Overchess, each of one to three words.
fn phrases(moves: &str, moves_at: usize) -> impl Iterator<Item = Range<usize>> {
    let mut all = words(moves, moves_at).peekable();
    std::iter::from_fn(move || {
        let (at, word) = all.next()?;
        let mut end = at + word.len();
        let behind = words_behind(word, all.peek().map(|(_, next)| *next));
        for (at, word) in all.by_ref().take(behind) {
            end = at + word.len();
        }
        Some(at..end)
    })
}

/// Words with one space between them.
fn in_one_space(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| !b.is_ascii_whitespace()) {
        return text.into();
    }
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ").into()
}

/// A word as it is repeated to a person.
fn shown(word: &str) -> String {
    let cut = word.char_indices().nth(20).map(|(end, _)| &word[..end]);
    cut.map_or_else(|| visible(word).into_owned(), |cut| format!("{}…", visible(cut)))
}

fn refuse(position: &AnyGame, word: &str, at: usize) -> LineFault {
    let mut list = Vec::new();
    position.list_into(&mut list);
    let possible: Vec<_> = list.iter().map(|ply| ply.coord.as_str()).collect();
    let possible = if possible.is_empty() { "none, the game is over".into() } else { possible.join(" ") };
    LineFault::Move { word: shown(word), at, fen: position.fen(), possible }
}
