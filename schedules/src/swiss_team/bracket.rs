//! The pairing of one bracket (3.6).
//!
//! \[C8\], \[C9\] and \[C10\] are sums over pairs, so one perfect matching of minimum cost gives their best values.
//! Then each seat in turn becomes a top member if these values can still be reached, which gives the first list of
//! top members. With that list the graph is bipartite, and the pairings with the best values are exactly the
//! perfect matchings of its tight edges.

use super::{article::Article, context::Context, legality::Bar, pairing_error::PairingError};
use crate::{matching::Matching, points::Points};
use std::collections::VecDeque;

/// The values of the criteria \[C8\], \[C9\], \[C10\] for a pair or a bracket; smaller is better.
pub(super) type Values = [usize; 3];

/// The articles that they are for.
pub(super) const CRITERIA: [Article; 3] = [
    Article::Preferences,
    Article::StrongPreferences,
    Article::OpponentFloater,
];

/// The first criterion by which two values differ.
pub(super) fn first_worse(best: Values, other: Values) -> Option<usize> {
    (0..best.len()).find(|nth| best[*nth] != other[*nth])
}

/// A bracket to be paired.
pub(super) struct Bracket<'a> {
    context: &'a Context<'a>,
    score: Points,
    seats: Vec<usize>,
    /// Bits for each criterion in a weight.
    width: u32,
}

const LOST: PairingError =
    PairingError::Internal("a bracket that could be paired cannot be paired");

impl<'a> Bracket<'a> {
    pub(super) fn new(context: &'a Context<'a>, score: Points, members: Vec<usize>) -> Self {
        let seats = context.seated(members);
        let width = usize::BITS - seats.len().leading_zeros();
        Self {
            context,
            score,
            seats,
            width,
        }
    }

    /// The first pairing with the best values: pairs of top and bottom member, by top member.
    pub(super) fn pair(&self) -> Result<Vec<(usize, usize)>, PairingError> {
        if let Some(pairs) = self.pair_in_order() {
            return Ok(pairs);
        }
        let half = self.seats.len() / 2;
        let mut tops: Vec<bool> = (0..self.seats.len()).map(|seat| seat < half).collect();
        let mut sides = self.two_sides(&tops);
        let halves = sides.solve();
        if halves != Ok(0) {
            // A graph of thousands of seats fills hundreds of megabytes, so only one is held at a time.
            drop(sides);
            let mut graph = self.graph();
            let best = graph.solve().map_err(|_| LOST)?;
            if halves != Ok(best) {
                tops = self.top_members(graph, best);
            }
            sides = self.two_sides(&tops);
            sides.solve().map_err(|_| LOST)?;
        }
        let pairs = first_of_tight(&sides, &tops);
        Ok(pairs
            .into_iter()
            .map(|(top, bottom)| (self.seats[top], self.seats[bottom]))
            .collect())
    }

    /// The first pairing with the best values, if each top member in turn can take the first bottom member that is left
    /// with whom no criterion fails: most first rounds, without a graph, whose size is the square of the bracket's.
    fn pair_in_order(&self) -> Option<Vec<(usize, usize)>> {
        let (tops, bottoms) = self.seats.split_at(self.seats.len() / 2);
        let mut left: VecDeque<usize> = bottoms.iter().copied().collect();
        let mut pairs = Vec::with_capacity(tops.len());
        for top in tops {
            let fits = |bottom: &usize| self.cost(*top, *bottom) == Some(0);
            let bottom = left.remove(left.iter().position(fits)?)?;
            pairs.push((*top, bottom));
        }
        Some(pairs)
    }

    /// The members in the order of their seats.
    pub(super) fn seats(&self) -> &[usize] {
        &self.seats
    }

    /// The values of one pair.
    pub(super) fn values_of(&self, a: usize, b: usize) -> Values {
        let context = self.context;
        [
            usize::from(context.clash(a, b)),
            usize::from(context.strong_clash(a, b)),
            context.floater_met(a, b, self.score),
        ]
    }

    /// The sums of the values of pairs.
    pub(super) fn sum(&self, pairs: &[(usize, usize)]) -> Values {
        let mut sum = [0; 3];
        for (a, b) in pairs {
            for (sum, value) in sum.iter_mut().zip(self.values_of(*a, *b)) {
                *sum += value;
            }
        }
        sum
    }

    /// The first article that keeps two members from being paired.
    pub(super) fn why_not(&self, a: usize, b: usize) -> Article {
        match self.context.legality.between(a, b) {
            Some(Bar::Met) => return Article::Rematch,
            Some(Bar::Forbidden) => return Article::Forbidden,
            None => {}
        }
        let seat = |team: usize| {
            self.seats
                .iter()
                .position(|seated| *seated == team)
                .unwrap_or(0)
        };
        let (a, b) = (seat(a), seat(b));
        let mut graph = self.graph();
        let best = graph.solve();
        for other in 0..self.seats.len() {
            if other != b {
                graph.set(a, other, None);
            }
        }
        let (Ok(best), Ok(forced)) = (best, graph.solve()) else {
            return Article::Completion;
        };
        let (best, forced) = (self.unpack(-best), self.unpack(-forced));
        match first_worse(best, forced) {
            Some(nth) => CRITERIA[nth],
            None => Article::PairingOrder,
        }
    }

    fn unpack(&self, cost: i64) -> Values {
        let field = |shift: u32| (cost >> shift & ((1 << self.width) - 1)) as usize;
        [field(2 * self.width), field(self.width), field(0)]
    }

    /// The values of a pair in one number, if it may meet.
    fn cost(&self, a: usize, b: usize) -> Option<i64> {
        if !self.context.legality.may_meet(a, b) {
            return None;
        }
        let [clashes, strong, floaters] = self.values_of(a, b).map(|value| value as i64);
        Some((clashes << self.width | strong) << self.width | floaters)
    }

    fn weight(&self, u: usize, v: usize) -> Option<i64> {
        let cost = self.cost(self.seats[u], self.seats[v])?;
        Some(-cost)
    }

    fn graph(&self) -> Matching<i64> {
        Matching::with(self.seats.len(), |u, v| self.weight(u, v))
    }

    /// The graph in which a top member meets only bottom members in later seats.
    fn two_sides(&self, is_top: &[bool]) -> Matching<i64> {
        Matching::with(self.seats.len(), |u, v| {
            if is_top[u] && !is_top[v] {
                self.weight(u, v)
            } else {
                None
            }
        })
    }

    /// Which seats are top members: each in turn, if the best value can still be reached.
    fn top_members(&self, mut graph: Matching<i64>, best: i64) -> Vec<bool> {
        let mut tops = vec![false; self.seats.len()];
        let mut missing = self.seats.len() / 2;
        for seat in 0..self.seats.len() {
            if missing == 0 {
                break;
            }
            for top in 0..seat {
                graph.set(top, seat, None);
            }
            if graph.solve() == Ok(best) {
                tops[seat] = true;
                missing -= 1;
                continue;
            }
            for (top, is_top) in tops[..seat].iter().enumerate() {
                if *is_top {
                    graph.set(top, seat, self.weight(top, seat));
                }
            }
            for later in seat + 1..self.seats.len() {
                graph.set(seat, later, None);
            }
        }
        tops
    }
}

/// The first perfect matching of the tight edges of a solved bipartite graph.
fn first_of_tight(graph: &Matching<i64>, is_top: &[bool]) -> Vec<(usize, usize)> {
    let (tops, bottoms): (Vec<usize>, Vec<usize>) =
        (0..is_top.len()).partition(|seat| is_top[*seat]);
    let place = |seat: usize| bottoms.binary_search(&seat).unwrap_or_default();
    let mut sides = Sides {
        tight: Vec::new(),
        bottom_of: Vec::new(),
        top_of: vec![0; bottoms.len()],
    };
    for (nth, top) in tops.iter().enumerate() {
        let tight = |bottom: &usize| graph.is_tight(*top, *bottom);
        sides.tight.push(bottoms.iter().map(tight).collect());
        let bottom = graph.mate(*top).map_or(0, place);
        sides.bottom_of.push(bottom);
        sides.top_of[bottom] = nth;
    }
    for top in 0..tops.len() {
        sides.improve(top);
    }
    let pairs = tops.iter().zip(&sides.bottom_of);
    pairs
        .map(|(top, bottom)| (*top, bottoms[*bottom]))
        .collect()
}

/// A perfect matching of top and bottom members that is being improved.
struct Sides {
    /// For each top member: which bottom members it may meet.
    tight: Vec<Vec<bool>>,
    bottom_of: Vec<usize>,
    top_of: Vec<usize>,
}

impl Sides {
    /// Gives `top` the first possible bottom member while the top members before it keep theirs.
    fn improve(&mut self, top: usize) {
        let own = self.bottom_of[top];
        let wanted = |bottom: &usize| self.tight[top][*bottom] && self.top_of[*bottom] > top;
        if !(0..own).any(|bottom| wanted(&bottom)) {
            return;
        }
        let moves = self.moves_towards(own, top);
        let goes = |bottom: &usize| wanted(bottom) && moves[self.top_of[*bottom]].is_some();
        let Some(mut bottom) = (0..own).find(goes) else {
            return;
        };
        let mut mover = top;
        loop {
            let displaced = self.top_of[bottom];
            self.bottom_of[mover] = bottom;
            self.top_of[bottom] = mover;
            match moves[displaced] {
                Some(next) if displaced != top => (mover, bottom) = (displaced, next),
                _ => return,
            }
        }
    }

    /// For each later top member the bottom member it moves to if all move on until `free` is taken, if possible.
    fn moves_towards(&self, free: usize, after: usize) -> Vec<Option<usize>> {
        let mut moves = vec![None; self.bottom_of.len()];
        let mut reached = vec![free];
        while let Some(bottom) = reached.pop() {
            for (top, moved) in moves.iter_mut().enumerate().skip(after + 1) {
                if moved.is_none() && self.tight[top][bottom] && self.bottom_of[top] != bottom {
                    *moved = Some(bottom);
                    reached.push(self.bottom_of[top]);
                }
            }
        }
        moves
    }
}
