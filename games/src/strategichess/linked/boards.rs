//! Attacks on linked boards: geometry that ignores turns and pins (SC-31), on the current boards and on those after a
//! ply.

use super::{EDGES, Edge, Linked, Ply, edge};
use crate::strategichess::{
    board::Board,
    squares::{SquareSet, square_at},
};
use overboard_rules::square::{Role, Side};

/// Boards, which may be those after a ply.
pub(super) trait Boards {
    fn count(&self) -> usize;
    fn board(&self, board: usize) -> &Board;

    /// Whether a side attacks a square of a board, from there or over an edge (SC-21, SC-31).
    fn is_attacked(&self, board: usize, target: u32, side: Side) -> bool {
        let here = self.board(board);
        here.is_attacked(target, side, here.occupied())
            || self.is_attacked_over_edges(board, target, side)
    }

    fn is_attacked_over_edges(&self, board: usize, target: u32, side: Side) -> bool {
        EDGES
            .into_iter()
            .any(|edge| !self.attackers_over(board, edge, target, side).is_empty())
    }

    /// The pieces of a side on the next board over an edge that attack a square of this one.
    fn attackers_over(&self, board: usize, edge: Edge, target: u32, side: Side) -> SquareSet {
        let square = square_at(target);
        if !edge.opposite().reaches(square) {
            return SquareSet::EMPTY;
        }
        match edge.next(board, self.count()) {
            Some(next) => edge::attackers(self.board(next), edge.opposite(), side, square),
            None => SquareSet::EMPTY,
        }
    }

    /// The king of a side on a board.
    fn king(&self, board: usize, side: Side) -> Option<u32> {
        self.board(board)
            .of_kind(Role::King, side)
            .into_iter()
            .next()
    }

    /// Whether a side's king on a board is attacked.
    fn is_king_attacked(&self, board: usize, side: Side) -> bool {
        self.king(board, side)
            .is_some_and(|king| self.is_attacked(board, king, side.other()))
    }
}

impl Boards for Linked {
    fn count(&self) -> usize {
        self.seats.len()
    }

    fn board(&self, board: usize) -> &Board {
        &self.seats[board].board
    }
}

/// The boards after a ply, before anything else is judged.
pub(super) struct Trial<'a> {
    pub linked: &'a Linked,
    pub ply: Ply,
    pub from: Board,
    /// The board on which a crossing arrives.
    pub to: Option<Board>,
}

impl Boards for Trial<'_> {
    fn count(&self) -> usize {
        self.linked.count()
    }

    fn board(&self, board: usize) -> &Board {
        match &self.to {
            _ if board == self.ply.board() => &self.from,
            Some(to) if board == self.ply.arrives_on() => to,
            _ => self.linked.board(board),
        }
    }
}
