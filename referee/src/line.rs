//! A line of play on one board: the game itself, or a variation of it.

use overboard_formats::span::Place;
use overboard_rules::{
    game::{Game as _, Happening, OneBoard, Only},
    outcome::Ruling,
    position::Position,
    rule::Rule,
    square::Side,
};

/// A position that grows ply by ply, and the one before its last ply, to which a variation returns.
#[derive(Clone, Debug)]
pub struct Line<P> {
    /// The position reached.
    pub position: P,
    /// The position before the last ply.
    pub before: P,
    /// Whether `position` is known: false after a ply that could not be judged.
    pub known: bool,
    /// Whether `before` is known.
    pub before_known: bool,
    /// The last ply, where it is written as check: it may be mate.
    pub check: Option<Place>,
}

impl<P: Position> Line<P> {
    /// Whether the position is known.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        self.known
    }

    /// A line that begins here.
    #[must_use]
    pub fn from(position: P) -> Self {
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
    pub fn play(&mut self, m: P::Move) {
        self.before.clone_from(&self.position);
        self.before_known = true;
        self.position.play(m);
        self.check = None;
    }

    /// Takes in what happens beside legal moves; answers whether it could.
    pub fn happen(&mut self, event: Happening) -> bool {
        let mut after = OneBoard(self.position.clone());
        if after.happen(Only, event).is_none() {
            return false;
        }
        self.before = std::mem::replace(&mut self.position, after.0);
        self.before_known = true;
        self.known = true;
        self.check = None;
        true
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
    /// The rule against the last thing that happened, where that was a claim that is not correct.
    pub wrong_claim: Option<&'static Rule>,
    /// The clocks.
    pub clocks: Clocks,
}
