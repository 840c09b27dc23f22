//! What does not fit into the columns of a report.

use super::{Edition, Trf};
use crate::{Event, roster::Player, settings::Participants};
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
    let is_of_teams = event.settings.participants == Participants::Teams;
    let is_too_large = |player: &Player| player.id > FOUR;
    if !is_of_teams || !event.players.iter().any(is_too_large) {
        return None;
    }
    let mut ids: Vec<u32> = event.players.iter().map(|player| player.id).collect();
    ids.sort_unstable();
    Some(ids.into_iter().zip(1..).collect())
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
        for board in round.matches.iter_mut().flat_map(|this| &mut this.boards) {
            board.white = board.white.map(other);
            board.black = board.black.map(other);
        }
    }
    event
}

impl Trf {
    /// Why the report cannot be written in this edition: a number that is too large for its columns would be read as
    /// another. `None` if everything fits.
    #[must_use]
    pub fn too_large(&self, edition: Edition) -> Option<String> {
        let more = |what: &str, most: u32, found: u32| {
            (found > most)
                .then(|| format!("a report has room for {most} {what}, and this event has {found}"))
        };
        let rounds = self
            .players
            .iter()
            .map(|player| player.rounds.len())
            .max()
            .unwrap_or(0);
        let players = self
            .players
            .iter()
            .map(|player| player.number)
            .max()
            .unwrap_or(0);
        let points = self.players.iter().filter_map(|player| player.points);
        let points = points.chain(self.teams.iter().flat_map(|team| team.points).flatten());
        let whole = |points: Points| points.0.unsigned_abs() / 10;
        more(
            "teams",
            THREE,
            self.numbered_teams(edition)
                .map(TeamNo::get)
                .max()
                .unwrap_or(0),
        )
        .or_else(|| more("players", FOUR, players))
        .or_else(|| more("rounds", THREE, u32::try_from(rounds).unwrap_or(u32::MAX)))
        .or_else(|| {
            more(
                "rounds",
                THREE,
                self.numbered_rounds().map(RoundNo::get).max().unwrap_or(0),
            )
        })
        .or_else(|| {
            more(
                "points of a participant",
                FOUR,
                points.map(whole).max().unwrap_or(0),
            )
        })
    }

    /// Teams that records name by their numbers. In TRF16 a team is named by its players, except in records taken over
    /// from TRF26.
    fn numbered_teams(&self, edition: Edition) -> impl Iterator<Item = TeamNo> {
        let all = self
            .teams
            .iter()
            .filter(move |_| edition == Edition::Of2026)
            .map(|team| team.number);
        let free = self
            .byes
            .iter()
            .flat_map(|byes| byes.teams.iter().flatten().copied());
        let seated = self
            .line_ups
            .iter()
            .flat_map(|this| [this.team, this.opponent]);
        let forfeited = self
            .forfeits
            .iter()
            .flat_map(|this| [this.white, this.black]);
        all.chain(free).chain(seated).chain(forfeited)
    }

    fn numbered_rounds(&self) -> impl Iterator<Item = RoundNo> {
        let seated = self.line_ups.iter().map(|this| this.round);
        seated.chain(self.forfeits.iter().map(|this| this.round))
    }
}
