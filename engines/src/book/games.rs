//! Books of games: the main lines of records, whatever the game.

use super::{Book, BookError, BookLine, name_of};
use crate::openings::OpeningsError;
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::{
    referee::replay::{MainLine, Replay},
    registry::Variant,
};
use overboard_referee::Options;

/// Reads the games of a book for a run of a game on this many boards that starts from `first`.
///
/// # Errors
/// Those of the reader; more games than a book may have.
pub(super) fn read(
    bytes: &[u8],
    game: Variant,
    boards: u16,
    first: &str,
) -> Result<Book, OpeningsError> {
    let options = Options {
        acts: true,
        count_notes: true,
        no_excerpts: true,
        ..Options::default()
    };
    let mut replay = Replay::new(Parser::new(bytes, 0, Limits::default()), options);
    let mut book = Book::default();
    let mut hasher = blake3::Hasher::new();
    let (mut read, mut line) = (0, 1);
    while let Some(main_line) = replay
        .next_line()
        .map_err(|error| OpeningsError::Unread(error.to_string()))?
    {
        // A game's span ends where the next one begins, and includes the white space between.
        let span = main_line.report.span;
        let rest = bytes.get(span.from as usize..).unwrap_or_default();
        let begin = bytes.len() - rest.trim_ascii_start().len();
        line += lines_in(bytes.get(read..begin).unwrap_or_default());
        read = begin;
        match entry(main_line, (game, boards), first, line) {
            Ok(entry) => {
                for text in [&*entry.start, "\t", &*entry.moves, "\n"] {
                    hasher.update(text.as_bytes());
                }
                book.push(entry)?;
            }
            Err(fault) => book.faults.push(fault),
        }
    }
    book.hash = name_of(&hasher);
    Ok(book)
}

/// The opening that a game is, or why it is not usable.
fn entry(
    main_line: MainLine,
    (game, boards): (Variant, u16),
    first: &str,
    line: u64,
) -> Result<BookLine, BookError> {
    let refuse = |why: String| BookError {
        line,
        why: why.into(),
    };
    if let Some(finding) = main_line.report.spoilt() {
        return Err(BookError {
            line: finding.place.line,
            why: finding.message.clone(),
        });
    }
    let start = main_line
        .start
        .ok_or_else(|| refuse("its first position is not known".into()))?;
    let theirs = (start.variant(), start.agreed_boards());
    let ours = (game, usize::from(boards));
    if theirs != ours {
        let [theirs, ours] = [theirs, ours].map(named);
        return Err(refuse(format!(
            "this is a game of {theirs}, but the run is of {ours}"
        )));
    }
    let fen = start.fen();
    let start = if fen == first { "".into() } else { fen.into() };
    Ok(BookLine {
        line,
        start,
        moves: main_line.moves.into(),
    })
}

fn named((game, boards): (Variant, usize)) -> String {
    if boards > 1 {
        format!("{} on {boards} boards", game.name())
    } else {
        game.name().into()
    }
}

fn lines_in(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}
