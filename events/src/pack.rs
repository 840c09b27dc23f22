//! A whole event in one file: its files and its log, as JSON.
//!
//! ```json
//! { "overboard-event": 1, "files": { "event.toml": ["name = \"cup\"", "…"] }, "log": [] }
//! ```

use crate::{
    Event, Files,
    csv::At,
    draft_folder::{self, DraftFolder},
    store::{self, LogEntry, StoreError},
    whole::FileError,
};
use overboard_pictures::foreign;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs, path::Path};

/// The version that is written, and the latest that is read.
const FORM: u32 = 1;
/// The suffix of an event's folder while it is filled.
const OF_EVENT: &str = ".event";

#[derive(Serialize, Deserialize)]
struct Pack {
    #[serde(rename = "overboard-event")]
    form: u32,
    /// Texts line by line.
    files: BTreeMap<String, Vec<String>>,
    log: Vec<LogEntry>,
}

/// An event's folder as a text.
///
/// # Errors
/// If the folder cannot be read.
pub fn pack(folder: &Path) -> Result<String, StoreError> {
    let files = store::settled(folder)?;
    let lines = |bytes: Vec<u8>| -> Vec<String> {
        // Text after the last line break is a line too; if there is none, the last item is empty.
        String::from_utf8_lossy(&bytes)
            .split('\n')
            .map(str::to_owned)
            .collect()
    };
    let files = files
        .into_iter()
        .map(|(name, bytes)| (name, lines(bytes)))
        .collect();
    let pack = Pack {
        form: FORM,
        files,
        log: store::settled_log(folder)?,
    };
    let mut text = serde_json::to_string_pretty(&pack).unwrap_or_default();
    text.push('\n');
    let text = foreign::json(&text).into_owned();
    match text.len() as u64 {
        bytes if bytes > store::LARGEST => Err(StoreError::Unpackable(folder.to_owned(), bytes)),
        _ => Ok(text),
    }
}

/// Creates the folder of an event from such a text, completely or not at all. Returns the event.
///
/// # Errors
/// If the text is not an event, or the folder exists.
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
    let files: Files = pack
        .files
        .into_iter()
        .map(|(name, lines)| (name, lines.join("\n").into_bytes()))
        .collect();
    store::bounded(folder, files.values().map(|bytes| bytes.len() as u64).sum())?;
    let event = Event::read(&files).map_err(StoreError::Faults)?;
    if folder.exists()
        && fs::read_dir(folder)
            .map_err(|error| FileError::of(folder, error))?
            .next()
            .is_some()
    {
        return Err(StoreError::Taken(folder.to_owned()));
    }
    let failed = |error| FileError::of(folder, error);
    draft_folder::sweep(folder, OF_EVENT);
    let draft = DraftFolder::beside(folder, OF_EVENT).map_err(failed)?;
    let log = pack.log.iter().map(|entry| {
        let text = serde_json::to_string_pretty(entry).unwrap_or_default();
        (format!("log/{:04}.json", entry.number), text.into_bytes())
    });
    for (name, bytes) in files.into_iter().chain(log) {
        let path = draft.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(draft.path())).map_err(failed)?;
        fs::write(&path, bytes).map_err(failed)?;
    }
    // Drafts are private, but an event gets the usual permissions of the user's folders.
    #[cfg(unix)]
    {
        use crate::whole::folder_of;
        use std::os::unix::fs::PermissionsExt;
        let like = fs::metadata(folder_of(folder))
            .map_err(failed)?
            .permissions()
            .mode()
            & 0o777;
        fs::set_permissions(draft.path(), fs::Permissions::from_mode(like | 0o700))
            .map_err(failed)?;
    }
    draft.become_folder(folder).map_err(failed)?;
    Ok(event)
}
