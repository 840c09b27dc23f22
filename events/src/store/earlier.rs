//! What came before the log as it is now: the logs of older versions, a file for each change, and what a repair has left
//! of a damaged log. It is only read; the first entry of the present log has its hash.

use super::{
    Sum,
    chain::Line,
    content::{Content, FileEntry, Lines},
    entry::LogEntry,
    is_event_file,
};
use crate::{
    Files,
    csv::{At, CsvError},
    rounds::is_digits,
};
use serde::Deserialize;

/// A change that was begun, in the logs of older versions.
pub const PENDING: &str = "pending";
/// The beginning of the name of a damaged log, which is kept.
const DAMAGED: &str = "damaged-";

/// What can be read of it.
#[derive(Debug, Default)]
pub struct Earlier {
    /// The entries, the first change first.
    pub entries: Vec<LogEntry>,
    /// What cannot be read in the logs of older versions, and what is missing there.
    pub lost: Vec<CsvError>,
    /// The highest number of a file of an older version.
    seen: u32,
}

/// An entry as older versions wrote it.
#[derive(Deserialize)]
struct OldEntry {
    number: u32,
    time: String,
    what: String,
    undoes: Option<u32>,
    redoes: Option<u32>,
    files: Vec<OldFile>,
}

/// A changed file: the lines that differ, or both texts.
#[derive(Deserialize)]
#[serde(untagged)]
enum OldFile {
    Lines {
        file: String,
        #[serde(flatten)]
        lines: Lines,
    },
    Both {
        file: String,
        before: Option<String>,
        after: Option<String>,
    },
}

/// The name of the file of a change in the logs of older versions.
pub fn old_file(number: u32) -> String {
    format!("{number:04}.json")
}

/// The name under which a damaged log is kept when a new one begins with this change.
pub fn damaged_file(number: u32) -> String {
    format!("{DAMAGED}{number:04}.jsonl")
}

/// Whether a file in the folder of the log belongs to it.
pub fn is_file(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && is_digits(text);
    let old = name.strip_suffix(".json");
    old.is_some_and(is_number) || is_damaged_log(name)
}

fn is_damaged_log(name: &str) -> bool {
    let Some(name) = name.strip_prefix(DAMAGED) else {
        return false;
    };
    name.strip_suffix(".jsonl").is_some_and(is_digits)
}

/// The hash of all of it.
pub fn sum(log: &Files) -> Sum {
    Sum::of_files(log.iter().filter(|(name, _)| is_file(name)))
}

/// Why an entry of an older version cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OldEntryError {
    /// It is no such entry.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It names something else than a file of an event.
    #[error("`{0}` is not a file of an event")]
    Stray(String),
}

/// Reads an entry of an older version.
///
/// # Errors
/// Why it cannot be read.
pub fn old_entry(bytes: &[u8]) -> Result<LogEntry, OldEntryError> {
    let old: OldEntry = serde_json::from_slice(bytes)?;
    let file = |old: OldFile| {
        let (file, content) = match old {
            OldFile::Lines { file, lines } => (file, Content::Lines(lines)),
            OldFile::Both {
                file,
                before,
                after,
            } => (file, Content::Both(before, after)),
        };
        FileEntry {
            file,
            sum: None,
            content,
        }
    };
    let files: Vec<FileEntry> = old.files.into_iter().map(file).collect();
    if let Some(stray) = files.iter().find(|one| !is_event_file(&one.file)) {
        return Err(OldEntryError::Stray(stray.file.clone()));
    }
    Ok(LogEntry {
        number: old.number,
        time: old.time,
        what: old.what,
        undoes: old.undoes,
        redoes: old.redoes,
        files,
        ..LogEntry::default()
    })
}

/// Reads all that can be read of it.
pub fn read(log: &Files) -> Earlier {
    let mut earlier = Earlier::default();
    earlier.read_old_entries(log);
    // Their names are in the order in which they were set aside.
    let mut damaged: Vec<_> = log.iter().collect();
    damaged.retain(|(name, _)| is_damaged_log(name));
    damaged.sort_by_key(|(name, _)| (name.len(), *name));
    for (_, bytes) in damaged {
        earlier.read_damaged_log(bytes);
    }
    earlier
}

impl Earlier {
    fn last(&self) -> u32 {
        self.entries.last().map_or(0, |entry| entry.number)
    }

    fn read_old_entries(&mut self, log: &Files) {
        let mut files = Vec::new();
        for (name, bytes) in log {
            if let Some(digits) = name.strip_suffix(".json")
                && let Ok(number) = digits.parse::<u32>()
            {
                files.push((number, name, bytes));
            }
        }
        files.sort();
        for (number, name, bytes) in files {
            // Those that cannot be read are named below; here only those that are not there.
            let next = self.seen.saturating_add(1);
            if next < number {
                let lost = match number - next {
                    1 => format!("change {next} is lost"),
                    _ => format!("changes {next} to {} are lost", number - 1),
                };
                let at = At::file(&format!("log/{}", old_file(next)));
                self.lost
                    .push(at.fault(format!("this file is missing: {lost}")));
            }
            self.seen = number;
            let at = At::file(&format!("log/{name}"));
            match old_entry(bytes) {
                Ok(entry) if entry.number == number => self.entries.push(entry),
                Ok(entry) => self.lost.push(at.fault(format!(
                    "this file holds change {}, not {number}",
                    entry.number
                ))),
                Err(why) => self.lost.push(at.fault(format!(
                    "not an entry of the log, so change {number} is lost: {why}"
                ))),
            }
        }
    }

    fn read_damaged_log(&mut self, bytes: &[u8]) {
        let mut entries = Vec::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            if let Ok(line) = Line::of_event(line) {
                entries.push(line.entry);
            }
        }
        entries.sort_by_key(|entry| entry.number);
        for entry in entries {
            if entry.number > self.last() {
                self.entries.push(entry);
            }
        }
    }
}
