//! Opening books: files of positions, or of games whose first plies are used, from which rounds start.
//!
//! A book is read once, as text, and only what is needed to find a round's opening is kept. Every unusable line is
//! reported before the first game. The size of a book is limited, so that any input is safe.
//!
//! ```
//! use overboard_engines::{batch::check, book::{Book, Form}, manifest::{Manifest, PROGRAM, laws_of}};
//! use overboard_games::registry::Variant;
//!
//! let book = "# Rook endings\n1K1k4/1P6/8/8/8/8/r7/2R5 w - - id \"Lucena\";\n8/8/8/8 w - - 0 1\n";
//! let mut manifest = serde_json::json!({
//!     "format": 1, "program": PROGRAM, "laws": laws_of(Variant::Chess, 1), "variant": "Chess",
//!     "players": ["greedy", "random"], "schedule": "pairs", "rounds": 2, "games_per_unit": 2, "seed": 1,
//!     "openings": { "random_plies": 0 }, "max_plies": 2000, "timed": false,
//! });
//! let run: Manifest = serde_json::from_value(manifest.clone()).unwrap();
//! let book = Book::read(book.as_bytes(), Form::Positions, &run).unwrap();
//! assert_eq!(book.count(), 2);
//!
//! // The manifest names the book, so that no other one can be used later. Its second position has four ranks.
//! manifest["openings"] =
//!     serde_json::json!({ "positions": { "file": "rooks.epd", "count": 2, "hash": book.hash() } });
//! let run: Manifest = serde_json::from_value(manifest).unwrap();
//! let refused = check(&run, &book).unwrap_err().to_string();
//! assert!(refused.contains("line 3"), "{refused}");
//! ```

mod epd;
mod games;

use crate::{
    live_game::LiveGame,
    manifest::{Manifest, ManifestError, Source},
    openings::OpeningsError,
    records::plies,
};
use overboard_formats::{foreign::Foreign, io_words::reason};
use overboard_games::with_game;
use overboard_referee::game::{notation::Notation as _, play::Play};
use overboard_rules::game::Step;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::io::Read;

/// The largest book, in bytes.
pub const MOST_BYTES: u64 = 256 << 20;
/// The most openings of a book.
const MOST_OPENINGS: usize = 10_000_000;
/// Errors of a book that are listed; the others are only counted.
const NAMED: usize = 10;

/// What a book contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// A position on each line: a FEN, or EPD with operations.
    #[default]
    Positions,
    /// Records of games: their main lines.
    Games,
}

/// A line of a book, or a game in it, that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {}", .why.shown())]
pub struct BookError {
    /// The line, from 1.
    pub line: u64,
    /// Why.
    pub why: Foreign,
}

/// The errors of a book: the first ones in order, and the number of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Faults {
    named: Vec<BookError>,
    more: usize,
}

impl Faults {
    fn of(faults: Vec<BookError>) -> Result<(), OpeningsError> {
        if faults.is_empty() {
            return Ok(());
        }
        Err(OpeningsError::Unusable(Self::listed(faults)))
    }

    fn listed(mut faults: Vec<BookError>) -> Self {
        faults.sort_by_key(|fault| fault.line);
        let more = faults.len().saturating_sub(NAMED);
        faults.truncate(NAMED);
        Self {
            named: faults,
            more,
        }
    }

    /// The messages, one per line, each prefixed with the name of the book if it has one.
    #[must_use]
    pub fn lines(&self, file: Option<&Foreign>) -> String {
        let place = |fault: &BookError| match file {
            Some(file) => format!("{}:{}: {}", file.shown(), fault.line, fault.why.shown()),
            None => fault.to_string(),
        };
        let mut lines: Vec<_> = self.named.iter().map(place).collect();
        match self.more {
            0 => {}
            1 => lines.push("and one more line cannot be used".into()),
            more => lines.push(format!("and {more} more lines cannot be used")),
        }
        lines.join("\n")
    }
}

/// An opening as the book has it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct BookLine {
    /// The line on which it begins, from 1.
    line: u64,
    /// The position from which it starts, as FEN or EPD; empty for that of the game.
    start: Box<str>,
    /// Plies in coordinates.
    moves: Box<str>,
}

/// A book that has been read.
#[derive(Clone, Debug, Default)]
pub struct Book {
    entries: Vec<BookLine>,
    faults: Vec<BookError>,
    /// Lines with positions in which the game is over.
    left_out: Vec<BookError>,
    hash: String,
}

/// An opening of a book, played to its end.
pub struct Line<G: Play> {
    /// The position from which it starts.
    pub start: LiveGame<G>,
    /// Its plies.
    pub plies: Vec<G::Ply>,
    /// The position after them.
    pub end: LiveGame<G>,
}

/// What is asked of each opening in parallel. As objects, so that the loops are compiled once, and not for each game.
type Test<'a> = dyn Fn(&BookLine) -> bool + Sync + 'a;
type Fault<'a> = dyn Fn(&BookLine) -> Option<BookError> + Sync + 'a;

impl Book {
    /// Reads a book for a run; its openings are not checked yet.
    ///
    /// # Errors
    /// Those of the reader; a book that is too large; text that is not a book of this form.
    pub fn read(reader: impl Read, form: Form, manifest: &Manifest) -> Result<Self, OpeningsError> {
        let mut bytes = Vec::new();
        let read = reader.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|error| OpeningsError::Unread(reason(&error)))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(OpeningsError::TooLarge(MOST_BYTES >> 20));
        }
        let book = match form {
            Form::Positions => {
                let mut book = Self::of_positions(&bytes)?;
                let game = manifest.game()?;
                with_game!(game, manifest.boards, G => book.leave_out_ended(&manifest.first::<G>()?));
                book
            }
            Form::Games => {
                let game = manifest.game()?;
                let first = with_game!(game, manifest.boards, G => manifest.first::<G>()?.fen());
                games::read(&bytes, game, manifest.boards, &first)?
            }
        };
        if book.entries.is_empty() {
            Faults::of([&book.faults[..], &book.left_out].concat())?;
        }
        Ok(book)
    }

    /// Leaves out positions in which the game is over: one among thousands must not make a book useless.
    fn leave_out_ended<G: Play>(&mut self, first: &G) {
        let options = first.options();
        let is_over: &Test<'_> = &|entry| {
            let game = epd::read::<G>(&entry.start, &options);
            game.is_ok_and(|game| LiveGame::from(game).end().is_some())
        };
        let are_over: Vec<bool> = self.entries.par_iter().map(is_over).collect();
        let mut kept = Vec::with_capacity(self.entries.len());
        for (entry, is_over) in std::mem::take(&mut self.entries).into_iter().zip(are_over) {
            if is_over {
                self.left_out.push(BookError {
                    line: entry.line,
                    why: "left out, since the game is over in this position".into(),
                });
            } else {
                kept.push(entry);
            }
        }
        self.entries = kept;
    }

    /// The lines that were left out, since nothing can be played from them.
    #[must_use]
    pub fn left_out(&self) -> Option<Faults> {
        if self.left_out.is_empty() {
            return None;
        }
        Some(Faults::listed(self.left_out.clone()))
    }

    /// A position on each line; empty lines and lines that begin with `#` are ignored.
    fn of_positions(bytes: &[u8]) -> Result<Self, OpeningsError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut book = Self::default();
        let mut hasher = blake3::Hasher::new();
        for (line, bytes) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            let bytes = bytes.trim_ascii();
            if bytes.is_empty() || bytes.starts_with(b"#") {
                continue;
            }
            match std::str::from_utf8(bytes) {
                Ok(text) => book.push(BookLine {
                    line,
                    start: text.trim().into(),
                    moves: "".into(),
                })?,
                Err(_) => book.faults.push(BookError {
                    line,
                    why: "this is not a text file".into(),
                }),
            }
            // The hash of the file's bytes, since run ids that existed before books of games depend on it.
            hasher.update(bytes);
            hasher.update(b"\n");
        }
        book.hash = name_of(&hasher);
        Ok(book)
    }

    fn push(&mut self, entry: BookLine) -> Result<(), OpeningsError> {
        if self.entries.len() >= MOST_OPENINGS {
            return Err(OpeningsError::TooMany(MOST_OPENINGS));
        }
        self.entries.push(entry);
        Ok(())
    }

    /// The number of openings.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.entries.len() as u64
    }

    /// The hash by which a manifest identifies it.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Checks that every opening can be played in a run.
    ///
    /// # Errors
    /// The lines that cannot be used.
    pub fn check<G: Play>(&self, manifest: &Manifest, first: &G) -> Result<(), OpeningsError> {
        let Source::Positions {
            plies,
            random_plies,
            ..
        } = &manifest.openings
        else {
            return Ok(());
        };
        let options = first.options();
        let fault: &Fault<'_> = &|entry| {
            let why = match entry.follow(first, &options, *plies) {
                Err(why) => why,
                Ok(line) if line.end.end().is_some() => match line.plies.len() {
                    0 => "the game is over in this position".into(),
                    plies => format!("the game is over after {plies} plies of this opening"),
                },
                Ok(line)
                    if line.plies.len() as u64 + u64::from(*random_plies)
                        >= u64::from(manifest.max_plies) =>
                {
                    format!(
                        "an opening of {} plies is longer than a game may be",
                        line.plies.len()
                    )
                }
                Ok(_) => return None,
            };
            Some(BookError {
                line: entry.line,
                why: why.into(),
            })
        };
        let mut faults = self.faults.clone();
        faults.par_extend(self.entries.par_iter().filter_map(fault));
        Faults::of(faults)
    }

    /// The first opening from whose initial position games cannot start; unusable lines are passed over.
    pub(crate) fn unreachable<G: Play>(
        &self,
        first: &G,
        why: impl Fn(&str) -> Option<String> + Sync,
    ) -> Option<BookError> {
        let (options, usual) = (first.options(), first.fen());
        let fault: &Fault<'_> = &|entry| {
            if entry.start.is_empty() {
                return None;
            }
            let fen = epd::read::<G>(&entry.start, &options).ok()?.fen();
            if fen == usual {
                return None;
            }
            let why = why(&fen)?;
            Some(BookError {
                line: entry.line,
                why: why.into(),
            })
        };
        self.entries.par_iter().find_map_first(fault)
    }

    /// The opening at an index, cut off after this many plies.
    ///
    /// # Errors
    /// The line, if it cannot be used.
    pub(crate) fn line<G: Play>(
        &self,
        place: usize,
        first: &G,
        most: Option<u32>,
    ) -> Result<Line<G>, OpeningsError> {
        let entry = self.entries.get(place).ok_or(OpeningsError::Foreign)?;
        let fault = |why: String| {
            let named = vec![BookError {
                line: entry.line,
                why: why.into(),
            }];
            OpeningsError::Unusable(Faults { named, more: 0 })
        };
        entry.follow(first, &first.options(), most).map_err(fault)
    }
}

impl BookLine {
    /// Plays the opening.
    fn follow<G: Play>(
        &self,
        first: &G,
        options: &G::Options,
        most: Option<u32>,
    ) -> Result<Line<G>, String> {
        let game = if self.start.is_empty() {
            first.clone()
        } else {
            epd::read(&self.start, options)?
        };
        let start = LiveGame::from(game);
        let mut line = Line {
            end: start.clone(),
            start,
            plies: Vec::new(),
        };
        let most = most.map_or(usize::MAX, |most| most as usize);
        for ply in plies::<G>(&self.moves).take(most) {
            let goes_on = line.end.end().is_none();
            let step = if goes_on {
                line.end.game().at(ply)
            } else {
                None
            };
            let Some(Step::Ply(step)) = step else {
                return Err(format!(
                    "`{ply}`, ply {}, is not a legal move in this run",
                    line.plies.len() + 1
                ));
            };
            line.end.play(step);
            line.plies.push(step);
        }
        Ok(line)
    }
}

fn name_of(hasher: &blake3::Hasher) -> String {
    hasher.finalize().to_hex()[..32].to_string()
}

impl From<ManifestError> for OpeningsError {
    fn from(error: ManifestError) -> Self {
        Self::Unread(error.to_string())
    }
}
