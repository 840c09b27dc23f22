//! Which teams float up to the top scoregroup (3.5).
//!
//! A set of upfloaters as small as \[C4\] demands never needs to pair two of its own members: they could both be left
//! below. So a legal set consists of the teams that edges from the top group reach in a perfect matching of all
//! unpaired teams, and \[C4\], \[C5\], \[C6\] and \[C7\] are sums over the edges of that matching: one perfect matching
//! of minimum cost gives their best values together. The first set with these values follows by asking of each
//! candidate in turn whether the values can still be reached with it.

use super::{article::Article, context::Context, pairing_error::PairingError};
use crate::{
    matching::{Matching, Weight, Wide},
    points::Points,
};

/// The upfloaters of one bracket and the values of the criteria.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// The upfloaters, in the order of 3.5.3.
    pub upfloaters: Vec<usize>,
    /// How many upfloaters the bracket of the following scoregroup needs at least, if \[C6\] had to
    /// choose.
    pub next_needs: Option<usize>,
    /// How many of the upfloaters were floaters in the previous round.
    pub floaters: usize,
}

/// The unpaired teams at the start of a bracket.
pub(super) struct Unpaired<'a> {
    pub context: &'a Context<'a>,
    /// The top scoregroup, ordered by number.
    pub top: &'a [usize],
    /// All others, ordered by score, then by number.
    pub lower: &'a [usize],
}

impl Unpaired<'_> {
    /// The first set of upfloaters with the best values.
    pub(super) fn choose(&self) -> Result<Choice, PairingError> {
        match self.obvious() {
            Some(choice) => Ok(choice),
            None => self.search(),
        }
    }

    fn score(&self, team: usize) -> Points {
        self.context.standings[team].score
    }

    /// Whether \[C7\] counts this team.
    fn counts_as_floater(&self, team: usize) -> bool {
        self.context.floats_count && self.context.standings[team].floater
    }

    /// How many of the lower teams are in the following scoregroup.
    fn next_size(&self) -> usize {
        let lower = self.lower.iter();
        lower.take_while(|team| self.is_next(**team)).count()
    }

    /// The choice if no criterion is violated: no upfloater, or one from the following scoregroup that was no floater
    /// and leaves that group as it should be.
    fn obvious(&self) -> Option<Choice> {
        let legality = &self.context.legality;
        if self.top.len().is_multiple_of(2) {
            if !legality.can_be_paired(self.top) || !legality.can_be_paired(self.lower) {
                return None;
            }
            return Some(Choice::default());
        }
        let next = &self.lower[..self.next_size()];
        for (place, team) in next.iter().enumerate() {
            if !self.counts_as_floater(*team)
                && legality.can_be_paired(&[self.top, &[*team]].concat())
                && self.leaves_next_well(place, next.len())
            {
                return Some(Choice {
                    upfloaters: vec![*team],
                    next_needs: Some((next.len() + 1) % 2),
                    floaters: 0,
                });
            }
        }
        None
    }

    /// Whether, without the team at index `place`, the following scoregroup needs no upfloater, or one if odd,
    /// and all can be paired.
    fn leaves_next_well(&self, place: usize, next_size: usize) -> bool {
        let legality = &self.context.legality;
        let mut rest = self.lower[..next_size].to_vec();
        rest.remove(place);
        let below = &self.lower[next_size..];
        if rest.len().is_multiple_of(2) {
            return legality.can_be_paired(&rest) && legality.can_be_paired(below);
        }
        for place in 0..below.len() {
            let mut last = below.to_vec();
            let mut bracket = rest.clone();
            bracket.push(last.remove(place));
            if legality.can_be_paired(&bracket) && legality.can_be_paired(&last) {
                return true;
            }
        }
        false
    }

    /// The choice in the general case.
    fn search(&self) -> Result<Choice, PairingError> {
        let (size, reach) = self.size_and_reach()?;
        let plan = Plan::new(self, size, reach, true);
        let choice = self.search_by(&plan)?;
        if self.next_counts(&choice) {
            return Ok(choice);
        }
        let blind = self.search_by(&Plan {
            watch_next: false,
            ..plan
        })?;
        Ok(Choice {
            next_needs: self.next_needs_after(&blind.upfloaters),
            ..blind
        })
    }

    /// Whether \[C6\] distinguishes sets: read as a matter of parity, it does not if no set complies.
    fn next_counts(&self, choice: &Choice) -> bool {
        self.context.graded || choice.next_needs == Some(self.next_left(&choice.upfloaters) % 2)
    }

    /// How many teams a set leaves in the following scoregroup.
    pub(super) fn next_left(&self, upfloaters: &[usize]) -> usize {
        let upfloaters = upfloaters.iter();
        self.next_size() - upfloaters.filter(|team| self.is_next(**team)).count()
    }

    /// How many upfloaters the following scoregroup needs after a set, if all others can be paired.
    pub(super) fn next_needs_after(&self, upfloaters: &[usize]) -> Option<usize> {
        let mut left = self.lower.to_vec();
        left.retain(|team| !upfloaters.contains(team));
        let cost = |u: usize, v: usize| {
            if !self.context.legality.may_meet(left[u], left[v]) {
                return None;
            }
            let crosses = self.is_next(left[u]) != self.is_next(left[v]);
            Some(-i64::from(crosses))
        };
        let value = Matching::with(left.len(), cost).solve().ok()?;
        Some(value.unsigned_abs() as usize)
    }

    /// The first article that keeps a lower team from floating up.
    pub(super) fn why_not(&self, team: usize) -> Result<Article, PairingError> {
        let Some(place) = self.lower.iter().position(|lower| *lower == team) else {
            return Err(PairingError::Internal(
                "a team that is not below does not float up",
            ));
        };
        let legality = &self.context.legality;
        if !self.top.iter().any(|top| legality.may_meet(*top, team)) {
            return Ok(Article::Rematch);
        }
        let choice = self.choose()?;
        let plan = Plan::new(
            self,
            choice.upfloaters.len(),
            self.lower.len(),
            self.next_counts(&choice),
        );
        match plan.bits() {
            ..63 => self.why_not_with::<i64>(&plan, place),
            63..127 => self.why_not_with::<i128>(&plan, place),
            127..2047 => self.why_not_with::<Wide<32>>(&plan, place),
            _ => Err(PairingError::TooLarge),
        }
    }

    fn why_not_with<W: Weight>(&self, plan: &Plan, place: usize) -> Result<Article, PairingError> {
        let mut search = self.start::<W>(plan)?;
        search.keep_from_below(search.top + place);
        // With another lower team as its opponent in the bracket it could always float up.
        let Ok(forced) = search.graph.solve() else {
            return Ok(Article::FewestUpfloaters);
        };
        let field = |weight: W, shift: u32| {
            let mut value = -weight;
            for _ in 0..shift {
                value = value.half();
            }
            value
        };
        let fields = [
            (Article::FewestUpfloaters, plan.size_shift),
            (Article::UpfloaterScores, plan.level_shift),
            (Article::NextBracket, plan.next_shift),
            (Article::FloaterAgain, 0),
        ];
        for (article, shift) in fields {
            if field(forced, shift) != field(search.best, shift) {
                return Ok(article);
            }
        }
        Ok(Article::SetOrder)
    }

    fn is_next(&self, team: usize) -> bool {
        let first = self.lower.first();
        first.is_some_and(|first| self.score(*first) == self.score(team))
    }

    fn search_by(&self, plan: &Plan) -> Result<Choice, PairingError> {
        match plan.bits() {
            ..63 => self.search_with::<i64>(plan),
            63..127 => self.search_with::<i128>(plan),
            127..2047 => self.search_with::<Wide<32>>(plan),
            _ => Err(PairingError::TooLarge),
        }
    }

    /// The least number of upfloaters \[C4\], and how many of the lower teams, from the top, must be considered so
    /// that the lowest upfloater is as high as possible (the start of \[C5\]).
    fn size_and_reach(&self) -> Result<(usize, usize), PairingError> {
        let teams = self.all();
        let legality = &self.context.legality;
        let top = self.top.len();
        let cost = |u: usize, v: usize| {
            if !legality.may_meet(teams[u], teams[v]) {
                return None;
            }
            Some(-i64::from(u < top && v >= top))
        };
        let lost = |_| PairingError::Internal("a rest that could be paired cannot be paired");
        let size = -Matching::with(teams.len(), cost).solve().map_err(lost)?;
        let mut reach = 0;
        let near = |u: usize, v: usize| {
            if u < top && v >= top {
                None
            } else {
                cost(u, v)
            }
        };
        let mut graph = Matching::with(teams.len(), near);
        while graph.solve() != Ok(-size) {
            let Some(next) = self.lower.get(reach) else {
                return Err(PairingError::Internal("no set of upfloaters"));
            };
            let score = self.score(*next);
            while let Some(team) = self.lower.get(reach)
                && self.score(*team) == score
            {
                for u in 0..top {
                    graph.set(u, top + reach, cost(u, top + reach));
                }
                reach += 1;
            }
        }
        Ok((size.unsigned_abs() as usize, reach))
    }

    fn all(&self) -> Vec<usize> {
        [self.top, self.lower].concat()
    }

    /// The graph of all unpaired teams with the costs of a plan, solved.
    fn start<W: Weight>(&self, plan: &Plan) -> Result<Search<W>, PairingError> {
        let teams = self.all();
        let reach = self.top.len() + plan.reach;
        let cost = |u: usize, v: usize| {
            let far = u < self.top.len() && v >= reach;
            if far || !self.context.legality.may_meet(teams[u], teams[v]) {
                return None;
            }
            Some(-plan.cost::<W>(self, u, v))
        };
        let mut search = Search {
            top: self.top.len(),
            best: W::default(),
            graph: Matching::with(teams.len(), cost),
        };
        search.best = search.solve()?;
        Ok(search)
    }

    fn search_with<W: Weight>(&self, plan: &Plan) -> Result<Choice, PairingError> {
        let mut search = self.start::<W>(plan)?;
        let next_needs = Some(search.crossings(self.top.len() + self.next_size()));
        let places = search.first_set(plan, |place| self.score(self.lower[place]))?;
        let upfloaters: Vec<usize> = places.into_iter().map(|place| self.lower[place]).collect();
        Ok(Choice {
            next_needs,
            floaters: self.floaters(&upfloaters),
            upfloaters,
        })
    }

    /// How many of these \[C7\] counts.
    pub(super) fn floaters(&self, teams: &[usize]) -> usize {
        let teams = teams.iter();
        teams.filter(|team| self.counts_as_floater(**team)).count()
    }
}

/// How the criteria are packed into one number. From the most significant field down: the number of upfloaters,
/// their number at each score from the lowest considered, the upfloaters of the following bracket, the former
/// floaters.
#[derive(Clone)]
struct Plan {
    /// How many upfloaters are needed.
    size: usize,
    /// How many lower teams are considered.
    reach: usize,
    /// Whether \[C6\] takes part.
    watch_next: bool,
    /// For each score considered, from the highest: how many bits are to its right.
    shifts: Vec<(Points, u32)>,
    next_shift: u32,
    level_shift: u32,
    size_shift: u32,
    guard: u32,
}

impl Plan {
    fn new(unpaired: &Unpaired, size: usize, reach: usize, watch_next: bool) -> Self {
        let bits = |most: usize| usize::BITS - most.leading_zeros();
        let next_shift = bits(size);
        let level_shift = next_shift + bits(unpaired.next_size());
        let mut shift = level_shift;
        let mut shifts: Vec<(Points, u32)> = Vec::new();
        for team in &unpaired.lower[..reach] {
            let score = unpaired.score(*team);
            if shifts.last().is_none_or(|(last, _)| *last != score) {
                shifts.push((score, shift));
                shift += bits(size);
            }
        }
        let all = unpaired.top.len() + unpaired.lower.len();
        let guard = 2 * bits(all) + 4;
        Self {
            size,
            reach,
            watch_next,
            shifts,
            next_shift,
            level_shift,
            size_shift: shift,
            guard,
        }
    }

    /// How many bits a weight needs, including sums of dual variables.
    fn bits(&self) -> u32 {
        self.size_shift + self.guard
    }

    /// The cost of pairing two teams, `u < v`; indices count the top teams, then the lower ones.
    fn cost<W: Weight>(&self, unpaired: &Unpaired, u: usize, v: usize) -> W {
        let (top, lower) = (unpaired.top.len(), unpaired.lower);
        if v < top {
            return W::default();
        }
        if u >= top {
            let crosses = self.watch_next
                && unpaired.is_next(lower[u - top]) != unpaired.is_next(lower[v - top]);
            return if crosses {
                W::ONE.shifted(self.next_shift)
            } else {
                W::default()
            };
        }
        let upfloater = lower[v - top];
        let floater = if unpaired.counts_as_floater(upfloater) {
            W::ONE
        } else {
            W::default()
        };
        let score = unpaired.score(upfloater);
        let level = match self.shifts.iter().find(|(level, _)| *level == score) {
            Some((_, shift)) => W::ONE.shifted(*shift),
            None => W::default(),
        };
        W::ONE.shifted(self.size_shift) + level + floater
    }
}

/// The search for the first set with the best values.
struct Search<W> {
    top: usize,
    best: W,
    graph: Matching<W>,
}

impl<W: Weight> Search<W> {
    fn solve(&mut self) -> Result<W, PairingError> {
        self.graph
            .solve()
            .map_err(|_| PairingError::Internal("the best set of upfloaters was lost"))
    }

    /// How many teams from the end of the top group up to `end` are paired below `end`.
    fn crossings(&self, end: usize) -> usize {
        let crosses = |v: &usize| self.graph.mate(*v).is_some_and(|mate| mate >= end);
        (self.top..end).filter(crosses).count()
    }

    fn floats(&self, v: usize) -> bool {
        self.graph.mate(v).is_some_and(|mate| mate < self.top)
    }

    /// Takes each candidate in turn if the best values can still be reached with it. The number of upfloaters at each
    /// score is fixed already, so the first set consists of the first candidates possible.
    fn first_set(
        &mut self,
        plan: &Plan,
        score: impl Fn(usize) -> Points,
    ) -> Result<Vec<usize>, PairingError> {
        let mut chosen = Vec::new();
        for place in 0..plan.reach {
            if chosen.len() == plan.size {
                break;
            }
            let owed = (place..plan.reach).filter(|other| score(*other) == score(place));
            if owed.clone().any(|other| self.floats(self.top + other))
                && self.take(self.top + place)?
            {
                chosen.push(place);
            }
        }
        Ok(chosen)
    }

    /// Forbids `v` all opponents outside the top group.
    fn keep_from_below(&mut self, v: usize) {
        for u in self.top..self.graph.size() {
            self.graph.set(u, v, None);
        }
    }

    /// Makes `v` an upfloater for good if the best values allow it, otherwise a team that stays for good.
    fn take(&mut self, v: usize) -> Result<bool, PairingError> {
        let below = self.top..self.graph.size();
        let former: Vec<Option<W>> = below.clone().map(|u| self.graph.weight(u, v)).collect();
        self.keep_from_below(v);
        if self.graph.solve() == Ok(self.best) {
            return Ok(true);
        }
        for (u, weight) in below.zip(former) {
            self.graph.set(u, v, weight);
        }
        for u in 0..self.top {
            self.graph.set(u, v, None);
        }
        self.solve()?;
        Ok(false)
    }
}
