//! The positions of one board that have occurred, and how often (BH-6).

use crate::crazyhouse::Snapshot;
use std::sync::Arc;

/// The positions that plies on a board led to.
///
/// Copies share what they have in common, and a copy costs the same however long the game is: players copy positions by the
/// thousand. The positions are in a tree of sixteen branches, by four bits of their keys at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Occurrences {
    root: Option<Arc<Branch>>,
    /// How often the present position has occurred; 0 if a pocket has changed since.
    now: u32,
}

#[derive(Clone, Debug)]
enum Branch {
    Fork([Option<Arc<Branch>>; 16]),
    /// Positions with the same key, and how often each has occurred.
    Leaf(u64, Vec<(Snapshot, u32)>),
}

/// The bits of a key that choose a branch.
const BITS: u32 = 4;

impl Occurrences {
    /// A ply led to this position.
    pub(super) fn note(&mut self, key: u64, snapshot: Snapshot) {
        let (root, times) = with(self.root.as_deref(), 0, key, snapshot);
        self.root = Some(Arc::new(root));
        self.now = times;
    }

    /// A pocket of the board has changed, so that it shows a position to which no ply led.
    pub(super) const fn interrupt(&mut self) {
        self.now = 0;
    }

    /// How often plies have led to the present position.
    pub(super) const fn times(&self) -> u32 {
        self.now
    }
}

/// A branch with one more occurrence of a position, and how often it has occurred with that. At most as deep as a key has
/// groups of bits.
fn with(branch: Option<&Branch>, depth: u32, key: u64, snapshot: Snapshot) -> (Branch, u32) {
    match branch {
        None => (Branch::Leaf(key, vec![(snapshot, 1)]), 1),
        Some(Branch::Leaf(here, list)) if *here == key => {
            let mut list = list.clone();
            let times = count(&mut list, snapshot);
            (Branch::Leaf(key, list), times)
        }
        Some(Branch::Leaf(other, list)) => {
            let mut forks = [const { None }; 16];
            forks[turn(*other, depth)] = Some(Arc::new(Branch::Leaf(*other, list.clone())));
            with(Some(&Branch::Fork(forks)), depth, key, snapshot)
        }
        Some(Branch::Fork(forks)) => {
            let mut forks = forks.clone();
            let fork = &mut forks[turn(key, depth)];
            let (below, times) = with(fork.as_deref(), depth + 1, key, snapshot);
            *fork = Some(Arc::new(below));
            (Branch::Fork(forks), times)
        }
    }
}

/// The branch that a key takes at a depth.
const fn turn(key: u64, depth: u32) -> usize {
    (key >> (depth * BITS) & 15) as usize
}

/// Counts a position among those with its key.
fn count(list: &mut Vec<(Snapshot, u32)>, snapshot: Snapshot) -> u32 {
    if let Some((_, times)) = list.iter_mut().find(|(known, _)| *known == snapshot) {
        *times += 1;
        return *times;
    }
    list.push((snapshot, 1));
    1
}
