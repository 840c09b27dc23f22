//! The nth member of a set.

/// The number of the bit that is `nth` in a set, counted from 0; meaningless if the set has no more than that many.
///
/// Without a loop: the number of its iterations would be mispredicted at nearly every random move, which takes longer
/// than all of this.
#[inline]
pub(crate) fn nth_bit(set: u64, nth: usize) -> u8 {
    const ONES: u64 = !0 / 0xff;
    // Counts the bits of each byte, then up to the end of each byte.
    let pairs = set.wrapping_sub(set >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333).wrapping_add(pairs >> 2 & 0x3333_3333_3333_3333);
    let ends = (fours.wrapping_add(fours >> 4) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    // The bytes that end before it: no sum is greater than 64, so no byte borrows from the next.
    let number = nth as u64 & 63;
    let ended = (number.wrapping_mul(ONES) | ONES << 7).wrapping_sub(ends) >> 7 & ONES;
    let shift = (ended.wrapping_mul(ONES) >> 53) as u32 & 56;
    let before = (ends << 8) >> shift & 0xff;
    let left = number.wrapping_sub(before) & 7;
    shift as u8 | IN_BYTE[(set >> shift & 0xff) as usize].wrapping_shr(4 * left as u32) as u8 & 7
}

/// The positions of the bits in each byte, four bits of a word for each.
static IN_BYTE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut nth) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] |= bit << (4 * nth);
                nth += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_found_by_their_numbers() {
        let mut state = 3_u64;
        for round in 0..2_000 {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            let set = match round % 4 {
                0 => state ^ state >> 32,
                1 => state & state.rotate_left(21) & state.rotate_left(43),
                2 => !(state & state.rotate_left(29)),
                _ => !0 << (state >> 58),
            };
            let bits = (0..64).filter(|bit| set >> bit & 1 == 1);
            for (nth, bit) in bits.enumerate() {
                assert_eq!(nth_bit(set, nth), bit, "{set:x} {nth}");
            }
        }
    }
}
