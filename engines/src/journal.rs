//! The ledger: an append-only file with all games of a run. Everything else is derived from it.
//!
//! Every line is a game, in the order of the games, so that any program for tables can open it. The first line also
//! contains the manifest, in columns that are empty on all others: a separate file would get lost, and a separate line
//! would be a row without a game, as it was in ledgers of form 1. Each line ends with its checksum. A line without an
//! end is incomplete because its writer died, and is cut; a line with a wrong checksum was damaged later, and is
//! reported. Games that finish before an earlier one wait in a file beside the ledger ([`Ahead`]).
//!
//! ```
//! use overboard_engines::journal;
//! use std::path::Path;
//!
//! let mut ledger = journal::open(Path::new("../examples/selfplay.jsonl"))?;
//! assert_eq!(ledger.header.manifest.players, ["greedy", "random"]);
//! let mut plies = Vec::new();
//! while ledger.advance()? {
//!     let game = ledger.entry()?;
//!     assert_eq!(game.moves.split(' ').count(), game.plies as usize);
//!     plies.push(game.plies);
//! }
//! assert_eq!(plies.len(), 6);
//! # Ok::<(), journal::JournalError>(())
//! ```

mod ahead;
mod line;
mod reader;

pub use ahead::{Ahead, no_link};
pub use line::{LedgerEntry, Scribe, renamed};
pub use reader::{Reader, open};

use crate::{
    manifest::{Manifest, Origin, Run},
    proof::{Replay, Stretch},
    records::RecordError,
    shard::{Shard, span},
};
use line::{CHECKSUM, is_sealed, lifted, seal, unsealed};
use overboard_formats::io_words::reason;
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};
use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufReader, Seek, SeekFrom, Write},
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

/// The form of ledgers that is written; older ones can be read.
pub const FORM: u32 = 2;

/// What can be wrong with a ledger.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{}", reason(.0))]
    Io(#[from] io::Error),
    /// Another process is writing to it.
    #[error("another run is writing to this ledger; wait for it, or stop it")]
    Locked,
    /// The file is not a ledger.
    #[error("this is not a ledger; it was not changed")]
    NotALedger,
    /// It was made by a version that writes another form.
    #[error("the ledger has form {0}; this version reads forms up to {FORM}")]
    Format(u32),
    /// It was made by a version that writes an older form.
    #[error("the ledger has form {0}, which is no longer written")]
    OldForm(u32),
    /// It has no game, and so no data of its run.
    #[error("the ledger contains no complete game")]
    Empty,
    /// It belongs to another run.
    #[error("the ledger belongs to run {theirs}, not to run {ours}: {what}")]
    Foreign {
        /// What differs between the two, in words.
        what: String,
        /// That of the ledger.
        theirs: Run,
        /// That expected.
        ours: Run,
    },
    /// It belongs to a run of the same games, but was begun under other laws.
    #[error(
        "the ledger was begun by {theirs}, and this is {ours}{}: a run goes on, and its parts are merged, only \
         under the laws that began it",
        theirs.changes()
    )]
    OtherOrigin {
        /// Those of the ledger.
        theirs: Box<Origin>,
        /// Those expected.
        ours: Box<Origin>,
    },
    /// It belongs to another part of the run.
    #[error("the ledger holds shard {theirs} of this run, not shard {ours}")]
    OtherShard {
        /// That of the ledger.
        theirs: Shard,
        /// That expected.
        ours: Shard,
    },
    /// A line has been changed since it was written.
    #[error("line {line}{} is damaged: {what}", name(.unit))]
    Damaged {
        /// The line, from 1.
        line: u64,
        /// The unit and the game that are due there.
        unit: Option<(u64, u64)>,
        /// What is wrong.
        what: &'static str,
    },
    /// A line contains another game than the one due there.
    #[error("line {line} holds game {found} where game {expected} belongs")]
    OutOfOrder {
        /// The line, from 1.
        line: u64,
        /// The game that it contains.
        found: u64,
        /// The game due there.
        expected: u64,
    },
    /// A game does not replay to what its line says.
    #[error("line {line}: {why}")]
    Unlike {
        /// The line, from 1.
        line: u64,
        /// How it differs.
        why: RecordError,
    },
}

fn name(unit: &Option<(u64, u64)>) -> String {
    unit.map_or(String::new(), |(unit, game)| {
        format!(" (unit {unit}, game {game})")
    })
}

/// The run of a ledger: its manifest and shard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The form of the ledger.
    pub ledger: u32,
    /// The run id.
    pub run: Run,
    /// The part of the run.
    pub shard: Shard,
    /// What is played.
    pub manifest: Manifest,
}

/// What the first line of a ledger has besides its game.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Head<'a> {
    /// On the first line only: the version of the ledger's form, 2.
    ledger: u32,
    /// On the first line only: the part of the run that the ledger holds.
    shard: Shard,
    /// On the first line only: what is played.
    manifest: &'a Manifest,
}

/// A game of a ledger; the first one also has what describes the run.
// The writer puts the line together from these parts, so this type is only for the schema.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[allow(dead_code, reason = "only its schema is needed")]
pub struct LedgerLine {
    #[serde(flatten)]
    game: line::Line<'static>,
    /// Whether a clock affected the game, so that it cannot be reproduced.
    timed: bool,
    #[serde(flatten)]
    head: Option<Head<'static>>,
    /// The checksum: CRC-32 of the bytes of the line before `,"sum"`, as eight hexadecimal digits.
    sum: String,
}

impl Header {
    /// The header of the ledger of a part of a run.
    #[must_use]
    pub fn of(manifest: &Manifest, shard: Shard) -> Self {
        Self {
            ledger: FORM,
            run: manifest.run(),
            shard,
            manifest: manifest.clone(),
        }
    }

    /// The same in the present form.
    #[must_use]
    pub fn of_today(&self) -> Self {
        Self {
            ledger: FORM,
            ..self.clone()
        }
    }

    /// What a ledger of this form has before its games.
    #[must_use]
    pub fn begin(&self) -> Vec<u8> {
        if self.ledger < FORM {
            self.line()
        } else {
            Vec::new()
        }
    }

    /// Converts the line of a game from a ledger of form `from` to one of this ledger, of which it may be the first
    /// game.
    #[must_use]
    pub fn adopt(&self, line: &[u8], from: u32, is_first: bool) -> Vec<u8> {
        let line = if from < self.ledger {
            lifted(line, self.manifest.timed)
        } else {
            line.to_vec()
        };
        if is_first && self.ledger >= FORM {
            self.headed(&line)
        } else {
            line
        }
    }

    /// The header as the beginning of the first game's line.
    fn head(&self) -> Vec<u8> {
        let head = Head {
            ledger: self.ledger,
            shard: self.shard,
            manifest: &self.manifest,
        };
        // A header can always be serialised.
        let mut head = serde_json::to_vec(&head).unwrap_or_default();
        head.pop();
        if let Some(first) = head.first_mut() {
            *first = b',';
        }
        head
    }

    /// The line of the first game of a ledger, with the header.
    fn headed(&self, line: &[u8]) -> Vec<u8> {
        let mut line = [unsealed(line), &self.head()].concat();
        seal(&mut line, 0);
        line
    }

    /// The inverse: the header on the line of the first game, and that line as the line of any other game.
    fn unhead(line: &[u8]) -> Result<(Self, Vec<u8>), JournalError> {
        if !is_sealed(line) {
            return Err(damaged(1, None, CHECKSUM));
        }
        match serde_json::from_slice(line) {
            Ok(Version { ledger }) if ledger > FORM => return Err(JournalError::Format(ledger)),
            Ok(_) => {}
            Err(_) => {
                return Err(damaged(
                    1,
                    None,
                    "it does not describe the run (the beginning of the file may have been cut off)",
                ));
            }
        }
        let header = Self::read_sound(line)?;
        let body = unsealed(line).strip_suffix(&*header.head());
        let mut line = body.ok_or_else(no_manifest)?.to_vec();
        seal(&mut line, 0);
        Ok((header, line))
    }

    /// Reads the header on a line, whose manifest must be consistent and match the run id.
    fn read_sound(line: &[u8]) -> Result<Self, JournalError> {
        let header: Self = serde_json::from_slice(line).map_err(|_| no_manifest())?;
        if header.run != header.manifest.run() || header.manifest.check().is_err() {
            return Err(damaged(
                1,
                None,
                "its manifest does not match the name of its run",
            ));
        }
        Ok(header)
    }

    /// The header as a line of its own, with which ledgers of form 1 and files of waiting games begin.
    #[must_use]
    pub fn line(&self) -> Vec<u8> {
        // A header can always be serialised.
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

    fn read(line: &[u8]) -> Result<Self, JournalError> {
        let Ok(Version { ledger }) = serde_json::from_slice(line) else {
            let was_one = line.starts_with(b"{\"ledger\":");
            return Err(if was_one {
                damaged(1, None, CHECKSUM)
            } else {
                JournalError::NotALedger
            });
        };
        if !is_sealed(line) {
            return Err(damaged(1, None, CHECKSUM));
        }
        if !(1..=FORM).contains(&ledger) {
            return Err(JournalError::Format(ledger));
        }
        Self::read_sound(line)
    }
}

/// The form of the ledger on a line that has a header.
#[derive(Deserialize)]
struct Version {
    ledger: u32,
}

const fn no_manifest() -> JournalError {
    damaged(1, None, "it is not a manifest")
}

const fn damaged(line: u64, unit: Option<(u64, u64)>, what: &'static str) -> JournalError {
    JournalError::Damaged { line, unit, what }
}

/// A ledger open for writing.
pub struct Journal {
    file: File,
    header: Header,
    length: u64,
    /// Whether something was written but not synced.
    unsynced: bool,
    synced: Instant,
}

/// What a ledger contained when it was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// The number of games.
    pub games: u64,
    /// Bytes of an incomplete line that were cut.
    pub cut: u64,
}

/// The time after which what was written is synced.
const SYNC: Duration = Duration::from_secs(1);

impl Journal {
    /// Opens a ledger to continue it, or creates it. Calls `see` for every game in it, after replaying the game as far
    /// as `replay` says.
    ///
    /// # Errors
    /// A ledger that another process is writing, that belongs to another run, or is damaged; or a game that is not what
    /// its line says.
    pub fn open(
        path: &Path,
        header: &Header,
        (replay, pool): (Replay, &ThreadPool),
        see: &mut dyn FnMut(&LedgerEntry<'_>),
    ) -> Result<(Self, Held), JournalError> {
        let mut file = locked(to_continue().create(true).open(path)?)?;
        if let Some(cut) = torn_at_once(&mut file, header)? {
            file.set_len(0)?;
            sync_folder(path)?;
            return Ok((Self::of(file, header, 0), Held { games: 0, cut }));
        }
        file.seek(SeekFrom::Start(0))?;
        let mut reader = Reader::new(BufReader::with_capacity(1 << 18, &file))?;
        is_ours(&reader.header, header)?;
        if reader.header.ledger < FORM {
            return Err(JournalError::OldForm(reader.header.ledger));
        }
        let mut held = Held::default();
        let mut stretch = Stretch::default();
        while stretch.fill(&mut reader)? {
            for seen in stretch.games(&header.manifest, replay, pool) {
                let (line, expected) = (seen.line, header.games().start + held.games);
                if seen.entry.game != expected {
                    return Err(JournalError::OutOfOrder {
                        line,
                        found: seen.entry.game,
                        expected,
                    });
                }
                seen.walk
                    .map_err(|why| JournalError::Unlike { line, why })?;
                see(&seen.entry);
                held.games += 1;
            }
        }
        held.cut = reader.torn();
        let length = reader.length();
        if held.cut > 0 {
            file.set_len(length)?;
        }
        Ok((Self::of(file, header, length), held))
    }

    fn of(file: File, header: &Header, length: u64) -> Self {
        Self {
            file,
            header: header.of_today(),
            length,
            unsynced: false,
            synced: Instant::now(),
        }
    }

    /// Appends complete lines; if only part of them could be written, the part is removed again.
    ///
    /// # Errors
    /// Those of the file, such as a full disk.
    pub fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        let first = if self.length == 0 {
            lines.iter().position(|byte| *byte == b'\n')
        } else {
            None
        };
        let headed =
            first.map(|end| [&*self.header.headed(&lines[..=end]), &lines[end + 1..]].concat());
        let lines = headed.as_deref().unwrap_or(lines);
        self.file.seek(SeekFrom::End(0))?;
        if let Err(error) = self.file.write_all(lines) {
            self.file.set_len(self.length)?;
            return Err(error);
        }
        self.length += lines.len() as u64;
        self.unsynced = true;
        self.keep_up()
    }

    /// Syncs what was written if it is time; to be called now and then.
    ///
    /// # Errors
    /// Those of the file.
    pub fn keep_up(&mut self) -> io::Result<()> {
        if self.unsynced && self.synced.elapsed() >= SYNC {
            self.sync()
        } else {
            Ok(())
        }
    }

    /// Syncs what was written.
    ///
    /// # Errors
    /// Those of the file.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        self.unsynced = false;
        self.synced = Instant::now();
        Ok(())
    }
}

/// Locks a ledger against other writers, as long as the file is open.
///
/// # Errors
/// Those of the file; a ledger that another process is writing.
pub fn lock(path: &Path) -> Result<File, JournalError> {
    locked(to_continue().open(path)?)
}

/// How a file is opened that is to be continued. The system puts all writing at its end, except on Windows, where such a
/// file could not be shortened; so a writer goes to the end before it writes.
pub fn to_continue() -> OpenOptions {
    let mut options = OpenOptions::new();
    if cfg!(windows) {
        options.read(true).write(true);
    } else {
        options.read(true).append(true);
    }
    options
}

fn locked(file: File) -> Result<File, JournalError> {
    // A runner that was killed while starting an engine keeps its lock a moment longer, until the child has
    // become the engine.
    let until = Instant::now() + Duration::from_millis(500);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < until => {
                sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
}

/// Whether a run is the first part of another, longer one.
fn begins(shorter: &Header, longer: &Header) -> bool {
    let rounds = longer.manifest.rounds;
    let (shards, is_shorter) = (
        [shorter.shard, longer.shard],
        shorter.manifest.rounds < rounds,
    );
    let same = Manifest {
        rounds,
        ..shorter.manifest.clone()
    } == longer.manifest;
    same && is_shorter && shards == [Shard::WHOLE; 2]
}

/// The length of an incomplete first line in a ledger's file, 0 for a new file; `None` if the file has a complete line,
/// or something else.
fn torn_at_once(file: &mut File, header: &Header) -> io::Result<Option<u64>> {
    let mut bytes = Vec::new();
    reader::first_line(&mut BufReader::new(file), &mut bytes)?;
    let begins = [
        header.line(),
        format!("{{\"run\":\"{}\",\"game\":", header.run).into_bytes(),
    ];
    let is_begun = begins
        .iter()
        .any(|begin| begin.starts_with(&bytes) || bytes.starts_with(begin));
    Ok((bytes.last() != Some(&b'\n') && is_begun).then_some(bytes.len() as u64))
}

/// The header under which a run goes on in a ledger: the one that it has, if it was begun under the same laws.
#[must_use]
pub fn as_begun(path: &Path, header: &Header) -> Header {
    match open(path) {
        Ok(begun) if begun.header.manifest.is_alike(&header.manifest) => {
            Header::of(&begun.header.manifest, header.shard)
        }
        _ => header.clone(),
    }
}

/// Checks that a ledger belongs to this part of this run.
fn is_ours(theirs: &Header, ours: &Header) -> Result<(), JournalError> {
    is_of_run(theirs, ours)?;
    if theirs.shard != ours.shard {
        return Err(JournalError::OtherShard {
            theirs: theirs.shard,
            ours: ours.shard,
        });
    }
    Ok(())
}

/// Checks that a ledger belongs to this run.
pub(crate) fn is_of_run(theirs: &Header, ours: &Header) -> Result<(), JournalError> {
    if theirs.run == ours.run || theirs.manifest.is_alike(&ours.manifest) {
        return Ok(());
    }
    let Manifest { program, laws, .. } = ours.manifest.clone();
    // The same run except for program or laws: report only that difference.
    let same = Manifest {
        program,
        laws,
        ..theirs.manifest.clone()
    };
    if same == ours.manifest {
        let [theirs, ours] = [theirs, ours].map(|header| Box::new(header.manifest.origin()));
        return Err(JournalError::OtherOrigin { theirs, ours });
    }
    let what = differences(&theirs.manifest, &ours.manifest);
    Err(JournalError::Foreign {
        what,
        theirs: theirs.run.clone(),
        ours: ours.run.clone(),
    })
}

/// What differs between two runs: only the number of games, which can be raised, or what makes them different games.
fn differences(theirs: &Manifest, ours: &Manifest) -> String {
    let (rounds, games_per_unit) = (ours.rounds, ours.games_per_unit);
    if (Manifest {
        rounds,
        games_per_unit,
        ..theirs.clone()
    }) == *ours
    {
        let [has, wanted] =
            [theirs, ours].map(|manifest| manifest.units() * u64::from(manifest.games_per_unit));
        return format!(
            "it is of {has} games, not {wanted}; `overboard extend` makes a run longer"
        );
    }
    let parts = [
        (theirs.variant != ours.variant, "the variants"),
        (theirs.players != ours.players, "the players"),
        (theirs.seed != ours.seed, "the seeds"),
        (theirs.openings != ours.openings, "the openings"),
        (theirs.max_plies != ours.max_plies, "the limits of plies"),
        (
            (theirs.rounds, theirs.games_per_unit) != (rounds, games_per_unit),
            "the numbers of games",
        ),
    ];
    let found: Vec<&str> = parts
        .into_iter()
        .filter(|(differs, _)| *differs)
        .map(|(_, what)| what)
        .collect();
    format!(
        "{} differ",
        if found.is_empty() {
            "the settings".into()
        } else {
            overboard_rules::refusal::list(found, "and")
        }
    )
}

/// Syncs the folder, so that a new file's name survives a crash.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

/// The range of units that contains a range of games, in words.
#[must_use]
pub fn units(games: &std::ops::Range<u64>, games_per_unit: u8) -> String {
    let size = u64::from(games_per_unit);
    span(&(games.start / size..games.end.div_ceil(size)))
}
