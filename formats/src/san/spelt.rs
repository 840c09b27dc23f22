//! A ply as it is spelt.

use arrayvec::ArrayString;
use compact_str::CompactString;
use overboard_rules::{
    ply::{Arrival, BoardName, Pattern, Wing, Written},
    square::{Role, Square},
};
use std::fmt::{self, Write};

/// A written move in canonical spelling, without its suffix.
pub struct Spelt(pub Written);

/// Room for the longest move of any game with its sign.
pub type MoveText = ArrayString<16>;

/// Room for a ply of any length: on nested boards the way to its board stands before it.
pub type PlyText = CompactString;

impl Spelt {
    /// The move as text.
    #[must_use]
    pub fn text(&self) -> MoveText {
        let mut text = MoveText::new();
        match self.0 {
            Written::Castle(Wing::KingSide) => text.push_str("O-O"),
            Written::Castle(Wing::QueenSide) => text.push_str("O-O-O"),
            Written::Pass => text.push_str("--"),
            Written::Drop { role, to } | Written::PromotedDrop { role, to } => {
                text.push(role.letter());
                text.push('@');
                push_square(&mut text, to);
                if matches!(self.0, Written::PromotedDrop { .. }) {
                    text.push_str("=G");
                }
            }
            Written::Move(pattern) => push_move(&mut text, &pattern),
        }
        text
    }
}

impl fmt::Display for Spelt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

pub(super) fn push_move(text: &mut MoveText, pattern: &Pattern) {
    if pattern.role != Role::Pawn {
        text.push(pattern.role.letter());
    }
    if let Some(file) = pattern.file {
        text.push(Square::file_letter(file));
    }
    if let Some(rank) = pattern.rank {
        push_rank(text, rank);
    }
    if pattern.capture {
        text.push('x');
    }
    push_square(text, pattern.to);
    if let Some(role) = pattern.promotion {
        text.push('=');
        text.push(role.letter());
    }
    match pattern.arrival {
        Arrival::Here => {}
        Arrival::Above => text.push('^'),
        Arrival::Beside(board) => {
            text.push('/');
            // Three letters at the most.
            let _ = write!(text, "{}", BoardName(usize::from(board)));
        }
    }
}

/// Appends a square, such as `n14`.
pub fn push_square(text: &mut MoveText, square: Square) {
    text.push(Square::file_letter(square.file));
    push_rank(text, square.rank);
}

/// Appends a square of a mega-board, such as `A2`.
pub fn push_mega_square(text: &mut MoveText, square: Square) {
    text.push(Square::file_letter(square.file).to_ascii_uppercase());
    push_rank(text, square.rank);
}

/// Appends the address of the board that a square stands for, as `push` writes squares: `e5.`, `A2.`. Every ply of a
/// nested game has one, and the machinery of formats would take longer than the ply.
pub fn push_address(text: &mut PlyText, on: Square, push: fn(&mut MoveText, Square)) {
    let mut step = MoveText::new();
    push(&mut step, on);
    step.push('.');
    text.push_str(&step);
}

pub(super) fn push_rank(text: &mut MoveText, rank: u8) {
    let number = rank + 1;
    if number >= 10 {
        text.push(char::from(b'0' + number / 10));
    }
    text.push(char::from(b'0' + number % 10));
}
