//! Writing a ply in canonical SAN.

use arrayvec::ArrayString;
use compact_str::CompactString;
use overboard_rules::{
    path::BoardPath,
    ply::{Arrival, BoardName, Pattern, Wing, Written},
    square::{Role, Square},
};
use std::fmt::{self, Write};

/// A written move in canonical spelling, without its suffix.
pub struct Spelt(pub Written);

/// Room for the longest move of any game, with its suffix.
pub type MoveText = ArrayString<16>;

/// Room for a ply of any length, as on nested boards the path precedes it.
pub type PlyText = CompactString;

/// A ply of a game on one board as ASCII text, with the first letter in the lowest byte: texts are combined by shifting
/// numbers, and copied as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ShortText {
    words: [u64; 2],
    length: u32,
}

/// A part of a short text: up to four ASCII letters, padded with zeros, and their number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ShortPart {
    word: u32,
    length: u32,
}

impl ShortPart {
    /// The first `length` of these letters.
    #[must_use]
    pub const fn new(letters: [u8; 4], length: u32) -> Self {
        let word = u32::from_le_bytes(letters);
        if length < 4 {
            Self {
                word: word & ((1 << (8 * length)) - 1),
                length,
            }
        } else {
            Self { word, length: 4 }
        }
    }
}

impl ShortText {
    /// The length of the longest text, in bytes.
    pub const ROOM: usize = 16;

    /// The text made of two parts, which always fit.
    #[inline]
    #[must_use]
    pub const fn of(first: ShortPart, second: ShortPart) -> Self {
        let word = first.word as u64 | (second.word as u64) << (8 * first.length);
        Self {
            words: [word, 0],
            length: first.length + second.length,
        }
    }

    /// Appends a part; what does not fit is left out.
    #[inline]
    pub const fn push(&mut self, ShortPart { word, length }: ShortPart) {
        let at = self.length;
        if at <= 4 {
            self.words[0] |= (word as u64) << (8 * at);
            self.length += length;
        } else if at + length <= Self::ROOM as u32 {
            let wide = (word as u128) << (8 * at);
            self.words[0] |= wide as u64;
            self.words[1] |= (wide >> 64) as u64;
            self.length += length;
        }
    }

    /// The whole buffer, and the length of the text in it.
    #[inline]
    #[must_use]
    pub const fn padded(&self) -> ([u8; Self::ROOM], usize) {
        let wide = self.words[0] as u128 | (self.words[1] as u128) << 64;
        (wide.to_le_bytes(), self.length as usize)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> PlyText {
        let (bytes, length) = self.padded();
        std::str::from_utf8(bytes.get(..length).unwrap_or_default())
            .unwrap_or_default()
            .into()
    }
}

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

fn push_move(text: &mut MoveText, pattern: &Pattern) {
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
            // The name of a board has at most three letters.
            let _ = write!(text, "{}", BoardName(usize::from(board)));
        }
    }
}

/// Appends a square, such as `n14`.
#[inline]
pub fn push_square(text: &mut MoveText, square: Square) {
    text.push(Square::file_letter(square.file));
    push_rank(text, square.rank);
}

/// Appends a square of a mega-board, such as `A2`.
pub fn push_mega_square(text: &mut MoveText, square: Square) {
    text.push(Square::file_letter(square.file).to_ascii_uppercase());
    push_rank(text, square.rank);
}

/// Appends the address of the board on a square, such as `e5.` or `A2.`; `push` writes the square. Every ply of a
/// nested game has an address, and `format!` would take longer than finding the ply.
pub fn push_address(text: &mut PlyText, on: Square, push: fn(&mut MoveText, Square)) {
    let mut step = MoveText::new();
    push(&mut step, on);
    step.push('.');
    text.push_str(&step);
}

/// The addresses of all boards on a path, outermost first, such as `e5.b7.`; empty for the outermost board. `push` writes a
/// square.
#[must_use]
pub fn addresses(path: &BoardPath, push: fn(&mut MoveText, Square)) -> PlyText {
    let mut text = PlyText::default();
    for on in path.squares() {
        push_address(&mut text, on, push);
    }
    text
}

fn push_rank(text: &mut MoveText, rank: u8) {
    let number = rank + 1;
    if number >= 10 {
        text.push(char::from(b'0' + number / 10));
    }
    text.push(char::from(b'0' + number % 10));
}
