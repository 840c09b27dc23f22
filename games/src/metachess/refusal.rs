//! Why a written move is no legal move of `MetaChess` #4, and by which law.

use super::{Chess, Meta, SquareSet, attacks, square_at};
use crate::{
    chess::{Orthodox, against_pawns, regular_rule},
    metachess::laws as law,
};
use overboard_rules::{
    ply::{Arrival, Pattern, Wing, Written},
    position::{Explain, Found, Movegen},
    refusal::{
        self, Reason, against_officers, barrier, between_king_and_rook, castling_step,
        castling_way, named, opponent_could, takes,
    },
    riding::Riding,
    rule::Rule,
    square::{Piece, Role, Side, Square},
};

impl Explain for Meta {
    const TURN: &'static Rule = &crate::chess::laws::TURN;

    /// The piece that may move on a square, whichever side has the turn: the rider, or the piece without one.
    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.rider_at(square).or_else(|| self.carrier_at(square))
    }

    /// The squares on which pieces of this kind and side may move, `a1` first.
    fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + use<> {
        let squares = match piece.role {
            Role::Silver | Role::Gold => 0,
            role => self.board.movers(piece.side).of(role),
        };
        SquareSet(squares).map(square_at)
    }

    fn king(&self, side: Side) -> Option<Square> {
        Some(square_at(self.board.king(side).0))
    }

    fn exposed_by(&self, from: Square, pattern: &Pattern) -> impl Iterator<Item = Square> + use<> {
        exposing(self, from, pattern.to, pattern.arrival == Arrival::Above).into_iter()
    }

    fn moves_so(piece: Piece, from: Square, to: Square, takes: bool) -> bool {
        Chess::moves_so(piece, from, to, takes)
    }

    fn against(&self, written: &Written) -> (Reason, &'static Rule) {
        let reason = match written {
            Written::Pass => Reason::NoPass,
            Written::Drop { .. } | Written::PromotedDrop { .. } => Reason::NoDrop,
            Written::Castle(wing) => against_castling(self, *wing),
            Written::Move(pattern) => against_move(self, pattern),
        };
        let rule = rule(&reason, written);
        (reason, rule)
    }
}

fn rule(reason: &Reason, written: &Written) -> &'static Rule {
    match reason {
        Reason::Riding(riding) => riding_rule(*riding),
        Reason::OwnPiece(_) => &law::CLOSED,
        Reason::Blocked(_) => &law::LINES,
        Reason::Pinned(..) | Reason::StaysInCheck(_) | Reason::IntoCheck(_) => &law::CHECK,
        Reason::PromotionMissing(_)
        | Reason::PromotionRole(_)
        | Reason::NoPromotion(_)
        | Reason::NoDoubleStep(_)
        | Reason::EnPassantOver => &law::PAWNS,
        Reason::WrittenCastling(_)
        | Reason::NoCastlingRight(_)
        | Reason::CastlingBlocked(_)
        | Reason::CastlingAttacked(..) => &law::CASTLING,
        _ => regular_rule::<Orthodox>(reason, written),
    }
}

const fn riding_rule(riding: Riding) -> &'static Rule {
    match riding {
        Riding::NoCarrier => &law::LEVELS,
        Riding::PawnAbove => &law::OFFICERS,
        Riding::Ridden(_) => &law::CARRIER,
        Riding::ClimbsOnOwn(_) => &law::CLIMB,
        Riding::Annexes(_) => &law::RIDER,
        Riding::TakenAbove(_) => &law::CAPTURE,
        Riding::OnKing | Riding::OwnRider(_) => &law::CLOSED,
        Riding::SetsFree(_) => &law::CHECK,
        Riding::KingUnderRider(_) => &law::KING_CAPTURE,
        Riding::RookRidden(_) => &law::CASTLING,
    }
}

fn against_castling(position: &Meta, wing: Wing) -> Reason {
    let side = position.turn();
    if !position.may_castle(side, wing) {
        return Reason::NoCastlingRight(wing);
    }
    let (rook, walked) = castling_way(side, wing);
    if position.rider_at(rook).is_some() {
        return Reason::Riding(Riding::RookRidden(rook));
    }
    if let Some(reason) = between_king_and_rook(position, wing) {
        return reason;
    }
    let by: Vec<_> = position.checkers().collect();
    if !by.is_empty() {
        return Reason::CastlingAttacked(walked[0], by);
    }
    for to in &walked[1..] {
        let by = exposing(position, walked[0], *to, false);
        if !by.is_empty() {
            return Reason::CastlingAttacked(*to, by);
        }
    }
    Reason::CastlingBlocked(rook)
}

/// What is wrong with a king's move that looks like castling.
fn against_leap(position: &Meta, pattern: &Pattern, named: &[Square]) -> Option<Reason> {
    let king = *named.first()?;
    if pattern.arrival != Arrival::Here {
        return None;
    }
    let wing = castling_step(king, position.turn(), pattern.to)?;
    Some(match position.find(&Written::Castle(wing)) {
        Found::One(_) => Reason::WrittenCastling(wing),
        Found::None | Found::Several => against_castling(position, wing),
    })
}

fn against_move(position: &Meta, pattern: &Pattern) -> Reason {
    if let Some(reason) = against_arrival(position, pattern) {
        return reason;
    }
    let named = match named(position, pattern) {
        Ok(from) => from,
        Err(reason) => return ridden(position, pattern).unwrap_or(reason),
    };
    let reason = match pattern.role {
        Role::Pawn => against_pawn(position, pattern, named),
        _ if pattern.promotion.is_some() => Reason::NoPromotion("only a pawn promotes"),
        Role::King => against_leap(position, pattern, &named)
            .unwrap_or_else(|| against_officer(position, pattern, named)),
        _ => against_officer(position, pattern, named),
    };
    match reason {
        Reason::Pinned(first, by) if by.contains(&first) => Reason::Riding(Riding::SetsFree(first)),
        reason => reason,
    }
}

/// What is wrong with the arrival, whichever piece makes it.
fn against_arrival(position: &Meta, pattern: &Pattern) -> Option<Reason> {
    if pattern.arrival == Arrival::Above {
        return against_mounting(position, pattern);
    }
    let carrier = position.carrier_at(pattern.to)?;
    if carrier.side != position.turn() {
        return if carrier.role == Role::King {
            Some(Reason::TakesKing)
        } else {
            None
        };
    }
    Some(match position.rider_at(pattern.to) {
        Some(rider) if rider.side != carrier.side && pattern.capture => {
            Reason::Riding(Riding::TakenAbove(rider.role))
        }
        _ if pattern.capture && opponent_could(position, pattern) => Reason::WrongSide,
        _ => Reason::OwnPiece(carrier.role),
    })
}

fn against_mounting(position: &Meta, pattern: &Pattern) -> Option<Reason> {
    if pattern.role == Role::Pawn {
        return Some(Reason::Riding(Riding::PawnAbove));
    }
    let Some(carrier) = position.carrier_at(pattern.to) else {
        return Some(Reason::Riding(Riding::NoCarrier));
    };
    if carrier.role == Role::King {
        return Some(Reason::Riding(Riding::OnKing));
    }
    match position.rider_at(pattern.to)? {
        rider if rider.side == position.turn() => {
            Some(Reason::Riding(Riding::OwnRider(rider.role)))
        }
        rider if rider.role == Role::King => Some(Reason::TakesKing),
        _ => None,
    }
}

/// Whether nothing in its path prevents a piece from getting there.
fn is_open(position: &Meta, piece: Piece, from: Square, pattern: &Pattern) -> bool {
    Meta::moves_so(piece, from, pattern.to, takes(pattern))
        && barrier(position, piece.role, from, pattern.to).is_none()
}

/// The reason if a piece could make the move but for its rider.
fn ridden(position: &Meta, pattern: &Pattern) -> Option<Reason> {
    let piece = Piece {
        side: position.turn(),
        role: pattern.role,
    };
    let carriers =
        position.board.ground.kind(pattern.role, piece.side) & position.board.above.occupied();
    for from in SquareSet(carriers).map(square_at) {
        if pattern.may_start_on(from) && is_open(position, piece, from, pattern) {
            return Some(Reason::Riding(Riding::Ridden(from)));
        }
    }
    None
}

fn against_officer(position: &Meta, pattern: &Pattern, named: Vec<Square>) -> Reason {
    let piece = Piece {
        side: position.turn(),
        role: pattern.role,
    };
    let mut open = named.clone();
    open.retain(|from| is_open(position, piece, *from, pattern));
    let Some(first) = open.first().copied() else {
        let reason = ridden(position, pattern);
        return reason.unwrap_or_else(|| against_officers(position, pattern, named));
    };
    open.retain(|from| against_level(position, *from, pattern).is_none());
    if open.is_empty()
        && let Some(riding) = against_level(position, first, pattern)
    {
        return Reason::Riding(riding);
    }
    refusal::among(position, pattern, open)
}

/// What prevents the piece on a square from reaching this level of the arrival square.
fn against_level(position: &Meta, from: Square, pattern: &Pattern) -> Option<Riding> {
    let side = position.turn();
    let is_enemy = |piece: Option<Piece>| piece.is_some_and(|piece| piece.side != side);
    let (rides, annexes) = (
        position.rider_at(from).is_some(),
        is_enemy(position.carrier_at(from)),
    );
    let enemy_carrier = is_enemy(position.carrier_at(pattern.to));
    match pattern.arrival {
        Arrival::Above if !rides && enemy_carrier => Some(Riding::ClimbsOnOwn(from)),
        Arrival::Above => None,
        _ if annexes => Some(Riding::Annexes(from)),
        _ if pattern.role == Role::King && position.rider_at(pattern.to).is_some() => {
            Some(Riding::KingUnderRider(pattern.to))
        }
        _ => None,
    }
}

fn against_pawn(position: &Meta, pattern: &Pattern, named: Vec<Square>) -> Reason {
    let crossed = attacks::index(pattern.to).is_some_and(|to| position.crossed >> to & 1 == 1);
    let carrier_at = |on| position.carrier_at(on);
    match against_pawns(position, pattern, named, crossed, carrier_at) {
        reason @ (Reason::NoDoubleStep(_) | Reason::Backward(_) | Reason::OutOfReach(_)) => {
            ridden(position, pattern).unwrap_or(reason)
        }
        reason => reason,
    }
}

/// The enemy pieces that attack the mover's king after this move.
fn exposing(position: &Meta, from: Square, to: Square, above: bool) -> Vec<Square> {
    match position.any_move(from, to, above) {
        Some(m) => position.attackers_after(m).collect(),
        None => Vec::new(),
    }
}
