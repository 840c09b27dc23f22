//! Where another form of the findings goes while games are judged.

use crate::{exit::CliError, games::is_dash, ui};
use overboard_events::atomic_files::{FileError, Replacement};
use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// A file that is written completely or not at all, or standard output for `-`. Its errors name it.
pub struct Sink {
    path: PathBuf,
    to: To,
}

enum To {
    Output(ui::Out),
    File(BufWriter<Replacement>),
}

impl Sink {
    /// An empty one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn of(path: &Path) -> Result<Self, CliError> {
        let to = if is_dash(path) {
            To::Output(ui::stdout())
        } else {
            let file = Replacement::of(path).map_err(CliError::on(path))?;
            To::File(BufWriter::new(file))
        };
        Ok(Self {
            path: path.to_owned(),
            to,
        })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(self) -> Result<(), CliError> {
        match self.to {
            To::Output(mut out) => Ok(out.flush()?),
            To::File(file) => file
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(Replacement::finish)
                .map_err(CliError::on(&self.path)),
        }
    }

    fn named(&self, error: io::Error) -> io::Error {
        match self.to {
            To::Output(_) => error,
            To::File(_) => io::Error::new(error.kind(), FileError::of(&self.path, error)),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.to {
            To::Output(out) => out.write(bytes),
            To::File(file) => file.write(bytes),
        };
        written.map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.to {
            To::Output(out) => out.flush(),
            To::File(file) => file.flush(),
        };
        flushed.map_err(|error| self.named(error))
    }
}
