//! A board of orthodox chess inside a mega-piece.

use crate::{
    chess::{Chess, Move},
    mega::{laws as law, state::Again},
};
use overboard_rules::{
    game::Claimable,
    outcome::{Cause, Ruling},
    ply::StandingAct,
    position::{DrawLaw, Irregular, Movegen, stuck},
    square::Side,
};

/// A game of chess with the hashes that repetition needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    pub chess: Chess,
    /// Hashes of the positions since the last irreversible move, the current one last.
    seen: Vec<u128>,
}

impl Leaf {
    pub fn new(chess: Chess) -> Self {
        let seen = vec![chess.repetition_hash()];
        Self { chess, seen }
    }

    /// The hash of what repetition compares.
    pub fn key(&self) -> u128 {
        self.seen.last().copied().unwrap_or(0)
    }

    /// Gives the turn to a side, even if it moved last (MG-18).
    pub fn face(&mut self, side: Side) {
        if self.chess.turn() != side
            && let Some(passed) = self.chess.turned()
        {
            self.chess = passed;
        }
    }

    /// What the side that moved last may still do (MG-18).
    pub fn again(&self) -> Again {
        match self.chess.turned() {
            None => Again::Barred,
            Some(_) if self.chess.in_check() => Again::Barred,
            Some(passed) if passed.has_legal_move() => Again::Free,
            Some(_) => Again::Stuck,
        }
    }

    /// Plays a legal move; returns whether it is irreversible, and the end that it brings about.
    pub fn play(&mut self, m: Move) -> (bool, Option<Ruling>) {
        let lasting = self.chess.is_irreversible(m);
        self.chess.play(m);
        if lasting {
            self.seen.clear();
        }
        let key = self.chess.repetition_hash();
        self.seen.push(key);
        (lasting, self.end_by_itself(key))
    }

    /// Lets an act stand, legal or not; does nothing if the result is not a position. Returns the end that it brings about.
    pub fn stand(&mut self, standing_act: StandingAct) -> Option<Ruling> {
        self.chess = self.chess.stood(standing_act)?;
        self.seen.clear();
        let key = self.chess.repetition_hash();
        self.seen.push(key);
        self.end_by_itself(key)
    }

    /// The claims that would be correct.
    pub fn claimable(&self) -> Claimable {
        let key = self.key();
        self.chess.claimable(self.times(key))
    }

    /// How often a position has occurred. The side to move is part of the key, since turns need not alternate
    /// (MG-18).
    fn times(&self, key: u128) -> usize {
        self.seen.iter().filter(|seen| **seen == key).count()
    }

    fn end_by_itself(&self, key: u128) -> Option<Ruling> {
        let drawn = |cause| Some(Ruling::draw(cause, &law::BOARD_ENDS));
        if !self.chess.has_legal_move() {
            return Some(stuck(&self.chess, &law::BOARD_ENDS, &law::BOARD_ENDS));
        }
        // A move changes the board, so a position recurs after two moves at the earliest.
        let fivefold = || self.seen.len() > 8 && self.times(key) >= 5;
        if self.chess.halfmove() == 0 && self.chess.is_bare() {
            drawn(Cause::DeadPosition)
        } else if self.chess.halfmove() >= 150 {
            drawn(Cause::SeventyFiveMoves)
        } else if fivefold() {
            drawn(Cause::Fivefold)
        } else {
            None
        }
    }

    /// How the game ends by this position alone, before any move (GEN-11).
    pub fn standing_end(&self) -> Option<Ruling> {
        self.chess.end_seen(Chess::is_bare)
    }
}

/// Whether a legal move mates.
pub(super) fn mates(chess: &Chess, m: Move) -> bool {
    let after = chess.after(m);
    after.in_check() && !after.has_legal_move()
}
