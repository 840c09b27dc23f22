//! Which teams may meet, and whether a set of teams can be paired.

use super::{
    next_round::{Event, NextRound},
    standing::{Standing, place},
};
use crate::{
    ids::TeamNo,
    matching::{Alike, Matching},
};

/// What keeps two teams apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bar {
    /// They have played (2.1.1). Matches that were not played do not count (C.04.2 3.5).
    Met,
    /// A regulation of the event keeps them apart.
    Forbidden,
}

/// A team is known by its index in the list of standings.
#[derive(Clone, Debug)]
pub(super) struct Legality {
    size: usize,
    bars: Vec<Option<Bar>>,
    /// For each team: the teams it may not meet.
    apart: Vec<Vec<usize>>,
    most: usize,
}

impl Legality {
    pub(super) fn new(field: &NextRound, standings: &[Standing]) -> Self {
        let size = standings.len();
        let mut legality = Self {
            size,
            bars: vec![None; size * size],
            apart: vec![Vec::new(); size],
            most: 0,
        };
        let place = |tpn: TeamNo| place(standings, tpn);
        for team in &field.teams {
            for past in &team.history {
                if let Event::Played { opponent, .. } = past.event {
                    legality.bar(place(team.tpn), place(opponent), Bar::Met);
                }
            }
        }
        for &(a, b) in &field.forbidden {
            legality.bar(place(a), place(b), Bar::Forbidden);
        }
        legality.most = legality.apart.iter().map(Vec::len).max().unwrap_or(0);
        legality
    }

    fn bar(&mut self, a: Option<usize>, b: Option<usize>, bar: Bar) {
        let (Some(a), Some(b)) = (a, b) else { return };
        if a != b && self.bars[a * self.size + b].is_none() {
            for (a, b) in [(a, b), (b, a)] {
                self.bars[a * self.size + b] = Some(bar);
                self.apart[a].push(b);
            }
        }
    }

    /// What keeps two teams apart, if anything.
    pub(super) fn between(&self, a: usize, b: usize) -> Option<Bar> {
        self.bars[a * self.size + b]
    }

    pub(super) fn may_meet(&self, a: usize, b: usize) -> bool {
        a != b && self.bars[a * self.size + b].is_none()
    }

    /// Whether all of these teams can be paired with each other.
    pub(super) fn can_be_paired(&self, teams: &[usize]) -> bool {
        teams.len().is_multiple_of(2)
            && (self.meet_half(teams) || self.graph(teams).solve().is_ok())
    }

    /// Whether every team may meet at least half of the others: then there is a pairing (Dirac, 1952).
    /// No matching has to be computed then.
    fn meet_half(&self, teams: &[usize]) -> bool {
        let enough = |apart: usize| teams.len() >= 2 * (1 + apart);
        if enough(self.most) {
            return true;
        }
        let mut inside = vec![false; self.size];
        for team in teams {
            inside[*team] = true;
        }
        teams.iter().all(|team| {
            let apart = self.apart[*team].iter();
            enough(apart.filter(|other| inside[**other]).count())
        })
    }

    /// The teams that may meet, as a graph whose edges all weigh the same.
    fn graph(&self, teams: &[usize]) -> Matching<Alike> {
        Matching::with(teams.len(), |u, v| {
            if self.may_meet(teams[u], teams[v]) {
                Some(0)
            } else {
                None
            }
        })
    }
}
