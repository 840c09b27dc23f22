//! The history of a game's positions, which finds repetitions (GEN-4).
//!
//! Keys are compared first, then snapshots if the keys are equal, so that a hash collision never counts as a
//! repetition.
//!
//! ```
//! use overboard_rules::repetition::History;
//!
//! // A history takes any key and anything that can be compared. No position comes again in less than four plies.
//! let mut history = History::default();
//! history.start(1, "home");
//! history.reach(2, "out", false);
//! history.reach(3, "both out", false);
//! history.reach(4, "back", false);
//! let again = history.reach(1, "home", false);
//! assert_eq!((again.now, history.since(again)), (2, &["out", "both out", "back", "home"][..]));
//! // After a ply that cannot be undone nothing comes again.
//! history.reach(5, "elsewhere", true);
//! assert_eq!(history.reach(1, "home", false).now, 1);
//! ```

/// Positions that may still repeat, and how often each has occurred.
///
/// Each entry points to the previous one in its bucket, so that adding, looking up and taking back are O(1); a record
/// may have millions of plies.
#[derive(Clone, Debug)]
pub struct History<S> {
    entries: Vec<RepetitionEntry>,
    snapshots: Vec<S>,
    /// The number of the first entry. Numbering continues when entries are dropped, so that a bucket which still points
    /// to a dropped entry is recognised as stale.
    first: u32,
    /// For each bucket, one more than the number of its last entry. The number of buckets is a power of two, and grows
    /// with the number of entries.
    buckets: Vec<u32>,
}

/// Kept small, since players copy histories by the thousand.
#[derive(Clone, Copy, Debug)]
struct RepetitionEntry {
    key: u64,
    /// One more than the number of the previous entry in its bucket; 0 if there is none.
    before: u32,
    /// The number of the first entry that this one can repeat.
    since: u32,
    /// How often its position has occurred, including this time.
    times: u32,
}

/// How often a position has occurred, including this time, and when it last did before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recurrence {
    /// How often.
    pub now: usize,
    /// The number of the entry of its previous occurrence.
    previous: Option<u32>,
}

/// How often a position has occurred, including this time, and the positions since its previous occurrence.
#[derive(PartialEq, Eq, Debug)]
pub struct Times<'a, S> {
    /// How often.
    pub now: usize,
    /// The positions after its previous occurrence, ending with this one; empty if it is new.
    pub since: &'a [S],
    /// Whether the position is known to have a legal ply, as one was just found: then none has to be searched for.
    pub has_plies: bool,
    /// How closely a dead position is looked for.
    pub look: Look,
}

/// How closely it is examined whether a position is dead (GEN-3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// With all that is known: at the first position of a game, and where it ends.
    Closely,
    /// Where the last ply may have made it dead: after each ply.
    AfterPly,
    /// By material alone: on boards of Mega-Chess, and in the thoughts of players.
    AtMaterial,
}

// Written out, because `derive` would require `S: Copy`.
impl<S> Clone for Times<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Times<'_, S> {}

impl<S> Times<'_, S> {
    /// A position without a history: its first occurrence.
    pub const FIRST: Self = Self {
        now: 1,
        since: &[],
        has_plies: false,
        look: Look::Closely,
    };

    /// The same in a position that is known to have a legal ply.
    #[inline]
    #[must_use]
    pub const fn with_plies(self) -> Self {
        Self {
            has_plies: true,
            ..self
        }
    }

    /// The same with another look for dead positions.
    #[inline]
    #[must_use]
    pub const fn with_look(self, look: Look) -> Self {
        Self { look, ..self }
    }
}

/// The number of buckets in a new history.
const BUCKETS: usize = 128;

/// The fewest plies after which a position can repeat: two for each side.
const SHORTEST_WAY_BACK: u32 = 4;

/// The entry number at which numbering restarts, long before `u32` overflows.
const ENOUGH: u32 = u32::MAX / 2;

impl<S> Default for History<S> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            snapshots: Vec::new(),
            first: 0,
            buckets: vec![0; BUCKETS],
        }
    }
}

impl<S: PartialEq> History<S> {
    /// Forgets everything, and starts from a position.
    #[inline]
    pub fn start(&mut self, key: u64, snapshot: S) {
        self.clear();
        self.push(key, snapshot, true);
    }

    /// Forgets everything; the next position will be the first.
    fn clear(&mut self) {
        self.first = self.next();
        self.entries.clear();
        self.snapshots.clear();
        if self.first > ENOUGH {
            self.first = 0;
            self.buckets.fill(0);
        }
    }

    /// How often the last position has occurred, including this time.
    #[must_use]
    pub fn last(&self) -> usize {
        self.entries.last().map_or(1, |entry| entry.times as usize)
    }

    /// The number of the next entry. It cannot overflow: memory runs out first.
    #[inline]
    fn next(&self) -> u32 {
        self.first + self.entries.len() as u32
    }

    /// A history that starts from a position.
    #[must_use]
    pub fn from(key: u64, snapshot: S) -> Self {
        let mut history = Self::default();
        history.start(key, snapshot);
        history
    }

    /// Adds a position reached by a ply. If the ply is `irreversible`, all earlier positions are forgotten.
    #[inline(always)]
    pub fn reach(&mut self, key: u64, snapshot: S, irreversible: bool) -> Recurrence {
        if irreversible {
            self.clear();
        }
        self.push(key, snapshot, irreversible)
    }

    /// Like [`reach`](Self::reach), but forgets nothing, so that [`pop`](Self::pop) can go back further.
    // Inlined: a snapshot passed in memory would be written in parts and then read as a whole, and that load stalls on
    // store forwarding.
    #[inline(always)]
    pub fn push(&mut self, key: u64, snapshot: S, irreversible: bool) -> Recurrence {
        let next = self.next();
        let since = match self.entries.last() {
            Some(last) if !irreversible => last.since,
            _ => next,
        };
        // Stored before it is compared, so that it is written in place; a copy would stall on its parts, too.
        self.snapshots.push(snapshot);
        let previous = if next - since < SHORTEST_WAY_BACK {
            None
        } else {
            let last = self.snapshots.last();
            last.and_then(|snapshot| self.find(key, snapshot, since))
        };
        let now = previous.map_or(1, |at| self.entries[(at - self.first) as usize].times + 1);
        self.enter(key, since, now);
        Recurrence {
            now: now as usize,
            previous,
        }
    }

    /// Links the entry of the snapshot that was stored last.
    #[inline]
    fn enter(&mut self, key: u64, since: u32, times: u32) {
        if self.entries.len() == self.buckets.len() {
            self.grow();
        }
        let (bucket, number) = (self.bucket(key), self.next());
        let before = std::mem::replace(&mut self.buckets[bucket], number + 1);
        self.entries.push(RepetitionEntry {
            key,
            before,
            since,
            times,
        });
    }

    #[cold]
    fn grow(&mut self) {
        self.buckets = vec![0; 2 * self.buckets.len()];
        for at in 0..self.entries.len() {
            let bucket = self.bucket(self.entries[at].key);
            self.entries[at].before =
                std::mem::replace(&mut self.buckets[bucket], self.first + at as u32 + 1);
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        (key >> 32) as usize & (self.buckets.len() - 1)
    }

    /// The number of the last entry from `since` on with this position.
    #[inline]
    fn find(&self, key: u64, snapshot: &S, since: u32) -> Option<u32> {
        let mut next = self.buckets[self.bucket(key)];
        while next > since {
            let at = (next - 1 - self.first) as usize;
            let entry = &self.entries[at];
            if entry.key == key && self.snapshots[at] == *snapshot {
                return Some(next - 1);
            }
            next = entry.before;
        }
        None
    }

    /// Takes back the last position; no earlier one may have been forgotten since it was pushed.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(last) = self.entries.pop() {
            self.snapshots.pop();
            let bucket = self.bucket(last.key);
            self.buckets[bucket] = last.before;
        }
    }

    /// The positions after the previous occurrence of the position that was just reached, ending with it.
    #[must_use]
    pub fn since(&self, recurrence: Recurrence) -> &[S] {
        recurrence.previous.map_or(&[], |previous| {
            &self.snapshots[(previous + 1 - self.first) as usize..]
        })
    }

    /// The count and the positions together, as [`DrawLaw`](crate::position::DrawLaw) takes them.
    #[inline]
    #[must_use]
    pub fn times(&self, recurrence: Recurrence) -> Times<'_, S> {
        Times {
            now: recurrence.now,
            since: self.since(recurrence),
            has_plies: false,
            look: Look::AfterPly,
        }
    }

    /// How often a position has occurred since the last irreversible ply.
    #[must_use]
    pub fn count(&self, key: u64, snapshot: &S) -> usize {
        let since = self.entries.last().map_or(0, |last| last.since);
        self.find(key, snapshot, since).map_or(0, |at| {
            self.entries[(at - self.first) as usize].times as usize
        })
    }

    /// How many plies ago a position has occurred since the last irreversible ply; the latest time first.
    #[must_use]
    pub fn plies_ago(&self, key: u64, snapshot: &S) -> Vec<usize> {
        let since = self.entries.last().map_or(0, |last| last.since);
        let mut found = Vec::new();
        let mut next = self.buckets[self.bucket(key)];
        while next > since {
            let at = (next - 1 - self.first) as usize;
            let entry = &self.entries[at];
            if entry.key == key && self.snapshots[at] == *snapshot {
                found.push(self.entries.len() - 1 - at);
            }
            next = entry.before;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pseudo-random sequence.
    fn chance(state: &mut u64, below: u64) -> u64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % below
    }

    /// Compares with a plain list: few positions and even fewer keys, so that keys collide, and now and then a step
    /// back.
    #[test]
    fn recurrences_are_those_of_a_plain_list() {
        let mut state = 3;
        let mut repeated = 0;
        for game in 0..50 {
            let positions = 1 + chance(&mut state, 300);
            let mut history = History::default();
            let mut plain: Vec<(u64, bool)> = vec![(0, true)];
            history.start(0, 0);
            for ply in 0..600 {
                if game % 2 == 0 && plain.len() > 1 && chance(&mut state, 4) == 0 {
                    plain.pop();
                    history.pop();
                    continue;
                }
                // As in a game, no position repeats in less than four plies.
                let there = chance(&mut state, positions) * 4 + ply % 4;
                let irreversible = chance(&mut state, 90) == 0;
                let key = (there % 40) << 32;
                let found = if game % 2 == 0 {
                    history.push(key, there, irreversible)
                } else {
                    history.reach(key, there, irreversible)
                };
                plain.push((there, irreversible));
                let from = plain
                    .iter()
                    .rposition(|(_, irreversible)| *irreversible)
                    .unwrap();
                let same: Vec<_> = (from..plain.len())
                    .filter(|at| plain[*at].0 == there)
                    .collect();
                let near = same.len() > 1 && plain.len() - 1 - from < SHORTEST_WAY_BACK as usize;
                if near {
                    // Only steps back make this possible; in a game it does not happen.
                    plain.pop();
                    history.pop();
                    continue;
                }
                assert_eq!(found.now, same.len());
                let since = if same.len() > 1 {
                    &plain[same[same.len() - 2] + 1..]
                } else {
                    &[]
                };
                let since: Vec<_> = since.iter().map(|(there, _)| *there).collect();
                assert_eq!(history.times(found).since, since);
                assert_eq!(history.count(key, &there), same.len());
                repeated += usize::from(same.len() > 1);
            }
        }
        assert!(repeated > 500, "{repeated}");
    }
}
