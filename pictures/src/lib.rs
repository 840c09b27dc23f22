//! Pictures of boards: a description of a picture as values, and two writers for it.
//!
//! A [`Diagram`](diagram::Diagram) has rows of [`Panel`](diagram::Panel)s, a panel has the squares of one board, and a
//! square has its contents: a piece, a stack, two pieces that contest the square, or a whole board. [`text`] writes
//! diagrams for terminals and screen readers, [`svg`] for paper and pages. The writers know no rules and draw whatever
//! a diagram says. Its words may come from anywhere, so the writers display them by way of
//! [`overboard_formats::foreign`].
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

pub mod animation;
pub mod chart;
pub mod diagram;
mod glyphs;
mod pieces;
#[cfg(test)]
mod scenes;
pub mod svg;
#[cfg(test)]
mod tests;
pub mod text;
