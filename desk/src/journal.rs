//! The journal of a desk: a line for each act, on disk before anybody sees the act.
//!
//! It lies beside the record, `game.npgn.desk` beside `game.npgn`, and everything follows from it: the record that was
//! begun with, and each act since. Its lines vouch for each other ([`Line`]). While it is open nobody else can open it.

use crate::{
    clock::{Hand, Shown},
    keeper::DeskTerms,
    kept::{Made, Remark},
};
use overboard_engines::ending::End;
use overboard_events::{
    atomic_files::FileError,
    store::{Line, Sum},
};
use serde::{Deserialize, Serialize};
use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// A line of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Its number, from 1.
    pub number: u64,
    /// When it was written, in UTC.
    pub time: String,
    /// The hash of the record's file as it was written last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrote: Option<Sum>,
    /// Whose act it is; nobody's name if it is the arbiter's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What a line of a journal says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// The record that was begun with.
    Begin(String),
    /// How the desk is kept from here on.
    DeskTerms(DeskTerms),
    /// An act: everything that it changes.
    Act(Vec<Part>),
    /// So many acts were taken back.
    Back(u32),
    /// The clocks, while they run.
    Clocks(Shown),
}

/// A part of an act.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// A step of the game.
    Made(Made),
    /// A remark.
    Remark(Remark),
    /// A comment that comes out when the game is over, and the number of the row after which it then stands.
    Sealed(u64, String),
    /// A tag pair of the record.
    Tag(String, String),
    /// The game is over, or goes on again.
    Over(Option<Ended>),
    /// The clocks after it.
    Clocks(Shown),
    /// Somebody's vote for a move, in coordinates.
    Vote(String, String),
    /// A draw is offered by this side of the game with this path, or no longer.
    Offer(Option<Hand>),
}

/// How a game ended by something else than its plies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ended {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The tag Termination, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub termination: Option<String>,
    /// The reason, by the word that ledgers have for it; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cause: String,
    /// The reason in words.
    pub words: String,
}

impl Ended {
    /// An end by the rules, with this tag Termination.
    pub(crate) fn of(end: End, termination: Option<String>) -> Self {
        Self {
            result: end.outcome.to_string(),
            termination,
            cause: end.cause.word().into(),
            words: end.cause.to_string(),
        }
    }
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system reported an error.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another desk has it open.
    #[error("{path}: another desk keeps this record; end that one first", path = .0.display())]
    InUse(PathBuf),
    /// A line is not one that was written.
    #[error("{path}:{line}: {why}; nothing after it can be trusted. The record itself is whole: to go on from it, move the journal away", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A line could not be written, and could not be taken back either.
    #[error("{path}: a line could not be written completely; open the record again", path = .0.display())]
    Broken(PathBuf),
}

/// How long a journal is waited for: a desk that has just ended, or a program that it was starting, may still hold it.
const PATIENCE: Duration = Duration::from_secs(1);

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The length of its whole lines, in bytes.
    length: u64,
    /// The number of its last line.
    number: u64,
    /// The hash of its last line.
    head: Sum,
    is_broken: bool,
}

impl Journal {
    /// The journal of a record.
    #[must_use]
    pub fn beside(record: &Path) -> PathBuf {
        let mut name = record.as_os_str().to_owned();
        name.push(".desk");
        name.into()
    }

    /// Opens a journal, or makes a new one, and returns its entries. A last line that was not written completely was
    /// never acknowledged, and is dropped.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn open(path: &Path) -> Result<(Self, Vec<Entry>), JournalError> {
        let fail = FileError::on(path);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(fail)?;
        let begun = Instant::now();
        while let Err(error) = file.try_lock() {
            match error {
                TryLockError::WouldBlock if begun.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_millis(20));
                }
                TryLockError::WouldBlock => return Err(JournalError::InUse(path.to_owned())),
                TryLockError::Error(error) => return Err(fail(error).into()),
            }
        }
        let mut this = Self {
            path: path.to_owned(),
            file,
            length: 0,
            number: 0,
            head: Sum::START,
            is_broken: false,
        };
        let mut bytes = Vec::new();
        this.file.read_to_end(&mut bytes).map_err(fail)?;
        let entries = this.read(&bytes)?;
        if this.length < bytes.len() as u64 {
            this.file.set_len(this.length).map_err(fail)?;
        }
        Ok((this, entries))
    }

    fn read(&mut self, bytes: &[u8]) -> Result<Vec<Entry>, JournalError> {
        let mut entries = Vec::new();
        for text in bytes.split_inclusive(|byte| *byte == b'\n') {
            if !text.ends_with(b"\n") {
                break;
            }
            let line = Line::<Entry>::read(text).map_err(|why| self.damaged(why))?;
            if line.prev != self.head || line.entry.number != self.number + 1 {
                return Err(self.damaged("this entry does not follow from the one before it"));
            }
            self.head = line.sum;
            self.number += 1;
            self.length += text.len() as u64;
            entries.push(line.entry);
        }
        Ok(entries)
    }

    fn damaged(&self, why: &str) -> JournalError {
        JournalError::Damaged {
            path: self.path.clone(),
            line: self.number + 1,
            why: why.into(),
        }
    }

    /// Adds a line. It is on disk when this returns; if it cannot be written, the journal is as it was.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn add(&mut self, what: What, wrote: Option<Sum>) -> Result<(), JournalError> {
        self.add_by(None, what, wrote)
    }

    /// Adds a line about somebody's act.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn add_by(
        &mut self,
        by: Option<&str>,
        what: What,
        wrote: Option<Sum>,
    ) -> Result<(), JournalError> {
        if self.is_broken {
            return Err(JournalError::Broken(self.path.clone()));
        }
        let time = jiff::Timestamp::now();
        let entry = Entry {
            number: self.number + 1,
            time: time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            wrote,
            by: by.map(str::to_owned),
            what,
        };
        let line = Line::new(self.head, entry);
        if let Err(source) = self.write(line.text.as_bytes()) {
            self.is_broken = self.file.set_len(self.length).is_err();
            return Err(FileError::of(&self.path, source).into());
        }
        self.length += line.text.len() as u64;
        self.number += 1;
        self.head = line.sum;
        Ok(())
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        self.file.seek(io::SeekFrom::Start(self.length))?;
        self.file.write_all(line)?;
        self.file.sync_data()
    }
}
