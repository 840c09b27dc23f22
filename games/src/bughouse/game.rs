//! Bughouse, as a [`Game`](overboard_rules::game::Game).

use super::{BOARDS, Bughouse, LinkedBoard, Options, Ply, RepetitionLaw, laws as law, team};
use crate::{chess::laws as regular, crazyhouse::Crazyhouse, side_by_side::board};
use overboard_rules::{
    game::{Claim, Claimable, Game, Happening, Refusal, Said, Spelt},
    hash,
    outcome::{Prospect, Ruling},
    ply::Written,
    position::{Claims, DrawLaw as _, Found, Movegen as _},
    repetition::Times,
    setup::SetupError,
    square::Side,
};
use std::{convert::Infallible, ops::ControlFlow};

impl Game for Bughouse {
    type Options = Options;
    type Board = LinkedBoard;
    /// A position counts for itself how often each of its boards has occurred.
    type Snapshot = ();
    type Ply = Ply;
    type Block = Infallible;
    type Effects = ();

    /// Both boards in their initial position.
    fn start(options: &Options) -> Result<Self, SetupError> {
        let boards = [Crazyhouse::default(), Crazyhouse::default()];
        Ok(Self::arranged(boards, *options))
    }

    fn options(&self) -> Options {
        self.agreed
    }

    fn team(&self, at: LinkedBoard, side: Side) -> Side {
        at.index(BOARDS).map_or(side, |board| team(board, side))
    }

    fn next_move(&self, at: LinkedBoard) -> Option<(u32, Side)> {
        let here = &self.boards[at.index(BOARDS)?];
        Some((here.fullmove(), here.turn()))
    }

    fn legal(&self, mut visit: impl FnMut(Ply) -> ControlFlow<()>) -> ControlFlow<()> {
        (0..BOARDS).try_for_each(|board| self.list(board, &mut visit))
    }

    fn legal_on(
        &self,
        at: LinkedBoard,
        visit: impl FnMut(Ply) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match at.index(BOARDS) {
            Some(board) => self.list(board, visit),
            None => ControlFlow::Continue(()),
        }
    }

    fn count_legal(&self) -> u64 {
        (0..BOARDS).map(|board| self.count(board)).sum()
    }

    fn find(&self, at: LinkedBoard, written: &Written) -> Found<Ply> {
        at.index(BOARDS)
            .map_or(Found::None, |board| self.find_on(board, written))
    }

    fn resolve(
        &self,
        at: LinkedBoard,
        said: Said<'_, Self>,
    ) -> Result<Vec<Ply>, Box<Refusal<Self>>> {
        let Some(board) = at.index(BOARDS) else {
            return Err(board::no_such(at, BOARDS, &law::BOARDS));
        };
        match said {
            Said::Ply(written) => match self.find_on(board, &written) {
                Found::One(ply) => Ok(vec![ply]),
                Found::None | Found::Several => Err(self.refuse(board, &written)),
            },
            Said::Block(block) => match *block {},
            Said::Draw => Err(self.against_any_ply(board).unwrap_or_else(|| {
                let words = "a draw is no ply: it ends the record";
                Self::because(board, words, &regular::TURN)
            })),
            Said::Unreadable => match self.against_unreadable(board) {
                Some(refusal) => Err(refusal),
                None => Ok(Vec::new()),
            },
        }
    }

    fn spell(&self, ply: Ply) -> (LinkedBoard, Spelt<Self>) {
        let written = self.boards[ply.board].written(ply.made);
        (LinkedBoard::of(ply.board), Spelt::Ply(written))
    }

    fn play(&mut self, ply: Ply) {
        self.make(ply);
    }

    fn happen(&mut self, at: LinkedBoard, event: Happening) -> Option<()> {
        let board = at.index(BOARDS)?;
        match event {
            Happening::Flag(side) => self.fall(board, side).then_some(()),
            Happening::Stood(standing_act) => {
                let mover = self.boards[board].turn();
                let (stood, taken) = self.boards[board].stood_taking(standing_act)?;
                self.boards[board] = stood;
                self.settle(board, mover, taken);
                Some(())
            }
            Happening::Ended(_) | Happening::Passed | Happening::Stopped | Happening::Unjudged => {
                None
            }
        }
    }

    fn ruling(&self, _: Times<'_, ()>) -> Option<Ruling> {
        self.ended
    }

    fn claims(&self, _: LinkedBoard, claim: Claim) -> Claims {
        match claim {
            Claim::Repetition if self.agreed.repetition == RepetitionLaw::Claim => {
                Claims::Open(&law::REPETITION)
            }
            Claim::Repetition => Claims::Closed(&law::REPETITION),
            Claim::Progress => Claims::Closed(&law::MATCH_END),
        }
    }

    /// On the whole, if the last ply on either board led to such a position.
    fn claimable(&self, at: LinkedBoard, _: usize) -> Claimable {
        let is_asked = |board: &usize| at.index(BOARDS).is_none_or(|at| at == *board);
        let mut asked = (0..BOARDS).filter(is_asked);
        let is_open = self.agreed.repetition == RepetitionLaw::Claim;
        Claimable {
            repetition: is_open && asked.any(|board| self.reached[board].times() >= 3),
            progress: false,
        }
    }

    /// Always open: a flag always loses (BH-5).
    fn can_mate(&self, _: LinkedBoard, _: Side) -> Prospect {
        Prospect::Open
    }

    /// Nothing of the other board changes, but what its pockets hold is not all known any more.
    fn forget(&self, _: LinkedBoard, readings: &mut Vec<Self>) -> bool {
        if !self.is_over() {
            readings.push(Self {
                may_hold_more: true,
                ..self.clone()
            });
        }
        true
    }

    /// Whether a drop needs a piece that must have come from a board that is not judged.
    fn hangs_on(&self, ply: Ply, lost: &[LinkedBoard]) -> bool {
        let here = &self.boards[ply.board];
        let holds = |role| here.pockets().count(here.turn(), role) > 0;
        !lost.is_empty() && ply.made.dropped().is_some_and(|role| !holds(role))
    }

    fn key(&self) -> u64 {
        let [one, other] = &self.boards;
        hash::pair(one.repetition_key(), other.repetition_key())
    }

    fn snapshot(&self) {}

    fn is_irreversible(&self, _: Ply) -> bool {
        true
    }
}
