//! Digests of 128 bits: two lanes of folded multiplication.

/// Odd factors with well-spread bits (the fractional parts of square roots of primes, made odd).
const FACTORS: [u64; 4] =
    [0x9e37_79b9_7f4a_7c15, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1];

/// The high and low half of a product, laid over each other.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

/// The digest of a row of words.
#[inline]
pub fn of(words: &[u64]) -> u128 {
    let (mut low, mut high) = (FACTORS[0], FACTORS[1]);
    for word in words {
        low = fold(low ^ word, FACTORS[2]).wrapping_add(high);
        high = fold(high ^ word.rotate_left(32), FACTORS[3]) ^ low.rotate_left(17);
    }
    u128::from(high) << 64 | u128::from(low)
}
