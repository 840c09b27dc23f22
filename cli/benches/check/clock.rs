//! Processor time, and a harness that runs all contestants under the same conditions.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

/// A name, and a run that returns how much it did, so that the compiler cannot remove it.
pub type Contestant<'a> = (&'a str, Box<dyn FnMut() -> u64 + 'a>);

/// Processor time so far of this process, all threads, and of all its children that have ended and been waited for:
/// user and system, in seconds; 0 if the system does not report it.
fn cpu_seconds() -> f64 {
    let of = |who| {
        getrusage(who).map_or(0.0, |usage| {
            seconds(usage.user_time()) + seconds(usage.system_time())
        })
    };
    of(UsageWho::RUSAGE_SELF) + of(UsageWho::RUSAGE_CHILDREN)
}

/// Runs every contestant once per round, one after another, and returns the least processor time of each in seconds,
/// children included.
pub fn interleave(rounds: usize, contestants: &mut [Contestant<'_>]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; contestants.len()];
    for _ in 0..rounds {
        for ((_, run), best) in contestants.iter_mut().zip(&mut best) {
            *best = best.min(seconds_taken(run));
        }
    }
    best
}

fn seconds_taken(run: &mut impl FnMut() -> u64) -> f64 {
    let start = cpu_seconds();
    std::hint::black_box(run());
    cpu_seconds() - start
}

fn seconds(time: TimeVal) -> f64 {
    time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6
}
