//! The boards of a match, however many, as a tree whose parts are shared by positions that have them in common.
//!
//! Copying a position costs nothing except for what is changed afterwards. Each part caches how many plies its boards
//! offer, until one of them is touched. A few boards are copied whole, which is cheaper than sharing them.

use super::Seat;
use std::{
    iter,
    ops::{Index, IndexMut},
    sync::{Arc, OnceLock},
};

/// Boards in a leaf, and parts in an inner node, as powers of two.
const BOARDS: u32 = 2;
const PARTS: u32 = 4;

/// The number of boards that are not worth a tree.
const FEW: usize = 4;

/// Boards side by side.
#[derive(Clone, Debug)]
pub(super) enum Seats {
    /// In a row, if they are few.
    Few(Vec<Seat>),
    /// In a tree.
    Many(Tree),
}

/// Boards in parts that contain parts.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    count: usize,
    /// The power of two of the boards in one part, if it has parts.
    height: u32,
    whole: Arc<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    held: Held,
    /// How many plies its boards offer, once counted.
    plies: OnceLock<u64>,
}

#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all parts hold boards, which are looked at all the time"
)]
enum Held {
    /// The last part is padded with boards that are never read.
    Seats([Seat; 1 << BOARDS]),
    Parts(Vec<Arc<Part>>),
}

impl Seats {
    /// These boards, of which there is at least one.
    pub fn of(seats: &[Seat]) -> Self {
        if seats.len() > FEW {
            Self::Many(Tree::of(seats))
        } else {
            Self::Few(seats.to_vec())
        }
    }

    #[inline]
    pub const fn len(&self) -> usize {
        match self {
            Self::Few(seats) => seats.len(),
            Self::Many(tree) => tree.count,
        }
    }

    pub fn get(&self, board: usize) -> Option<&Seat> {
        (board < self.len()).then(|| &self[board])
    }

    pub fn get_mut(&mut self, board: usize) -> Option<&mut Seat> {
        if board < self.len() {
            Some(&mut self[board])
        } else {
            None
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Seat> {
        (0..self.len()).map(|board| &self[board])
    }

    /// Whether these boards and as many others agree, board by board. With `shares`, parts that both share
    /// are skipped.
    pub fn agree(
        &self,
        other: &Self,
        shares: bool,
        is_same: &impl Fn(usize, &Seat, &Seat) -> bool,
    ) -> bool {
        match (self, other) {
            (Self::Many(one), Self::Many(other)) => {
                one.count == other.count
                    && one.parts_agree([&one.whole, &other.whole], 0, one.height, shares, is_same)
            }
            _ => {
                let mut pairs = iter::zip(self.iter(), other.iter()).enumerate();
                self.len() == other.len()
                    && pairs.all(|(board, (one, other))| is_same(board, one, other))
            }
        }
    }

    /// The plies that a board offers have changed, though the board itself may not have.
    #[inline]
    pub fn touch(&mut self, board: usize) {
        if let Self::Many(tree) = self {
            // Changing a board clears the cached counts on the path to it.
            let _ = tree.seat_mut(board);
        }
    }

    /// How many plies all boards offer; `of_board` counts those of one. Only boards touched since the last call are
    /// counted again.
    pub fn plies(&self, of_board: impl Fn(usize) -> u64) -> u64 {
        match self {
            Self::Few(seats) => (0..seats.len()).map(of_board).sum(),
            Self::Many(tree) => tree.plies_of(&tree.whole, 0, tree.height, &of_board),
        }
    }
}

impl Tree {
    fn of(seats: &[Seat]) -> Self {
        let part = |held| {
            Arc::new(Part {
                held,
                plies: OnceLock::new(),
            })
        };
        let seat = |chunk: &[Seat], at: usize| chunk.get(at).or(chunk.last()).copied();
        let mut parts: Vec<_> = seats
            .chunks(1 << BOARDS)
            .filter_map(|chunk| {
                let held = [
                    seat(chunk, 0)?,
                    seat(chunk, 1)?,
                    seat(chunk, 2)?,
                    seat(chunk, 3)?,
                ];
                Some(part(Held::Seats(held)))
            })
            .collect();
        let mut height = BOARDS;
        while parts.len() > 1 {
            parts = parts
                .chunks(1 << PARTS)
                .map(|parts| part(Held::Parts(parts.to_vec())))
                .collect();
            height += PARTS;
        }
        let whole = parts.pop().unwrap_or_else(|| part(Held::Parts(Vec::new())));
        Self {
            count: seats.len(),
            height: height.saturating_sub(PARTS),
            whole,
        }
    }

    fn parts_agree(
        &self,
        [one, other]: [&Arc<Part>; 2],
        first: usize,
        height: u32,
        shares: bool,
        is_same: &impl Fn(usize, &Seat, &Seat) -> bool,
    ) -> bool {
        match (&one.held, &other.held) {
            _ if shares && Arc::ptr_eq(one, other) => true,
            (Held::Seats(one), Held::Seats(other)) => {
                let mut boards = (first..self.count).zip(iter::zip(one, other));
                boards.all(|(board, (one, other))| is_same(board, one, other))
            }
            (Held::Parts(one), Held::Parts(other)) => {
                let below = height.saturating_sub(PARTS);
                let mut parts = (0..).zip(iter::zip(one, other));
                parts.all(|(at, (one, other))| {
                    self.parts_agree([one, other], first + (at << height), below, shares, is_same)
                })
            }
            _ => false,
        }
    }

    fn plies_of(
        &self,
        part: &Part,
        first: usize,
        height: u32,
        of_board: &impl Fn(usize) -> u64,
    ) -> u64 {
        *part.plies.get_or_init(|| match &part.held {
            Held::Seats(_) => (first..self.count).take(1 << BOARDS).map(of_board).sum(),
            Held::Parts(parts) => {
                let firsts = (0..).map(|part| first + (part << height));
                let below = height.saturating_sub(PARTS);
                iter::zip(parts, firsts)
                    .map(|(part, first)| self.plies_of(part, first, below, of_board))
                    .sum()
            }
        })
    }

    fn seat(&self, board: usize) -> &Seat {
        let (mut part, mut height) = (&self.whole, self.height);
        loop {
            match &part.held {
                Held::Seats(seats) => return &seats[board & ((1 << BOARDS) - 1)],
                Held::Parts(parts) => part = &parts[board >> height & ((1 << PARTS) - 1)],
            }
            height = height.saturating_sub(PARTS);
        }
    }

    fn seat_mut(&mut self, board: usize) -> &mut Seat {
        let (mut part, mut height) = (Arc::make_mut(&mut self.whole), self.height);
        loop {
            part.plies.take();
            match &mut part.held {
                Held::Seats(seats) => return &mut seats[board & ((1 << BOARDS) - 1)],
                Held::Parts(parts) => {
                    part = Arc::make_mut(&mut parts[board >> height & ((1 << PARTS) - 1)]);
                }
            }
            height = height.saturating_sub(PARTS);
        }
    }
}

impl Index<usize> for Seats {
    type Output = Seat;

    #[inline]
    fn index(&self, board: usize) -> &Seat {
        match self {
            Self::Few(seats) => &seats[board],
            Self::Many(tree) => tree.seat(board),
        }
    }
}

impl IndexMut<usize> for Seats {
    #[inline]
    fn index_mut(&mut self, board: usize) -> &mut Seat {
        match self {
            Self::Few(seats) => &mut seats[board],
            Self::Many(tree) => tree.seat_mut(board),
        }
    }
}

impl PartialEq for Seats {
    fn eq(&self, other: &Self) -> bool {
        self.agree(other, true, &|_, one, other| one == other)
    }
}

impl Eq for Seats {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategichess::linked::{Edition, Linked};
    use std::cell::Cell;

    /// Boards counted and parts copied for one board that is touched: their number does not grow with that of the
    /// boards, except for the path of parts to it.
    #[test]
    fn what_is_touched_alone_costs_anything() {
        for count in [1, 3, 4, 5, 63, 64, 65, 1024, 5000] {
            let mut seats = Linked::first(count, Edition::Of2003).seats;
            let counted = Cell::new(0);
            let plies = |seats: &Seats| {
                counted.set(0);
                seats.plies(|board| {
                    counted.set(counted.get() + 1);
                    board as u64
                })
            };
            let all = (0..count as u64).sum::<u64>();
            assert_eq!((plies(&seats), counted.get()), (all, count));
            for board in [0, count / 3, count - 1] {
                let kept = seats.clone();
                seats[board].fullmove += 1;
                assert_eq!(plies(&seats), all);
                let few = if count > FEW { 0 } else { count };
                assert!(counted.get() <= 1 << BOARDS, "{count}");
                assert_eq!((plies(&kept), counted.get()), (all, few));
                assert_eq!(kept[board].fullmove + 1, seats[board].fullmove);
                let mut others = (0..count).filter(|other| *other != board);
                assert!(others.all(|other| kept[other] == seats[other]));
                let copied = (0..count)
                    .filter(|other| !std::ptr::eq(&kept[*other], &seats[*other]))
                    .count();
                assert!(copied <= 1 << BOARDS, "{count}: {copied}");
            }
        }
    }
}
