//! Folders that are filled before they get their names.
//!
//! A folder has a name while it is filled, so a writer that is killed leaves it. Its name says what it is, and the next
//! writer removes it.

use crate::whole::{DRAFT, folder_of};
use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
};
use tempfile::{Builder, TempDir};

/// Letters and digits of a name that differ.
const LETTERS: usize = 6;
/// Folders that are begun for one that another process does not sweep away meanwhile.
const TRIES: usize = 8;

/// A folder beside the one wanted, which is removed unless it takes that one's place.
pub struct DraftFolder {
    folder: TempDir,
    /// Whoever fills a draft holds its lock, which a killed process holds no longer; where folders can be opened.
    _lock: Option<File>,
}

impl DraftFolder {
    /// A draft of a folder, as open as folders of its user are. Its name ends in `kind`, such as `.pictures`.
    ///
    /// # Errors
    /// Those of the folder in which it lies.
    pub fn beside(folder: &Path, kind: &str) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(DRAFT).suffix(kind).rand_bytes(LETTERS);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        for _ in 0..TRIES {
            let folder = builder.tempdir_in(folder_of(folder))?;
            let Ok(opened) = File::open(folder.path()) else { return Ok(Self { folder, _lock: None }) };
            match opened.try_lock() {
                Ok(()) if folder.path().exists() => return Ok(Self { folder, _lock: Some(opened) }),
                // Another process sweeps it away before it is locked.
                Ok(()) | Err(TryLockError::WouldBlock) => {}
                // No locks here: nobody sweeps either.
                Err(TryLockError::Error(_)) => return Ok(Self { folder, _lock: None }),
            }
        }
        Err(io::ErrorKind::WouldBlock.into())
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives it its name; an empty folder of that name goes.
    ///
    /// # Errors
    /// Those of the system.
    pub fn become_folder(self, folder: &Path) -> io::Result<()> {
        if folder.exists() {
            fs::remove_dir(folder)?;
        }
        fs::rename(self.path(), folder)?;
        // It has another name now, and stays.
        drop(self.folder.keep());
        Ok(())
    }
}

/// Removes the drafts of this kind that killed writers left beside a folder: those that nobody holds.
pub fn sweep(folder: &Path, kind: &str) {
    let is_draft = |name: &str| {
        let middle = name.strip_prefix(DRAFT).and_then(|name| name.strip_suffix(kind));
        middle.is_some_and(|middle| {
            middle.len() == LETTERS && middle.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    };
    for entry in fs::read_dir(folder_of(folder)).into_iter().flatten().flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder
            && is_draft(&entry.file_name().to_string_lossy())
            && let Ok(opened) = File::open(entry.path())
            && opened.try_lock().is_ok()
        {
            // One that stays does no harm.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
