//! Chance that is the same on every machine.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// A stream of numbers that follows from a name.
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// The stream of this name. Streams are named after what they are for, so that one more number drawn for one
    /// input changes no other.
    pub fn named(name: &str) -> Self {
        Self(ChaCha8Rng::from_seed(*blake3::hash(name.as_bytes()).as_bytes()))
    }

    /// A number below `bound`, 0 where `bound` is.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u64::from(self.0.next_u32()) * bound as u64) >> 32) as usize
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these, if there is one.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }

    /// One of these words, or none.
    pub fn word<'a>(&mut self, from: &[&'a str]) -> &'a str {
        self.pick(from).copied().unwrap_or_default()
    }
}
