//! How many threads work.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::thread::available_parallelism;

/// Threads for each processor, at most: more of them only wait for each other.
const EACH: usize = 8;
/// As many as may be asked for however few processors there are, so that what is found with many threads
/// can be looked for on a small machine.
const ALWAYS: usize = 64;

/// Worker threads cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("cannot start worker threads: {0}")]
pub struct ThreadsError(#[from] rayon::ThreadPoolBuildError);

/// The threads that work where so many were asked for: one for each processor where nothing was said.
/// What comes out does not depend on them.
pub fn count(jobs: Option<u16>) -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    jobs.map_or(processors, |jobs| usize::from(jobs).min((processors * EACH).max(ALWAYS)))
}

/// A pool of [`count`] threads.
pub fn pool(jobs: Option<u16>) -> Result<ThreadPool, ThreadsError> {
    Ok(ThreadPoolBuilder::new().num_threads(count(jobs)).build()?)
}
