//! Where processes have no groups, none is started.

use super::{Command, Fate, Patience, Silence};
use crate::external::tape::Tape;
use std::{
    convert::Infallible,
    io,
    time::{Duration, Instant},
};

/// A program that runs: there is none here.
#[derive(Debug)]
pub struct Process {
    nobody: Infallible,
    /// What was said last.
    pub tape: Tape,
}

impl Process {
    /// Starts no program.
    ///
    /// # Errors
    /// Always.
    pub fn start(_: &Command<'_>) -> io::Result<Self> {
        Err(io::Error::other("external engines can be started on Unix-like systems only"))
    }

    /// Its number among all processes.
    #[must_use]
    pub fn number(&self) -> u32 {
        match self.nobody {}
    }

    /// Writes lines to it.
    ///
    /// # Errors
    /// None, for there is nobody.
    pub fn say(&mut self, _: &str, _: Patience<'_>) -> Result<Instant, Silence> {
        match self.nobody {}
    }

    /// Passes over what it has said.
    pub fn forget(&mut self) {
        match self.nobody {}
    }

    /// Goes on to its next line.
    ///
    /// # Errors
    /// None, for there is nobody.
    pub fn hear(&mut self, _: Patience<'_>) -> Result<Instant, Silence> {
        match self.nobody {}
    }

    /// The line that was gone on to.
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
