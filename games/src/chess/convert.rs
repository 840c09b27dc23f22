//! Converts between the types of the orthodox-chess library and ours.

use overboard_rules::{
    ply::Wing,
    square::{Piece, Role, Side, Square},
};
use shakmaty::{CastlingSide, Color, Role as Kind};

#[inline]
pub(super) fn square_to(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(u32::from(square.rank) * 8 + u32::from(square.file))
}

#[inline]
pub(super) fn square_from(square: shakmaty::Square) -> Square {
    let index = u8::from(square);
    Square::new(index % 8, index / 8)
}

pub(super) const fn side_from(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

pub(super) const fn color_to(side: Side) -> Color {
    match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}

pub(super) const fn wing_to(wing: Wing) -> CastlingSide {
    match wing {
        Wing::KingSide => CastlingSide::KingSide,
        Wing::QueenSide => CastlingSide::QueenSide,
    }
}

/// Both list the kinds of chess in the same order, and the library counts from 1.
pub(super) const fn role_from(role: Kind) -> Role {
    Role::OF_CHESS[role as usize - 1]
}

// A table, because a branch for each kind of piece would be mispredicted at every other move of a record.
#[inline]
pub(super) fn role_to(role: Role) -> Option<Kind> {
    Kind::ALL.get(role as usize).copied()
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
