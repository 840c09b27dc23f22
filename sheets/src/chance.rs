//! Pseudo-random numbers that are the same on every machine.

/// A pseudo-random generator: xorshift64* by Marsaglia and Vigna.
pub struct Chance(u64);

impl Chance {
    /// The generator with this seed, which must not be 0.
    pub const fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`. Slightly biased for large bounds, which does not matter here.
    pub const fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        ((high * bound as u64) >> 32) as usize
    }

    /// One of these items; `None` if there are none.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.below(from.len())])
    }
}
