//! A ply in canonical form, as the referee passes it to writers.

use crate::san::{MoveText, PlyText, Suffix, addresses, push_mega_square};
use overboard_rules::{
    path::BoardPath,
    ply::{BoardName, Written},
    position::Act,
    square::Side,
};

/// A legal ply, as it is to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canonical {
    /// The move, with no more of its origin than is needed to disambiguate.
    pub written: Written,
    /// The suffix that it must have.
    pub suffix: Suffix,
    /// The side that makes it.
    pub side: Side,
    /// The number of the move.
    pub number: u32,
    /// The move in coordinates.
    pub coordinates: MoveText,
    /// What the move does; `None` for a pass and on linked boards.
    pub act: Option<Act>,
    /// The linked board from which it is made.
    pub board: Option<u16>,
    /// The path to the nested board on which it is made.
    pub path: BoardPath,
}

impl Canonical {
    /// The ply in coordinates, prefixed with the path to its board.
    #[must_use]
    pub fn in_full(&self) -> PlyText {
        let mut text = addressed(&self.path);
        text.push_str(&self.coordinates);
        text
    }
}

/// The number of a ply on linked boards: `12A.` for White, `12a.` for Black.
#[must_use]
pub fn board_number(board: u16, number: u32, side: Side) -> String {
    let name = BoardName(usize::from(board)).to_string();
    match side {
        Side::White => format!("{number}{name}."),
        Side::Black => format!("{number}{}.", name.to_lowercase()),
    }
}

/// The moment after a side's move, as `show --at` takes it: `12w` or `12b`.
#[must_use]
pub fn after_move(number: u32, side: Side) -> String {
    format!("{number}{}", if side == Side::White { "w" } else { "b" })
}

/// The address of a board and the dot after it; empty for the outermost board.
#[must_use]
pub fn addressed(path: &BoardPath) -> PlyText {
    addresses(path, push_mega_square)
}
