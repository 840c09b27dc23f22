//! Linked boards, as a [`Game`](overboard_rules::game::Game).

use super::{Boards, Edition, FallenFlag, Linked, LinkedBoard, Ply};
use crate::{
    chess::laws as regular,
    side_by_side::board,
    strategichess::{Strategi, linked::laws as law},
};
use overboard_rules::{
    by_side::BySide,
    game::{Claim, Claimable, Game, Happening, Refusal, Said, Spelt},
    general as common,
    outcome::{Prospect, Ruling},
    ply::{BoardName, Written},
    position::{Claims, Found},
    repetition::Times,
    setup::SetupError,
    square::Side,
};
use std::{convert::Infallible, ops::ControlFlow};

/// The options of a match on linked boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How many boards there are.
    pub boards: usize,
    /// Which edition's rules on kings and crossings apply.
    pub edition: Edition,
    /// What a fallen flag does.
    pub flag: FallenFlag,
}

impl Default for Options {
    /// Two boards under the rules of 2003.
    fn default() -> Self {
        Self {
            boards: 2,
            edition: Edition::default(),
            flag: FallenFlag::default(),
        }
    }
}

impl Options {
    /// The options of a match on this many boards, with rules in the form of the tag Rules; unknown ones are ignored.
    #[must_use]
    pub fn of(boards: usize, rules: &str) -> Self {
        let has = |wanted| rules.split(':').any(|item| item == wanted);
        Self {
            boards,
            edition: match has("edition=2025") {
                true => Edition::Of2025,
                false => Edition::Of2003,
            },
            flag: match has("flag=end") {
                true => FallenFlag::End,
                false => FallenFlag::default(),
            },
        }
    }
}

impl Linked {
    /// The index of a board, if it exists.
    pub(super) fn seat(&self, at: LinkedBoard) -> Option<usize> {
        at.index(self.count())
    }

    /// Whether perft stops here: the game has ended, and not by a count (GEN-6).
    fn is_over(&self) -> bool {
        self.ended
            .is_some_and(|ruling| ruling.rule.id != law::COUNT.id)
    }

    /// Calls `visit` with the plies of a board, and with the pass if there is no other.
    pub(super) fn list_with_pass(&self, board: usize, visit: &mut impl FnMut(Ply)) {
        let seat = &self.seats[board];
        if seat.closed || self.is_over() {
            return;
        }
        let mut none = true;
        if !seat.fallen[seat.turn] {
            self.list(board, seat.turn, &mut |ply| {
                none = false;
                visit(ply);
            });
        }
        if none {
            visit(Ply::pass(board));
        }
    }

    /// Why nothing at all can be played on a board.
    pub(super) fn against_any_ply(&self, board: usize) -> Option<Box<Refusal<Self>>> {
        let (words, rule) = match self.ended {
            Some(Ruling { cause, outcome, .. }) => (
                format!("the game had ended by {cause} ({outcome})"),
                &common::ENDED,
            ),
            None if self.is_closed(board) => {
                let words = format!(
                    "board {} is closed: neither side has a move there",
                    BoardName(board)
                );
                (words, &law::CLOSING)
            }
            None => return None,
        };
        Some(Box::new(Refusal::new(words, rule, LinkedBoard::of(board))))
    }
}

impl Game for Linked {
    type Options = Options;
    type Board = LinkedBoard;
    /// No rule counts repetitions here.
    type Snapshot = ();
    type Ply = Ply;
    type Block = Infallible;
    type Effects = ();

    /// This many boards in their initial position (SC-2, SC-20).
    fn start(options: &Options) -> Result<Self, SetupError> {
        let Options {
            boards,
            edition,
            flag,
        } = *options;
        if boards == 0 || boards > usize::from(u16::MAX) {
            let words = format!(
                "there cannot be {boards} boards; expected 1 to {}",
                u16::MAX
            );
            return Err(SetupError {
                words,
                rule: &law::LINKS,
            });
        }
        let linked = Self::arrange(&vec![Strategi::default(); boards], edition);
        Ok(Self { flag, ..linked })
    }

    fn options(&self) -> Options {
        Options {
            boards: self.count(),
            edition: self.edition,
            flag: self.flag,
        }
    }

    fn next_move(&self, at: LinkedBoard) -> Option<(u32, Side)> {
        let board = self.seat(at)?;
        Some((self.fullmove(board), self.turn(board)))
    }

    fn legal(&self, mut visit: impl FnMut(Ply) -> ControlFlow<()>) -> ControlFlow<()> {
        (0..self.count()).try_for_each(|board| self.legal_on(LinkedBoard::of(board), &mut visit))
    }

    fn legal_on(
        &self,
        at: LinkedBoard,
        mut visit: impl FnMut(Ply) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        if let Some(board) = self.seat(at) {
            self.list_with_pass(board, &mut |ply| {
                if flow.is_continue() {
                    flow = visit(ply);
                }
            });
        }
        flow
    }

    fn count_legal(&self) -> u64 {
        if self.is_over() {
            return 0;
        }
        self.seats.plies(|board| {
            let mut count = 0;
            self.list_with_pass(board, &mut |_| count += 1);
            count
        })
    }

    fn find(&self, at: LinkedBoard, written: &Written) -> Found<Ply> {
        let Some(board) = self.seat(at) else {
            return Found::None;
        };
        if self.is_over() {
            return Found::None;
        }
        match written {
            Written::Move(pattern) => Found::only(self.fitting(board, pattern)),
            Written::Pass if self.must_pass(board) => Found::One(Ply::pass(board)),
            Written::Pass
            | Written::Castle(_)
            | Written::Drop { .. }
            | Written::PromotedDrop { .. } => Found::None,
        }
    }

    fn resolve(
        &self,
        at: LinkedBoard,
        said: Said<'_, Self>,
    ) -> Result<Vec<Ply>, Box<Refusal<Self>>> {
        let Some(board) = self.seat(at) else {
            return Err(board::no_such(at, self.count(), &law::LINKS));
        };
        match said {
            Said::Ply(written) => match self.find(at, &written) {
                Found::One(ply) => Ok(vec![ply]),
                Found::None | Found::Several => Err(Box::new(self.refuse(board, &written))),
            },
            Said::Block(block) => match *block {},
            Said::Draw => Err(self.against_any_ply(board).unwrap_or_else(|| {
                Box::new(Refusal::new(
                    "a draw is no ply: it ends the record",
                    &regular::TURN,
                    at,
                ))
            })),
            Said::Unreadable => self
                .against_any_ply(board)
                .map_or_else(|| Ok(Vec::new()), Err),
        }
    }

    fn spell(&self, ply: Ply) -> (LinkedBoard, Spelt<Self>) {
        (LinkedBoard::of(ply.board()), Spelt::Ply(self.written(ply)))
    }

    fn play(&mut self, ply: Ply) {
        self.make(ply);
    }

    fn happen(&mut self, at: LinkedBoard, event: Happening) -> Option<()> {
        let board = self.seat(at)?;
        match event {
            Happening::Flag(side) if self.ended.is_none() && !self.has_fallen(board, side) => {
                self.fall(board, side, self.flag);
            }
            Happening::Stood(standing_act) => *self = self.stood(board, standing_act)?,
            Happening::Flag(_)
            | Happening::Ended(_)
            | Happening::Passed
            | Happening::Stopped
            | Happening::Unjudged => return None,
        }
        Some(())
    }

    fn forget(&self, at: LinkedBoard, readings: &mut Vec<Self>) -> bool {
        let Some(board) = self.seat(at) else {
            return false;
        };
        self.forget_board(board, readings);
        true
    }

    /// A ply depends only on boards next to its own or next to the one on which it arrives.
    fn hangs_on(&self, ply: Ply, lost: &[LinkedBoard]) -> bool {
        let (near, far) = (
            ply.board().min(ply.arrives_on()),
            ply.board().max(ply.arrives_on()),
        );
        let first = lost.partition_point(|lost| *lost < LinkedBoard::of(near.saturating_sub(1)));
        for lost in &lost[first..] {
            if *lost > LinkedBoard::of(far + 1) {
                break;
            }
            if let Some(board) = self.seat(*lost)
                && self.hangs_on_board(ply, board)
            {
                return true;
            }
        }
        false
    }

    fn ruling(&self, _: Times<'_, ()>) -> Option<Ruling> {
        self.ended
    }

    /// Neither: what either captain may request is the count of kings (SC-28), which is no claim of a draw.
    fn claims(&self, _: LinkedBoard, _: Claim) -> Claims {
        Claims::Closed(&law::COUNT)
    }

    fn claimable(&self, _: LinkedBoard, _: usize) -> Claimable {
        Claimable {
            repetition: false,
            progress: self.may_be_counted(),
        }
    }

    /// Always true: the effect of a fallen flag depends on kings, not on material (SC-35).
    fn can_mate(&self, _: LinkedBoard, _: Side) -> Prospect {
        Prospect::Open
    }

    /// Includes the counters: positions of linked boards are compared with them.
    fn key(&self) -> u64 {
        let mut key = 0_u64;
        for board in 0..self.count() {
            let seat = &self.seats[board];
            let [white, black] = seat.fallen.map(u64::from).into_array();
            let flags = (seat.turn as u64) << 2 | white << 1 | black;
            let counters =
                u64::from(self.halfmove(board)) << 32 | u64::from(seat.fullmove) << 3 | flags;
            // A lost board is empty, so only its counts of kings distinguish readings.
            let kings = if seat.is_unknown {
                self.kings
            } else {
                BySide::both(0)
            };
            let hidden = u64::from(kings[Side::White]) << 48 ^ u64::from(kings[Side::Black]) << 56;
            let here = hidden ^ seat.board.key() ^ counters.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            key = (key.rotate_left(5) ^ here).wrapping_mul(0xbb67_ae85_84ca_a73b);
        }
        key
    }

    fn snapshot(&self) {}

    fn is_irreversible(&self, _: Ply) -> bool {
        true
    }
}
