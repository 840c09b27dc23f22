//! What is played and what is counted to learn how often a ruling matters.

mod cases;
mod flags;
mod grid;
pub mod questions;
pub mod sets;
