//! Move generation: the legal plies, in the middle of a turn or between turns.

use super::{Act, Boards, Game, MegaMove, Ply, Step, TURN, play::carried};
use crate::{
    board8::{
        attacks::reach,
        board::{bit, set_of, squares},
    },
    chess::Chess,
    mega::{
        leaf::mates,
        mega_board::{MegaBoard, State},
    },
};
use overboard_referee::game::play::pick;
use overboard_rules::{outcome::Outcome, path::BoardPath, position::Movegen, square::Role};
use std::ops::ControlFlow;

impl Game {
    /// The boards not used yet on which the side to move has a legal move.
    pub fn offering(&self) -> u64 {
        self.offering_but(self.barred())
    }

    /// The same, given the barred boards.
    fn offering_but(&self, barred: u64) -> u64 {
        if self.checked {
            return 0;
        }
        let open = self.waiting.offering(self.turn) & !self.used;
        let closed = squares(barred & open).filter(|at| !self.offers_barred(*at));
        open & !set_of(closed)
    }

    /// The board whose turn has begun and is not over; else those that offer a move, given the barred boards.
    fn offering_now(&self, barred: u64) -> u64 {
        match self.open {
            Some(open) => bit(open),
            None => self.offering_but(barred),
        }
    }

    /// Whether the side to move has a legal move on a board not used yet.
    pub(super) fn offers_any(&self) -> bool {
        let open = self.waiting.offering(self.turn) & !self.used;
        // A king has at most eight shields.
        let surely = !self.checked && open.count_ones() > 8;
        surely || (open != 0 && self.offering() != 0)
    }

    /// The boards that the side to move must not win, because their mega-pieces shield its king (MG-10).
    pub fn barred(&self) -> u64 {
        let others = self.field.of(self.turn.other()) & !self.field.kind(Role::King);
        self.field.shields(self.turn, others & self.in_play())
    }

    fn offers_barred(&self, at: u8) -> bool {
        let mut path = BoardPath::OUTERMOST;
        self.for_each_on(at, true, None, &mut path, &mut |_| ControlFlow::Break(()))
            .is_break()
    }

    /// Calls `visit` with every legal ply except draws (MG-13); with `unwon`, only those after which the turn
    /// can end without winning this game; with `only`, those made on the board that it leads to.
    pub fn legal_moves(
        &self,
        unwon: bool,
        only: Option<&[u8]>,
        path: &mut BoardPath,
        visit: &mut dyn FnMut(Ply) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let depth = path.len();
        let mut judged = |ply: Ply| {
            if unwon && !self.can_end_unwon_by(&ply.path.steps()[depth..], ply.act) {
                return ControlFlow::Continue(());
            }
            visit(ply)
        };
        let barred = self.barred();
        let offering = self.offering_now(barred);
        for at in squares(offering) {
            if let Some(only) = inwards(only, at) {
                self.for_each_on(at, barred & bit(at) != 0, only, path, &mut judged)?;
            }
        }
        if self.is_between_turns() && only.is_none_or(<[u8]>::is_empty) {
            return self.for_each_mega_ply(offering, *path, &mut judged);
        }
        ControlFlow::Continue(())
    }

    fn for_each_mega_ply(
        &self,
        offering: u64,
        path: BoardPath,
        visit: &mut dyn FnMut(Ply) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        self.for_each_mega_move(|m| {
            if flow.is_continue() {
                flow = visit(Act::Mega(m).on(path));
            }
        });
        flow?;
        if offering == 0 && self.may_pass() {
            visit(Act::Pass.on(path))?;
        }
        ControlFlow::Continue(())
    }

    /// Calls `visit` with the legal plies on a board; with `unwon`, those that need not win it.
    fn for_each_on(
        &self,
        at: u8,
        unwon: bool,
        only: Option<&[u8]>,
        path: &mut BoardPath,
        visit: &mut dyn FnMut(Ply) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        path.push(at);
        let flow = if self.level > 1 {
            self.with_inner(at, |game| game.legal_moves(unwon, only, path, visit))
        } else if only.is_some_and(|only| !only.is_empty()) {
            ControlFlow::Continue(())
        } else {
            self.with_chess(at, |chess| {
                let mut flow = ControlFlow::Continue(());
                chess.legal_moves(|m| {
                    if flow.is_continue() && !(unwon && mates(chess, m)) {
                        flow = visit(Act::Move(m).on(*path));
                    }
                });
                flow
            })
        };
        path.pop();
        flow
    }

    /// Whether the turn, continued with this act, can end without winning this game.
    pub fn can_end_unwon_by(&self, path: &[u8], act: Act) -> bool {
        let mover = self.turn;
        let mut after = self.clone();
        match after.play(path, act) {
            Step {
                over: true, end, ..
            } => !end.is_some_and(|ruling| ruling.outcome == Outcome::Win(mover)),
            _ => after.can_end_unwon(),
        }
    }

    fn can_end_unwon(&self) -> bool {
        let mut path = BoardPath::OUTERMOST;
        let mut plies = |ply: Ply| match self.can_end_unwon_by(ply.path.steps(), ply.act) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        self.legal_moves(false, None, &mut path, &mut plies)
            .is_break()
    }

    /// Calls `visit` with every legal mega-move.
    pub fn for_each_mega_move(&self, mut visit: impl FnMut(MegaMove)) {
        let lost = self.lost_by_answering();
        self.field.for_each_pseudo(self.turn, &mut |m| {
            if self.exposers(m, lost) == 0 {
                visit(m);
            }
        });
    }

    pub fn has_mega_move(&self) -> bool {
        let mut found = false;
        self.for_each_mega_move(|_| found = true);
        found
    }

    /// The boards that the side to move loses if it answers a mega-check (MG-11).
    pub fn lost_by_answering(&self) -> u64 {
        if !self.checked {
            return 0;
        }
        let in_check = |at: &u8| {
            self.leaf(*at).is_some_and(|leaf| leaf.chess.in_check())
                || self.game(*at).is_some_and(|game| game.checked)
        };
        set_of(squares(self.waiting.of(self.turn)).filter(in_check))
    }

    /// The armed mega-pieces that attack the mover's king after a mega-move and the loss of boards.
    pub fn exposers(&self, m: MegaMove, lost: u64) -> u64 {
        if lost == 0 && !self.may_expose(m) {
            return 0;
        }
        self.field_after(m, lost).checkers(self.turn)
    }

    /// The mega-board after a mega-move and the loss of boards.
    fn field_after(&self, m: MegaMove, lost: u64) -> MegaBoard {
        let mut field = self.field;
        field.play(m);
        for at in squares(carried(&self.field, lost, m)) {
            field.won(at, self.turn.other());
        }
        field
    }

    /// Whether a mega-move that loses no board can expose its own king at all; computed without making it.
    fn may_expose(&self, m: MegaMove) -> bool {
        let armed = self.field.of(self.turn.other()) & self.field.with(State::Armed);
        if armed == 0 {
            return false;
        }
        let on_line = |king| reach(Role::Queen, king, 0) & armed & self.field.sliders() != 0;
        match self.field.king(self.turn) {
            Some(king) => self.checked || m.from == king || on_line(king),
            None => false,
        }
    }

    /// Whether a legal mega-move can be mega-mate or mega-stalemate at all, computed without searching
    /// replies: it gives mega-check, or leaves no board in play.
    pub fn may_win(&self, m: MegaMove) -> bool {
        let lost = self.lost_by_answering();
        if self.in_play() & !lost == 0 {
            return true;
        }
        // Lost boards arm none of the mover's pieces.
        if self.field.of(self.turn) & self.field.with(State::Armed) == 0 {
            return false;
        }
        self.field_after(m, lost).checkers(self.turn.other()) != 0
    }

    /// Whether the side to move may pass (MG-3).
    pub fn may_pass(&self) -> bool {
        self.is_between_turns() && !self.checked && self.in_play() != 0 && self.offering() == 0
    }

    /// Whether the side to move could capture en passant.
    pub(super) fn takes_in_passing(&self) -> bool {
        let Some(square) = self.field.board.en_passant else {
            return false;
        };
        let mut found = false;
        self.for_each_mega_move(|m| {
            let is_pawn = self.field.kind(Role::Pawn) & bit(m.from) != 0;
            found |= is_pawn && m.to == square && m.from % 8 != m.to % 8;
        });
        found
    }

    /// Whether an agreed draw on a board, as the next item, breaks MG-13 because no item of the turn would
    /// be a move.
    pub fn leaves_no_move(&self, at: u8) -> bool {
        if self.moved {
            return false;
        }
        let mut after = self.clone();
        after.field.drawn(at);
        after.waiting.remove(at);
        after.used |= bit(at);
        after.used.count_ones() >= TURN || after.offering() == 0
    }

    /// The number of plies that [`Self::legal_moves`] lists, computed without visiting boards that were never touched.
    pub fn count_legal(&self) -> Option<u64> {
        let barred = self.barred();
        let offering = self.offering_now(barred);
        let mut rest = offering;
        let mut count = 0_u64;
        if let Boards::Leaves(leaves) = &self.boards {
            // Most boards were never touched, and need no visit.
            let untouched =
                squares(offering & !barred).filter(|at| leaves[usize::from(*at)].is_none());
            let untouched = set_of(untouched);
            count = OF_FIRST * u64::from(untouched.count_ones());
            rest &= !untouched;
        }
        for at in squares(rest) {
            count = count.checked_add(self.count_on(at, barred & bit(at) != 0)?)?;
        }
        if self.is_between_turns() {
            let mut mega_moves = 0;
            self.for_each_mega_move(|_| mega_moves += 1);
            let passes = offering == 0 && self.may_pass();
            count = count.checked_add(mega_moves + u64::from(passes))?;
        }
        Some(count)
    }

    fn count_on(&self, at: u8, unwon: bool) -> Option<u64> {
        if unwon {
            let mut count = 0;
            let _ = self.for_each_on(
                at,
                true,
                None,
                &mut BoardPath::OUTERMOST.clone(),
                &mut |_| {
                    count += 1;
                    ControlFlow::Continue(())
                },
            );
            return Some(count);
        }
        match &self.boards {
            Boards::Leaves(leaves) if leaves[usize::from(at)].is_none() => Some(OF_FIRST),
            Boards::Leaves(_) => Some(self.with_chess(at, Chess::count_legal)),
            Boards::Games(games) if games[usize::from(at)].is_none() => first_plies(self.level - 1),
            Boards::Games(_) => self.with_inner(at, Self::count_legal),
        }
    }

    /// Extends a path to a board that `pick` chooses among those that may be moved on, and so on inwards. `pick` chooses one
    /// square of a bitboard (bit 0 is `A1`). Returns whether all moves of that board are legal.
    pub fn pick_board(&self, path: &mut BoardPath, pick: &mut impl FnMut(u64) -> u8) -> bool {
        let barred = self.barred();
        let choices = self.offering_now(barred);
        if choices == 0 {
            return true;
        }
        let at = pick(choices);
        path.push(at);
        let is_open = barred & bit(at) == 0;
        // The path inside must be extended in any case.
        let is_whole = self.level <= 1 || self.with_inner(at, |game| game.pick_board(path, pick));
        is_open && is_whole
    }

    /// One of the acts on the board at a path, if all are legal and no board inside it may be moved on.
    pub fn pick_act(&self, path: &[u8], chance: &mut impl FnMut(usize) -> usize) -> Option<Act> {
        match path.split_first() {
            Some((at, [])) if self.level <= 1 => self
                .with_chess(*at, |chess| chess.pick_legal(chance))
                .map(Act::Move),
            Some((at, rest)) => self.with_inner(*at, |game| game.pick_act(rest, chance)),
            None => {
                let mut acts = Vec::new();
                let _ = self.for_each_mega_ply(0, BoardPath::OUTERMOST, &mut |ply| {
                    acts.push(ply.act);
                    ControlFlow::Continue(())
                });
                pick(&acts, chance)
            }
        }
    }
}

/// The rest of the path to the only wanted board, one board further in; `None` if it leads elsewhere.
fn inwards(only: Option<&[u8]>, at: u8) -> Option<Option<&[u8]>> {
    let Some(way) = only else {
        return Some(None);
    };
    let (first, rest) = way.split_first()?;
    if *first != at {
        return None;
    }
    Some(Some(rest))
}

/// The number of moves in the initial position of chess; on an untouched board Black has as many as White.
const OF_FIRST: u64 = 20;

/// The number of plies in the initial position of a level: those on each of 32 boards, and 20 mega-moves.
fn first_plies(level: u8) -> Option<u64> {
    (0..level).try_fold(OF_FIRST, |plies, _| plies.checked_mul(32)?.checked_add(20))
}
