//! The legal plies of Bughouse: those of Crazyhouse on each board, less the drops that the options forbid.

use super::{Bughouse, DropLaw, MateLaw, Options, PawnRanks, Ply};
use crate::{chess::Move, crazyhouse::Crazyhouse};
use overboard_rules::{
    outcome::Cause,
    ply::Written,
    position::{Found, Movegen as _},
    square::Role,
};
use std::ops::ControlFlow;

/// Why an option forbids a drop that Crazyhouse allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Forbidden {
    /// A pawn may not be dropped on this rank.
    PawnRank,
    /// It gives check, or a mate of the kind that the option names.
    Gives(DropLaw),
}

impl Bughouse {
    /// Whether no ply is legal any more: the match has ended, and not by a repetition or for want of plies (GEN-6).
    pub(super) fn is_over(&self) -> bool {
        self.ended
            .is_some_and(|ended| ended.cause != Cause::Threefold)
    }

    /// Whether the options forbid nothing.
    fn is_free(&self) -> bool {
        let Options { drop, pawns, .. } = self.agreed;
        drop == DropLaw::Any && pawns == PawnRanks::default()
    }

    /// Why the options forbid a move that is legal in Crazyhouse; `None` if they do not.
    pub(super) fn forbidden(&self, board: usize, made: Move) -> Option<Forbidden> {
        let role = made.dropped()?;
        let here = &self.boards[board];
        let ranks = self.agreed.pawns.on_board(here.turn());
        if role == Role::Pawn && !ranks.contains(&made.to().rank) {
            return Some(Forbidden::PawnRank);
        }
        let law = self.agreed.drop;
        gives(here, made, law, self.mate_law()).then_some(Forbidden::Gives(law))
    }

    fn is_allowed(&self, board: usize, made: Move) -> bool {
        self.is_free() || self.forbidden(board, made).is_none()
    }

    /// Calls `visit` with the legal plies of a board until it breaks.
    pub(super) fn list(
        &self,
        board: usize,
        mut visit: impl FnMut(Ply) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        if self.is_over() {
            return flow;
        }
        self.boards[board].legal_moves(|made| {
            if flow.is_continue() && self.is_allowed(board, made) {
                flow = visit(Ply { board, made });
            }
        });
        flow
    }

    /// The number of legal plies of a board.
    pub(super) fn count(&self, board: usize) -> u64 {
        if self.is_over() {
            return 0;
        }
        if self.is_free() {
            return self.boards[board].count_legal();
        }
        let mut count = 0;
        self.boards[board].legal_moves(|made| count += u64::from(self.is_allowed(board, made)));
        count
    }

    /// Whether the side to move on a board can do something now. The end of the match is not considered.
    pub(super) fn has_ply(&self, board: usize) -> bool {
        let here = &self.boards[board];
        if self.is_free() || here.has_move_on_board() {
            return here.has_legal_move();
        }
        let mut has_ply = false;
        here.legal_moves(|made| has_ply = has_ply || self.is_allowed(board, made));
        has_ply
    }

    /// The legal ply on a board that a text means.
    pub(super) fn find_on(&self, board: usize, written: &Written) -> Found<Ply> {
        match self.boards[board].find(written) {
            Found::One(made) if !self.is_over() && self.is_allowed(board, made) => {
                Found::One(Ply { board, made })
            }
            Found::Several if !self.is_over() => Found::Several,
            Found::One(_) | Found::Several | Found::None => Found::None,
        }
    }

    /// The drop on a board that a text means, if its pocket had the piece.
    pub(super) fn drop_from_elsewhere(&self, board: usize, written: &Written) -> Option<Ply> {
        let Written::Drop { role, .. } = *written else {
            return None;
        };
        let mut supplied = self.clone();
        let here = &mut supplied.boards[board];
        here.put(here.turn(), role);
        match supplied.find_on(board, written) {
            Found::One(ply) => Some(ply),
            Found::None | Found::Several => None,
        }
    }
}

/// Whether a drop does what this law forbids.
fn gives(here: &Crazyhouse, drop: Move, law: DropLaw, mate: MateLaw) -> bool {
    if law == DropLaw::Any {
        return false;
    }
    let after = here.after(drop);
    if !after.in_check() {
        return false;
    }
    match law {
        DropLaw::Any => false,
        DropLaw::NoCheck => true,
        DropLaw::NoChessMate => !after.has_move_on_board(),
        DropLaw::NoBughouseMate => {
            let is_answered = match mate {
                MateLaw::AnyPiece => after.has_place_to_drop(),
                MateLaw::Pocket => after.has_legal_move(),
            };
            !after.has_move_on_board() && !is_answered
        }
    }
}
