//! What the games on eight by eight squares share.

pub mod attacks;
pub mod board;
