//! The process of an engine: lines in, lines out, and an end that it cannot delay.
//!
//! It is not trusted. Lines have a maximal length, and longer ones are skipped without being stored; waiting
//! for a line has a deadline that no output extends; writing does not block on an engine that does not read.
//! It has a process group of its own, which ends with it.

mod lines;

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use elsewhere::Process;
#[cfg(unix)]
pub use unix::Process;

use crate::external::launch::Setting;
use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// How a process is started.
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    /// The program and its arguments.
    pub words: &'a [String],
    /// The folder that it runs in; that of the runner where there is none.
    pub folder: Option<&'a Path>,
    /// The program that it is started through; none where it is to be started by itself.
    pub launcher: Option<&'a Path>,
    /// What is set for it.
    pub setting: Setting,
}

/// Why nothing was heard, or nothing could be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// It was too late.
    Late,
    /// The engine has ended, or closed what it is to be heard by.
    Ended,
    /// Nobody waits any more.
    GivenUp,
}

/// How long somebody waits.
#[derive(Clone, Copy, Debug)]
pub struct Patience<'a> {
    /// Until when.
    pub until: Instant,
    /// Set when nobody waits any more.
    pub give_up: &'a AtomicBool,
}

impl Patience<'_> {
    /// How long it is yet; looked at before every wait, so that none is longer than a tenth of a second.
    ///
    /// # Errors
    /// When it is over.
    fn left(&self) -> Result<Duration, Silence> {
        const SLICE: Duration = Duration::from_millis(100);
        if self.give_up.load(Ordering::Relaxed) {
            return Err(Silence::GivenUp);
        }
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(Silence::Late) } else { Ok(left.min(SLICE)) }
    }
}

/// How a process has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// With an exit code.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// It had closed its output, and was killed by us.
    Closed,
}

impl std::fmt::Display for Fate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exit(code) => write!(f, "it ended with exit code {code}"),
            Self::Signal(9) => f.write_str("it was killed (signal 9)"),
            Self::Signal(11) => f.write_str("it crashed (signal 11)"),
            Self::Signal(signal) => write!(f, "it was ended by signal {signal}"),
            Self::Closed => f.write_str("it closed its output"),
        }
    }
}

/// The program that engines are started through: this one. By its link, which stays good when the file is replaced.
#[must_use]
pub fn launcher() -> Option<PathBuf> {
    let link = Path::new("/proc/self/exe");
    if link.exists() { Some(link.to_owned()) } else { std::env::current_exe().ok() }
}
