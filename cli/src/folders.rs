//! Folders of records: a folder on the command line stands for the records in it.

use crate::exit::PartError;
use crate::packed::unpacked_name;
use overboard_events::atomic_files::FileError;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The endings of the names of records, in lower case.
const ENDINGS: [&str; 3] = ["pgn", "npgn", "bpgn"];
/// The most files and folders that are looked at: more are hardly one event, and might be a whole disk.
const MOST: usize = 100_000;
/// The file that makes a folder an event.
const EVENT: &str = "event.toml";

/// Why a folder cannot stand for its records.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It is that of an event.
    #[error("{path}: this is an event; `overboard event check {quoted}` checks it", path = .0.display(), quoted = crate::show_command::quoted(&.0.display().to_string()))]
    Event(PathBuf),
    /// It has no records.
    #[error("{path}: no records in this folder (files whose names end in .pgn, .npgn or .bpgn, or in one of these and .gz, .zst or .bz2)", path = .0.display())]
    Empty(PathBuf),
    /// It has too many files.
    #[error("{path}: more than {MOST} files and folders in this folder; name some of them instead", path = .0.display())]
    TooMany(PathBuf),
    /// It cannot be listed.
    #[error(transparent)]
    Unreadable(#[from] FileError),
}

impl PartError for FolderError {}

/// The files, and in place of each folder the records in it and in the folders in it, sorted by their paths. Hidden
/// files and folders are left out, and links to folders are not followed.
///
/// A folder that cannot stand for its records does not stop the others; the complaints about such folders follow.
pub fn records(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<FolderError>) {
    let (mut records, mut complaints) = (Vec::new(), Vec::new());
    for path in paths {
        if !path.is_dir() {
            records.push(path.clone());
            continue;
        }
        match within(path) {
            Ok(found) => records.extend(found),
            Err(error) => complaints.push(error),
        }
    }
    (records, complaints)
}

fn within(folder: &Path) -> Result<Vec<PathBuf>, FolderError> {
    if folder.join(EVENT).is_file() {
        return Err(FolderError::Event(folder.to_owned()));
    }
    let (mut records, mut seen) = (Vec::new(), 0);
    let mut waiting = vec![folder.to_owned()];
    while let Some(open) = waiting.pop() {
        let unreadable = FileError::on(&open);
        for entry in fs::read_dir(&open).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            seen += 1;
            if seen > MOST {
                return Err(FolderError::TooMany(folder.to_owned()));
            }
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let path = entry.path();
            if is_hidden {
                continue;
            }
            if entry.file_type().map_err(unreadable)?.is_dir() {
                waiting.push(path);
            } else if is_record(&path) {
                records.push(path);
            }
        }
    }
    if records.is_empty() {
        return Err(FolderError::Empty(folder.to_owned()));
    }
    records.sort();
    Ok(records)
}

/// Whether this is a file with the ending of a record, which may be compressed.
fn is_record(path: &Path) -> bool {
    let name = unpacked_name(path);
    let ending = name.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.contains(&&*ending.to_ascii_lowercase())) && path.is_file()
}
