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
        choices(|side| teams[side] && self.kings[side] > 1)
            .all(|chosen| self.means_with_last_kings(board, written, chosen, meant))
    }

    /// Whether a written ply means this one, or none, captures no king and ends nothing if these teams have only one
    /// king left.
    fn means_with_last_kings(
        &self,
        board: usize,
        written: &Written,
        teams: BySide<bool>,
        meant: Option<Ply>,
    ) -> bool {
        let mut supposed = self.clone();
        for (side, is_last) in teams.pairs() {
            if *is_last {
                supposed.kings[side] = 1;
            }
        }
        // Whether a board is closed depends on last kings, too (SC-32).
        supposed.touched.clear();
        supposed.touch_around(board);
        supposed.close_touched();
        let kings = supposed.kings;
        if supposed.only(board, written) != meant {
            return false;
        }
        if let Some(ply) = meant {
            supposed.make(ply);
            return supposed.ended.is_none() && supposed.kings == kings;
        }
        true
    }

    /// The only legal ply that a written one means; `None` if there is none or more than one.
    #[must_use]
    pub fn only(&self, board: usize, written: &Written) -> Option<Ply> {
        let mut meant = self.meant(board, written);
        let ply = meant.next()?;
        if meant.next().is_some() {
            return None;
        }
        Some(ply)
    }
}

/// Every choice of neither, one or both of the teams that may be chosen.
pub(super) fn choices(may_be: impl Fn(Side) -> bool) -> impl Iterator<Item = BySide<bool>> {
    let all = [[false, false], [false, true], [true, false], [true, true]].map(BySide::from);
    all.into_iter()
        .filter(move |chosen| chosen.pairs().all(|(side, is_so)| !is_so || may_be(side)))
}
