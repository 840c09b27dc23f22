//! How many threads are used.

use crate::exit::PartError;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::thread::available_parallelism;

/// The most threads for each processor: more would only wait for each other.
const EACH: usize = 8;
/// This many may be requested on any machine, so that what is found with many threads can be reproduced on a small one.
const ALWAYS: usize = 64;

/// Worker threads cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start worker threads: {0}")]
pub struct ThreadsError(#[from] rayon::ThreadPoolBuildError);

impl PartError for ThreadsError {}

/// The number of threads for a requested number; without one, one for each processor. The output does not depend on it.
pub fn count(jobs: Option<u16>) -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    jobs.map_or(processors, |jobs| {
        usize::from(jobs).min((processors * EACH).max(ALWAYS))
    })
}

/// A pool of [`count`] threads.
pub fn pool(jobs: Option<u16>) -> Result<ThreadPool, ThreadsError> {
    Ok(ThreadPoolBuilder::new().num_threads(count(jobs)).build()?)
}
