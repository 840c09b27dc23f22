//! A file of records that grows while a run is played (`--pgn`).
//!
//! The ledger is what counts: the file holds the records of its games in its order, is continued where it was left, and can
//! be made again at any time by `ledger --to npgn`.

use crate::{
    commands::fmt::format,
    exit::{CliError, PartError},
};
use overboard_engines::{journal::LedgerEntry, manifest::Manifest, records::write_record};
use overboard_formats::{io_words::reason, limits::Limits};
use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

/// The records of a run.
pub struct Grown {
    path: PathBuf,
    file: File,
    manifest: Manifest,
    /// The day, as the tag Date has it.
    date: String,
    /// Whole games that are in the file already.
    known: u64,
    /// Where the last record begins, until it is written again.
    cut: Option<u64>,
}

/// Why records cannot be added to a file.
#[derive(Debug, thiserror::Error)]
pub enum GrownError {
    /// It holds something else.
    #[error(
        "{path}: this file holds other records than those of this run; it was not changed",
        path = .0.display()
    )]
    Foreign(PathBuf),
    /// There is no ledger with which it could be continued.
    #[error(
        "{path}: already exists; it was not overwritten. With --ledger it is continued",
        path = .0.display()
    )]
    Alone(PathBuf),
    /// It holds more games than the ledger.
    #[error(
        "{path}: this file holds more games of this run than the ledger; it was not changed",
        path = .0.display()
    )]
    Ahead(PathBuf),
}

impl PartError for GrownError {}

/// How each record begins.
const START: &[u8] = b"[Event \"";

impl Grown {
    /// Opens the file, or creates it. The last record of an existing one will be written again, since it may be torn.
    ///
    /// # Errors
    /// The file cannot be opened, or is not of this run.
    pub fn open(path: &Path, manifest: &Manifest) -> Result<Self, CliError> {
        let fail = CliError::on(path);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(fail)?;
        let ending = format!(" {}\"]", manifest.run());
        let (mut at, mut last, mut records) = (0, 0, 0);
        let mut lines = BufReader::new(&file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = lines.read_until(b'\n', &mut line).map_err(fail)?;
            if read == 0 {
                break;
            }
            if line.starts_with(START) {
                let is_torn = !line.ends_with(b"\n");
                if !is_torn && !line.trim_ascii_end().ends_with(ending.as_bytes()) {
                    return Err(GrownError::Foreign(path.to_owned()).into());
                }
                last = at;
                records += 1;
            } else if records == 0 && !line.trim_ascii().is_empty() {
                return Err(GrownError::Foreign(path.to_owned()).into());
            }
            at += read as u64;
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            manifest: manifest.clone(),
            date: jiff::Timestamp::now().strftime("%Y.%m.%d").to_string(),
            known: u64::saturating_sub(records, 1),
            cut: Some(last),
        })
    }

    /// Adds the next game of the ledger, unless it is there.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, entry: &LedgerEntry<'_>) -> io::Result<()> {
        if self.known > 0 {
            self.known -= 1;
            return Ok(());
        }
        if let Some(at) = self.cut.take() {
            self.file.set_len(at)?;
            self.file.seek(SeekFrom::Start(at))?;
        }
        let (mut text, mut record) = (String::new(), Vec::new());
        write_record(entry, &self.manifest, Some(&self.date), &mut text)
            .map_err(io::Error::other)?;
        format(text.as_bytes(), &mut record, Limits::default())
            .map_err(|error| io::Error::other(error.at(&self.path).to_string()))?;
        self.file.write_all(&record).map_err(|error| {
            let words = format!("{}: {}", self.path.display(), reason(&error));
            io::Error::other(words)
        })
    }

    /// Checks, when all games of the ledger have been added, that the file has no more of them.
    ///
    /// # Errors
    /// It has.
    pub fn catch_up(&self, has_ledger: bool) -> Result<(), GrownError> {
        let has_records = self.known > 0 || self.cut.is_some_and(|at| at > 0);
        match has_ledger {
            true if self.known > 0 => Err(GrownError::Ahead(self.path.clone())),
            false if has_records => Err(GrownError::Alone(self.path.clone())),
            _ => Ok(()),
        }
    }
}
