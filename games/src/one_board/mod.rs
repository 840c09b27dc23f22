//! Games on one board: everything that follows from a [`Position`](overboard_rules::position::Position) that can be
//! written ([`BoardNotation`](notation::BoardNotation)) and evaluated ([`BoardValues`](play::BoardValues)).
//!
//! ```
//! use overboard_games::{one_board::OneBoard, olympic::Olympic};
//! use overboard_referee::game::notation::Notation;
//! use overboard_rules::game::Game;
//!
//! // All that Olympic Chess defines is its position; that it is a game follows.
//! let mut game = OneBoard(Olympic::default());
//! let ply = game.by_coordinates("a2a3").expect("a pawn's move");
//! game.play(ply);
//! assert!(game.fen().contains(" b "));
//! ```
//!
//! # The smallest game
//!
#![doc = include_str!("smallest.md")]

mod game;
mod judge;
pub mod notation;
pub mod play;
pub mod record;
#[cfg(test)]
mod tests;

pub use game::OneBoard;
pub(crate) use judge::standing_acts;

use overboard_rules::setup::Impossible;

/// Of reasons against a position, those that hold.
pub(crate) fn holding(reasons: impl IntoIterator<Item = (bool, Impossible)>) -> Vec<Impossible> {
    let mut holding = Vec::new();
    for (is_so, reason) in reasons {
        if is_so {
            holding.push(reason);
        }
    }
    holding
}
