//! Which plies of different boards touch, so that it may matter which of them was made first.
//!
//! A piece reaches no further beyond an edge than two files (SC-21). So plies of two boards touch only where
//! one crosses to the other board or to one that both look at, where a king that must be safe is so near to
//! an edge that pieces beyond it attack it, and where a player passes, which is legal only if nothing else
//! can be played, not even over an edge. While both teams are sure to keep two kings, no king need be safe
//! (SC-24), and an arriving piece touches only what moves through its square. Everything else that boards
//! share, last kings and counts, is not considered here.

use super::{BoardSheet, PlyAt, SheetPly};
use crate::acts::ActsAround;
use overboard_formats::san::{LINKED, San};
use overboard_games::strategichess::linked::{Edition, Linked, Ply};
use overboard_rules::{
    by_side::BySide,
    ply::{Arrival, Written},
    square::{Role, Side, Square},
};

use std::ops::RangeInclusive;

/// Files of a board.
const FILES: i32 = 14;
/// How many boards further plies touch at the most.
const FAR: usize = 3;

/// A ply as its sheet has it.
pub struct SheetedPly {
    /// What is written; `None` where that cannot be read.
    pub written: Option<Written>,
    board: usize,
    side: Side,
    /// The board on which its piece arrives.
    pub arrives: usize,
    /// Where a piece arrives; `None` for a pass.
    to: Option<Square>,
    /// Where more than the ply happens: the boards from and to which that is seen.
    seen: Option<(usize, usize)>,
}

impl SheetedPly {
    pub fn of(board: usize, sheet: &BoardSheet, entry: &SheetPly, minds_acts: bool) -> Self {
        let written = San::parse_in(sheet.language, entry.san.as_bytes(), &LINKED);
        let written = written.map(|san| san.written).ok();
        let (arrives, to) = match written {
            Some(Written::Move(pattern)) => match pattern.arrival {
                Arrival::Beside(next) => (usize::from(next), Some(pattern.to)),
                Arrival::Here | Arrival::Above => (board, Some(pattern.to)),
            },
            _ => (board, None),
        };
        let seen = match &entry.acts {
            Some(acts) if minds_acts => Some(seen(acts, board, arrives)),
            _ => None,
        };
        Self {
            written,
            board,
            side: entry.side,
            arrives,
            to,
            seen,
        }
    }

    /// The ply in a position, where it is legal.
    pub fn meant(&self, position: &Linked) -> Option<Ply> {
        let written = self.written.as_ref()?;
        if position.turn(self.board) == self.side {
            position.only(self.board, written)
        } else {
            None
        }
    }

    /// Whether it means the same in a position whichever of these teams have one king left.
    pub fn is_judged_alike(&self, position: &Linked, last: BySide<bool>) -> bool {
        let written = self.written.as_ref();
        written.is_none_or(|written| position.is_judged_alike(self.board, written, last))
    }

    const fn touches(&self, board: usize) -> bool {
        self.board == board || self.arrives == board
    }

    /// Whether it touches any of these boards.
    fn is_among(&self, boards: &RangeInclusive<usize>) -> bool {
        boards.contains(&self.board) || boards.contains(&self.arrives)
    }

    pub const fn crosses(&self) -> bool {
        self.board != self.arrives
    }

    /// Whether it touches only its own board, as long as no king is near an edge.
    const fn stays(&self) -> bool {
        !self.crosses() && self.to.is_some() && self.seen.is_none()
    }

    /// Whether it takes something, as it is written.
    pub const fn says_capture(&self) -> bool {
        matches!(self.written, Some(Written::Move(pattern)) if pattern.capture)
    }

    /// Whether a king arrives by it.
    const fn is_of_king(&self) -> bool {
        matches!(self.written, Some(Written::Move(pattern)) if matches!(pattern.role, Role::King))
    }

    /// Whether a square of its board may be where its piece comes from, goes to, or passes through.
    fn passes_through(&self, square: Square) -> bool {
        let Some(to) = self.to else { return true };
        let beyond = (self.arrives as i32 - self.board as i32) * FILES;
        let files = (i32::from(to.file) + beyond - i32::from(square.file)).abs();
        let ranks = (i32::from(to.rank) - i32::from(square.rank)).abs();
        files == 0 || ranks == 0 || files == ranks || files + ranks == 3
    }

    /// Whether a piece arrives by it where another ply moves.
    fn arrives_in_way(&self, other: &Self) -> bool {
        self.crosses()
            && self.arrives == other.board
            && self.to.is_none_or(|to| other.passes_through(to))
    }
}

/// From which and to which board it is seen that something happens with a ply.
fn seen(acts: &ActsAround, board: usize, arrives: usize) -> (usize, usize) {
    let (mut from, mut to) = (board.min(arrives), board.max(arrives));
    for act in acts.all() {
        if let Some(of) = act.board() {
            from = from.min(of);
            to = to.max(of);
        }
    }
    (from.saturating_sub(1), to + 1)
}

/// What plies touch.
pub struct Contact {
    /// The plies of each board.
    pub plies: Vec<Vec<SheetedPly>>,
    /// Which teams may be left with one king, so that other rules apply.
    pub may_be_last: BySide<bool>,
    /// Whether any king must be safe at any time.
    guards: bool,
    /// For each board, whether a king near the edge to the next board makes their plies touch.
    near: Vec<bool>,
    /// The plies of each board: all, and those that may touch others though no king is near an edge.
    all: Vec<Vec<usize>>,
    roaming: Vec<Vec<usize>>,
    /// For each ply, of each other board with plies that it touches the last of them.
    last: Vec<Vec<Vec<PlyAt>>>,
}

impl Contact {
    /// What the plies of these sheets touch; if what else happens matters, `lost` is how many kings each team may lose by it.
    pub fn of(sheets: &[BoardSheet], first: &Linked, lost: Option<BySide<usize>>) -> Self {
        let mut plies = Vec::new();
        for (board, sheet) in sheets.iter().enumerate() {
            let ply = |entry| SheetedPly::of(board, sheet, entry, lost.is_some());
            plies.push(sheet.entries.iter().map(ply).collect::<Vec<_>>());
        }
        let near_edges = |board| near_edges(&plies, first, board);
        let edges: Vec<_> = (0..plies.len()).map(near_edges).collect();
        let next_to =
            |board: usize| edges[board][1] || edges.get(board + 1).is_some_and(|edges| edges[0]);
        let near = (0..plies.len()).map(next_to).collect();
        let is_later = first.edition() == Edition::Of2025;
        let lost = lost.unwrap_or(BySide::both(0));
        let may_be_last = BySide::from_fn(|side| {
            let is_taken = |board: &usize| may_be_taken(&plies, first, *board, side);
            let takers = (0..plies.len()).filter(is_taken).count();
            is_later || (first.kings()[side] as usize) < takers + lost[side] + 2
        });
        let guards = is_later || may_be_last.contains(&true);
        Self::among(plies, may_be_last, guards, near)
    }

    /// The same of plies of which it is known how they may touch.
    fn among(
        plies: Vec<Vec<SheetedPly>>,
        may_be_last: BySide<bool>,
        guards: bool,
        near: Vec<bool>,
    ) -> Self {
        let (mut all, mut roaming) = (Vec::new(), Vec::new());
        for of_board in &plies {
            let roams = |at: &usize| !of_board[*at].stays();
            roaming.push((0..of_board.len()).filter(roams).collect());
            all.push((0..of_board.len()).collect());
        }
        let mut touch = Self {
            plies,
            may_be_last,
            guards,
            near,
            all,
            roaming,
            last: Vec::new(),
        };
        for board in 0..touch.all.len() {
            let plies = touch.all[board].iter();
            let last = |at: &usize| touch.last_touched(PlyAt { board, at: *at });
            let last = plies.map(last).collect();
            touch.last.push(last);
        }
        touch
    }

    /// The boards of which a remaining ply is touched by a given ply; `made` counts the plies already made on
    /// each board.
    pub fn touched(
        &self,
        PlyAt { board, at }: PlyAt,
        made: impl Fn(usize) -> usize,
    ) -> impl Iterator<Item = usize> {
        let last = self.last[board].get(at).map(Vec::as_slice);
        last.unwrap_or_default()
            .iter()
            .filter(move |last| made(last.board) <= last.at)
            .map(|last| last.board)
    }

    /// The boards with plies that a ply touches at all.
    pub fn others(&self, PlyAt { board, at }: PlyAt) -> impl Iterator<Item = usize> {
        self.last[board][at].iter().map(|last| last.board)
    }

    /// Whether two plies of different boards touch.
    pub fn touch(&self, one: PlyAt, other: PlyAt) -> bool {
        let [one, other] = [one, other].map(|ply| &self.plies[ply.board][ply.at]);
        self.reaches(one, other) || self.reaches(other, one) || self.is_tied(one, other)
    }

    fn reaches(&self, one: &SheetedPly, other: &SheetedPly) -> bool {
        if let Some((from, to)) = one.seen
            && other.is_among(&(from..=to))
        {
            return true;
        }
        match one.to {
            None => {
                let beyond = if self.guards { 2 } else { 1 };
                other.is_among(&(one.board.saturating_sub(beyond)..=one.board + beyond))
            }
            Some(_) if self.guards => one.crosses() && other.touches(one.arrives),
            Some(_) => one.arrives_in_way(other),
        }
    }

    fn is_tied(&self, one: &SheetedPly, other: &SheetedPly) -> bool {
        let first = one.board.min(one.arrives).saturating_sub(1);
        let is_tied = |board: usize| {
            let touches = |ply: &SheetedPly| ply.touches(board) || ply.touches(board + 1);
            self.is_near(board) && touches(one) && touches(other)
        };
        self.guards && (first..=one.board.max(one.arrives)).any(is_tied)
    }

    fn is_near(&self, board: usize) -> bool {
        self.near.get(board) == Some(&true)
    }

    /// The boards so near to that of a ply that it may touch plies there, and which of these it may touch.
    fn around(&self, PlyAt { board, at }: PlyAt) -> impl Iterator<Item = (usize, &[usize])> {
        let around = board.saturating_sub(FAR)..(board + FAR + 1).min(self.plies.len());
        let is_free = self.plies[board][at].stays()
            && !around.clone().any(|at| self.guards && self.is_near(at));
        let plies = if is_free { &self.roaming } else { &self.all };
        let others = around.filter(move |other| *other != board);
        others.map(move |other| (other, &plies[other][..]))
    }

    /// Of each other board with plies that a ply touches all of them, in their order.
    pub fn all_touched(&self, ply: PlyAt) -> Vec<(usize, Vec<usize>)> {
        let mut all = Vec::new();
        for (board, plies) in self.around(ply) {
            let touches = |at: &usize| self.touch(ply, PlyAt { board, at: *at });
            let touched: Vec<_> = plies.iter().copied().filter(touches).collect();
            if !touched.is_empty() {
                all.push((board, touched));
            }
        }
        all
    }

    /// Of each other board with plies that a ply touches the last of them.
    fn last_touched(&self, ply: PlyAt) -> Vec<PlyAt> {
        let mut last = Vec::new();
        for (board, plies) in self.around(ply) {
            let mut beside = plies.iter().map(|at| PlyAt { board, at: *at }).rev();
            last.extend(beside.find(|beside| self.touch(ply, *beside)));
        }
        last
    }
}

/// Every square on which a side's king on a board stands at some time.
fn stands(plies: &[Vec<SheetedPly>], first: &Linked, board: usize, side: Side) -> Vec<Square> {
    let mut stands = Vec::from_iter(first.king_on(board, side));
    for ply in &plies[board] {
        if ply.side == side && ply.is_of_king() {
            stands.extend(ply.to);
        }
    }
    stands
}

/// Whether a king of a board ever stands where it can be attacked over the edges to the previous and the next
/// board.
fn near_edges(plies: &[Vec<SheetedPly>], first: &Linked, board: usize) -> [bool; 2] {
    let mut near = [false; 2];
    for side in Side::BOTH {
        for square in stands(plies, first, board, side) {
            near[0] |= square.file < 2;
            near[1] |= i32::from(square.file) > FILES - 3;
        }
    }
    near
}

/// Whether any ply arrives on a square where a side's king on a board stands at some time.
fn may_be_taken(plies: &[Vec<SheetedPly>], first: &Linked, board: usize, side: Side) -> bool {
    if first.king_on(board, side).is_none() {
        return false;
    }
    let stands = stands(plies, first, board, side);
    let from = board.saturating_sub(1)..(board + 2).min(plies.len());
    for ply in plies[from].iter().flatten() {
        if ply.side != side
            && ply.arrives == board
            && let Some(to) = ply.to
            && stands.contains(&to)
        {
            return true;
        }
    }
    false
}
