//! Hashes of 128 bits: two lanes of folded multiplication.

/// Odd factors with well-spread bits (the fractional parts of square roots of primes, made odd).
const FACTORS: [u64; 4] = [
    0x9e37_79b9_7f4a_7c15,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
];

/// The high and the low half of a product, combined by exclusive or.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

/// Hashes a sequence of words as they come.
pub struct WordHasher {
    low: u64,
    high: u64,
}

impl Default for WordHasher {
    fn default() -> Self {
        Self::new()
    }
}

impl WordHasher {
    /// The hash state of an empty sequence.
    pub const fn new() -> Self {
        Self {
            low: FACTORS[0],
            high: FACTORS[1],
        }
    }

    /// Adds a word.
    #[inline]
    pub fn push(&mut self, word: u64) {
        self.low = fold(self.low ^ word, FACTORS[2]).wrapping_add(self.high);
        self.high = fold(self.high ^ word.rotate_left(32), FACTORS[3]) ^ self.low.rotate_left(17);
    }

    /// The hash of the words so far.
    pub const fn hash(&self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }
}

/// The hash of a sequence of words.
#[inline]
pub fn of(words: &[u64]) -> u128 {
    let mut row = WordHasher::new();
    for word in words {
        row.push(*word);
    }
    row.hash()
}

/// The hash of five words; it differs from that of [`of`]. Its longest chain of dependent operations has two products,
/// whereas a sequence needs one for each word.
#[inline]
pub fn five([a, b, c, d, e]: [u64; 5]) -> u128 {
    let [one, two, three, four] = FACTORS;
    let low = fold(a ^ one, b ^ two) ^ fold(c ^ three, d ^ four).rotate_left(29);
    let high = fold(a ^ four, c ^ two) ^ fold(b ^ three, d ^ one).rotate_left(29);
    beside(e, u128::from(high) << 64 | u128::from(low))
}

/// Mixes two words into 64 bits: faster than a full hash, and good enough if the words themselves are compared, too.
#[inline]
pub fn pair(a: u64, b: u64) -> u64 {
    fold(a ^ FACTORS[0], b ^ FACTORS[1])
}

/// Combines a hash with one more word, lane by lane.
#[inline]
pub fn beside(word: u64, hash: u128) -> u128 {
    let [low, high] = [hash as u64, (hash >> 64) as u64];
    let word = word.wrapping_mul(FACTORS[0]);
    let low = fold(low ^ word, FACTORS[2]);
    let high = fold(high ^ word.rotate_left(32), FACTORS[3]);
    u128::from(high) << 64 | u128::from(low)
}
