//! A ply in canonical form: what the referee passes to writers.

use crate::san::{MoveText, PlyText, Suffix, push_address, push_mega_square};
use overboard_rules::{
    path::BoardPath,
    ply::{BoardName, Written},
    position::Act,
    square::Side,
};

/// A ply found legal, as it is to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canonical {
    /// The move, with no more of its origin than needed.
    pub written: Written,
    /// The sign that it must carry.
    pub suffix: Suffix,
    /// The side that makes it.
    pub side: Side,
    /// The number of the move.
    pub number: u32,
    /// The move in coordinates.
    pub coordinates: MoveText,
    /// What the move does; `None` for a pass and on linked boards.
    pub act: Option<Act>,
    /// The board that it is made from, among linked ones.
    pub board: Option<u16>,
    /// The way to the board that it is made on, among nested ones.
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

/// The moment after a move of a side, as `show --at` takes it: `12w` and `12b`.
#[must_use]
pub fn after_move(number: u32, side: Side) -> String {
    format!("{number}{}", if side == Side::White { "w" } else { "b" })
}

/// The address of a board with the dot after it; nothing for the outermost.
#[must_use]
pub fn addressed(path: &BoardPath) -> PlyText {
    let mut text = PlyText::default();
    path.squares().for_each(|on| push_address(&mut text, on, push_mega_square));
    text
}
