//! Random games on libraries of chess alone: mate, stalemate, insufficient material, seventy-five moves
//! and fivefold repetition by a hash that is kept up to date.

#[path = "cozy.rs"]
pub mod cozy;

use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist64};

/// Pseudo-random numbers: xorshift64* by Marsaglia and Vigna.
pub struct Chance(u64);

impl Chance {
    pub const fn new() -> Self {
        Self(2026)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        ((high * bound as u64) >> 32) as usize
    }
}

/// Plays random games to their ends; returns their plies.
pub fn playouts(games: u64) -> u64 {
    let mut chance = Chance::new();
    let mut keys = Vec::new();
    (0..games).map(|_| playout(&mut chance, &mut keys)).sum()
}

fn playout(chance: &mut Chance, keys: &mut Vec<Zobrist64>) -> u64 {
    const MODE: EnPassantMode = EnPassantMode::Legal;
    let mut chess = Chess::default();
    let mut key: Zobrist64 = chess.zobrist_hash(MODE);
    keys.clear();
    keys.push(key);
    for plies in 0.. {
        let moves = chess.legal_moves();
        if moves.is_empty() || chess.is_insufficient_material() || chess.halfmoves() >= 150 {
            return plies;
        }
        let m = moves[chance.below(moves.len())];
        let next = chess.update_zobrist_hash(key, m, MODE);
        if m.is_zeroing() {
            keys.clear();
        }
        chess.play_unchecked(m);
        key = next.unwrap_or_else(|| chess.zobrist_hash(MODE));
        if keys.iter().filter(|known| **known == key).count() >= 4 {
            return plies + 1;
        }
        keys.push(key);
    }
    0
}
