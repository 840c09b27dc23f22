//! The positions of a game behind the one on the table, for repetition; it can go back.

use overboard_rules::position::Position;

/// Buckets of the filter that tells that a position is new.
const BUCKETS: usize = 512;

/// How often a position has been there, this time included, and since when for the last time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Times {
    /// How often.
    pub times: usize,
    previous: Option<usize>,
}

/// The positions of a game in their order.
#[derive(Clone)]
pub struct Trail<P: Position> {
    keys: Vec<u64>,
    snapshots: Vec<P::Snapshot>,
    /// For each position, the first one that it can repeat.
    since: Vec<u32>,
    /// How many positions have a key of each bucket: most are new, and seen to be so at once.
    seen: [u16; BUCKETS],
}

const fn bucket(key: u64) -> usize {
    (key >> 32) as usize % BUCKETS
}

impl<P: Position> Trail<P> {
    /// Most plies that a trail is made for.
    pub const LONGEST: u32 = 50_000;

    /// A trail that begins with a position.
    #[must_use]
    pub fn from(position: &P) -> Self {
        let mut trail =
            Self { keys: Vec::new(), snapshots: Vec::new(), since: Vec::new(), seen: [0; BUCKETS] };
        trail.take(position.repetition_key(), position.snapshot(), 0);
        trail
    }

    #[inline]
    fn take(&mut self, key: u64, snapshot: P::Snapshot, since: u32) {
        self.keys.push(key);
        self.snapshots.push(snapshot);
        self.since.push(since);
        let count = &mut self.seen[bucket(key)];
        *count = count.wrapping_add(1);
    }

    /// Takes the position reached by a move; `irreversible` when none before it can come again.
    #[inline]
    pub fn push(&mut self, position: &P, irreversible: bool) -> Times {
        let key = position.repetition_key();
        let snapshot = position.snapshot();
        let since =
            if irreversible { self.keys.len() as u32 } else { self.since.last().copied().unwrap_or(0) };
        let times = if self.seen[bucket(key)] == 0 {
            Times { times: 1, previous: None }
        } else {
            self.find(key, &snapshot, since as usize)
        };
        self.take(key, snapshot, since);
        times
    }

    fn find(&self, key: u64, snapshot: &P::Snapshot, since: usize) -> Times {
        let mut found = Times { times: 1, previous: None };
        for at in (since..self.keys.len()).rev() {
            if self.keys[at] == key && self.snapshots[at] == *snapshot {
                found.times += 1;
                found.previous.get_or_insert(at);
            }
        }
        found
    }

    /// Takes back the last position.
    #[inline]
    pub fn pop(&mut self) {
        self.snapshots.pop();
        self.since.pop();
        if let Some(key) = self.keys.pop() {
            let count = &mut self.seen[bucket(key)];
            *count = count.wrapping_sub(1);
        }
    }

    /// The positions after the last time that the one reached was there, itself the last of them.
    #[must_use]
    pub fn since(&self, times: Times) -> &[P::Snapshot] {
        times.previous.map_or(&[], |previous| &self.snapshots[previous + 1..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Chance, Purpose};
    use overboard_formats::line::History;
    use overboard_rules::{chess::Chess, metachess::Meta, olympic::Olympic};

    /// Plays random moves and counts as the referee's history does, with detours taken back.
    fn agrees_with_the_referee<P: Position>(game: u64) -> usize {
        let mut chance = Chance::of(5, Purpose::Player { game, seat: 0 });
        let mut position = P::default();
        let (mut trail, mut history) = (Trail::from(&position), History::default());
        history.start(&position);
        let mut repeated = 0;
        for _ in 0..400 {
            let moves = position.moves_in_order();
            let (Some(detour), Some(m)) = (chance.pick(&moves), chance.pick(&moves)) else { break };
            trail.push(&position.after(detour), position.is_irreversible(detour));
            trail.pop();
            let irreversible = position.is_irreversible(m);
            position.play(m);
            let (ours, theirs) =
                (trail.push(&position, irreversible), history.reach(&position, irreversible));
            assert_eq!(ours.times, theirs.times);
            assert!(trail.since(ours) == history.since(theirs));
            repeated += usize::from(ours.times > 1);
        }
        repeated
    }

    #[test]
    fn repetitions_are_those_that_the_referee_counts() {
        let chess: usize = (0..40).map(agrees_with_the_referee::<Chess>).sum();
        let olympic: usize = (0..40).map(agrees_with_the_referee::<Olympic>).sum();
        let meta: usize = (0..40).map(agrees_with_the_referee::<Meta>).sum();
        assert!(chess > 20 && olympic > 2 && meta > 10, "{chess} {olympic} {meta}");
    }
}
