//! Pictures of boards: a description of the picture as values, and two writers for it.
//!
//! A [`Diagram`](diagram::Diagram) holds rows of [`Panel`](diagram::Panel)s, a panel the squares of one
//! board, and a square what stands there: a piece, a stack, two pieces who fight for it, or a whole board of
//! its own. [`text`] writes it for terminals and screen readers, [`svg`] for paper and pages. The writers
//! know no rules: what a diagram says is what its maker put there. Words in it may come from anywhere;
//! the writers show them by way of [`foreign`].
//!
//! ```
//! use overboard_pictures::{diagram::{Cell, Diagram, DrawnPiece, Panel}, svg, text};
//! use overboard_rules::square::{Piece, Square};
//!
//! let mut panel = Panel::new(3, 2);
//! panel.put(Square::new(1, 0), Cell::Piece(DrawnPiece::of(Piece::from_letter(b'K').expect("a king"))));
//! let diagram = Diagram::of(panel);
//! let ascii = text::Options { ascii: true, ..text::Options::default() };
//! assert_eq!(text::draw(&diagram, &ascii), "2  . . .\n1  . K .\n   a b c\n");
//! assert!(svg::draw(&diagram, &svg::Options::default()).starts_with("<svg "));
//! ```

pub mod chart;
pub mod diagram;
pub mod film;
pub mod foreign;
mod glyphs;
mod pieces;
#[cfg(test)]
mod scenes;
pub mod svg;
#[cfg(test)]
mod tests;
pub mod text;
