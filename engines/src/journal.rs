//! The ledger: one file, only ever added to, that holds a batch's games and is the only truth.
//!
//! Its first line is the manifest, every other line a game, in the order of the games. Each line ends
//! with its checksum. A line without an end was torn when its writer died, and is cut; a line whose
//! checksum is wrong was damaged later, and is named.

use crate::{
    ending::{Booked, End},
    game::Played,
    manifest::{FORMAT, Fixture, Manifest, Origin, Run},
    shard::{Shard, span},
};
use serde::{Deserialize, Serialize};
use std::{
    borrow::Cow,
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
    time::{Duration, Instant},
};

/// What can be wrong with a ledger.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another process writes it.
    #[error("another run is writing this ledger; wait for it, or end it")]
    Locked,
    /// It is something else.
    #[error("this is no ledger, and it is left as it is")]
    NotALedger,
    /// It was made by a version with another form.
    #[error("the ledger has format {0}, and this program knows format {FORMAT}")]
    Format(u32),
    /// It belongs to another run.
    #[error("the ledger belongs to run {theirs}, and this is run {ours}: other players, seed or limits")]
    Foreign {
        /// The ledger's.
        theirs: Run,
        /// The one expected.
        ours: Run,
    },
    /// It belongs to a run of the same games, begun by another version or under other laws.
    #[error(
        "the ledger was begun by {theirs}, and this is {ours}: a run goes on, and its parts are merged, only \
         under the version and laws that began it"
    )]
    OtherOrigin {
        /// The ledger's.
        theirs: Box<Origin>,
        /// The one expected.
        ours: Box<Origin>,
    },
    /// It belongs to another part of the run.
    #[error("the ledger holds shard {theirs} of this run, not shard {ours}")]
    OtherShard {
        /// The ledger's.
        theirs: Shard,
        /// The one expected.
        ours: Shard,
    },
    /// A line has changed since it was written.
    #[error("line {line}{} is damaged: {what}", name(.unit))]
    Damaged {
        /// The line, from 1.
        line: u64,
        /// The unit and the game that it seems to hold.
        unit: Option<(u64, u64)>,
        /// What is wrong.
        what: &'static str,
    },
    /// A line holds another game than its place says.
    #[error("line {line} holds game {found} where game {expected} belongs")]
    OutOfOrder {
        /// The line, from 1.
        line: u64,
        /// The game that it holds.
        found: u64,
        /// The one that belongs there.
        expected: u64,
    },
}

fn name(unit: &Option<(u64, u64)>) -> String {
    unit.map_or(String::new(), |(unit, game)| format!(" (unit {unit}, game {game})"))
}

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Version of the form.
    pub ledger: u32,
    /// The name of the run.
    pub run: Run,
    /// Which part of it.
    pub shard: Shard,
    /// What is played.
    pub manifest: Manifest,
}

impl Header {
    /// The first line of a part of a run.
    #[must_use]
    pub fn of(manifest: &Manifest, shard: Shard) -> Self {
        Self { ledger: FORMAT, run: manifest.run(), shard, manifest: manifest.clone() }
    }

    /// The line.
    #[must_use]
    pub fn line(&self) -> Vec<u8> {
        // A header can be written.
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.pop();
        seal(&mut line, 0);
        line
    }

    /// The games of the part, by their numbers.
    #[must_use]
    pub fn games(&self) -> std::ops::Range<u64> {
        let size = u64::from(self.manifest.games_per_unit);
        let units = self.shard.range(self.manifest.units());
        units.start * size..units.end * size
    }

    fn read(line: &[u8]) -> Result<Self, Fault> {
        #[derive(Deserialize)]
        struct Version {
            ledger: u32,
        }
        let Ok(Version { ledger }) = serde_json::from_slice(line) else {
            let was_one = line.starts_with(b"{\"ledger\":");
            return Err(if was_one { damaged(1, None, CHECKSUM) } else { Fault::NotALedger });
        };
        if !is_sealed(line) {
            return Err(damaged(1, None, CHECKSUM));
        }
        if ledger != FORMAT {
            return Err(Fault::Format(ledger));
        }
        let header: Self = serde_json::from_slice(line).map_err(|_| damaged(1, None, "it is no manifest"))?;
        if header.run != header.manifest.run() || header.manifest.check().is_err() {
            return Err(damaged(1, None, "its manifest is not the one that it is named for"));
        }
        Ok(header)
    }
}

const CHECKSUM: &str = "its checksum is wrong";

const fn damaged(line: u64, unit: Option<(u64, u64)>, what: &'static str) -> Fault {
    Fault::Damaged { line, unit, what }
}

/// The fields of a game's line.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    run: Cow<'a, str>,
    game: u64,
    unit: u64,
    round: u64,
    #[serde(borrow)]
    white: Cow<'a, str>,
    #[serde(borrow)]
    black: Cow<'a, str>,
    #[serde(borrow)]
    fen: Option<Cow<'a, str>>,
    book: u32,
    #[serde(borrow)]
    moves: Cow<'a, str>,
    plies: u32,
    #[serde(borrow)]
    result: Cow<'a, str>,
    #[serde(borrow)]
    termination: Cow<'a, str>,
}

/// A game as its line has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry<'a> {
    /// The name of the run.
    pub run: Cow<'a, str>,
    /// The game's number, from 0.
    pub game: u64,
    /// The number of its unit.
    pub unit: u64,
    /// The round.
    pub round: u64,
    /// White's name.
    pub white: Cow<'a, str>,
    /// Black's name.
    pub black: Cow<'a, str>,
    /// FEN of the position it started from, where that is not the game's first.
    pub fen: Option<Cow<'a, str>>,
    /// Plies that the opening set down, at the front of the moves.
    pub book: u32,
    /// The plies in coordinates, one space between them.
    pub moves: Cow<'a, str>,
    /// How many plies that are.
    pub plies: u32,
    /// How the game ended.
    pub end: End,
    /// Whether its line has a word for that end that is no longer written.
    pub old_word: bool,
}

impl<'a> Entry<'a> {
    /// Reads the line of a game, whatever version wrote it.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(line: &'a [u8], manifest: &Manifest) -> Result<Self, &'static str> {
        let Line { run, game, unit, round, white, black, fen, book, moves, plies, result, termination } =
            serde_json::from_slice(line).map_err(|_| "it is no game")?;
        let Booked { end, old_word } =
            Booked::read(&result, &termination, manifest).ok_or("its result or termination is none")?;
        Ok(Self { run, game, unit, round, white, black, fen, book, moves, plies, end, old_word })
    }
}

/// Writes lines of one run.
#[derive(Clone, Debug)]
pub struct Scribe {
    run: String,
    players: Vec<String>,
}

impl Scribe {
    /// A writer of this run's lines.
    #[must_use]
    pub fn of(manifest: &Manifest) -> Self {
        let quoted = |name: &String| serde_json::to_string(name).unwrap_or_default();
        Self { run: manifest.run().0, players: manifest.players.iter().map(quoted).collect() }
    }

    /// Adds the line of a game.
    pub fn write(&self, line: &mut Vec<u8>, fixture: &Fixture, played: &Played) {
        let from = line.len();
        let [white, black] = fixture.seats.map(|seat| &self.players[seat]);
        let fen =
            played.fen.as_ref().map_or("null".into(), |fen| serde_json::to_string(fen).unwrap_or_default());
        let Fixture { game, unit, round, .. } = fixture;
        let Played { book, moves, plies, end: End { outcome, cause }, .. } = played;
        // Memory can be written.
        let _ = write!(
            line,
            "{{\"run\":\"{}\",\"game\":{game},\"unit\":{unit},\"round\":{round},\"white\":{white},\"black\":{black},\
             \"fen\":{fen},\"book\":{book},\"moves\":\"{moves}\",\"plies\":{plies},\"result\":\"{outcome}\",\
             \"termination\":\"{}\"",
            self.run,
            cause.word()
        );
        seal(line, from);
    }
}

/// Ends the line that begins at `from` with its checksum.
fn seal(line: &mut Vec<u8>, from: usize) {
    let sum = crc32fast::hash(&line[from..]);
    let _ = writeln!(line, ",\"sum\":\"{sum:08x}\"}}");
}

/// `,"sum":"01234567"}`.
const SEAL: usize = 18;

/// Whether a line, with or without its end, is as it was written.
fn is_sealed(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let Some(at) = line.len().checked_sub(SEAL) else { return false };
    let mut seal = *b",\"sum\":\"........\"}";
    let sum = format!("{:08x}", crc32fast::hash(&line[..at]));
    seal[8..16].copy_from_slice(sum.as_bytes());
    line[at..] == seal
}

/// Reads a ledger line by line, and trusts none.
pub struct Reader<R> {
    inner: R,
    /// The first line.
    pub header: Header,
    line: Vec<u8>,
    number: u64,
    length: u64,
    torn: u64,
    last: Option<u64>,
    old_words: u64,
}

impl<R: BufRead> Reader<R> {
    /// Begins to read.
    ///
    /// # Errors
    /// Those of the file, and a first line that is none of a ledger.
    pub fn new(mut inner: R) -> Result<Self, Fault> {
        let mut line = Vec::new();
        inner.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return Err(Fault::NotALedger);
        }
        let header = Header::read(&line)?;
        let length = line.len() as u64;
        Ok(Self { inner, header, line, number: 1, length, torn: 0, last: None, old_words: 0 })
    }

    /// Goes on to the next game; answers whether there is one.
    ///
    /// # Errors
    /// Those of the file, and a line that is damaged or out of place.
    pub fn advance(&mut self) -> Result<bool, Fault> {
        self.line.clear();
        let count = self.inner.by_ref().take(LONGEST).read_until(b'\n', &mut self.line)?;
        if count == 0 {
            return Ok(false);
        }
        if self.line.last() != Some(&b'\n') && (count as u64) < LONGEST {
            self.torn = count as u64;
            return Ok(false);
        }
        self.number += 1;
        if !is_sealed(&self.line) {
            return Err(damaged(self.number, self.guess(), CHECKSUM));
        }
        let entry = self.entry()?;
        let (game, belongs, old_word) = (entry.game, *entry.run == *self.header.run.0, entry.old_word);
        if !belongs {
            return Err(damaged(self.number, self.guess(), "it is of another run"));
        }
        let range = self.header.games();
        let least = self.last.map_or(range.start, |last| last + 1);
        if !range.contains(&game) || game < least {
            return Err(Fault::OutOfOrder { line: self.number, found: game, expected: least });
        }
        self.last = Some(game);
        self.old_words += u64::from(old_word);
        self.length += count as u64;
        Ok(true)
    }

    /// The unit and game that a damaged line seems to hold, else those of its place.
    fn guess(&self) -> Option<(u64, u64)> {
        let text = String::from_utf8_lossy(&self.line);
        let number = |name: &str| -> Option<u64> {
            let rest = &text[text.find(name)? + name.len()..];
            rest[..rest.find(|c: char| !c.is_ascii_digit())?].parse().ok()
        };
        let read = number("\"unit\":").zip(number("\"game\":"));
        let size = u64::from(self.header.manifest.games_per_unit);
        let next = self.last.map_or(self.header.games().start, |last| last + 1);
        let is_near = |(unit, game): &(u64, u64)| *game == next && *unit == next / size;
        Some(read.filter(is_near).unwrap_or((next / size, next)))
    }

    /// The game gone on to.
    ///
    /// # Errors
    /// When the line is none of a game.
    pub fn entry(&self) -> Result<Entry<'_>, Fault> {
        Entry::read(&self.line, &self.header.manifest)
            .map_err(|what| damaged(self.number, self.guess(), what))
    }

    /// The game's number.
    #[must_use]
    pub const fn game(&self) -> Option<u64> {
        self.last
    }

    /// The line, with its end.
    #[must_use]
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// Games so far whose end has a word that is no longer written.
    #[must_use]
    pub const fn old_words(&self) -> u64 {
        self.old_words
    }

    /// Bytes of a last line without an end, once everything was read.
    #[must_use]
    pub const fn torn(&self) -> u64 {
        self.torn
    }
}

/// Most bytes of a line.
const LONGEST: u64 = 64 << 20;

/// Opens a ledger for reading.
///
/// # Errors
/// Those of the file, and a first line that is none of a ledger.
pub fn open(path: &Path) -> Result<Reader<BufReader<File>>, Fault> {
    Reader::new(BufReader::with_capacity(1 << 18, File::open(path)?))
}

/// A ledger that is being written.
pub struct Journal {
    file: File,
    length: u64,
    synced: Instant,
}

/// What a ledger already held when it was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// Games.
    pub games: u64,
    /// Bytes of a torn line that were cut.
    pub cut: u64,
}

/// Time after which what was written is made to last.
const SYNC: Duration = Duration::from_secs(1);

impl Journal {
    /// Opens a ledger to go on with it, or makes it; shows `see` every game that is in it.
    ///
    /// # Errors
    /// A ledger that another writes, that belongs to another run, or that is damaged.
    pub fn open(
        path: &Path,
        header: &Header,
        see: &mut dyn FnMut(&Entry<'_>),
    ) -> Result<(Self, Held), Fault> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Fault::Locked),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let first = header.line();
        let begun = begun(&mut file, &first)?;
        if begun < first.len() as u64 {
            file.set_len(0)?;
            let mut journal = Self { file, length: 0, synced: Instant::now() };
            journal.append(&first)?;
            journal.sync()?;
            sync_folder(path)?;
            return Ok((journal, Held { games: 0, cut: begun }));
        }
        file.seek(SeekFrom::Start(0))?;
        let mut reader = Reader::new(BufReader::with_capacity(1 << 18, &file))?;
        is_ours(&reader.header, header)?;
        let mut held = Held::default();
        while reader.advance()? {
            let expected = header.games().start + held.games;
            match reader.game() {
                Some(game) if game != expected => {
                    return Err(Fault::OutOfOrder { line: reader.number, found: game, expected });
                }
                _ => see(&reader.entry()?),
            }
            held.games += 1;
        }
        held.cut = reader.torn();
        let length = reader.length;
        if held.cut > 0 {
            file.set_len(length)?;
        }
        Ok((Self { file, length, synced: Instant::now() }, held))
    }

    /// Adds whole lines; what was added only in part is taken back.
    ///
    /// # Errors
    /// Those of the file, such as a full disk.
    pub fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(lines) {
            self.file.set_len(self.length)?;
            return Err(error);
        }
        self.length += lines.len() as u64;
        if self.synced.elapsed() >= SYNC { self.sync() } else { Ok(()) }
    }

    /// Makes what was written last.
    ///
    /// # Errors
    /// Those of the file.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        self.synced = Instant::now();
        Ok(())
    }
}

/// How many bytes of its first line a new or torn file holds; all of them where it is no such file.
fn begun(file: &mut File, first: &[u8]) -> io::Result<u64> {
    let mut bytes = Vec::new();
    file.take(first.len() as u64).read_to_end(&mut bytes)?;
    Ok(if first.starts_with(&bytes) { bytes.len() } else { first.len() } as u64)
}

/// Whether a ledger belongs to this part of this run.
fn is_ours(theirs: &Header, ours: &Header) -> Result<(), Fault> {
    is_of_run(theirs, ours)?;
    if theirs.shard != ours.shard {
        return Err(Fault::OtherShard { theirs: theirs.shard, ours: ours.shard });
    }
    Ok(())
}

/// Whether a ledger belongs to this run.
pub(crate) fn is_of_run(theirs: &Header, ours: &Header) -> Result<(), Fault> {
    if theirs.run == ours.run {
        return Ok(());
    }
    let Manifest { program, laws, .. } = ours.manifest.clone();
    // The same games but for who plays them under which laws: whoever asks is told just that.
    if (Manifest { program, laws, ..theirs.manifest.clone() }) == ours.manifest {
        let [theirs, ours] = [theirs, ours].map(|header| Box::new(header.manifest.origin()));
        return Err(Fault::OtherOrigin { theirs, ours });
    }
    Err(Fault::Foreign { theirs: theirs.run.clone(), ours: ours.run.clone() })
}

/// Makes a new file's name last.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// The range of units that a range of games lies in, in words.
#[must_use]
pub fn units(games: &std::ops::Range<u64>, games_per_unit: u8) -> String {
    let size = u64::from(games_per_unit);
    span(&(games.start / size..games.end.div_ceil(size)))
}
