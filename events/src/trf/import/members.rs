//! Players who are in no record of a team, although they play for one.

use super::seats;
use crate::trf::Trf;
use overboard_schedules::ids::{RoundNo, TeamNo};
use std::collections::BTreeMap;

/// The team of each player whom a record 310 or 013 names.
pub fn listed(trf: &Trf) -> BTreeMap<u32, TeamNo> {
    let mut all = BTreeMap::new();
    for team in &trf.teams {
        for member in &team.members {
            all.entry(*member).or_insert(team.number);
        }
    }
    all
}

/// A player in no record of a team, and the team that follows from the rest of the report.
pub struct Unlisted {
    /// The start number.
    pub number: u32,
    /// The team for which a record 300 seats the player, or against whose opponents the player sat.
    pub team: Option<TeamNo>,
}

/// The players in no record of a team, in the order of the report; none in a report of single players.
pub fn unlisted(trf: &Trf) -> Vec<Unlisted> {
    let listed = listed(trf);
    let mut all = Vec::new();
    if trf.teams.is_empty() {
        return all;
    }
    for player in &trf.players {
        if listed.contains_key(&player.number) {
            continue;
        }
        all.push(Unlisted {
            number: player.number,
            team: team_of(trf, player, &listed),
        });
    }
    all
}

/// The team for which a player sat by a record 300, or else the one that met the team of an opponent in the same round.
fn team_of(
    trf: &Trf,
    player: &crate::trf::Player,
    listed: &BTreeMap<u32, TeamNo>,
) -> Option<TeamNo> {
    let mut line_ups = trf.line_ups.iter();
    if let Some(line_up) = line_ups.find(|this| this.players.contains(&player.number)) {
        return Some(line_up.team);
    }
    for (round, own) in RoundNo::all().zip(&player.rounds) {
        let other = own.opponent.and_then(|other| listed.get(&other));
        for (member, team) in listed {
            if Some(team) == other
                && let Some(opponent) = seats::opponent(trf, *member, round)
                && let Some(met) = listed.get(&opponent)
            {
                return Some(*met);
            }
        }
    }
    None
}

/// The report with these players in the records of their teams.
pub fn completed(trf: &Trf) -> Trf {
    let mut trf = trf.clone();
    for Unlisted { number, team } in unlisted(&trf) {
        let mut teams = trf.teams.iter_mut();
        if let Some(team) = teams.find(|known| Some(known.number) == team) {
            team.members.push(number);
        }
    }
    trf
}
