//! Folders that are filled before they get their final names.
//!
//! A folder must have a name even while it is filled, so a killed writer leaves it behind. Its name shows what it is,
//! and the next writer removes it.

use crate::atomic_files::{DRAFT, entries, folder_of};
use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
};
use tempfile::{Builder, TempDir};

/// Random letters and digits in a name.
const LETTERS: usize = 6;
/// How many folders are created before giving up, in case another process removes each before it is locked.
const TRIES: usize = 8;

/// A folder beside the final one. It is removed unless it gets the final name.
pub struct DraftFolder {
    folder: TempDir,
    /// A lock on the draft, where folders can be opened. It ends with its process, so a draft without one is abandoned.
    _lock: Option<File>,
}

impl DraftFolder {
    /// A draft for a folder, with the permissions of the user's other folders. Its name ends in `kind`, such as
    /// `.pictures`.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn beside(folder: &Path, kind: &str) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(DRAFT).suffix(kind).rand_bytes(LETTERS);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        for _ in 0..TRIES {
            let folder = builder.tempdir_in(folder_of(folder))?;
            let Ok(opened) = File::open(folder.path()) else {
                return Ok(Self {
                    folder,
                    _lock: None,
                });
            };
            let lock = match opened.try_lock() {
                Ok(()) if folder.path().exists() => Some(opened),
                // Another process removed it before it was locked.
                Ok(()) | Err(TryLockError::WouldBlock) => continue,
                // No locks on this system, so nobody removes drafts either.
                Err(TryLockError::Error(_)) => None,
            };
            return Ok(Self {
                folder,
                _lock: lock,
            });
        }
        Err(io::ErrorKind::WouldBlock.into())
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives it its final name; an empty folder of that name is replaced.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn become_folder(self, folder: &Path) -> io::Result<()> {
        if folder.exists() {
            fs::remove_dir(folder)?;
        }
        fs::rename(self.path(), folder)?;
        // It has its final name now, and must not be removed.
        drop(self.folder.keep());
        Ok(())
    }
}

/// Whether this is the name of a draft of this kind.
pub(crate) fn is_draft(name: &str, kind: &str) -> bool {
    let Some(tail) = name.strip_prefix(DRAFT) else {
        return false;
    };
    let letters = tail.strip_suffix(kind).unwrap_or_default();
    letters.len() == LETTERS && letters.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Removes the drafts of this kind that killed writers left beside a folder: those that are not locked.
pub fn sweep(folder: &Path, kind: &str) {
    for entry in entries(folder_of(folder)) {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder
            && is_draft(&entry.file_name().to_string_lossy(), kind)
            && let Ok(opened) = File::open(entry.path())
            && opened.try_lock().is_ok()
        {
            // One that cannot be removed does no harm.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
