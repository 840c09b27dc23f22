//! What does not fit into the columns of a report.

use super::{Edition, Trf};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
};

/// The largest number of a team or a round: both have three columns.
const THREE: u32 = 999;
/// The largest number of a player, and the most whole points: both have four columns.
const FOUR: u32 = 9_999;

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
