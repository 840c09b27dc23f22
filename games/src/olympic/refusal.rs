//! Why a written move is no legal move of Olympic Chess, and by which law.

use super::{Bitboard, BoardPiece, Olympic, attacks, square_at};
use crate::{
    chess::{Orthodox, regular_rule},
    olympic::laws as law,
};
use overboard_rules::{
    geometry,
    ply::{Pattern, Written},
    position::{Explain, Movegen},
    refusal::{Reason, against_officers, against_target, among, backward, named, takes},
    rule::Rule,
    square::{Piece, Role, Side, Square},
};

impl Explain for Olympic {
    const TURN: &'static Rule = &crate::chess::laws::TURN;

    fn piece_at(&self, square: Square) -> Option<Piece> {
        let BoardPiece { piece, promoted } = self.pieces.man_at(attacks::index(square)?)?;
        Some(if promoted {
            Piece {
                role: Role::Gold,
                ..piece
            }
        } else {
            piece
        })
    }

    fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + use<> {
        Bitboard(self.pieces.written_as(piece.role, piece.side)).map(square_at)
    }

    fn exposed_by(&self, from: Square, pattern: &Pattern) -> impl Iterator<Item = Square> + use<> {
        let attackers = match (attacks::index(from), attacks::index(pattern.to)) {
            (Some(from), Some(to)) => self.attacks_on_king_after(1 << from, to),
            _ => 0,
        };
        Bitboard(attackers).map(square_at)
    }

    /// As OC-3 and OC-4 say.
    fn moves_so(piece: Piece, from: Square, to: Square, takes: bool) -> bool {
        let beside = from.file.abs_diff(to.file);
        let ahead = is_ahead(piece.side, from, to, 1);
        match piece.role {
            Role::King => from.distance(to) == 1,
            Role::Rook => geometry::on_a_rook_line(from, to),
            Role::Bishop => geometry::on_a_bishop_line(from, to),
            Role::Gold => from.distance(to) == 1 && (ahead || beside == 0 || from.rank == to.rank),
            Role::Silver => {
                from.distance(to) == 1 && (ahead || (beside == 1 && from.rank != to.rank))
            }
            Role::Pawn => ahead && beside == u8::from(takes),
            Role::Knight | Role::Queen => false,
        }
    }

    fn against(&self, written: &Written) -> (Reason, &'static Rule) {
        let reason = match written {
            Written::Pass => Reason::NoPass,
            Written::Castle(_) => Reason::NoCastling,
            Written::Drop { role, to } => against_drop(self, *role, *to),
            Written::PromotedDrop { .. } => Reason::DropPromotes,
            Written::Move(pattern) => against_move(self, pattern),
        };
        let rule = rule(&reason, written);
        (reason, rule)
    }
}

fn rule(reason: &Reason, written: &Written) -> &'static Rule {
    match reason {
        Reason::NoCastling
        | Reason::OutOfReach(_)
        | Reason::Backward(_)
        | Reason::OneStep(_)
        | Reason::PawnBlocked(_)
        | Reason::NothingToTake => movement(written),
        Reason::PromotionMissing(_) | Reason::PromotionRole(_) | Reason::NoPromotion(_) => {
            &law::PROMOTION
        }
        Reason::NotInHand(_)
        | Reason::InHand(_)
        | Reason::DropPromotes
        | Reason::DropOnPiece(_)
        | Reason::PawnOnLastRank(_) => &law::DROP,
        _ => regular_rule::<Orthodox>(reason, written),
    }
}

fn movement(written: &Written) -> &'static Rule {
    match written {
        Written::Move(Pattern {
            role: Role::Gold | Role::Silver,
            ..
        }) => &law::GOLD_AND_SILVER,
        _ => &law::REGULAR_MEN,
    }
}

fn against_drop(position: &Olympic, role: Role, to: Square) -> Reason {
    let side = position.turn();
    if position.hand(side, role) == 0 {
        return Reason::NotInHand(position.held(side));
    }
    if position.piece_at(to).is_some() {
        return Reason::DropOnPiece(to);
    }
    if role == Role::Pawn && is_last(side, to) {
        return Reason::PawnOnLastRank("its last rank");
    }
    Reason::StaysInCheck(position.checkers().collect())
}

fn against_move(position: &Olympic, pattern: &Pattern) -> Reason {
    let side = position.turn();
    if let Some(reason) = against_target(position, pattern) {
        return reason;
    }
    let from = match named(position, pattern) {
        Ok(from) => from,
        Err(Reason::NoSuchPiece) if position.hand(side, pattern.role) > 0 => {
            return Reason::InHand(pattern.role);
        }
        Err(reason) => return reason,
    };
    match pattern.role {
        Role::Pawn => against_pawn(position, pattern, from),
        Role::Silver => against_silver(position, pattern, from),
        _ if pattern.promotion.is_some() => Reason::NoPromotion("only a pawn or a silver promotes"),
        _ => against_officers(position, pattern, from),
    }
}

fn against_silver(position: &Olympic, pattern: &Pattern, from: Vec<Square>) -> Reason {
    let side = position.turn();
    let mut able = from.clone();
    match pattern.promotion {
        Some(Role::Gold) => {
            able.retain(|from| is_last(side, *from) || is_last(side, pattern.to));
        }
        Some(role) => return Reason::PromotionRole(role),
        None => {}
    }
    if able.is_empty() {
        return match against_officers(
            position,
            &Pattern {
                promotion: None,
                ..*pattern
            },
            from,
        ) {
            reason @ (Reason::OutOfReach(_) | Reason::Blocked(_)) => reason,
            _ => Reason::NoPromotion(
                "a silver promotes only on reaching or on leaving the last rank",
            ),
        };
    }
    against_officers(position, pattern, able)
}

fn against_pawn(position: &Olympic, pattern: &Pattern, from: Vec<Square>) -> Reason {
    let side = position.turn();
    let takes = takes(pattern);
    let pawn = Piece {
        side,
        role: Role::Pawn,
    };
    let mut able = from.clone();
    able.retain(|from| Olympic::moves_so(pawn, *from, pattern.to, takes));
    if able.is_empty() {
        for from in &from {
            let is_two_behind = is_ahead(side, *from, pattern.to, 2);
            if !takes && from.file == pattern.to.file && is_two_behind {
                return Reason::OneStep(*from);
            }
        }
        let backward = backward(side, &from, pattern.to, takes);
        return backward.unwrap_or(Reason::OutOfReach(from));
    }
    let there = position.piece_at(pattern.to);
    match (takes, there, pattern.promotion) {
        (true, None, _) => Reason::NothingToTake,
        (false, Some(_), _) => Reason::PawnBlocked(pattern.to),
        (_, _, None) if is_last(side, pattern.to) => {
            Reason::PromotionMissing("must become a Gold, written with `=G`")
        }
        (_, _, Some(_)) if !is_last(side, pattern.to) => {
            Reason::NoPromotion("a pawn promotes only on the last rank")
        }
        (_, _, Some(role)) if role != Role::Gold => Reason::PromotionRole(role),
        _ => among(position, pattern, able),
    }
}

/// Whether a square is this many ranks ahead of another, from the side's point of view.
fn is_ahead(side: Side, from: Square, to: Square, ranks: u8) -> bool {
    match side {
        Side::White => to.rank == from.rank + ranks,
        Side::Black => from.rank == to.rank + ranks,
    }
}

fn is_last(side: Side, square: Square) -> bool {
    attacks::index(square).is_some_and(|index| attacks::last_rank(side) >> index & 1 == 1)
}
