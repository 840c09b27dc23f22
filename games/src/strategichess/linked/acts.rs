//! Playing on linked boards: plies, lost kings, boards that close, and the end.

use super::{EDGES, Edition, FallenFlag, Linked, Ply, boards::Boards};
use crate::strategichess::{
    board::Board,
    linked::laws as law,
    squares::{index, square_at},
};
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    ply::{Arrival, StandingAct},
    rule::Rule,
    square::{Piece, Role, Side, Square},
};

/// Plies from every open board without a capture after which the kings are counted (SC-28).
pub(super) const EXHAUSTED: u32 = 150;

impl Linked {
    /// The position after an act on a board that stands, legal or not (GEN-9); `None` if it leads to no position.
    #[must_use]
    pub fn stood(&self, board: usize, standing_act: StandingAct) -> Option<Self> {
        match standing_act {
            StandingAct::Moved {
                from,
                to,
                arrival,
                promotion: None,
            } => {
                let arrives = match arrival {
                    Arrival::Here => board,
                    Arrival::Beside(next) => usize::from(next),
                    Arrival::Above => return None,
                };
                self.displaced(board, from, to, arrives)
            }
            StandingAct::Passed => {
                let side = self.seats.get(board)?.turn;
                let mut next = Self {
                    ended: None,
                    ..self.clone()
                };
                next.finish_turn(board);
                next.touch_all();
                next.settle(side);
                Some(next)
            }
            StandingAct::Moved { .. } | StandingAct::Castled(_) | StandingAct::Dropped { .. } => {
                None
            }
        }
    }

    /// The position after the piece on a square of a board was put on one of the board `arrives` and the turn passed,
    /// legal or not (GEN-9); `None` if there is no piece of the side to move, or the result is not a position.
    #[must_use]
    pub fn displaced(
        &self,
        board: usize,
        from: Square,
        to: Square,
        arrives: usize,
    ) -> Option<Self> {
        let (from, to) = (index(from)?, index(to)?);
        let side = self.seats.get(board)?.turn;
        let piece = self.seats[board].board.piece_at(from)?;
        if piece.side != side {
            return None;
        }
        let taken = self.seats.get(arrives)?.board.piece_at(to);
        let stays = (board, from) == (arrives, to);
        let takes_last =
            taken.is_some_and(|piece| piece.role == Role::King && self.kings[piece.side] == 1);
        let second =
            piece.role == Role::King && arrives != board && self.king(arrives, side).is_some();
        if stays || takes_last || second {
            return None;
        }
        let mut next = Self {
            ended: None,
            ..self.clone()
        };
        next.seats[board].board.remove(from);
        next.seats[arrives].board.remove(to);
        next.seats[arrives].board.put(to, piece);
        next.finish_turn(board);
        if self.edition == Edition::Of2025 && arrives != board && self.seats[arrives].turn == side {
            next.finish_turn(arrives);
        }
        match taken {
            Some(piece) if piece.role == Role::King => next.lose_king(piece.side),
            Some(_) => next.restart_counts(),
            None => {}
        }
        next.touch_all();
        next.settle(side);
        Some(next)
    }

    /// The position with a lost board emptied, except for an enemy piece if the record reports a capture, and with
    /// `mover` to move there. For judging a crossing to that board by everything else, not for playing on.
    #[must_use]
    pub fn supposing(&self, board: usize, taken: Option<Square>, mover: Side) -> Self {
        let mut supposed = self.clone();
        supposed.seats[board].board = Board::default();
        supposed.seats[board].turn = mover;
        if let Some(square) = taken.and_then(index) {
            let piece = Piece {
                side: mover.other(),
                role: Role::Pawn,
            };
            supposed.seats[board].board.put(square, piece);
        }
        supposed
    }

    pub(super) fn make(&mut self, ply: Ply) {
        let (board, arrives) = (ply.board(), ply.arrives_on());
        let side = self.seats[board].turn;
        self.touched.clear();
        let taken = self.carry(ply, side);
        self.finish_turn(board);
        if self.edition == Edition::Of2025 && arrives != board {
            self.finish_turn(arrives);
        }
        self.touch_around(board);
        self.touch_around(arrives);
        // A capturing ply is not itself counted (SC-34).
        match taken {
            Some(Role::King) => self.lose_king(side.other()),
            Some(_) => self.restart_counts(),
            None => {}
        }
        self.settle(side);
    }

    /// Moves the piece, unless the ply is a pass, and returns the kind that it captures.
    pub(super) fn carry(&mut self, ply: Ply, side: Side) -> Option<Role> {
        if ply.is_pass() {
            return None;
        }
        let (board, arrives) = (ply.board(), ply.arrives_on());
        let taken = self.seats[arrives].board.piece_at(u32::from(ply.to));
        if board != arrives {
            let [mut from, mut to] = [board, arrives].map(|board| self.seats[board].board);
            cross(&mut from, &mut to, ply);
            (self.seats[board].board, self.seats[arrives].board) = (from, to);
        } else {
            self.seats[board]
                .board
                .shift(side, u32::from(ply.from), u32::from(ply.to));
        }
        taken.map(|piece| piece.role)
    }

    pub(super) fn lose_king(&mut self, side: Side) {
        self.kings[side] -= 1;
        self.restart_counts();
        // With its last king a team comes under other rules, on every board.
        if self.kings[side] <= 1 {
            self.touch_all();
        }
    }

    /// Resets the counts of all boards (SC-34).
    pub(super) fn restart_counts(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        self.exhausted = 0;
    }

    pub(super) fn finish_turn(&mut self, board: usize) {
        let made = self.halfmove(board).saturating_add(1);
        let seat = &mut self.seats[board];
        seat.made = made;
        seat.stamp = self.stamp;
        seat.turn_over();
        self.exhausted += usize::from(made == EXHAUSTED && !seat.closed);
    }

    /// Marks as touched a board and its neighbours, and a neighbour's neighbour if a king between them can be
    /// attacked from here: legality there depends on that (SC-25, SC-61, SC-62).
    pub(super) fn touch_around(&mut self, board: usize) {
        self.touch(board);
        for edge in EDGES {
            let Some(next) = edge.next(board, self.seats.len()) else {
                continue;
            };
            self.touch(next);
            let kings = Side::BOTH.map(|side| self.king(next, side));
            let in_reach = kings
                .into_iter()
                .flatten()
                .any(|king| edge.reaches(square_at(king)));
            if in_reach && let Some(beyond) = edge.next(next, self.seats.len()) {
                self.touch(beyond);
            }
        }
    }

    pub(super) fn touch(&mut self, board: usize) {
        if !self.touched.contains(&board) {
            self.touched.push(board);
            self.seats.touch(board);
        }
    }

    pub(super) fn touch_all(&mut self) {
        self.touched.clear();
        self.touched.extend(0..self.seats.len());
        for board in &self.touched {
            self.seats.touch(*board);
        }
    }

    /// Judges again what a ply of this side has touched (SC-33).
    pub(super) fn settle(&mut self, mover: Side) {
        self.ended = match self.edition {
            Edition::Of2003 => self.mated_team(mover),
            Edition::Of2025 => self.remove_mated(mover),
        };
        self.close_touched();
        if self.ended.is_none() && (self.open == 0 || self.exhausted == self.open) {
            let (cause, rule) = match self.open {
                0 => (Cause::AllClosed, &law::ORDER_OF_ENDS),
                _ => (Cause::KingsCounted, &law::COUNT),
            };
            self.ended = Some(Ruling {
                outcome: self.counted(),
                cause,
                rule,
            });
        }
    }

    /// The team that this ply mates, its maker's opponent first (SC-25, SC-26, SC-31).
    pub(super) fn mated_team(&self, mover: Side) -> Option<Ruling> {
        let is_mated = |side: &Side| {
            self.kings[*side] == 1
                && self
                    .touched
                    .iter()
                    .any(|board| self.king(*board, *side).is_some() && self.is_mated(*board, *side))
        };
        let mated = [mover.other(), mover].into_iter().find(is_mated)?;
        Some(Self::won(mated.other(), &law::LAST_KING_MATED))
    }

    /// Whether a side's king on a board is attacked, to move, and no ply there saves it.
    pub(super) fn is_mated(&self, board: usize, side: Side) -> bool {
        self.seats[board].turn == side
            && self.is_king_attacked(board, side)
            && !self.has_ply(board, side)
    }

    /// Removes mated kings one at a time, the mover's opponents first, from board A on, until one is its team's last
    /// (SC-63, SC-64, SC-66).
    pub(super) fn remove_mated(&mut self, mover: Side) -> Option<Ruling> {
        loop {
            self.touched.sort_unstable();
            let (board, side) = self.first_mated(mover)?;
            if self.kings[side] == 1 {
                return Some(Self::won(side.other(), &law::LAST_MATE));
            }
            self.remove_king(board, side);
        }
    }

    fn first_mated(&self, mover: Side) -> Option<(usize, Side)> {
        for side in [mover.other(), mover] {
            let mut touched = self.touched.iter();
            if let Some(board) = touched.find(|board| self.is_mated(**board, side)) {
                return Some((*board, side));
            }
        }
        None
    }

    pub(super) fn remove_king(&mut self, board: usize, side: Side) {
        if let Some(king) = self.king(board, side) {
            self.seats[board].board.remove(king);
            self.lose_king(side);
            self.touch_around(board);
        }
    }

    /// Closes and opens boards (SC-32).
    pub(super) fn close_touched(&mut self) {
        for at in 0..self.touched.len() {
            let board = self.touched[at];
            let closed = self.would_be_closed(board);
            if closed == self.seats[board].closed {
                continue;
            }
            self.seats[board].closed = closed;
            let exhausted = usize::from(self.halfmove(board) >= EXHAUSTED);
            if closed {
                self.open -= 1;
                self.exhausted -= exhausted;
            } else {
                self.open += 1;
                self.exhausted += exhausted;
            }
        }
    }

    pub(super) fn would_be_closed(&self, board: usize) -> bool {
        if self.seats[board].is_unknown {
            return false;
        }
        let besieged = |side: Side| self.kings[side] == 1 && self.is_king_attacked(board, side);
        let can_move = |side: Side| self.has_ply(board, side);
        !Side::BOTH.into_iter().any(can_move) && !Side::BOTH.into_iter().any(besieged)
    }

    /// A captain has the kings counted, which ends the match if it is allowed (SC-28).
    pub fn claim_count(&mut self) {
        if self.may_be_counted() {
            self.ended = Some(self.end_by_count(&law::COUNT));
        }
    }

    /// The end of a match whose kings are counted, by this rule.
    pub(super) fn end_by_count(&self, rule: &'static Rule) -> Ruling {
        Ruling {
            outcome: self.counted(),
            cause: Cause::KingsCounted,
            rule,
        }
    }

    /// The flag of a side's player on a board falls: the player's king leaves the board (SC-35).
    pub fn fall(&mut self, board: usize, side: Side, rule: FallenFlag) {
        self.touch_all();
        self.seats[board].fallen[side] = true;
        let last = self.kings[side] == 1 && self.king(board, side).is_some();
        self.remove_king(board, side);
        if last {
            let outcome = Outcome::Win(side.other());
            self.ended = Some(Ruling {
                outcome,
                cause: Cause::Flag,
                rule: &law::FALLEN,
            });
        } else if rule == FallenFlag::End {
            self.ended = Some(self.end_by_count(&law::FALLEN));
        } else {
            self.settle(side.other());
        }
    }
}

/// Moves a piece over an edge, and captures what is on its square of arrival.
pub(super) fn cross(from: &mut Board, to: &mut Board, ply: Ply) {
    let (origin, arrival) = (u32::from(ply.from), u32::from(ply.to));
    if let Some(piece) = from.piece_at(origin) {
        from.remove(origin);
        to.remove(arrival);
        to.put(arrival, piece);
    }
}
