//! Boards that have nothing to do with each other: the order of their plies is nobody's concern.
//!
//! A piece reaches no further beyond an edge than two files (SC-21). So what is played on two neighbours touches only where a
//! ply crosses between them, where a king stands so near to the edge that pieces beyond it attack it, or where
//! a player passes, which is legal where nothing else can be played, over an edge neither. Everything else that boards have
//! in common are their teams' kings, as soon as one of them may be the last, and the plies since a capture (SC-28).

use super::{BoardSheet, Origin, Plan, meant, name};
use overboard_formats::san::{LINKED, San};
use overboard_games::strategichess::{StrategiSetup, linked::Linked};
use overboard_rules::{
    game::Game as _,
    ply::{Arrival, Written},
    square::{Piece, Role, Side},
};
use std::ops::Range;

/// Plies of every open board after which the kings are counted, or may be (SC-28).
const COUNTED: usize = 100;

/// What ties two neighbours, as far as their sheets tell.
pub struct Ties {
    /// For each board, whether it and the next one touch whatever was played.
    always: Vec<bool>,
    /// For each board, before each of its plies, whether it or one after it crosses to the board before, or to the next.
    crosses: Vec<Vec<[bool; 2]>>,
}

impl Ties {
    /// The ties of boards that begin so, where the first of them is this one of all.
    pub fn of(sheets: &[BoardSheet], first: &Linked, start: usize) -> Self {
        let mut always = vec![false; sheets.len()];
        let mut crosses = Vec::with_capacity(sheets.len());
        for (board, sheet) in sheets.iter().enumerate() {
            let mut tie = |sides: [bool; 2]| {
                always[board] |= sides[1];
                if let Some(before) = board.checked_sub(1) {
                    always[before] |= sides[0];
                }
            };
            for side in [Side::White, Side::Black] {
                tie(first.king_on(board, side).map_or([false; 2], |on| near(on.file)));
            }
            let mut own = vec![[false; 2]];
            for entry in sheet.entries.iter().rev() {
                let mut after = own[own.len() - 1];
                match San::parse_in(sheet.language, entry.san.as_bytes(), &LINKED).map(|san| san.written) {
                    Ok(Written::Move(pattern)) => {
                        if pattern.role == Role::King {
                            tie(near(pattern.to.file));
                        }
                        if let Arrival::Beside(to) = pattern.arrival {
                            let to = usize::from(to);
                            after[0] |= to < start + board;
                            after[1] |= to > start + board;
                        }
                    }
                    // Whoever may pass can play nothing else, over an edge neither.
                    _ => tie([true; 2]),
                }
                own.push(after);
            }
            own.reverse();
            crosses.push(own);
        }
        Self { always, crosses }
    }

    /// Whether a board and the next one touch, where so many plies of each board are made.
    fn ties(&self, board: usize, made: impl Fn(usize) -> usize) -> bool {
        let crosses = |from: usize, way: usize| {
            self.crosses.get(from).is_some_and(|plies| plies[made(from).min(plies.len() - 1)][way])
        };
        self.always[board] || crosses(board, 1) || crosses(board + 1, 0)
    }

    /// Whether nothing that is still to be played on a board touches another one.
    pub fn is_apart(&self, board: usize, made: impl Fn(usize) -> usize + Copy) -> bool {
        let last = self.always.len() - 1;
        (board == 0 || !self.ties(board - 1, made)) && (board == last || !self.ties(board, made))
    }

    /// The boards in groups that do not touch each other.
    pub fn groups(&self) -> Vec<Range<usize>> {
        let mut groups = Vec::new();
        let mut from = 0;
        for board in 0..self.always.len() {
            if board + 1 == self.always.len() || !self.ties(board, |_| 0) {
                groups.push(from..board + 1);
                from = board + 1;
            }
        }
        groups
    }
}

/// Whether a king on a file is attacked over the edges to the board before and the next.
const fn near(file: u8) -> [bool; 2] {
    [file < 2, file > 11]
}

/// These boards as a game of their own, with kings far away, so that none of theirs is the last.
pub fn alone(first: &Linked, boards: Range<usize>) -> Option<Linked> {
    let own = boards.map(|board| first.to_setup(board));
    let far = [StrategiSetup::empty(), two_kings(), two_kings()];
    Linked::from_setups(&own.chain(far).collect::<Vec<_>>(), first.edition()).ok()
}

fn two_kings() -> StrategiSetup {
    let mut setup = StrategiSetup::empty();
    for (at, side) in [(6, Side::White), (13 * 14 + 6, Side::Black)] {
        setup.board[at] = Some(Piece { side, role: Role::King });
    }
    setup
}

/// Whether so many plies are played that the kings may be counted: an open board that has seen fewer keeps them from it.
pub fn may_be_counted(sheets: &[BoardSheet], first: &Linked) -> bool {
    let many = |(board, sheet): (usize, &BoardSheet)| {
        first.halfmove(board) as usize + sheet.entries.len() >= COUNTED
    };
    sheets.iter().enumerate().all(many)
}

impl Plan<'_> {
    /// An order in which groups of boards that do not touch are ordered each by itself; `None` where they may touch after
    /// all, because a king may become the last of its team or the game ends on the way.
    pub fn apart(&self, first: &Linked) -> Result<Option<Vec<usize>>, super::Problem> {
        let groups = Ties::of(self.sheets, first, 0).groups();
        if groups.len() < 2 || self.counts || first.end_by_itself().is_some() {
            return Ok(None);
        }
        let mut lost = [0, 0];
        let mut orders = Vec::with_capacity(groups.len());
        for group in groups {
            if group.len() == 1 {
                orders.push((group.start, vec![0; self.sheets[group.start].entries.len()]));
                continue;
            }
            let Some(begin) = alone(first, group.clone()) else { return Ok(None) };
            let sheets: Vec<_> =
                self.sheets[group.clone()].iter().map(|sheet| sheet.moved(group.start)).collect();
            let found = Plan::of(&sheets, group.start)?.search(&begin)?;
            for (lost, (had, fewest)) in
                lost.iter_mut().zip(begin.kings().into_iter().zip(found.fewest_kings))
            {
                *lost += had - fewest;
            }
            orders.push((group.start, found.order));
        }
        let order = self.merged(orders);
        let (end, stopped) = self.replayed(first, &order);
        // What was lost in this order may be counted twice: then all orders are looked at.
        let is_last = end.kings().into_iter().zip(lost).any(|(kings, lost)| kings < lost + 2);
        match stopped {
            _ if is_last || end.end_by_itself().is_some() => Ok(None),
            Some(due) => Err(Self::problem(
                "unfit",
                "the sheets do not fit: in no order is this ply legal".into(),
                vec![due],
            )),
            None => Ok(Some(order)),
        }
    }

    /// Orders of groups as one, the earliest move first where there is a choice.
    fn merged(&self, orders: Vec<(usize, Vec<usize>)>) -> Vec<usize> {
        let mut made = vec![0_u16; self.sheets.len()];
        let mut left: Vec<_> =
            orders.into_iter().map(|(start, order)| (start, order.into_iter().peekable())).collect();
        let mut order = Vec::new();
        loop {
            let heads = left
                .iter_mut()
                .enumerate()
                .filter_map(|(at, (start, boards))| Some((at, *start + boards.peek()?)));
            let heads: Vec<_> = heads.collect();
            let due = heads.iter().filter_map(|(_, board)| self.due_time(&made, *board)).min();
            let may_be_next = |board: usize| {
                let own = self.sheets[board].entries[usize::from(made[board])].ts;
                own.zip(due).is_none_or(|(own, due)| own <= due)
            };
            let next = heads.into_iter().filter(|(_, board)| may_be_next(*board)).min_by_key(|(_, board)| {
                let entry = &self.sheets[*board].entries[usize::from(made[*board])];
                (entry.number, entry.side == Side::Black, *board)
            });
            let Some((at, board)) = next else { return order };
            left[at].1.next();
            made[board] += 1;
            order.push(board);
        }
    }

    /// The position that an order leads to, and the first ply that is not legal in it; play stops there, and where the game
    /// ends.
    fn replayed(&self, first: &Linked, order: &[usize]) -> (Linked, Option<(Origin, String)>) {
        let mut position = first.clone();
        let mut made = vec![0_usize; self.sheets.len()];
        for board in order {
            let entry = &self.sheets[*board].entries[made[*board]];
            made[*board] += 1;
            match meant(&position, *board, entry, self.sheets[*board].language, 0) {
                Some(ply) => position.play(ply),
                None => return (position, Some((entry.origin, name(*board, entry)))),
            }
        }
        (position, None)
    }
}
