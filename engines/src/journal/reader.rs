//! Reading a ledger line by line.

use super::{
    Header, JournalError, damaged,
    line::{CHECKSUM, LedgerEntry, is_sealed},
};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

/// Reads a ledger line by line, without trusting any of them.
pub struct Reader<R> {
    inner: R,
    /// The header, from the first line.
    pub header: Header,
    line: Vec<u8>,
    /// The game of the first line, and the length of that line, until `advance` reaches it.
    first: Option<(Vec<u8>, u64)>,
    number: u64,
    length: u64,
    torn: u64,
    last: Option<u64>,
    old_words: u64,
    pairings: Vec<[usize; 2]>,
    /// How many games are missing before others, and the first of them.
    missing: Option<(u64, u64)>,
}

impl<R: BufRead> Reader<R> {
    /// Starts to read.
    ///
    /// # Errors
    /// Those of the file; a first line that is not that of a ledger.
    pub fn new(mut inner: R) -> Result<Self, JournalError> {
        let mut line = Vec::new();
        first_line(&mut inner, &mut line)?;
        let holds_a_game = line.starts_with(b"{\"run\":\"");
        if line.last() != Some(&b'\n') {
            return Err(if line.is_empty() || holds_a_game {
                JournalError::Empty
            } else {
                JournalError::NotALedger
            });
        }
        let bytes = line.len() as u64;
        let (header, first, length) = if holds_a_game {
            let (header, game) = Header::unhead(&line)?;
            (header, Some((game, bytes)), 0)
        } else {
            (Header::read(&line)?, None, bytes)
        };
        let pairings = header.manifest.pairings();
        Ok(Self {
            inner,
            header,
            line,
            first,
            number: u64::from(!holds_a_game),
            length,
            torn: 0,
            last: None,
            old_words: 0,
            pairings,
            missing: None,
        })
    }

    /// Advances to the next game; returns whether there is one.
    ///
    /// # Errors
    /// Those of the file; a line that is damaged or out of order.
    pub fn advance(&mut self) -> Result<bool, JournalError> {
        self.line.clear();
        let count = match self.first.take() {
            Some((line, bytes)) => {
                self.line = line;
                bytes
            }
            None => {
                let longest = LONGEST + u64::from(self.header.manifest.max_plies) * LONGEST_PLY;
                let count = self
                    .inner
                    .by_ref()
                    .take(longest)
                    .read_until(b'\n', &mut self.line)? as u64;
                if count == 0 {
                    return Ok(false);
                }
                if self.line.last() != Some(&b'\n') && count < longest {
                    self.torn = count;
                    return Ok(false);
                }
                count
            }
        };
        self.number += 1;
        if !is_sealed(&self.line) {
            return Err(self.damaged(CHECKSUM));
        }
        let entry = self.entry()?;
        let (game, belongs, old_word) =
            (entry.game, *entry.run == *self.header.run.0, entry.old_word);
        if !belongs {
            return Err(self.damaged("it is of another run"));
        }
        let fixture = self.header.manifest.fixture(&self.pairings, game);
        if !entry.is_of(&fixture, &self.header.manifest) {
            return Err(self.damaged("it names another unit, round or player than its game has"));
        }
        let due = self.due()..self.header.games().end;
        if !due.contains(&game) {
            return Err(JournalError::OutOfOrder {
                line: self.number,
                found: game,
                expected: due.start,
            });
        }
        if game > due.start {
            let (count, first) = self.missing.unwrap_or((0, due.start));
            self.missing = Some((count + game - due.start, first));
        }
        self.last = Some(game);
        self.old_words += u64::from(old_word);
        self.length += count;
        Ok(true)
    }

    /// The game that is due after the last one.
    fn due(&self) -> u64 {
        self.last.map_or(self.header.games().start, |last| last + 1)
    }

    /// That the current line, on which a game is due, is damaged.
    fn damaged(&self, what: &'static str) -> JournalError {
        let game = self.due();
        let unit = game / u64::from(self.header.manifest.games_per_unit);
        damaged(self.number, Some((unit, game)), what)
    }

    /// The current game.
    ///
    /// # Errors
    /// If the line is not that of a game.
    pub fn entry(&self) -> Result<LedgerEntry<'_>, JournalError> {
        LedgerEntry::read(&self.line, &self.header.manifest).map_err(|what| self.damaged(what))
    }

    /// The current game's number.
    #[must_use]
    pub const fn game(&self) -> Option<u64> {
        self.last
    }

    /// The number of the current line, from 1.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Bytes of all complete lines so far.
    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// The current line, with its end.
    #[must_use]
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// Games so far whose end has an outdated word.
    #[must_use]
    pub const fn old_words(&self) -> u64 {
        self.old_words
    }

    /// How many games are missing before others, and the first of them.
    #[must_use]
    pub const fn missing(&self) -> Option<(u64, u64)> {
        self.missing
    }

    /// Bytes of a last line without an end, once everything was read.
    #[must_use]
    pub const fn torn(&self) -> u64 {
        self.torn
    }
}

/// The most bytes of the first line, when it is not known yet how long a game may be.
const LONGEST_FIRST: u64 = 1 << 30;
/// The most bytes of a game's line, without its plies.
const LONGEST: u64 = 64 << 20;
/// The most bytes of a ply, apart from the set-up of a deep army.
const LONGEST_PLY: u64 = 1 << 10;

/// Reads the first line of a ledger; of what cannot be one, the first byte is enough.
pub(super) fn first_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    let longest = match reader.fill_buf()?.first() {
        Some(b'{') => LONGEST_FIRST,
        _ => 1,
    };
    reader.take(longest).read_until(b'\n', line)?;
    Ok(())
}

/// Opens a ledger for reading.
///
/// # Errors
/// Those of the file; a first line that is not that of a ledger.
pub fn open(path: &Path) -> Result<Reader<BufReader<File>>, JournalError> {
    Reader::new(BufReader::with_capacity(1 << 18, File::open(path)?))
}
