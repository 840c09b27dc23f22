//! The transposition table.

use super::{Window, lower};

/// What kind of bound a stored score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

impl Bound {
    pub(super) const fn of(score: i32, alpha: i32, beta: i32) -> Self {
        if score >= beta {
            Self::AtLeast
        } else if score > alpha {
            Self::Exact
        } else {
            Self::AtMost
        }
    }
}

/// What is stored about a position.
#[derive(Clone, Copy)]
pub(super) struct Known<M> {
    pub(super) key: u64,
    pub(super) best: Option<M>,
    pub(super) score: i32,
    pub(super) depth: u8,
    pub(super) bound: Bound,
}

impl<M> Known<M> {
    /// The score, if it was searched deep enough to be used in this window.
    pub(super) fn settles(&self, depth: u32, window: Window, ply: usize) -> Option<i32> {
        let score = lower(self.score, ply);
        let is_enough = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= window.beta,
            Bound::AtMost => score <= window.alpha,
        };
        (u32::from(self.depth) >= depth && is_enough).then_some(score)
    }
}

/// A transposition table in which each key has one slot.
pub(super) struct Memory<M> {
    places: Vec<Option<Known<M>>>,
}

impl<M: Copy> Memory<M> {
    pub(super) fn of(bits: u32) -> Self {
        Self {
            places: vec![None; 1 << bits],
        }
    }

    const fn place(&self, key: u64) -> usize {
        (key ^ key >> 32) as usize & (self.places.len() - 1)
    }

    pub(super) fn get(&self, key: u64) -> Option<Known<M>> {
        self.places[self.place(key)].filter(|known| known.key == key)
    }

    pub(super) fn put(&mut self, known: Known<M>) {
        let place = self.place(known.key);
        self.places[place] = Some(known);
    }
}
