//! A system without process groups, on which no engine is started.

use super::{Command, Fate, Patience, Silence};
use crate::external::tape::Tape;
use std::{
    convert::Infallible,
    io,
    time::{Duration, Instant},
};

/// A running program; there are none on this system.
#[derive(Debug)]
pub struct Process {
    nobody: Infallible,
    /// The last lines.
    pub tape: Tape,
}

impl Process {
    /// Starts no program.
    ///
    /// # Errors
    /// Always.
    pub fn start(_: &Command<'_>) -> io::Result<Self> {
        Err(io::Error::other(
            "external engines can be started on Unix-like systems only",
        ))
    }

    /// Its process id.
    #[must_use]
    pub fn number(&self) -> u32 {
        match self.nobody {}
    }

    /// Writes lines to it.
    ///
    /// # Errors
    /// None, since there is no process.
    pub fn say(&mut self, _: &str, _: Patience<'_>) -> Result<Instant, Silence> {
        match self.nobody {}
    }

    /// Skips what it has written.
    pub fn forget(&mut self) {
        match self.nobody {}
    }

    /// Advances to its next line.
    ///
    /// # Errors
    /// None, since there is no process.
    pub fn hear(&mut self, _: Patience<'_>) -> Result<Instant, Silence> {
        match self.nobody {}
    }

    /// The current line.
    #[must_use]
    pub fn line(&self) -> &[u8] {
        match self.nobody {}
    }

    /// Ends it.
    pub fn end(&mut self, _: Duration) -> Fate {
        match self.nobody {}
    }

    /// How it ended.
    pub fn fate(&mut self) -> Fate {
        match self.nobody {}
    }
}
