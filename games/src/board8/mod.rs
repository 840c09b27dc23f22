//! Shared code of the games on boards of eight by eight.

pub mod attacks;
pub mod board;
