//! Why a written move is no legal move of Crazyhouse, and by which law.

use super::{CrazyhouseBy, laws as law, movegen::open_to};
use crate::{
    chess::{ChessLaws, laws as regular},
    crazyhouse::{bit, is_on_board},
};
use overboard_rules::{
    ply::{Pattern, Written},
    position::{Explain, Movegen},
    refusal::Reason,
    rule::Rule,
    square::{Piece, Role, Square},
};

impl<L: ChessLaws> Explain for CrazyhouseBy<L> {
    const TURN: &'static Rule = &regular::TURN;

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        if is_on_board(square) {
            self.chess.piece_at(square)
        } else {
            None
        }
    }

    #[inline]
    fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + use<L> {
        self.chess.squares_of(piece)
    }

    fn exposed_by(&self, from: Square, pattern: &Pattern) -> impl Iterator<Item = Square> + use<L> {
        self.chess.exposed_by(from, pattern)
    }

    fn moves_so(piece: Piece, from: Square, to: Square, takes: bool) -> bool {
        crate::chess::ChessBy::<L>::moves_so(piece, from, to, takes)
    }

    fn against(&self, written: &Written) -> (Reason, &'static Rule) {
        match written {
            Written::Drop { role, to } => self.against_drop(*role, *to),
            Written::PromotedDrop { .. } => (Reason::DropPromotes, &law::DROP),
            Written::Move(pattern) => match self.chess.against(written) {
                (Reason::NoSuchPiece, _)
                    if self.pockets.count(self.chess.turn(), pattern.role) > 0 =>
                {
                    (Reason::InHand(pattern.role), &law::DROP)
                }
                against => against,
            },
            Written::Castle(_) | Written::Pass => self.chess.against(written),
        }
    }
}

impl<L: ChessLaws> CrazyhouseBy<L> {
    fn against_drop(&self, role: Role, to: Square) -> (Reason, &'static Rule) {
        let side = self.chess.turn();
        if self.pockets.count(side, role) == 0 {
            let held = self.pockets.held(side).collect();
            return (Reason::NotInHand(held), &law::DROP);
        }
        if self.piece_at(to).is_some() {
            return (Reason::DropOnPiece(to), &law::DROP);
        }
        if role == Role::Pawn && open_to(role) & bit(to) == 0 {
            let ranks = "the first or the eighth rank";
            return (Reason::PawnOnLastRank(ranks), &law::DROP);
        }
        let checkers = self.chess.checkers().collect();
        (Reason::StaysInCheck(checkers), &regular::KING_SAFETY)
    }
}
