//! Copies of input that can be read only once, for commands that have to read it twice.

use crate::{
    exit::CliError,
    games::{is_stdin, is_stream, open},
};
use overboard_events::whole::FileError;
use overboard_pictures::foreign::Foreign;
use overboard_referee::report::Report;
use std::{
    collections::HashMap,
    env,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// Copies standard input, or another input that can be read only once, to a file that is removed when it is closed.
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

/// An error with a file of our own, which names only the folder for temporary files.
pub fn of_ours(error: io::Error) -> io::Error {
    // Without the name of the file, which would mean nothing to the user.
    let bare = error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error);
    io::Error::new(error.kind(), FileError::of(&env::temp_dir(), bare))
}

/// The files of a command that reads some games again; input that can be read only once is copied.
pub struct Sources {
    /// The files to read.
    pub files: Vec<PathBuf>,
    /// What was copied, by the name of the copy.
    copied: HashMap<String, (PathBuf, NamedTempFile)>,
}

impl Sources {
    /// These files, copied if necessary.
    ///
    /// # Errors
    /// Those of [`spool`].
    pub fn of(paths: &[PathBuf]) -> Result<Self, CliError> {
        let (mut files, mut copied) = (Vec::new(), HashMap::new());
        for path in paths {
            // The reader reports a missing file or a folder.
            let is_copied = is_stdin(path) || (is_stream(path) && path.exists() && !path.is_dir());
            if !is_copied {
                files.push(path.clone());
                continue;
            }
            let copy = spool(path)?;
            files.push(copy.path().to_owned());
            copied.insert(copy.path().display().to_string(), (path.clone(), copy));
        }
        Ok(Self { files, copied })
    }

    /// These files, none of which is read again.
    pub fn once(paths: &[PathBuf]) -> Self {
        Self { files: paths.to_vec(), copied: HashMap::new() }
    }

    /// Gives a report the name of the original; returns the file from which its game can be read again.
    pub fn name(&self, report: &mut Report) -> PathBuf {
        let read = PathBuf::from(report.file.as_it_came());
        if let Some((path, _)) = self.copied.get(report.file.as_it_came()) {
            report.file = Foreign::new(path.display().to_string().into());
        }
        read
    }

    /// The name of a file that is read, for people.
    pub fn shown(&self, read: &Path) -> String {
        let copied = self.copied.get(&read.display().to_string());
        copied.map_or(read, |(path, _)| path).display().to_string()
    }
}
