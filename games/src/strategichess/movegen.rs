//! The moves of `StrategiChess` on one board.

use super::scope::Scope;
use super::squares::SquareSet;
use super::{Found, Move, Strategi};
use overboard_rules::{
    ply::{Pattern, Written},
    position::{Act, Movegen},
    square::{Role, Side},
};

impl Movegen for Strategi {
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
        self.board.is_attacked(
            self.king_index(self.turn),
            self.turn.other(),
            self.board.occupied(),
        )
    }

    fn has_legal_move(&self) -> bool {
        if self.can_be_taken() {
            return self.count_legal() > 0;
        }
        let king = self.king_index(self.turn);
        Scope::has_free_stepper(&self.board, self.turn, king)
            || Scope::has_flight(&self.board, self.turn, king)
            || self.count_legal() > 0
    }

    #[inline]
    fn legal_moves(&self, mut visit: impl FnMut(Move)) {
        self.scope().list(&mut visit);
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        self.scope().count()
    }

    #[inline]
    fn find(&self, written: &Written) -> Found {
        match written {
            Written::Move(pattern) => self.find_move(pattern),
            Written::Drop { .. }
            | Written::PromotedDrop { .. }
            | Written::Castle(_)
            | Written::Pass => Found::None,
        }
    }

    fn written(&self, m: Move) -> Written {
        Written::Move(self.pattern(m))
    }

    #[inline]
    fn captures(&self, m: Move) -> bool {
        self.board.all(self.turn.other()).has(m.arrival())
    }

    fn act(&self, m: Move) -> Act {
        Act {
            from: Some(m.from()),
            to: m.to(),
            promotion: None,
            role: self
                .board
                .piece_at(m.origin())
                .map_or(Role::Pawn, |piece| piece.role),
            captures: self.captures(m),
            castles: false,
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let takes = self.board.shift(self.turn, m.origin(), m.arrival());
        self.halfmove = if takes {
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

/// The squares on which a pattern's origin may be.
#[inline]
pub(super) fn origins(pattern: &Pattern) -> SquareSet {
    let file = pattern.file.map_or(SquareSet::BOARD, SquareSet::file);
    file & pattern.rank.map_or(SquareSet::BOARD, SquareSet::rank)
}
