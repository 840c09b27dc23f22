//! Castling: which written moves mean it, and what prevents it.

use super::{ChessBy, ChessLaws, attackers, side_from, square_from, square_to, wing_to};
use overboard_rules::{
    ply::Wing,
    refusal::{self, Reason},
    square::Square,
};
use shakmaty::{CastlingSide, Position as _, attacks};

impl<L: ChessLaws> ChessBy<L> {
    /// The wing to which a king of the side to move would castle if this king move means castling. Whether it is legal
    /// is not checked.
    pub(crate) fn castling_step(&self, king: Square, to: Square) -> Option<Wing> {
        let us = self.position.turn();
        if !L::SHUFFLED {
            return refusal::castling_step(king, side_from(us), to);
        }
        let stands = self.position.board().king_of(us) == Some(square_to(king));
        if !stands || square_to(king).rank() != us.backrank() || king.rank != to.rank {
            return None;
        }
        // A king's step to a neighbouring square is not castling, unless its own rook is there.
        let is_step = king.distance(to) <= 1;
        for wing in [Wing::KingSide, Wing::QueenSide] {
            let side = wing_to(wing);
            let rook = self.position.castles().rook(us, side);
            if rook == Some(square_to(to)) || square_to(to) == side.king_to(us) && !is_step {
                return Some(wing);
            }
        }
        None
    }
}

/// What prevents castling to a wing; `None` if the side to move has no right to it.
pub(super) fn against<L: ChessLaws>(chess: &ChessBy<L>, side: CastlingSide) -> Option<Reason> {
    let (board, us) = (chess.position.board(), chess.position.turn());
    let (king, rook) = (board.king_of(us)?, chess.position.castles().rook(us, side)?);
    let path = chess.position.castles().path(us, side) & board.occupied();
    let away = |square: &shakmaty::Square| square.distance(king);
    if let Some(on) = path.into_iter().min_by_key(away) {
        return Some(Reason::CastlingBlocked(square_from(on)));
    }
    let attacked = |square, occupied| {
        let by = attackers(board, square, !us, occupied);
        if by.is_empty() {
            return None;
        }
        let by = by.into_iter().map(square_from).collect();
        Some(Reason::CastlingAttacked(square_from(square), by))
    };
    let to = side.king_to(us);
    let without = board.occupied() ^ king;
    let mut way: Vec<_> = attacks::between(king, to).with(king).into_iter().collect();
    way.sort_by_key(away);
    for square in way {
        let reason = attacked(square, without);
        if reason.is_some() {
            return reason;
        }
    }
    // By then the rook has moved to its new square.
    attacked(to, without.without(rook).with(side.rook_to(us)))
}
