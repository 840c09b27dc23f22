//! In which order the plies of linked boards were made, where their sheets do not say it by ordinals.

use super::{Origin, Problem};
use overboard_formats::{san::Language, span::Place};
use overboard_games::strategichess::linked::Linked;
use overboard_rules::square::Side;
use touch::Touch;

mod search;
mod touch;

/// Plies of every open board after which the kings are counted, or may be (SC-28).
const COUNTED: usize = 100;

/// A ply as the sheet of its board tells it.
#[derive(Clone, Debug)]
pub struct Entry {
    pub number: u32,
    pub side: Side,
    pub san: String,
    /// The time of its completion in milliseconds, where it is told.
    pub ts: Option<u64>,
    /// The men that arrived since the ply before it.
    pub arrivals: Vec<Arrival>,
    /// Whether a flag or an illegal move that stands changes the position here.
    pub is_special: bool,
    /// Whether a captain has the kings counted here.
    pub is_claim: bool,
    pub origin: Origin,
}

/// The sheet of a board.
#[derive(Clone, Default, Debug)]
pub struct BoardSheet {
    pub entries: Vec<Entry>,
    /// The men that arrived behind the last ply.
    pub arrivals: Vec<Arrival>,
    /// Whose piece letters its plies have; `None` for English.
    pub language: Option<&'static Language>,
}

/// A man that arrived: from which board, by which ply of it.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    pub board: usize,
    pub number: u32,
    pub side: Side,
}

/// The boards in the order of their plies.
///
/// # Errors
/// No order, or more than one where it matters.
pub fn order(sheets: &[BoardSheet], first: &Linked) -> Result<Vec<usize>, Problem> {
    let plan = Plan::of(sheets, first)?;
    if let Some(order) = plan.by_time() {
        return Ok(order);
    }
    let mut entries = sheets.iter().flat_map(|sheet| &sheet.entries);
    if let Some(special) = entries.find(|entry| entry.is_special || (entry.is_claim && plan.counts)) {
        let what = "with a flag that fell, a count of kings or an illegal move that stands, every ply needs `%seq`, or a `%ts` of its own";
        return Err(Problem::at("open-order", what.into(), special.origin));
    }
    let order = plan.search(first)?.0;
    Ok(plan.earliest_first(first, order))
}

/// How many positions are looked at for an order.
#[cfg(test)]
pub fn positions_looked_at(sheets: &[BoardSheet], first: &Linked) -> Option<usize> {
    Some(Plan::of(sheets, first).ok()?.search(first).ok()?.1)
}

/// Whether so many plies are played that the kings may be counted: an open board that has seen fewer keeps them from it.
fn may_be_counted(sheets: &[BoardSheet], first: &Linked) -> bool {
    let may_be = |(board, sheet): (usize, &BoardSheet)| {
        first.is_closed(board) || first.halfmove(board) as usize + sheet.entries.len() >= COUNTED
    };
    sheets.iter().enumerate().all(may_be)
}

/// So many plies of each board.
type Made = Vec<u32>;

/// What is known of the order before any ply is judged.
struct Plan<'a> {
    sheets: &'a [BoardSheet],
    touch: Touch,
    /// Whether so much is played that the kings may be counted (SC-28).
    counts: bool,
    /// For each ply the earliest time that is told of it or of a later one on its board.
    times: Vec<Vec<Option<u64>>>,
    /// For each ply the plies of other boards that were made before it: for each such board how many.
    after: Vec<Vec<Vec<(usize, usize)>>>,
}

/// The boards whose next time is the earliest, and that time: a ply of another time than theirs has to wait for them.
struct Clock {
    first: Option<(u64, usize)>,
    second: Option<(u64, usize)>,
}

impl<'a> Plan<'a> {
    fn of(sheets: &'a [BoardSheet], first: &Linked) -> Result<Self, Problem> {
        let after = sheets.iter().map(|sheet| vec![Vec::new(); sheet.entries.len() + 1]).collect();
        let times = sheets.iter().map(|sheet| due_times(&sheet.entries)).collect();
        let counts = may_be_counted(sheets, first);
        let mut plan = Self { sheets, touch: Touch::of(sheets, first), counts, times, after };
        for (board, sheet) in sheets.iter().enumerate() {
            let nowhere = Origin { file: 0, place: Place::NOWHERE };
            let last = sheet.entries.last().map_or(nowhere, |entry| entry.origin);
            for arrival in &sheet.arrivals {
                plan.arrive(board, sheet.entries.len(), *arrival, last)?;
            }
            let mut earlier = None;
            for (at, entry) in sheet.entries.iter().enumerate() {
                for arrival in &entry.arrivals {
                    plan.arrive(board, at, *arrival, entry.origin)?;
                }
                if let (Some(earlier), Some(ts)) = (earlier, entry.ts)
                    && ts < earlier
                {
                    let what = "the time of this ply is before that of an earlier one on its sheet";
                    return Err(Problem::at("unfit", what.into(), entry.origin));
                }
                earlier = entry.ts.or(earlier);
            }
        }
        Ok(plan)
    }

    /// A man arrived on a board before its ply of this index, and behind the one before that.
    fn arrive(&mut self, board: usize, at: usize, arrival: Arrival, origin: Origin) -> Result<(), Problem> {
        let sender = self.sheets.get(arrival.board);
        let is_sender = |entry: &Entry| entry.number == arrival.number && entry.side == arrival.side;
        let Some(sent) = sender.and_then(|sheet| sheet.entries.iter().position(is_sender)) else {
            let what = "a man arrived here by a ply that is on no sheet";
            return Err(Problem::at("unfit", what.into(), origin));
        };
        self.after[board][at].push((arrival.board, sent + 1));
        if at > 0 {
            self.after[arrival.board][sent].push((board, at));
        }
        Ok(())
    }

    /// The order by times, where all are told and no two plies of different boards have the same.
    fn by_time(&self) -> Option<Vec<usize>> {
        let mut all = Vec::new();
        for (board, sheet) in self.sheets.iter().enumerate() {
            for (at, entry) in sheet.entries.iter().enumerate() {
                all.push((entry.ts?, board, at));
            }
        }
        all.sort_unstable();
        let tied = all.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1);
        (!tied).then(|| all.into_iter().map(|(_, board, _)| board).collect())
    }

    /// The entry of the next ply of a board.
    fn next(&self, made: &Made, board: usize) -> Option<&'a Entry> {
        self.sheets[board].entries.get(made[board] as usize)
    }

    /// The boards with plies left, the earliest move first.
    fn due(&self, made: &Made) -> Vec<usize> {
        let mut due: Vec<_> =
            (0..self.sheets.len()).filter(|board| self.next(made, *board).is_some()).collect();
        due.sort_by_key(|board| {
            let next = self.next(made, *board);
            (next.map(|entry| (entry.number, entry.side == Side::Black)), *board)
        });
        due
    }

    fn clock(&self, made: &Made) -> Clock {
        let mut clock = Clock { first: None, second: None };
        for (board, (times, made)) in self.times.iter().zip(made).enumerate() {
            let Some(due) = times.get(*made as usize).copied().flatten() else { continue };
            if clock.first.is_none_or(|(first, _)| due < first) {
                clock.second = clock.first.replace((due, board));
            } else if clock.second.is_none_or(|(second, _)| due < second) {
                clock.second = Some((due, board));
            }
        }
        clock
    }

    /// A board that a ply has to be made on before the next one of another board; `None` where that may be next.
    fn waits_for(&self, made: &Made, clock: &Clock, board: usize) -> Option<usize> {
        let entry = self.next(made, board)?;
        let sends = &self.after[board][made[board] as usize];
        let sent = sends.iter().find(|(other, count)| (made[*other] as usize) < *count);
        let earlier = clock.first.filter(|(_, other)| *other != board).or(clock.second);
        let earlier = earlier.filter(|(due, other)| *other != board && entry.ts.is_some_and(|ts| *due < ts));
        sent.map(|(other, _)| *other).or(earlier.map(|(_, other)| other))
    }
}

/// `12A. Rxa5/B`.
fn name(board: usize, entry: &Entry) -> String {
    format!(
        "{} {}",
        overboard_formats::canonical::board_number(board as u16, entry.number, entry.side),
        entry.san
    )
}

/// For each ply the earliest time that is told of it or of a later one.
fn due_times(entries: &[Entry]) -> Vec<Option<u64>> {
    let mut times: Vec<_> = entries.iter().map(|entry| entry.ts).collect();
    for at in (1..times.len()).rev() {
        times[at - 1] = times[at - 1].or(times[at]);
    }
    times
}
