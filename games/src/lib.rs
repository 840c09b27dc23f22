//! The games, one folder for each: laws, legal moves, endings, notation, drawing, options, and how its records are
//! judged.
//!
//! What games on boards of eight by eight share is in [`board8`], what all games on one board share in [`one_board`].
//! [`registry`] is the one list of games, and [`registry::AnyGame`] a position of any of them. [`referee`] judges whole
//! records, whatever their game. A position alone can be played on, too:
//!
//! ```
//! use overboard_games::registry::{AnyGame, Variant};
//! use overboard_referee::game::notation::Notation;
//! use overboard_rules::game::Game;
//!
//! let game = Variant::of(Some(b"Olympic Chess")).expect("a game in the registry");
//! let start = AnyGame::agreed(game, 1, None, "").expect("one board, no level, no options");
//! assert_eq!(start.variant(), game);
//! assert!(start.count_legal() > 0);
//! ```

pub mod board8;
pub mod bughouse;
pub mod chess;
pub mod chess960;
pub mod coordinates;
pub mod crazyhouse;

mod bits;
pub mod cecp_edit;
pub mod fen;
pub mod illegal_coordinates;
pub mod laws;
pub mod mega;
pub mod metachess;
pub mod olympic;
pub mod one_board;
pub mod overchess;
pub mod referee;
pub mod registry;
pub mod side_by_side;
pub mod strategichess;
