//! Tries the plies of a match in orders other than the one played.
//!
//! To examine a few boards, the plies of the others need not be judged: they are applied without checks, and then only
//! those few boards are judged.

use super::{Edition, Linked, Ply};
use overboard_rules::{by_side::BySide, square::Role};
use std::ops::Range;

/// The effect of a legal ply, independent of the boards that it does not touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyEffect {
    /// The ply.
    pub ply: Ply,
    /// How many kings White and Black lose by it.
    pub lost: BySide<u32>,
    /// Whether it mates a last king.
    pub mates: bool,
}

impl Linked {
    /// Applies a ply that is known to be possible, without judging anything; with `takes_off` it removes the kings that
    /// the ply mates.
    pub fn put_through(&mut self, ply: Ply, takes_off: bool) {
        let (board, arrives) = (ply.board(), ply.arrives_on());
        let side = self.seats[board].turn;
        self.ended = None;
        self.touched.clear();
        let taken = self.carry(ply, side);
        self.seats[board].turn_over();
        if self.edition == Edition::Of2025 && arrives != board {
            self.seats[arrives].turn_over();
        }
        if taken == Some(Role::King) {
            let kings = &mut self.kings[side.other()];
            *kings = kings.saturating_sub(1);
        }
        if takes_off {
            self.touch_around(board);
            self.touch_around(arrives);
            let _ = self.remove_mated(side);
        }
    }

    /// Determines which of these boards are closed after plies were applied.
    pub fn judge_closed(&mut self, boards: Range<usize>) {
        self.touched.clear();
        self.touched.extend(boards);
        self.close_touched();
    }

    /// The effect of a legal ply.
    #[must_use]
    pub fn effect(&self, ply: Ply) -> PlyEffect {
        let mut after = self.clone();
        let side = self.seats[ply.board()].turn;
        after.put_through(ply, false);
        after.touch_around(ply.board());
        after.touch_around(ply.arrives_on());
        if after.kings != self.kings && after.kings.contains(&1) {
            after.touch_all();
        }
        let ended = match self.edition {
            Edition::Of2003 => after.mated_team(side),
            Edition::Of2025 => after.remove_mated(side),
        };
        let lost = BySide::from_fn(|side| self.kings[side].saturating_sub(after.kings[side]));
        PlyEffect {
            ply,
            lost,
            mates: ended.is_some(),
        }
    }
}
