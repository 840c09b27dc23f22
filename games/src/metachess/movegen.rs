//! The moves of `MetaChess` #4.

use super::scope::castling;
use super::{Found, Meta, Move};
use crate::board8::attacks::{self};
use overboard_rules::{
    ply::{Pattern, Written},
    position::{Act, Movegen},
    square::{Role, Side},
};

impl Movegen for Meta {
    type Move = Move;
    type Options = ();

    fn turn(&self) -> Side {
        self.turn
    }

    fn fullmove(&self) -> u32 {
        self.fullmove
    }

    fn halfmove(&self) -> u32 {
        self.halfmove
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.board.checkers(self.turn) != 0
    }

    fn has_legal_move(&self) -> bool {
        self.scope().any(self.crossed, self.rights)
    }

    #[inline]
    fn legal_moves(&self, mut visit: impl FnMut(Move)) {
        self.scope().list(self.crossed, self.rights, &mut visit);
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        self.scope().count(self.crossed, self.rights)
    }

    #[inline]
    fn find(&self, written: &Written) -> Found {
        match written {
            Written::Move(pattern) => self.find_move(pattern),
            Written::Castle(wing) if self.scope().may_castle(*wing, self.rights) => {
                Found::One(castling(self.turn, *wing))
            }
            _ => Found::None,
        }
    }

    fn written(&self, m: Move) -> Written {
        m.wing()
            .map_or_else(|| Written::Move(self.pattern(m)), Written::Castle)
    }

    #[inline]
    fn captures(&self, m: Move) -> bool {
        self.board.captures(self.turn, m)
    }

    fn act(&self, m: Move) -> Act {
        Act {
            from: Some(m.from()),
            to: m.to(),
            promotion: m.promotion(),
            role: m.role(),
            captures: self.captures(m),
            castles: m.wing().is_some(),
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let (origin, arrival) = (1_u64 << m.origin(), 1_u64 << m.target());
        let zeroing = m.role() == Role::Pawn || self.captures(m);
        // A rider that leaves a rook's head, or arrives there, moves no rook.
        let touched =
            (origin & !self.board.above.occupied()) | if m.is_above() { 0 } else { arrival };
        self.rights &= !touched;
        self.crossed = 0;
        match m.role() {
            Role::King => self.rights &= !attacks::first_rank(self.turn),
            Role::Pawn if m.origin().abs_diff(m.target()) == 16 => {
                self.crossed = attacks::forward(origin, self.turn);
            }
            _ => {}
        }
        self.board.play(self.turn, m);
        self.halfmove = if zeroing {
            0
        } else {
            self.halfmove.saturating_add(1)
        };
        self.fullmove = self
            .fullmove
            .saturating_add(u32::from(self.turn == Side::Black));
        self.turn = self.turn.other();
    }
}

#[inline]
pub(super) fn origins(pattern: &Pattern) -> u64 {
    pattern.file.map_or(!0, attacks::file) & pattern.rank.map_or(!0, attacks::rank)
}
