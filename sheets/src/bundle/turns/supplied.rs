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
    let plies = sheets.iter().flatten().filter(|entry| !entry.ends_turn);
    let ends = ends_of_turns(root, plies.count() as u64)?;
    let moves = mega_moves(root);
    let known = boards.iter().flatten().filter_map(|entry| entry.ordinal);
    let known = known.chain(moves.iter().map(|(ordinal, _)| *ordinal));
    let mut turns = Turns::of(ends, first, known)?;
    let mut jobs: Vec<Vec<Job>> = boards.iter().map(|board| turns.jobs(board)).collect();
    for _ in 0..PASSES {
        let is_narrower = turns.narrow(&mut jobs)?;
        if jobs.iter().flatten().all(|job| job.is_settled) {
            let missing = moves.iter().filter(|(_, is_missing)| *is_missing);
            let own = missing.map(|(ordinal, _)| *ordinal).collect();
            let others = turns.ordinals(&jobs)?;
            return Some([own].into_iter().chain(others).collect());
        }
        if !is_narrower {
            return None;
        }
    }
    None
}

/// The ordinals that several plies have.
pub fn doubled(sheets: &[Vec<Sheeted>]) -> HashSet<u64> {
    let (mut known, mut doubled) = (HashSet::new(), HashSet::new());
    for entry in sheets.iter().flatten() {
        if let Some(ordinal) = entry.ordinal
            && !entry.ends_turn
            && !known.insert(ordinal)
        {
            doubled.insert(ordinal);
        }
    }
    doubled
}

/// Where plies stand whose ordinals cannot all be right: two have the same one, it is that of a turn of the other side, or of
/// one before the turn of the ply before it on its sheet. `None` if the ends of turns on the outermost sheet do not fit, either.
pub fn doubtful(sheets: &[Vec<Sheeted>], first: Side) -> Option<Vec<Vec<Origin>>> {
    let (root, boards) = sheets.split_first()?;
    let plies = sheets.iter().flatten().filter(|entry| !entry.ends_turn);
    let ends = ends_of_turns(root, plies.count() as u64)?;
    let turns = Turns::of(ends, first, std::iter::empty())?;
    let doubled = doubled(sheets);
    let boards = boards
        .iter()
        .map(|board| turns.doubtful_of(board, &doubled));
    Some([Vec::new()].into_iter().chain(boards).collect())
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
        let is_right = entry.ordinal.is_none_or(|ordinal| ordinal == end);
        if !is_right || end <= last || end > plies {
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

/// The ordinals of mega-moves, each with whether it is missing.
fn mega_moves(root: &[Sheeted]) -> Vec<(u64, bool)> {
    let (mut moves, mut last) = (Vec::new(), 0);
    for entry in root {
        last = entry.ordinal.unwrap_or(last + 1);
        if !entry.ends_turn {
            moves.push((last, entry.ordinal.is_none()));
        }
    }
    moves
}

impl Turns {
    /// Those with these ends, of plies of which these ordinals are known.
    pub fn of(ends: Vec<u64>, first: Side, known: impl Iterator<Item = u64>) -> Option<Self> {
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
        for entry in board.iter().filter(|entry| !entry.ends_turn) {
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
        for entry in board.iter().filter(|entry| !entry.ends_turn) {
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

    /// The plies of a board.
    fn jobs(&self, board: &[Sheeted]) -> Vec<Job> {
        let job = |entry: &Sheeted| {
            let known = entry.ordinal.map(|ordinal| self.turn_of(ordinal));
            Job {
                side: entry.side,
                is_marked: known.is_some(),
                may_end: entry.may_end,
                from: known.unwrap_or(0),
                to: known.unwrap_or(self.ends.len().saturating_sub(1)),
                is_settled: known.is_some(),
            }
        };
        board.iter().map(job).collect()
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
        let before: Vec<_> = board.iter().map(|job| (job.from, job.to)).collect();
        let mut least = 0;
        for job in &mut *board {
            job.from = job.from.max(least);
            while job.from <= job.to && !self.has_room(job, job.from) {
                job.from += 1;
            }
            if job.from > job.to {
                return None;
            }
            least = job.from + 1;
        }
        let mut most = self.ends.len();
        for job in board.iter_mut().rev() {
            job.to = job.to.min(most.checked_sub(1)?);
            while job.to > job.from && !self.has_room(job, job.to) {
                job.to -= 1;
            }
            if job.to < job.from {
                return None;
            }
            most = job.to;
        }
        for job in &mut *board {
            self.settle(job)?;
        }
        let after = board.iter().map(|job| (job.from, job.to));
        Some(!before.into_iter().eq(after))
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
        for job in jobs.iter_mut().flatten().filter(|job| !job.is_settled) {
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
        for job in jobs.iter().flatten().filter(|job| !job.is_settled) {
            begin[job.side][job.from] += 1;
            end[job.side][job.to + 1] += 1;
        }
        let mut counted = BySide::from_fn(|_| Vec::new());
        for side in [Side::White, Side::Black] {
            let mut open: usize = 0;
            for (begin, end) in begin[side].iter().zip(&end[side]) {
                open = open + begin - end;
                counted[side].push(open);
            }
        }
        counted
    }

    /// The ordinals of the plies of each board that have none. Where one of several in a turn may have ended the game on its
    /// board, their order may matter.
    fn ordinals(&self, jobs: &[Vec<Job>]) -> Option<Vec<Vec<u64>>> {
        let mut ending = vec![false; self.ends.len()];
        for job in jobs.iter().flatten().filter(|job| !job.is_marked) {
            ending[job.from] |= job.may_end;
        }
        let is_open = |(is_ending, free): (bool, &Vec<u64>)| is_ending && free.len() > 1;
        if ending.into_iter().zip(&self.free).any(is_open) {
            return None;
        }
        let mut free: Vec<_> = self.free.iter().map(|free| free.iter().copied()).collect();
        let mut all = Vec::new();
        for board in jobs {
            let missing = board.iter().filter(|job| !job.is_marked);
            all.push(
                missing
                    .map(|job| free[job.from].next())
                    .collect::<Option<_>>()?,
            );
        }
        Some(all)
    }
}
