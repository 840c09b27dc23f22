//! Boards side by side, each with its own turn: how records name them, and what is read and written of them in every game
//! that is played so.
//!
//! ```
//! use overboard_games::side_by_side::LinkedBoard;
//!
//! assert_eq!(LinkedBoard::of(1).to_string(), "B");
//! ```

pub(crate) mod addresses;
pub(crate) mod board;
pub(crate) mod commands;
pub(crate) mod fens;
pub(crate) mod record;
pub(crate) mod seen;

pub use addresses::Addresses;
pub use board::LinkedBoard;
pub use commands::fallen;
pub use record::Plies;

use overboard_formats::san::Suffix;
use overboard_referee::{game::judge::Judge, hearing::Hearing};

/// The separator between the FENs of two boards.
pub const SEAM: &str = " | ";

/// A game on boards side by side.
pub trait SideBySide: Judge<Board = LinkedBoard> {
    /// What the numbers of a record have said of boards.
    fn addresses_mut(own: &mut Self::Own) -> &mut Addresses;
    /// Whether a turn on a board may have passed without being known, so that its numbers are one further.
    fn may_be_further(&self, _board: usize) -> bool {
        false
    }
    /// Whether records may have capital letters of boards for both colours, if small ones do not occur in them.
    const MAY_HAVE_CAPITALS: bool = false;
    /// A ply was taken for one of the side to move, although its number has a capital letter.
    fn took_by_turn(_hearing: &mut Hearing<'_, Self>) {}
    /// The sign of a ply made here; `after` is the position after it.
    fn sign_of(&self, ply: Self::Ply, after: &Self) -> Suffix;
}
