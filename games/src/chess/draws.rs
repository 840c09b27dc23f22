//! Ends, repetition and claims of orthodox chess.

use super::{ChessBy, ChessLaws, Move, Snapshot};
use crate::chess::laws as law;
use overboard_rules::{
    general as common, hash,
    outcome::{Cause, Prospect, Ruling},
    position::{Claims, DrawLaw, Movegen, stuck},
    repetition::Look,
    square::Side,
};
use shakmaty::Position as _;

impl<L: ChessLaws> DrawLaw for ChessBy<L> {
    type Snapshot = Snapshot;

    const CLAIMS: Claims = Claims::Open(&common::DRAWS);

    const PROGRESS: &'static str = "capture or pawn move";

    #[inline]
    fn is_irreversible(&self, Move(m): Move) -> bool {
        match m {
            shakmaty::Move::Normal {
                role: shakmaty::Role::Pawn,
                ..
            }
            | shakmaty::Move::Normal {
                capture: Some(_), ..
            } => true,
            shakmaty::Move::Normal { role, from, .. } => self.loses_rights(role, from),
            _ => true,
        }
    }

    fn end_by_itself(&self) -> Option<Ruling> {
        self.end_seen(Self::is_dead)
    }

    #[inline]
    fn end_by_deadlock(&self, look: Look) -> Option<Ruling> {
        let is_suspect = match look {
            Look::Closely => true,
            Look::AfterPly => self.may_have_died(),
            Look::AtMaterial => false,
        };
        if is_suspect && self.is_dead() {
            draw(Cause::DeadPosition)
        } else {
            None
        }
    }

    fn can_mate(&self, side: Side) -> Prospect {
        self.prospect(side)
    }

    #[inline]
    fn repetition_key(&self) -> u64 {
        let Snapshot([white, ones, twos, fours, beside]) = self.snapshot();
        hash::pair(white, ones) ^ hash::pair(twos, fours ^ beside.rotate_left(32))
    }

    #[inline]
    fn snapshot(&self) -> Snapshot {
        let board = self.position.board();
        let [ones, twos, fours] = [
            board.pawns() | board.bishops() | board.queens(),
            board.knights() | board.bishops() | board.kings(),
            board.rooks() | board.queens() | board.kings(),
        ];
        let beside = self.beside_the_board();
        Snapshot([board.white().0, ones.0, twos.0, fours.0, beside])
    }

    #[inline]
    fn end_by_record(&self, times: usize, _: &[Snapshot]) -> Option<Ruling> {
        let is_drawn = times >= 5 || self.halfmove() >= 150 || self.is_bare();
        if is_drawn {
            self.end_seen(Self::is_bare).or(draw(Cause::Fivefold))
        } else {
            None
        }
    }
}

/// A draw by one of the common rules.
fn draw(cause: Cause) -> Option<Ruling> {
    Some(Ruling::draw(cause, &common::DRAWS))
}

impl<L: ChessLaws> ChessBy<L> {
    /// The end by itself, if dead positions are those that this finds.
    pub(crate) fn end_seen(&self, is_dead: impl FnOnce(&Self) -> bool) -> Option<Ruling> {
        if !self.has_legal_move() {
            return Some(stuck(self, &law::MATE, &law::STALEMATE));
        }
        if is_dead(self) {
            draw(Cause::DeadPosition)
        } else if self.halfmove() >= 150 {
            draw(Cause::SeventyFiveMoves)
        } else {
            None
        }
    }
}
