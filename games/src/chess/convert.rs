//! Converts between the types of the orthodox-chess library and ours.

use overboard_rules::{
    ply::Wing,
    square::{Piece, Role, Side, Square},
};
use shakmaty::CastlingSide;

#[inline]
pub(super) fn square_to(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(u32::from(square.rank) * 8 + u32::from(square.file))
}

#[inline]
pub(super) fn square_from(square: shakmaty::Square) -> Square {
    let index = u8::from(square);
    Square::new(index % 8, index / 8)
}

pub(super) const fn side_from(color: shakmaty::Color) -> Side {
    match color {
        shakmaty::Color::White => Side::White,
        shakmaty::Color::Black => Side::Black,
    }
}

pub(super) const fn color_to(side: Side) -> shakmaty::Color {
    match side {
        Side::White => shakmaty::Color::White,
        Side::Black => shakmaty::Color::Black,
    }
}

pub(super) const fn wing_to(wing: Wing) -> CastlingSide {
    match wing {
        Wing::KingSide => CastlingSide::KingSide,
        Wing::QueenSide => CastlingSide::QueenSide,
    }
}

pub(super) const fn role_from(role: shakmaty::Role) -> Role {
    match role {
        shakmaty::Role::Pawn => Role::Pawn,
        shakmaty::Role::Knight => Role::Knight,
        shakmaty::Role::Bishop => Role::Bishop,
        shakmaty::Role::Rook => Role::Rook,
        shakmaty::Role::Queen => Role::Queen,
        shakmaty::Role::King => Role::King,
    }
}

/// The library's kinds of pieces, in the order of ours.
const ROLES: [Option<shakmaty::Role>; 8] = {
    let mut roles = [None; 8];
    let mut at = 0;
    while at < shakmaty::Role::ALL.len() {
        let role = shakmaty::Role::ALL[at];
        roles[role_from(role) as usize] = Some(role);
        at += 1;
    }
    roles
};

// A table, because a branch for each kind of piece would be mispredicted at every other move of a record.
#[inline]
pub(super) const fn role_to(role: Role) -> Option<shakmaty::Role> {
    ROLES[role as usize]
}

pub(super) fn piece_from(piece: shakmaty::Piece) -> Piece {
    Piece {
        side: side_from(piece.color),
        role: role_from(piece.role),
    }
}

pub(super) fn piece_to(piece: Piece) -> Option<shakmaty::Piece> {
    role_to(piece.role).map(|role| role.of(color_to(piece.side)))
}
