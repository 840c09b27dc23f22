//! Chess960: chess from a first rank drawn by lot, with castling adapted to it.
//!
//! Its pieces, moves, ends and refusals are those of [`chess`](crate::chess). Only what is different about castling,
//! initial positions and their FENs is here.
//!
//! ```
//! use overboard_games::{chess960::{Chess960, array}, one_board::notation::BoardNotation};
//! use overboard_rules::position::Movegen;
//!
//! let position = Chess960::read(&array(0).unwrap()).unwrap().position;
//! assert_eq!(position.fen(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
//! assert_eq!(position.count_legal(), 20);
//! ```

use crate::chess::ChessBy;

mod arrays;
pub mod laws;
mod notation;
mod rulings;

pub use arrays::{ARRAYS, ORTHODOX, array};
pub use notation::INFO;

/// A legal position of Chess960.
pub type Chess960 = ChessBy<Shuffled>;

/// The differences of Chess960 from orthodox chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shuffled;
