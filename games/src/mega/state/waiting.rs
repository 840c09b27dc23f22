//! Who may move on which of the boards in play.

use crate::board8::board::bit;
use overboard_rules::{by_side::BySide, square::Side};

/// What the side that moved last on a board may still do there; on an untouched board that side is Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Again {
    /// It may not move: turns alternate, or its opponent's king is in check and the board waits for the reply.
    #[default]
    Barred,
    /// It may move, but has no legal move.
    Stuck,
    /// It may move, and has a legal move.
    Free,
}

/// The boards in play, by side to move. Bit 0 of a set is `A1`, bit 8 is `A2`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Waiting {
    /// Those on which White, and on which Black, is to move as positions are written: the side that did not move there
    /// last.
    sides: BySide<u64>,
    /// Those on which the other side may move as well (MG-18), and those of them on which it has a move.
    /// Cached, since finding them takes a visit to every board.
    again: u64,
    free: u64,
}

impl Waiting {
    /// All boards in play.
    pub const fn in_play(&self) -> u64 {
        self.sides.at(Side::White) | self.sides.at(Side::Black)
    }

    /// Those on which a side is to move, as positions are written.
    pub const fn of(&self, side: Side) -> u64 {
        self.sides.at(side)
    }

    /// The side to move on a board in play, as positions are written.
    pub fn side_of(&self, at: u8) -> Side {
        if self.of(Side::Black) & bit(at) != 0 {
            Side::Black
        } else {
            Side::White
        }
    }

    /// Those on which a side may move in its own turn, whether or not it has a legal move there.
    pub fn may_move(&self, side: Side) -> u64 {
        self.of(side) | self.of(side.other()) & self.again
    }

    /// Those of them on which it has a legal move.
    pub fn offering(&self, side: Side) -> u64 {
        self.of(side) | self.of(side.other()) & self.free
    }

    /// Those on which the other side may move as well.
    pub const fn again(&self) -> u64 {
        self.again
    }

    /// It is now this side's move on a board.
    pub fn put(&mut self, at: u8, side: Side, again: Again) {
        self.remove(at);
        self.sides[side] |= bit(at);
        self.again |= if again == Again::Barred { 0 } else { bit(at) };
        self.free |= if again == Again::Free { bit(at) } else { 0 };
    }

    /// No game is played on a board any more.
    pub fn remove(&mut self, at: u8) {
        for set in self.sets() {
            *set &= !bit(at);
        }
    }

    /// A board moves with its mega-piece.
    pub fn carry(&mut self, from: u8, to: u8) {
        for set in self.sets() {
            *set = (*set & !bit(from) & !bit(to)) | if *set & bit(from) != 0 { bit(to) } else { 0 };
        }
    }

    fn sets(&mut self) -> impl Iterator<Item = &mut u64> {
        self.sides
            .iter_mut()
            .chain([&mut self.again, &mut self.free])
    }
}
