//! The games, a folder each: what is legal, what ends them, how they are written, drawn and agreed on.
//!
//! A folder holds the laws of its game as texts (`laws`), its positions, moves, refusals and set-ups, and its notation. What games
//! on eight by eight squares share stands in [`board8`]. [`registry`] is the one list of games, and [`registry::AnyGame`] a position of any
//! of them.

pub mod board8;
pub mod chess;
pub mod chess960;
pub mod coordinates;
pub mod fen;
pub mod game_notation;
pub mod laws;
pub mod mega;
pub mod metachess;
pub mod notation;
pub mod olympic;
pub mod overchess;
pub mod playable;
pub mod recorded;
pub mod refused;
pub mod registry;
pub mod strategichess;
pub mod tags;
