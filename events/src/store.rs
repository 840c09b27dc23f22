//! The folder of an event: read as a whole, written atomically, by one process at a time, with a log from which every
//! state of its files follows.
//!
//! ```
//! use overboard_events::{Event, Files, store};
//!
//! let path = std::env::temp_dir().join(format!("overboard-store-{}", std::process::id()));
//! let settings = "name = \"cup\"\ngame = \"chess\"\nsystem = \"round-robin\"\n\
//!     participants = \"players\"\nscoring = \"game\"\n";
//! let files = [("event.toml", settings), ("players.csv", "id,name\n1,Ann\n2,Bob\n")];
//! let files: Files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).into();
//! let event = Event::read(&files).unwrap();
//!
//! let mut folder = store::Folder::make(&path, store::Session::default()).unwrap();
//! folder.commit("a new event", &event, store::Mode::Write).unwrap();
//! assert_eq!(folder.found().log.entries.len(), 1);
//! assert_eq!(store::read(&path).unwrap().write(), event.write());
//! # std::fs::remove_dir_all(&path).unwrap();
//! ```

use crate::{
    Event, Files,
    atomic_files::{self, FileError, Made},
    pairing_basis,
    settings::{self, Settings},
};
use content::{put_text, text_of};
use disk::{check_links, lock, ordinary, read_files, sweep};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, OpenOptions},
    io::{self, Seek, Write},
    path::{Path, PathBuf},
    time::Duration,
};

mod chain;
mod content;
mod disk;
mod earlier;
mod entry;
mod error;
mod folder_state;
mod log;
mod repair;
mod sum;
mod turn;

pub use chain::{FORM, Line};
pub use content::{Content, Edit, FileEntry, Lines, Text};
pub use disk::{bounded, is_event_file, is_log_file, read_bytes};
pub use entry::{Changed, ChangesInForce, LogEntry};
pub use error::StoreError;
pub use folder_state::{Difference, DifferenceKind, FolderState};
pub use log::{CHANGES, LAST, Log, States};
pub use repair::{Repair, difference_of};
pub use sum::Sum;

/// How long a process waits for another's lock.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often files that keep changing are read again before the folder is locked.
const ATTEMPTS: u32 = 20;
/// The largest file that is read, in bytes.
pub const LARGEST: u64 = 64 << 20;
/// The most bytes that the files of an event have together.
const LARGEST_EVENT: u64 = 16 << 20;
/// The most bytes that the files of a log have together.
const LARGEST_LOG: u64 = 256 << 20;
/// The age after which a draft outside the rounds and the log counts as left by a killed process.
const STALE: Duration = Duration::from_secs(60 * 60);
/// Names in the folder that do not belong to the event.
const LOCK: &str = ".lock";
const LOG: &str = "log";
const ROUNDS: &str = "rounds";

/// Who changes an event, why, and how a command speaks of what it does besides.
#[derive(Clone, Debug)]
pub struct Session {
    /// Who makes the changes; otherwise the setting `by` says it.
    pub by: Option<String>,
    /// Why they are made.
    pub reason: Option<String>,
    /// Takes a note for the user: that another process is waited for, or that an edit by hand is taken up.
    pub say: fn(&str),
    /// How long to wait for another process.
    pub patience: Duration,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            by: None,
            reason: None,
            say: |_| (),
            patience: PATIENCE,
        }
    }
}

/// Whether changes are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// They are.
    Write,
    /// They are not: it is only found out what they would be, or why they are not possible.
    Dry,
}

/// An event's folder, locked by this process.
pub struct Folder {
    path: PathBuf,
    _lock: File,
    found: FolderState,
    session: Session,
    /// For a new event: the folders that were created for it.
    made: Option<Made>,
}

/// A change to be written.
#[derive(Default)]
struct Change<'a> {
    what: &'a str,
    undoes: Option<u32>,
    redoes: Option<u32>,
    also: Vec<u32>,
    files: Vec<Changed>,
}

/// Removes everything of a new event that was not completed, including its lock.
impl Drop for Folder {
    fn drop(&mut self) {
        if self.made.is_some() && self.found.files.is_empty() {
            let _ = fs::remove_dir(self.path.join(LOG));
            let _ = fs::remove_file(self.path.join(LOCK));
        }
    }
}

impl Folder {
    /// Locks the folder of an event, and completes what a killed process had begun.
    ///
    /// # Errors
    /// If it is not an event, or is not as its log has it; and those of the file system.
    pub fn open(path: &Path, session: Session) -> Result<Self, StoreError> {
        let folder = Self::open_as_found(path, session)?;
        folder.found.check()?;
        Ok(folder)
    }

    /// The same, although files are not as the log has them: to accept or repair them.
    ///
    /// # Errors
    /// If it is not an event; and those of the file system.
    pub fn open_as_found(path: &Path, session: Session) -> Result<Self, StoreError> {
        if !is_event(path) {
            return Err(StoreError::NoEvent(path.to_owned()));
        }
        Self::take(path, session)
    }

    /// Creates the folder of a new event.
    ///
    /// # Errors
    /// If there is an event already; and those of the file system.
    pub fn make(path: &Path, session: Session) -> Result<Self, StoreError> {
        let made = atomic_files::folder(path).map_err(FileError::on(path))?;
        // If the folder cannot be used, nothing may be left in it, not even a lock.
        has_room(path)?;
        let has_lock = path.join(LOCK).exists();
        let mut folder = match Self::take(path, session) {
            Ok(folder) => folder,
            Err(error) => {
                if !has_lock {
                    let _ = fs::remove_file(path.join(LOCK));
                }
                return Err(error);
            }
        };
        if !has_lock {
            folder.made = Some(made);
        }
        if folder.found.files.is_empty() {
            Ok(folder)
        } else {
            Err(StoreError::Taken(path.to_owned()))
        }
    }

    fn take(path: &Path, session: Session) -> Result<Self, StoreError> {
        check_links(path)?;
        let lock = lock(path, session.patience, session.say)?;
        let mut folder = Self {
            path: path.to_owned(),
            _lock: lock,
            found: FolderState::default(),
            session,
            made: None,
        };
        sweep(path);
        folder.found = FolderState::read(path)?;
        folder.finish_begun()?;
        Ok(folder)
    }

    /// Completes the change of a process that was killed.
    fn finish_begun(&mut self) -> Result<(), StoreError> {
        let log = self.path.join(LOG);
        if let Some(entry) = self.found.pending()? {
            self.found = std::mem::take(&mut self.found).settled()?;
            let changed = self.found.log.changed_by(entry.number).unwrap_or_default();
            self.write_files(&changed)?;
            let to = log.join(earlier::old_file(entry.number));
            fs::rename(log.join(earlier::PENDING), &to).map_err(FileError::on(&to))?;
        }
        if let Some(line) = self.found.log.begun.clone() {
            self.write_files(&self.found.log.unfinished(&self.found.files))?;
            self.append(&line)?;
            self.found = FolderState::read(&self.path)?;
        }
        Ok(())
    }

    /// What is in the folder.
    #[must_use]
    pub const fn found(&self) -> &FolderState {
        &self.found
    }

    /// The event in the folder.
    ///
    /// # Errors
    /// Those in its files.
    pub fn event(&self) -> Result<Event, StoreError> {
        Event::read(&self.found.files).map_err(StoreError::Faults)
    }

    /// The event, with what the log knows of its rounds.
    ///
    /// # Errors
    /// Those in its files.
    pub fn event_with_bases(&self) -> Result<Event, StoreError> {
        let mut event = self.event()?;
        event.rebuild_bases(&self.found.log, &self.found.files);
        Ok(event)
    }

    /// Writes this event to the files and the change to the log; returns what changed.
    ///
    /// # Errors
    /// If the event would be too large; and those of the file system, after which everything is as before.
    pub fn commit(
        &mut self,
        what: &str,
        event: &Event,
        mode: Mode,
    ) -> Result<Vec<Changed>, StoreError> {
        let mut after = event.write();
        // Settings are also written by people, so their text is kept except for values that change.
        if let Some(old) = self.found.files.get(settings::FILE) {
            let text = event.settings.written_over(&String::from_utf8_lossy(old));
            after.insert(settings::FILE.into(), text.into_bytes());
        }
        let change = Change {
            what,
            files: changes(&self.found.files, &after),
            ..Change::default()
        };
        self.put(change, mode)
    }

    /// Makes a change, after taking up what was changed by hand.
    fn put(&mut self, change: Change<'_>, mode: Mode) -> Result<Vec<Changed>, StoreError> {
        let mut sizes = BTreeMap::new();
        for (name, bytes) in &self.found.files {
            sizes.insert(name, bytes.len());
        }
        for Changed { file, after, .. } in &change.files {
            sizes.insert(file, after.as_ref().map_or(0, |text| text.len()));
        }
        let bytes: usize = sizes.into_values().sum();
        bounded(&self.path, bytes as u64)?;
        if change.files.is_empty() {
            return Ok(change.files);
        }
        self.take_up(mode)?;
        if mode == Mode::Write {
            self.add(&change)?;
        }
        Ok(change.files)
    }

    /// Adds to the log what is not in it yet: an event that has none or one of an older version, or settings that were
    /// edited by hand.
    fn take_up(&mut self, mode: Mode) -> Result<(), StoreError> {
        if !self.found.log.is_chain {
            return self.take_up_all(mode);
        }
        for Difference { file, kind } in self.found.differences() {
            if kind == DifferenceKind::Settings {
                return self.take_up_edited(&file, mode);
            }
        }
        Ok(())
    }

    /// Begins a log of the files as they are.
    fn take_up_all(&mut self, mode: Mode) -> Result<(), StoreError> {
        if self.found.files.is_empty() {
            return Ok(());
        }
        for note in self.found.look().notes {
            (self.session.say)(&note.to_string());
        }
        if mode == Mode::Dry {
            return Ok(());
        }
        match self.found.log.entries.len() {
            0 => self.begin_log("Began a log of this event"),
            earlier => self.begin_log(&format!(
                "Began a new log after {earlier} changes by an older version"
            )),
        }
    }

    /// Adds to the log that settings were edited by hand.
    fn take_up_edited(&mut self, file: &str, mode: Mode) -> Result<(), StoreError> {
        let before = self.found.log.states().text(file).cloned();
        let change = Changed {
            file: file.to_owned(),
            before,
            after: text_of(&self.found.files, file),
        };
        let lines = difference_of(&change).join("; ");
        (self.session.say)(&format!("{file} was edited by hand: {lines}"));
        if mode == Mode::Dry {
            return Ok(());
        }
        let mut entry = self.entry("Edited event.toml by hand", vec![]);
        // Whoever runs the next command need not be who edited the file.
        (entry.by, entry.reason) = (None, None);
        entry.by_hand = true;
        entry.files = vec![self.found.log.content(&change)];
        // The file has this text already, and keeps it if the entry cannot be written.
        self.write_entry(entry, &[])
    }

    /// Begins a log with all files as they are, in place of the one that is there, which must be kept already.
    fn begin_log(&mut self, what: &str) -> Result<(), StoreError> {
        let whole = |(file, bytes): (&String, &Vec<u8>)| FileEntry {
            file: file.clone(),
            sum: Some(Sum::of(bytes)),
            content: Content::whole(bytes),
        };
        let files = self.found.files.iter().map(whole).collect();
        let mut entry = self.entry(what, files);
        entry.earlier = Some(earlier::sum(&self.found.raw));
        self.found.log.head = None;
        self.write_entry(entry, &[])
    }

    /// Writes a change to the log and to the files.
    fn add(&mut self, change: &Change<'_>) -> Result<(), StoreError> {
        let log = &self.found.log;
        let files = change.files.iter().map(|one| log.content(one)).collect();
        let mut entry = self.entry(change.what, files);
        (entry.undoes, entry.redoes) = (change.undoes, change.redoes);
        entry.also.clone_from(&change.also);
        self.write_entry(entry, &change.files)
    }

    /// The next entry, by whom the session or the settings say.
    fn entry(&self, what: &str, files: Vec<FileEntry>) -> LogEntry {
        let time = jiff::Timestamp::now();
        LogEntry {
            number: self.found.log.next_number(),
            time: time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            what: what.to_owned(),
            by: self.session.by.clone().or_else(|| self.usual_by()),
            reason: self.session.reason.clone(),
            files,
            ..LogEntry::default()
        }
    }

    /// Who makes changes by the setting `by`.
    fn usual_by(&self) -> Option<String> {
        let text = self.found.files.get(settings::FILE)?;
        let settings = Settings::of_bytes(text).ok()?;
        if settings.by.is_empty() {
            return None;
        }
        Some(settings.by.as_it_came().to_owned())
    }

    /// Writes an entry and the files it changes. If that fails, everything is put back.
    fn write_entry(&mut self, entry: LogEntry, files: &[Changed]) -> Result<(), StoreError> {
        // Somebody may have edited a file since it was read.
        for Changed { file, before, .. } in files {
            let there = ordinary(&self.path.join(file));
            if there.as_deref() != before.as_deref() {
                return Err(StoreError::EditedMeanwhile(file.clone()));
            }
        }
        let line = Line::new(self.found.log.head.unwrap_or(Sum::START), entry);
        let log = self.path.join(LOG);
        fs::create_dir_all(&log).map_err(FileError::on(&log))?;
        if let Err(error) = self.write_change(&line, files) {
            let error = Box::new(error);
            return Err(match self.take_back(files) {
                Ok(()) => StoreError::NotWritten(error),
                Err(_) => StoreError::HalfWritten(error),
            });
        }
        for change in files {
            put_text(&mut self.found.files, &change.file, change.after.as_ref());
        }
        let last = line.text.clone().into_bytes();
        self.found.raw.insert(LAST.into(), last);
        self.found.log.push(line);
        Ok(())
    }

    fn write_change(&self, line: &Line, files: &[Changed]) -> Result<(), StoreError> {
        // Written first, so that after a crash the next process can complete the change.
        write(&self.path.join(LOG).join(LAST), line.text.as_bytes())?;
        self.write_files(files)?;
        self.append(line)
    }

    fn write_files(&self, files: &[Changed]) -> Result<(), StoreError> {
        for change in files {
            let path = self.path.join(&change.file);
            match &change.after {
                Some(text) if holds(&path, text) => {}
                Some(text) => {
                    let folder = path.parent().unwrap_or(&self.path);
                    fs::create_dir_all(folder).map_err(FileError::on(folder))?;
                    write(&path, text)?;
                }
                None => remove(&path)?,
            }
        }
        Ok(())
    }

    /// Adds a line to the log, after its last whole line; the line that begins a log replaces what is there.
    fn append(&self, line: &Line) -> Result<(), StoreError> {
        let path = self.path.join(LOG).join(CHANGES);
        if line.prev == Sum::START {
            return write(&path, line.text.as_bytes());
        }
        let add = || {
            let mut file = OpenOptions::new().write(true).open(&path)?;
            file.set_len(self.found.log.whole as u64)?;
            file.seek(io::SeekFrom::End(0))?;
            file.write_all(line.text.as_bytes())?;
            file.sync_all()
        };
        add().map_err(|error| FileError::of(&path, error).into())
    }

    /// Restores the files and the log after a change that could not be completed. New files are removed first, which
    /// makes room on a full disk.
    fn take_back(&self, files: &[Changed]) -> Result<(), StoreError> {
        let log = self.path.join(LOG);
        for Changed { file, before, .. } in files {
            if before.is_none() {
                remove(&self.path.join(file))?;
            }
        }
        for Changed { file, before, .. } in files {
            let path = self.path.join(file);
            if let Some(text) = before
                && !holds(&path, text)
            {
                write(&path, text)?;
            }
        }
        let changes = log.join(CHANGES);
        if self.found.log.head.is_none() {
            if !self.found.raw.contains_key(CHANGES) {
                remove(&changes)?;
            }
        } else if let Ok(file) = OpenOptions::new().write(true).open(&changes) {
            file.set_len(self.found.log.whole as u64)
                .map_err(FileError::on(&changes))?;
        }
        match self.found.raw.get(LAST) {
            Some(last) => write(&log.join(LAST), last),
            None => remove(&log.join(LAST)),
        }
    }
}

/// The event in a folder, without locking it.
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &Path) -> Result<Event, StoreError> {
    Event::read(&settled(path)?).map_err(StoreError::Faults)
}

/// The event in a folder, with what the log knows of its rounds; see [`Event::before`].
///
/// # Errors
/// If it cannot be read.
pub fn read_with_bases(path: &Path) -> Result<Event, StoreError> {
    let FolderState { files, log, .. } = settled_folder(path)?;
    let mut event = Event::read(&files).map_err(StoreError::Faults)?;
    event.rebuild_bases(&log, &files);
    Ok(event)
}

/// The files of an event between two changes; a change that was begun counts as made. Nothing is written, and the
/// folder is locked only if others write without a pause.
///
/// # Errors
/// If they cannot be read.
pub fn settled(path: &Path) -> Result<Files, StoreError> {
    if is_event(path) {
        check_links(path)?;
        let stamp = disk::Stamp::of(path);
        let files = read_files(path)?;
        if stamp.is_settled(path) && stamp == disk::Stamp::of(path) {
            return Ok(files);
        }
    }
    Ok(settled_folder(path)?.files)
}

/// The whole contents of the folder of an event between two changes, as [`settled`] reads its files.
///
/// # Errors
/// If they cannot be read.
pub fn settled_folder(path: &Path) -> Result<FolderState, StoreError> {
    if !is_event(path) {
        return Err(StoreError::NoEvent(path.to_owned()));
    }
    for _ in 0..ATTEMPTS {
        let stamp = disk::Stamp::of(path);
        let found = FolderState::read(path)?;
        if stamp == disk::Stamp::of(path) {
            return found.settled();
        }
    }
    let mut folder = Folder::open_as_found(path, Session::default())?;
    Ok(std::mem::take(&mut folder.found))
}

/// Checks that a new event can be made in a folder.
///
/// # Errors
/// If there is an event already; and those of the file system.
pub fn has_room(path: &Path) -> Result<(), StoreError> {
    if read_files(path)?.is_empty() && !is_event(path) {
        Ok(())
    } else {
        Err(StoreError::Taken(path.to_owned()))
    }
}

/// The files that differ between an event before and after a change.
fn changes(before: &Files, after: &Files) -> Vec<Changed> {
    let names: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let mut changes = Vec::new();
    for name in names {
        let (old, new) = (before.get(name), after.get(name));
        // What a round was paired from is removed only with the round.
        let is_kept =
            pairing_basis::is_file(name) && after.contains_key(&name.replace(".from.json", ".csv"));
        if old == new || (new.is_none() && is_kept) {
            continue;
        }
        let change = Changed {
            file: name.clone(),
            before: text_of(before, name),
            after: text_of(after, name),
        };
        if !turn::is_same_table(&change) {
            changes.push(change);
        }
    }
    changes
}

fn is_event(path: &Path) -> bool {
    path.join(settings::FILE).is_file() || has_log(path)
}

/// Whether a log has begun. A process that was killed as it created the event leaves a folder for it without a file.
fn has_log(path: &Path) -> bool {
    let mut entries = atomic_files::entries(&path.join(LOG)).into_iter();
    entries.any(|entry| is_log_file(&entry.file_name().to_string_lossy()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    atomic_files::replace(path, |out| out.write_all(bytes))
        .map_err(|error| FileError::of(path, error).into())
}

/// Removes a file, if it exists.
fn remove(path: &Path) -> Result<(), StoreError> {
    if path.exists() {
        fs::remove_file(path).map_err(FileError::on(path))?;
    }
    Ok(())
}

/// Whether a file has these bytes already.
fn holds(path: &Path, bytes: &[u8]) -> bool {
    ordinary(path).as_deref() == Some(bytes)
}
