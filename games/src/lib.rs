//! The games, one folder for each: legal moves, endings, notation, drawing and options.
//!
//! A folder contains the laws of its game as texts (`laws`), its positions, moves, refusals and set-ups, and its
//! notation. What games on boards of eight by eight share is in [`board8`]. [`registry`] is the one list of games, and
//! [`registry::AnyGame`] a position of any of them.
//!
//! `overboard-referee` judges whole records and reports findings. A position alone can be played on with this crate:
//!
//! ```
//! use overboard_games::{game_notation::GameNotation, registry::{AnyGame, Variant}};
//! use overboard_rules::game::Game;
//!
//! let game = Variant::of(Some(b"Olympic Chess")).expect("a game in the registry");
//! let start = AnyGame::agreed(game, 1, None, "").expect("one board, no level, no options");
//! assert_eq!(start.variant(), game);
//! assert!(start.count_legal() > 0);
//! ```

pub mod board8;
pub mod catalogue;
pub mod chess;
pub mod chess960;
pub mod coordinates;
pub mod edit;
pub mod fen;
pub mod game_notation;
pub mod laws;
pub mod mega;
pub mod metachess;
pub mod notation;
mod nth;
pub mod olympic;
pub mod overchess;
pub mod playable;
pub mod recorded;
pub mod refused;
pub mod registry;
pub mod strategichess;
pub mod tags;
