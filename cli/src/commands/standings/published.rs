//! Standings and performances for the pages of an event.

use super::{View, title};
use crate::{exit::CliError, grid::Grid, ui};
use overboard_events::{Event, norms::Norm};
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    ids::TeamNo,
    points::Points,
    standings::{StandingsPlace, Step, standings, why},
    tiebreak::{Code, TieBreak, Value},
    tournament::Tournament,
};
use std::collections::BTreeMap;

/// Standings after all paired rounds, for pages.
pub struct Published {
    /// The table.
    pub standings: Grid,
    /// The cross table.
    pub crosstable: Grid,
    /// The output of `--json`.
    pub json: String,
    /// What separates each participant from the next one, in words.
    pub why: Vec<String>,
    /// The score of one group against the other, in a Scheveningen event.
    pub groups: Option<Grid>,
    /// The first places: number, name and points.
    pub leaders: Vec<(TeamNo, Foreign, Points)>,
}

/// What players did against rated opponents.
#[derive(Default)]
pub struct Performances {
    values: BTreeMap<u32, [Value; 2]>,
    norms: BTreeMap<u32, Vec<Norm>>,
}

fn norms_reached(event: &Event, field: &Tournament) -> BTreeMap<u32, Vec<Norm>> {
    let mut norms = BTreeMap::new();
    if event.gives_norms().is_ok() {
        for player in event.norms(field) {
            let reached = player.norms.into_iter().filter(|norm| norm.reached);
            norms.insert(player.number, reached.collect());
        }
    }
    norms
}

impl Performances {
    /// Those of all players of an event.
    pub fn of(event: &Event) -> Self {
        let field = event.game_tournament(event.rounds.len());
        if field.rows.iter().all(|row| row.rating.is_none()) {
            return Self::default();
        }
        let criteria = [Code::Performance, Code::AverageRating].map(TieBreak::from);
        let mut values = BTreeMap::new();
        for place in standings(&field, &criteria) {
            if let [performance, opponents] = &place.values[..] {
                let id = field.rows[place.row].number.get();
                values.insert(id, [performance.clone(), opponents.clone()]);
            }
        }
        Self {
            values,
            norms: norms_reached(event, &field),
        }
    }

    /// The title norms that the games of a player give so far.
    pub fn norms(&self, id: u32) -> &[Norm] {
        self.norms.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The performance rating of a player, and the mean rating of the opponents.
    pub fn get(&self, id: u32) -> Option<&[Value; 2]> {
        let found = self.values.get(&id)?;
        let is_known = found.iter().all(|value| *value != Value::None);
        is_known.then_some(found)
    }
}

/// The standings of an event for its pages.
pub fn published(event: &Event) -> Result<Published, CliError> {
    let after = event.rounds.len();
    let criteria = event.settings.criteria()?;
    let field = event.tournament(after);
    let places = standings(&field, &criteria);
    let view = View {
        event,
        field: &field,
        criteria: &criteria,
        players: false,
    };
    let groups = event.group_scores(&field).ok();
    Ok(Published {
        standings: view.grid(&places, &title("standings", event, after)),
        crosstable: view.crosstable(&places),
        json: ui::json_string(&view.report(&places, after))?,
        why: places.windows(2).map(|two| view.before(two)).collect(),
        groups: groups.map(|groups| view.groups(&groups, after)),
        leaders: view.leaders(&places),
    })
}

impl View<'_> {
    /// Why the first of two neighbours is before the second.
    fn before(&self, two: &[StandingsPlace]) -> String {
        let rows = [two[0].row, two[1].row];
        let names = rows.map(|row| self.name(row));
        let [one, other] = names.each_ref().map(Foreign::shown);
        match why(self.field, self.criteria, rows).last() {
            Some(Step {
                first: Some(_),
                code,
                values,
                ..
            }) => {
                let [own, theirs] = values;
                format!("{one} before {other}: {code} {own} to {theirs}")
            }
            _ => format!("{one} and {other} share their place"),
        }
    }

    /// The first places, with their points.
    fn leaders(&self, places: &[StandingsPlace]) -> Vec<(TeamNo, Foreign, Points)> {
        let mut leaders = Vec::new();
        for place in places {
            if place.rank > LEADERS {
                break;
            }
            let number = self.field.rows[place.row].number;
            let points = self.field.total(place.row, self.field.primary);
            leaders.push((number, self.name(place.row), points));
        }
        leaders
    }
}

/// So many places are on the first page.
const LEADERS: u32 = 5;
