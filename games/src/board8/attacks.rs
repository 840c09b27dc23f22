//! Attack tables of the 8x8 board, as bitboards: `a1` is bit 0, then along the ranks.
//!
//! The tables are those of the orthodox-chess library.

use overboard_rules::square::{Role, Side, Square};
use shakmaty::{Bitboard, Color, attacks};

/// The squares of a set, `a1` first.
#[derive(Clone, Copy)]
pub(crate) struct SquareSet(pub(crate) u64);

impl Iterator for SquareSet {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let set = self.0;
        (set != 0).then(|| {
            self.0 = set & (set - 1);
            set.trailing_zeros()
        })
    }
}

/// The number of a square; `None` off this board.
#[inline]
pub(crate) const fn index(square: Square) -> Option<u32> {
    if square.file < 8 && square.rank < 8 {
        Some(square.rank as u32 * 8 + square.file as u32)
    } else {
        None
    }
}

/// The square with this number.
#[inline]
pub(crate) const fn square_at(index: u32) -> Square {
    Square::new((index % 8) as u8, (index / 8) as u8)
}

/// The squares of a file, counted from 0; none if it is off this board.
#[inline]
pub(crate) const fn file(file: u8) -> u64 {
    if file < 8 {
        0x0101_0101_0101_0101 << file
    } else {
        0
    }
}

/// The squares of a rank, counted from 0; none if it is off this board.
#[inline]
pub(crate) const fn rank(rank: u8) -> u64 {
    if rank < 8 { 0xff << (8 * rank) } else { 0 }
}

/// The rank on which the side's officers begin.
#[inline]
pub(crate) const fn first_rank(side: Side) -> u64 {
    match side {
        Side::White => rank(0),
        Side::Black => rank(7),
    }
}

/// The rank on which the side promotes.
#[inline]
pub(crate) const fn last_rank(side: Side) -> u64 {
    first_rank(side.other())
}

/// Every pawn one square towards its last rank.
#[inline]
pub(crate) const fn forward(pawns: u64, side: Side) -> u64 {
    match side {
        Side::White => pawns << 8,
        Side::Black => pawns >> 8,
    }
}

/// Every pawn one square towards file `a`.
#[inline]
pub(crate) const fn west(pawns: u64) -> u64 {
    pawns >> 1 & !file(7)
}

/// Every pawn one square towards file `h`.
#[inline]
pub(crate) const fn east(pawns: u64) -> u64 {
    pawns << 1 & !file(0)
}

/// The squares that a pawn of the side attacks.
#[inline]
pub(crate) fn pawn(from: impl Into<u32>, side: Side) -> u64 {
    let color = Color::from_white(side == Side::White);
    attacks::pawn_attacks(color, at(from.into())).into()
}

/// The squares that a knight attacks.
#[inline]
pub(crate) fn knight(from: u32) -> u64 {
    attacks::knight_attacks(at(from)).into()
}

/// The squares that a king attacks.
#[inline]
pub(crate) fn king(from: u32) -> u64 {
    attacks::king_attacks(at(from)).into()
}

/// The squares that a bishop attacks, up to and including the first occupied ones.
#[inline]
pub(crate) fn bishop(from: u32, occupied: u64) -> u64 {
    attacks::bishop_attacks(at(from), Bitboard(occupied)).into()
}

/// The squares that a rook attacks, up to and including the first occupied ones.
#[inline]
pub(crate) fn rook(from: u32, occupied: u64) -> u64 {
    attacks::rook_attacks(at(from), Bitboard(occupied)).into()
}

/// Where an officer can go if only `occupied` squares block it, up to and including the first of them; nowhere for a
/// pawn.
#[inline]
pub(crate) fn reach(role: Role, from: impl Into<u32>, occupied: u64) -> u64 {
    let from = from.into();
    match role {
        Role::Knight => knight(from),
        Role::Bishop => bishop(from, occupied),
        Role::Rook => rook(from, occupied),
        Role::Queen => bishop(from, occupied) | rook(from, occupied),
        Role::King => king(from),
        Role::Pawn | Role::Silver | Role::Gold => 0,
    }
}

/// The squares strictly between two squares on a line; none if they share no line.
#[inline]
pub(crate) fn between(a: u32, b: u32) -> u64 {
    attacks::between(at(a), at(b)).into()
}

/// All squares of the line through two squares; none if they share no line.
#[inline]
pub(crate) fn line(a: u32, b: u32) -> u64 {
    attacks::ray(at(a), at(b)).into()
}

#[inline]
fn at(index: u32) -> shakmaty::Square {
    shakmaty::Square::new(index)
}
