//! Crazyhouse: chess in which a captured piece goes to its captor's pocket, and may be dropped instead of a move.
//!
//! On the board it is [`chess`](crate::chess), from the orthodox array or from one of Chess960, with the same code. Here
//! are the pockets, the drops, the pieces that were promoted, and what they change about ends and FENs.
//!
//! ```
//! use overboard_games::{crazyhouse::Crazyhouse, one_board::notation::BoardNotation};
//! use overboard_rules::position::Movegen;
//!
//! let mut game = Crazyhouse::default();
//! for ply in ["e2e4", "d7d5", "e4d5", "d8d5"] {
//!     game.play(game.at(ply).unwrap());
//! }
//! assert!(game.fen().starts_with("rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w"));
//! assert_eq!(game.san(game.at("P@e6").unwrap()).as_str(), "P@e6");
//! ```

mod draws;
mod irregular;
pub mod laws;
mod movegen;
mod notation;
mod pockets;
mod refusal;
mod rulings;
mod values;

pub use draws::Snapshot;
pub use notation::{CrazyhouseLaws, INFO, INFO_960};
pub(crate) use notation::{SetUp, exceeds, set_up};
pub use pockets::{HELD, Pockets};

use crate::{
    chess::{ChessBy, ChessLaws, Move, Orthodox},
    chess960::Shuffled,
};
use overboard_rules::{
    position::Movegen as _,
    square::{Role, Side, Square},
};

/// A position of Crazyhouse.
pub type Crazyhouse = CrazyhouseBy<Orthodox>;

/// A position of Crazyhouse with the castling and the arrays of Chess960 (CZ-5).
pub type Crazyhouse960 = CrazyhouseBy<Shuffled>;

/// A position of Crazyhouse, whose laws of castling are those of a game of chess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrazyhouseBy<L> {
    chess: ChessBy<L>,
    pockets: Pockets,
    /// The squares of promoted pieces; bit 0 is `a1`.
    promoted: u64,
    agreed: Agreed,
}

/// What the players have agreed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Agreed {
    /// Whether a fallen flag loses whatever the opponent has (CZ-4).
    pub flag_always_loses: bool,
}

impl<L: ChessLaws> Default for CrazyhouseBy<L> {
    fn default() -> Self {
        Self {
            chess: ChessBy::default(),
            pockets: Pockets::default(),
            promoted: 0,
            agreed: Agreed::default(),
        }
    }
}

impl<L: ChessLaws> CrazyhouseBy<L> {
    /// What both players hold.
    #[must_use]
    pub const fn pockets(&self) -> &Pockets {
        &self.pockets
    }

    /// Whether the piece on a square was promoted, so that it is a pawn once it is captured.
    #[must_use]
    pub const fn is_promoted(&self, square: Square) -> bool {
        self.promoted & bit(square) != 0
    }

    /// Keeps track of promoted pieces when a move on the board is made. Returns what it takes, as it goes to a pocket: a
    /// promoted piece as a pawn.
    #[inline]
    fn account(&mut self, m: Move) -> Option<Role> {
        let (from, to) = (bit(m.from()), bit(m.to()));
        let was_promoted = self.promoted & to != 0 && !m.is_en_passant();
        let is_promoted = self.promoted & from != 0 || m.promotion().is_some();
        self.promoted &= !(from | to);
        if is_promoted {
            self.promoted |= to;
        }
        let taken = m.captured()?;
        Some(if was_promoted { Role::Pawn } else { taken })
    }

    /// Makes a move whose capture goes into no pocket of this board. Returns what it takes, as it goes to a pocket.
    #[inline]
    pub(crate) fn make(&mut self, m: Move) -> Option<Role> {
        let taken = match m.dropped() {
            Some(role) => {
                let side = self.chess.turn();
                self.pockets.take(side, role);
                None
            }
            None => self.account(m),
        };
        self.chess.play(m);
        taken
    }

    /// Puts a piece into a pocket.
    #[inline]
    pub(crate) fn put(&mut self, side: Side, role: Role) {
        self.pockets.put(side, role);
    }
}

/// The bit of a square in a set; none for a square that the board does not have.
#[inline]
const fn bit(square: Square) -> u64 {
    if is_on_board(square) {
        1 << (square.rank * 8 + square.file)
    } else {
        0
    }
}

/// Whether the board has a square.
#[inline]
const fn is_on_board(square: Square) -> bool {
    square.file < 8 && square.rank < 8
}
