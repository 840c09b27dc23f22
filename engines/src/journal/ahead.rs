//! Games that finish before an earlier one.
//!
//! A ledger has its games in order, so a long game delays those after it. They wait in this file, so that they are not
//! lost if their writer dies. It is beside the ledger, begins with the same header, and is removed when no game waits.

use super::{
    FORM, Header, JournalError, begins, is_ours,
    line::{is_sealed, renamed},
    reader::first_line,
    to_continue,
};
use crate::{batch::Done, journal::LedgerEntry, proof::Replay, stats::count_game};
use rayon::{ThreadPool, prelude::*};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufReader, ErrorKind, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// The file beside a ledger in which games wait.
pub struct Ahead {
    path: PathBuf,
    first: Vec<u8>,
    file: Option<File>,
}

impl Ahead {
    /// Opens the file beside this ledger. Returns it with its waiting games from number `from` on, by number. What
    /// cannot be read, or does not replay, is ignored and played again. Games that waited for the same run before that
    /// was extended are still valid.
    ///
    /// # Errors
    /// A file that cannot be read, or belongs to another run.
    pub fn open(
        ledger: &Path,
        header: &Header,
        from: u64,
        (replay, pool): (Replay, &ThreadPool),
    ) -> Result<(Self, BTreeMap<u64, Done>), JournalError> {
        let path = Self::beside(ledger);
        no_link(&path)?;
        let ahead = Self {
            path,
            first: header.line(),
            file: None,
        };
        let bytes = match fs::read(&ahead.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok((ahead, BTreeMap::new()));
            }
            read => read?,
        };
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let theirs = match lines.next() {
            Some(first) if first.ends_with(b"\n") => Header::read(first)?,
            // Its writer died before it contained a game.
            _ => return Ok((ahead, BTreeMap::new())),
        };
        let grew = begins(&theirs, header);
        if !grew {
            is_ours(&theirs, header)?;
        }
        let lines = lines.filter(|line| line.ends_with(b"\n") && is_sealed(line));
        let present = |line: &[u8]| {
            if grew {
                header.adopt(&renamed(line, &header.run), theirs.ledger, false)
            } else {
                header.adopt(line, theirs.ledger, false)
            }
        };
        let lines: Vec<_> = lines.map(present).collect();
        let waiting = |line: &Vec<u8>| {
            let done = done(line, header, replay)?;
            (done.fixture.game >= from).then_some((done.fixture.game, done))
        };
        let games: BTreeMap<_, _> = pool.install(|| lines.par_iter().filter_map(waiting).collect());
        if grew || theirs.ledger < FORM {
            ahead.rewrite(games.values())?;
        }
        Ok((ahead, games))
    }

    /// The header of the file beside a ledger.
    ///
    /// # Errors
    /// Those of the file; if it does not exist, that the ledger is empty.
    pub fn header(ledger: &Path) -> Result<Header, JournalError> {
        let mut line = Vec::new();
        no_link(&Self::beside(ledger))?;
        match File::open(Self::beside(ledger)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(JournalError::Empty),
            file => first_line(&mut BufReader::new(file?), &mut line)?,
        }
        if line.ends_with(b"\n") {
            Header::read(&line)
        } else {
            Err(JournalError::Empty)
        }
    }

    /// Rewrites the file, completely or not at all.
    fn rewrite<'a>(&self, games: impl Iterator<Item = &'a Done>) -> io::Result<()> {
        let name = self.path.with_added_extension("new");
        // Removes what a killed process left there; never writes through a link.
        match fs::remove_file(&name) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = File::create_new(&name)?;
        file.write_all(&self.first)?;
        for done in games {
            file.write_all(&done.line)?;
        }
        file.sync_data()?;
        fs::rename(name, &self.path)
    }

    /// Its name: that of the ledger, followed by `.ahead`.
    #[must_use]
    pub fn beside(ledger: &Path) -> PathBuf {
        ledger.with_added_extension("ahead")
    }

    /// Adds games and syncs them.
    ///
    /// # Errors
    /// Those of the file.
    pub fn add(&mut self, games: &[&Done]) -> io::Result<()> {
        let mut bytes = Vec::new();
        if self.file.is_none() {
            no_link(&self.path)?;
            let mut file = to_continue()
                .create(true)
                .truncate(false)
                .open(&self.path)?;
            if file.metadata()?.len() < self.first.len() as u64 {
                file.set_len(0)?;
                bytes.extend_from_slice(&self.first);
            } else {
                // If an earlier line is incomplete because its writer died, a new one must not continue it.
                bytes.push(b'\n');
            }
            file.seek(SeekFrom::End(0))?;
            self.file = Some(file);
        }
        for done in games {
            bytes.extend_from_slice(&done.line);
        }
        match &mut self.file {
            Some(file) => file.write_all(&bytes).and_then(|()| file.sync_data()),
            None => Ok(()),
        }
    }

    /// Removes the file if it exists: no game waits any more.
    ///
    /// # Errors
    /// Those of the file.
    pub fn clear(&mut self) -> io::Result<()> {
        self.file = None;
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

/// Checks that a file which the user has not named is not a link, which could lead anywhere: it is neither read nor
/// written through.
///
/// # Errors
/// If it is one.
pub fn no_link(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink()) {
        let name = path.display();
        return Err(io::Error::other(format!(
            "{name} is a link; nothing is written through one"
        )));
    }
    Ok(())
}

/// A waiting game, if its line is valid.
fn done(line: &[u8], header: &Header, replay: Replay) -> Option<Done> {
    let manifest = &header.manifest;
    let entry = LedgerEntry::read(line, manifest).ok()?;
    let fixture = manifest.fixture(&manifest.pairings(), entry.game);
    let belongs = *entry.run == *header.run.0
        && header.games().contains(&entry.game)
        && entry.is_of(&fixture, manifest);
    if !belongs || (replay != Replay::Nothing && count_game(&entry, manifest, replay).is_err()) {
        return None;
    }
    let fault = entry.blamed(&fixture);
    Some(Done {
        fixture,
        line: line.to_vec(),
        end: entry.end,
        plies: entry.plies,
        fault,
    })
}
