//! Checks whether an order that was found is unique up to exchanges of independent plies.
//!
//! Two touching plies are tied in their order if they change their meaning, or become illegal, when they are
//! exchanged. Every order that keeps these ties leads to the same end. Any other order breaks a tie for a
//! first time: by a ply that is legal before one to which it is tied. The legality of a ply depends only on
//! how many plies were made on the boards around it. So each ply is tried with every possible combination of
//! these numbers, and where it is legal too early, that order is followed. The cost is polynomial in the
//! number of plies.

use super::{Made, Plan, search::Guide};
use overboard_games::strategichess::linked::{Edition, Linked, PlyEffect};
use overboard_rules::{by_side::BySide, game::Game as _, square::Side};
use std::collections::HashMap;

mod clocks;
mod escape;

use clocks::Clocks;

/// Positions that are kept of the order found.
const KEPT: usize = 4096;
/// Boards to either side that are looked at around that of a ply.
const NEAR: usize = 5;
/// The most boards that a clock covers.
const TOLD: usize = 15;
/// Numbers in all clocks together.
const MOST_TOLD: usize = 1 << 24;
/// Limits: combinations of plies around one ply; combinations tried in all, and per ply; plies tried to
/// follow one, and repairs of an order that continues from it.
const MOST_WAYS: usize = 20_000;
const TRIES: usize = 50_000;
const TRIES_EACH: usize = 40;
const FOLLOWED: usize = 500;
const MENDED: usize = 20;
/// Ways of which it is not known where they lead before all is given up.
const MOST_OPEN: usize = 8;
/// Pairs of plies that touch, over all plies.
const MOST_BESIDE: usize = 1 << 24;

/// The verdict on an order.
pub enum Verdict {
    /// No other leads elsewhere.
    Only,
    /// Another order is possible, in which the second of these two plies comes before the first.
    Other([(usize, usize); 2]),
    /// That is not known, for these two.
    Open([(usize, usize); 2]),
}

/// The effect of a ply at some point, if it is legal there, and whether that holds whichever kings are last.
type Outcome = (Option<PlyEffect>, bool);

/// An order, and which of its plies are tied.
pub struct Trace<'p, 'a> {
    plan: &'p Plan<'a>,
    /// The board of each ply, and how many were made there before it.
    plies: Vec<(usize, usize)>,
    /// The place of each ply of each board.
    places: Vec<Vec<usize>>,
    acts: Vec<PlyEffect>,
    /// Positions kept at regular intervals.
    kept: Vec<Linked>,
    stride: usize,
    end: Linked,
    /// For each ply the places of earlier ones to which it is tied.
    ties: Vec<Vec<usize>>,
    /// For each ply the plies of other boards that may matter to it.
    beside: Vec<Vec<(usize, Vec<usize>)>>,
    /// The plies that take kings whose absence may change a judgement elsewhere, and for each ply whether its
    /// own may change.
    takers: Vec<usize>,
    is_wary: Vec<bool>,
    clocks: Clocks,
    /// Two plies, once more touch than can be held together.
    too_many: Option<[(usize, usize); 2]>,
    known: Vec<HashMap<Vec<usize>, Outcome>>,
    tries: usize,
}

/// The plies made on other boards when a ply is next: counts for the neighbouring boards, and for all boards
/// that its clock covers.
struct Way {
    beside: Vec<usize>,
    made: Vec<usize>,
}

impl<'p, 'a> Trace<'p, 'a> {
    /// An order in which all plies are legal.
    pub fn of(plan: &'p Plan<'a>, first: &Linked, boards: &[usize]) -> Option<Self> {
        let places = plan.places(boards)?;
        let mut made: Made = vec![0; plan.sheets.len()];
        let mut position = first.clone();
        let stride = 1 + boards.len() / KEPT;
        let mut trace = Self {
            plan,
            plies: Vec::with_capacity(boards.len()),
            places,
            acts: Vec::with_capacity(boards.len()),
            kept: Vec::new(),
            stride,
            end: first.clone(),
            ties: vec![Vec::new(); boards.len()],
            beside: Vec::with_capacity(boards.len()),
            takers: Vec::new(),
            is_wary: vec![false; boards.len()],
            clocks: Clocks::default(),
            too_many: None,
            known: vec![HashMap::new(); boards.len()],
            tries: TRIES + TRIES_EACH * boards.len(),
        };
        let mut pairs = 0;
        for (place, board) in boards.iter().enumerate() {
            if place % stride == 0 {
                trace.kept.push(position.clone());
            }
            let ply = plan.meant(&made, &position, *board)?;
            let act = position.effect(ply);
            let at = made[*board] as usize;
            trace.plies.push((*board, at));
            let beside = plan.touch.all_touched(*board, at);
            pairs += beside.iter().map(|(_, plies)| plies.len()).sum::<usize>();
            if pairs > MOST_BESIDE
                && let Some((other, plies)) = beside.first()
            {
                trace.too_many = Some([(*other, plies[0]), (*board, at)]);
                return Some(trace);
            }
            trace.beside.push(beside);
            if trace.is_taker(&act) {
                trace.takers.push(place);
            }
            trace.acts.push(act);
            made[*board] += 1;
            position.play(ply);
        }
        trace.end = position;
        Some(trace)
    }

    fn is_taker(&self, act: &PlyEffect) -> bool {
        let matters = |side: Side| self.plan.touch.may_be_last[side] && act.lost[side] > 0;
        matters(Side::White) || matters(Side::Black)
    }

    /// The verdict "unknown", with two of the last plies.
    pub fn unknown(&self) -> Verdict {
        if let Some(pair) = self.too_many {
            return Verdict::Open(pair);
        }
        let last = self
            .places
            .iter()
            .filter_map(|places| places.last().copied());
        let mut last: Vec<_> = last.collect();
        last.sort_unstable();
        match last[..] {
            [.., one, other] => Verdict::Open([self.plies[one], self.plies[other]]),
            _ => Verdict::Only,
        }
    }

    /// Whether all orders lead to the same end as this one.
    pub fn verdict(mut self) -> Verdict {
        if let Some(pair) = self.too_many {
            return Verdict::Open(pair);
        }
        let width = if self.takers.is_empty() {
            TOLD
        } else {
            self.places.len()
        };
        self.clocks = Clocks::of_width(width.min(self.places.len()));
        if self.clocks.width() * self.plies.len() > MOST_TOLD {
            return Verdict::Open(self.any_pair());
        }
        self.tie_at_once();
        for taker in self.takers.clone() {
            self.beware(taker);
        }
        loop {
            self.wind();
            match self.tighten() {
                Ok(false) => break,
                Ok(true) => {}
                Err(pair) => return Verdict::Open(pair),
            }
        }
        self.escapes()
    }

    /// Ties plies that change the same squares, or pass the same turn.
    fn tie_at_once(&mut self) {
        let is_later = self.end.edition() == Edition::Of2025;
        for place in 0..self.plies.len() {
            for (board, plies) in &self.beside[place] {
                for at in plies {
                    let other = self.places[*board][*at];
                    if other < place && self.acts_clash(place, other, is_later) {
                        self.ties[place].push(other);
                    }
                }
            }
        }
    }

    fn acts_clash(&self, one: usize, other: usize, is_later: bool) -> bool {
        let changes = |place: usize| {
            let ply = self.acts[place].ply;
            let squares = ply
                .squares()
                .map(|(from, to)| [(ply.board(), from), (ply.arrives_on(), to)]);
            (squares, [ply.board(), ply.arrives_on()])
        };
        let ((one, one_turns), (other, other_turns)) = (changes(one), changes(other));
        let shares = |squares: &[_; 2]| {
            squares
                .iter()
                .any(|square| other.iter().flatten().any(|it| it == square))
        };
        one.as_ref().is_some_and(shares)
            || (is_later && one_turns.iter().any(|turn| other_turns.contains(turn)))
    }

    /// Ties a ply that depends on which kings are last to the plies that take kings.
    fn beware(&mut self, place: usize) {
        if !std::mem::replace(&mut self.is_wary[place], true) {
            for taker in self.takers.clone() {
                self.relate(place, taker);
                self.relate(taker, place);
            }
        }
    }

    /// Enters a ply among those that may matter to another.
    fn relate(&mut self, place: usize, other: usize) {
        let (board, at) = self.plies[other];
        if board == self.plies[place].0 {
            return;
        }
        let beside = &mut self.beside[place];
        let of_board = match beside.iter().position(|(known, _)| *known == board) {
            Some(known) => &mut beside[known].1,
            None => {
                beside.push((board, Vec::new()));
                let last = beside.len() - 1;
                &mut beside[last].1
            }
        };
        if let Err(index) = of_board.binary_search(&at) {
            of_board.insert(index, at);
            self.known[place].clear();
        }
    }

    /// Adds ties until every ply has the same effect wherever it may be next. Returns whether any was added.
    fn tighten(&mut self) -> Result<bool, [(usize, usize); 2]> {
        let mut is_any = false;
        for place in 0..self.plies.len() {
            let ways = self.ways(place)?;
            for way in ways {
                let outcome = self.outcome(place, &way)?;
                if !outcome.1 && !self.is_wary[place] {
                    self.beware(place);
                    is_any = true;
                    break;
                }
                if self.is_ready(place, &way.made) && outcome.0 != Some(self.acts[place]) {
                    let (earlier, later) = self.culprit(place, &way)?;
                    self.ties[later].push(earlier);
                    self.relate(later, earlier);
                    self.relate(earlier, later);
                    is_any = true;
                    break;
                }
            }
        }
        Ok(is_any)
    }

    /// The two plies, in order, that must be tied so that this combination cannot change the effect of one of
    /// them.
    fn culprit(&mut self, place: usize, way: &Way) -> Result<(usize, usize), [(usize, usize); 2]> {
        let beside = self.beside[place].clone();
        let found: Vec<_> = beside
            .iter()
            .map(|(board, plies)| plies.partition_point(|at| self.places[*board][*at] < place))
            .collect();
        let meet: Vec<_> = found
            .iter()
            .zip(&way.beside)
            .map(|(one, other)| *one.min(other))
            .collect();
        let has_deed = |trace: &mut Self, counts: &[usize]| {
            let Some(way) = trace.way(place, counts) else {
                return Ok(None);
            };
            trace
                .outcome(place, &way)
                .map(|outcome| Some(outcome.0 == Some(trace.acts[place])))
        };
        // The plies between two ways, in their order.
        let steps = |trace: &Self, to: &[usize]| {
            let mut steps: Vec<_> = (0..beside.len())
                .flat_map(|board| (meet[board]..to[board]).map(move |nth| (board, nth)))
                .map(|(board, nth)| (trace.places[beside[board].0][beside[board].1[nth]], board))
                .collect();
            steps.sort_unstable();
            steps
        };
        let mut counts = meet.clone();
        let mut last = None;
        if has_deed(self, &meet)? == Some(false) {
            for (step, board) in steps(self, &found) {
                counts[board] += 1;
                match has_deed(self, &counts)? {
                    Some(true) => return Ok((step, place)),
                    Some(false) => last = Some(step),
                    None => {}
                }
            }
        } else {
            for (step, board) in steps(self, &way.beside) {
                counts[board] += 1;
                if has_deed(self, &counts)? == Some(false) {
                    return Ok((place, step));
                }
                last = Some(step);
            }
        }
        Err([self.plies[last.unwrap_or(place)], self.plies[place]])
    }

    /// Whether every ply to which this one is tied has been made.
    fn is_ready(&self, place: usize, made: &[usize]) -> bool {
        let (board, at) = self.plies[place];
        let is_made = |other: &usize| {
            let (beside, at) = self.plies[*other];
            self.clocks
                .index(board, beside, self.places.len())
                .is_none_or(|index| made[index] > at)
        };
        let is_last = place + 1 == self.plies.len() && self.end.end_by_itself().is_some();
        self.ties[place].iter().all(is_made)
            && self
                .plan
                .marked(board, at, |board, at| self.places[board][at])
                .all(|other| is_made(&other))
            && (!is_last || self.is_full(board, made))
    }

    /// Whether all other plies of the boards around have been made.
    fn is_full(&self, board: usize, made: &[usize]) -> bool {
        let start = self.clocks.start(board, self.places.len());
        made.iter().enumerate().all(|(index, made)| {
            let owed = usize::from(start + index == board);
            made + owed >= self.places[start + index].len()
        })
    }

    /// The effect of a ply when it is next in this way.
    fn outcome(&mut self, place: usize, way: &Way) -> Result<Outcome, [(usize, usize); 2]> {
        if let Some(outcome) = self.known[place].get(&way.beside) {
            return Ok(*outcome);
        }
        if self.tries == 0 || self.plan.is_worn_out() {
            return Err(self.pair_at(place));
        }
        self.tries -= 1;
        let (board, at) = self.plies[place];
        let position = self.position(place, &way.made);
        let entry = &self.plan.sheets[board].entries[at];
        let written = self.plan.touch.reported[board][at].written.as_ref();
        let meant = match written {
            Some(written) if position.turn(board) == entry.side => position.only(board, written),
            _ => None,
        };
        let last = self.plan.touch.may_be_last;
        let is_quiet = self.takers.is_empty()
            || self.is_wary[place]
            || written.is_none_or(|written| position.is_judged_alike(board, written, last));
        let outcome = (meant.map(|ply| position.effect(ply)), is_quiet);
        self.known[place].insert(way.beside.clone(), outcome);
        Ok(outcome)
    }

    /// The position when a ply is next in this way, as far as it matters to the ply.
    fn position(&self, place: usize, made: &[usize]) -> Linked {
        let (board, _) = self.plies[place];
        let boards = self.places.len();
        let start = self.clocks.start(board, boards);
        let reported = start..start + made.len();
        let near = if self.is_wary[place] {
            reported
        } else {
            reported.start.max(board.saturating_sub(NEAR))..reported.end.min(board + NEAR + 1)
        };
        let count = |board: usize| made[board - start];
        let missing = near
            .clone()
            .filter_map(|board| self.places[board].get(count(board)));
        let from = missing.min().map_or(self.plies.len() - 1, |place| *place) / self.stride;
        let mut position = self.kept[from].clone();
        let from = from * self.stride;
        let mut through: Vec<_> = near
            .clone()
            .flat_map(|board| {
                let places = &self.places[board][..count(board)];
                &places[places.partition_point(|place| *place < from)..]
            })
            .collect();
        through.sort_unstable();
        for place in through {
            let act = &self.acts[*place];
            let takes_off = act.lost != BySide::both(0) && position.edition() == Edition::Of2025;
            position.put_through(act.ply, takes_off);
        }
        let judged = near.start.max(board.saturating_sub(2))..near.end.min(board + 3);
        position.judge_closed(judged);
        position
    }

    /// Some pair to name of a ply.
    fn pair_at(&self, place: usize) -> [(usize, usize); 2] {
        let tied = self.ties[place].last().copied();
        let of_board = |(board, plies): &(usize, Vec<usize>)| {
            self.places[*board].get(*plies.first()?).copied()
        };
        let beside = self.beside[place].iter().find_map(of_board);
        let other = tied
            .or(beside)
            .unwrap_or_else(|| place.checked_sub(1).unwrap_or(place + 1));
        [self.plies[other.min(place)], self.plies[other.max(place)]]
    }

    fn any_pair(&self) -> [(usize, usize); 2] {
        let place = (0..self.plies.len()).find(|place| !self.beside[*place].is_empty());
        self.pair_at(place.unwrap_or_default())
    }

    /// Winds all clocks: for each ply how many of each board around it were made before it, in any order that keeps the ties.
    fn wind(&mut self) {
        let mut clocks = std::mem::take(&mut self.clocks);
        clocks.wind(self.places.len(), &self.plies, |place, enter| {
            let (board, at) = self.plies[place];
            if let Some(before) = at.checked_sub(1) {
                enter(self.places[board][before]);
            }
            for tied in &self.ties[place] {
                enter(*tied);
            }
            let place_of = |board: usize, at: usize| self.places[board][at];
            for marked in self.plan.marked(board, at, place_of) {
                enter(marked);
            }
        });
        self.clocks = clocks;
    }

    /// All ways in which a ply may be next.
    fn ways(&self, place: usize) -> Result<Vec<Way>, [(usize, usize); 2]> {
        let (board, at) = self.plies[place];
        let boards = self.places.len();
        let begun = self.clocks.begun(&self.plies, &self.places, (board, at));
        let count = |board_beside: usize| {
            self.clocks
                .index(board, board_beside, boards)
                .map_or(0, |index| begun[index])
        };
        let ranges: Vec<_> = self.beside[place]
            .iter()
            .map(|(beside, plies)| {
                let made = count(*beside);
                let needs = |then: &usize| {
                    self.clocks
                        .reports(&self.plies, self.places[*beside][*then], board, boards)
                        > at
                };
                let from = plies.partition_point(|then| *then < made);
                (from, plies.partition_point(|then| !needs(then)).max(from))
            })
            .collect();
        let number = ranges.iter().try_fold(1_usize, |number, (from, to)| {
            number.checked_mul(to - from + 1)
        });
        if number.is_none_or(|number| number > MOST_WAYS) {
            return Err(self.pair_at(place));
        }
        let mut counts: Vec<_> = ranges.iter().map(|(from, _)| *from).collect();
        let mut ways = Vec::new();
        loop {
            ways.extend(self.way(place, &counts));
            let Some(turns) = counts
                .iter()
                .zip(&ranges)
                .position(|(count, (_, to))| count < to)
            else {
                return Ok(ways);
            };
            for (count, (from, _)) in counts.iter_mut().zip(&ranges).take(turns) {
                *count = *from;
            }
            counts[turns] += 1;
        }
    }

    /// The way in which a ply is next after these numbers of neighbouring plies; `None` where that is
    /// impossible.
    fn way(&self, place: usize, counts: &[usize]) -> Option<Way> {
        let (board, at) = self.plies[place];
        let boards = self.places.len();
        let mut made = self.clocks.begun(&self.plies, &self.places, (board, at));
        for ((beside, plies), count) in self.beside[place].iter().zip(counts) {
            if let Some(last) = count.checked_sub(1) {
                self.clocks.enter(
                    &self.plies,
                    self.places[*beside][plies[last]],
                    board,
                    boards,
                    &mut made,
                );
            }
        }
        let index = |of: usize| self.clocks.index(board, of, boards);
        let is_next = index(board).is_some_and(|index| made[index] == at);
        let fits = self.beside[place]
            .iter()
            .zip(counts)
            .all(|((beside, plies), count)| {
                index(*beside).is_some_and(|index| {
                    plies.partition_point(|then| *then < made[index]) == *count
                })
            });
        (is_next && fits).then(|| Way {
            beside: counts.to_vec(),
            made,
        })
    }
}
