//! The vocabulary of games: squares and pieces, plies, paths, outcomes, rules, refusals, repetition, perft, and the
//! traits of a position and of a game in progress. This crate knows no particular game and no text format.
//!
//! Pure: no files, no clock, no threads, no printing. A position finds the move a player wrote, or
//! refuses it with the rule that it breaks:
//!
//! ```
//! use overboard_games::chess::Chess;
//! use overboard_rules::{
//!     ply::{Arrival, Pattern, Written}, position::{Found, Movegen}, refusal::Refusal, square::{Role, Square},
//! };
//!
//! let start = Chess::default();
//! let knight_to = |file, rank| Written::Move(Pattern {
//!     role: Role::Knight, file: None, rank: None, capture: false, to: Square::new(file, rank), promotion: None,
//!     arrival: Arrival::Here,
//! });
//! assert!(matches!(start.find(&knight_to(5, 2)), Found::One(_)));
//! let refusal = Refusal::of(&start, &knight_to(4, 3)).expect("no knight reaches e4 in one move");
//! assert_eq!(refusal.rule().id, "CH-8");
//! assert_eq!(refusal.to_string(), "no white knight can move to e4 from b1 or g1");
//! ```

pub mod by_side;
pub mod game;
pub mod general;
pub mod geometry;
pub mod hash;
pub mod origin;
pub mod outcome;
pub mod path;
pub mod perft;
pub mod ply;
pub mod position;
pub mod refusal;
pub mod repetition;
pub mod riding;
pub mod rule;
pub mod setup;
pub mod square;
pub mod variant;
