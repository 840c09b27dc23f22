//! An order of the plies around slips, where no order of all plies is legal.
//!
//! A board stops before a ply that cannot be read, or for which no order was found; the others go on as far as they can
//! without it. A board beside one that stopped may lack what would have come from there: its own stop accuses nobody.

use super::{
    Arrival, BoardSheet, Made, Plan, PlyAt, Problem, SheetPly, TRIED_COUNTING, WORK, WORK_EACH,
    budget::Budget,
    contact::SheetedPly,
    next_at,
    search::{Dead, Found},
};
use crate::acts::MatchTerms;
use overboard_games::strategichess::linked::Linked;

/// The most plies that are judged to know how far the other boards come without one, and more for each ply of the match.
const REACHING: usize = 1 << 12;
const REACHING_EACH: usize = 16;

/// As far as the boards can be judged together.
pub struct Around {
    /// The boards in the order of their plies.
    pub order: Vec<usize>,
    /// Where boards stop.
    pub stops: Vec<Stop>,
    /// The plies that arrive on a board after its stop.
    pub open: Vec<PlyAt>,
}

/// Where a board stops.
#[derive(Clone, Debug)]
pub struct Stop {
    /// The board.
    pub board: usize,
    /// How many of its plies come before.
    pub at: usize,
    /// The reason.
    pub why: Why,
}

/// Why a board stops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// Its sheet is missing.
    Missing,
    /// The ply cannot be read.
    Unreadable,
    /// No order was found in which the ply is legal. The longest one makes these plies before it.
    Unfit(Vec<usize>),
    /// It may depend on this board, which stops, too.
    HangsOn(usize),
}

/// The sheets, each as far as it is used.
struct Cut<'a> {
    sheets: &'a [BoardSheet],
    first: &'a Linked,
    terms: &'a MatchTerms,
    lengths: Vec<usize>,
    stops: Vec<Stop>,
    work: Budget,
}

/// The order of the plies around those that fit none; `is_missing` says which sheets are not there.
///
/// # Errors
/// More than one order where it matters; marks that contradict each other.
pub fn around(
    sheets: &[BoardSheet],
    is_missing: &[bool],
    first: &Linked,
    terms: &MatchTerms,
) -> Result<Around, Problem> {
    let lengths: Vec<_> = sheets.iter().map(|sheet| sheet.entries.len()).collect();
    let plies: usize = lengths.iter().sum();
    let mut cut = Cut {
        sheets,
        first,
        terms,
        lengths,
        stops: Vec::new(),
        work: Budget::of(WORK + WORK_EACH * plies),
    };
    for board in (0..sheets.len()).filter(|board| is_missing[*board]) {
        cut.stop(board, 0, Why::Missing);
    }
    cut.stop_at_unreadable();
    loop {
        cut.stop_without_senders();
        let used = cut.used();
        let plan = cut.plan(&used, usize::MAX)?;
        let found = plan.order(first);
        let problem = match found {
            Ok(order) => {
                return Ok(Around {
                    open: cut.arrivals_after_stops(&order),
                    order,
                    stops: cut.stops,
                });
            }
            Err(problem) => problem,
        };
        let Err(dead) = plan.any_order(first) else {
            return Err(problem);
        };
        let Some(PlyAt { board, at }) = cut.in_the_way(&plan, &dead) else {
            return Err(problem);
        };
        cut.work.keep_at_most(plan.work.left());
        let why = match cut.stopped_beside(board) {
            Some(other) => Why::HangsOn(other),
            None => Why::Unfit(cut.order_to(&dead.made)),
        };
        cut.stop(board, at, why);
    }
}

impl Cut<'_> {
    /// A board stops, unless it stopped earlier.
    fn stop(&mut self, board: usize, at: usize, why: Why) {
        self.lengths[board] = at;
        self.stops.retain(|stop| stop.board != board);
        self.stops.push(Stop { board, at, why });
    }

    fn stop_at_unreadable(&mut self) {
        for (board, sheet) in self.sheets.iter().enumerate() {
            // What stands after a ply says what was done, however that was written.
            let is_unreadable = |entry: &SheetPly| {
                entry.acts.is_none() && SheetedPly::of(board, sheet, entry, false).written.is_none()
            };
            if let Some(at) = sheet.entries.iter().position(is_unreadable) {
                self.stop(board, at, Why::Unreadable);
            }
        }
    }

    /// Stops each board before the first ply that needs a piece from a ply that is not used.
    fn stop_without_senders(&mut self) {
        while let Some((board, at, sender)) = self.without_sender() {
            self.stop(board, at, Why::HangsOn(sender));
        }
    }

    fn without_sender(&self) -> Option<(usize, usize, usize)> {
        for (board, sheet) in self.sheets.iter().enumerate() {
            let used = &sheet.entries[..self.lengths[board]];
            for (at, entry) in used.iter().enumerate() {
                for arrival in &entry.arrivals {
                    if self.is_cut_off(arrival) {
                        return Some((board, at, arrival.board));
                    }
                }
            }
        }
        None
    }

    /// Whether a piece came from a ply after the end of what is used of its board.
    fn is_cut_off(&self, arrival: &Arrival) -> bool {
        let Some(sheet) = self.sheets.get(arrival.board) else {
            return false;
        };
        let used = &sheet.entries[..self.lengths[arrival.board]];
        let has_stopped = used.len() < sheet.entries.len() || self.has_stopped(arrival.board);
        has_stopped && !used.iter().any(|entry| arrival.is_by(entry))
    }

    fn has_stopped(&self, board: usize) -> bool {
        self.stops.iter().any(|stop| stop.board == board)
    }

    /// The sheets as far as they are used.
    fn used(&self) -> Vec<BoardSheet> {
        let sheets = self.sheets.iter().zip(&self.lengths);
        sheets.map(|(sheet, length)| sheet.cut(*length)).collect()
    }

    /// Of the plies that are not legal at a dead end, one that waits for none and that no ply to come can make legal, if
    /// there is one; of several the one without whose board the others come farthest.
    fn in_the_way(&self, plan: &Plan<'_>, dead: &Dead) -> Option<PlyAt> {
        let made = |board: usize| dead.made[board] as usize;
        let next = |board: usize| next_at(&dead.made, board);
        let clock = plan.clock(&dead.made);
        let waits = |board: usize| plan.waits_for(&dead.made, &clock, board).is_some();
        // Where orders are told apart by some boards only, others may still go on.
        let is_stuck = |board: &usize| {
            plan.next(&dead.made, *board).is_some()
                && (waits(*board) || plan.step(&dead.made, &dead.position, *board).is_none())
        };
        let rank = |board: &usize| {
            let mut touched = plan.touch.touched(next(*board), made);
            let is_hopeless = touched.next().is_none();
            let reach = self.reach_without(next(*board));
            (!waits(*board), is_hopeless, reach, usize::MAX - board)
        };
        let stuck = (0..self.sheets.len()).filter(is_stuck);
        let board = stuck.max_by_key(rank)?;
        Some(next(board))
    }

    /// How many plies can be made if a board stops before a ply.
    fn reach_without(&self, PlyAt { board, at }: PlyAt) -> usize {
        let mut without = Cut {
            lengths: self.lengths.clone(),
            stops: self.stops.clone(),
            work: Budget::of(0),
            ..*self
        };
        without.stop(board, at, Why::Unreadable);
        without.stop_without_senders();
        let used = without.used();
        let plies: usize = without.lengths.iter().sum();
        let most = REACHING + REACHING_EACH * plies;
        let Ok(plan) = self.plan(&used, most) else {
            return 0;
        };
        let given = plan.work.left();
        let reached = match plan.mended(self.first) {
            Ok(run) => run.boards.len(),
            Err(dead) => dead.map_or(0, |dead| dead.count() as usize),
        };
        self.work.spend(given - plan.work.left());
        reached
    }

    /// What is known of the order of these plies; at most this many may be judged.
    fn plan<'s>(&'s self, used: &'s [BoardSheet], most: usize) -> Result<Plan<'s>, Problem> {
        let mut plan = Plan::of(used, self.first, self.terms)?;
        plan.work = Budget::of(self.work.left().min(most));
        Ok(plan)
    }

    /// The plies of an order that arrive on a board after its stop.
    fn arrivals_after_stops(&self, order: &[usize]) -> Vec<PlyAt> {
        let mut made = vec![0; self.sheets.len()];
        let mut open = Vec::new();
        for board in order.iter().copied() {
            let sheet = &self.sheets[board];
            let at = made[board];
            made[board] += 1;
            let arrives = SheetedPly::of(board, sheet, &sheet.entries[at], false).arrives;
            let is_past_it = made.get(arrives) == self.lengths.get(arrives);
            if arrives != board && is_past_it && self.has_stopped(arrives) {
                open.push(PlyAt { board, at });
            }
        }
        open
    }

    /// A board beside this one that has stopped.
    fn stopped_beside(&self, board: usize) -> Option<usize> {
        let stopped = self.stops.iter().map(|stop| stop.board);
        stopped.filter(|other| other.abs_diff(board) == 1).min()
    }

    /// An order of so many plies of each board.
    fn order_to(&self, made: &Made) -> Vec<usize> {
        let mut used = Vec::new();
        for (sheet, made) in self.sheets.iter().zip(made) {
            used.push(sheet.cut(*made as usize));
        }
        let Ok(plan) = self.plan(&used, usize::MAX) else {
            return Vec::new();
        };
        plan.any_order(self.first).unwrap_or_default()
    }
}

impl BoardSheet {
    /// The first plies of the sheet.
    fn cut(&self, length: usize) -> Self {
        let is_whole = length == self.entries.len();
        Self {
            entries: self.entries[..length].to_vec(),
            arrivals: if is_whole {
                self.arrivals.clone()
            } else {
                Vec::new()
            },
            language: self.language,
        }
    }
}

impl Plan<'_> {
    /// Any order of all plies; else how far the longest one comes.
    fn any_order(&self, first: &Linked) -> Result<Vec<usize>, Box<Dead>> {
        let found = if self.special().is_some() {
            self.heed.turn_on();
            self.walk_from(first, TRIED_COUNTING, !self.is_local)
        } else {
            self.tried(first)
        };
        let Found { mut runs, dead, .. } = found;
        if let Some(run) = runs.pop() {
            return Ok(run.boards);
        }
        let mut ends = Vec::from_iter(dead);
        match self.mended(first) {
            Ok(run) if !self.heed.is_on() => return Ok(run.boards),
            Ok(_) => {}
            Err(dead) => ends.extend(dead),
        }
        let farthest = ends.into_iter().max_by_key(|dead| dead.count());
        Err(farthest.unwrap_or_else(|| {
            Box::new(Dead {
                made: self.none_made(),
                position: first.clone(),
                boards: Vec::new(),
            })
        }))
    }
}
