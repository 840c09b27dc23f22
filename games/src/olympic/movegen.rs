//! The moves of Olympic Chess.

use super::attacks::square_at;
use super::census::PAWN;
use super::moves::Origin;
use super::scope::Scope;
use super::{Found, HAND, Move, Olympic, attacks};
use overboard_rules::{
    ply::{Pattern, Written},
    position::{Act, Explain, Movegen},
    square::{Role, Side},
};

impl Movegen for Olympic {
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
        self.pieces.checkers(self.turn) != 0
    }

    fn has_legal_move(&self) -> bool {
        self.count_legal() > 0
    }

    #[inline]
    fn legal_moves(&self, mut visit: impl FnMut(Move)) {
        Scope::of(&self.pieces, self.turn).list(&mut visit);
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        Scope::of(&self.pieces, self.turn).count()
    }

    #[inline]
    fn find(&self, written: &Written) -> Found {
        match written {
            Written::Move(pattern) => self.find_move(pattern),
            Written::Drop { role, to } => self.find_drop(*role, *to),
            Written::Castle(_) | Written::PromotedDrop { .. } | Written::Pass => Found::None,
        }
    }

    fn written(&self, m: Move) -> Written {
        match m.origin() {
            Origin::Hand(kind) => Written::Drop {
                role: HAND[kind],
                to: m.to(),
            },
            Origin::Board(from) => Written::Move(self.pattern(m, square_at(from))),
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let to = m.arrival();
        let zeroing = match m.origin() {
            Origin::Board(from) => self.pieces.shift(self.turn, from, to, m.promotes()),
            Origin::Hand(kind) => {
                self.pieces.drop(self.turn, kind, to);
                kind == PAWN
            }
        };
        self.pass_on(zeroing);
    }

    #[inline]
    fn captures(&self, m: Move) -> bool {
        self.pieces.all(self.turn.other()) >> m.arrival() & 1 == 1
    }

    fn act(&self, m: Move) -> Act {
        let moved = m
            .from()
            .and_then(|from| self.piece_at(from))
            .map(|piece| piece.role);
        Act {
            from: m.from(),
            to: m.to(),
            promotion: m.promotes().then_some(Role::Gold),
            role: moved.or(m.dropped()).unwrap_or(Role::Pawn),
            captures: self.captures(m),
            castles: false,
        }
    }
}

#[inline]
pub(super) fn origins(pattern: &Pattern) -> u32 {
    pattern.file.map_or(attacks::BOARD, attacks::file)
        & pattern.rank.map_or(attacks::BOARD, attacks::rank)
}
