//! StrategiChess on linked boards: boards side by side, a team on each side, many kings.
//!
//! A ply touches only its own board, the one on which it arrives, and their neighbours, so it costs the same however
//! many boards there are.
//!
//! ```
//! use overboard_games::strategichess::linked::{Linked, Options};
//! use overboard_referee::game::notation::Notation;
//! use overboard_rules::game::Game;
//!
//! let boards = Linked::start(&Options::default()).unwrap();
//! assert_eq!(boards.count_legal(), 2 * 97);
//! assert_eq!(boards.fen().matches(" | ").count(), 1);
//! ```

mod acts;
mod boards;
mod compared;
mod edge;
mod game;
pub mod judge;
pub mod laws;
mod legal;
mod lost;
mod notation;
pub mod order;
mod other_orders;
mod play;
mod record;
mod refusal;
mod rulings;
pub mod score;
mod seats;
#[cfg(test)]
mod tests;

pub use edge::Edge;
pub use game::Options;
pub use notation::*;
pub use other_orders::PlyEffect;
pub use refusal::Breach;

pub use crate::side_by_side::{LinkedBoard, SEAM};

use super::{
    Strategi,
    board::Board,
    squares::{index, square_at},
};
use crate::one_board::holding;
use boards::Boards;
use edge::EDGES;
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome, Ruling},
    rule::Rule,
    setup::Impossible,
    square::{Piece, Role, Side, Square},
};
use seats::Seats;

/// The edition whose rules on kings and crossings apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Edition {
    /// SC-20 to SC-36.
    #[default]
    Of2003,
    /// SC-60 to SC-67 in place of SC-24 to SC-26.
    Of2025,
}

/// What a fallen flag does when it does not lose at once (SC-35).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FallenFlag {
    /// The player loses the king and passes from then on.
    #[default]
    King,
    /// Play ends on all boards and the kings are counted.
    End,
}

/// A position of linked boards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linked {
    seats: Seats,
    edition: Edition,
    flag: FallenFlag,
    kings: BySide<u32>,
    /// Incremented by every capture, which resets the counts of all boards at once (SC-34).
    stamp: u32,
    /// The number of open boards, and of those among them whose count has reached its end (SC-28).
    open: usize,
    exhausted: usize,
    ended: Option<Ruling>,
    /// Boards that the last ply changed in any way.
    touched: Vec<usize>,
}

/// A board and what belongs to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Seat {
    board: Board,
    turn: Side,
    fullmove: u32,
    /// Plies made from here since the capture with this stamp.
    made: u32,
    stamp: u32,
    closed: bool,
    fallen: BySide<bool>,
    /// Whether nothing is known of it.
    is_unknown: bool,
}

impl Seat {
    /// Passes the turn, without counting a ply.
    fn turn_over(&mut self) {
        let by_black = u32::from(self.turn == Side::Black);
        self.fullmove = self.fullmove.saturating_add(by_black);
        self.turn = self.turn.other();
    }
}

/// A ply: a move on a board, a crossing to a neighbouring one, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ply {
    board: u16,
    from: u8,
    to: u8,
    over: Option<Edge>,
}

/// A number that is not a square's: a pass goes nowhere.
const PASS: u8 = 255;

impl Ply {
    fn new(board: usize, from: u32, to: u32, over: Option<Edge>) -> Self {
        // Square indices fit, and so do board indices: there are fewer boards than that.
        Self {
            board: board as u16,
            from: from as u8,
            to: to as u8,
            over,
        }
    }

    fn pass(board: usize) -> Self {
        Self::new(board, PASS.into(), PASS.into(), None)
    }

    /// The board from which it is made (SC-31).
    #[must_use]
    pub const fn board(self) -> usize {
        self.board as usize
    }

    /// Whether it is the pass of SC-27.
    #[must_use]
    pub const fn is_pass(self) -> bool {
        self.from == PASS
    }

    /// Origin and arrival; `None` for a pass.
    #[must_use]
    pub const fn squares(self) -> Option<(Square, Square)> {
        if self.is_pass() {
            return None;
        }
        Some((square_at(self.from as u32), square_at(self.to as u32)))
    }

    /// The edge it crosses.
    #[must_use]
    pub const fn over(self) -> Option<Edge> {
        self.over
    }

    /// The board on which it arrives.
    #[must_use]
    pub const fn arrives_on(self) -> usize {
        match self.over {
            Some(Edge::East) => self.board as usize + 1,
            Some(Edge::West) => self.board as usize - 1,
            None => self.board as usize,
        }
    }
}

impl Linked {
    /// `boards` boards in their initial position, at least one (SC-2, SC-20).
    #[must_use]
    pub fn first(boards: usize, edition: Edition) -> Self {
        Self::arrange(&vec![Strategi::default(); boards.max(1)], edition)
    }

    /// The position with these boards, board A first, each of which may hold any pieces.
    ///
    /// # Errors
    /// The boards that are not a position, with the reason: more than one king of a side, a pawn marked as never moved
    /// where there is none. A side without a king on any board is reported for board A.
    fn of_boards(boards: &[Strategi], edition: Edition) -> Result<Self, Vec<(usize, Impossible)>> {
        let mut reasons = Vec::new();
        for (at, Strategi { board, .. }) in boards.iter().enumerate() {
            let is_crowded = board.count_kings().iter().any(|kings| *kings > 1);
            for reason in holding([
                (is_crowded, Impossible::TooManyKings),
                (board.has_wrong_mark(), Impossible::UnmovedPawn),
            ]) {
                reasons.push((at, reason));
            }
        }
        let linked = Self::arrange(boards, edition);
        if linked.kings.contains(&0) {
            reasons.push((0, Impossible::MissingKing));
        }
        if reasons.is_empty() {
            Ok(linked)
        } else {
            Err(reasons)
        }
    }

    /// The same position, with this effect of a fallen flag.
    #[must_use]
    pub fn with_flag(self, flag: FallenFlag) -> Self {
        Self { flag, ..self }
    }

    /// The effect of a fallen flag.
    #[must_use]
    pub const fn flag(&self) -> FallenFlag {
        self.flag
    }

    fn arrange(boards: &[Strategi], edition: Edition) -> Self {
        let seat = |alone: &Strategi| Seat {
            board: alone.board,
            turn: alone.turn,
            fullmove: alone.fullmove,
            made: alone.halfmove,
            stamp: 0,
            closed: true,
            fallen: BySide::both(false),
            is_unknown: false,
        };
        let seats = Seats::of(&boards.iter().map(seat).collect::<Vec<_>>());
        let kings = BySide::from_fn(|side| {
            seats
                .iter()
                .map(|seat| seat.board.of_kind(Role::King, side).count())
                .sum()
        });
        let mut linked = Self {
            seats,
            edition,
            flag: FallenFlag::default(),
            kings,
            stamp: 0,
            open: 0,
            exhausted: 0,
            ended: None,
            touched: Vec::new(),
        };
        if !linked.kings.contains(&0) {
            linked.touch_all();
            linked.settle(Side::Black);
        }
        linked
    }

    /// How many boards there are.
    #[must_use]
    pub fn boards(&self) -> usize {
        self.seats.len()
    }

    /// The edition whose rules hold.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// The side to move on a board.
    #[must_use]
    pub fn turn(&self, board: usize) -> Side {
        self.seats[board].turn
    }

    /// Number of the next move on a board, from 1.
    #[must_use]
    pub fn fullmove(&self, board: usize) -> u32 {
        self.seats[board].fullmove
    }

    /// Plies made from a board since the last capture on any (SC-34).
    #[must_use]
    pub fn halfmove(&self, board: usize) -> u32 {
        let seat = &self.seats[board];
        if seat.stamp == self.stamp {
            seat.made
        } else {
            0
        }
    }

    /// The piece on a square of a board.
    #[must_use]
    pub fn piece_at(&self, board: usize, square: Square) -> Option<Piece> {
        self.seats[board].board.piece_at(index(square)?)
    }

    /// Kings that White's and Black's team have left.
    #[must_use]
    pub const fn kings(&self) -> BySide<u32> {
        self.kings
    }

    /// How many pieces of a kind a side has on a board.
    #[must_use]
    pub fn count_pieces(&self, board: usize, side: Side, role: Role) -> u32 {
        self.seats[board].board.of_kind(role, side).count()
    }

    /// The square of a side's king on a board.
    #[must_use]
    pub fn king_on(&self, board: usize, side: Side) -> Option<Square> {
        Boards::king(self, board, side).map(square_at)
    }

    /// Whether the king of a side on a board is attacked, also over an edge.
    #[must_use]
    pub fn is_attacked_king(&self, board: usize, side: Side) -> bool {
        self.is_king_attacked(board, side)
    }

    /// Whether the side to move on a board has a king there that must be safe and is attacked.
    #[must_use]
    pub fn in_check(&self, board: usize) -> bool {
        let side = self.turn(board);
        self.is_guarded(board, side) && self.is_king_attacked(board, side)
    }

    /// Whether neither side would have a move on a board (SC-32).
    #[must_use]
    pub fn is_closed(&self, board: usize) -> bool {
        self.seats[board].closed
    }

    /// Whether the flag of a side's player on a board has fallen (SC-35).
    #[must_use]
    pub fn has_fallen(&self, board: usize, side: Side) -> bool {
        self.seats[board].fallen[side]
    }

    /// Boards that the last ply changed in any way.
    #[must_use]
    pub fn touched(&self) -> &[usize] {
        &self.touched
    }

    /// Takes over from another position of the same boards what has changed on some of them.
    pub fn follow(&mut self, other: &Self, boards: &[usize]) {
        for board in boards {
            self.seats[*board] = other.seats[*board];
        }
        self.kings = other.kings;
        self.stamp = other.stamp;
        self.open = other.open;
        self.exhausted = other.exhausted;
        self.ended = other.ended;
        self.touched.clone_from(&other.touched);
    }

    /// How the game ended, if it has (SC-33).
    #[must_use]
    pub const fn end_by_itself(&self) -> Option<Ruling> {
        self.ended
    }

    /// The result if the kings were counted now (SC-30).
    #[must_use]
    pub fn counted(&self) -> Outcome {
        match self.kings[Side::White].cmp(&self.kings[Side::Black]) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::White),
            std::cmp::Ordering::Less => Outcome::Win(Side::Black),
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }

    /// Whether either captain may have the kings counted: every open board has had a hundred plies since the last
    /// capture on any board (SC-28).
    #[must_use]
    pub fn may_be_counted(&self) -> bool {
        let open = |board: &usize| !self.seats[*board].closed;
        self.open > 0
            && (0..self.seats.len())
                .filter(open)
                .all(|board| self.halfmove(board) >= 100)
    }

    /// The team that scores nothing by this end, because it was mated, resigned or broke the rules (SC-36).
    const fn without_score(ruling: Ruling) -> Option<Side> {
        match ruling {
            Ruling {
                outcome: Outcome::Win(winner),
                cause: Cause::Checkmate | Cause::Resignation | Cause::Infraction,
                ..
            } => Some(winner.other()),
            _ => None,
        }
    }

    const fn won(side: Side, rule: &'static Rule) -> Ruling {
        Ruling {
            outcome: Outcome::Win(side),
            cause: Cause::Checkmate,
            rule,
        }
    }
}
