//! Supplies ordinals that sheets of Mega-Chess lack, where the others leave each of these plies one turn.
//!
//! The outermost sheet says where turns end. A turn has at most one ply of each board, those of a board are in the order of its
//! sheet, and as many are missing in a turn as it has ordinals that no ply has. The order of plies of one turn on different
//! boards changes nothing after the turn.

use crate::Origin;
use overboard_rules::{by_side::BySide, square::Side};
use std::collections::HashSet;

/// How often all plies are looked at. Each time narrows what those beside them may be.
const PASSES: usize = 64;

/// What stands on a sheet.
#[derive(Clone, Copy)]
pub struct Sheeted {
    /// Where it stands.
    pub origin: Origin,
    /// Its ordinal; none where it is missing.
    pub ordinal: Option<u64>,
    /// Whether it is the end of a turn.
    pub ends_turn: bool,
    pub side: Side,
    /// Whether it may have ended the game on its board.
    pub may_end: bool,
}

/// A ply of a board, and the turns in which it may have been made.
struct Job {
    side: Side,
    is_marked: bool,
    may_end: bool,
    from: usize,
    to: usize,
    /// Whether its turn is known and its place in it counted.
    is_settled: bool,
}

/// The turns of a match.
pub struct Turns {
    /// The ordinal of the last ply of each.
    ends: Vec<u64>,
    first: Side,
    /// The ordinals in each that no ply has, and how many of them are for plies that are not settled.
    free: Vec<Vec<u64>>,
    left: Vec<usize>,
}

/// The missing ordinals of each sheet, the outermost first; `None` if the others do not settle them.
pub fn supplied(sheets: &[Vec<Sheeted>], first: Side) -> Option<Vec<Vec<u64>>> {
    let (root, boards) = sheets.split_first()?;
    let moves = MegaMoves::of(root);
    let mut known = moves.ordinals;
    for entry in boards.iter().flatten() {
        known.extend(entry.ordinal);
    }
    let ends = ends_of_turns(root, number_of_plies(sheets))?;
    let mut turns = Turns::of(ends, first, known)?;
    let mut all = vec![moves.missing];
    all.extend(turns.settled(boards)?);
    Some(all)
}

/// The plies among the entries of a sheet.
pub fn plies_of(sheet: &[Sheeted]) -> impl Iterator<Item = &Sheeted> {
    sheet.iter().filter(|entry| !entry.ends_turn)
}

fn number_of_plies(sheets: &[Vec<Sheeted>]) -> u64 {
    let plies = sheets.iter().map(|sheet| plies_of(sheet).count());
    plies.sum::<usize>() as u64
}

/// The ordinals that several plies have.
pub fn doubled(sheets: &[Vec<Sheeted>]) -> HashSet<u64> {
    let (mut known, mut doubled) = (HashSet::new(), HashSet::new());
    for sheet in sheets {
        for entry in plies_of(sheet) {
            if let Some(ordinal) = entry.ordinal
                && !known.insert(ordinal)
            {
                doubled.insert(ordinal);
            }
        }
    }
    doubled
}

/// Where plies stand whose ordinals cannot all be right: two have the same one, it is that of a turn of the other side, or of
/// one before the turn of the ply before it on its sheet. `None` if the ends of turns on the outermost sheet do not fit, either.
pub fn doubtful(sheets: &[Vec<Sheeted>], first: Side) -> Option<Vec<Vec<Origin>>> {
    let (root, boards) = sheets.split_first()?;
    let ends = ends_of_turns(root, number_of_plies(sheets))?;
    let turns = Turns::of(ends, first, Vec::new())?;
    let doubled = doubled(sheets);
    let mut doubtful = vec![Vec::new()];
    for board in boards {
        doubtful.push(turns.doubtful_of(board, &doubled));
    }
    Some(doubtful)
}

/// The ordinal of the last ply of each turn. A mega-move is a turn of one ply.
pub fn ends_of_turns(root: &[Sheeted], plies: u64) -> Option<Vec<u64>> {
    let (mut ends, mut last) = (Vec::new(), 0);
    for entry in root {
        let end = if entry.ends_turn {
            entry.ordinal?
        } else {
            last + 1
        };
        if entry.ordinal.unwrap_or(end) != end || end <= last || end > plies {
            return None;
        }
        ends.push(end);
        last = end;
    }
    if last < plies {
        ends.push(plies);
    }
    Some(ends)
}

/// The ordinals of all mega-moves, and of those that lack theirs.
#[derive(Default)]
struct MegaMoves {
    ordinals: Vec<u64>,
    missing: Vec<u64>,
}

impl MegaMoves {
    fn of(root: &[Sheeted]) -> Self {
        let (mut moves, mut last) = (Self::default(), 0);
        for entry in root {
            last = entry.ordinal.unwrap_or(last + 1);
            if entry.ends_turn {
                continue;
            }
            moves.ordinals.push(last);
            if entry.ordinal.is_none() {
                moves.missing.push(last);
            }
        }
        moves
    }
}

impl Turns {
    /// Those with these ends, of plies of which these ordinals are known.
    pub fn of(ends: Vec<u64>, first: Side, known: Vec<u64>) -> Option<Self> {
        let plies = ends.last().copied().unwrap_or(0) as usize;
        let mut is_taken = vec![false; plies + 1];
        for ordinal in known {
            let taken = is_taken.get_mut(usize::try_from(ordinal).ok()?)?;
            if ordinal == 0 || std::mem::replace(taken, true) {
                return None;
            }
        }
        let mut free = Vec::new();
        let mut from = 1;
        for end in &ends {
            let ordinals = (from..=*end).filter(|ordinal| !is_taken[*ordinal as usize]);
            free.push(ordinals.collect::<Vec<_>>());
            from = end + 1;
        }
        let left = free.iter().map(Vec::len).collect();
        Some(Self {
            ends,
            first,
            free,
            left,
        })
    }

    fn side(&self, turn: usize) -> Side {
        if turn.is_multiple_of(2) {
            self.first
        } else {
            self.first.other()
        }
    }

    /// The turn of a ply.
    fn turn_of(&self, ordinal: u64) -> usize {
        self.ends.partition_point(|end| *end < ordinal)
    }

    /// Whether the plies of a board stand in turns of their sides, one after the other.
    pub fn has_each(&self, board: &[Sheeted]) -> bool {
        let mut least = 0;
        for entry in plies_of(board) {
            let turn = entry.ordinal.map_or(0, |ordinal| self.turn_of(ordinal));
            if turn < least || self.side(turn) != entry.side {
                return false;
            }
            least = turn + 1;
        }
        true
    }

    /// Where plies of a board stand whose ordinals are not theirs alone, or do not fit their turns.
    fn doubtful_of(&self, board: &[Sheeted], doubled: &HashSet<u64>) -> Vec<Origin> {
        let mut doubtful = Vec::new();
        let mut last: Option<(usize, Origin)> = None;
        for entry in plies_of(board) {
            let Some(ordinal) = entry.ordinal else {
                continue;
            };
            let turn = self.turn_of(ordinal);
            let is_its_own = ordinal > 0 && !doubled.contains(&ordinal);
            if !is_its_own || turn >= self.ends.len() || self.side(turn) != entry.side {
                doubtful.push(entry.origin);
                continue;
            }
            // Either of two that are in the wrong order may be wrong.
            if let Some((before, origin)) = last
                && before >= turn
            {
                doubtful.extend([origin, entry.origin]);
            }
            last = Some((turn, entry.origin));
        }
        doubtful
    }

    /// The ordinals that no ply has, unless they are all of a turn, or more of it than there are boards for them.
    pub fn free_of(&self, boards: usize) -> Option<Vec<u64>> {
        let mut before = 0;
        for (end, free) in self.ends.iter().zip(&self.free) {
            let plies = end - before;
            if free.len() > boards || free.len() as u64 == plies {
                return None;
            }
            before = *end;
        }
        Some(self.free.concat())
    }

    /// The ordinals of the plies of each board that have none, if the others settle them.
    fn settled(&mut self, boards: &[Vec<Sheeted>]) -> Option<Vec<Vec<u64>>> {
        let jobs = |board: &Vec<Sheeted>| board.iter().map(|entry| self.job(entry)).collect();
        let mut jobs: Vec<Vec<Job>> = boards.iter().map(jobs).collect();
        for _ in 0..PASSES {
            let is_narrower = self.narrow(&mut jobs)?;
            if jobs.iter().flatten().all(|job| job.is_settled) {
                return self.ordinals(&jobs);
            }
            if !is_narrower {
                return None;
            }
        }
        None
    }

    fn job(&self, entry: &Sheeted) -> Job {
        let known = entry.ordinal.map(|ordinal| self.turn_of(ordinal));
        Job {
            side: entry.side,
            is_marked: known.is_some(),
            may_end: entry.may_end,
            from: known.unwrap_or(0),
            to: known.unwrap_or(self.ends.len().saturating_sub(1)),
            is_settled: known.is_some(),
        }
    }

    /// Whether a ply without an ordinal may have been made in a turn.
    fn has_room(&self, job: &Job, turn: usize) -> bool {
        job.is_settled || (self.side(turn) == job.side && self.left[turn] > 0)
    }

    /// Looks at all plies once; whether anything more is known then. `None` if they contradict each other.
    fn narrow(&mut self, jobs: &mut [Vec<Job>]) -> Option<bool> {
        let mut is_narrower = false;
        for board in &mut *jobs {
            is_narrower |= self.narrow_board(board)?;
        }
        is_narrower |= self.fill(jobs)?;
        Some(is_narrower)
    }

    /// The plies of a board come one after the other.
    fn narrow_board(&mut self, board: &mut [Job]) -> Option<bool> {
        let from = self.narrow_from(board)?;
        let to = self.narrow_to(board)?;
        for job in board {
            self.settle(job)?;
        }
        Some(from || to)
    }

    /// Raises the first turns in which plies of a board may have been made; whether any is later then.
    fn narrow_from(&self, board: &mut [Job]) -> Option<bool> {
        let (mut least, mut is_narrower) = (0, false);
        for job in board {
            let before = job.from;
            job.from = job.from.max(least);
            while job.from <= job.to && !self.has_room(job, job.from) {
                job.from += 1;
            }
            if job.from > job.to {
                return None;
            }
            is_narrower |= job.from != before;
            least = job.from + 1;
        }
        Some(is_narrower)
    }

    /// Lowers the last ones; whether any is earlier then.
    fn narrow_to(&self, board: &mut [Job]) -> Option<bool> {
        let (mut most, mut is_narrower) = (self.ends.len(), false);
        for job in board.iter_mut().rev() {
            let before = job.to;
            job.to = job.to.min(most.checked_sub(1)?);
            while job.to > job.from && !self.has_room(job, job.to) {
                job.to -= 1;
            }
            if job.to < job.from {
                return None;
            }
            is_narrower |= job.to != before;
            most = job.to;
        }
        Some(is_narrower)
    }

    /// Counts a ply whose turn is known among those of the turn.
    fn settle(&mut self, job: &mut Job) -> Option<()> {
        if job.from == job.to && !job.is_settled {
            self.left[job.from] = self.left[job.from].checked_sub(1)?;
            job.is_settled = true;
        }
        Some(())
    }

    /// Where no more plies may be of a turn than are missing in it, all of them are.
    fn fill(&mut self, jobs: &mut [Vec<Job>]) -> Option<bool> {
        let counted = self.count(jobs);
        let mut next = BySide::both(usize::MAX);
        let mut filled = vec![usize::MAX; self.ends.len()];
        for turn in (0..self.ends.len()).rev() {
            let side = self.side(turn);
            if self.left[turn] > counted[side][turn] {
                return None;
            }
            if self.left[turn] > 0 && self.left[turn] == counted[side][turn] {
                next[side] = turn;
            }
            filled[turn] = next[side];
        }
        let mut is_narrower = false;
        for job in jobs.iter_mut().flatten() {
            if job.is_settled {
                continue;
            }
            // Its first turn is one of its side.
            let turn = filled[job.from];
            if turn <= job.to {
                (job.from, job.to) = (turn, turn);
                self.settle(job)?;
                is_narrower = true;
            }
        }
        Some(is_narrower)
    }

    /// How many plies of each side that are not settled may be of each turn.
    fn count(&self, jobs: &[Vec<Job>]) -> BySide<Vec<usize>> {
        let mut begin = BySide::from_fn(|_| vec![0; self.ends.len() + 1]);
        let mut end = begin.clone();
        for job in jobs.iter().flatten() {
            if !job.is_settled {
                begin[job.side][job.from] += 1;
                end[job.side][job.to + 1] += 1;
            }
        }
        BySide::from_fn(|side| {
            let (mut counted, mut open) = (Vec::new(), 0);
            for (begin, end) in begin[side].iter().zip(&end[side]) {
                open = open + begin - end;
                counted.push(open);
            }
            counted
        })
    }

    /// The ordinals of the plies of each board that have none. Where one of several in a turn may have ended the game on its
    /// board, their order may matter.
    fn ordinals(&self, jobs: &[Vec<Job>]) -> Option<Vec<Vec<u64>>> {
        let mut free: Vec<_> = self.free.iter().map(|free| free.iter()).collect();
        let mut all = Vec::new();
        for board in jobs {
            let mut missing = Vec::new();
            for job in board {
                if job.is_marked {
                    continue;
                }
                if job.may_end && self.free[job.from].len() > 1 {
                    return None;
                }
                missing.push(*free[job.from].next()?);
            }
            all.push(missing);
        }
        Some(all)
    }
}
