//! Compares positions of linked boards, and checks whether the judgement of a ply depends on kings on other boards.

use super::{Linked, Ply, Seat};
use overboard_rules::{by_side::BySide, ply::Written, square::Side};

impl Linked {
    /// Whether two positions of the same boards are equal as GEN-4 compares them: pieces, turns, pawns that have never
    /// moved; the numbers of moves, too. The counts of SC-34 are included with `with_counts`.
    #[must_use]
    pub fn is_same(&self, other: &Self, with_counts: bool) -> bool {
        let cause = |linked: &Self| linked.ended.map(|end| end.cause);
        let count = |linked: &Self, board| {
            if with_counts {
                linked.halfmove(board)
            } else {
                0
            }
        };
        let is_same = |board: usize, one: &Seat, two: &Seat| {
            (one.board, one.turn, one.fullmove, one.fallen)
                == (two.board, two.turn, two.fullmove, two.fallen)
                && count(self, board) == count(other, board)
        };
        let shares = !with_counts || self.stamp == other.stamp;
        self.kings == other.kings
            && cause(self) == cause(other)
            && self.seats.agree(&other.seats, shares, &is_same)
    }

    /// Whether a written ply means the same on a board, captures no king and ends nothing, even if any of these teams
    /// had only one king left, whichever that is.
    #[must_use]
    pub fn is_judged_alike(&self, board: usize, written: &Written, teams: BySide<bool>) -> bool {
        let meant = self.only(board, written);
        let may_be_last = |side: Side| teams[side] && self.kings[side] > 1;
        let cases = [[false, false], [true, false], [false, true], [true, true]].map(BySide::from);
        let possible = cases.into_iter().filter(|case| {
            let is_possible = |side: Side| !case[side] || may_be_last(side);
            is_possible(Side::White) && is_possible(Side::Black)
        });
        possible.into_iter().all(|case| {
            let mut supposed = self.clone();
            for (kings, is_last) in supposed.kings.iter_mut().zip(case) {
                *kings = if is_last { 1 } else { *kings };
            }
            // Whether a board is closed depends on last kings, too (SC-32).
            supposed.touched.clear();
            supposed.touch_around(board);
            supposed.close_touched();
            let kings = supposed.kings;
            supposed.only(board, written) == meant
                && meant.is_none_or(|ply| {
                    supposed.make(ply);
                    supposed.ended.is_none() && supposed.kings == kings
                })
        })
    }

    /// The only legal ply that a written one means; `None` if there is none or more than one.
    #[must_use]
    pub fn only(&self, board: usize, written: &Written) -> Option<Ply> {
        let mut meant = self.meant(board, written);
        let ply = meant.next()?;
        meant.next().is_none().then_some(ply)
    }
}
