//! Orders of plies, position by position.
//!
//! Partial-order reduction: orders that differ only in plies that do not touch are equivalent. If the next
//! ply of a board touches no remaining ply of another board, it is played and no alternative is tried;
//! otherwise the boards that it touches are tried with it, and those that these touch. That suffices unless
//! one of these plies ends the game or takes a king whose absence may change a judgement elsewhere: then
//! every possible next ply is tried.

use super::{Clock, Made, Plan, SheetPly};
use overboard_games::strategichess::linked::{Linked, Ply};
use overboard_rules::{game::Game as _, ply::Written, square::Side};
use std::{cmp::Reverse, collections::HashMap};

/// A group of more boards than this is avoided if there is another.
const MANY: usize = 4;

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

/// What a walk came upon.
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

/// How a walk goes.
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

/// A position on the path, and its remaining continuations.
struct Crossroads {
    ways: Vec<(usize, Linked)>,
}

impl Plan<'_> {
    /// Walks through all orders that may differ, from a position on, until two ends are known.
    pub fn visit(&self, mut made: Made, position: &Linked, guide: &Guide<'_>) -> Found {
        let total: usize = self.sheets.iter().map(|sheet| sheet.entries.len()).sum();
        let mut left = total - made.iter().sum::<u32>() as usize;
        let mut found = Found { is_all: true, ..Found::default() };
        let mut seen: HashMap<Made, Vec<Linked>> = HashMap::new();
        let mut path: Vec<usize> = Vec::new();
        let mut stack = vec![self.crossroads(&made, position, guide, &mut found)];
        if left == 0 {
            if guide.end.is_none_or(|end| !end.is_same(position, false)) {
                found.runs.push(Run { boards: Vec::new(), end: position.clone() });
            }
            return found;
        }
        while let Some(top) = stack.last_mut() {
            let Some((board, after)) = top.ways.pop() else {
                stack.pop();
                if let Some(board) = path.pop() {
                    made[board] -= 1;
                    left += 1;
                }
                continue;
            };
            if found.tried == guide.most {
                found.is_all = false;
                return found;
            }
            found.tried += 1;
            made[board] += 1;
            path.push(board);
            left -= 1;
            if left == 0 {
                let is_new = guide.end.into_iter().chain(found.runs.iter().map(|run| &run.end));
                if is_new.clone().all(|end| !end.is_same(&after, false)) {
                    let is_second = is_new.count() > 0;
                    found.runs.push(Run { boards: path.clone(), end: after });
                    if is_second {
                        return found;
                    }
                }
                stack.push(Crossroads { ways: Vec::new() });
            } else if (guide.is_known)(&made, &after) {
                stack.push(Crossroads { ways: Vec::new() });
            } else {
                let next = self.crossroads(&made, &after, guide, &mut found);
                let is_seen = next.ways.len() > 1 && {
                    let known = seen.entry(made.clone()).or_default();
                    let is_seen = known.iter().any(|known| known.is_same(&after, guide.counts));
                    if !is_seen {
                        known.push(after);
                    }
                    is_seen
                };
                stack.push(if is_seen { Crossroads { ways: Vec::new() } } else { next });
            }
        }
        found
    }

    /// The continuations of a position, the likeliest first.
    fn crossroads(&self, made: &Made, position: &Linked, guide: &Guide<'_>, found: &mut Found) -> Crossroads {
        let (boards, mut ways) = self.ways(made, position, guide);
        if ways.is_empty() {
            let count = |made: &Made| made.iter().sum::<u32>();
            if found.dead.as_ref().is_none_or(|dead| count(&dead.made) < count(made)) {
                let dead = Dead { made: made.clone(), position: position.clone(), boards };
                found.dead = Some(Box::new(dead));
            }
        }
        // The last one is popped first.
        ways.sort_by_key(|(board, _)| Reverse(self.unlikeliness(made, position, *board)));
        Crossroads { ways }
    }

    /// How unlikely it is that a board's ply is the next one: plies whose spelling does not fit the position
    /// are the least likely, then those of later moves.
    fn unlikeliness(&self, made: &Made, position: &Linked, board: usize) -> (bool, u32, bool, usize) {
        let ply = self.meant(made, position, board);
        let takes = ply.is_some_and(|ply| position.captures(ply));
        let reported =
            self.touch.reported[board].get(made[board] as usize).and_then(|reported| reported.written);
        let says = matches!(reported, Some(Written::Move(pattern)) if pattern.capture);
        let next =
            self.next(made, board).map_or((0, false), |entry| (entry.number, entry.side == Side::Black));
        (takes != says, next.0, next.1, board)
    }

    /// The boards on which plies have to be tried next, and those that are legal with the positions after them.
    fn ways(&self, made: &Made, position: &Linked, guide: &Guide<'_>) -> (Vec<usize>, Vec<(usize, Linked)>) {
        // From the first board on, so that what is open on some is settled before it is open on others too.
        let mut due: Vec<_> = (0..made.len()).filter(|board| self.next(made, *board).is_some()).collect();
        let clock = self.clock(made);
        if guide.counts || position.end_by_itself().is_some() {
            let ways = self.played(&due, made, &clock, position);
            return (due, ways);
        }
        if let Some(first) =
            (guide.first)(made).and_then(|first| due.iter().position(|board| *board == first))
        {
            due[..=first].rotate_right(1);
        }
        let quiet = |boards: &[usize]| {
            let ways = self.played(boards, made, &clock, position);
            let is_quiet = |board: &usize| self.is_quiet(made, &clock, position, *board);
            (boards.iter().all(is_quiet) && ways.iter().all(|(_, after)| self.keeps(position, after)))
                .then_some(ways)
        };
        let mut groups = Vec::new();
        for board in &due {
            let group = self.group(*board, made, &clock);
            if group.len() == 1 {
                if let Some(ways) = quiet(&group) {
                    return (group, ways);
                }
            } else if group.len() < due.len() {
                groups.push(group);
            }
        }
        groups
            .sort_by_key(|group: &Vec<usize>| (group.len() > MANY, group.iter().min().copied(), group.len()));
        for group in groups {
            if let Some(ways) = quiet(&group) {
                return (group, ways);
            }
        }
        let ways = self.played(&due, made, &clock, position);
        (due, ways)
    }

    /// The boards whose next plies may touch remaining plies of each other, starting from one board.
    fn group(&self, board: usize, made: &Made, clock: &Clock) -> Vec<usize> {
        let mut group = vec![board];
        let mut at = 0;
        while let Some(board) = group.get(at).copied() {
            let touched = self.touch.touched(board, made[board] as usize, |other| made[other] as usize);
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
        let after = |board: &usize| {
            if position.end_by_itself().is_some() || self.waits_for(made, clock, *board).is_some() {
                return None;
            }
            let ply = self.meant(made, position, *board)?;
            Some((*board, position.after(ply)))
        };
        boards.iter().filter_map(after).collect()
    }

    /// The next ply of a board, where it is legal.
    pub fn meant(&self, made: &Made, position: &Linked, board: usize) -> Option<Ply> {
        let entry = self.next(made, board)?;
        let written = self.touch.reported[board][made[board] as usize].written.as_ref()?;
        if position.turn(board) == entry.side { position.only(board, written) } else { None }
    }

    /// Whether the next ply of a board means the same whichever kings were taken elsewhere.
    pub fn is_quiet(&self, made: &Made, clock: &Clock, position: &Linked, board: usize) -> bool {
        let last = self.touch.may_be_last;
        let written = self.touch.reported[board][made[board] as usize].written.as_ref();
        !last.contains(&true)
            || self.waits_for(made, clock, board).is_some()
            || written.is_none_or(|written| position.is_judged_alike(board, written, last))
    }

    /// Whether a ply neither ends the game nor takes a king on which anything elsewhere may depend.
    pub fn keeps(&self, position: &Linked, after: &Linked) -> bool {
        let keeps =
            |side: Side| !self.touch.may_be_last[side] || position.kings()[side] == after.kings()[side];
        after.end_by_itself().is_none() && keeps(Side::White) && keeps(Side::Black)
    }

    /// The entry of the next ply of a board.
    pub fn next(&self, made: &Made, board: usize) -> Option<&SheetPly> {
        self.sheets[board].entries.get(made[board] as usize)
    }
}
