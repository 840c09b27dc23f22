//! Move generation: the plies of a side on a board, and which of them leave a king attacked.

use super::{
    Breach, EDGES, Edge, Edition, Linked, Ply,
    acts::cross,
    boards::{Boards, Trial},
    edge,
};
use crate::strategichess::{
    board::pawn_ways,
    lines, origins,
    scope::Scope,
    squares::{SquareSet, index, origin_of, square_at},
};
use overboard_rules::{
    ply::{Arrival, Pattern, Written},
    square::{Piece, Role, Side},
};

impl Linked {
    /// Whether a king of a side on this board must be safe after a ply of its team (SC-25, SC-62).
    pub(super) fn is_guarded(&self, board: usize, side: Side) -> bool {
        let guards = self.edition == Edition::Of2025 || self.kings[side] == 1;
        guards && self.king(board, side).is_some()
    }

    /// Calls `visit` with every ply of a side on a board except the pass, as if it were to move.
    pub(super) fn list(&self, board: usize, side: Side, visit: &mut impl FnMut(Ply)) {
        let here = &self.seats[board].board;
        let guarded = if self.is_guarded(board, side) {
            self.king(board, side)
        } else {
            None
        };
        // Next to an edge a king may be attacked from beyond it, so every ply is tried out.
        let at_edge = guarded.is_some_and(|king| is_at_edge(king) && self.seats.len() > 1);
        let scope = match guarded {
            Some(king) if !at_edge => Scope::guarding(here, side, king),
            _ => Scope::free(here, side),
        };
        let tried = at_edge || self.has_exposed_neighbour(board, side);
        let takes_kings = here.of_kind(Role::King, side.other());
        let free = |ply: Ply| {
            let takes_king = takes_kings.has(u32::from(ply.to));
            let steps_to_edge =
                guarded == Some(u32::from(ply.from)) && is_at_edge(u32::from(ply.to));
            !(tried || takes_king || steps_to_edge) || self.breach(ply, side).is_none()
        };
        scope.list(&mut |m| {
            let ply = Ply::new(board, m.origin(), m.arrival(), None);
            if free(ply) {
                visit(ply);
            }
        });
        let in_check =
            guarded.is_some_and(|king| here.is_attacked(king, side.other(), here.occupied()));
        if in_check && !at_edge {
            return;
        }
        self.list_crossings(board, side, visit);
    }

    /// Calls `visit` with every ply of a side from a board to a neighbouring one, as if it were to move.
    pub(super) fn list_crossings(&self, board: usize, side: Side, visit: &mut impl FnMut(Ply)) {
        let here = &self.seats[board].board;
        for (edge, next) in self.beside(board) {
            edge::crossings(
                here,
                &self.seats[next].board,
                edge,
                side,
                &mut |from, to| {
                    let ply = Ply::new(board, from, to, Some(edge));
                    if self.breach(ply, side).is_none() {
                        visit(ply);
                    }
                },
            );
        }
    }

    /// Whether a king of the side on a neighbouring board is where a line from this one reaches it.
    pub(super) fn has_exposed_neighbour(&self, board: usize, side: Side) -> bool {
        EDGES
            .into_iter()
            .any(|edge| self.neighbour_in_reach(board, edge, side).is_some())
    }

    /// The board beyond an edge, if it has a king of the side that must be safe and is so near that lines from this
    /// board reach it.
    pub(super) fn neighbour_in_reach(&self, board: usize, edge: Edge, side: Side) -> Option<usize> {
        let next = edge.next(board, self.seats.len())?;
        if !self.is_guarded(next, side) {
            return None;
        }
        let king = self.king(next, side)?;
        if !edge.reaches(square_at(king)) {
            return None;
        }
        Some(next)
    }

    /// Why a ply that a piece could make is not legal for its side, as if it were to move.
    pub(super) fn breach(&self, ply: Ply, side: Side) -> Option<Breach> {
        let arrives = ply.arrives_on();
        if self.seats[arrives].board.kings().has(u32::from(ply.to)) {
            match self.edition {
                Edition::Of2025 => return Some(Breach::TakesKing),
                Edition::Of2003 if self.kings[side.other()] == 1 => {
                    return Some(Breach::TakesLastKing);
                }
                Edition::Of2003 => {}
            }
        }
        if self.edition == Edition::Of2025 && ply.over.is_some() {
            if self.seats[arrives].turn != side {
                return Some(Breach::NotReceiversTurn(arrives));
            }
            if self.is_king_attacked(arrives, side) {
                return Some(Breach::ReceiverInCheck(arrives));
            }
        }
        self.exposes(ply, side)
    }

    /// The king that a ply leaves attacked or exposes, if it must be safe.
    pub(super) fn exposes(&self, ply: Ply, side: Side) -> Option<Breach> {
        let board = ply.board();
        let own = self.is_guarded(board, side) && !self.is_far_from_king(ply, side);
        let beside = EDGES.map(|edge| self.neighbour_in_reach(board, edge, side));
        if !own && beside == [None, None] {
            return None;
        }
        let trial = self.tried(ply, side);
        if own && trial.is_king_attacked(board, side) {
            return Some(Breach::LeavesKing(board));
        }
        for next in beside.into_iter().flatten() {
            if !self.is_king_attacked(next, side) && trial.is_king_attacked(next, side) {
                return Some(Breach::ExposesKing(next));
            }
        }
        None
    }

    /// Whether a ply is made by a piece on no line with its side's king, which is not attacked: no line to the king
    /// opens. Pieces over an edge reach no further than the first two files.
    pub(super) fn is_far_from_king(&self, ply: Ply, side: Side) -> bool {
        let Some(king) = self.king(ply.board(), side) else {
            return false;
        };
        let lines = lines::straight_lines(king) | lines::slanting_lines(king);
        let from = u32::from(ply.from);
        from != king && !lines.has(from) && !self.is_king_attacked(ply.board(), side)
    }

    pub(super) fn tried(&self, ply: Ply, side: Side) -> Trial<'_> {
        let mut from = self.seats[ply.board()].board;
        let to = if ply.over.is_none() {
            from.shift(side, u32::from(ply.from), u32::from(ply.to));
            None
        } else {
            let mut to = self.seats[ply.arrives_on()].board;
            cross(&mut from, &mut to, ply);
            Some(to)
        };
        Trial {
            linked: self,
            ply,
            from,
            to,
        }
    }

    /// The legal plies of a board that a written ply means, one by one.
    pub fn meant<'a>(
        &'a self,
        board: usize,
        written: &Written,
    ) -> impl Iterator<Item = Ply> + use<'a> {
        let pass = match written {
            Written::Pass if self.may_pass(board) => Some(Ply::pass(board)),
            _ => None,
        };
        let pattern = match written {
            Written::Move(pattern) if self.ended.is_none() => Some(*pattern),
            _ => None,
        };
        let plies = pattern
            .into_iter()
            .flat_map(move |pattern| self.fitting(board, &pattern));
        pass.into_iter().chain(plies)
    }

    /// The plies that match a pattern and are legal, ignoring an end of the game.
    pub(super) fn fitting<'a>(
        &'a self,
        board: usize,
        pattern: &Pattern,
    ) -> impl Iterator<Item = Ply> + use<'a> {
        let side = self.seats[board].turn;
        self.pseudo_legal(board, pattern)
            .filter(move |ply| self.breach(*ply, side).is_none())
    }

    /// The plies that match a pattern, ignoring kings and an end of the game.
    pub(super) fn pseudo_legal(
        &self,
        board: usize,
        pattern: &Pattern,
    ) -> impl Iterator<Item = Ply> + use<> {
        let none = (SquareSet::EMPTY, 0, None);
        let (from, to, over) = self.candidates(board, pattern).unwrap_or(none);
        from.into_iter()
            .map(move |from| Ply::new(board, from, to, over))
    }

    /// The edge of a board beyond which another one is.
    pub(super) fn edge_to(&self, board: usize, next: usize) -> Option<Edge> {
        EDGES
            .into_iter()
            .find(|edge| edge.next(board, self.seats.len()) == Some(next))
    }

    /// The pieces that a pattern may mean, ignoring kings; their arrival and the edge they cross.
    pub(super) fn candidates(
        &self,
        board: usize,
        pattern: &Pattern,
    ) -> Option<(SquareSet, u32, Option<Edge>)> {
        let seat = &self.seats[board];
        let to = index(pattern.to)?;
        if pattern.promotion.is_some() || seat.fallen[seat.turn] {
            return None;
        }
        let (over, from) = match pattern.arrival {
            Arrival::Above => return None,
            Arrival::Here => (
                None,
                seat.board
                    .origins(pattern.role, seat.turn, to, pattern.capture),
            ),
            Arrival::Beside(next) => {
                let next = usize::from(next);
                let edge = self.edge_to(board, next)?;
                let from = self.crossing_origins([board, next], edge, pattern, to);
                (Some(edge), from)
            }
        };
        Some((from & origins(pattern), to, over))
    }

    pub(super) fn crossing_origins(
        &self,
        [board, next]: [usize; 2],
        edge: Edge,
        pattern: &Pattern,
        to: u32,
    ) -> SquareSet {
        let (seat, next) = (&self.seats[board], &self.seats[next].board);
        let enemy = next.all(seat.turn.other()).has(to);
        let piece = Piece {
            side: seat.turn,
            role: pattern.role,
        };
        let barred =
            next.all(seat.turn).has(to) || (pattern.role == Role::Pawn && pattern.capture != enemy);
        if barred {
            return SquareSet::EMPTY;
        }
        edge::origins(&seat.board, edge, piece, pattern.to, pattern.capture)
    }

    /// Whether the side to move on a board must pass (SC-27).
    #[must_use]
    pub fn may_pass(&self, board: usize) -> bool {
        self.ended.is_none() && self.must_pass(board)
    }

    /// The same, also after an end by count.
    pub(super) fn must_pass(&self, board: usize) -> bool {
        let seat = &self.seats[board];
        !seat.closed && !self.has_ply(board, seat.turn)
    }

    /// A legal ply as it would be written: with no more of the origin than is needed to disambiguate; a capturing pawn
    /// names its file. Also after an end by count, where perft continues (GEN-6).
    #[must_use]
    pub fn written(&self, ply: Ply) -> Written {
        let Some((from, to)) = ply.squares() else {
            return Written::Pass;
        };
        let role = self
            .piece_at(ply.board(), from)
            .map_or(Role::Pawn, |piece| piece.role);
        let capture = self.captures(ply);
        let arrival = match ply.over {
            Some(_) => Arrival::Beside(ply.arrives_on() as u16),
            None => Arrival::Here,
        };
        let pattern = Pattern {
            arrival,
            ..Pattern::of(role, from, capture, to)
        };
        let alone = |pattern: &Pattern| self.fitting(ply.board(), pattern).count() == 1;
        Written::Move(pattern.shortest(from, alone))
    }

    /// Whether a ply captures something.
    #[must_use]
    pub fn captures(&self, ply: Ply) -> bool {
        !ply.is_pass()
            && self.seats[ply.arrives_on()]
                .board
                .occupied()
                .has(u32::from(ply.to))
    }

    /// Whether a side would have a ply on a board other than a pass, if it were to move.
    pub(super) fn has_ply(&self, board: usize, side: Side) -> bool {
        let seat = &self.seats[board];
        if seat.fallen[side] {
            return false;
        }
        // One suffices, so the plies that are most likely to be legal are tested first.
        let here = &seat.board;
        let kings = here.of_kind(Role::King, side);
        let pawns = here.of_kind(Role::Pawn, side);
        let steps = pawns.forward(side) & SquareSet::BOARD & !here.occupied();
        let goes =
            |from: u32, to: u32| self.breach(Ply::new(board, from, to, None), side).is_none();
        let [step, ..] = pawn_ways(side);
        let others = here.all(side) & !kings;
        steps.into_iter().any(|to| goes(origin_of(to, step), to))
            || [kings, others].into_iter().any(|pieces| {
                pieces
                    .into_iter()
                    .any(|from| here.reach(from).into_iter().any(|to| goes(from, to)))
            })
            || self.has_crossing(board, side)
    }

    /// Whether a side would have a legal ply from a board to a neighbouring one, if it were to move.
    pub(super) fn has_crossing(&self, board: usize, side: Side) -> bool {
        let mut any = false;
        self.list_crossings(board, side, &mut |_| any = true);
        any
    }
}

/// Whether a square can be reached over an edge.
const fn is_at_edge(square: u32) -> bool {
    matches!(square & 15, 0 | 1 | 12 | 13)
}
