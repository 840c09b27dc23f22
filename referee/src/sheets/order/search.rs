//! All orders that lead somewhere else than others, position by position.
//!
//! Orders that differ in plies that do not touch are one. So where the next ply of a board touches nothing that is left on
//! others, it is played and no other one is looked at; where it touches some, their boards are looked at with it, and those
//! whose plies these touch. Such a choice will do as long as no ply of it ends the game or takes a king whose absence may be
//! judged otherwise elsewhere: then every ply that may be next is tried.

use super::{Clock, Entry, Made, Origin, Place, Plan, Problem, name};
use overboard_games::strategichess::linked::{Linked, Ply};
use overboard_rules::{game::Game as _, square::Side};
use std::collections::{BTreeMap, HashMap};

/// Positions that are looked at before the order is called open, and how many of them are kept at a time.
const MOST: usize = 400_000;
const MOST_AT_A_TIME: usize = 20_000;

/// Boards of a group beyond which another one is looked for.
const MANY: usize = 4;

/// A ply of a board that leads from one position to another, both by their numbers.
type Edge = (usize, usize, usize);

/// The positions that are reached when so many plies of each board are made, with their numbers.
type Level = BTreeMap<Made, Vec<(usize, Linked)>>;

/// The plies between the positions looked at, those of earlier moves first.
#[derive(Default)]
struct Graph {
    edges: Vec<Edge>,
    /// How many positions there are beside the first one.
    count: usize,
}

impl Graph {
    /// The boards on the way to a position, the earliest move first where there is a choice.
    fn way_to(&self, end: usize) -> Vec<usize> {
        let mut leads = vec![false; self.count + 1];
        leads[end] = true;
        for (from, to, _) in self.edges.iter().rev() {
            leads[*from] |= leads[*to];
        }
        let mut first: HashMap<usize, (usize, usize)> = HashMap::new();
        for (from, to, board) in self.edges.iter().filter(|(_, to, _)| leads[*to]) {
            first.entry(*from).or_insert((*to, *board));
        }
        let (mut at, mut boards) = (0, Vec::new());
        while let Some((to, board)) = first.get(&at) {
            boards.push(*board);
            at = *to;
        }
        boards
    }
}

/// Where no ply that may be next is legal.
struct Dead {
    made: Made,
    position: Linked,
    /// The boards that were looked at, though others may have plies left.
    boards: Vec<usize>,
}

impl Plan<'_> {
    /// An order, and how many positions were looked at.
    pub fn search(&self, first: &Linked) -> Result<(Vec<usize>, usize), Problem> {
        let total: usize = self.sheets.iter().map(|sheet| sheet.entries.len()).sum();
        let mut graph = Graph::default();
        let mut level = Level::from([(vec![0; self.sheets.len()], vec![(0, first.clone())])]);
        for _ in 0..total {
            let mut next = Level::new();
            let mut dead = None;
            for (made, reached) in level {
                for (from, position) in reached {
                    let (boards, ways) = self.ways(&made, &position);
                    if ways.is_empty() {
                        dead.get_or_insert_with(|| Dead { made: made.clone(), position, boards });
                    }
                    for (board, after) in ways {
                        self.lead(&mut graph, (from, board), &made, after, &mut next);
                    }
                }
                if graph.count > MOST || next.values().map(Vec::len).sum::<usize>() > MOST_AT_A_TIME {
                    return Err(self.too_many(&made));
                }
            }
            if next.is_empty() {
                return Err(self.stuck(dead));
            }
            level = next;
        }
        let ends: Vec<_> = level.into_values().flatten().map(|(number, _)| number).collect();
        match ends[..] {
            [one, other, ..] => Err(self.open(&graph.way_to(one), &graph.way_to(other))),
            [one] => Ok((graph.way_to(one), graph.count)),
            [] => Ok((Vec::new(), graph.count)),
        }
    }

    /// Enters a position that a ply leads to.
    fn lead(
        &self,
        graph: &mut Graph,
        (from, board): (usize, usize),
        made: &Made,
        after: Linked,
        next: &mut Level,
    ) {
        let mut made = made.clone();
        made[board] += 1;
        // Counts since a capture matter only as long as the kings may yet be counted (SC-28).
        let counts = self.counts && !self.is_over(&made);
        let there = next.entry(made).or_default();
        let known = there.iter().find(|(_, known)| known.is_same(&after, counts)).map(|(number, _)| *number);
        let to = known.unwrap_or_else(|| {
            graph.count += 1;
            there.push((graph.count, after));
            graph.count
        });
        graph.edges.push((from, to, board));
    }

    fn is_over(&self, made: &Made) -> bool {
        made.iter().zip(self.sheets).all(|(made, sheet)| *made as usize == sheet.entries.len())
    }

    /// The boards on which plies have to be tried next, and those that are legal with the positions after them.
    fn ways(&self, made: &Made, position: &Linked) -> (Vec<usize>, Vec<(usize, Linked)>) {
        // From the first board on, so that what is open on some is settled before it is open on others too.
        let due: Vec<_> = (0..made.len()).filter(|board| self.next(made, *board).is_some()).collect();
        let clock = self.clock(made);
        if self.counts || position.end_by_itself().is_some() {
            let ways = self.played(&due, made, &clock, position);
            return (due, ways);
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

    /// The boards whose next plies may touch anything that is left on others, from one of them on.
    fn group(&self, board: usize, made: &Made, clock: &Clock) -> Vec<usize> {
        let mut group = vec![board];
        let mut at = 0;
        while let Some(board) = group.get(at).copied() {
            let touched = self.touch.touched(board, made[board] as usize, |other| made[other] as usize);
            // Its ply may be next only after one of another board, which may touch others yet.
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
    fn meant(&self, made: &Made, position: &Linked, board: usize) -> Option<Ply> {
        let entry = self.next(made, board)?;
        let written = self.touch.told[board][made[board] as usize].written.as_ref()?;
        if position.turn(board) == entry.side { position.only(board, written) } else { None }
    }

    /// Whether the next ply of a board means the same whichever kings were taken elsewhere.
    fn is_quiet(&self, made: &Made, clock: &Clock, position: &Linked, board: usize) -> bool {
        let last = self.touch.may_be_last;
        let written = self.touch.told[board][made[board] as usize].written.as_ref();
        !last.contains(&true)
            || self.waits_for(made, clock, board).is_some()
            || written.is_none_or(|written| position.is_judged_alike(board, written, last))
    }

    /// Whether a ply neither ends the game nor takes a king of whom anything may depend elsewhere.
    fn keeps(&self, position: &Linked, after: &Linked) -> bool {
        let keeps = |side: Side| {
            let side = side as usize;
            !self.touch.may_be_last[side] || position.kings()[side] == after.kings()[side]
        };
        after.end_by_itself().is_none() && keeps(Side::White) && keeps(Side::Black)
    }

    /// The same order as far as it matters, with the earliest moves first.
    pub fn earliest_first(&self, first: &Linked, order: Vec<usize>) -> Vec<usize> {
        let (Some(places), Some((barriers, end))) = (self.places(&order), self.barriers(first, &order))
        else {
            return order;
        };
        let mut made: Made = vec![0; self.sheets.len()];
        let mut sorted = Vec::with_capacity(order.len());
        for part in barriers.windows(2) {
            let mut left = part[1] - part[0];
            while left > 0 {
                let clock = self.clock(&made);
                let is_next = |board: &usize| {
                    let at = made[*board] as usize;
                    let place = places[*board][at];
                    place < part[1]
                        && self.waits_for(&made, &clock, *board).is_none()
                        && self.touch.touched(*board, at, |other| made[other] as usize).all(|other| {
                            let then = &places[other][made[other] as usize..];
                            let mut earlier =
                                (made[other] as usize..).zip(then).take_while(|(_, then)| **then < place);
                            !earlier.any(|(then, _)| self.touch.touch((*board, at), (other, then)))
                        })
                };
                let Some(board) = self.due(&made).into_iter().find(is_next) else { return order };
                made[board] += 1;
                sorted.push(board);
                left -= 1;
            }
        }
        match self.replayed(first, &sorted) {
            Some(position) if position.is_same(&end, false) => sorted,
            _ => order,
        }
    }

    /// Which place each ply of each board has in an order that holds all of them.
    fn places(&self, order: &[usize]) -> Option<Vec<Vec<usize>>> {
        let mut places: Vec<Vec<usize>> = vec![Vec::new(); self.sheets.len()];
        for (place, board) in order.iter().enumerate() {
            places[*board].push(place);
        }
        let is_whole =
            places.iter().zip(self.sheets).all(|(places, sheet)| places.len() == sheet.entries.len());
        is_whole.then_some(places)
    }

    /// The places in an order that plies must not be moved across, from its beginning to its end, and the position that it
    /// leads to.
    fn barriers(&self, first: &Linked, order: &[usize]) -> Option<(Vec<usize>, Linked)> {
        let mut made: Made = vec![0; self.sheets.len()];
        let mut position = first.clone();
        let mut barriers = vec![0];
        for (place, board) in order.iter().enumerate() {
            let clock = Clock { first: None, second: None };
            let after = position.after(self.meant(&made, &position, *board)?);
            let is_quiet = !self.counts
                && self.keeps(&position, &after)
                && self.is_quiet(&made, &clock, &position, *board);
            if !is_quiet {
                barriers.extend([place, place + 1]);
            }
            made[*board] += 1;
            position = after;
        }
        barriers.push(order.len());
        barriers.dedup();
        Some((barriers, position))
    }

    fn replayed(&self, first: &Linked, order: &[usize]) -> Option<Linked> {
        let mut made: Made = vec![0; self.sheets.len()];
        let mut position = first.clone();
        for board in order {
            position.play(self.meant(&made, &position, *board)?);
            made[*board] += 1;
        }
        Some(position)
    }

    fn told(&self, made: &Made, boards: impl IntoIterator<Item = usize>) -> Vec<(Origin, String)> {
        let next = |board: usize| self.next(made, board).map(|entry| told(board, entry));
        boards.into_iter().filter_map(next).collect()
    }

    fn too_many(&self, made: &Made) -> Problem {
        let message = "so many orders of these plies are possible that not all can be looked at; write `%ts` or `%seq` after plies, or `%in` where pieces arrive. Open is the order from";
        problem("open-order", message.into(), self.told(made, 0..self.sheets.len()))
    }

    fn stuck(&self, dead: Option<Dead>) -> Problem {
        let Some(Dead { made, position, mut boards }) = dead else {
            return problem("unfit", "there are no plies".into(), Vec::new());
        };
        boards.sort_unstable();
        let count: u32 = made.iter().sum();
        let ended = position.end_by_itself();
        let why = ended.map_or(String::new(), |end| format!("; the game had ended by {}", end.cause));
        let message = format!(
            "the sheets do not fit: after {count} plies none that could be next is legal{why}; due is"
        );
        problem("unfit", message, self.told(&made, boards))
    }

    /// Two orders that are both legal and do not lead to the same position.
    fn open(&self, one: &[usize], other: &[usize]) -> Problem {
        let message =
            "more than one order of these plies is legal, and it matters which was made first; write `%ts` or `%seq` after plies, or `%in` where pieces arrive"
                .into();
        let pair = self.turned_round(one, other);
        let apart = || {
            let at = one.iter().zip(other).position(|(a, b)| a != b).unwrap_or(0);
            let made = |board: usize| one[..at].iter().filter(|known| **known == board).count();
            [one[at], other[at]].map(|board| (board, made(board)))
        };
        let pair = pair.unwrap_or_else(apart);
        let entry = |(board, at): (usize, usize)| told(board, &self.sheets[board].entries[at]);
        problem("open-order", message, pair.map(entry).into())
    }

    /// Two plies that touch and are made in one order this way round and in another that way: those that come first.
    fn turned_round(&self, one: &[usize], other: &[usize]) -> Option<[(usize, usize); 2]> {
        let [here, there] = [self.places(one)?, self.places(other)?];
        let mut made = vec![0; self.sheets.len()];
        for board in one {
            let at = made[*board];
            made[*board] += 1;
            for beside in self.touch.others(*board, at) {
                let earlier = (0..made[beside]).rev().filter(|then| there[beside][*then] > there[*board][at]);
                for then in earlier {
                    let touches = self.touch.touch((*board, at), (beside, then));
                    if touches && here[beside][then] < here[*board][at] {
                        return Some([(beside, then), (*board, at)]);
                    }
                }
            }
        }
        None
    }
}

fn told(board: usize, entry: &Entry) -> (Origin, String) {
    (entry.origin, name(board, entry))
}

fn problem(code: &'static str, message: String, places: Vec<(Origin, String)>) -> Problem {
    let mut places = places.into_iter();
    let Some((origin, first)) = places.next() else {
        return Problem::at(code, message, Origin { file: 0, place: Place::NOWHERE });
    };
    let mut problem = Problem::at(code, format!("{message}: {first}"), origin);
    problem.others = places.collect();
    problem
}
