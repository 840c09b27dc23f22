//! What stays the same while one round is paired.

use super::{
    legality::Legality,
    next_round::{NextRound, Presence},
    readings::{NextBracket, Seating},
    settings::PreferenceType,
    standing::{Standing, place, standings},
};
use crate::{ids::TeamNo, team::Colour};
use std::cmp::Reverse;

/// The teams of a round. A team is known by its index in `standings`, which are ordered by number.
#[derive(Clone, Debug)]
pub(super) struct Context<'a> {
    pub field: &'a NextRound,
    pub standings: Vec<Standing>,
    pub legality: Legality,
    /// The teams to be paired, ordered by number.
    pub present: Vec<usize>,
    /// Whether \[C7\] and \[C10\] apply: not in the last two rounds.
    pub floats_count: bool,
    /// R6: whether \[C6\] counts upfloaters, or only distinguishes kept from not kept.
    pub graded: bool,
}

impl<'a> Context<'a> {
    /// The context of a field that has been validated.
    pub(super) fn new(field: &'a NextRound) -> Self {
        let standings = standings(field);
        let legality = Legality::new(field, &standings);
        let mut present = Vec::new();
        for team in &field.teams {
            if team.presence == Presence::Present {
                present.extend(place(&standings, team.tpn));
            }
        }
        present.sort_unstable();
        Self {
            legality,
            present,
            floats_count: field.round().get() + 1 < u32::from(field.settings.rounds),
            graded: field.settings.readings.next_bracket == NextBracket::Graded,
            standings,
            field,
        }
    }

    /// The index of a team with this number.
    pub(super) fn place(&self, tpn: TeamNo) -> Option<usize> {
        place(&self.standings, tpn)
    }

    /// The same of several.
    pub(super) fn places(&self, teams: &[TeamNo]) -> Vec<usize> {
        teams.iter().filter_map(|tpn| self.place(*tpn)).collect()
    }

    /// The teams to be paired, ordered by number.
    pub(super) fn teams(&self) -> impl Iterator<Item = &Standing> {
        self.present.iter().map(|team| &self.standings[*team])
    }

    /// The members of a bracket in the order of 3.6.1 (G1).
    pub(super) fn seated(&self, members: Vec<usize>) -> Vec<usize> {
        let mut seats = members;
        match self.field.settings.readings.seating {
            Seating::Tpn => seats.sort_unstable(),
            Seating::ScoreThenTpn => self.sort_by_score(&mut seats),
        }
        seats
    }

    /// Puts teams in the order of their scores, then of their numbers.
    pub(super) fn sort_by_score(&self, teams: &mut [usize]) {
        teams.sort_by_key(|team| (Reverse(self.standings[*team].score), *team));
    }

    /// Whether both want the same colour \[C8\].
    pub(super) fn clash(&self, a: usize, b: usize) -> bool {
        self.wants(a).is_some() && self.wants(a) == self.wants(b)
    }

    fn wants(&self, team: usize) -> Option<Colour> {
        Some(self.standings[team].preference?.colour)
    }

    /// Whether both strongly want the same colour \[C9\].
    pub(super) fn strong_clash(&self, a: usize, b: usize) -> bool {
        let strong = |team: usize| self.standings[team].preference.is_some_and(|p| p.strong);
        self.field.settings.preference == PreferenceType::B
            && self.clash(a, b)
            && strong(a)
            && strong(b)
    }

    /// How many of the two are former floaters that would meet an upfloater in a bracket of this score \[C10\].
    pub(super) fn floater_met(&self, a: usize, b: usize, score: crate::points::Points) -> usize {
        let floats_up = |team: usize| self.standings[team].score < score;
        let counts = |team: usize, other: usize| floats_up(other) && self.standings[team].floater;
        if self.floats_count {
            usize::from(counts(a, b)) + usize::from(counts(b, a))
        } else {
            0
        }
    }
}
