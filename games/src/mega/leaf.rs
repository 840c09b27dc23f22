//! A board of orthodox chess inside a mega-piece.

use crate::{
    chess::{Chess, Move},
    mega::laws as law,
};
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    position::{DrawLaw, Irregular, Movegen},
    square::Square,
};

/// A game of chess with what repetition needs to know of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    pub chess: Chess,
    /// Digests of the positions since the last move that cannot be taken back, this one last.
    seen: Vec<u128>,
}

impl Leaf {
    pub fn new(chess: Chess) -> Self {
        let seen = vec![chess.repetition_digest()];
        Self { chess, seen }
    }

    /// The digest of what repetition compares.
    pub fn key(&self) -> u128 {
        self.seen.last().copied().unwrap_or(0)
    }

    /// Plays a legal move; answers whether it can never be taken back, and the end that it makes.
    pub fn play(&mut self, m: Move) -> (bool, Option<Ruling>) {
        let lasting = self.chess.is_irreversible(m);
        self.chess.play(m);
        if lasting {
            self.seen.clear();
        }
        let key = self.chess.repetition_digest();
        self.seen.push(key);
        (lasting, self.end_by_itself(key))
    }

    /// Puts the man on a square on another and passes the turn on, legal or not; nothing where that makes no
    /// position. Answers the end that it makes.
    pub fn displace(&mut self, from: Square, to: Square) -> Option<Ruling> {
        self.chess = self.chess.displaced(from, to)?;
        self.seen.clear();
        let key = self.chess.repetition_digest();
        self.seen.push(key);
        self.end_by_itself(key)
    }

    /// Whether a draw may be claimed: by repetition, by fifty moves.
    pub fn claimable(&self) -> [bool; 2] {
        let key = self.key();
        let times = self.seen.iter().rev().step_by(2).filter(|seen| **seen == key).count();
        self.chess.claimable(times)
    }

    fn end_by_itself(&self, key: u128) -> Option<Ruling> {
        let drawn = |cause| Some(Ruling { outcome: Outcome::Draw, cause, rule: &law::BOARD_ENDS });
        if !self.chess.has_legal_move() {
            return if self.chess.in_check() {
                let outcome = Outcome::Win(self.chess.turn().other());
                Some(Ruling { outcome, cause: Cause::Checkmate, rule: &law::BOARD_ENDS })
            } else {
                drawn(Cause::Stalemate)
            };
        }
        // The side to move alternates.
        let fivefold = || {
            let before = self.seen.iter().rev().step_by(2);
            self.seen.len() > 16 && before.filter(|seen| **seen == key).count() >= 5
        };
        if self.chess.halfmove() == 0 && self.chess.is_dead() {
            drawn(Cause::DeadPosition)
        } else if self.chess.halfmove() >= 150 {
            drawn(Cause::SeventyFiveMoves)
        } else if fivefold() {
            drawn(Cause::Fivefold)
        } else {
            None
        }
    }

    /// The end that the position is by itself, before any move (GEN-11).
    pub fn standing_end(&self) -> Option<Ruling> {
        self.chess.end_by_itself()
    }

    /// Whether a legal move mates.
    pub fn mates(&self, m: Move) -> bool {
        let after = self.chess.after(m);
        after.in_check() && !after.has_legal_move()
    }
}
