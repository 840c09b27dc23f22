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
        [Wing::KingSide, Wing::QueenSide].into_iter().find(|wing| {
            let side = wing_to(*wing);
            // A king's step to a neighbouring square is not castling, unless its own rook is there.
            let is_step = king.distance(to) <= 1;
            self.position.castles().rook(us, side).map(square_from) == Some(to)
                || square_to(to) == side.king_to(us) && !is_step
        })
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
        by.any().then(|| {
            Reason::CastlingAttacked(
                square_from(square),
                by.into_iter().map(square_from).collect(),
            )
        })
    };
    let to = side.king_to(us);
    let without = board.occupied() ^ king;
    let mut way: Vec<_> = attacks::between(king, to)
        .into_iter()
        .chain([king])
        .collect();
    way.sort_by_key(away);
    way.into_iter()
        .find_map(|square| attacked(square, without))
        // By then the rook has moved to its new square.
        .or_else(|| attacked(to, without.without(rook).with(side.rook_to(us))))
}
