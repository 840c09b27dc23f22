//! Files that are written whole or not at all.

use std::{
    io::{self, Write},
    path::Path,
};
use tempfile::{Builder, NamedTempFile};

/// Writes a file by a draft beside it, in place of another of its name.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    draft(path, write)?.persist(path).map(drop).map_err(|error| error.error)
}

/// Writes a new file by a draft beside it; an error where there is one of its name.
pub fn create(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    draft(path, write)?.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

fn draft(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut draft = builder.tempfile_in(folder)?;
    write(draft.as_file_mut())?;
    draft.as_file().sync_all()?;
    Ok(draft)
}
