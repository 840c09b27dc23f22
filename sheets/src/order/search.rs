//! Orders of plies, position by position.
//!
//! Partial-order reduction: orders that differ only in plies that do not touch are equivalent. If the next
//! ply of a board touches no remaining ply of another board, it is played and no alternative is tried;
//! otherwise the boards that it touches are tried with it, and those that these touch. That suffices unless
//! one of these plies ends the game or takes a king whose absence may change a judgement elsewhere: then
//! every possible next ply is tried.

use super::{Clock, Made, Plan, SheetPly, next_at};
use overboard_games::strategichess::linked::{Linked, Ply};
use overboard_rules::square::Side;
use std::{
    cmp::Reverse,
    collections::{HashMap, VecDeque},
};

/// A group of more boards than this is avoided if there is another.
const MANY: usize = 4;

/// Positions that are kept on a path, and those beside it that are held at most.
const KEPT: usize = 1024;
const MOST_HELD: usize = 1 << 15;
/// Bytes for positions that were met, and about how many each takes besides the plies made on each board.
const ROOM: usize = 1 << 27;
const ROOM_EACH: usize = 2048;

/// All plies, in an order in which they are legal.
#[derive(Clone)]
pub struct Run {
    /// Their boards.
    pub boards: Vec<usize>,
    /// Where they lead.
    pub end: Linked,
}

/// Where no ply that may be next is legal.
pub struct Dead {
    pub made: Made,
    pub position: Linked,
    /// The boards that were looked at, though others may have plies left.
    pub boards: Vec<usize>,
}

impl Dead {
    /// How many plies were made.
    pub fn count(&self) -> u32 {
        self.made.iter().sum()
    }
}

/// The result of a search.
#[derive(Default)]
pub struct Found {
    /// Runs with ends that are not the same, two at the most.
    pub runs: Vec<Run>,
    /// Whether the search was complete, or at least sufficient.
    pub is_all: bool,
    /// How many plies were tried.
    pub tried: usize,
    /// A dead end: of those met, one after the most plies.
    pub dead: Option<Box<Dead>>,
}

impl Found {
    /// Notes an order of all plies, unless its end is known. Returns whether two ends are known then.
    fn note(&mut self, boards: &[usize], end: Linked, known: Option<&Linked>) -> bool {
        let mut ends: Vec<_> = self.runs.iter().map(|run| &run.end).collect();
        ends.extend(known);
        if ends.iter().any(|known| known.is_same(&end, false)) {
            return false;
        }
        let is_second = !ends.is_empty();
        self.runs.push(Run {
            boards: boards.to_vec(),
            end,
        });
        is_second
    }
}

/// How a search proceeds.
pub struct Guide<'g> {
    /// The most plies that are tried.
    pub most: usize,
    /// Whether it matters how many plies there were since a capture, so that no order is like another (SC-28).
    pub counts: bool,
    /// Which board is looked at first.
    pub first: &'g dyn Fn(&Made) -> Option<usize>,
    /// Whether the search need not continue from a position.
    pub is_known: &'g dyn Fn(&Made, &Linked) -> bool,
    /// An end that is known already.
    pub end: Option<&'g Linked>,
}

/// A position on the path, and its remaining continuations: boards, and the positions after their plies as long as
/// those are remembered.
#[derive(Default)]
struct Crossroads {
    ways: Vec<(usize, Option<Linked>)>,
}

/// The way to the position that is looked at, and what is left to try on it. Of the positions beside it only the latest
/// are held, and some on the way, from which the others can be found again.
struct Path<'s> {
    start: (Made, &'s Linked),
    boards: Vec<usize>,
    stack: Vec<Crossroads>,
    /// A position at every so many plies.
    kept: Vec<Linked>,
    stride: usize,
    /// How many positions beside the way are held, and below which crossroads none is.
    held: usize,
    forgotten: usize,
}

impl<'s> Path<'s> {
    fn from(made: &Made, position: &'s Linked, left: usize) -> Self {
        Self {
            start: (made.clone(), position),
            boards: Vec::new(),
            stack: Vec::new(),
            kept: vec![position.clone()],
            stride: 1 + left / KEPT,
            held: 0,
            forgotten: 0,
        }
    }

    fn push(&mut self, crossroads: Crossroads) {
        self.held += crossroads.ways.len();
        self.stack.push(crossroads);
        if self.held <= MOST_HELD {
            return;
        }
        for crossroads in &mut self.stack[self.forgotten..] {
            for (_, after) in &mut crossroads.ways {
                self.held -= usize::from(after.take().is_some());
            }
            self.forgotten += 1;
            if self.held <= MOST_HELD / 2 {
                break;
            }
        }
    }

    /// A ply was made.
    fn extend(&mut self, board: usize, after: &Linked) {
        self.boards.push(board);
        if self.boards.len().is_multiple_of(self.stride) {
            self.kept.push(after.clone());
        }
    }

    /// Goes back by one ply; returns its board.
    fn pop(&mut self) -> Option<usize> {
        self.stack.pop();
        self.forgotten = self.forgotten.min(self.stack.len());
        let board = self.boards.pop()?;
        self.kept.truncate(self.boards.len() / self.stride + 1);
        Some(board)
    }
}

/// Positions of crossroads that were met, with the plies made; of very many the latest.
struct Seen {
    known: HashMap<Made, Vec<Linked>>,
    latest: VecDeque<Made>,
    most: usize,
}

impl Seen {
    fn on(boards: usize) -> Self {
        Self {
            known: HashMap::new(),
            latest: VecDeque::new(),
            most: ROOM / (ROOM_EACH + 8 * boards),
        }
    }

    /// Whether a position was met before; else it was met now.
    fn has(&mut self, made: &Made, position: Linked, counts: bool) -> bool {
        let known = self.known.entry(made.clone()).or_default();
        if known.iter().any(|known| known.is_same(&position, counts)) {
            return true;
        }
        known.push(position);
        self.latest.push_back(made.clone());
        if self.latest.len() > self.most
            && let Some(made) = self.latest.pop_front()
            && let Some(known) = self.known.get_mut(&made)
        {
            known.remove(0);
            if known.is_empty() {
                self.known.remove(&made);
            }
        }
        false
    }
}

impl Plan<'_> {
    /// Walks through all orders that may differ, from a position on, until two ends are known.
    pub fn visit(&self, mut made: Made, position: &Linked, guide: &Guide<'_>) -> Found {
        let mut left = self.total() - made.iter().sum::<u32>() as usize;
        let mut found = Found {
            is_all: true,
            ..Found::default()
        };
        let mut seen = Seen::on(made.len());
        let mut path = Path::from(&made, position, left);
        if left == 0 {
            found.note(&[], position.clone(), guide.end);
            return found;
        }
        path.push(self.crossroads(&made, position, guide, &mut found));
        while let Some(top) = path.stack.last_mut() {
            let Some((board, after)) = top.ways.pop() else {
                if let Some(board) = path.pop() {
                    made[board] -= 1;
                    left += 1;
                }
                continue;
            };
            if found.tried == guide.most || self.is_worn_out() {
                found.is_all = false;
                return found;
            }
            found.tried += 1;
            path.held -= usize::from(after.is_some());
            let Some(after) = after.or_else(|| self.found_again(&path, board)) else {
                continue;
            };
            made[board] += 1;
            path.extend(board, &after);
            left -= 1;
            let mut next = Crossroads::default();
            if left == 0 {
                if found.note(&path.boards, after, guide.end) {
                    return found;
                }
            } else if !(guide.is_known)(&made, &after) {
                next = self.crossroads(&made, &after, guide, &mut found);
                if next.ways.len() > 1 && seen.has(&made, after, guide.counts) {
                    next = Crossroads::default();
                }
            }
            path.push(next);
        }
        found
    }

    /// The position after the next ply of a board, from the last one on the way that is held.
    fn found_again(&self, path: &Path<'_>, board: usize) -> Option<Linked> {
        let (mut made, from) = (path.start.0.clone(), path.boards.len() / path.stride);
        let mut position = path.kept.get(from).unwrap_or(path.start.1).clone();
        let (held, later) = path.boards.split_at(from * path.stride);
        for board in held {
            made[*board] += 1;
        }
        for board in later.iter().chain([&board]) {
            position = self.step(&made, &position, *board)?;
            made[*board] += 1;
        }
        Some(position)
    }

    /// The continuations of a position, the likeliest first.
    fn crossroads(
        &self,
        made: &Made,
        position: &Linked,
        guide: &Guide<'_>,
        found: &mut Found,
    ) -> Crossroads {
        let (boards, mut ways) = self.ways(made, position, guide);
        if ways.is_empty() {
            let count = made.iter().sum();
            if found.dead.as_ref().is_none_or(|dead| dead.count() < count) {
                let dead = Dead {
                    made: made.clone(),
                    position: position.clone(),
                    boards,
                };
                found.dead = Some(Box::new(dead));
            }
        }
        // The last one is popped first.
        ways.sort_by_key(|(board, _)| Reverse(self.unlikeliness(made, position, *board)));
        let ways = ways.into_iter().map(|(board, after)| (board, Some(after)));
        Crossroads {
            ways: ways.collect(),
        }
    }

    /// How unlikely it is that a board's ply is the next one: plies whose spelling does not fit the position
    /// are the least likely, then those of later moves.
    fn unlikeliness(
        &self,
        made: &Made,
        position: &Linked,
        board: usize,
    ) -> (bool, u32, bool, usize) {
        let Some(entry) = self.next(made, board) else {
            return (false, 0, false, board);
        };
        let ply = self.meant(made, position, board);
        let takes = ply.is_some_and(|ply| position.captures(ply));
        let says = self.touch.plies[board][made[board] as usize].says_capture();
        let is_late = entry.side == Side::Black;
        (takes != says, entry.number, is_late, board)
    }

    /// The boards on which plies have to be tried next, and those that are legal with the positions after them.
    fn ways(
        &self,
        made: &Made,
        position: &Linked,
        guide: &Guide<'_>,
    ) -> (Vec<usize>, Vec<(usize, Linked)>) {
        // From the first board on, so that what is open on some is settled before it is open on others too.
        let mut due: Vec<_> = (0..made.len())
            .filter(|board| self.next(made, *board).is_some())
            .collect();
        let clock = self.clock(made);
        if guide.counts || position.end_by_itself().is_some() {
            let ways = self.played(&due, made, &clock, position);
            return (due, ways);
        }
        if let Some(first) = (guide.first)(made)
            && let Some(at) = due.iter().position(|board| *board == first)
        {
            due[..=at].rotate_right(1);
        }
        let mut groups = Vec::new();
        for board in &due {
            let group = self.group(*board, made, &clock);
            if group.len() == 1 {
                if let Some(ways) = self.quiet_ways(&group, made, &clock, position) {
                    return (group, ways);
                }
            } else if group.len() < due.len() {
                groups.push(group);
            }
        }
        groups.sort_by_key(|group: &Vec<usize>| {
            (group.len() > MANY, group.iter().min().copied(), group.len())
        });
        for group in groups {
            if let Some(ways) = self.quiet_ways(&group, made, &clock, position) {
                return (group, ways);
            }
        }
        let ways = self.played(&due, made, &clock, position);
        (due, ways)
    }

    /// The legal plies of these boards that may be next, unless it matters elsewhere whether they are made.
    fn quiet_ways(
        &self,
        boards: &[usize],
        made: &Made,
        clock: &Clock,
        position: &Linked,
    ) -> Option<Vec<(usize, Linked)>> {
        let ways = self.played(boards, made, clock, position);
        let is_quiet = |board: &usize| self.is_quiet(made, clock, position, *board);
        if !boards.iter().all(is_quiet)
            || !ways.iter().all(|(_, after)| self.keeps(position, after))
        {
            return None;
        }
        Some(ways)
    }

    /// The boards whose next plies may touch remaining plies of each other, starting from one board.
    fn group(&self, board: usize, made: &Made, clock: &Clock) -> Vec<usize> {
        let mut group = vec![board];
        let mut at = 0;
        while let Some(board) = group.get(at).copied() {
            let next = next_at(made, board);
            let touched = self.touch.touched(next, |other| made[other] as usize);
            // Its ply must wait for one of another board, which may touch others in turn.
            for other in touched.chain(self.waits_for(made, clock, board)) {
                if !group.contains(&other) && self.next(made, other).is_some() {
                    group.push(other);
                }
            }
            at += 1;
        }
        group
    }

    /// The plies of these boards that may be next and are legal, as the positions after them.
    fn played(
        &self,
        boards: &[usize],
        made: &Made,
        clock: &Clock,
        position: &Linked,
    ) -> Vec<(usize, Linked)> {
        let mut ways = Vec::new();
        if position.end_by_itself().is_some() {
            return ways;
        }
        for board in boards {
            if self.waits_for(made, clock, *board).is_none()
                && let Some(after) = self.step(made, position, *board)
            {
                ways.push((*board, after));
            }
        }
        ways
    }

    /// The next ply of a board, where it is legal.
    pub fn meant(&self, made: &Made, position: &Linked, board: usize) -> Option<Ply> {
        let sheeted = self.touch.plies[board].get(made[board] as usize)?;
        self.work.spend(1);
        sheeted.meant(position)
    }

    /// Whether the next ply of a board means the same whichever kings were taken elsewhere.
    pub fn is_quiet(&self, made: &Made, clock: &Clock, position: &Linked, board: usize) -> bool {
        let last = self.touch.may_be_last;
        let sheeted = &self.touch.plies[board][made[board] as usize];
        !last.contains(&true)
            || self.waits_for(made, clock, board).is_some()
            || sheeted.is_judged_alike(position, last)
    }

    /// Whether a ply neither ends the game nor takes a king on which anything elsewhere may depend.
    pub fn keeps(&self, position: &Linked, after: &Linked) -> bool {
        let keeps = |side: Side| {
            !self.touch.may_be_last[side] || position.kings()[side] == after.kings()[side]
        };
        after.end_by_itself().is_none() && keeps(Side::White) && keeps(Side::Black)
    }

    /// The entry of the next ply of a board.
    pub fn next(&self, made: &Made, board: usize) -> Option<&SheetPly> {
        self.sheets[board].entries.get(made[board] as usize)
    }
}
