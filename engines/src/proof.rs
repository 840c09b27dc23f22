//! Replays the games of a ledger on all threads, and compares each with its line.

use crate::{
    journal::{JournalError, LedgerEntry, Reader},
    manifest::Manifest,
    records::RecordError,
    stats::{GameCounts, count_game},
};
use rayon::{ThreadPool, prelude::*};
use std::io::BufRead;

/// How far games are replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replay {
    /// Not at all: their lines are trusted.
    Nothing,
    /// The plies, which must be legal and lead to the recorded end.
    Plies,
    /// The same, and the legal plies are counted.
    Choices,
}

/// A game of a ledger that was read.
pub struct Seen<'a> {
    /// The number of its line, from 1.
    pub line: u64,
    /// What the line says.
    pub entry: LedgerEntry<'a>,
    /// What the replay counted, if legal plies are counted; an error if the game is not what its line says.
    pub walk: Result<Option<GameCounts>, RecordError>,
}

/// Lines of a ledger that are processed together.
#[derive(Default)]
pub struct Stretch {
    text: Vec<u8>,
    /// The number of each line, and the offset at which it ends in the text.
    lines: Vec<(u64, usize)>,
}

/// Bytes of a ledger that are processed together.
const STRETCH: usize = 8 << 20;

impl Stretch {
    /// Advances to the next lines of a ledger; returns whether there are any.
    ///
    /// # Errors
    /// Those of the file; a line that is damaged or out of order.
    pub fn fill<R: BufRead>(&mut self, reader: &mut Reader<R>) -> Result<bool, JournalError> {
        self.text.clear();
        self.lines.clear();
        while self.text.len() < STRETCH && reader.advance()? {
            self.text.extend_from_slice(reader.line());
            self.lines.push((reader.number(), self.text.len()));
        }
        Ok(!self.lines.is_empty())
    }

    /// The games of these lines, in order.
    #[must_use]
    pub fn games(&self, manifest: &Manifest, replay: Replay, pool: &ThreadPool) -> Vec<Seen<'_>> {
        let read = |at: usize| {
            let from = at.checked_sub(1).map_or(0, |before| self.lines[before].1);
            let (line, end) = self.lines[at];
            // The reader has parsed the line before.
            let entry = LedgerEntry::read(&self.text[from..end], manifest).ok()?;
            let walk = if replay == Replay::Nothing {
                Ok(None)
            } else {
                count_game(&entry, manifest, replay)
            };
            Some(Seen { line, entry, walk })
        };
        pool.install(|| {
            (0..self.lines.len())
                .into_par_iter()
                .filter_map(read)
                .collect()
        })
    }
}
