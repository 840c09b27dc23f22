//! Finds the order in which the plies of linked boards were made, where their sheets have no ordinals.

use super::{
    Origin, Problem,
    acts::{ActsAround, MatchTerms},
};
use budget::{Budget, Heed};
use contact::Contact;
use overboard_formats::san::Language;
use overboard_games::strategichess::linked::{Edition, Linked};
use overboard_rules::{game::Game as _, square::Side};
use search::{Found, Guide, Run};
use uniqueness::{Uniqueness, Verdict};

pub mod around;
mod budget;
mod contact;
mod happenings;
mod problems;
mod repair;
mod search;
mod sorted;
mod uniqueness;

/// Plies of every open board after which a captain may have the kings counted, and after which they are (SC-28).
const MAY_BE_COUNTED: u32 = 100;
const COUNTED: u32 = 150;

/// Budgets of the search: plies tried per ply of the match and in addition, before orders are compared by
/// touching plies; and the same where the count since the last capture matters.
const TRIED_EACH: usize = 4;
const TRIED: usize = 5_000;
const TRIED_COUNTING: usize = 100_000;

/// Plies that are judged in all to find an order and to know whether it is the only one; and how many in addition for each
/// ply of the match. What cannot be settled then is refused: the boards and plies that touch grow with the match, and the ways
/// to combine them much faster.
const WORK: usize = 1 << 23;
const WORK_EACH: usize = 64;

/// A ply as the sheet of its board has it.
#[derive(Clone, Debug)]
pub struct SheetPly {
    pub number: u32,
    pub side: Side,
    pub san: String,
    /// The time of its completion in milliseconds, where it is recorded.
    pub ts: Option<u64>,
    /// The pieces that arrived since the ply before it.
    pub arrivals: Vec<Arrival>,
    /// What else happens here, if anything.
    pub acts: Option<Box<ActsAround>>,
    pub origin: Origin,
}

/// The sheet of a board.
#[derive(Clone, Default, Debug)]
pub struct BoardSheet {
    pub entries: Vec<SheetPly>,
    /// The pieces that arrived after the last ply.
    pub arrivals: Vec<Arrival>,
    /// Whose piece letters its plies have; `None` for English.
    pub language: Option<&'static Language>,
}

/// A piece that arrived: from which board, by which ply of it.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    pub board: usize,
    pub number: u32,
    pub side: Side,
}

impl Arrival {
    /// Whether a ply of its board has the number and the side of the ply by which it came.
    fn is_by(&self, entry: &SheetPly) -> bool {
        entry.number == self.number && entry.side == self.side
    }
}

/// The boards in the order of their plies.
///
/// # Errors
/// No order, or more than one where it matters.
pub fn order(
    sheets: &[BoardSheet],
    first: &Linked,
    terms: &MatchTerms,
) -> Result<Vec<usize>, Problem> {
    let plan = Plan::of(sheets, first, terms)?;
    match plan.by_time() {
        Some(order) => Ok(order),
        None => plan.order(first),
    }
}

/// How many plies are tried for an order.
#[cfg(test)]
pub fn plies_tried(sheets: &[BoardSheet], first: &Linked) -> Option<usize> {
    let terms = MatchTerms::of_any(sheets.len());
    let found = Plan::of(sheets, first, &terms).ok()?.tried(first);
    if !found.is_all || found.runs.len() != 1 {
        return None;
    }
    Some(found.tried)
}

/// An order found and judged by what touches alone, as those are of which not all can be tried.
#[cfg(test)]
pub fn by_ties(sheets: &[BoardSheet], first: &Linked) -> Result<Vec<usize>, Problem> {
    let terms = MatchTerms::of_any(sheets.len());
    let plan = Plan::of(sheets, first, &terms)?;
    let run = plan
        .mended(first)
        .map_err(|dead| plan.not_found(dead))?
        .boards;
    plan.compare(first, run, false)
}

/// So many plies of each board.
type Made = Vec<u32>;

/// A ply by its board and its index there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlyAt {
    pub board: usize,
    pub at: usize,
}

/// Where the next ply of a board is, or would be.
fn next_at(made: &Made, board: usize) -> PlyAt {
    PlyAt {
        board,
        at: made[board] as usize,
    }
}

/// Two plies.
type Pair = [PlyAt; 2];

/// What is known of the order before any ply is judged.
struct Plan<'a> {
    sheets: &'a [BoardSheet],
    touch: Contact,
    /// Plies of each open board since a capture with which counting begins to matter.
    limit: u32,
    /// Whether enough is played on some board for a count of kings (SC-28).
    counts: bool,
    /// For each ply the earliest time recorded for it or for a later one on its board.
    times: Vec<Vec<Option<u64>>>,
    has_times: bool,
    /// For each ply the last plies of other boards that were made before it.
    after: Vec<Vec<Vec<PlyAt>>>,
    work: Budget,
    /// What the tags settle about what else happens, and the plies with which something does.
    terms: &'a MatchTerms,
    eventful: Vec<PlyAt>,
    heed: Heed,
    /// Whether what else happens matters only on the board of its ply and those beside it.
    is_local: bool,
}

/// The boards whose next time is the earliest, and that time: a ply of another time than theirs has to wait for them.
#[derive(Default)]
struct Clock {
    first: Option<(u64, usize)>,
    second: Option<(u64, usize)>,
}

impl<'a> Plan<'a> {
    fn of(
        sheets: &'a [BoardSheet],
        first: &Linked,
        terms: &'a MatchTerms,
    ) -> Result<Self, Problem> {
        let mut plan = Self {
            sheets,
            touch: Contact::of(sheets, first, None),
            limit: COUNTED,
            counts: false,
            times: Vec::new(),
            has_times: false,
            after: Vec::new(),
            work: Budget::of(WORK),
            terms,
            eventful: Vec::new(),
            heed: Heed::off(),
            is_local: false,
        };
        for (board, sheet) in sheets.iter().enumerate() {
            plan.survey(board, &sheet.entries);
        }
        if plan.claim().is_some() {
            plan.limit = MAY_BE_COUNTED;
        }
        let is_long = |board: usize| {
            first.halfmove(board) as usize + sheets[board].entries.len() >= plan.limit as usize
        };
        plan.counts = (0..sheets.len()).any(is_long);
        plan.end_last(first.edition());
        plan.see_acts(first);
        for (board, sheet) in sheets.iter().enumerate() {
            plan.mark(board, sheet)?;
        }
        Ok(plan)
    }

    /// Sees what the plies of a board have with them.
    fn survey(&mut self, board: usize, entries: &[SheetPly]) {
        self.work.add(WORK_EACH * entries.len());
        self.after.push(vec![Vec::new(); entries.len() + 1]);
        self.times.push(due_times(entries));
        for (at, entry) in entries.iter().enumerate() {
            self.has_times |= entry.ts.is_some();
            if entry.acts.is_some() {
                self.eventful.push(PlyAt { board, at });
            }
        }
    }

    /// Enters what arrived on a board.
    fn mark(&mut self, board: usize, sheet: &BoardSheet) -> Result<(), Problem> {
        let last = match sheet.entries.last() {
            Some(entry) => entry.origin,
            None => Origin::FIRST,
        };
        for arrival in &sheet.arrivals {
            self.arrive(board, sheet.entries.len(), *arrival, last)?;
        }
        let mut earlier = None;
        for (at, entry) in sheet.entries.iter().enumerate() {
            for arrival in &entry.arrivals {
                self.arrive(board, at, *arrival, entry.origin)?;
            }
            earlier = time_after(earlier, entry)?;
        }
        Ok(())
    }

    /// A piece arrived on a board before its ply of this index and after the previous one.
    fn arrive(
        &mut self,
        board: usize,
        at: usize,
        arrival: Arrival,
        origin: Origin,
    ) -> Result<(), Problem> {
        let Some(sent) = self.sender(&arrival) else {
            let what = "a piece arrived here by a ply that is on no sheet";
            return Err(Problem::at("unfit", what.into(), origin));
        };
        self.after[board][at].push(PlyAt {
            board: arrival.board,
            at: sent,
        });
        if let Some(at) = at.checked_sub(1) {
            self.after[arrival.board][sent].push(PlyAt { board, at });
        }
        Ok(())
    }

    /// The index of the ply by which a piece arrived on the sheet of its board.
    fn sender(&self, arrival: &Arrival) -> Option<usize> {
        let mut entries = self.sheets.get(arrival.board)?.entries.iter();
        entries.position(|entry| arrival.is_by(entry))
    }

    /// An order in which all plies are legal, if it does not matter which.
    fn order(&self, first: &Linked) -> Result<Vec<usize>, Problem> {
        if let Some(special) = self.special() {
            return self.with_acts(first, special);
        }
        let order = self.settle(first)?;
        Ok(self.earliest_first(first, order))
    }

    /// The number of all plies.
    fn total(&self) -> usize {
        self.sheets.iter().map(|sheet| sheet.entries.len()).sum()
    }

    /// Whether no more plies are to be judged.
    fn is_worn_out(&self) -> bool {
        self.work.left() == 0
    }

    /// An order, if all legal orders lead to the same end.
    fn settle(&self, first: &Linked) -> Result<Vec<usize>, Problem> {
        let mut found = self.tried(first);
        if !found.is_all && found.runs.is_empty() {
            match self.mended(first) {
                Ok(run) => found.runs.push(run),
                Err(dead) if !self.counts => return Err(self.not_found(dead)),
                Err(_) => {}
            }
        }
        let may_count = |run: &Run| self.may_count(first, &run.boards);
        let counts = self.counts && found.runs.first().is_none_or(may_count);
        if counts {
            if let Some(claim) = self.claim() {
                return self.with_acts(first, claim);
            }
            found = self.walk_from(first, TRIED_COUNTING, true);
        }
        let Found {
            mut runs,
            is_all,
            dead,
            ..
        } = found;
        let run = match (runs.pop(), runs.pop()) {
            (Some(other), Some(one)) => {
                return Err(self.open(self.parting(&other.boards, &one.boards)));
            }
            (Some(run), None) if is_all => return Ok(run.boards),
            (Some(run), None) => run.boards,
            (None, _) if is_all => return Err(self.stuck(dead)),
            (None, _) => return Err(self.not_found(dead)),
        };
        self.compare(first, run, counts)
    }

    /// An order, if all others lead to the same end.
    fn compare(
        &self,
        first: &Linked,
        run: Vec<usize>,
        counts: bool,
    ) -> Result<Vec<usize>, Problem> {
        let Some(trace) = Uniqueness::of(self, first, &run) else {
            return Err(self.not_found(None));
        };
        let verdict = if counts {
            trace.unknown()
        } else {
            trace.verdict()
        };
        match verdict {
            Verdict::Only => Ok(run),
            Verdict::Other(pair) => Err(self.open(pair)),
            Verdict::Open(pair) => Err(self.unsettled(pair)),
        }
    }

    /// All orders, as far as the search budget allows.
    fn tried(&self, first: &Linked) -> Found {
        self.walk_from(first, TRIED + TRIED_EACH * self.total(), false)
    }

    fn walk_from(&self, first: &Linked, most: usize, counts: bool) -> Found {
        let guide = Guide {
            most,
            counts,
            first: &|_| None,
            is_known: &|_, _| false,
            end: None,
        };
        self.visit(self.none_made(), first, &guide)
    }

    /// That no ply of any board is made.
    fn none_made(&self) -> Made {
        vec![0; self.sheets.len()]
    }

    /// Whether in this order, or one that differs in plies that do not touch, the kings may be counted
    /// (SC-28): whether at any time every board is closed on which too little has been played for a count.
    fn may_count(&self, first: &Linked, order: &[usize]) -> bool {
        let mut boards = 0..self.sheets.len();
        let mut made = self.none_made();
        let mut position = first.clone();
        // What is taken on other boards may have been taken earlier.
        let mut quiet: Vec<_> = boards.clone().map(|board| first.halfmove(board)).collect();
        let mut most = quiet.clone();
        let mut is_closed: Vec<_> = boards.clone().map(|board| first.is_closed(board)).collect();
        for board in order {
            let Some(ply) = self.meant(&made, &position, *board) else {
                return true;
            };
            let takes = position.captures(ply);
            position.play(ply);
            made[*board] += 1;
            quiet[*board] = if takes { 0 } else { quiet[*board] + 1 };
            if first.edition() == Edition::Of2025 && ply.arrives_on() != *board {
                quiet[ply.arrives_on()] += 1;
            }
            for board in [*board, ply.arrives_on()] {
                most[board] = most[board].max(quiet[board]);
            }
            for board in position.touched() {
                is_closed[*board] |= position.is_closed(*board);
            }
        }
        let is_long = |board: usize| most[board] >= self.limit;
        boards.clone().any(is_long) && boards.all(|board| is_long(board) || is_closed[board])
    }

    /// The places of the plies that marks require before a given one.
    fn marked<'s>(
        &'s self,
        PlyAt { board, at }: PlyAt,
        place: impl Fn(PlyAt) -> usize + 's,
    ) -> impl Iterator<Item = usize> + 's {
        let sent = self.after[board][at].iter().copied();
        let ts = self.sheets[board].entries[at].ts;
        let times = if ts.is_some() { &self.times[..] } else { &[] };
        let others = times.iter().enumerate();
        let earlier = others.filter_map(move |(board, times)| {
            let count = times.partition_point(|due| due.is_some() && *due < ts);
            let at = count.checked_sub(1)?;
            Some(PlyAt { board, at })
        });
        let of_others = earlier.filter(move |earlier| earlier.board != board);
        sent.chain(of_others).map(place)
    }

    /// The order by time, if every ply has one and no two plies of different boards share one.
    fn by_time(&self) -> Option<Vec<usize>> {
        let mut all = Vec::new();
        for (board, sheet) in self.sheets.iter().enumerate() {
            for entry in &sheet.entries {
                all.push((entry.ts?, board));
            }
        }
        all.sort_unstable();
        if share_a_time(&all) {
            return None;
        }
        Some(all.into_iter().map(|(_, board)| board).collect())
    }

    fn clock(&self, made: &Made) -> Clock {
        let mut clock = Clock::default();
        if !self.has_times {
            return clock;
        }
        for (board, times) in self.times.iter().enumerate() {
            let Some(Some(due)) = times.get(made[board] as usize).copied() else {
                continue;
            };
            if clock.first.is_none_or(|(first, _)| due < first) {
                clock.second = clock.first.replace((due, board));
            } else if clock.second.is_none_or(|(second, _)| due < second) {
                clock.second = Some((due, board));
            }
        }
        clock
    }

    /// A board that lacks a ply by which a piece arrives before the next ply of `board`.
    fn lacks(&self, made: &Made, board: usize) -> Option<usize> {
        let mut before = self.after[board][made[board] as usize].iter();
        let lacking = before.find(|before| made[before.board] as usize <= before.at)?;
        Some(lacking.board)
    }

    /// A board on which a ply must be made before the next one of `board`; `None` if that may be next.
    fn waits_for(&self, made: &Made, clock: &Clock, board: usize) -> Option<usize> {
        let entry = self.next(made, board)?;
        let sender = self.lacks(made, board);
        if sender.is_some() {
            return sender;
        }
        let earliest = match clock.first {
            Some((_, first)) if first == board => clock.second,
            first => first,
        };
        let (due, other) = earliest?;
        if due < entry.ts? { Some(other) } else { None }
    }
}

/// Whether plies of different boards have the same time; the plies are given in the order of their times, each with its board.
pub fn share_a_time<B: PartialEq>(plies: &[(u64, B)]) -> bool {
    let mut pairs = plies.windows(2);
    pairs.any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1)
}

/// `12A. Rxa5/B`.
pub fn name(board: usize, entry: &SheetPly) -> String {
    format!(
        "{} {}",
        overboard_formats::canonical::board_number(board as u16, entry.number, entry.side),
        entry.san
    )
}

/// The latest time that is known after a ply, given the one before it.
fn time_after(earlier: Option<u64>, entry: &SheetPly) -> Result<Option<u64>, Problem> {
    if entry.ts.is_some() && entry.ts < earlier {
        let what = "the time of this ply is before that of an earlier one on its sheet";
        return Err(Problem::at("unfit", what.into(), entry.origin));
    }
    Ok(entry.ts.or(earlier))
}

/// For each ply the earliest time recorded for it or for a later one.
fn due_times(entries: &[SheetPly]) -> Vec<Option<u64>> {
    let mut times: Vec<_> = entries.iter().map(|entry| entry.ts).collect();
    for at in (1..times.len()).rev() {
        times[at - 1] = times[at - 1].or(times[at]);
    }
    times
}

#[cfg(test)]
mod tests;
