//! The words of the library of orthodox chess, and ours.

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

#[inline]
pub(super) const fn role_to(role: Role) -> Option<shakmaty::Role> {
    Some(match role {
        Role::Pawn => shakmaty::Role::Pawn,
        Role::Knight => shakmaty::Role::Knight,
        Role::Bishop => shakmaty::Role::Bishop,
        Role::Rook => shakmaty::Role::Rook,
        Role::Queen => shakmaty::Role::Queen,
        Role::King => shakmaty::Role::King,
        Role::Silver | Role::Gold => return None,
    })
}

pub(super) fn piece_from(piece: shakmaty::Piece) -> Piece {
    Piece { side: side_from(piece.color), role: role_from(piece.role) }
}

pub(super) fn piece_to(piece: Piece) -> Option<shakmaty::Piece> {
    role_to(piece.role).map(|role| role.of(color_to(piece.side)))
}
