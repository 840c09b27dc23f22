//! Numbers of positions, made as pieces move: the same for the same pieces on the same squares.

/// Two numbers without pattern for a piece on a square.
pub(super) type Stamp = [u64; 2];

/// An odd number without pattern: 2^64 over the golden ratio.
pub(super) const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
/// Another: 2^64 times the broken part of the square root of 3, made odd.
pub(super) const OTHER_SPREAD: u64 = 0xbb67_ae85_84ca_a73b;

/// The stamps by kind of piece and square.
pub(super) static STAMPS: [[Stamp; 64]; 14] = {
    let mut stamps = [[[0; 2]; 64]; 14];
    let mut number = 0;
    while number < 14 * 64 {
        stamps[number / 64][number % 64] = [
            split_mix((number as u64).wrapping_mul(SPREAD)),
            split_mix((number as u64).wrapping_mul(OTHER_SPREAD)),
        ];
        number += 1;
    }
    stamps
};

/// Two rounds of SplitMix64.
pub(super) const fn split_mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[inline]
pub(super) fn stamp(piece: shakmaty::Piece, square: shakmaty::Square) -> Stamp {
    STAMPS[usize::from(piece.role) << 1 | usize::from(piece.color.is_white())][usize::from(square)]
}

/// Stamps on top of stamps: what is stamped twice is gone.
#[inline]
pub(super) fn laid_over(a: Stamp, b: Stamp) -> Stamp {
    [a[0] ^ b[0], a[1] ^ b[1]]
}
