//! Which plies of different boards touch, so that it may matter which of them was made first.
//!
//! A piece reaches no further beyond an edge than two files (SC-21). So plies of two boards touch only where
//! one crosses to the other board or to one that both look at, where a king that must be safe is so near to
//! an edge that pieces beyond it attack it, and where a player passes, which is legal only if nothing else
//! can be played, not even over an edge. While both teams are sure to keep two kings, no king need be safe
//! (SC-24), and an arriving piece touches only what moves through its square. Everything else that boards
//! share, last kings and counts, is not considered here.

use super::{BoardSheet, SheetPly};
use crate::deeds::Deed;
use overboard_formats::san::{LINKED, San};
use overboard_games::strategichess::linked::{Edition, Linked};
use overboard_rules::{
    by_side::BySide,
    ply::{Arrival, Written},
    square::{Role, Side, Square},
};

/// Files of a board.
const FILES: i32 = 14;
/// How many boards further plies touch at the most.
const FAR: usize = 3;

/// A ply as its sheet has it.
pub struct SheetedPly {
    /// What is written; `None` where that cannot be read.
    pub written: Option<Written>,
    board: usize,
    /// The board on which its piece arrives.
    pub arrives: usize,
    /// Where a piece arrives; `None` for a pass.
    to: Option<Square>,
    /// Where more than the ply happens: the boards from and to which that is seen.
    seen: Option<(usize, usize)>,
}

impl SheetedPly {
    pub fn of(board: usize, sheet: &BoardSheet, entry: &SheetPly, minds_deeds: bool) -> Self {
        let written = San::parse_in(sheet.language, entry.san.as_bytes(), &LINKED);
        let written = written.map(|san| san.written).ok();
        let (arrives, to) = match written {
            Some(Written::Move(pattern)) => match pattern.arrival {
                Arrival::Beside(next) => (usize::from(next), Some(pattern.to)),
                Arrival::Here | Arrival::Above => (board, Some(pattern.to)),
            },
            _ => (board, None),
        };
        let deeds = if minds_deeds {
            entry.deeds.as_ref()
        } else {
            None
        };
        let seen = deeds.map(|deeds| {
            let boards = || deeds.all().filter_map(Deed::board).chain([board, arrives]);
            (
                boards().min().unwrap_or(0).saturating_sub(1),
                boards().max().unwrap_or(board) + 1,
            )
        });
        Self {
            written,
            board,
            arrives,
            to,
            seen,
        }
    }

    const fn touches(&self, board: usize) -> bool {
        self.board == board || self.arrives == board
    }

    pub const fn crosses(&self) -> bool {
        self.board != self.arrives
    }

    /// Whether it touches only its own board, as long as no king is near an edge.
    const fn stays(&self) -> bool {
        !self.crosses() && self.to.is_some() && self.seen.is_none()
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

/// What plies touch.
pub struct Touch {
    /// The plies of each board.
    pub reported: Vec<Vec<SheetedPly>>,
    /// Which teams may be left with one king, so that other rules apply.
    pub may_be_last: BySide<bool>,
    /// Whether any king must be safe at any time.
    guards: bool,
    /// For each board, whether a king near the edge to the next board makes their plies touch.
    near: Vec<bool>,
    /// The plies of each board that may touch others though no king is near an edge.
    roaming: Vec<Vec<usize>>,
    /// For each ply, of each other board with plies that it touches the last of them.
    last: Vec<Vec<Vec<(usize, usize)>>>,
}

impl Touch {
    /// What the plies of these sheets touch; if what else happens matters, `lost` is how many kings each team may lose by it.
    pub fn of(sheets: &[BoardSheet], first: &Linked, lost: Option<BySide<usize>>) -> Self {
        let reported: Vec<Vec<SheetedPly>> = sheets
            .iter()
            .enumerate()
            .map(|(board, sheet)| {
                sheet
                    .entries
                    .iter()
                    .map(|entry| SheetedPly::of(board, sheet, entry, lost.is_some()))
                    .collect()
            })
            .collect();
        let is_later = first.edition() == Edition::Of2025;
        let near_edges = |board| near_edges(sheets, &reported, first, board);
        let edges: Vec<_> = (0..reported.len()).map(near_edges).collect();
        let next_to =
            |board: usize| edges[board][1] || edges.get(board + 1).is_some_and(|edges| edges[0]);
        let near = (0..reported.len()).map(next_to).collect();
        let may_be_last = BySide::from_fn(|side| {
            let takers = (0..reported.len())
                .filter(|board| may_be_taken(sheets, &reported, first, *board, side))
                .count();
            is_later
                || (first.kings()[side] as usize)
                    < takers + lost.as_ref().map_or(0, |lost| lost[side]) + 2
        });
        let guards = is_later || may_be_last.contains(&true);
        let roams =
            |plies: &Vec<SheetedPly>| (0..plies.len()).filter(|at| !plies[*at].stays()).collect();
        let roaming = reported.iter().map(roams).collect();
        let mut touch = Self {
            reported,
            may_be_last,
            guards,
            near,
            roaming,
            last: Vec::new(),
        };
        touch.last = touch.last_touched();
        touch
    }

    /// The boards of which a remaining ply is touched by a given ply (its board and its index there); `made`
    /// counts the plies already made on each board.
    pub fn touched(
        &self,
        board: usize,
        at: usize,
        made: impl Fn(usize) -> usize,
    ) -> impl Iterator<Item = usize> {
        let last = self.last[board].get(at).map_or(&[][..], |last| &last[..]);
        last.iter()
            .filter(move |(other, last)| made(*other) <= *last)
            .map(|(other, _)| *other)
    }

    /// The boards with plies that a ply touches at all.
    pub fn others(&self, board: usize, at: usize) -> impl Iterator<Item = usize> {
        self.last[board][at].iter().map(|(other, _)| *other)
    }

    /// Whether two plies of different boards touch.
    pub fn touch(&self, one: (usize, usize), other: (usize, usize)) -> bool {
        let [one, other] = [one, other].map(|(board, at)| &self.reported[board][at]);
        self.reaches(one, other) || self.reaches(other, one) || self.is_tied(one, other)
    }

    fn reaches(&self, one: &SheetedPly, other: &SheetedPly) -> bool {
        let is_seen = one.seen.is_some_and(|(from, to)| {
            (from..=to).contains(&other.board) || (from..=to).contains(&other.arrives)
        });
        is_seen
            || match one.to {
                None => {
                    let beyond = if self.guards { 2 } else { 1 };
                    let seen = one.board.saturating_sub(beyond)..=one.board + beyond;
                    seen.contains(&other.board) || seen.contains(&other.arrives)
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
        self.near.get(board).is_some_and(|near| *near)
    }

    /// The boards so near to that of a ply that it may touch plies there, and whether only those that roam.
    fn around(&self, board: usize, at: usize) -> (impl Iterator<Item = usize> + use<>, bool) {
        let around = board.saturating_sub(FAR)..(board + FAR + 1).min(self.reported.len());
        let is_free = self.reported[board][at].stays()
            && !around.clone().any(|at| self.guards && self.is_near(at));
        (around.filter(move |other| *other != board), is_free)
    }

    /// Of each other board with plies that a ply touches all of them, in their order.
    pub fn all_touched(&self, board: usize, at: usize) -> Vec<(usize, Vec<usize>)> {
        let (around, is_free) = self.around(board, at);
        let touched = |other: usize| {
            let touches = |then: &usize| self.touch((board, at), (other, *then));
            let all: Vec<_> = if is_free {
                self.roaming[other]
                    .iter()
                    .copied()
                    .filter(touches)
                    .collect()
            } else {
                (0..self.reported[other].len()).filter(touches).collect()
            };
            (!all.is_empty()).then_some((other, all))
        };
        around.filter_map(touched).collect()
    }

    fn last_touched(&self) -> Vec<Vec<Vec<(usize, usize)>>> {
        let of_ply = |board: usize, at: usize| {
            let (around, is_free) = self.around(board, at);
            let last = |other: usize| {
                let touches = |then: &usize| self.touch((board, at), (other, *then));
                let last = if is_free {
                    self.roaming[other].iter().copied().rev().find(touches)
                } else {
                    (0..self.reported[other].len()).rev().find(touches)
                };
                last.map(|last| (other, last))
            };
            around.filter_map(last).collect()
        };
        let boards = 0..self.reported.len();
        boards
            .map(|board| {
                (0..self.reported[board].len())
                    .map(|at| of_ply(board, at))
                    .collect()
            })
            .collect()
    }
}

/// Every square on which a side's king on a board stands at some time.
fn stands<'a>(
    sheets: &'a [BoardSheet],
    reported: &'a [Vec<SheetedPly>],
    first: &Linked,
    board: usize,
    side: Side,
) -> impl Iterator<Item = Square> + use<'a> {
    let moves = reported[board].iter().zip(&sheets[board].entries);
    let goes = moves.filter(move |(ply, entry)| entry.side == side && ply.is_of_king());
    first
        .king_on(board, side)
        .into_iter()
        .chain(goes.filter_map(|(ply, _)| ply.to))
}

/// Whether a king of a board ever stands where it can be attacked over the edges to the previous and the next
/// board.
fn near_edges(
    sheets: &[BoardSheet],
    reported: &[Vec<SheetedPly>],
    first: &Linked,
    board: usize,
) -> [bool; 2] {
    let mut near = [false; 2];
    for side in [Side::White, Side::Black] {
        for square in stands(sheets, reported, first, board, side) {
            near[0] |= square.file < 2;
            near[1] |= i32::from(square.file) > FILES - 3;
        }
    }
    near
}

/// Whether any ply arrives on a square where a side's king on a board stands at some time.
fn may_be_taken(
    sheets: &[BoardSheet],
    reported: &[Vec<SheetedPly>],
    first: &Linked,
    board: usize,
    side: Side,
) -> bool {
    if first.king_on(board, side).is_none() {
        return false;
    }
    let stands: Vec<_> = stands(sheets, reported, first, board, side).collect();
    let near = board.saturating_sub(1)..(board + 2).min(reported.len());
    near.into_iter().any(|from| {
        let mut plies = reported[from].iter().zip(&sheets[from].entries);
        plies.any(|(ply, entry)| {
            let comes_here = entry.side != side && ply.arrives == board;
            comes_here && ply.to.is_some_and(|to| stands.contains(&to))
        })
    })
}
