//! The pages of an event, each with its tables as CSV and JSON.

#[cfg(feature = "schema")]
pub use people::Game as PlayerGame;

use super::games::GamePages;
use crate::{
    commands::{
        event::{cards::cards, sheets::sheets},
        standings::published::{Performances, Published, published},
    },
    exit::CliError,
    grid::{Grid, cells, or_blank},
    options::Form,
    page::text,
};
use maud::{DOCTYPE, Markup, html};
use overboard_events::{
    Event,
    settings::{Participants, Settings},
    site::Files,
};
use overboard_formats::foreign::{self, Foreign};
use overboard_rules::refusal::counted;
use overboard_schedules::ids::{RoundNo, TeamNo};
use people::{participant, player_page};
use prizes::board_prizes;
use rounds::round_page;
use serde::Serialize;
use serde_json::{Map, Value};
use std::{borrow::Cow, str::FromStr};

mod people;
mod prizes;
mod rounds;

const STYLE: &str = "\
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { font: 16px/1.4 system-ui, 'Liberation Sans', Arial, sans-serif; margin: 0 auto; max-width: 66rem; padding: 0 .8rem 2rem; }
h1 { font-size: 1.3rem; margin: .8rem 0 .2rem; }
h2 { font-size: 1.1rem; margin: 1.2rem 0 .4rem; }
nav { display: flex; flex-wrap: wrap; gap: .2rem .9rem; padding: .5rem 0; border-bottom: 1px solid #8888; }
nav a, .list a { padding: .3rem 0; }
a { color: inherit; }
.small { font-size: .85rem; opacity: .75; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; min-width: 100%; }
th, td { border-bottom: 1px solid #8885; padding: .35rem .5rem; text-align: left; vertical-align: top; }
th { font-weight: 600; }
h1, p, li, .name, .versus, .boards td { overflow-wrap: anywhere; }
.number { text-align: right; white-space: nowrap; }
th.number { white-space: normal; }
.result, .cross td { white-space: nowrap; }
.scores tr > :not(:nth-child(2)) { text-align: right; }
.name, .cross .name, .cross-2 td:nth-child(2), .cross-3 td:nth-child(3) { background: Canvas; left: 0; min-width: 7rem; overflow-wrap: anywhere; position: sticky; white-space: normal; }
caption { caption-side: top; font-size: .85rem; opacity: .75; padding: .2rem 0; text-align: left; }
.leaders { margin: .4rem 0; max-width: 30rem; min-width: 0; width: 100%; }
details, .match { border-bottom: 1px solid #8885; padding: .15rem 0; }
.match { padding-left: 1rem; }
summary { cursor: pointer; }
.versus { display: inline-grid; grid-template-columns: 2.2rem minmax(0, 1fr) 5.5rem minmax(0, 1fr); gap: .4rem; width: calc(100% - 1.2rem); padding: .35rem 0; vertical-align: baseline; }
.versus > :nth-child(3) { text-align: center; font-weight: 600; }
.boards { margin: 0 0 .4rem 1rem; min-width: 0; table-layout: fixed; width: calc(100% - 1rem); }
.boards th, .boards td { padding: .25rem .2rem; }
.boards tr > :nth-child(1) { width: 2.2rem; }
.boards tr > :nth-child(3) { text-align: center; white-space: nowrap; width: 5.5rem; }
@media (max-width: 30rem) {
  .wide, .boards { font-size: .92rem; }
  .wide th, .wide td { padding: .35rem .3rem; }
  .name { min-width: 5.5rem; }
  .versus { grid-template-columns: 1.6rem minmax(0, 1fr) 4.8rem minmax(0, 1fr); }
  .boards tr > :nth-child(1) { width: 1.6rem; }
  .boards tr > :nth-child(3) { width: 4rem; }
}
.list { list-style: none; padding: 0; }
.list li { border-bottom: 1px solid #8885; padding: .45rem 0; }
@media print {
  body { max-width: none; padding: 0; }
  nav { border: 0; padding: 0; }
  nav a:not(:first-child), .data { display: none; }
  nav a { text-decoration: none; }
  details::details-content { block-size: auto; content-visibility: visible; }
  details > :not(table) { display: block; }
  details, .match, tr { break-inside: avoid; }
  summary, h1, h2, caption { break-after: avoid; }
  .wide { font-size: .8rem; overflow: visible; }
  .wide th, .wide td { padding: .2rem .3rem; }
  .name, .cross-2 td:nth-child(2), .cross-3 td:nth-child(3) { background: none; position: static; }
}
";

/// A page, and its tables for programs.
struct Page {
    name: String,
    title: Foreign,
    body: Markup,
    csv: Option<Grid>,
    json: Option<String>,
}

impl Page {
    /// A page whose table programs get, too.
    fn of_table(
        name: impl Into<String>,
        title: impl Into<Foreign>,
        body: Markup,
        grid: Grid,
    ) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            body,
            json: json(&grid),
            csv: Some(grid),
        }
    }
}

/// Adds the files of all pages but those of games.
pub fn all(event: &Event, games: &GamePages, files: &mut Files) -> Result<(), CliError> {
    let standings = published(event)?;
    let (of_groups, of_boards) = (standings.groups.as_ref().map(groups), board_prizes(event));
    let mut more = Vec::new();
    if of_groups.is_some() {
        more.push(("groups", "Groups"));
    }
    if of_boards.is_some() {
        more.push(("boards", "Boards"));
    }
    let mut put = |page: Page| put(page, event, &more, files);
    put(start(event))?;
    put(standings_page(event, &standings))?;
    put(crosstable(&standings))?;
    for page in [of_groups, of_boards].into_iter().flatten() {
        put(page)?;
    }
    put(index(event, &more, &standings))?;
    for round in RoundNo::first(event.rounds.len() as u32) {
        put(round_page(event, round, games)?)?;
    }
    let performances = Performances::of(event);
    for one in event.participants() {
        put(participant(event, one.number, games, &performances))?;
    }
    if event.settings.is_of_teams() {
        for player in &event.players {
            put(player_page(event, player.id, games, &performances))?;
        }
    }
    files.insert("style.css".to_owned(), STYLE)?;
    for round in RoundNo::first(event.rounds.len() as u32) {
        files.insert(format!("cards-{round:02}.html"), &cards(event, round))?;
        files.insert(format!("sheets-{round:02}.html"), &sheets(event, round))?;
    }
    Ok(())
}

/// Adds the files of a page.
fn put(
    page: Page,
    event: &Event,
    more: &[(&str, &str)],
    files: &mut Files,
) -> Result<(), CliError> {
    files.insert(format!("{}.html", page.name), &frame(event, &page, more))?;
    if let Some(grid) = &page.csv {
        let mut bytes = Vec::new();
        // The file may be opened in a spreadsheet, so no cell may be a formula.
        grid.write(&mut bytes, Form::Csv, true)?;
        let csv = String::from_utf8_lossy(&bytes);
        files.insert(format!("{}.csv", page.name), &csv)?;
    }
    if let Some(json) = page.json {
        files.insert(format!("{}.json", page.name), &(json + "\n"))?;
    }
    Ok(())
}

/// A complete page with this body; `more` are pages that not every event has.
fn frame(event: &Event, page: &Page, more: &[(&str, &str)]) -> String {
    let name = event.settings.name.shown();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self' file:";
                title { (page.title.shown()) " · " (name) }
                link rel="stylesheet" href="style.css";
            }
            body {
                nav {
                    a href="index.html" { (name) }
                    a href="start.html" { "Start list" }
                    a href="standings.html" { "Standings" }
                    a href="crosstable.html" { "Cross table" }
                    @for (name, title) in more { a href={ (name) ".html" } { (title) } }
                }
                h1 { (page.title.shown()) }
                (page.body)
                @if page.csv.is_some() || page.json.is_some() {
                    p class="small data" {
                        @if page.csv.is_some() { a href={ (page.name) ".csv" } { "CSV" } " " }
                        @if page.json.is_some() { a href={ (page.name) ".json" } { "JSON" } }
                    }
                }
            }
        }
    };
    text(page) + "\n"
}

/// The first page; `more` are pages that not every event has.
fn index(event: &Event, more: &[(&str, &str)], published: &Published) -> Page {
    let settings = &event.settings;
    let facts = Foreign::join(facts(settings), " · ");
    let who = if settings.is_of_teams() {
        "team"
    } else {
        "player"
    };
    // The newest round first: it is what most people look for.
    let rounds: Vec<RoundNo> = RoundNo::first(event.rounds.len() as u32).collect();
    let body = html! {
        p { (facts.shown()) }
        @if !rounds.is_empty() {
            table class="leaders" {
                caption { a href="standings.html" { (published.standings.title.shown()) } }
                thead { tr { th scope="col" class="name" { (who) } th scope="col" class="number" { "points" } } }
                tbody { @for (number, name, points) in &published.leaders { tr {
                    td class="name" { a href=(href(event, *number)) { (name.shown()) } } td class="number" { (points) }
                } } }
            }
        }
        ul class="list" {
            @for round in rounds.into_iter().rev() {
                li { a href={ (round_name(round)) ".html" } { "Round " (round) } " " span class="small" { (state(event, round)) } }
            }
            li { a href="standings.html" { "Standings" } }
            li { a href="crosstable.html" { "Cross table" } }
            @for (name, title) in more { li { a href={ (name) ".html" } { (title) } } }
            li { a href="start.html" { "Start list" } " " span class="small" { (counted(event.participants().len(), who)) } }
        }
    };
    Page {
        name: "index".into(),
        title: settings.name.clone(),
        body,
        csv: None,
        json: None,
    }
}

/// Where and when an event is played, and what is played there, as far as its settings say it.
fn facts(settings: &Settings) -> Vec<Foreign> {
    let dates = match (settings.start.as_str(), settings.end.as_str()) {
        ("", _) => String::new(),
        (start, end) if end.is_empty() || end == start => start.to_owned(),
        (start, end) => format!("{start} to {end}"),
    };
    let mut facts = cells![
        settings.city.clone(),
        dates,
        settings.game.clone(),
        settings.time_control.clone(),
    ];
    if !settings.arbiter.is_empty() {
        facts.push(settings.arbiter.cut(|name| format!("Arbiter: {name}")));
    }
    facts.retain(|fact| !fact.is_empty());
    facts
}

/// The state of a round.
fn state(event: &Event, round: RoundNo) -> String {
    match event.open_in(round) {
        0 => "finished".into(),
        open if open == event.rounds[round.index()].matches.len() => "paired".into(),
        1 => "one result missing".into(),
        open => format!("{open} results missing"),
    }
}

fn round_name(round: RoundNo) -> String {
    format!("round-{round:02}")
}

fn href(event: &Event, number: TeamNo) -> String {
    match event.settings.participants {
        Participants::Teams => format!("team-{number}.html"),
        Participants::Players => format!("player-{number}.html"),
    }
}

fn start(event: &Event) -> Page {
    let of_teams = event.settings.is_of_teams();
    let mut grid = if of_teams {
        Grid::new("", &["no.", "name", "group", "captain", "strength"])
    } else {
        Grid::new("", &["no.", "name", "title", "federation", "rating"])
    };
    for one in event.participants() {
        let mut row = cells![one.number.to_string(), one.name.cut(str::to_owned)];
        match (event.team(one.number), event.player(one.number.get())) {
            (Some(team), _) if of_teams => row.extend([team.group.clone(), team.captain.clone()]),
            (None, Some(player)) => row.extend([player.title.clone(), player.federation.clone()]),
            _ => row.extend(cells!["", ""]),
        }
        row.push(or_blank(one.rating).into());
        grid.push(row);
    }
    let body = linked(event, &grid, 0, 1, &[0, 1, 4, 2, 3]);
    Page::of_table("start", "Start list", body, grid)
}

/// A table as JSON: a list of objects whose keys are the columns.
fn json(grid: &Grid) -> Option<String> {
    let rows = grid.rows.iter().map(|cells| object(&grid.heads, cells));
    pretty(&Vec::from_iter(rows))
}

fn object(heads: &[Foreign], cells: &[Foreign]) -> Map<String, Value> {
    let mut row = Map::new();
    for (head, cell) in heads.iter().zip(cells) {
        row.insert(head.as_it_came().into(), cell.as_it_came().into());
    }
    row
}

/// Data as JSON that is no other text where it is shown.
fn pretty(data: &impl Serialize) -> Option<String> {
    let text = serde_json::to_string_pretty(data).ok()?;
    Some(foreign::json(&text).into_owned())
}

/// A table of which the names and the rounds lead to their pages: the columns of a grid in the order in which a phone has
/// room for them, without those that say nothing.
fn linked(event: &Event, grid: &Grid, number: usize, name: usize, order: &[usize]) -> Markup {
    let mut columns = Vec::new();
    for column in order {
        if grid.rows.is_empty() || cells_of(grid, *column).any(|cell| !cell.is_empty()) {
            columns.push(*column);
        }
    }
    let is_number = |cell: &Foreign| cell.is_empty() || numbered::<f64>(cell).is_some();
    let class = |column: usize| match grid.heads[column].as_it_came() {
        _ if column == name => "name",
        "result" => "result",
        _ if cells_of(grid, column).all(is_number) => "number",
        _ => "",
    };
    let page = |row: &[Foreign], column: usize| {
        if column == name {
            Some(href(event, numbered(row.get(number)?)?))
        } else if grid.heads[column] == "round" {
            Some(format!("{}.html", round_name(numbered(&row[column])?)))
        } else {
            None
        }
    };
    html! {
        div class="wide" { table {
            thead { tr { @for column in &columns { th scope="col" class=(class(*column)) { (head(grid, *column)) } } } }
            tbody { @for row in &grid.rows { tr {
                @for column in &columns { @if let Some(cell) = row.get(*column) { td class=(class(*column)) {
                    @match page(row, *column) {
                        Some(page) => a href=(page) { (cell.shown()) },
                        None => (cell.shown()),
                    }
                } } }
            } } }
        } }
        @if !grid.notes.is_empty() { p class="small" { (grid.noted()) } }
    }
}

/// The cells of a column.
fn cells_of(grid: &Grid, column: usize) -> impl Iterator<Item = &Foreign> {
    grid.rows.iter().filter_map(move |row| row.get(column))
}

/// The number in a cell that holds one.
fn numbered<N: FromStr>(cell: &Foreign) -> Option<N> {
    cell.as_it_came().parse().ok()
}

/// The head of a column, short where a phone has little room.
fn head(grid: &Grid, column: usize) -> Cow<'_, str> {
    match grid.heads[column].as_it_came() {
        "match points" => "MP".into(),
        "game points" => "GP".into(),
        _ => grid.heads[column].shown(),
    }
}

fn seat(event: &Event, id: Option<u32>) -> Markup {
    match id.and_then(|id| event.player(id)) {
        Some(player) => {
            html! { a href={ "player-" (player.id) ".html" } { (player.name.shown()) } }
        }
        None => html! { "–" },
    }
}

fn standings_page(event: &Event, published: &Published) -> Page {
    // Rank, name and points first, then what they are made of, and the number last.
    let tie_breaks = 7..published.standings.heads.len();
    let mut order = vec![0, 2, 6, 3, 4, 5];
    order.extend(tie_breaks);
    order.push(1);
    let body = html! {
        p class="small" { (published.standings.title.shown()) }
        @if let Some(groups) = &published.groups { p { a href="groups.html" { (groups.title.shown()) } } }
        (linked(event, &published.standings, 1, 2, &order))
        @if !published.why.is_empty() {
            details { summary { "Why in this order" } ol { @for line in &published.why { li { (line) } } } }
        }
    };
    Page {
        name: "standings".into(),
        title: "Standings".into(),
        body,
        csv: Some(published.standings.clone()),
        json: Some(published.json.clone()),
    }
}

fn crosstable(published: &Published) -> Page {
    let grid = Grid {
        title: Foreign::default(),
        ..published.crosstable.clone()
    };
    // The names stay visible when the table is scrolled.
    let names = if grid.heads.get(1).is_some_and(|head| *head == "name") {
        "cross-2"
    } else {
        "cross-3"
    };
    let body = html! { div class={ "wide cross " (names) } { (grid.markup()) } };
    Page::of_table("crosstable", "Cross table", body, grid)
}

/// The page of one group against the other.
fn groups(table: &Grid) -> Page {
    let grid = Grid {
        title: Foreign::default(),
        ..table.clone()
    };
    let body = html! {
        p { strong { (table.title.shown()) } }
        div class="wide cross cross-2 scores" { (grid.markup()) }
    };
    Page::of_table("groups", "Groups", body, grid)
}
