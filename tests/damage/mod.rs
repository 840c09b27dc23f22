//! Randomly damaged files, and what spoils a record.

use crate::chance::Chance;

/// Commands that say something about a game, wherever they are put.
pub const COMMANDS: [&str; 24] = [
    "[%flag W]",
    "[%flag B]",
    "[%flag B:A]",
    "[%flag W:B]",
    "[%flag]",
    "[%resign W]",
    "[%resign B]",
    "[%draw agreed]",
    "[%claim threefold]",
    "[%claim fifty]",
    "[%claim kings]",
    "[%illegal Ke9]",
    "[%illegal Kxh1] [%illegal Qxa1]",
    "[%illegal a3]",
    "[%illegal Kb9] [%illegal Kb9]",
    "[%clk 0:00:30]",
    "[%clk 0:40:30]",
    "[%ts 0:10:00]",
    "[%ts 0:09:00]",
    "[%infraction W SC-42 \"late\"]",
    "[%penalty B 120]",
    "[%stands e1e3]",
    "[%order W Go for the king!]",
    "[%mood fine] Well.",
];

/// Tags that do not fit most records.
pub const TAGS: [&str; 8] = [
    "[TimeControl \"60\"]",
    "[TimeControl \"soon\"]",
    "[PlyCount \"1\"]",
    "[Result \"1-0\"]",
    "[Result \"maybe\"]",
    "[Date \"yesterday\"]",
    "[Termination \"time forfeit\"]",
    "[Termination \"unterminated\"]",
];

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
