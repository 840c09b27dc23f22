//! Random numbers that are the same on every machine.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// A random stream, seeded by a name.
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// The stream of this name. Streams are named after their purpose, so that drawing one more number for one input
    /// changes no other.
    pub fn named(name: &str) -> Self {
        Self(ChaCha8Rng::from_seed(
            *blake3::hash(name.as_bytes()).as_bytes(),
        ))
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u64::from(self.0.next_u32()) * bound as u64) >> 32) as usize
    }

    /// True with a probability of one in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these; `None` if there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() {
            None
        } else {
            from.get(self.below(from.len()))
        }
    }

    /// One of these words; empty if there are none.
    pub fn word<'a>(&mut self, from: &[&'a str]) -> &'a str {
        self.pick(from).copied().unwrap_or_default()
    }
}
