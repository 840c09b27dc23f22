//! The state of one game of a record: its tags, clocks, claims and result, and what follows from them.
//!
//! Every game in a record has a state of its own, both the game of the record and a sub-game at any depth (GEN-12).

use crate::record_state::numbers::Shift;
use overboard_formats::{command::TimeControl, header::Header, span::TextSpan};
use overboard_rules::{
    by_side::BySide,
    game::Claimable,
    outcome::{Cause, Outcome, Prospect, Ruling},
    ply::Written,
    rule::Rule,
    square::Side,
};

/// What the record of a game says in addition to its moves.
#[derive(Default)]
pub struct GameState {
    /// The tags.
    pub header: Header,
    /// What has happened beside the moves.
    pub course: Course,
    /// Plies of the main line.
    pub plies: u32,
    /// The result after the moves.
    pub marker: Option<TextSpan>,
    /// The tag TimeControl.
    pub time_control: Option<TimeControl>,
    /// Whether this is the sheet of a board of Mega-Chess, which ends only by moves, never by a claim or a
    /// resignation.
    pub is_of_an_item: bool,
    /// Whether, on such a sheet, either player may move, so that `--` stands where one is passed over (MG-18).
    pub has_free_turns: bool,
    /// The ply at which a player was last passed over.
    pub passed_at: Option<u32>,
    /// The path to the game, as findings show it; empty for that of the record.
    pub path: String,
    /// How far its move numbers are off.
    pub shift: Shift,
}

impl GameState {
    /// Clears the state for another record.
    pub fn clear(&mut self) {
        self.header.clear();
        self.course = Course::default();
        self.plies = 0;
        self.marker = None;
        self.time_control = None;
        self.is_of_an_item = false;
        self.has_free_turns = false;
        self.passed_at = None;
        self.path.clear();
        self.shift.reset();
    }

    /// The game ends in this way, unless it has ended before.
    pub fn end_by(&mut self, outcome: Outcome, cause: Cause, rule: &'static Rule) {
        self.course.ended.get_or_insert(Ruling {
            outcome,
            cause,
            rule,
        });
    }

    /// A side loses in this way, unless the game has ended before; it is drawn if the other side could not mate (GEN-10).
    pub fn lose(&mut self, side: Side, prospect: Prospect, cause: Cause, rule: &'static Rule) {
        let winner = side.other();
        if self.course.ended.is_none() && prospect == Prospect::Undecided {
            self.course.undecided = Some(winner);
        }
        let outcome = Outcome::win_if(winner, prospect.is_possible());
        self.end_by(outcome, cause, rule);
    }

    /// Notes which draws can be claimed for the first time.
    #[inline]
    pub fn note_rights(&mut self, rights: Claimable) {
        let rights = [rights.repetition, rights.progress];
        for (right, claimable) in rights.into_iter().zip(&mut self.course.claimable) {
            if right {
                claimable.get_or_insert(self.plies);
            }
        }
    }

    /// A side says something forbidden (SC-42). The first side to do so loses when the game is over; later offences do
    /// not count.
    pub fn offend(&mut self, side: Side, rule: &'static Rule) {
        if self.course.ended.is_none() {
            self.course.offence.get_or_insert(Offence { side, rule });
        }
    }
}

/// What has happened in a game apart from its moves.
#[derive(Default)]
pub struct Course {
    /// How the game ended, if it has.
    pub ended: Option<Ruling>,
    /// Whether the record has moves after that.
    pub played_on: bool,
    /// What was first said although it is forbidden.
    pub offence: Option<Offence>,
    /// The ply after which each right to claim arose: threefold repetition, fifty moves.
    pub claimable: [Option<u32>; 2],
    /// Illegal attempts of each side.
    pub attempts: BySide<u32>,
    /// The rule that the last act broke, if that was a wrong claim.
    pub wrong_claim: Option<&'static Rule>,
    /// The move that was announced with it, which must be played if it is legal.
    pub announced: Option<Written>,
    /// The side of which the result supposes that it could still mate, though no search showed it.
    pub undecided: Option<Side>,
    /// Whether kings were moved after a draw by bare kings.
    pub shows_result: bool,
    /// The clocks.
    pub clocks: Clocks,
}

/// Something forbidden that a side said: it loses the game once that is over.
#[derive(Clone, Copy)]
pub struct Offence {
    /// The side.
    pub side: Side,
    /// The rule that it broke.
    pub rule: &'static Rule,
}

/// What the clocks of a game have shown, in milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    last: BySide<Option<u64>>,
    /// Whether an arbiter may have added to it since.
    adjusted: BySide<bool>,
    /// The clocks of linked boards, by board.
    boards: Vec<BySide<Option<u64>>>,
    stamp: Option<u64>,
}

impl Clocks {
    /// Sets a side's clock in milliseconds, on one of linked boards if given. Returns what it showed before.
    pub fn show(&mut self, side: Side, board: Option<u16>, milliseconds: u64) -> Option<u64> {
        let Some(board) = board.map(usize::from) else {
            self.adjusted[side] = false;
            return self.last[side].replace(milliseconds);
        };
        if self.boards.len() <= board {
            self.boards.resize(board + 1, BySide::default());
        }
        self.boards[board][side].replace(milliseconds)
    }

    /// The most that a side's clock can show: what it last showed, and what an arbiter may have added.
    #[must_use]
    pub const fn left(&self, side: Side) -> Option<u64> {
        self.last.at(side)
    }

    /// What a side's clock last showed, on one of linked boards if given, if nothing can have been added since.
    #[must_use]
    pub fn certain(&self, side: Side, board: Option<u16>) -> Option<u64> {
        if self.adjusted[side] {
            return None;
        }
        match board {
            Some(board) => self.boards.get(usize::from(board))?[side],
            None => self.left(side),
        }
    }

    /// Allows for seconds that an arbiter added or removed: a record does not say on whose clock, so any clock may rise
    /// by that much.
    pub fn adjust(&mut self, seconds: u64) {
        self.adjusted = BySide::from_fn(|_| true);
        for left in self
            .boards
            .iter_mut()
            .chain([&mut self.last])
            .flatten()
            .flatten()
        {
            *left = left.saturating_add(seconds.saturating_mul(1000));
        }
    }

    /// The arbiter gave a side this much time, in milliseconds: its clocks may rise by as much.
    pub fn give(&mut self, side: Side, milliseconds: u64) {
        let boards = self.boards.iter_mut().map(|clocks| &mut clocks[side]);
        for left in boards.chain([&mut self.last[side]]).flatten() {
            *left = left.saturating_add(milliseconds);
        }
    }

    /// Sets the time stamp in milliseconds. Returns the previous one.
    pub const fn stamp(&mut self, milliseconds: u64) -> Option<u64> {
        self.stamp.replace(milliseconds)
    }
}
