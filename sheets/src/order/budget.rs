//! What is used up, and what is noted, while orders are looked for.

use super::Made;
use overboard_games::strategichess::linked::Linked;
use std::cell::{Cell, RefCell};

/// The positions that are kept in which an illegal ply that stands would be legal; with more, the order is open.
pub const MOST_IDLE: usize = 1024;

/// How many plies may still be judged.
pub struct Budget(Cell<usize>);

impl Budget {
    pub const fn of(plies: usize) -> Self {
        Self(Cell::new(plies))
    }

    pub fn left(&self) -> usize {
        self.0.get()
    }

    pub fn add(&self, plies: usize) {
        self.0.set(self.left() + plies);
    }

    pub fn spend(&self, plies: usize) {
        self.0.set(self.left().saturating_sub(plies));
    }

    /// No more is left than this.
    pub fn keep_at_most(&self, plies: usize) {
        self.0.set(self.left().min(plies));
    }
}

/// A position, and the plies that led to it: so many of each board.
pub struct ReachedPosition {
    pub made: Made,
    pub position: Linked,
}

/// Whether plies are judged after what else happens, and what was found on the way.
pub struct Heed {
    is_on: Cell<bool>,
    /// Where an illegal ply that stands was found legal; `None` where that is no longer of interest.
    idle: RefCell<Option<Vec<ReachedPosition>>>,
}

impl Heed {
    pub const fn off() -> Self {
        Self {
            is_on: Cell::new(false),
            idle: RefCell::new(Some(Vec::new())),
        }
    }

    pub fn turn_on(&self) {
        self.is_on.set(true);
    }

    pub fn is_on(&self) -> bool {
        self.is_on.get()
    }

    pub fn wants_idle(&self) -> bool {
        self.idle.borrow().is_some()
    }

    /// Keeps where an illegal ply that stands was found legal, if that is of interest.
    pub fn keep(&self, standing: ReachedPosition) {
        if let Some(idle) = &mut *self.idle.borrow_mut()
            && idle.len() < MOST_IDLE
        {
            idle.push(standing);
        }
    }

    /// What was kept; nothing is from now on.
    pub fn take_idle(&self) -> Vec<ReachedPosition> {
        self.idle.take().unwrap_or_default()
    }
}
