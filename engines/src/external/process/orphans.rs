//! What engines have started and left behind.
//!
//! Killing the process group of an engine does not reach what has gone to a session of its own. On Linux a process can ask to
//! become the parent of all processes below it that lose theirs; then whatever is left of the engines is among its
//! children. Elsewhere nothing is found.

use crate::lock;
use std::{
    collections::BTreeSet,
    io,
    process::{Child, Command},
    sync::Mutex,
};

/// The engines that are running, by process id.
static ENGINES: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Starts an engine. Nothing looks for orphans meanwhile, so that it is not taken for one.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut engines = lock(&ENGINES);
    let child = command.spawn()?;
    engines.insert(child.id());
    Ok(child)
}

/// An engine has ended. What it has left behind and has ended as well is forgotten by the system.
pub(super) fn ended(engine: u32) {
    let mut engines = lock(&ENGINES);
    engines.remove(&engine);
    system::bury(&engines);
}

/// Everything that the engines of a run have left behind: killed when this is dropped.
#[derive(Debug)]
pub struct Orphans(());

impl Orphans {
    /// Makes this process the parent of what engines leave behind. It may have no children but engines: all others are
    /// killed in the end.
    #[must_use]
    pub fn adopt() -> Self {
        system::adopt();
        Self(())
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        let engines = lock(&ENGINES);
        system::kill(&engines);
    }
}

#[cfg(target_os = "linux")]
mod system {
    use nix::{
        sys::{
            prctl::set_child_subreaper,
            signal::{Signal, kill as send},
            wait::{WaitPidFlag, waitpid},
        },
        unistd::Pid,
    };
    use std::{collections::BTreeSet, fs};

    /// How often it is looked again for what the killed had started: each round reaches a generation.
    const ROUNDS: usize = 100;

    pub(super) fn adopt() {
        // Systems before Linux 3.4 have no such thing; then nothing is adopted.
        let _ = set_child_subreaper(true);
    }

    /// Our children that are no engines. None, if the system does not list children.
    fn orphans(engines: &BTreeSet<u32>) -> Vec<Pid> {
        let mut found = Vec::new();
        let Ok(threads) = fs::read_dir("/proc/self/task") else {
            return found;
        };
        for thread in threads.flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children
                .split_whitespace()
                .filter_map(|word| word.parse().ok());
            let others = children.filter(|child| !engines.contains(child));
            found.extend(others.map(|child| Pid::from_raw(child as i32)));
        }
        found
    }

    pub(super) fn bury(engines: &BTreeSet<u32>) {
        for orphan in orphans(engines) {
            let _ = waitpid(orphan, Some(WaitPidFlag::WNOHANG));
        }
    }

    pub(super) fn kill(engines: &BTreeSet<u32>) {
        for _ in 0..ROUNDS {
            let orphans = orphans(engines);
            if orphans.is_empty() {
                return;
            }
            for orphan in orphans {
                let _ = send(orphan, Signal::SIGKILL);
                let _ = waitpid(orphan, None);
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::collections::BTreeSet;

    pub(super) fn adopt() {}

    pub(super) fn bury(_: &BTreeSet<u32>) {}

    pub(super) fn kill(_: &BTreeSet<u32>) {}
}
