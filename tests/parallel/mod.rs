//! Long random walks, divided among all processors.

use crate::depth::tries;
use rayon::prelude::*;

/// Runs a walk from each of these seeds, and in a deep run from further seeds after each; returns the results in order.
pub fn from_each<T: Send>(seeds: &[u64], walk: impl Fn(usize, u64) -> T + Sync) -> Vec<T> {
    let others = |seed: u64| {
        (0..tries(1) as u64).map(move |nth| seed ^ nth.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    };
    let starts = seeds
        .iter()
        .enumerate()
        .flat_map(|(part, seed)| others(*seed).map(move |seed| (part, seed)));
    let starts: Vec<_> = starts.collect();
    starts
        .into_par_iter()
        .map(|(part, seed)| walk(part, seed))
        .collect()
}

/// What a function returns for each of these, in order.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    items.par_iter().map(each).collect()
}
