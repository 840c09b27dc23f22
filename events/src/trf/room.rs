//! What does not fit into the columns of a report.

use super::{Edition, Trf};
use crate::{Event, roster::Player};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
};
use std::collections::BTreeMap;

/// The largest number of a team or a round: both have three columns.
const THREE: u32 = 999;
/// The largest number of a player, and the most whole points: both have four columns.
const FOUR: u32 = 9_999;

/// Numbers for the players of an event whose ids are too large for the columns: from 1 on, in the order of the ids. `None`
/// if they fit. The number of a single player is its pairing number, so it stays.
pub(super) fn short_ids(event: &Event) -> Option<BTreeMap<u32, u32>> {
    let is_of_teams = event.settings.is_of_teams();
    let is_too_large = |player: &Player| player.id > FOUR;
    if !is_of_teams || !event.players.iter().any(is_too_large) {
        return None;
    }
    let mut ids: Vec<u32> = event.players.iter().map(|player| player.id).collect();
    ids.sort_unstable();
    let mut short = BTreeMap::new();
    for (id, number) in ids.into_iter().zip(1..) {
        short.insert(id, number);
    }
    Some(short)
}

/// The ids that these numbers stand for.
pub(super) fn own_ids(event: &Event) -> Option<BTreeMap<u32, u32>> {
    let short = short_ids(event)?;
    Some(short.into_iter().map(|(own, short)| (short, own)).collect())
}

/// The event with other ids for its players, in all places.
pub(super) fn renumbered(mut event: Event, ids: &BTreeMap<u32, u32>) -> Event {
    let other = |id: u32| ids.get(&id).copied().unwrap_or(id);
    for player in &mut event.players {
        player.id = other(player.id);
    }
    event.players.sort_by_key(|player| player.id);
    for round in &mut event.rounds {
        for this in &mut round.matches {
            for board in &mut this.boards {
                board.white = board.white.map(other);
                board.black = board.black.map(other);
            }
        }
    }
    event
}

impl Trf {
    /// Why the report cannot be written in this edition: a number that is too large for its columns would be read as
    /// another. `None` if everything fits.
    #[must_use]
    pub fn too_large(&self, edition: Edition) -> Option<String> {
        let mut points = 0;
        for own in self.all_points() {
            points = points.max(own.0.unsigned_abs() / 10);
        }
        let largest_number = self.players.iter().map(|player| player.number).max();
        let rounds = u32::try_from(self.longest()).unwrap_or(u32::MAX);
        for (what, most, found) in [
            ("teams", THREE, self.last_team(edition)),
            ("players", FOUR, largest_number.unwrap_or(0)),
            ("rounds", THREE, rounds),
            ("rounds", THREE, self.last_round()),
            ("points of a participant", FOUR, points),
        ] {
            if found > most {
                return Some(format!(
                    "a report has room for {most} {what}, and this event has {found}"
                ));
            }
        }
        None
    }

    /// The points of all players and teams.
    pub(super) fn all_points(&self) -> Vec<Points> {
        let mut all = Vec::new();
        for player in &self.players {
            all.extend(player.points);
        }
        for team in &self.teams {
            all.extend(team.points.matches);
            all.extend(team.points.games);
        }
        all
    }

    /// The highest number by which a record names a team. In TRF16 a team is named by its players, except in records
    /// taken over from TRF26.
    fn last_team(&self, edition: Edition) -> u32 {
        let mut last = TeamNo::default();
        if edition == Edition::Of2026 {
            for team in &self.teams {
                last = last.max(team.number);
            }
        }
        if let Some(byes) = &self.byes {
            for free in &byes.teams {
                last = last.max(free.unwrap_or_default());
            }
        }
        for this in &self.line_ups {
            last = last.max(this.team).max(this.opponent);
        }
        for this in &self.forfeits {
            last = last.max(this.white).max(this.black);
        }
        last.get()
    }

    /// The last round of a line-up or a forfeited match.
    fn last_round(&self) -> u32 {
        let mut last = RoundNo::default();
        for this in &self.line_ups {
            last = last.max(this.round);
        }
        for this in &self.forfeits {
            last = last.max(this.round);
        }
        last.get()
    }
}
