//! Files that are written whole or not at all.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};
use tempfile::{Builder, NamedTempFile};

/// How the names of drafts begin; six letters or digits follow.
pub const DRAFT: &str = ".tmp";

/// A file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is there already.
    #[error("{path}: there is a file of this name already; none is written over", path = .0.display())]
    Exists(PathBuf),
    /// The system refused.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl FileError {
    /// What went wrong with this file.
    #[must_use]
    pub fn of(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists(path.to_owned()),
            _ => Self::Io { path: path.to_owned(), source },
        }
    }
}

/// Writes a file by a draft beside it, in place of another of its name. What is no ordinary file, such
/// as `/dev/null` or a pipe, is written to and never replaced.
///
/// # Errors
/// Those of the file system and of `write`; the file that stood there stays as it was.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let Ok(target) = path.canonicalize() else { return put(path, draft(path, write)?, None) };
    // What may not be written may not be replaced.
    let mut there = OpenOptions::new().write(true).open(&target)?;
    let known = there.metadata()?;
    if known.is_file() { put(&target, draft(&target, write)?, Some(&there)) } else { write(&mut there) }
}

/// Puts a draft in its place, with the permissions of the file that stood there.
fn put(path: &Path, draft: NamedTempFile, there: Option<&File>) -> io::Result<()> {
    if let Some(there) = there {
        draft.as_file().set_permissions(there.metadata()?.permissions())?;
    }
    draft.as_file().sync_all()?;
    draft.persist(path).map(drop).map_err(|error| error.error)
}

/// Writes a new file by a draft beside it; an error where there is one of its name.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`], and those of the file system and of `write`.
pub fn create(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    draft(path, write)?.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

fn draft(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    builder.prefix(DRAFT);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // Without the name of the draft, which nobody has asked for.
    let mut draft = builder.tempfile_in(folder).map_err(|error| match error.kind() {
        kind @ io::ErrorKind::NotFound => io::Error::new(kind, "the folder to write it to is not there"),
        kind @ io::ErrorKind::PermissionDenied => {
            io::Error::new(kind, "the folder to write it to may not be written to")
        }
        kind => kind.into(),
    })?;
    write(draft.as_file_mut())?;
    Ok(draft)
}
