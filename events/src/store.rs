//! The folder of an event: read as a whole, written atomically, by one process at a time, with a log from which every
//! change can be undone.
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
//! let mut folder = store::Folder::make(&path).unwrap();
//! folder.commit("a new event", &event, false).unwrap();
//! assert_eq!(folder.log().unwrap().len(), 1);
//! assert_eq!(store::read(&path).unwrap().write(), event.write());
//! # std::fs::remove_dir_all(&path).unwrap();
//! ```

use crate::{
    Event, Files,
    csv::CsvError,
    whole::{self, FileError, Made},
};
use log::{StoredEntry, log, read_entry, turned};
use overboard_formats::foreign::json;
use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

mod log;

pub use log::{Changed, LogEntry, Standing};

/// How long a process waits for another's lock.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often files that keep changing are read again before the folder is locked.
const ATTEMPTS: u32 = 20;
/// The largest file that is read, in bytes.
pub const LARGEST: u64 = 64 << 20;
/// The most bytes that the files of an event have together.
const LARGEST_EVENT: u64 = 16 << 20;
/// The age after which a draft outside the rounds and the log counts as left by a killed process.
const STALE: Duration = Duration::from_secs(60 * 60);
/// Names in the folder that do not belong to the event.
const LOCK: &str = ".lock";
const LOG: &str = "log";
const ROUNDS: &str = "rounds";
const PENDING: &str = "pending";

/// Why an event's folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no event in the folder.
    #[error("{folder}: {why}", folder = .0.display(), why = if .0.is_dir() { "not an event folder (there is no event.toml in it)" } else { "no such folder" })]
    NoEvent(PathBuf),
    /// There is already an event in the folder.
    #[error("{folder}: there is already an event in this folder", folder = .0.display())]
    Taken(PathBuf),
    /// Another process holds the lock.
    #[error(
        "{folder}: another overboard is writing to this event{by}; nothing was changed. Try again in a moment",
        folder = folder.display()
    )]
    Locked {
        /// The folder.
        folder: PathBuf,
        /// What that process wrote about itself.
        by: String,
    },
    /// Files cannot be read as an event.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n       "))]
    Faults(Vec<CsvError>),
    /// A file has been changed by hand.
    #[error(
        "{file} was changed by hand since; undoing would lose that change. Save the file elsewhere, or use --force"
    )]
    Edited {
        /// The file.
        file: String,
    },
    /// The event is too large, or would be: its files have so many bytes.
    #[error("{folder}: the files of an event have at most {LARGEST_EVENT} bytes together, without its log; these have {1}", folder = .0.display())]
    Large(PathBuf, u64),
    /// A packed event would have so many bytes, more than are read.
    #[error("{folder}: packed with its log this event has {1} bytes, and `overboard event unpack` reads {LARGEST} at most; keep a copy of the folder instead", folder = .0.display())]
    Unpackable(PathBuf, u64),
    /// The log is empty.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// Nothing was undone, or there was a change since.
    #[error("there is nothing to redo: nothing was undone since the last change")]
    NothingToRedo,
    /// No such change among those that are undone.
    #[error(
        "change {0} does not exist or is not undone; `overboard event log FOLDER` lists the changes"
    )]
    NotUndone(u32),
    /// The change does not exist, or is undone.
    #[error(
        "change {0} does not exist or is already undone; `overboard event log FOLDER` lists the changes"
    )]
    NoChange(u32),
    /// The log cannot be read.
    #[error("{file}: not an entry of the log: {why}")]
    BadLog {
        /// The file.
        file: String,
        /// The reason.
        why: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is a link to another place instead of a file of the event.
    #[error(
        "{file}: this is a link that leads out of the event's folder, and nothing is read or written through it; \
         put the file itself there"
    )]
    Link {
        /// The link.
        file: String,
    },
    /// A change could not be completed, and was rolled back.
    #[error("{0}; nothing was changed")]
    NotWritten(Box<Self>),
    /// A change could be neither completed nor rolled back.
    #[error("{0}; the change was only begun; the next command completes it")]
    HalfWritten(Box<Self>),
}

/// An event's folder, locked by this process.
pub struct Folder {
    path: PathBuf,
    _lock: File,
    /// The current files.
    pub files: Files,
    /// For a new event: the folders that were created for it.
    made: Option<Made>,
}

/// Removes everything of a new event that was not completed, including its lock.
impl Drop for Folder {
    fn drop(&mut self) {
        if self.made.is_some() && self.files.is_empty() {
            let _ = fs::remove_dir(self.path.join(LOG));
            let _ = fs::remove_file(self.path.join(LOCK));
        }
    }
}

impl Folder {
    /// Locks the folder of an event, and completes what a killed process had begun.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.join(crate::settings::FILE).is_file() && !path.join(LOG).is_dir() {
            return Err(StoreError::NoEvent(path.to_owned()));
        }
        Self::take(path)
    }

    /// Creates the folder of a new event.
    pub fn make(path: &Path) -> Result<Self, StoreError> {
        let made = whole::folder(path).map_err(|error| FileError::of(path, error))?;
        // If the folder cannot be used, nothing may be left in it, not even a lock.
        if !read_files(path)?.is_empty() {
            return Err(StoreError::Taken(path.to_owned()));
        }
        let has_lock = path.join(LOCK).exists();
        let mut folder = match Self::take(path) {
            Ok(folder) => folder,
            Err(error) => {
                if !has_lock {
                    let _ = fs::remove_file(path.join(LOCK));
                }
                return Err(error);
            }
        };
        folder.made = (!has_lock).then_some(made);
        if folder.files.is_empty() {
            Ok(folder)
        } else {
            Err(StoreError::Taken(path.to_owned()))
        }
    }

    fn take(path: &Path) -> Result<Self, StoreError> {
        check_links(path)?;
        let lock = lock(path)?;
        let mut folder = Self {
            path: path.to_owned(),
            _lock: lock,
            files: Files::new(),
            made: None,
        };
        folder.sweep();
        folder.finish_pending()?;
        folder.files = read_files(path)?;
        Ok(folder)
    }

    /// Removes the drafts of killed processes. Only the holder of the lock has drafts among the rounds and in the log;
    /// beside the settings others may be writing a report, so a draft there must be old.
    fn sweep(&self) {
        let is_draft = |name: &str| {
            let tail = name.strip_prefix(whole::DRAFT);
            tail.is_some_and(|tail| {
                tail.len() == 6 && tail.bytes().all(|byte| byte.is_ascii_alphanumeric())
            })
        };
        let is_old = |known: &fs::Metadata| {
            known
                .modified()
                .is_ok_and(|time| time.elapsed().is_ok_and(|age| age > STALE))
        };
        for (folder, at_once) in [
            (self.path.join(ROUNDS), true),
            (self.path.join(LOG), true),
            (self.path.clone(), false),
        ] {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let is_stale = entry
                    .metadata()
                    .is_ok_and(|known| known.is_file() && (at_once || is_old(&known)));
                if is_stale && is_draft(&entry.file_name().to_string_lossy()) {
                    // One that cannot be removed does no harm.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    /// The event in the folder.
    pub fn event(&self) -> Result<Event, StoreError> {
        Event::read(&self.files).map_err(StoreError::Faults)
    }

    /// The event, with what the log knows of its rounds.
    pub fn event_with_bases(&self) -> Result<Event, StoreError> {
        let mut event = self.event()?;
        event.rebuild_bases(&self.log()?, &self.files);
        Ok(event)
    }

    /// Writes this event to the files and the change to the log; returns what changed. With `dry`, writes nothing.
    pub fn commit(
        &mut self,
        what: &str,
        event: &Event,
        dry: bool,
    ) -> Result<Vec<Changed>, StoreError> {
        let mut after = event.write();
        // Settings are also written by people, so their text is kept except for values that change.
        let settings = crate::settings::FILE;
        if let Some(old) = self.files.get(settings) {
            let text = event.settings.written_over(&String::from_utf8_lossy(old));
            after.insert(settings.into(), text.into_bytes());
        }
        self.put(what, [None; 2], self.changes(&after), dry)
    }

    fn changes(&self, after: &Files) -> Vec<Changed> {
        let text = |files: &Files, name: &str| {
            files
                .get(name)
                .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        };
        let mut names: Vec<_> = self.files.keys().chain(after.keys()).collect();
        names.sort();
        names.dedup();
        // What a round was paired from is removed only with the round.
        let is_kept = |name: &String| {
            let round = name
                .strip_suffix(".from.json")
                .map(|name| format!("{name}.csv"));
            crate::basis::is_file(name) && round.is_some_and(|round| after.contains_key(&round))
        };
        let changed = |name: &&String| {
            self.files.get(*name) != after.get(*name)
                && (after.contains_key(*name) || !is_kept(name))
        };
        let change = |name: &String| Changed {
            file: name.clone(),
            before: text(&self.files, name),
            after: text(after, name),
        };
        names
            .into_iter()
            .filter(changed)
            .map(change)
            .filter(|change| !change.is_same_table())
            .collect()
    }

    fn put(
        &mut self,
        what: &str,
        [undoes, redoes]: [Option<u32>; 2],
        files: Vec<Changed>,
        dry: bool,
    ) -> Result<Vec<Changed>, StoreError> {
        let mut sizes: BTreeMap<_, _> = self
            .files
            .iter()
            .map(|(name, bytes)| (name, bytes.len()))
            .collect();
        sizes.extend(
            files
                .iter()
                .map(|change| (&change.file, change.after.as_ref().map_or(0, String::len))),
        );
        bounded(
            &self.path,
            sizes.into_values().map(|size| size as u64).sum(),
        )?;
        if dry || files.is_empty() {
            return Ok(files);
        }
        let number = self.log()?.last().map_or(1, |entry| entry.number + 1);
        let time = jiff::Timestamp::now()
            .strftime("%Y-%m-%dT%H:%M:%SZ")
            .to_string();
        let entry = LogEntry {
            number,
            time,
            what: what.to_owned(),
            undoes,
            redoes,
            files,
        };
        let log = self.path.join(LOG);
        fs::create_dir_all(&log).map_err(|error| FileError::of(&log, error))?;
        // Written first, so that after a crash the next process can complete the change.
        write(
            &log.join(PENDING),
            &json(&serde_json::to_string_pretty(&entry).unwrap_or_default()),
        )?;
        if let Err(error) = self.finish_pending() {
            let error = Box::new(error);
            return Err(match self.take_back(&entry) {
                Ok(()) => StoreError::NotWritten(error),
                Err(_) => StoreError::HalfWritten(error),
            });
        }
        self.files = read_files(&self.path)?;
        Ok(entry.files)
    }

    /// Completes a change that was begun: changes the files, and adds it to the log.
    fn finish_pending(&self) -> Result<(), StoreError> {
        let pending = self.path.join(LOG).join(PENDING);
        if !pending.is_file() {
            return Ok(());
        }
        let entry = read_entry(&pending)?;
        entry.validate(&pending)?;
        for change in &entry.files {
            let path = self.path.join(&change.file);
            match &change.after {
                Some(text) if holds(&path, text) => {}
                Some(text) => {
                    let folder = path.parent().unwrap_or(&self.path);
                    fs::create_dir_all(folder).map_err(|error| FileError::of(folder, error))?;
                    write(&path, text)?;
                }
                None if path.exists() => {
                    fs::remove_file(&path).map_err(|error| FileError::of(&path, error))?;
                }
                None => {}
            }
        }
        // The log has only changed lines; the pending change has whole files, so that it can be completed whatever the
        // files are.
        let before = log(&self.path)?;
        let mut texts = BTreeMap::new();
        for known in before.iter().filter(|known| known.number < entry.number) {
            texts.extend(
                known
                    .files
                    .iter()
                    .map(|change| (change.file.clone(), change.after.clone())),
            );
        }
        let done = self
            .path
            .join(LOG)
            .join(format!("{:04}.json", entry.number));
        let stored = StoredEntry::of(&entry, &texts);
        write(
            &done,
            &json(&serde_json::to_string_pretty(&stored).unwrap_or_default()),
        )?;
        fs::remove_file(&pending).map_err(|error| FileError::of(&pending, error).into())
    }

    /// Restores the files after a change that could not be completed. New files are removed first, which makes room on
    /// a full disk.
    fn take_back(&self, entry: &LogEntry) -> Result<(), StoreError> {
        for change in entry.files.iter().filter(|change| change.before.is_none()) {
            let path = self.path.join(&change.file);
            if path.exists() {
                fs::remove_file(&path).map_err(|error| FileError::of(&path, error))?;
            }
        }
        for change in &entry.files {
            let path = self.path.join(&change.file);
            if let Some(text) = change.before.as_ref().filter(|text| !holds(&path, text)) {
                write(&path, text)?;
            }
        }
        let done = self
            .path
            .join(LOG)
            .join(format!("{:04}.json", entry.number));
        if done.exists() {
            fs::remove_file(&done).map_err(|error| FileError::of(&done, error))?;
        }
        let pending = self.path.join(LOG).join(PENDING);
        fs::remove_file(&pending).map_err(|error| FileError::of(&pending, error).into())
    }

    /// The log, the first change first.
    pub fn log(&self) -> Result<Vec<LogEntry>, StoreError> {
        log(&self.path)
    }

    /// Undoes the last change that has not been undone; returns it.
    pub fn undo(&mut self, force: bool, dry: bool) -> Result<LogEntry, StoreError> {
        let log = self.log()?;
        let last = Standing::of(&log)
            .done
            .last()
            .copied()
            .ok_or(StoreError::NothingToUndo)?
            .clone();
        let back = turned(&last.files, true, &self.files, force)?;
        self.put(
            &format!("Undid change {}: {}", last.number, last.what),
            [Some(last.number), None],
            back,
            dry,
        )?;
        Ok(last)
    }

    /// Undoes all changes after this one, or none of them. Returns them, the latest first.
    pub fn undo_to(
        &mut self,
        number: u32,
        force: bool,
        dry: bool,
    ) -> Result<Vec<LogEntry>, StoreError> {
        let log = self.log()?;
        let standing = Standing::of(&log);
        if number > 0 && !standing.done.iter().any(|entry| entry.number == number) {
            return Err(StoreError::NoChange(number));
        }
        let later: Vec<LogEntry> = standing
            .done
            .iter()
            .rev()
            .filter(|entry| entry.number > number)
            .map(|entry| (*entry).clone())
            .collect();
        if later.is_empty() {
            return Err(StoreError::NothingToUndo);
        }
        self.try_out(&later, true, force)?;
        if !dry {
            for _ in &later {
                self.undo(force, false)?;
            }
        }
        Ok(later)
    }

    /// Whether these changes can be undone, or made again, one after the other: known before anything is written.
    fn try_out(&self, entries: &[LogEntry], back: bool, force: bool) -> Result<(), StoreError> {
        let mut files = self.files.clone();
        for entry in entries {
            for change in turned(&entry.files, back, &files, force)? {
                match change.after {
                    Some(text) => files.insert(change.file, text.into_bytes()),
                    None => files.remove(&change.file),
                };
            }
        }
        Ok(())
    }

    /// Redoes the change that was undone last. Returns it.
    pub fn redo(&mut self, force: bool, dry: bool) -> Result<LogEntry, StoreError> {
        let log = self.log()?;
        let last = Standing::of(&log)
            .undone
            .last()
            .copied()
            .ok_or(StoreError::NothingToRedo)?
            .clone();
        let again = turned(&last.files, false, &self.files, force)?;
        self.put(
            &format!("Redid change {}: {}", last.number, last.what),
            [None, Some(last.number)],
            again,
            dry,
        )?;
        Ok(last)
    }

    /// Makes all changes again that were undone, up to this one, or none of them; returns them, the first one first.
    pub fn redo_to(
        &mut self,
        number: u32,
        force: bool,
        dry: bool,
    ) -> Result<Vec<LogEntry>, StoreError> {
        let log = self.log()?;
        let undone = Standing::of(&log).undone;
        if undone.is_empty() {
            return Err(StoreError::NothingToRedo);
        }
        let place = undone.iter().position(|entry| entry.number == number);
        let place = place.ok_or(StoreError::NotUndone(number))?;
        let again: Vec<LogEntry> = undone[place..]
            .iter()
            .rev()
            .map(|entry| (*entry).clone())
            .collect();
        self.try_out(&again, false, force)?;
        if !dry {
            for _ in &again {
                self.redo(force, false)?;
            }
        }
        Ok(again)
    }
}

/// The event in a folder, without locking it.
pub fn read(path: &Path) -> Result<Event, StoreError> {
    Event::read(&settled(path)?).map_err(StoreError::Faults)
}

/// The event in a folder, with what the log knows of its rounds; see [`Event::before`].
pub fn read_with_bases(path: &Path) -> Result<Event, StoreError> {
    let files = settled(path)?;
    let mut event = Event::read(&files).map_err(StoreError::Faults)?;
    event.rebuild_bases(&settled_log(path)?, &files);
    Ok(event)
}

/// The files of an event between two changes; a change that was begun counts as made. Nothing is written, and the
/// folder is locked only if others write without a pause.
pub fn settled(path: &Path) -> Result<Files, StoreError> {
    let log = path.join(LOG);
    if !path.join(crate::settings::FILE).is_file() && !log.is_dir() {
        return Err(StoreError::NoEvent(path.to_owned()));
    }
    check_links(path)?;
    let changes = || fs::read_dir(&log).map_or(0, Iterator::count);
    let pending = log.join(PENDING);
    for _ in 0..ATTEMPTS {
        let (before, is_begun) = (changes(), pending.is_file());
        let begun = if is_begun {
            read_entry(&pending).ok()
        } else {
            None
        };
        let mut files = read_files(path)?;
        if before == changes() && pending.is_file() == is_begun && begun.is_some() == is_begun {
            if let Some(entry) = begun {
                entry.validate(&pending)?;
                entry.finish(&mut files);
            }
            return Ok(files);
        }
    }
    Ok(std::mem::take(&mut Folder::open(path)?.files))
}

/// The log of an event's folder; a change that was begun counts as made.
pub fn settled_log(path: &Path) -> Result<Vec<LogEntry>, StoreError> {
    settled(path)?;
    let begun = read_entry(&path.join(LOG).join(PENDING));
    let mut entries = log(path)?;
    entries.extend(
        begun
            .ok()
            .filter(|begun| begun.number as usize == entries.len() + 1),
    );
    Ok(entries)
}

fn write(path: &Path, text: &str) -> Result<(), StoreError> {
    whole::replace(path, |out| out.write_all(text.as_bytes()))
        .map_err(|error| FileError::of(path, error).into())
}

/// Whether a file has this text already.
fn holds(path: &Path, text: &str) -> bool {
    fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes())
}

pub(crate) fn is_event_file(name: &str) -> bool {
    use crate::{roster, settings, table::TABLE};
    let round = name
        .strip_prefix("rounds/")
        .and_then(|name| name.strip_suffix(".csv"));
    [
        settings::FILE,
        roster::TEAMS,
        roster::PLAYERS,
        roster::REQUESTS,
        TABLE,
    ]
    .contains(&name)
        || round.is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
        || crate::basis::is_file(name)
}

/// Checks that everything that belongs to the event is in its folder. A folder from a stranger could contain links
/// through which entering a result would overwrite any file of the user.
fn check_links(path: &Path) -> Result<(), StoreError> {
    let Ok(home) = path.canonicalize() else {
        return Ok(());
    };
    let of_the_event = |name: &str| [LOCK, LOG, ROUNDS].contains(&name) || is_event_file(name);
    let listed = |folder: PathBuf, wanted: &dyn Fn(&str) -> bool| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let links = entries.filter(|entry| {
            entry.file_type().is_ok_and(|kind| kind.is_symlink())
                && wanted(&entry.file_name().to_string_lossy())
        });
        links.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    // The folders first: nothing is looked up in one that is elsewhere.
    for links in [
        listed(path.to_owned(), &of_the_event),
        listed(path.join(LOG), &|_| true),
        listed(path.join(ROUNDS), &|_| true),
    ] {
        let leads_out = |link: &&PathBuf| {
            !link
                .canonicalize()
                .is_ok_and(|target| target.starts_with(&home))
        };
        if let Some(link) = links.iter().find(leads_out) {
            return Err(StoreError::Link {
                file: link.display().to_string(),
            });
        }
    }
    Ok(())
}

/// The files of the event in a folder.
fn read_files(path: &Path) -> Result<Files, StoreError> {
    let mut files = Files::new();
    let mut bytes = 0;
    for (folder, prefix) in [(path.to_owned(), ""), (path.join(ROUNDS), "rounds/")] {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let entry = entry.map_err(|error| FileError::of(&folder, error))?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if is_event_file(&name) && entry.path().is_file() {
                bytes += entry.path().metadata().map_or(0, |known| known.len());
                bounded(path, bytes)?;
                files.insert(
                    name,
                    read_bytes(&entry.path())
                        .map_err(|error| FileError::of(&entry.path(), error))?,
                );
            }
        }
    }
    Ok(files)
}

/// Checks that an event is not too large.
pub fn bounded(folder: &Path, bytes: u64) -> Result<(), StoreError> {
    if bytes <= LARGEST_EVENT {
        Ok(())
    } else {
        Err(StoreError::Large(folder.to_owned(), bytes))
    }
}

/// The contents of a file that is not too large.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other(format!(
            "the file is larger than {LARGEST} bytes"
        )));
    }
    Ok(bytes)
}

/// Locks the folder against all other processes, as long as the file is open.
fn lock(path: &Path) -> Result<File, StoreError> {
    let name = path.join(LOCK);
    let open = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&name);
    let mut file = open.map_err(|error| FileError::of(&name, error))?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::Error(error)) => return Err(FileError::of(&name, error).into()),
            Err(TryLockError::WouldBlock) if begun.elapsed() > PATIENCE => {
                let by = fs::read_to_string(&name).unwrap_or_default();
                let by = if by.is_empty() {
                    String::new()
                } else {
                    format!(" (process {})", by.trim())
                };
                return Err(StoreError::Locked {
                    folder: path.to_owned(),
                    by,
                });
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
    let said = file
        .set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| write!(file, "{}", std::process::id()));
    said.map_err(|error| FileError::of(&name, error))?;
    Ok(file)
}
