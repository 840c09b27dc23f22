//! Shared code of the games on eight by eight squares.

pub mod attacks;
pub mod board;
