//! A whole event in one file: its files and its log, as JSON.
//!
//! ```json
//! { "overboard-event": 2, "files": { "event.toml": ["name = \"cup\"", "…"] }, "log": { "changes.jsonl": ["…"] } }
//! ```

use crate::{
    Event, Files,
    atomic_files::FileError,
    csv::At,
    draft_folder::{self, DraftFolder},
    store::{self, CHANGES, Content, FolderState, LAST, Log, StoreError},
};
use overboard_formats::foreign;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs, io, path::Path};

/// The version of packs that is written, and the latest that is read.
pub const FORM: u32 = 2;
/// The suffix of an event's folder while it is filled.
const OF_EVENT: &str = ".event";

/// An event in one file.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pack {
    /// The version of the form: 2, or 1 as older versions wrote it.
    #[serde(rename = "overboard-event")]
    form: u32,
    /// The files of the event's folder by name.
    files: BTreeMap<String, Packed>,
    /// The log of changes.
    log: PackedLog,
}

/// A file.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Packed {
    /// Its lines.
    Lines(Vec<String>),
    /// Its bytes, if it is not UTF-8.
    Bytes(Content),
}

/// The log.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum PackedLog {
    /// Its files.
    Files(BTreeMap<String, Packed>),
    /// Of form 1: the entries as the version of that time wrote them.
    Entries(Vec<serde_json::Value>),
}

impl Packed {
    fn of(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            // Text after the last line break is a line too; if there is none, the last item is empty.
            Ok(text) => Self::Lines(text.split('\n').map(str::to_owned).collect()),
            Err(_) => Self::Bytes(Content::whole(bytes)),
        }
    }

    fn bytes(self) -> Result<Vec<u8>, &'static str> {
        match self {
            Self::Lines(lines) => Ok(lines.join("\n").into_bytes()),
            Self::Bytes(content) => match content.after(None) {
                Some(Some(bytes)) => Ok(bytes.to_vec()),
                _ => Err("expected a list of lines"),
            },
        }
    }
}

impl PackedLog {
    /// The files in the folder of the log.
    fn files(self) -> Result<Files, String> {
        let mut files = Files::new();
        match self {
            Self::Files(packed) => {
                for (name, packed) in packed {
                    let bytes = packed
                        .bytes()
                        .map_err(|why| format!("log: {name}: {why}"))?;
                    files.insert(name, bytes);
                }
            }
            Self::Entries(entries) => {
                for entry in entries {
                    let number = entry["number"].as_u64().unwrap_or(0);
                    let text = serde_json::to_vec_pretty(&entry).unwrap_or_default();
                    files.insert(format!("{number:04}.json"), text);
                }
            }
        }
        match files.keys().find(|name| !store::is_log_file(name)) {
            Some(stray) => Err(format!("`log/{stray}` is not a file of a log")),
            None => Ok(files),
        }
    }
}

/// An event's folder as a text.
///
/// # Errors
/// If the folder cannot be read, or [`Event::check`] or the log finds errors in it.
pub fn pack(folder: &Path) -> Result<String, StoreError> {
    let found = store::settled_folder(folder)?;
    let mut faults = found.look().faults;
    let event = Event::read(&found.files).map_err(StoreError::Faults)?;
    faults.extend(event.check());
    if !faults.is_empty() {
        return Err(StoreError::Faults(faults));
    }
    let pack = Pack {
        form: FORM,
        files: packed(&found.files),
        log: PackedLog::Files(packed(&with_begun(found.raw, &found.log))),
    };
    let mut text = serde_json::to_string_pretty(&pack).unwrap_or_default();
    text.push('\n');
    let text = foreign::json(&text).into_owned();
    match text.len() as u64 {
        bytes if bytes > store::LARGEST => Err(StoreError::Unpackable(folder.to_owned(), bytes)),
        _ => Ok(text),
    }
}

/// The files of a log in which a change that was begun counts as made.
fn with_begun(mut raw: Files, log: &Log) -> Files {
    if let Some(begun) = &log.begun {
        let mut lines = raw.remove(CHANGES).unwrap_or_default();
        lines.truncate(log.whole);
        lines.extend_from_slice(begun.text.as_bytes());
        raw.insert(CHANGES.into(), lines);
        raw.insert(LAST.into(), begun.text.clone().into_bytes());
    }
    raw
}

fn packed(files: &Files) -> BTreeMap<String, Packed> {
    let mut packed = BTreeMap::new();
    for (name, bytes) in files {
        packed.insert(name.clone(), Packed::of(bytes));
    }
    packed
}

/// Creates the folder of an event from such a text, completely or not at all. Returns the event.
///
/// # Errors
/// If the text is not an event as its log has it, or the folder exists.
pub fn unpack(name: &str, text: &str, folder: &Path) -> Result<Event, StoreError> {
    let wrong = |why: String| StoreError::Faults(vec![At::file(name).fault(why)]);
    let pack: Pack = serde_json::from_str(text)
        .map_err(|error| wrong(format!("not a file of `overboard event pack` ({error})")))?;
    if pack.form > FORM {
        return Err(wrong(format!(
            "packed in form {}; this version reads forms up to {FORM}",
            pack.form
        )));
    }
    if let Some(stray) = pack.files.keys().find(|name| !store::is_event_file(name)) {
        return Err(wrong(format!("`{stray}` is not a file of an event")));
    }
    let mut files = Files::new();
    let mut size = 0;
    for (file, packed) in pack.files {
        let bytes = packed.bytes();
        let bytes = bytes.map_err(|why| wrong(format!("{file}: {why}")))?;
        size += bytes.len() as u64;
        files.insert(file, bytes);
    }
    store::bounded(folder, size)?;
    let event = Event::read(&files).map_err(StoreError::Faults)?;
    let found = FolderState::of(files, pack.log.files().map_err(wrong)?);
    let faults = found.look().faults;
    if !faults.is_empty() {
        return Err(StoreError::Faults(faults));
    }
    let failed = FileError::on(folder);
    if folder.exists() && fs::read_dir(folder).map_err(failed)?.next().is_some() {
        return Err(StoreError::Taken(folder.to_owned()));
    }
    create(folder, &found).map_err(failed)?;
    Ok(event)
}

/// Creates a folder with these files and their log.
fn create(folder: &Path, found: &FolderState) -> io::Result<()> {
    draft_folder::sweep(folder, OF_EVENT);
    let draft = DraftFolder::beside(folder, OF_EVENT)?;
    for (place, files) in [("", &found.files), ("log", &found.raw)] {
        for (name, bytes) in files {
            let path = draft.path().join(place).join(name);
            fs::create_dir_all(path.parent().unwrap_or(draft.path()))?;
            fs::write(&path, bytes)?;
        }
    }
    // Drafts are private, but an event gets the usual permissions of the user's folders.
    #[cfg(unix)]
    {
        use crate::atomic_files::folder_of;
        use std::os::unix::fs::PermissionsExt;
        let usual = fs::metadata(folder_of(folder))?.permissions().mode() & 0o777;
        fs::set_permissions(draft.path(), fs::Permissions::from_mode(usual | 0o700))?;
    }
    draft.become_folder(folder)
}
