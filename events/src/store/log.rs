//! The log of an event's folder: what each change did to which files, and which changes are in force.

use super::{LOG, StoreError, is_event_file};
use crate::{Files, event, whole::FileError};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs, path::Path};

/// A change of an event.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LogEntry {
    /// Its number, from 1.
    pub number: u32,
    /// When it was made, in UTC.
    pub time: String,
    /// What was changed, in words.
    pub what: String,
    /// The number of the change that it undid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<u32>,
    /// The number of the undone change that it redoes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redoes: Option<u32>,
    /// The files it changed.
    pub files: Vec<Changed>,
}

/// A file before and after a change.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Changed {
    /// Its name in the folder.
    pub file: String,
    /// Its text before; null if it did not exist.
    pub before: Option<String>,
    /// Its text after; null if it no longer exists.
    pub after: Option<String>,
}

impl LogEntry {
    /// Checks that all files are in the folder, so that a log that was tampered with writes nowhere else.
    pub(super) fn validate(&self, pending: &Path) -> Result<(), StoreError> {
        match self
            .files
            .iter()
            .find(|change| !is_event_file(&change.file))
        {
            Some(Changed { file, .. }) => Err(StoreError::BadLog {
                file: pending.display().to_string(),
                why: format!("`{file}`"),
            }),
            None => Ok(()),
        }
    }

    /// Applies the change to the files.
    pub(super) fn finish(self, files: &mut Files) {
        for Changed { file, after, .. } in self.files {
            match after {
                Some(text) => files.insert(file, text.into_bytes()),
                None => files.remove(&file),
            };
        }
    }
}

/// Which changes of a log are in force, and which are undone and can be redone.
pub struct Standing<'a> {
    /// Those in force, the first change first.
    pub done: Vec<&'a LogEntry>,
    /// Those that are undone; the one to be redone next is last.
    pub undone: Vec<&'a LogEntry>,
}

impl<'a> Standing<'a> {
    /// Reads a log.
    #[must_use]
    pub fn of(log: &'a [LogEntry]) -> Self {
        let mut this = Self {
            done: Vec::new(),
            undone: Vec::new(),
        };
        let take = |from: &mut Vec<&'a LogEntry>, number: u32| {
            from.iter()
                .rposition(|entry| entry.number == number)
                .map(|at| from.remove(at))
        };
        for entry in log {
            match (entry.undoes, entry.redoes) {
                (Some(number), _) => this.undone.extend(take(&mut this.done, number)),
                (_, Some(number)) => this.done.extend(take(&mut this.undone, number)),
                (None, None) => {
                    this.done.push(entry);
                    this.undone.clear();
                }
            }
        }
        this
    }
}

impl Changed {
    /// Whether only the spelling of the table differs, as for one that was made elsewhere.
    pub(super) fn is_same_table(&self) -> bool {
        let (Some(before), Some(after)) = (&self.before, &self.after) else {
            return false;
        };
        let read = |text: &str| {
            let files = |name: &str| Files::from([(name.to_owned(), text.as_bytes().to_vec())]);
            event::rewritten(&self.file, &files(&self.file))
        };
        self.file.ends_with(".csv") && read(before).is_some_and(|read| read == *after)
    }
}

/// Reverses changes, or applies them again, starting from the current files.
pub(super) fn turned(
    files: &[Changed],
    back: bool,
    now: &Files,
    force: bool,
) -> Result<Vec<Changed>, StoreError> {
    let turn = |change: &Changed| {
        let (from, to) = if back {
            (&change.after, &change.before)
        } else {
            (&change.before, &change.after)
        };
        let now = now
            .get(&change.file)
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        if now != *from && !force {
            return Err(StoreError::Edited {
                file: change.file.clone(),
            });
        }
        Ok(Changed {
            file: change.file.clone(),
            before: now,
            after: to.clone(),
        })
    };
    files.iter().map(turn).collect()
}

pub(super) fn log(path: &Path) -> Result<Vec<LogEntry>, StoreError> {
    let mut entries = Vec::new();
    let mut texts = BTreeMap::new();
    while let Some(file) = Some(
        path.join(LOG)
            .join(format!("{:04}.json", entries.len() + 1)),
    )
    .filter(|file| file.is_file())
    {
        let stored: StoredEntry = read_json(&file)?;
        let entry = stored.whole(&texts).ok_or_else(|| StoreError::BadLog {
            file: file.display().to_string(),
            why: "it does not follow from the entries before it".into(),
        })?;
        texts.extend(
            entry
                .files
                .iter()
                .map(|change| (change.file.clone(), change.after.clone())),
        );
        entries.push(entry);
    }
    Ok(entries)
}

pub(super) fn read_entry(path: &Path) -> Result<LogEntry, StoreError> {
    read_json(path)
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let text = fs::read_to_string(path).map_err(|error| FileError::of(path, error))?;
    let bad = |error: serde_json::Error| StoreError::BadLog {
        file: path.display().to_string(),
        why: error.to_string(),
    };
    serde_json::from_str(&text).map_err(bad)
}

/// A change as the log stores it. If a file was edited by hand since the log last saw it, whole texts are stored.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredEntry {
    number: u32,
    time: String,
    what: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undoes: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    redoes: Option<u32>,
    files: Vec<Stored>,
}

/// A changed file in the log: the lines that differ, or both texts. Entering a result changes one line of hundreds.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    /// Lines that differ, from line `line` (counted from 1) on.
    Lines {
        file: String,
        line: usize,
        removed: Vec<String>,
        added: Vec<String>,
    },
    /// Whole texts.
    Whole(Changed),
}

impl StoredEntry {
    /// The stored form of an entry, given the texts after the entries before it.
    pub(super) fn of(entry: &LogEntry, texts: &BTreeMap<String, Option<String>>) -> Self {
        let stored = |change: &Changed| {
            let is_known = texts.get(&change.file) == Some(&change.before);
            let lines = match (&change.before, &change.after) {
                (Some(before), Some(after)) if is_known => {
                    Stored::lines(&change.file, before, after)
                }
                _ => None,
            };
            lines.unwrap_or_else(|| Stored::Whole(change.clone()))
        };
        let LogEntry {
            number,
            time,
            what,
            undoes,
            redoes,
            files,
        } = entry;
        Self {
            number: *number,
            time: time.clone(),
            what: what.clone(),
            undoes: *undoes,
            redoes: *redoes,
            files: files.iter().map(stored).collect(),
        }
    }

    /// The entry with whole texts; `None` if it has lines of a text that is missing.
    fn whole(self, texts: &BTreeMap<String, Option<String>>) -> Option<LogEntry> {
        let Self {
            number,
            time,
            what,
            undoes,
            redoes,
            files,
        } = self;
        let whole = |stored: Stored| match stored {
            Stored::Whole(change) => Some(change),
            Stored::Lines {
                file,
                line,
                removed,
                added,
            } => {
                let before = texts.get(&file)?.clone()?;
                let lines: Vec<&str> = before.split('\n').collect();
                let from = line.checked_sub(1)?;
                let rest = lines.get(from..)?;
                if !removed
                    .iter()
                    .map(String::as_str)
                    .eq(rest.iter().take(removed.len()).copied())
                {
                    return None;
                }
                let kept = lines[..from].iter().copied();
                let after: Vec<&str> = kept
                    .chain(added.iter().map(String::as_str))
                    .chain(rest[removed.len()..].iter().copied())
                    .collect();
                let after = Some(after.join("\n"));
                Some(Changed {
                    file,
                    before: Some(before),
                    after,
                })
            }
        };
        let files = files.into_iter().map(whole).collect::<Option<_>>()?;
        Some(LogEntry {
            number,
            time,
            what,
            undoes,
            redoes,
            files,
        })
    }
}

impl Stored {
    /// The lines that differ, if they are less than half of the text.
    fn lines(file: &str, before: &str, after: &str) -> Option<Self> {
        let (old, new): (Vec<&str>, Vec<&str>) =
            (before.split('\n').collect(), after.split('\n').collect());
        let head = old
            .iter()
            .zip(&new)
            .take_while(|(one, other)| one == other)
            .count();
        let most = old.len().min(new.len()) - head;
        let tail = old
            .iter()
            .rev()
            .zip(new.iter().rev())
            .take(most)
            .take_while(|(one, other)| one == other)
            .count();
        let part = |lines: &[&str]| {
            lines[head..lines.len() - tail]
                .iter()
                .map(|line| (*line).to_owned())
                .collect::<Vec<_>>()
        };
        let (removed, added) = (part(&old), part(&new));
        let size = |lines: &[String]| lines.iter().map(|line| line.len() + 1).sum::<usize>();
        (2 * (size(&removed) + size(&added)) < before.len() + after.len()).then(|| Self::Lines {
            file: file.to_owned(),
            line: head + 1,
            removed,
            added,
        })
    }
}
