//! Pseudo-random streams that are the same on every machine and for any number of threads.
//!
//! The key of a stream is the BLAKE3 hash, keyed by the base seed, of its purpose; the stream is ChaCha with eight
//! rounds.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// What a stream is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The opening of a round.
    Opening {
        /// The round, from 0.
        round: u64,
    },
    /// The order in which positions of a file are taken.
    Shuffle,
    /// A player's moves in a game.
    Player {
        /// Number of the game, from 0.
        game: u64,
        /// 0 for White, 1 for Black.
        seat: u8,
    },
}

/// A pseudo-random stream.
#[derive(Clone, Debug)]
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// The stream for a purpose under a base seed.
    #[must_use]
    pub fn of(seed: u64, purpose: Purpose) -> Self {
        let key = blake3::derive_key("overboard self-play 1: base seed", &seed.to_le_bytes());
        let (kind, number, seat) = match purpose {
            Purpose::Opening { round } => (0, round, 0),
            Purpose::Shuffle => (1, 0, 0),
            Purpose::Player { game, seat } => (2, game, seat),
        };
        let mut name = [kind, seat, 0, 0, 0, 0, 0, 0, 0, 0];
        name[2..].copy_from_slice(&number.to_le_bytes());
        Self(ChaCha8Rng::from_seed(
            *blake3::keyed_hash(&key, &name).as_bytes(),
        ))
    }

    /// A number below `bound`, which must not be 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u64::from(self.0.next_u32()) * bound as u64) >> 32) as usize
    }

    /// A random element; `None` if the slice is empty.
    #[inline]
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() {
            None
        } else {
            from.get(self.below(from.len())).copied()
        }
    }

    /// Shuffles a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(seed: u64, purpose: Purpose) -> [usize; 4] {
        let mut chance = Chance::of(seed, purpose);
        [0; 4].map(|_| chance.below(1000))
    }

    #[test]
    fn every_purpose_and_seed_has_a_stream_of_its_own() {
        let purposes = [
            Purpose::Opening { round: 0 },
            Purpose::Opening { round: 1 },
            Purpose::Shuffle,
            Purpose::Player { game: 0, seat: 0 },
            Purpose::Player { game: 0, seat: 1 },
            Purpose::Player { game: 1, seat: 0 },
        ];
        let mut streams: Vec<_> = (0..3)
            .flat_map(|seed| purposes.map(|purpose| first(seed, purpose)))
            .collect();
        streams.sort_unstable();
        streams.dedup();
        assert_eq!(streams.len(), 3 * purposes.len());
    }

    #[test]
    fn streams_never_change() {
        assert_eq!(
            first(1, Purpose::Player { game: 0, seat: 0 }),
            [353, 533, 198, 981]
        );
    }

    #[test]
    fn a_shuffled_list_holds_what_it_held() {
        let mut list: Vec<_> = (0..100).collect();
        Chance::of(7, Purpose::Shuffle).shuffle(&mut list);
        assert_ne!(list, (0..100).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..100).collect::<Vec<_>>());
    }
}
