//! Ends, repetition and claims of `StrategiChess` on one board.

use super::{Move, Snapshot, Strategi};
use crate::strategichess::laws as law;
use overboard_rules::{
    outcome::{Cause, Prospect, Ruling},
    position::{Claims, DrawLaw, Movegen, stuck},
    square::Side,
};

impl DrawLaw for Strategi {
    type Snapshot = Snapshot;

    const CLAIMS: Claims = Claims::Open(&law::DRAWS);

    const PROGRESS: &'static str = "capture";

    /// Whether earlier positions can never recur after this move: after a capture, and after the first move of a pawn.
    /// Any other move of a pawn can be undone, because pawns go back (SC-6).
    #[inline]
    fn is_irreversible(&self, m: Move) -> bool {
        self.captures(m) || self.board.unmoved().has(m.origin())
    }

    fn end_by_itself(&self) -> Option<Ruling> {
        if !self.has_legal_move() {
            return Some(stuck(self, &law::MATE, &law::MATE));
        }
        if self.is_dead() {
            Self::draw(Cause::DeadPosition)
        } else if self.halfmove >= 150 {
            Self::draw(Cause::SeventyFiveMoves)
        } else {
            None
        }
    }

    #[inline]
    fn end_by_record(&self, times: usize, _: &[Snapshot]) -> Option<Ruling> {
        let drawn = times >= 5 || self.halfmove >= 150 || self.is_dead();
        if drawn {
            self.end_by_itself().or(Self::draw(Cause::Fivefold))
        } else {
            None
        }
    }

    /// Not with a lone king, and not with a king and one knight, bishop or pawn against a lone king (GEN-10).
    fn can_mate(&self, side: Side) -> Prospect {
        let others = |side| self.board.all(side) & !self.board.kings();
        let (own, theirs) = (others(side), others(side.other()));
        let heavy = self.board.straight(side);
        let can_mate = own.is_crowd() || own.meets(heavy) || !own.is_empty() && !theirs.is_empty();
        Prospect::of(can_mate)
    }

    #[inline]
    fn repetition_key(&self) -> u64 {
        self.board.key() ^ self.turn as u64
    }

    #[inline]
    fn snapshot(&self) -> Snapshot {
        Snapshot {
            board: self.board,
            turn: self.turn,
        }
    }
}
