//! The process of an engine: lines in, lines out, and an end that it cannot delay.
//!
//! The engine is not trusted. Lines have a maximum length, and longer ones are skipped without being stored; waiting
//! for a line has a deadline that no output extends; writing does not block on an engine that does not read. What it has
//! started is killed with it.

mod lines;
mod orphans;

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use orphans::Orphans;
#[cfg(unix)]
pub use unix::Process;
#[cfg(windows)]
pub use windows::Process;

use crate::external::launch::Setting;
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// How a process is started.
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    /// The program and its arguments.
    pub words: &'a [String],
    /// The folder in which it runs; `None` for that of the runner.
    pub folder: Option<&'a Path>,
    /// The program through which it is started; `None` to start it directly.
    pub launcher: Option<&'a Path>,
    /// The variables of our environment that it gets besides the usual ones.
    pub variables: &'a [String],
    /// The settings that the launcher makes.
    pub setting: Setting,
}

/// The variables of our environment that every engine gets: where programs and libraries are, who runs it, its language.
/// Those of other programs, such as keys and passwords, are none of its business.
const VARIABLES: [&str; 22] = [
    "APPDATA",
    "DYLD_LIBRARY_PATH",
    "HOME",
    "LANG",
    "LANGUAGE",
    "LD_LIBRARY_PATH",
    "LOCALAPPDATA",
    "LOGNAME",
    "PATH",
    "PATHEXT",
    "SHELL",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// What an engine gets of our environment; `also` has further names.
fn environment(also: &[String]) -> Vec<(OsString, OsString)> {
    let is_passed = |name: &str| {
        let is_usual = VARIABLES
            .iter()
            .any(|usual| name.eq_ignore_ascii_case(usual));
        is_usual || name.starts_with("LC_") || also.iter().any(|other| other == name)
    };
    env::vars_os()
        .filter(|(name, _)| name.to_str().is_some_and(is_passed))
        .collect()
}

/// Why nothing could be read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The deadline has passed.
    Late,
    /// The engine has ended, or closed its standard output.
    Ended,
    /// The engine has said more than it may.
    Flood,
    /// The wait was given up.
    GivenUp,
}

/// How long to wait.
#[derive(Clone, Copy, Debug)]
pub struct Patience<'a> {
    /// The deadline.
    pub until: Instant,
    /// Set to give up, if that can be.
    pub give_up: Option<&'a AtomicBool>,
}

impl Patience<'_> {
    /// The time left; checked before every wait, so that none is longer than a tenth of a second.
    ///
    /// # Errors
    /// If it is over.
    fn left(&self) -> Result<Duration, Silence> {
        const SLICE: Duration = Duration::from_millis(100);
        if let Some(give_up) = self.give_up
            && give_up.load(Ordering::Relaxed)
        {
            return Err(Silence::GivenUp);
        }
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            Err(Silence::Late)
        } else {
            Ok(left.min(SLICE))
        }
    }
}

/// Who is at the other end of an exchange of lines.
///
/// ```
/// use overboard_engines::external::process::{Partner, Patience, Silence};
/// use std::{time::Instant, vec::IntoIter};
///
/// /// The lines of one that says them without having heard anything, and the current one.
/// struct Script(IntoIter<&'static str>, &'static str);
///
/// impl Partner for Script {
///     fn say(&mut self, _: &str, _: Patience<'_>) -> Result<Instant, Silence> {
///         Ok(Instant::now())
///     }
///
///     fn hear(&mut self, _: Patience<'_>) -> Result<Instant, Silence> {
///         self.1 = self.0.next().ok_or(Silence::Ended)?;
///         Ok(Instant::now())
///     }
///
///     fn line(&self) -> &[u8] {
///         self.1.as_bytes()
///     }
///
///     fn forget(&mut self) {}
/// }
/// ```
pub trait Partner {
    /// Writes lines to it, including their ends.
    ///
    /// # Errors
    /// If it does not read them in time, or has ended.
    fn say(&mut self, lines: &str, patience: Patience<'_>) -> Result<Instant, Silence>;
    /// Advances to its next line; returns when that arrived.
    ///
    /// # Errors
    /// If no line arrives in time, or none can.
    fn hear(&mut self, patience: Patience<'_>) -> Result<Instant, Silence>;
    /// The current line.
    fn line(&self) -> &[u8];
    /// Skips what it has written that was not read; if it writes without end, only some of that.
    fn forget(&mut self);
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// With an exit code.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// It had closed its output, and we killed it.
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

/// The program through which engines are started: this one. On Linux by its link in `/proc`, which stays valid when the
/// file is replaced. `None` on Windows, where it could not become the engine.
#[must_use]
pub fn launcher() -> Option<PathBuf> {
    if cfg!(windows) {
        return None;
    }
    let link = Path::new("/proc/self/exe");
    if link.exists() {
        Some(link.to_owned())
    } else {
        env::current_exe().ok()
    }
}
