//! Plies that are legal before others to which they are tied, and the orders that follow.

use super::{FOLLOWED, Guide, Linked, MENDED, MOST_OPEN, Made, Trace, Verdict, Way};
use overboard_rules::game::Game as _;

impl Trace<'_, '_> {
    /// Whether any ply that comes too soon leads elsewhere.
    pub fn escapes(&mut self) -> Verdict {
        let mut open = Vec::new();
        for place in 0..self.plies.len() {
            let ways = match self.ways(place) {
                Ok(ways) => ways,
                Err(pair) => return Verdict::Open(pair),
            };
            for way in ways {
                if self.is_ready(place, &way.made) {
                    continue;
                }
                let act = match self.outcome(place, &way) {
                    Ok((act, _)) => act,
                    Err(pair) => return Verdict::Open(pair),
                };
                let is_over = act
                    .is_some_and(|act| act.mates && !self.is_full(self.plies[place].0, &way.made));
                if act.is_none() || is_over {
                    continue;
                }
                let Some(tied) = self.missing(place, &way.made) else {
                    continue;
                };
                let pair = [self.plies[tied], self.plies[place]];
                match self.follow(place, &way) {
                    Some(true) => return Verdict::Other(pair),
                    Some(false) => {}
                    None => open.push(pair),
                }
                if self.tries == 0 || open.len() > MOST_OPEN {
                    return Verdict::Open(pair);
                }
            }
        }
        open.first()
            .map_or(Verdict::Only, |pair| Verdict::Open(*pair))
    }

    /// The last ply to which this one is tied and that has not been made.
    fn missing(&self, place: usize, made: &[usize]) -> Option<usize> {
        let (board, _) = self.plies[place];
        let is_missing = |other: &usize| {
            let (beside, at) = self.plies[*other];
            self.clocks
                .index(board, beside, self.places.len())
                .is_some_and(|index| made[index] <= at)
        };
        self.ties[place].iter().copied().filter(is_missing).max()
    }

    /// The places before a ply, as far as anything binds it to them.
    fn before(&self, place: usize) -> impl Iterator<Item = usize> {
        let (board, at) = self.plies[place];
        let own = at.checked_sub(1).map(|before| self.places[board][before]);
        let marked = self
            .plan
            .marked(board, at, |board, at| self.places[board][at]);
        own.into_iter()
            .chain(self.ties[place].iter().copied())
            .chain(marked)
    }

    /// The plies made when a ply is next this way, in their order from the first place on at which one is missing; `None`
    /// where there is no such way.
    fn through(&self, place: usize, way: &Way) -> Option<(usize, Vec<usize>)> {
        let beside = || self.beside[place].iter().zip(&way.beside);
        let next = beside()
            .filter_map(|((board, plies), count)| Some(self.places[*board][*plies.get(*count)?]));
        let missing: Vec<_> = next.filter(|next| *next < place).collect();
        let from = missing.iter().copied().min().unwrap_or(place);
        let mut is_missing = vec![false; place - from];
        for then in from..place {
            let hangs = |before: usize| before >= from && is_missing[before - from];
            is_missing[then - from] = missing.contains(&then) || self.before(then).any(hangs);
        }
        let made = beside().filter_map(|((board, plies), count)| {
            count
                .checked_sub(1)
                .map(|last| self.places[*board][plies[last]])
        });
        let ahead: Vec<_> = made.filter(|made| *made > place).collect();
        let to = ahead.iter().copied().max().unwrap_or(place);
        let mut is_ahead = vec![false; to - place + 1];
        for ahead in &ahead {
            is_ahead[ahead - place] = true;
        }
        for then in (place + 1..=to).rev().chain([place]) {
            // Not the ply itself, which comes at the end, but what it needs.
            if then > place && !is_ahead[then - place] {
                continue;
            }
            let is_tied = |before: &usize| then != place || !self.ties[place].contains(before);
            for before in self.before(then).filter(is_tied) {
                if before == place
                    || (before >= from && before < place && is_missing[before - from])
                {
                    return None;
                }
                if before > place {
                    is_ahead[before - place] = true;
                }
            }
        }
        let early = (from..place).filter(|then| !is_missing[then - from]);
        let late = (place + 1..=to).filter(|then| is_ahead[then - place]);
        Some((from, early.chain(late).collect()))
    }

    /// Whether a ply that comes too soon leads to another end; `None` where that is not known.
    fn follow(&mut self, place: usize, way: &Way) -> Option<bool> {
        let Some((from, through)) = self.through(place, way) else {
            return Some(false);
        };
        self.tries = self.tries.saturating_sub(1 + through.len());
        let mut made: Made = vec![0; self.places.len()];
        for (made, places) in made.iter_mut().zip(&self.places) {
            *made = places.partition_point(|place| *place < from) as u32;
        }
        let mut position = self.kept[from / self.stride].clone();
        for before in from / self.stride * self.stride..from {
            position.play(self.acts[before].ply);
        }
        for then in through {
            let (board, _) = self.plies[then];
            let ply = self.plan.meant(&made, &position, board)?;
            if ply != self.acts[then].ply {
                return None;
            }
            position.play(ply);
            made[board] += 1;
        }
        let (board, _) = self.plies[place];
        if self
            .plan
            .waits_for(&made, &self.plan.clock(&made), board)
            .is_some()
        {
            return Some(false);
        }
        let Some(ply) = self.plan.meant(&made, &position, board) else {
            return Some(false);
        };
        position.play(ply);
        made[board] += 1;
        let first_left = |made: &Made| {
            (from..self.plies.len()).find(|place| {
                let (board, at) = self.plies[*place];
                made[board] as usize <= at
            })
        };
        let is_known = |made: &Made, position: &Linked| {
            let count = made.iter().sum::<u32>() as usize;
            count.is_multiple_of(self.stride)
                && first_left(made) == Some(count)
                && self.kept[count / self.stride].is_same(position, false)
        };
        let guide = Guide {
            most: FOLLOWED,
            counts: false,
            first: &|made| first_left(made).map(|place| self.plies[place].0),
            is_known: &is_known,
            end: Some(&self.end),
        };
        let found = self.plan.visit(made.clone(), &position, &guide);
        self.tries = self.tries.saturating_sub(found.tried);
        if found.is_all || !found.runs.is_empty() {
            return Some(!found.runs.is_empty());
        }
        // One order with another end suffices.
        let run = self
            .plan
            .mended_from(made, &position, &self.places, MENDED)
            .ok()?;
        (!run.end.is_same(&self.end, false)).then_some(true)
    }
}
