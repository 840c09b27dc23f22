//! Randomly damaged files.

use crate::chance::Chance;

/// The bytes with one to three of them changed, removed or inserted.
pub fn mutated(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=chance.below(3) {
        let at = chance.below(bytes.len());
        match chance.below(4) {
            0 => bytes[at] = chance.below(256) as u8,
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, b"0123456789-+ ,;\"\n\r="[chance.below(19)]),
            _ => bytes[at] = b"0123456789 wb"[chance.below(13)],
        }
    }
    bytes
}
