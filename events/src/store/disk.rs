//! Reading and locking the folder of an event.

use super::{
    LARGEST, LARGEST_EVENT, LARGEST_LOG, LOCK, LOG, ROUNDS, STALE, StoreError,
    earlier::{self, PENDING},
    log::{CHANGES, LAST},
};
use crate::{
    Files,
    atomic_files::{FileError, entries},
    draft_folder::is_draft,
};
use std::{
    fs::{self, DirEntry, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// After how long a process says that it waits.
const WORD_AFTER: Duration = Duration::from_secs(1);

/// Whether a name is that of a file of an event.
pub fn is_event_file(name: &str) -> bool {
    use crate::{pairing_basis, roster, rounds, settings, table::TABLE};
    let files = [
        settings::FILE,
        roster::TEAMS,
        roster::PLAYERS,
        roster::REQUESTS,
        TABLE,
    ];
    files.contains(&name) || rounds::digits(name, ".csv").is_some() || pairing_basis::is_file(name)
}

/// Whether a file in the folder `log` is part of the log.
pub fn is_log_file(name: &str) -> bool {
    [CHANGES, LAST, PENDING].contains(&name) || earlier::is_file(name)
}

/// Checks that everything that belongs to the event is in its folder. A folder from a stranger could contain links
/// through which entering a result would overwrite any file of the user.
pub fn check_links(path: &Path) -> Result<(), StoreError> {
    let Ok(home) = path.canonicalize() else {
        return Ok(());
    };
    are_ordinary(&path.join(LOG))?;
    // The folders first: nothing is looked up in one that is elsewhere.
    for entry in entries(path) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if [LOCK, LOG, ROUNDS].contains(&&*name) || is_event_file(&name) {
            stays_inside(&entry, &home)?;
        }
    }
    for folder in [LOG, ROUNDS] {
        for entry in entries(&path.join(folder)) {
            stays_inside(&entry, &home)?;
        }
    }
    Ok(())
}

/// Checks that an entry is no link that leads out of a folder.
fn stays_inside(entry: &DirEntry, home: &Path) -> Result<(), StoreError> {
    let Ok(kind) = entry.file_type() else {
        return Ok(());
    };
    let link = entry.path();
    if !kind.is_symlink() || leads_into(&link, home) {
        return Ok(());
    }
    Err(StoreError::Link {
        file: link.display().to_string(),
    })
}

/// The files of the event in a folder.
pub fn read_files(path: &Path) -> Result<Files, StoreError> {
    let mut files = Files::new();
    let mut bytes = 0;
    for (folder, prefix) in [(path.to_owned(), ""), (path.join(ROUNDS), "rounds/")] {
        for (name, file) in named(&folder)? {
            let name = format!("{prefix}{name}");
            if is_event_file(&name) && file.is_file() {
                bytes += length(&file);
                bounded(path, bytes)?;
                let read = read_bytes(&file).map_err(FileError::on(&file))?;
                files.insert(name, read);
            }
        }
    }
    Ok(files)
}

/// The files of the log, by their names in its folder.
pub fn read_log(path: &Path) -> Result<Files, StoreError> {
    let mut files = Files::new();
    let mut bytes = 0;
    for (name, file) in named(&path.join(LOG))? {
        if is_log_file(&name) && file.is_file() {
            bytes += length(&file);
            if bytes > LARGEST_LOG {
                return Err(StoreError::LargeLog(path.to_owned()));
            }
            let read = fs::read(&file).map_err(FileError::on(&file))?;
            files.insert(name, read);
        }
    }
    Ok(files)
}

/// The length of a file in bytes; 0 if it is unknown.
fn length(file: &Path) -> u64 {
    file.metadata().map_or(0, |known| known.len())
}

/// The entries of a folder with their names; none if there is no such folder.
fn named(folder: &Path) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(Vec::new());
    };
    let mut named = Vec::new();
    for entry in entries {
        let entry = entry.map_err(FileError::on(folder))?;
        named.push((
            entry.file_name().to_string_lossy().into_owned(),
            entry.path(),
        ));
    }
    Ok(named)
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

/// Checks that a folder holds files, folders and links alone: a pipe would be waited for.
fn are_ordinary(folder: &Path) -> Result<(), StoreError> {
    for entry in entries(folder) {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if !kind.is_file() && !kind.is_dir() && !kind.is_symlink() {
            let why = io::Error::other("not an ordinary file");
            return Err(FileError::of(&entry.path(), why).into());
        }
    }
    Ok(())
}

/// The bytes of an ordinary file; reading a pipe instead would wait for somebody to write to it.
pub fn ordinary(path: &Path) -> Option<Vec<u8>> {
    if !path.is_file() {
        return None;
    }
    fs::read(path).ok()
}

/// What changes in the log while a change is made: the copy of its last line, and how long it is.
#[derive(PartialEq, Eq)]
pub struct Stamp {
    last: Option<Vec<u8>>,
    length: Option<u64>,
    is_pending: bool,
}

impl Stamp {
    pub fn of(path: &Path) -> Self {
        let log = path.join(LOG);
        let length = match fs::metadata(log.join(CHANGES)) {
            Ok(known) if known.is_file() => Some(known.len()),
            _ => None,
        };
        Self {
            last: ordinary(&log.join(LAST)),
            length,
            is_pending: log.join(PENDING).is_file(),
        }
    }

    /// Whether no change is begun: the last line of the log is its copy, or there is neither.
    pub fn is_settled(&self, path: &Path) -> bool {
        let (Some(last), Some(length)) = (&self.last, self.length) else {
            return self.last.is_none() && self.length.is_none() && !self.is_pending;
        };
        let from = length.saturating_sub(last.len() as u64);
        match tail(&path.join(LOG).join(CHANGES), from, last.len() as u64) {
            Ok(tail) => tail == *last,
            Err(_) => false,
        }
    }
}

/// So many bytes of a file from a place on; fewer if it ends before.
fn tail(path: &Path, from: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(io::SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    file.take(most).read_to_end(&mut tail)?;
    Ok(tail)
}

/// Locks the folder against all other processes, as long as the file is open. Says once that it waits.
pub fn lock(path: &Path, patience: Duration, say: fn(&str)) -> Result<File, StoreError> {
    let name = path.join(LOCK);
    let open = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&name);
    let mut file = open.map_err(|error| match error.kind() {
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            StoreError::ReadOnly(path.to_owned())
        }
        _ => FileError::of(&name, error).into(),
    })?;
    let begun = Instant::now();
    let mut has_said = false;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::Error(error)) => return Err(FileError::of(&name, error).into()),
            Err(TryLockError::WouldBlock) if begun.elapsed() > patience => {
                return Err(StoreError::Locked {
                    folder: path.to_owned(),
                    by: holder(&name),
                });
            }
            Err(TryLockError::WouldBlock) => {
                if !has_said && begun.elapsed() > WORD_AFTER {
                    has_said = true;
                    say(&format!(
                        "waiting for another overboard that writes to this event{}",
                        holder(&name)
                    ));
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
    sign(&mut file).map_err(FileError::on(&name))?;
    Ok(file)
}

/// Writes in a lock which process holds it.
fn sign(lock: &mut File) -> io::Result<()> {
    lock.set_len(0)?;
    lock.rewind()?;
    write!(lock, "{}", std::process::id())
}

/// What the holder of a lock wrote about itself.
fn holder(lock: &Path) -> String {
    let process = fs::read_to_string(lock).unwrap_or_default();
    if process.is_empty() {
        String::new()
    } else {
        format!(" (process {})", process.trim())
    }
}

/// Removes the drafts of killed processes. Only the holder of the lock has drafts among the rounds and in the log;
/// beside the settings others may be writing a report, so a draft there must be old.
pub fn sweep(path: &Path) {
    for (folder, least) in [
        (path.join(ROUNDS), None),
        (path.join(LOG), None),
        (path.to_owned(), Some(STALE)),
    ] {
        for entry in entries(&folder) {
            if is_draft(&entry.file_name().to_string_lossy(), "") && is_older(&entry, least) {
                // One that cannot be removed does no harm.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Whether an entry is a file that nobody has written to for longer than this.
fn is_older(entry: &DirEntry, least: Option<Duration>) -> bool {
    let Ok(known) = entry.metadata() else {
        return false;
    };
    let Some(least) = least else {
        return known.is_file();
    };
    let Ok(written) = known.modified() else {
        return false;
    };
    known.is_file() && written.elapsed().is_ok_and(|age| age > least)
}

fn leads_into(link: &Path, home: &Path) -> bool {
    let target = link.canonicalize();
    target.is_ok_and(|target| target.starts_with(home))
}
