//! The folder in which an event is published, and which of its files may be replaced.
//!
//! Other files may be kept in the same folder. So a list, [`LIST`], has the name and checksum of each file that was
//! written. A file that is not in it, or has changed since, is never overwritten or removed.

use crate::atomic_files;
use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fs::{self, File},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};
use thiserror::Error;

/// The list of files written: a name and a checksum on each line.
pub const LIST: &str = "pages.txt";
const HEAD: &str =
    "# Written by `overboard event publish`, which replaces these files and no others.";

/// Why a folder cannot be written to.
#[derive(Debug, Error)]
pub enum SiteError {
    /// Files would be replaced that were not written here, or were changed since.
    #[error(
        "{folder}: {files} {verb} not written by `overboard event publish`, or changed since; move what you want to keep, or give another folder",
        folder = .folder.display(),
        files = list(.files),
        verb = if .files.len() == 1 { "was" } else { "were" }
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// Their names.
        files: Vec<String>,
    },
    /// The file system failed.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// The most names listed in a message.
const NAMED: usize = 3;

fn list(files: &[String]) -> String {
    let mut text = files[..files.len().min(NAMED)].join(", ");
    if files.len() > NAMED {
        text.push_str(&format!(" and {} more", files.len() - NAMED));
    }
    text
}

/// The files of an event's pages by name. Their texts wait in a file without a name, since they may be many.
pub struct Files {
    texts: File,
    /// Where the text of each begins, its bytes, and their checksum.
    places: BTreeMap<String, (u64, usize, u32)>,
    end: u64,
}

impl Files {
    /// No files.
    ///
    /// # Errors
    /// Those of the folder for temporary files.
    pub fn none() -> Result<Self, SiteError> {
        let texts = tempfile::tempfile().map_err(waiting)?;
        Ok(Self {
            texts,
            places: BTreeMap::new(),
            end: 0,
        })
    }

    /// Adds a file.
    ///
    /// # Errors
    /// Those of the folder for temporary files.
    pub fn insert(&mut self, name: String, text: &str) -> Result<(), SiteError> {
        let bytes = text.as_bytes();
        self.texts.write_all(bytes).map_err(waiting)?;
        let place = (self.end, bytes.len(), crc32fast::hash(bytes));
        self.places.insert(name, place);
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// The text of a file at this place.
    fn text(&self, (from, length, _): (u64, usize, u32)) -> Result<Vec<u8>, SiteError> {
        let mut text = vec![0; length];
        let mut texts = &self.texts;
        texts.seek(SeekFrom::Start(from)).map_err(waiting)?;
        texts.read_exact(&mut text).map_err(waiting)?;
        Ok(text)
    }
}

/// An error with the file in which texts wait.
fn waiting(source: io::Error) -> SiteError {
    SiteError::Io {
        path: env::temp_dir(),
        source,
    }
}

/// A folder with what was written there before.
#[derive(Debug)]
pub struct Site {
    folder: PathBuf,
    /// Checksums by name: two for a file that was being replaced when a run was interrupted; `None` in lists of older
    /// versions.
    known: BTreeMap<String, BTreeSet<Option<u32>>>,
}

/// What will be written and removed.
#[derive(Debug, Default)]
pub struct Changes {
    /// Files that are new or have changed.
    pub written: Vec<String>,
    /// Files of an earlier run that are no longer needed.
    pub removed: Vec<String>,
}

impl Site {
    /// Reads a folder, which may not exist yet.
    #[must_use]
    pub fn open(folder: &Path) -> Self {
        let text = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
        // A list made by another program is a foreign file, and nothing in it is ours.
        let known = if is_ours(&text) {
            parsed(&text)
        } else {
            BTreeMap::new()
        };
        Self {
            folder: folder.to_owned(),
            known,
        }
    }

    /// Which of these files must be written, and which files of an earlier run must be removed.
    ///
    /// # Errors
    /// [`SiteError::Foreign`] if a foreign file would be replaced or removed; those of reading.
    pub fn changes(&self, files: &Files) -> Result<Changes, SiteError> {
        let mut changes = Changes::default();
        let mut foreign = Vec::new();
        for (name, place) in &files.places {
            let text = files.text(*place)?;
            match self.there(name) {
                Some(bytes) if bytes.as_ref() == Some(&text) => {}
                Some(bytes) if !self.is_known(name, bytes.as_deref()) => foreign.push(name.clone()),
                _ => changes.written.push(name.clone()),
            }
        }
        for name in self.known.keys() {
            if files.places.contains_key(name) {
                continue;
            }
            match self.there(name) {
                Some(bytes) if self.is_known(name, bytes.as_deref()) => {
                    changes.removed.push(name.clone());
                }
                Some(_) => foreign.push(name.clone()),
                None => {}
            }
        }
        match self.there(LIST) {
            None => {}
            Some(Some(bytes)) if is_ours(&String::from_utf8_lossy(&bytes)) => {}
            Some(_) => foreign.push(LIST.to_owned()),
        }
        if foreign.is_empty() {
            return Ok(changes);
        }
        Err(SiteError::Foreign {
            folder: self.folder.clone(),
            files: foreign,
        })
    }

    /// Writes the files, and removes those that an earlier run wrote and that are no longer needed.
    ///
    /// # Errors
    /// Those of the file system. The next run knows what was written until then.
    pub fn write(&self, files: &Files, changes: &Changes) -> Result<(), SiteError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| SiteError::Io { path, source }
        };
        let _made = atomic_files::folder(&self.folder).map_err(failed(&self.folder))?;
        let put = |name: &str, text: &[u8]| {
            let path = self.folder.join(name);
            atomic_files::replace(&path, |file| file.write_all(text)).map_err(failed(&path))
        };
        let line = |name: &str, sum: Option<u32>| match sum {
            Some(sum) => format!("{name} {sum:08x}\n"),
            None => format!("{name}\n"),
        };
        let mut new = String::new();
        for (name, (.., sum)) in &files.places {
            new.push_str(&line(name, Some(*sum)));
        }
        if !changes.written.is_empty() || !changes.removed.is_empty() {
            // After an interruption the next run must recognise both the old and the new files as ours.
            let mut old = String::new();
            for (name, sums) in &self.known {
                for sum in sums {
                    old.push_str(&line(name, *sum));
                }
            }
            put(LIST, format!("{HEAD}\n{old}{new}").as_bytes())?;
        }
        for name in &changes.written {
            put(name, &files.text(files.places[name])?)?;
        }
        for name in &changes.removed {
            let path = self.folder.join(name);
            fs::remove_file(&path).map_err(failed(&path))?;
        }
        let text = format!("{HEAD}\n{new}");
        match self.there(LIST) {
            Some(Some(bytes)) if bytes == text.as_bytes() => Ok(()),
            _ => put(LIST, text.as_bytes()),
        }
    }

    /// What exists under a name: nothing, the bytes of a file, or something that is not a file.
    fn there(&self, name: &str) -> Option<Option<Vec<u8>>> {
        let path = self.folder.join(name);
        let known = fs::symlink_metadata(&path).ok()?;
        if !known.is_file() {
            return Some(None);
        }
        Some(fs::read(&path).ok())
    }

    fn is_known(&self, name: &str, bytes: Option<&[u8]>) -> bool {
        let (Some(bytes), Some(sums)) = (bytes, self.known.get(name)) else {
            return false;
        };
        sums.contains(&None) || sums.contains(&Some(crc32fast::hash(bytes)))
    }
}

/// Whether a list is ours: by its first line or, for lists of older versions without one, by pages that have always
/// existed.
fn is_ours(text: &str) -> bool {
    let has = |name: &str| text.lines().any(|line| line == name);
    text.lines().next() == Some(HEAD) || (has("index.html") && has("style.css"))
}

fn parsed(text: &str) -> BTreeMap<String, BTreeSet<Option<u32>>> {
    let is_name = |name: &str| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
        !name.is_empty() && !name.starts_with('.') && name != LIST && name.bytes().all(is_letter)
    };
    let mut known = BTreeMap::new();
    for line in text.lines() {
        let (name, sum) = line.split_once(' ').unwrap_or((line, ""));
        if is_name(name) {
            let sums: &mut BTreeSet<Option<u32>> = known.entry(name.to_owned()).or_default();
            sums.insert(u32::from_str_radix(sum, 16).ok());
        }
    }
    known
}
