//! A line of play on a chess board: the game itself, or a variation of it.

use crate::span::Place;
use overboard_rules::{
    chess::{Chess, Move, Snapshot},
    outcome::Ruling,
    square::Side,
};

/// A position that grows ply by ply, and the one before its last ply, to which a variation returns.
#[derive(Clone, Debug)]
pub struct Line {
    /// The position reached.
    pub position: Chess,
    /// The position before the last ply.
    pub before: Chess,
    /// Whether `position` is known: false after a ply that could not be judged.
    pub known: bool,
    /// Whether `before` is known.
    pub before_known: bool,
    /// The last ply, where it is written as check: it may be mate.
    pub check: Option<Place>,
}

impl Line {
    /// A line that begins here.
    #[must_use]
    pub fn from(position: Chess) -> Self {
        Self { before: position.clone(), position, known: true, before_known: false, check: None }
    }

    /// The line of a variation: it begins before the last ply.
    #[must_use]
    pub fn variation(&self) -> Self {
        Self {
            position: self.before.clone(),
            before: self.before.clone(),
            known: self.before_known,
            before_known: false,
            check: None,
        }
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, m: Move) {
        self.before.clone_from(&self.position);
        self.before_known = true;
        self.position.play(m);
        self.check = None;
    }

    /// Goes on from a position that no legal move led to.
    pub fn jump(&mut self, position: Chess) {
        self.before = std::mem::replace(&mut self.position, position);
        self.before_known = true;
        self.known = true;
        self.check = None;
    }

    /// Gives up: what comes is not judged. A variation on the ply given up may still be.
    pub fn lose(&mut self) {
        if self.known {
            self.before.clone_from(&self.position);
            self.before_known = true;
        } else {
            self.before_known = false;
        }
        self.known = false;
        self.check = None;
    }
}

/// The positions since the last irreversible move, for repetition.
#[derive(Default)]
pub struct History {
    keys: Vec<u64>,
    snapshots: Vec<Snapshot>,
}

impl History {
    /// Starts anew from a position.
    pub fn start(&mut self, position: &Chess) {
        self.keys.clear();
        self.snapshots.clear();
        self.take(position.repetition_key(), position);
    }

    #[inline]
    fn take(&mut self, key: u64, position: &Chess) {
        self.keys.push(key);
        self.snapshots.push(position.snapshot());
    }

    /// Takes a position reached; answers how often it has been there, this time included.
    #[inline]
    pub fn reach(&mut self, position: &Chess, irreversible: bool) -> usize {
        if irreversible {
            self.start(position);
            return 1;
        }
        let key = position.repetition_key();
        // A position can come back after four plies at the earliest.
        let count = if self.keys.len() < 4 { 0 } else { self.count_alike(key, position) };
        self.take(key, position);
        count + 1
    }

    /// How often a position has been there.
    #[must_use]
    pub fn count(&self, position: &Chess) -> usize {
        self.count_alike(position.repetition_key(), position)
    }

    fn count_alike(&self, key: u64, position: &Chess) -> usize {
        if !self.keys.contains(&key) {
            return 0;
        }
        let alike = self.keys.iter().zip(&self.snapshots).filter(|(known, _)| **known == key);
        alike.filter(|(_, snapshot)| **snapshot == position.snapshot()).count()
    }
}

/// What a game's clocks have shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clocks {
    last: [Option<u64>; 2],
    stamp: Option<u64>,
}

impl Clocks {
    /// Takes a side's clock in milliseconds; answers what it showed before.
    pub const fn show(&mut self, side: Side, milliseconds: u64) -> Option<u64> {
        self.last[side as usize].replace(milliseconds)
    }

    /// What a side's clock last showed.
    #[must_use]
    pub const fn left(&self, side: Side) -> Option<u64> {
        self.last[side as usize]
    }

    /// Allows for so many seconds that an arbiter gave or took: a record does not say whose clock
    /// showed them, so both may rise by as much.
    pub fn adjust(&mut self, seconds: u64) {
        for left in self.last.iter_mut().flatten() {
            *left = left.saturating_add(seconds.saturating_mul(1000));
        }
    }

    /// Takes a time stamp; answers the one before.
    pub const fn stamp(&mut self, milliseconds: u64) -> Option<u64> {
        self.stamp.replace(milliseconds)
    }
}

/// What has happened in the game itself beside its moves.
#[derive(Default)]
pub struct Course {
    /// The end, once there is one.
    pub ended: Option<Ruling>,
    /// Ply after which each right to claim arose: threefold, fifty moves.
    pub claimable: [Option<u32>; 2],
    /// Illegal attempts of each side.
    pub attempts: [u32; 2],
    /// Whether the last thing that happened was a claim that is not correct.
    pub wrong_claim: bool,
    /// The clocks.
    pub clocks: Clocks,
}
