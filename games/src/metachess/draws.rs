//! Ends, repetition and claims of `MetaChess` #4.

use super::{Meta, Move, Snapshot};
use crate::{
    board8::attacks::{self},
    metachess::laws as law,
};
use overboard_rules::{
    outcome::{Cause, Prospect, Ruling},
    position::{Claims, DrawLaw, Movegen, stuck},
    square::{Role, Side},
};

impl DrawLaw for Meta {
    type Snapshot = Snapshot;

    const CLAIMS: Claims = Claims::Open(&law::ENDS);

    const PROGRESS: &'static str = "capture on either level or pawn move";

    #[inline]
    fn is_irreversible(&self, m: Move) -> bool {
        let loses_rights = match m.role() {
            Role::King => self.rights & attacks::first_rank(self.turn) != 0,
            _ => self.rights & !self.board.above.occupied() & 1 << m.origin() != 0,
        };
        m.role() == Role::Pawn || loses_rights || self.captures(m)
    }

    fn end_by_itself(&self) -> Option<Ruling> {
        if !self.has_legal_move() {
            return Some(stuck(self, &law::ENDS, &law::ENDS));
        }
        if self.is_dead() {
            draw(Cause::DeadPosition)
        } else if self.halfmove >= 150 {
            draw(Cause::SeventyFiveMoves)
        } else {
            None
        }
    }

    #[inline]
    fn end_by_record(&self, times: usize, _: &[Snapshot]) -> Option<Ruling> {
        let drawn = times >= 5 || self.halfmove >= 150 || self.is_dead();
        if drawn {
            self.end_by_itself().or(draw(Cause::Fivefold))
        } else {
            None
        }
    }

    /// Whether the side has more than its king (GEN-10).
    fn can_mate(&self, side: Side) -> Prospect {
        let king = 1 << self.board.king(side).0;
        let has_others = self.board.riders(side) | self.board.ground.all(side) != king
            || self.board.mounted(side) & king != 0;
        Prospect::of(has_others)
    }

    #[inline]
    fn repetition_key(&self) -> u64 {
        let rest = self.rights ^ self.en_passant() ^ (self.turn as u64) << 32;
        self.board.key() ^ rest.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[inline]
    fn snapshot(&self) -> Snapshot {
        Snapshot {
            board: self.board,
            rights: self.rights,
            en_passant: self.en_passant(),
            turn: self.turn,
        }
    }
}

fn draw(cause: Cause) -> Option<Ruling> {
    Some(Ruling::draw(cause, &law::ENDS))
}
