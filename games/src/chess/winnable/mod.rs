//! Whether a side can still mate by any series of legal moves (GEN-3, GEN-10).
//!
//! The question is answered in three steps, each only where the one before says nothing:
//!
//! 1. `freedom`: both sides move freely, and the side has the force to mate. Nearly every position of a game is so.
//! 2. `walls`: a proof that a blocked board keeps the men apart for ever.
//! 3. `search`: a search for a helpmate through the positions that can follow, up to a number of them. Where it runs out
//!    of positions there is none.
//!
//! ```
//! use overboard_games::chess::{Chess, winnable::{Never, Winnable}};
//! use overboard_games::one_board::notation::BoardNotation;
//! use overboard_rules::square::Side;
//!
//! let read = |fen| Chess::read(fen).unwrap().position;
//! let blocked = read("8/8/2k5/p1p1p1p1/P1P1P1P1/2K5/8/8 w - - 0 1");
//! assert!(matches!(blocked.winnable(Side::White, Some(1000)), Winnable::Never(Never::Walls(_))));
//! let corner = read("k7/8/1K6/8/8/8/8/7R w - - 0 1");
//! let Winnable::By(line) = corner.winnable(Side::White, Some(1000)) else { panic!("a mate in one") };
//! assert_eq!(line.len(), 1);
//! ```

mod estimate;
mod freedom;
mod mating;
mod search;
mod walls;

use super::{ChessBy, ChessLaws, color_to};
use overboard_formats::san::MoveText;
use overboard_rules::{
    outcome::Prospect,
    position::Movegen as _,
    square::{Side, Square},
};
use shakmaty::{Bitboard, Position as _};

/// How many positions are searched for a mate before the question is left undecided.
///
/// Of 3,312 questions about positions made to be hard (those that come with the Chess Unwinnability Analyzer, FUN 2022),
/// this number leaves fewer than 1 % undecided; a tenth of it 2 %. It takes up to half a second and 80 MB. Positions from
/// play need 20 on average.
pub const NODES: u32 = 500_000;

/// Whether a side can win by mate, with what shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Winnable {
    /// By these moves of both sides, in coordinates; the last of them mates, and there are none if the mate is on the board.
    By(Vec<MoveText>),
    /// Both sides move freely, and it has the force: no moves were looked for.
    Surely,
    /// Never.
    Never(Never),
    /// No mate was found in as many positions as were allowed.
    Undecided,
}

/// Why a side can never mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Never {
    /// There are too few men on the board.
    Material,
    /// The board is blocked.
    Walls(Box<Wall>),
    /// All series of moves end without a mate; this many positions were looked at.
    Forced(u32),
}

/// What keeps the men apart on a blocked board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wall {
    /// The men that stand where they are for ever.
    pub fixed: Vec<Square>,
    /// The squares that the king who would be mated may ever reach.
    pub reach: Vec<Square>,
}

impl<L: ChessLaws> ChessBy<L> {
    /// Whether a side can still mate by any series of legal moves, not the shortest; at most this many positions are
    /// searched. Without a number it is said as a judge needs it: a position of much freedom counts as won without a series
    /// of moves, and at most [`NODES`] positions are searched.
    #[must_use]
    pub fn winnable(&self, side: Side, nodes: Option<u32>) -> Winnable {
        let color = color_to(side);
        if self.lacks_men(side) {
            return Winnable::Never(Never::Material);
        }
        if nodes.is_none() && freedom::has(&self.position, color) {
            return Winnable::Surely;
        }
        if let Some(wall) = walls::keep_out(&self.position, color) {
            return Winnable::Never(Never::Walls(Box::new(wall)));
        }
        search::mate(self, color, nodes.unwrap_or(NODES), nodes.is_none())
    }

    /// What that means for a result.
    #[must_use]
    pub fn prospect(&self, side: Side) -> Prospect {
        match self.winnable(side, None) {
            Winnable::By(_) | Winnable::Surely => Prospect::Open,
            Winnable::Never(_) => Prospect::Never,
            Winnable::Undecided => Prospect::Undecided,
        }
    }

    /// Whether neither side can ever mate, though the game goes on (GEN-3): mate and stalemate end it by themselves.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        if self.is_free() || !self.has_legal_move() {
            return false;
        }
        // Most positions in which a move is forced are free after it; walls and searches take longer.
        let mut moves = Vec::new();
        self.list_legal(&mut moves);
        if moves.into_iter().any(|m| self.after(m).is_free()) {
            return false;
        }
        let is_shut = |side| self.prospect(side) == Prospect::Never;
        Side::BOTH.into_iter().all(is_shut)
    }

    /// Whether a side surely can mate.
    fn is_free(&self) -> bool {
        let can_mate = |side| !self.lacks_men(side) && freedom::has(&self.position, color_to(side));
        Side::BOTH.into_iter().any(can_mate)
    }

    /// Whether the last move may have made the position dead: a cheap test, made after every move.
    ///
    /// A move does that where it blocks the board, shuts a king in, or leaves no choice but to take a man that was needed.
    /// The test looks for the first in chains of pawns, for the second without queens and rooks, and for the third among few
    /// men or few moves: `1k4r1/1Q6/p1p3r1/P2pnK2/6p1/4q2p/8/8 b` is stalemate after the only move.
    #[inline]
    pub(super) fn may_have_died(&self) -> bool {
        let board = self.position.board();
        if self.must_take() && (board.occupied().count() <= FEW || self.count_legal() <= FORCED) {
            return true;
        }
        if self.halfmove() > 0 || freedom::rams(board) == 0 {
            return false;
        }
        let is_light = (board.queens() | board.rooks()).is_empty();
        let is_shut_in = |side| !freedom::king_steps(board, side);
        is_light && shakmaty::Color::ALL.into_iter().any(is_shut_in)
            || freedom::may_be_walled(board) && self.has_few_officers()
    }

    /// Whether the king of the side to move stands beside a man of the other side or in check, and has no step to an empty
    /// square.
    fn must_take(&self) -> bool {
        let board = self.position.board();
        let turn = self.position.turn();
        let Some(king) = board.king_of(turn) else {
            return false;
        };
        let beside = shakmaty::attacks::king_attacks(king);
        let is_pressed = self.checkers.any() || (beside & self.position.them()).any();
        is_pressed && !freedom::king_steps(board, turn)
    }

    /// Whether no piece but bishops, and at most four pieces, may break a chain of pawns.
    fn has_few_officers(&self) -> bool {
        let board = self.position.board();
        let officers = board.occupied() & !board.pawns() & !board.kings();
        board.knights().is_empty() && officers.count() <= 4
    }

    /// Whether a side has too few men to mate, whatever happens.
    fn lacks_men(&self, side: Side) -> bool {
        let is_mate = || self.checkers.any() && !self.has_legal_move();
        self.position.has_insufficient_material(color_to(side)) && !is_mate()
    }
}

/// Up to this many men, a king that must take may take the last that could mate.
const FEW: usize = 6;

/// With at most so many moves it is looked at how they go on, however many men there are.
const FORCED: u64 = 2;

/// The squares of a set.
fn squares(set: Bitboard) -> Vec<Square> {
    set.into_iter().map(super::square_from).collect()
}
