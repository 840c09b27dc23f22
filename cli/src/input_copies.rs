//! Copies of input that can be read only once, for commands that have to read it twice.

use crate::{
    exit::CliError,
    games::{is_dash, is_stream, open_input},
    packed::{again, is_packed},
};
use overboard_events::atomic_files::FileError;
use overboard_formats::foreign::Foreign;
use overboard_referee::report::Report;
use std::{
    collections::HashMap,
    env,
    fs::File,
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// Copies standard input, or another input that can be read only once, to a file that is removed when it is closed.
///
/// # Errors
/// Those of the source, and those of the folder for such files, each by its name.
pub fn copy_of(path: &Path) -> Result<NamedTempFile, CliError> {
    let source = open_input(path)?;
    let copy = NamedTempFile::new().map_err(of_ours)?;
    let mut copying = Copying {
        source,
        copy: copy.reopen().map_err(of_ours)?,
    };
    io::copy(&mut copying, &mut io::sink()).map_err(|error| failed(path, error))?;
    Ok(copy)
}

/// Opens an input that can be read only once; what is read of it is also written to a file without a name.
///
/// # Errors
/// Those of the source, and those of the folder for such files, each by its name.
pub fn copying(path: &Path) -> Result<(impl Read + Send + use<>, Copied), CliError> {
    let source = open_input(path)?;
    let copy = tempfile::tempfile().map_err(of_ours)?;
    let copied = Copied(copy.try_clone().map_err(of_ours)?);
    Ok((Copying { source, copy }, copied))
}

/// What was read of an input that is copied.
pub struct Copied(File);

impl Copied {
    /// The same from the beginning.
    ///
    /// # Errors
    /// Those of the file.
    pub fn again(mut self) -> Result<File, CliError> {
        self.0.rewind().map_err(of_ours)?;
        Ok(self.0)
    }
}

/// An input that is copied while it is read.
struct Copying {
    source: Box<dyn Read + Send>,
    copy: File,
}

impl Read for Copying {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(into)?;
        self.copy.write_all(&into[..count]).map_err(of_ours)?;
        Ok(count)
    }
}

/// An error while this input was read, or copied.
pub fn failed(path: &Path, error: io::Error) -> CliError {
    match error.downcast::<FileError>() {
        Ok(of_ours) => of_ours.into(),
        Err(error) => CliError::file(path, error),
    }
}

/// An error with a file of our own, which names only the folder for temporary files.
pub fn of_ours(error: io::Error) -> io::Error {
    // Without the name of the file, which would mean nothing to the user.
    io::Error::new(error.kind(), FileError::of(&env::temp_dir(), again(&error)))
}

/// The files of a command that reads some games again; input that can be read only once is copied.
pub struct Sources {
    /// The files to read.
    pub files: Vec<PathBuf>,
    /// What was copied, by the name of the copy.
    copied: HashMap<String, (PathBuf, NamedTempFile)>,
}

impl Sources {
    /// These files, copied if necessary. A damaged compressed one is not copied.
    ///
    /// # Errors
    /// Those of the folder for copies.
    pub fn of(paths: &[PathBuf]) -> Result<Self, CliError> {
        let (mut files, mut copied) = (Vec::new(), HashMap::new());
        for path in paths {
            // The reader reports a missing file or a folder.
            let is_copied = is_dash(path) || (is_stream(path) && path.exists() && !path.is_dir());
            if !is_copied {
                files.push(path.clone());
                continue;
            }
            match copy_of(path) {
                Ok(copy) => {
                    files.push(copy.path().to_owned());
                    copied.insert(copy.path().display().to_string(), (path.clone(), copy));
                }
                // A damaged compressed file: its games are reported as far as they can be read.
                Err(CliError::File(FileError::Io { path: of, .. }))
                    if of == *path && is_packed(path) =>
                {
                    files.push(path.clone());
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Self { files, copied })
    }

    /// These files, none of which is read again.
    pub fn once(paths: &[PathBuf]) -> Self {
        Self {
            files: paths.to_vec(),
            copied: HashMap::new(),
        }
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
