//! Plies that are legal before others to which they are tied, and the orders that follow.

use super::{FOLLOWED, Guide, Linked, MENDED, MOST_OPEN, Made, MadeElsewhere, Uniqueness, Verdict};
use overboard_rules::game::Game as _;

impl Uniqueness<'_, '_> {
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
                    Ok((Some(act), _)) => act,
                    Ok((None, _)) => continue,
                    Err(pair) => return Verdict::Open(pair),
                };
                let board = self.plies[place].board;
                if act.mates && !self.is_full(board, &way.made) {
                    continue;
                }
                // The last ply to which this one is tied and that has not been made.
                let tied = self.ties[place].iter().copied();
                let missing = tied.filter(|other| self.is_owed(board, *other, &way.made));
                let Some(tied) = missing.max() else {
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
        match open.first() {
            Some(pair) => Verdict::Open(*pair),
            None => Verdict::Only,
        }
    }

    /// The plies made when a ply is next this way, in their order from the first place on at which one is missing; `None`
    /// where there is no such way.
    fn through(&self, place: usize, way: &MadeElsewhere) -> Option<(usize, Vec<usize>)> {
        let missing = self.missing(place, way);
        let ahead = self.ahead(place, way, &missing)?;
        let mut through = Vec::new();
        for (nth, is_missing) in missing.are_in.iter().enumerate() {
            if !is_missing {
                through.push(missing.from + nth);
            }
        }
        for (nth, is_ahead) in ahead.are_in.iter().enumerate() {
            if *is_ahead {
                through.push(place + nth);
            }
        }
        Some((missing.from, through))
    }

    /// The places before a ply, from the first one on that is missing in this way, and which of them are.
    fn missing(&self, place: usize, way: &MadeElsewhere) -> Among {
        let mut first = Vec::new();
        for ((board, plies), count) in self.beside[place].iter().zip(&way.beside) {
            if let Some(next) = plies.get(*count)
                && self.places[*board][*next] < place
            {
                first.push(self.places[*board][*next]);
            }
        }
        let from = first.iter().copied().min().unwrap_or(place);
        let mut missing = Among::none(from, place);
        for then in from..place {
            let is_in = first.contains(&then) || self.before(then).any(|it| missing.has(it));
            missing.are_in[then - from] = is_in;
        }
        missing
    }

    /// The places from a ply on of those that are made before it in this way; `None` where one of them needs a ply that is
    /// missing.
    fn ahead(&self, place: usize, way: &MadeElsewhere, missing: &Among) -> Option<Among> {
        let mut made = Vec::new();
        for ((board, plies), count) in self.beside[place].iter().zip(&way.beside) {
            if let Some(last) = count.checked_sub(1) {
                made.push(self.places[*board][plies[last]]);
            }
        }
        let to = made.iter().copied().max().unwrap_or(place).max(place);
        let mut ahead = Among::none(place, to + 1);
        for made in made {
            if made > place {
                ahead.are_in[made - place] = true;
            }
        }
        for then in (place..=to).rev() {
            // Not the ply itself, which comes at the end, but what it needs.
            if then > place && !ahead.has(then) {
                continue;
            }
            for before in self.before(then) {
                if then == place && self.ties[place].contains(&before) {
                    continue;
                }
                if before == place || missing.has(before) {
                    return None;
                }
                if before > place {
                    ahead.are_in[before - place] = true;
                }
            }
        }
        Some(ahead)
    }

    /// The plies of each board made before a place, and the position there.
    fn at(&self, place: usize) -> (Made, Linked) {
        let count = |places: &Vec<usize>| places.partition_point(|then| *then < place) as u32;
        let made = self.places.iter().map(count).collect();
        let kept = place / self.stride;
        let mut position = self.kept[kept].clone();
        for effect in &self.effects[kept * self.stride..place] {
            position.play(effect.ply);
        }
        (made, position)
    }

    /// Whether a ply that comes too soon leads to another end; `None` where that is not known.
    fn follow(&mut self, place: usize, way: &MadeElsewhere) -> Option<bool> {
        let Some((from, through)) = self.through(place, way) else {
            return Some(false);
        };
        self.tries = self.tries.saturating_sub(1 + through.len());
        let (mut made, mut position) = self.at(from);
        for then in through {
            let board = self.plies[then].board;
            let ply = self.plan.meant(&made, &position, board)?;
            if ply != self.effects[then].ply {
                return None;
            }
            position.play(ply);
            made[board] += 1;
        }
        let board = self.plies[place].board;
        let clock = self.plan.clock(&made);
        if self.plan.waits_for(&made, &clock, board).is_some() {
            return Some(false);
        }
        let Some(ply) = self.plan.meant(&made, &position, board) else {
            return Some(false);
        };
        position.play(ply);
        made[board] += 1;
        self.ends_elsewhere(made, &position, from)
    }

    /// Whether an order that continues there leads to another end; `None` where that is not known. All plies before a place
    /// are made.
    fn ends_elsewhere(&mut self, made: Made, position: &Linked, from: usize) -> Option<bool> {
        let first_left = |made: &Made| {
            (from..self.plies.len()).find(|place| {
                let ply = self.plies[*place];
                made[ply.board] as usize <= ply.at
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
            first: &|made| first_left(made).map(|place| self.plies[place].board),
            is_known: &is_known,
            end: Some(&self.end),
        };
        let found = self.plan.visit(made.clone(), position, &guide);
        self.tries = self.tries.saturating_sub(found.tried);
        if found.is_all || !found.runs.is_empty() {
            return Some(!found.runs.is_empty());
        }
        // One order with another end suffices.
        let plan = self.plan;
        let run = plan
            .mended_from(made, position, &self.places, MENDED)
            .ok()?;
        if run.end.is_same(&self.end, false) {
            return None;
        }
        Some(true)
    }
}

/// Some of the places from one on.
struct Among {
    from: usize,
    /// Which of these, each by its distance from there.
    are_in: Vec<bool>,
}

impl Among {
    fn none(from: usize, to: usize) -> Self {
        Self {
            from,
            are_in: vec![false; to - from],
        }
    }

    fn has(&self, place: usize) -> bool {
        place >= self.from && self.are_in.get(place - self.from) == Some(&true)
    }
}
