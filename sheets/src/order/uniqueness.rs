//! Checks whether an order that was found is unique up to exchanges of independent plies.
//!
//! Two touching plies are tied in their order if they change their meaning, or become illegal, when they are
//! exchanged. Every order that keeps these ties leads to the same end. Any other order breaks a tie for a
//! first time: by a ply that is legal before one to which it is tied. The legality of a ply depends only on
//! how many plies were made on the boards around it. So each ply is tried with every possible combination of
//! these numbers, and where it is legal too early, that order is followed. The cost is polynomial in the
//! number of plies.

use super::{Made, Pair, Plan, PlyAt, next_at, search::Guide};
use overboard_games::strategichess::linked::{Edition, Linked, Ply, PlyEffect};
use overboard_rules::{
    by_side::BySide,
    game::Game as _,
    square::{Side, Square},
};
use std::{collections::HashMap, ops::Range};

mod clocks;
mod early_plies;

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
    Other(Pair),
    /// That is not known, for these two.
    Open(Pair),
}

/// The effect of a ply at some point, if it is legal there, and whether that holds whichever kings are last.
type Outcome = (Option<PlyEffect>, bool);

/// An order, and which of its plies are tied.
pub struct Uniqueness<'p, 'a> {
    plan: &'p Plan<'a>,
    plies: Vec<PlyAt>,
    /// The place of each ply of each board.
    places: Vec<Vec<usize>>,
    effects: Vec<PlyEffect>,
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
    too_many: Option<Pair>,
    known: Vec<HashMap<Vec<usize>, Outcome>>,
    tries: usize,
}

/// The plies made on other boards when a ply is next: counts for the neighbouring boards, and for all boards
/// that its clock covers.
struct MadeElsewhere {
    beside: Vec<usize>,
    made: Vec<usize>,
}

impl<'p, 'a> Uniqueness<'p, 'a> {
    /// An order in which all plies are legal.
    pub fn of(plan: &'p Plan<'a>, first: &Linked, boards: &[usize]) -> Option<Self> {
        let places = plan.places(boards)?;
        let mut made = plan.none_made();
        let mut position = first.clone();
        let stride = 1 + boards.len() / KEPT;
        let mut trace = Self {
            plan,
            plies: Vec::with_capacity(boards.len()),
            places,
            effects: Vec::with_capacity(boards.len()),
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
            let effect = position.effect(ply);
            let at = next_at(&made, *board);
            trace.plies.push(at);
            let beside = plan.touch.all_touched(at);
            pairs += beside.iter().map(|(_, plies)| plies.len()).sum::<usize>();
            if pairs > MOST_BESIDE
                && let Some((other, plies)) = beside.first()
            {
                let other = PlyAt {
                    board: *other,
                    at: plies[0],
                };
                trace.too_many = Some([other, at]);
                return Some(trace);
            }
            trace.beside.push(beside);
            if trace.is_taker(&effect) {
                trace.takers.push(place);
            }
            trace.effects.push(effect);
            made[*board] += 1;
            position.play(ply);
        }
        trace.end = position;
        Some(trace)
    }

    fn is_taker(&self, effect: &PlyEffect) -> bool {
        let matters = |side: Side| self.plan.touch.may_be_last[side] && effect.lost[side] > 0;
        matters(Side::White) || matters(Side::Black)
    }

    /// The verdict "unknown", with two of the last plies.
    pub fn unknown(&self) -> Verdict {
        if let Some(pair) = self.too_many {
            return Verdict::Open(pair);
        }
        let mut last = Vec::new();
        for places in &self.places {
            last.extend(places.last().copied());
        }
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
        self.clocks = Clocks::of_width(width, self.places.len());
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
                    if other < place && self.effects_clash(place, other, is_later) {
                        self.ties[place].push(other);
                    }
                }
            }
        }
    }

    fn effects_clash(&self, one: usize, other: usize, is_later: bool) -> bool {
        let [one, other] = [one, other].map(|place| self.effects[place].ply);
        (is_later && share_a_turn(one, other)) || share_a_square(one, other)
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
        let PlyAt { board, at } = self.plies[other];
        if board == self.plies[place].board {
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
    fn tighten(&mut self) -> Result<bool, Pair> {
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
                if self.is_ready(place, &way.made) && outcome.0 != Some(self.effects[place]) {
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
    fn culprit(&mut self, place: usize, way: &MadeElsewhere) -> Result<(usize, usize), Pair> {
        let (mut found, mut meet) = (Vec::new(), Vec::new());
        for ((board, plies), made) in self.beside[place].iter().zip(&way.beside) {
            let before = plies.partition_point(|at| self.places[*board][*at] < place);
            found.push(before);
            meet.push(before.min(*made));
        }
        let mut last = place;
        if self.has_its_effect(place, &meet)? == Some(false) {
            for (step, board) in self.steps(place, &meet, &found) {
                meet[board] += 1;
                match self.has_its_effect(place, &meet)? {
                    Some(true) => return Ok((step, place)),
                    Some(false) => last = step,
                    None => {}
                }
            }
        } else {
            for (step, board) in self.steps(place, &meet, &way.beside) {
                meet[board] += 1;
                if self.has_its_effect(place, &meet)? == Some(false) {
                    return Ok((place, step));
                }
                last = step;
            }
        }
        Err([self.plies[last], self.plies[place]])
    }

    /// Whether a ply has its effect after these numbers of neighbouring plies; `None` where it cannot be next.
    fn has_its_effect(&mut self, place: usize, counts: &[usize]) -> Result<Option<bool>, Pair> {
        let Some(way) = self.way(place, counts) else {
            return Ok(None);
        };
        let (effect, _) = self.outcome(place, &way)?;
        Ok(Some(effect == Some(self.effects[place])))
    }

    /// The neighbouring plies between two ways, in their order, each with which of the neighbouring boards is its own.
    fn steps(&self, place: usize, from: &[usize], to: &[usize]) -> Vec<(usize, usize)> {
        let mut steps = Vec::new();
        for (nth, (board, plies)) in self.beside[place].iter().enumerate() {
            for at in &plies[from[nth]..to[nth]] {
                steps.push((self.places[*board][*at], nth));
            }
        }
        steps.sort_unstable();
        steps
    }

    /// Whether every ply to which this one is tied has been made.
    fn is_ready(&self, place: usize, made: &[usize]) -> bool {
        let board = self.plies[place].board;
        let is_owed = |other: usize| self.is_owed(board, other, made);
        if self.ties[place].iter().any(|other| is_owed(*other)) || self.marked(place).any(is_owed) {
            return false;
        }
        let is_last = place + 1 == self.plies.len() && self.end.end_by_itself().is_some();
        !is_last || self.is_full(board, made)
    }

    /// Whether a ply has not been made, as far as the clocks of a board cover it.
    fn is_owed(&self, board: usize, other: usize, made: &[usize]) -> bool {
        let ply = self.plies[other];
        let index = self.clocks.index(board, ply.board);
        index.is_some_and(|index| made[index] <= ply.at)
    }

    /// The places of the plies that marks require before one.
    fn marked(&self, place: usize) -> impl Iterator<Item = usize> {
        let place_of = |ply: PlyAt| self.places[ply.board][ply.at];
        self.plan.marked(self.plies[place], place_of)
    }

    /// The places before a ply, as far as anything binds it to them.
    fn before(&self, place: usize) -> impl Iterator<Item = usize> {
        let PlyAt { board, at } = self.plies[place];
        let own = at.checked_sub(1).map(|before| self.places[board][before]);
        let tied = self.ties[place].iter().copied();
        own.into_iter().chain(tied).chain(self.marked(place))
    }

    /// Whether all other plies of the boards around have been made.
    fn is_full(&self, board: usize, made: &[usize]) -> bool {
        let start = self.clocks.start(board);
        made.iter().enumerate().all(|(index, made)| {
            let owed = usize::from(start + index == board);
            made + owed >= self.places[start + index].len()
        })
    }

    /// The effect of a ply when it is next in this way.
    fn outcome(&mut self, place: usize, way: &MadeElsewhere) -> Result<Outcome, Pair> {
        if let Some(outcome) = self.known[place].get(&way.beside) {
            return Ok(*outcome);
        }
        if self.tries == 0 || self.plan.is_worn_out() {
            return Err(self.pair_at(place));
        }
        self.tries -= 1;
        let PlyAt { board, at } = self.plies[place];
        let position = self.position(place, &way.made);
        let sheeted = &self.plan.touch.plies[board][at];
        let is_quiet = self.takers.is_empty()
            || self.is_wary[place]
            || sheeted.is_judged_alike(&position, self.plan.touch.may_be_last);
        let meant = sheeted.meant(&position);
        let outcome = (meant.map(|ply| position.effect(ply)), is_quiet);
        self.known[place].insert(way.beside.clone(), outcome);
        Ok(outcome)
    }

    /// The boards that matter to a ply, of those that its clock covers.
    fn near(&self, place: usize, covered: Range<usize>) -> Range<usize> {
        let board = self.plies[place].board;
        if self.is_wary[place] {
            return covered;
        }
        covered.start.max(board.saturating_sub(NEAR))..covered.end.min(board + NEAR + 1)
    }

    /// The position when a ply is next in this way, as far as it matters to the ply.
    fn position(&self, place: usize, made: &[usize]) -> Linked {
        let board = self.plies[place].board;
        let start = self.clocks.start(board);
        let near = self.near(place, start..start + made.len());
        let mut missing = self.plies.len() - 1;
        for board in near.clone() {
            if let Some(next) = self.places[board].get(made[board - start]) {
                missing = missing.min(*next);
            }
        }
        let kept = missing / self.stride;
        let from = kept * self.stride;
        let mut through: Vec<usize> = Vec::new();
        for board in near.clone() {
            let places = &self.places[board][..made[board - start]];
            through.extend(&places[places.partition_point(|place| *place < from)..]);
        }
        through.sort_unstable();
        let mut position = self.kept[kept].clone();
        for place in through {
            let effect = &self.effects[place];
            let takes_off = effect.lost != BySide::both(0) && position.edition() == Edition::Of2025;
            position.put_through(effect.ply, takes_off);
        }
        let judged = near.start.max(board.saturating_sub(2))..near.end.min(board + 3);
        position.judge_closed(judged);
        position
    }

    /// Some pair to name of a ply.
    fn pair_at(&self, place: usize) -> Pair {
        let tied = self.ties[place].last().copied();
        let of_board = |(board, plies): &(usize, Vec<usize>)| {
            self.places[*board].get(*plies.first()?).copied()
        };
        let beside = self.beside[place].iter().find_map(of_board);
        let next_to = place.checked_sub(1).unwrap_or(place + 1);
        let other = tied.or(beside).unwrap_or(next_to);
        [self.plies[other.min(place)], self.plies[other.max(place)]]
    }

    fn any_pair(&self) -> Pair {
        let place = (0..self.plies.len()).find(|place| !self.beside[*place].is_empty());
        self.pair_at(place.unwrap_or_default())
    }

    /// Winds all clocks: for each ply how many of each board around it were made before it, in any order that keeps the ties.
    fn wind(&mut self) {
        let mut clocks = std::mem::take(&mut self.clocks);
        clocks.wind(&self.plies, |place, enter| {
            for before in self.before(place) {
                enter(before);
            }
        });
        self.clocks = clocks;
    }

    /// All ways in which a ply may be next.
    fn ways(&self, place: usize) -> Result<Vec<MadeElsewhere>, Pair> {
        let (least, most) = self.least_and_most(place);
        let mut number = 1_usize;
        for (least, most) in least.iter().zip(&most) {
            number = number.saturating_mul(most - least + 1);
        }
        if number > MOST_WAYS {
            return Err(self.pair_at(place));
        }
        let mut counts = least.clone();
        let mut ways = Vec::new();
        loop {
            ways.extend(self.way(place, &counts));
            let is_below = |nth: &usize| counts[*nth] < most[*nth];
            let Some(turns) = (0..counts.len()).find(is_below) else {
                return Ok(ways);
            };
            counts[..turns].copy_from_slice(&least[..turns]);
            counts[turns] += 1;
        }
    }

    /// How many of the neighbouring plies of each board are made at the least, and at the most, when a ply is next.
    fn least_and_most(&self, place: usize) -> (Vec<usize>, Vec<usize>) {
        let PlyAt { board, at } = self.plies[place];
        let begun = self
            .clocks
            .begun(&self.plies, &self.places, self.plies[place]);
        let (mut least, mut most) = (Vec::new(), Vec::new());
        for (beside, plies) in &self.beside[place] {
            let index = self.clocks.index(board, *beside);
            let made = index.map_or(0, |index| begun[index]);
            let from = plies.partition_point(|then| *then < made);
            let comes_before = |then: &usize| {
                let then = self.places[*beside][*then];
                self.clocks.reports(&self.plies, then, board) <= at
            };
            least.push(from);
            most.push(plies.partition_point(comes_before).max(from));
        }
        (least, most)
    }

    /// The way in which a ply is next after these numbers of neighbouring plies; `None` where that is
    /// impossible.
    fn way(&self, place: usize, counts: &[usize]) -> Option<MadeElsewhere> {
        let PlyAt { board, at } = self.plies[place];
        let mut made = self
            .clocks
            .begun(&self.plies, &self.places, self.plies[place]);
        for ((beside, plies), count) in self.beside[place].iter().zip(counts) {
            if let Some(last) = count.checked_sub(1) {
                let last = self.places[*beside][plies[last]];
                self.clocks.enter(&self.plies, last, board, &mut made);
            }
        }
        let made_on = |of: usize| Some(made[self.clocks.index(board, of)?]);
        if made_on(board)? != at {
            return None;
        }
        for ((beside, plies), count) in self.beside[place].iter().zip(counts) {
            let made = made_on(*beside)?;
            if plies.partition_point(|then| *then < made) != *count {
                return None;
            }
        }
        Some(MadeElsewhere {
            beside: counts.to_vec(),
            made,
        })
    }
}

fn share_a_turn(one: Ply, other: Ply) -> bool {
    let turns = [other.board(), other.arrives_on()];
    turns.contains(&one.board()) || turns.contains(&one.arrives_on())
}

fn share_a_square(one: Ply, other: Ply) -> bool {
    let (Some(one), Some(other)) = (changed(one), changed(other)) else {
        return false;
    };
    one.iter().any(|square| other.contains(square))
}

/// The squares that a ply changes, each with its board.
fn changed(ply: Ply) -> Option<[(usize, Square); 2]> {
    let (from, to) = ply.squares()?;
    Some([(ply.board(), from), (ply.arrives_on(), to)])
}
