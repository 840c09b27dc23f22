//! Finds an order by repairing one: starts with the earliest moves first, and where a ply is illegal at its
//! turn, moves it before the ply that is in its way.

use super::{
    Made, Plan, PlyAt, next_at,
    search::{Dead, Run},
};
use overboard_games::strategichess::linked::{Linked, Ply};
use overboard_rules::{game::Game as _, square::Side};
use std::collections::{BTreeSet, HashMap};

/// How often an order is repaired, and how many plies are played in all, per ply of the match.
const MENDED: usize = 400;
const MADE: usize = 100;
/// A position is kept every so many plies.
const KEPT: usize = 1024;
/// Plies made earlier that are looked at in the time in which one is judged.
const LOOKED_AT: usize = 16;
/// The scale of progress along a sheet: its end has this value.
const WHOLE: usize = 1 << 20;

/// How early each ply of each board is to come.
type Ranks = Vec<Vec<usize>>;

/// An order in the making.
struct Making<'p, 'a> {
    plan: &'p Plan<'a>,
    ranks: &'p Ranks,
    made: Made,
    /// The boards of the plies made, the plies, and whether they took a king.
    path: Vec<(usize, Ply, bool)>,
    position: Linked,
    kept: Vec<Linked>,
    stride: usize,
    /// Of plies those that have to come before them.
    earlier: HashMap<PlyAt, Vec<PlyAt>>,
    due: BTreeSet<(usize, usize)>,
}

impl Plan<'_> {
    /// An order in which all plies are legal, or how far the last attempt came.
    pub fn mended(&self, first: &Linked) -> Result<Run, Option<Box<Dead>>> {
        let mut farthest: Option<Box<Dead>> = None;
        for ranks in self.ranks() {
            match self.mended_from(self.none_made(), first, &ranks, MENDED) {
                Ok(run) => return Ok(run),
                Err(dead) => {
                    let before = farthest.as_ref();
                    if before.is_none_or(|before| before.count() < dead.count()) {
                        farthest = Some(dead);
                    }
                }
            }
        }
        Err(farthest)
    }

    /// In which order plies may have come: by their moves, or as if all boards had begun and ended together, with the
    /// plies that cross where they stand, later or earlier.
    fn ranks(&self) -> [Ranks; 4] {
        let ranks = |rank: &dyn Fn(usize, usize, usize) -> usize| {
            let boards = self.sheets.iter().enumerate();
            let of_board = |(board, sheet): (usize, &super::BoardSheet)| {
                let count = sheet.entries.len();
                (0..count)
                    .map(|at| rank(board, at, at * WHOLE / count))
                    .collect()
            };
            boards.map(of_board).collect()
        };
        let crosses = |board: usize, at: usize| usize::from(self.touch.plies[board][at].crosses());
        [
            ranks(&|board, at, _| {
                let entry = &self.sheets[board].entries[at];
                2 * entry.number as usize + usize::from(entry.side == Side::Black)
            }),
            ranks(&|_, _, along| along),
            ranks(&|board, at, along| along + WHOLE / 16 * crosses(board, at)),
            ranks(&|board, at, along| along + WHOLE / 16 * (1 - crosses(board, at))),
        ]
    }

    /// An order of the remaining plies, by rank, repaired at most so many times.
    pub fn mended_from(
        &self,
        made: Made,
        from: &Linked,
        ranks: &Ranks,
        most: usize,
    ) -> Result<Run, Box<Dead>> {
        let left = self.total() - made.iter().sum::<u32>() as usize;
        let mut making = Making {
            plan: self,
            ranks,
            made,
            path: Vec::with_capacity(left),
            position: from.clone(),
            kept: vec![from.clone()],
            stride: 1 + left / KEPT,
            earlier: HashMap::new(),
            due: BTreeSet::new(),
        };
        making.find_due();
        let (mut mended, mut steps) = (0, 0);
        let mut farthest = (0, making.stuck());
        while making.path.len() < left {
            steps += 1;
            let next = making.next(left);
            if let Some((board, ply)) = next {
                making.make(board, ply);
            }
            let is_over = self.is_worn_out() || steps > MADE * left;
            if next.is_some() && !is_over {
                continue;
            }
            // Going back may lead nowhere, and then this is as far as it came.
            if making.path.len() > farthest.0 {
                farthest = (making.path.len(), making.stuck());
            }
            if is_over || mended == most || !making.mend() {
                return Err(Box::new(farthest.1));
            }
            mended += 1;
        }
        let boards = making.path.into_iter().map(|(board, ..)| board).collect();
        Ok(Run {
            boards,
            end: making.position,
        })
    }
}

impl Making<'_, '_> {
    /// Where it has come to.
    fn stuck(&self) -> Dead {
        Dead {
            made: self.made.clone(),
            position: self.position.clone(),
            boards: self.due.iter().map(|(_, board)| *board).collect(),
        }
    }

    fn due_on(&self, board: usize) -> Option<(usize, usize)> {
        let rank = self.ranks[board].get(self.made[board] as usize)?;
        Some((*rank, board))
    }

    fn find_due(&mut self) {
        self.due = (0..self.made.len())
            .filter_map(|board| self.due_on(board))
            .collect();
    }

    /// The next ply: preferably one that is legal exactly as it is written.
    fn next(&self, total: usize) -> Option<(usize, Ply)> {
        let clock = self.plan.clock(&self.made);
        let mut other = None;
        for (_, board) in &self.due {
            let next = next_at(&self.made, *board);
            let mut earlier = self.earlier.get(&next).into_iter().flatten();
            if earlier.any(|ply| self.made[ply.board] as usize <= ply.at)
                || self.plan.waits_for(&self.made, &clock, *board).is_some()
            {
                continue;
            }
            let Some(ply) = self.plan.meant(&self.made, &self.position, *board) else {
                continue;
            };
            if self.position.effect(ply).mates && self.path.len() + 1 < total {
                continue;
            }
            let sheeted = &self.plan.touch.plies[*board][next.at];
            if sheeted.says_capture() == self.position.captures(ply) {
                return Some((*board, ply));
            }
            other.get_or_insert((*board, ply));
        }
        other
    }

    fn make(&mut self, board: usize, ply: Ply) {
        if let Some(due) = self.due_on(board) {
            self.due.remove(&due);
        }
        let kings = self.position.kings();
        self.position.play(ply);
        self.made[board] += 1;
        self.path.push((board, ply, self.position.kings() != kings));
        self.due.extend(self.due_on(board));
        if self.path.len().is_multiple_of(self.stride) {
            self.kept.push(self.position.clone());
        }
    }

    /// Goes back to the last ply that is in the way of a due one, and puts the due one before it. Returns
    /// whether there is such a ply.
    fn mend(&mut self) -> bool {
        let mut found: Option<(bool, usize, PlyAt)> = None;
        let clock = self.plan.clock(&self.made);
        for (_, board) in &self.due {
            let next = next_at(&self.made, *board);
            if self.plan.waits_for(&self.made, &clock, *board).is_some() {
                continue;
            }
            let made = |other: usize| self.made[other] as usize;
            let mut touched = self.plan.touch.touched(next, made);
            let is_hopeless = touched.next().is_none();
            if let Some(place) = self.in_the_way(next)
                && found.is_none_or(|(hopeless, then, _)| (hopeless, then) < (is_hopeless, place))
            {
                found = Some((is_hopeless, place, next));
            }
        }
        let Some((_, place, first)) = found else {
            return false;
        };
        let (board, ..) = self.path[place];
        let before = self.path[..place].iter();
        let at = before.filter(|(made, ..)| *made == board).count();
        let in_the_way = PlyAt { board, at };
        self.earlier.entry(in_the_way).or_default().push(first);
        self.go_back(place);
        true
    }

    /// The ply that made a due one illegal; if the due one never was legal, the last ply that touches it.
    /// Plies known to come later are skipped.
    fn in_the_way(&self, ply: PlyAt) -> Option<usize> {
        let PlyAt { board, at } = ply;
        let written = self.plan.touch.plies[board][at].written.as_ref()?;
        let mut made = self.made.clone();
        let (mut last, mut is_due) = (None, true);
        for (place, (other, _, took_king)) in self.path.iter().enumerate().rev() {
            // Looking back over many plies is work, too.
            if place.is_multiple_of(LOOKED_AT) {
                self.plan.work.spend(1);
            }
            made[*other] -= 1;
            let then = next_at(&made, *other);
            is_due &= *other != board;
            if *other == board || !(*took_king || self.plan.touch.touch(ply, then)) {
                continue;
            }
            let earlier = self.earlier.get(&then);
            let is_known = earlier.is_some_and(|earlier| earlier.contains(&ply));
            // What has to come before it cannot come after it.
            let mut bound = self.plan.after[board][at].iter();
            if is_known || bound.any(|bound| bound.board == *other && bound.at >= then.at) {
                continue;
            }
            if is_due && self.position_at(place).only(board, written).is_some() {
                return Some(place);
            }
            last.get_or_insert(place);
            if !is_due {
                break;
            }
        }
        last
    }

    fn position_at(&self, place: usize) -> Linked {
        let from = place / self.stride;
        let mut position = self.kept[from].clone();
        for (_, ply, _) in &self.path[from * self.stride..place] {
            position.play(*ply);
        }
        position
    }

    fn go_back(&mut self, place: usize) {
        self.position = self.position_at(place);
        self.kept.truncate(place / self.stride + 1);
        for (board, ..) in self.path.drain(place..) {
            self.made[board] -= 1;
        }
        self.find_due();
    }
}
