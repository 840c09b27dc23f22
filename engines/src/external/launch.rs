//! The small program through which an engine is started: this program, called again, which makes settings that a
//! process can only make for itself, and then becomes the engine.
//!
//! A runner may be killed by a signal that cannot be caught. So that its engines do not outlive it, each process asks
//! the system to be killed with it, before it becomes the engine. A process can ask this only for itself, and doing so
//! in a child without `unsafe` needs a program of its own.

use std::{ffi::OsString, io};

/// The argument with which this program is called to become an engine.
pub const WORD: &str = "engine-process";

/// The settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Setting {
    /// The processor on which it runs, from 0; any if `None`.
    pub processor: Option<usize>,
    /// The most memory that it may allocate, in MiB.
    pub memory: Option<u64>,
}

impl Setting {
    /// The arguments to put before the engine's own, for a runner with this process id.
    #[must_use]
    pub fn words(self, runner: u32) -> [String; 4] {
        let number = |number: Option<u64>| number.map_or("-".into(), |number| number.to_string());
        [
            WORD.into(),
            runner.to_string(),
            number(self.processor.map(|at| at as u64)),
            number(self.memory),
        ]
    }
}

impl Setting {
    /// Whether this system has what the settings need.
    ///
    /// # Errors
    /// What it does not have.
    pub fn check(self) -> io::Result<()> {
        let lacks = |what| io::Error::new(io::ErrorKind::Unsupported, what);
        if self.processor.is_some() && !cfg!(target_os = "linux") {
            return Err(lacks(
                "an engine can be pinned to a processor on Linux only",
            ));
        }
        if self.memory.is_some() && !cfg!(unix) {
            return Err(lacks(
                "the memory of an engine cannot be limited on Windows",
            ));
        }
        Ok(())
    }
}

/// Becomes an engine; returns only if that fails. `words` are the arguments after the program's name; returns
/// `None` if they ask for something else.
#[must_use]
pub fn become_engine(words: &[OsString]) -> Option<io::Error> {
    let [word, runner, processor, memory, command @ ..] = words else {
        return None;
    };
    if word != WORD {
        return None;
    }
    let number = |word: &OsString| word.to_str().and_then(|word| word.parse::<u64>().ok());
    let setting = Setting {
        processor: number(processor).map(|at| at as usize),
        memory: number(memory),
    };
    Some(exec(number(runner), setting, command))
}

#[cfg(unix)]
fn exec(runner: Option<u64>, setting: Setting, command: &[OsString]) -> io::Error {
    use std::os::unix::process::CommandExt as _;

    let Some((program, words)) = command.split_first() else {
        return io::ErrorKind::InvalidInput.into();
    };
    if let Err(error) = set(runner, setting) {
        return error;
    }
    close_files();
    std::process::Command::new(program).args(words).exec()
}

#[cfg(unix)]
fn set(runner: Option<u64>, setting: Setting) -> io::Result<()> {
    use nix::sys::resource::{Resource, setrlimit};

    setting.check()?;
    #[cfg(target_os = "linux")]
    {
        use nix::{
            sched::{CpuSet, sched_setaffinity},
            sys::{prctl::set_pdeathsig, signal::Signal},
            unistd::Pid,
        };
        set_pdeathsig(Signal::SIGKILL)?;
        if let Some(processor) = setting.processor {
            let mut set = CpuSet::new();
            set.set(processor)?;
            sched_setaffinity(Pid::from_raw(0), &set)?;
        }
    }
    // The runner may have died before the request was made.
    if runner != Some(u64::from(std::os::unix::process::parent_id())) {
        return Err(io::Error::other("the runner is gone"));
    }
    if let Some(memory) = setting.memory {
        let bytes = memory.saturating_mul(1 << 20);
        setrlimit(Resource::RLIMIT_AS, bytes, bytes)?;
    }
    Ok(())
}

/// Closes all files but the standard streams: what the runner was given by others is not for engines.
#[cfg(unix)]
fn close_files() {
    let listed = std::fs::read_dir("/proc/self/fd").or_else(|_| std::fs::read_dir("/dev/fd"));
    let numbers = listed.into_iter().flatten().flatten().filter_map(|entry| {
        let name = entry.file_name();
        name.to_str()?.parse::<i32>().ok()
    });
    // Collected first: the listing is itself an open file.
    for number in numbers.collect::<Vec<_>>() {
        if number > 2 {
            let _ = nix::unistd::close(number);
        }
    }
}

#[cfg(not(unix))]
fn exec(_: Option<u64>, _: Setting, _: &[OsString]) -> io::Error {
    io::ErrorKind::Unsupported.into()
}
