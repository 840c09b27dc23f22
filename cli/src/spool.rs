//! Copies of what can be read only once, for commands that have to read it twice.

use crate::{exit::CliError, games::open};
use overboard_events::whole::FileError;
use std::{
    env,
    io::{self, Read, Write},
    path::Path,
};
use tempfile::NamedTempFile;

/// Copies standard input, or what else can be read only once, to a file that goes when it is closed.
///
/// # Errors
/// Those of the source, and those of the folder for such files, each by its name.
pub fn spool(path: &Path) -> Result<NamedTempFile, CliError> {
    let mut source = open(path).map_err(|error| CliError::file(path, error))?;
    let mut copy = NamedTempFile::new().map_err(of_ours)?;
    let mut block = vec![0; 1 << 16];
    loop {
        match source.read(&mut block) {
            Ok(0) => return Ok(copy),
            Ok(count) => copy.write_all(&block[..count]).map_err(of_ours)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(CliError::file(path, error)),
        }
    }
}

/// What went wrong with a file of our own, as an error that names the folder for such files and nothing else.
pub fn of_ours(error: io::Error) -> io::Error {
    // Without the name of the file, which means nothing to the user.
    let bare = error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error);
    io::Error::new(error.kind(), FileError::of(&env::temp_dir(), bare))
}
