//! In which order the plies of linked boards were made, where their sheets do not say it by ordinals.

use super::{Origin, Problem};
use apart::{Ties, may_be_counted};
use overboard_formats::san::{LINKED, Language, San};
use overboard_games::strategichess::{
    StrategiSetup,
    linked::{Linked, Ply},
};
use overboard_rules::{
    game::Game,
    outcome::Cause,
    ply::{Arrival as Way, Written},
    square::Side,
};
use std::collections::{BTreeMap, HashMap};

mod apart;

/// Boards of positions that are kept before the order is called open.
const MOST: usize = 400_000;

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
    let mut plan = Plan::of(sheets, 0)?;
    if let Some(order) = plan.by_time() {
        return Ok(order);
    }
    let counts = may_be_counted(sheets, first);
    plan.counts = counts;
    let mut entries = sheets.iter().flat_map(|sheet| &sheet.entries);
    if let Some(special) = entries.find(|entry| entry.is_special || (entry.is_claim && counts)) {
        let what = "with a flag that fell, a count of kings or an illegal move that stands, every ply needs `%seq`, or a `%ts` of its own";
        return Err(Problem::at("open-order", what.into(), special.origin));
    }
    match plan.apart(first)? {
        Some(order) => Ok(order),
        None => plan.search(first).map(|found| found.order),
    }
}

/// Whether boards are ordered in groups that do not touch.
#[cfg(test)]
pub fn is_apart(sheets: &[BoardSheet], first: &Linked) -> bool {
    Plan::of(sheets, 0).is_ok_and(|plan| plan.apart(first).is_ok_and(|order| order.is_some()))
}

impl BoardSheet {
    /// The same where boards are counted from another one.
    fn moved(&self, start: usize) -> Self {
        let moved = |arrivals: &[Arrival]| {
            let from = |arrival: &Arrival| Arrival { board: arrival.board.wrapping_sub(start), ..*arrival };
            arrivals.iter().map(from).collect::<Vec<_>>()
        };
        let entry = |entry: &Entry| Entry { arrivals: moved(&entry.arrivals), ..entry.clone() };
        Self {
            entries: self.entries.iter().map(entry).collect(),
            arrivals: moved(&self.arrivals),
            language: self.language,
        }
    }
}

/// What a search comes to.
struct Found {
    /// The boards in the order of their plies.
    order: Vec<usize>,
    /// The fewest kings that White and Black had on the way, in any order.
    fewest_kings: [u32; 2],
}

struct Plan<'a> {
    sheets: &'a [BoardSheet],
    /// Which of all boards the first one is.
    start: usize,
    /// Whether so much is played that the kings may be counted (SC-28).
    counts: bool,
    /// For each ply the earliest time that is told of it or of a later one on its board.
    times: Vec<Vec<Option<u64>>>,
    /// For each ply the plies of other boards that were made before it: for each such board how many.
    after: Vec<Vec<Vec<(usize, usize)>>>,
    /// For each ply the plies of other boards that were made behind it: no more than so many may have been.
    before: Vec<Vec<Vec<(usize, usize)>>>,
}

/// A position that an order leads to.
struct Reached {
    position: Linked,
    key: Key,
}

/// A ply of a board that leads from one position to another, both by their indices.
type Edge = (usize, usize, usize);

/// The positions looked at, and the plies between them, those of earlier moves first.
struct Graph {
    all: Vec<Reached>,
    edges: Vec<Edge>,
    /// The fewest kings that White and Black had in any of them.
    fewest_kings: [u32; 2],
}

impl Graph {
    /// The boards on the way to a position, the earliest move first where there is a choice.
    fn way_to(&self, end: usize) -> Vec<usize> {
        let mut leads: Vec<bool> = vec![false; self.all.len()];
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

impl<'a> Plan<'a> {
    fn of(sheets: &'a [BoardSheet], start: usize) -> Result<Self, Problem> {
        let empty: Vec<_> = sheets.iter().map(|sheet| vec![Vec::new(); sheet.entries.len() + 1]).collect();
        let times = sheets.iter().map(|sheet| due_times(&sheet.entries)).collect();
        let mut plan = Self { sheets, start, counts: false, times, after: empty.clone(), before: empty };
        for (board, sheet) in sheets.iter().enumerate() {
            let last = sheet
                .entries
                .last()
                .map_or(Origin { file: 0, place: overboard_formats::span::Place::NOWHERE }, |entry| {
                    entry.origin
                });
            for arrival in &sheet.arrivals {
                plan.arrive(board, sheet.entries.len(), *arrival, last)?;
            }
            for (at, entry) in sheet.entries.iter().enumerate() {
                for arrival in &entry.arrivals {
                    plan.arrive(board, at, *arrival, entry.origin)?;
                }
                let earlier = sheet.entries[..at].iter().rev().find_map(|entry| entry.ts);
                if let (Some(earlier), Some(ts)) = (earlier, entry.ts)
                    && ts < earlier
                {
                    let what = "the time of this ply is before that of an earlier one on its sheet";
                    return Err(Problem::at("unfit", what.into(), entry.origin));
                }
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
        self.before[arrival.board][sent].push((board, at));
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

    /// Whether the next ply of a board may be made when so many were made on each.
    fn may_follow(&self, at: &[u16], board: usize) -> bool {
        let next = usize::from(at[board]);
        let Some(entry) = self.sheets[board].entries.get(next) else { return false };
        let made = |other: usize| usize::from(at[other]);
        let later =
            |other: usize| matches!((self.due_time(at, other), entry.ts), (Some(due), Some(ts)) if due < ts);
        self.after[board][next].iter().all(|(other, count)| made(*other) >= *count)
            && self.before[board][next].iter().all(|(other, count)| made(*other) <= *count)
            && !(0..self.sheets.len()).any(|other| other != board && later(other))
    }

    /// The earliest time that is told of what is still to be played on a board.
    fn due_time(&self, made: &[u16], board: usize) -> Option<u64> {
        self.times[board].get(usize::from(made[board])).copied().flatten()
    }

    /// Every order, position by position: those that lead to the same one are one. Where nothing that is left on a
    /// board touches another, it is played first.
    fn search(&self, first: &Linked) -> Result<Found, Problem> {
        let total: usize = self.sheets.iter().map(|sheet| sheet.entries.len()).sum();
        let root = Reached { position: first.clone(), key: Key::of(first, self.sheets.len(), false) };
        let mut graph = Graph { all: vec![root], edges: Vec::new(), fewest_kings: first.kings() };
        // Without kings or counts between them boards touch at their edges only.
        let is_local = self.start > 0 || first.boards() > self.sheets.len();
        let ties = is_local.then(|| Ties::of(self.sheets, first, self.start));
        let mut level = BTreeMap::from([(vec![0_u16; self.sheets.len()], vec![0_usize])]);
        for _ in 0..total {
            let mut next: BTreeMap<Vec<u16>, Vec<usize>> = BTreeMap::new();
            for (at, reached) in &level {
                let boards = self.boards(at);
                let is_apart = |board: &&usize| {
                    ties.as_ref().is_some_and(|ties| ties.is_apart(**board, |of| usize::from(at[of])))
                };
                let alone = boards.iter().find(is_apart).map(std::slice::from_ref);
                for from in reached {
                    for board in alone.unwrap_or(&boards) {
                        self.step(at, *from, *board, &mut graph, &mut next);
                    }
                }
                if graph.all.len() * first.boards() > MOST {
                    return Err(self.too_many(at));
                }
            }
            if next.is_empty() {
                return Err(self.stuck(&level, &graph.all));
            }
            level = next;
        }
        let ends: Vec<_> = level.into_values().flatten().collect();
        match ends[..] {
            [one] => Ok(Found { order: graph.way_to(one), fewest_kings: graph.fewest_kings }),
            [one, other, ..] => Err(self.open(&graph.way_to(one), &graph.way_to(other))),
            [] => Ok(Found { order: Vec::new(), fewest_kings: graph.fewest_kings }),
        }
    }

    /// The boards whose ply may be next, the earliest move first.
    fn boards(&self, at: &[u16]) -> Vec<usize> {
        let mut boards: Vec<_> = (0..self.sheets.len()).filter(|board| self.may_follow(at, *board)).collect();
        boards.sort_by_key(|board| {
            let entry = &self.sheets[*board].entries[usize::from(at[*board])];
            (entry.number, entry.side == Side::Black, *board)
        });
        boards
    }

    fn step(
        &self,
        at: &[u16],
        from: usize,
        board: usize,
        graph: &mut Graph,
        next: &mut BTreeMap<Vec<u16>, Vec<usize>>,
    ) {
        let entry = &self.sheets[board].entries[usize::from(at[board])];
        let sheet = &self.sheets[board];
        let Some(position) = played(&graph.all[from].position, board, entry, sheet.language, self.start)
        else {
            return;
        };
        for (fewest, kings) in graph.fewest_kings.iter_mut().zip(position.kings()) {
            *fewest = (*fewest).min(kings);
        }
        let mut made = at.to_vec();
        made[board] += 1;
        let is_over =
            made.iter().zip(self.sheets).all(|(made, sheet)| usize::from(*made) == sheet.entries.len());
        let key = Key::of(&position, self.sheets.len(), self.counts && !is_over);
        let there = next.entry(made).or_default();
        let known = there.iter().copied().find(|known| graph.all[*known].key == key);
        let to = known.unwrap_or(graph.all.len());
        if known.is_none() {
            there.push(to);
            graph.all.push(Reached { position, key });
        }
        graph.edges.push((from, to, board));
    }

    fn due(&self, at: &[u16]) -> Vec<(Origin, String)> {
        let next =
            |board: usize| self.sheets[board].entries.get(usize::from(at[board])).map(|entry| (board, entry));
        (0..self.sheets.len())
            .filter_map(next)
            .map(|(board, entry)| (entry.origin, name(self.start + board, entry)))
            .collect()
    }

    fn problem(code: &'static str, message: String, places: Vec<(Origin, String)>) -> Problem {
        let mut places = places.into_iter();
        let Some((origin, first)) = places.next() else {
            return Problem::at(
                code,
                message,
                Origin { file: 0, place: overboard_formats::span::Place::NOWHERE },
            );
        };
        let mut problem = Problem::at(code, format!("{message}: {first}"), origin);
        problem.others = places.collect();
        problem
    }

    fn too_many(&self, at: &[u16]) -> Problem {
        let message = "so many orders of these plies are possible that not all can be looked at; write `%ts` or `%seq` after plies, or `%in` where pieces arrive. Open is the order from";
        Self::problem("open-order", message.into(), self.due(at))
    }

    fn stuck(&self, level: &BTreeMap<Vec<u16>, Vec<usize>>, all: &[Reached]) -> Problem {
        let Some((at, reached)) = level.iter().next() else {
            return Self::problem("unfit", "there are no plies".into(), Vec::new());
        };
        let made: usize = at.iter().map(|count| usize::from(*count)).sum();
        let ended = reached.first().and_then(|last| all[*last].position.end_by_itself());
        let why = ended.map_or(String::new(), |end| format!("; the game had ended by {}", end.cause));
        let message = format!(
            "the sheets do not fit: behind {made} plies none that could be next is legal{why}; due is"
        );
        Self::problem("unfit", message, self.due(at))
    }

    /// Two orders that are both legal and do not lead to the same position.
    fn open(&self, one: &[usize], other: &[usize]) -> Problem {
        let at = one.iter().zip(other).position(|(a, b)| a != b).unwrap_or(0);
        let made = |board: usize| one[..at].iter().filter(|known| **known == board).count();
        let entry = |board: usize| {
            let entry = &self.sheets[board].entries[made(board)];
            (entry.origin, name(self.start + board, entry))
        };
        let message =
            "more than one order of these plies is legal, and it matters which was made first; write `%ts` or `%seq` after plies, or `%in` where pieces arrive"
                .into();
        Self::problem("open-order", message, vec![entry(one[at]), entry(other[at])])
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

/// The position after a ply of a board, where it is legal; boards are counted from `start`.
fn played(
    position: &Linked,
    board: usize,
    entry: &Entry,
    language: Option<&'static Language>,
    start: usize,
) -> Option<Linked> {
    let ply = meant(position, board, entry, language, start)?;
    let mut after = position.clone();
    after.play(ply);
    Some(after)
}

/// The legal ply that is written on the sheet of a board.
fn meant(
    position: &Linked,
    board: usize,
    entry: &Entry,
    language: Option<&'static Language>,
    start: usize,
) -> Option<Ply> {
    if position.end_by_itself().is_some() || position.turn(board) != entry.side {
        return None;
    }
    let mut written = San::parse_in(language, entry.san.as_bytes(), &LINKED).ok()?.written;
    if let Written::Move(pattern) = &mut written
        && let Way::Beside(to) = &mut pattern.arrival
    {
        *to = to.checked_sub(u16::try_from(start).ok()?)?;
    }
    let mut meant = position.meant(board, &written);
    let ply = meant.next()?;
    meant.next().is_none().then_some(ply)
}

/// For each ply the earliest time that is told of it or of a later one.
fn due_times(entries: &[Entry]) -> Vec<Option<u64>> {
    let mut times: Vec<_> = entries.iter().map(|entry| entry.ts).collect();
    for at in (1..times.len()).rev() {
        times[at - 1] = times[at - 1].or(times[at]);
    }
    times
}

/// What tells positions apart (GEN-4). Counts since a capture do so only as long as the kings may yet be counted (SC-28).
#[derive(PartialEq)]
struct Key {
    boards: Vec<StrategiSetup>,
    kings: [u32; 2],
    ended: Option<Cause>,
}

impl Key {
    /// Of so many boards of a position; with their counts where something may still depend on them.
    fn of(position: &Linked, boards: usize, counts: bool) -> Self {
        let board = |board| {
            let setup = position.to_setup(board);
            if counts { setup } else { StrategiSetup { halfmove: 0, ..setup } }
        };
        let ended = position.end_by_itself().map(|end| end.cause);
        Self { boards: (0..boards).map(board).collect(), kings: position.kings(), ended }
    }
}
