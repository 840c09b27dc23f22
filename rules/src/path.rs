//! Addresses of boards inside boards.

use crate::{game::BoardId, square::Square};
use std::{cmp::Ordering, fmt};

/// The maximum length of a path, in steps.
pub const DEEPEST: usize = 64;

/// The path to a board, from the outermost inwards: each step is the square that holds the next board. The empty path
/// is the outermost board. A plain value that is cheap to copy.
#[derive(Clone, Copy)]
pub struct BoardPath {
    steps: [u8; DEEPEST],
    length: u8,
}

impl BoardPath {
    /// The outermost board.
    pub const OUTERMOST: Self = Self {
        steps: [0; DEEPEST],
        length: 0,
    };

    /// The board on a square of the board at the end of this path; the path itself if it already has the maximum
    /// length.
    #[must_use]
    pub fn on(mut self, square: Square) -> Self {
        self.push(index(square));
        self
    }

    /// The first `around` steps of the path.
    #[must_use]
    pub fn outer(&self, around: usize) -> Self {
        Self {
            length: self.length.min(around.min(DEEPEST) as u8),
            ..*self
        }
    }

    /// The squares, outermost first.
    pub fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        self.steps().iter().map(|step| square(*step))
    }

    /// The number of steps.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether this is the outermost board.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The squares as numbers, from `A1` along the ranks.
    #[must_use]
    pub fn steps(&self) -> &[u8] {
        &self.steps[..self.len()]
    }

    /// Adds a step, unless the path has [`DEEPEST`] steps.
    pub fn push(&mut self, step: u8) {
        if let Some(slot) = self.steps.get_mut(self.length as usize) {
            *slot = step;
            self.length += 1;
        }
    }

    /// Removes the last step.
    pub const fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
    }
}

/// The number of a square on an 8x8 board, from `a1` along the ranks.
#[must_use]
pub const fn index(square: Square) -> u8 {
    square.rank * 8 + square.file
}

/// The square with this number.
#[must_use]
pub const fn square(index: u8) -> Square {
    Square::new(index % 8, index / 8)
}

/// All squares of an 8x8 board in the order of their numbers: a1, b1, … h8.
pub fn squares() -> impl Iterator<Item = Square> {
    (0..64).map(square)
}

impl PartialEq for BoardPath {
    fn eq(&self, other: &Self) -> bool {
        self.steps() == other.steps()
    }
}

impl Eq for BoardPath {}

impl Ord for BoardPath {
    /// A board comes before those inside it, and `A1` before `B1`.
    fn cmp(&self, other: &Self) -> Ordering {
        self.steps().cmp(other.steps())
    }
}

impl PartialOrd for BoardPath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for BoardPath {
    fn default() -> Self {
        Self::OUTERMOST
    }
}

impl BoardId for BoardPath {
    const WHOLE: Self = Self::OUTERMOST;

    fn contains(self, other: Self) -> bool {
        other.steps().starts_with(self.steps())
    }
}

impl fmt::Debug for BoardPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for BoardPath {
    /// Writes `A2.B1`, and nothing for the outermost board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, square) in self.squares().enumerate() {
            write!(f, "{}{}", if at > 0 { "." } else { "" }, MegaSquare(square))?;
        }
        Ok(())
    }
}

/// A square of a mega-board, written with a capital letter: `A2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MegaSquare(pub Square);

impl fmt::Display for MegaSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            Square::file_letter(self.0.file).to_ascii_uppercase(),
            self.0.rank + 1
        )
    }
}
