//! What others do with the same file, from reading bytes to checking every move.
//!
//! The three checkers read by `pgn-reader` and skip variations; positions and moves are
//! `shakmaty`'s. All games are taken to start from the initial position of standard chess.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{Reader, SanPlus, Visitor};
use shakmaty::san::Suffix;
use shakmaty::{Chess, Position};

use crate::repetition::History;

const READ_AT_ONCE: usize = 256 * 1024;

/// What a peer found in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games, with or without errors.
    pub games: u64,
    /// Main-line moves that were accepted.
    pub plies: u64,
    /// Errors. An illegal move ends its game, so a game has at most one.
    pub errors: u64,
}

/// What a peer found in one game.
#[derive(Default)]
pub struct Found {
    plies: u64,
    errors: u64,
}

/// Plays every main-line move, and only checks that it is legal.
///
/// # Errors
///
/// When the file cannot be read, or `pgn-reader` gives it up.
pub fn bare(path: &Path) -> io::Result<Totals> {
    visit(path, Bare)
}

/// Plays every main-line move, checks its `+` or `#`, and counts how often the position has
/// occurred: a move after fivefold repetition is an error.
///
/// # Errors
///
/// When the file cannot be read, or `pgn-reader` gives it up.
pub fn full(path: &Path) -> io::Result<Totals> {
    let history = History::new();
    visit(path, Full { history })
}

/// Parses every main-line move, legal or not.
///
/// # Errors
///
/// When the file cannot be read, or `pgn-reader` gives it up.
pub fn lexing(path: &Path) -> io::Result<Totals> {
    visit(path, Lexing)
}

/// Counts the lines: the speed of reading the bytes.
///
/// # Errors
///
/// When the file cannot be read.
pub fn newlines(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; READ_AT_ONCE];
    let mut lines = 0;
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            return Ok(lines);
        }
        lines += memchr::memchr_iter(b'\n', &buffer[..length]).count() as u64;
    }
}

fn visit(path: &Path, mut visitor: impl Visitor<Output = Found>) -> io::Result<Totals> {
    let mut reader = Reader::new(File::open(path)?);
    let mut totals = Totals::default();
    while let Some(found) = reader.read_game(&mut visitor)? {
        totals.games += 1;
        totals.plies += found.plies;
        totals.errors += found.errors;
    }
    Ok(totals)
}

struct Bare;

#[derive(Default)]
struct BareGame {
    position: Chess,
    plies: u64,
}

impl Visitor for Bare {
    type Tags = ();
    type Movetext = BareGame;
    type Output = Found;

    fn begin_tags(&mut self) -> ControlFlow<Found> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Found, BareGame> {
        ControlFlow::Continue(BareGame::default())
    }

    fn san(&mut self, game: &mut BareGame, written: SanPlus) -> ControlFlow<Found> {
        let Ok(m) = written.san.to_move(&game.position) else {
            return ControlFlow::Break(Found {
                plies: game.plies,
                errors: 1,
            });
        };
        game.position.play_unchecked(m);
        game.plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: BareGame) -> Found {
        Found {
            plies: game.plies,
            errors: 0,
        }
    }
}

struct Full {
    history: History,
}

#[derive(Default)]
struct FullGame {
    position: Chess,
    occurrences: usize,
    plies: u64,
    errors: u64,
}

impl Visitor for Full {
    type Tags = ();
    type Movetext = FullGame;
    type Output = Found;

    fn begin_tags(&mut self) -> ControlFlow<Found> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Found, FullGame> {
        let game = FullGame::default();
        self.history.start(&game.position);
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut FullGame, written: SanPlus) -> ControlFlow<Found> {
        let Ok(m) = written.san.to_move(&game.position) else {
            return ControlFlow::Break(Found {
                plies: game.plies,
                errors: game.errors + 1,
            });
        };
        let past_the_end = game.occurrences >= 5;
        game.occurrences = self.history.play(&mut game.position, m);
        let wrong_suffix = written.suffix != suffix(&game.position);
        game.errors += u64::from(past_the_end) + u64::from(wrong_suffix);
        game.plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: FullGame) -> Found {
        Found {
            plies: game.plies,
            errors: game.errors,
        }
    }
}

/// As [`Suffix::from_position`], but looks for moves only if there is a check.
fn suffix(position: &Chess) -> Option<Suffix> {
    if !position.is_check() {
        None
    } else if position.is_checkmate() {
        Some(Suffix::Checkmate)
    } else {
        Some(Suffix::Check)
    }
}

struct Lexing;

impl Visitor for Lexing {
    type Tags = ();
    type Movetext = Found;
    type Output = Found;

    fn begin_tags(&mut self) -> ControlFlow<Found> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Found, Found> {
        ControlFlow::Continue(Found::default())
    }

    fn san(&mut self, found: &mut Found, _written: SanPlus) -> ControlFlow<Found> {
        found.plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, found: Found) -> Found {
        found
    }
}
