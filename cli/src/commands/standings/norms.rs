//! `standings --norms`: the title norms of the players.

use super::{View, print, title};
use crate::{
    exit::{CliError, Exit},
    grid::{Grid, cells, or_blank},
    options::FormArgs,
    ui,
};
use overboard_events::{
    Event,
    norms::{NOT_KNOWN, Norm, PlayerNorms},
};
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    standings::standings,
    tiebreak::{Code, TieBreak},
};
use serde::Serialize;

/// With `--norms`: the title norms that the games so far would give (FIDE Handbook B.01).
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NormsReport {
    /// The name of the event.
    event: Foreign,
    /// The number of rounds counted.
    after: usize,
    /// The number of rounds scheduled.
    rounds: u32,
    /// Matches without a result in the rounds counted.
    open: usize,
    /// What a norm needs besides, in words.
    not_checked: &'static str,
    /// The players, the first one first.
    players: Vec<PlayerNorms>,
}

/// Prints the norms after so many rounds.
pub fn run(event: &Event, after: usize, form: &FormArgs) -> Result<Exit, CliError> {
    event.gives_norms()?;
    let (names, players) = ranked(event, after);
    if !form.json {
        print(
            &event.settings.name,
            &[grid(event, after, &names, &players)],
            form,
        )?;
        ui::note(NOT_KNOWN);
        return Ok(Exit::Clean);
    }
    ui::print_json(&NormsReport {
        event: event.settings.name.clone(),
        after,
        rounds: event.scheduled(),
        open: event.open_matches(after),
        not_checked: NOT_KNOWN,
        players,
    })
}

/// The names of all players, with their teams, and their norms; those with the most points first.
fn ranked(event: &Event, after: usize) -> (Vec<Foreign>, Vec<PlayerNorms>) {
    let field = event.game_tournament(after);
    let norms = event.norms(&field);
    let order = [Code::Points, Code::Performance].map(TieBreak::from);
    let places = standings(&field, &order);
    let view = View {
        event,
        field: &field,
        criteria: &order,
        players: event.settings.is_of_teams(),
    };
    let rows = places.iter().map(|place| place.row);
    rows.map(|row| (view.name(row), norms[row].clone())).unzip()
}

/// A row for each player and title.
fn grid(event: &Event, after: usize, names: &[Foreign], players: &[PlayerNorms]) -> Grid {
    let heads = [
        "no.",
        "player",
        "games",
        "points",
        "norm",
        "opponents",
        "performance",
        "reached",
        "missing",
    ];
    let mut grid = Grid::new(title("title norms", event, after), &heads);
    for (name, player) in names.iter().zip(players) {
        for norm in &player.norms {
            grid.push(cells(name, player, norm));
        }
    }
    grid.note("opponents: their average rating, the lowest one raised to the floor of the title (FIDE Handbook B.01, 1.4.6)".into());
    grid.note(NOT_KNOWN.into());
    grid
}

fn cells(name: &Foreign, player: &PlayerNorms, norm: &Norm) -> Vec<Foreign> {
    let missing: Vec<&str> = norm.missing.iter().map(|one| one.words.as_str()).collect();
    let name = if player.title.is_empty() {
        name.clone()
    } else {
        Foreign::join([player.title.clone(), name.clone()], " ")
    };
    cells![
        player.number.to_string(),
        name,
        player.games.to_string(),
        player.points.to_string(),
        norm.title.as_str(),
        or_blank(norm.average),
        or_blank(norm.performance),
        if norm.reached { "yes" } else { "no" },
        missing.join("; "),
    ]
}
