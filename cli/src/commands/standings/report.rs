//! What `standings --json` prints.

use super::View;
use overboard_events::groups::Group;
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    ids::TeamNo,
    points::Points,
    standings::{StandingsPlace, Step},
    team::Colour,
    tiebreak::Value,
    tournament::{Kind, RoundEntry, Score},
};
use serde::Serialize;

/// The standings of an event.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StandingsReport {
    /// The name of the event.
    event: Foreign,
    /// The number of rounds counted.
    after: usize,
    /// The number of rounds scheduled.
    rounds: u32,
    /// Matches without a result in the rounds counted.
    open: usize,
    /// The score that comes first, and the tie-breaks.
    criteria: Vec<String>,
    /// The participants, the first one first.
    places: Vec<PlaceReport>,
}

/// A participant's place.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PlaceReport {
    /// The place, from 1; participants that are still tied share it.
    rank: u32,
    /// The participant's number.
    number: TeamNo,
    /// The participant's name.
    name: Foreign,
    /// Match points.
    match_points: Points,
    /// Game points.
    game_points: Points,
    /// The value of each criterion.
    values: Vec<Value>,
    /// The rounds, round 1 first.
    rounds: Vec<RoundColumn>,
}

/// A round of a participant.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RoundColumn {
    /// What happened.
    kind: Kind,
    /// The opponent's number; null without one.
    opponent: Option<TeamNo>,
    /// The colour; null without one.
    colour: Option<Colour>,
    /// Match points of the round.
    match_points: Points,
    /// Game points of the round.
    game_points: Points,
}
/// The two groups of a Scheveningen event.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupsReport {
    /// The name of the event.
    event: Foreign,
    /// The number of rounds counted.
    after: usize,
    /// The number of rounds scheduled.
    rounds: u32,
    /// Matches without a result in the rounds counted.
    open: usize,
    /// The two groups.
    groups: [GroupReport; 2],
}

/// A group.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct GroupReport {
    /// Its name.
    name: Foreign,
    /// Its match points.
    match_points: Points,
    /// Its game points.
    game_points: Points,
    /// The numbers of its members.
    members: Vec<TeamNo>,
}
/// With `--why`: why one participant is ahead of another.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explained<'a> {
    /// The names of the two.
    pub names: [Foreign; 2],
    /// The index of the one that is ranked first, 0 or 1; null if they are tied.
    pub first: Option<usize>,
    /// The criteria, one after the other, until one decides.
    pub steps: &'a [Step],
}

impl View<'_> {
    /// The standings.
    pub(super) fn report(&self, places: &[StandingsPlace], after: usize) -> StandingsReport {
        let round = |entry: &RoundEntry| RoundColumn {
            kind: entry.kind,
            opponent: entry.opponent.map(|row| self.field.rows[row].number),
            colour: entry.colour,
            match_points: entry.score(Score::Match),
            game_points: entry.score(Score::Game),
        };
        let place = |place: &StandingsPlace| PlaceReport {
            rank: place.rank,
            number: self.field.rows[place.row].number,
            name: self.name(place.row),
            match_points: self.field.total(place.row, Score::Match),
            game_points: self.field.total(place.row, Score::Game),
            values: place.values.clone(),
            rounds: self.field.rows[place.row]
                .rounds
                .iter()
                .map(round)
                .collect(),
        };
        StandingsReport {
            event: self.event.settings.name.clone(),
            after,
            rounds: self.event.scheduled(),
            open: self.event.open_matches(after),
            criteria: self.criteria.iter().map(ToString::to_string).collect(),
            places: places.iter().map(place).collect(),
        }
    }

    /// The groups of a Scheveningen event.
    pub(super) fn groups_report(&self, groups: &[Group; 2], after: usize) -> GroupsReport {
        GroupsReport {
            event: self.event.settings.name.clone(),
            after,
            rounds: self.event.scheduled(),
            open: self.event.open_matches(after),
            groups: groups.each_ref().map(GroupReport::from),
        }
    }
}

impl From<&Group> for GroupReport {
    fn from(group: &Group) -> Self {
        Self {
            name: group.name.clone(),
            match_points: group.score(Score::Match),
            game_points: group.score(Score::Game),
            members: group.members.clone(),
        }
    }
}
