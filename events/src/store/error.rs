//! Why an event's folder cannot be used.

use super::{LARGEST, LARGEST_EVENT, LARGEST_LOG};
use crate::{atomic_files::FileError, csv::CsvError};
use std::path::PathBuf;

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
    /// Nothing can be written in the folder.
    #[error("{folder}: this folder cannot be written to, so nothing was changed; copy it with its log to where it can be", folder = .0.display())]
    ReadOnly(PathBuf),
    /// Files cannot be read as an event.
    #[error("{}", listed(.0))]
    Faults(Vec<CsvError>),
    /// The log is damaged.
    #[error("{}\nThe log of this event is damaged, so nothing was changed. `overboard event repair FOLDER` shows what can be restored", listed(.0))]
    Damaged(Vec<CsvError>),
    /// Files are not as the log has them.
    #[error(
        "{}\nNothing was changed. `overboard event repair FOLDER` shows how the log would restore the files; \
         `overboard event accept FOLDER {file} --reason '...'` takes a file as it is",
        listed(faults)
    )]
    Differs {
        /// The first of the files.
        file: String,
        /// All of them, with what is different.
        faults: Vec<CsvError>,
    },
    /// A file is as the log has it.
    #[error(
        "{0} is as the log has it, so there is nothing to accept; `overboard event check FOLDER` lists the files that differ"
    )]
    NotDifferent(String),
    /// A file has been changed by hand.
    #[error(
        "{file} was changed by hand since; undoing would lose that change. Save the file elsewhere, or use --force"
    )]
    Edited {
        /// The file.
        file: String,
    },
    /// A file was changed between reading and writing.
    #[error("{0} was changed while this command ran; nothing was changed. Repeat the command")]
    EditedMeanwhile(String),
    /// The event is too large, or would be: its files have so many bytes.
    #[error("{folder}: the files of an event have at most {LARGEST_EVENT} bytes together, without its log; these have {1}", folder = .0.display())]
    Large(PathBuf, u64),
    /// The log is too large.
    #[error("{folder}: the log of an event has at most {LARGEST_LOG} bytes; this one has more", folder = .0.display())]
    LargeLog(PathBuf),
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
    /// What a change did is lost.
    #[error("change {0} cannot be undone or redone: a part of the log before it is lost")]
    NotDerivable(u32),
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

/// Errors, each on a line under the first.
fn listed(faults: &[CsvError]) -> String {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    lines.join("\n")
}
