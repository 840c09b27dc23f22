//! `event cards`: match cards to print, and heads of records.

use super::{put, sheets::sheets};
use crate::{
    commands::pair::which,
    exit::{CliError, Exit},
    options::{FolderArgs, from_one},
    page::page,
};
use clap::Args;
use maud::{Markup, html};
use overboard_events::{
    Event,
    card::{self, Card},
    settings::{Participants, Scoring},
    store::read,
};
use overboard_formats::foreign::Foreign;
use overboard_schedules::ids::RoundNo;
use std::{borrow::Cow, path::PathBuf};

/// Write match cards, score-sheets or record headers.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no such round.\n\nExamples:\n  overboard event cards cup --round 1 > round1.html\n  overboard event cards cup --npgn > round1.npgn\n  overboard event cards cup --sheets > sheets.html"
)]
pub struct CardsArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The round [default: the last one paired].
    #[arg(long, value_name = "N", value_parser = from_one())]
    pub round: Option<u32>,
    /// Write PGN headers to fill in instead, one for each game, which `check` and `result --from` read.
    #[arg(long)]
    pub npgn: bool,
    /// Write blank score-sheets for the game instead; for linked boards with instruction slips for the captains.
    #[arg(long, conflicts_with = "npgn")]
    pub sheets: bool,
    /// Write to this file.
    #[arg(short, long, alias = "output", value_name = "FILE")]
    pub out: Option<PathBuf>,
}

pub fn run(args: &CardsArgs) -> Result<Exit, CliError> {
    let event = read(&args.folder.folder)?;
    let round = which(&event, args.round)?;
    let text = match (args.npgn, args.sheets) {
        (true, _) => heads(&event, round),
        (_, true) => sheets(&event, round),
        _ => cards(&event, round),
    };
    put(args.out.as_deref(), &text)
}

/// The heads of all records of a round, with a blank line between them.
fn heads(event: &Event, round: RoundNo) -> String {
    let heads = card::heads(event, round);
    let texts: Vec<String> = heads.iter().map(card::Head::text).collect();
    texts.join("\n")
}

/// The page of the cards of a round.
pub fn cards(event: &Event, round: RoundNo) -> String {
    let cards: Vec<_> = card::cards(event, round);
    let body = html! { @for card in &cards { (sheet(event, card)) } };
    page(
        &event
            .settings
            .name
            .cut(|name| format!("{name}, round {round}")),
        &body,
    )
}

fn sheet(event: &Event, card: &Card) -> Markup {
    let kings = event.settings.scoring == Scoring::Kings;
    html! {
        section class="card" {
            h1 { (event.settings.name.shown()) }
            p { "Round " (card.round) ", table " (card.table) " · " (event.settings.game.shown())
                @if !event.settings.rules.is_empty() { " (" (event.settings.rules) ")" } }
            p class="small" { "Date ____________________  Clocks started at ____________  " (event.settings.time_control.shown()) }
            div class="versus" {
                span { strong { (card.names[0].shown()) } " (White)" } span { "–" } span { strong { (card.names[1].shown()) } " (Black)" }
            }
            @if card.captains.iter().any(|captain| !captain.is_empty()) {
                p { "Captains: " (blank(&card.captains[0])) " – " (blank(&card.captains[1])) }
            }
            (line_up(event, card))
            @if kings { (kings_boxes(card, event.settings.boards)) (orders()) }
            @for side in [0, 1] { (roles(card, side)) }
            h2 { "Result" }
            table { tbody {
                tr { th { "" } th { (card.names[0].shown()) } th { (card.names[1].shown()) } }
                @for row in boxes(event) { tr { td { (row) } td class="box" {} td class="box" {} } }
            } }
            p class="small" { "Record file and checksum: ____________________________________________" }
            div class="signatures" {
                @for who in signatures(event) { div { (who) } }
            }
        }
    }
}

/// The boxes to fill in for each side.
fn boxes(event: &Event) -> Vec<&'static str> {
    match event.settings.participants {
        Participants::Teams => vec!["Match points", points(event.settings.scoring), "Penalties"],
        Participants::Players if event.settings.scoring == Scoring::Subgames => {
            vec!["Points", points(event.settings.scoring), "Penalties"]
        }
        Participants::Players => vec!["Points", "Penalties"],
    }
}

/// Who signs; for teams their captains.
const fn signatures(event: &Event) -> [&'static str; 3] {
    match event.settings.participants {
        Participants::Teams => ["Captain, White", "Captain, Black", "Arbiter"],
        Participants::Players => ["White", "Black", "Arbiter"],
    }
}

const fn points(scoring: Scoring) -> &'static str {
    match scoring {
        Scoring::Kings => "Kings left",
        Scoring::Subgames => "Sub-games won",
        Scoring::Boards | Scoring::Game => "Game points",
    }
}

/// A name, or a line to write one on.
pub fn blank(name: &Foreign) -> Cow<'_, str> {
    if name.is_empty() {
        "____________________".into()
    } else {
        name.shown()
    }
}

fn line_up(event: &Event, card: &Card) -> Markup {
    let kings = event.settings.scoring == Scoring::Kings;
    let has_results = !kings && !event.settings.is_of_pairs();
    html! {
        @if !card.boards.is_empty() {
            h2 { "Boards" }
            table {
                thead { tr { th class="number" { "Board" } th { "White" } @if has_results { th { "Result" } } th { "Black" } } }
                tbody {
                    @for board in &card.boards {
                        tr {
                            td class="number" { (board.label) }
                            td { (blank(&board.names[0])) @if !kings { " (" (board.teams[0].shown()) ")" } }
                            @if has_results { td class="box" {} }
                            td { (blank(&board.names[1])) @if !kings { " (" (board.teams[1].shown()) ")" } }
                        }
                    }
                }
            }
        }
    }
}

fn kings_boxes(card: &Card, boards: u32) -> Markup {
    html! {
        h2 { "Kings" }
        table {
            thead { tr { th { "Team" } th class="number" { "Start" } th { "Lost on board, at move" } th { "Left" } } }
            tbody {
                @for name in &card.names { tr { td { (name.shown()) } td class="number" { (boards) } td class="line" {} td class="box" {} } }
            }
        }
    }
}

/// The captains' instructions, which are kept (SC-41).
fn orders() -> Markup {
    html! {
        h2 { "Captains' instructions" }
        table {
            thead { tr { th { "Time" } th { "Team" } th { "Team Player “A” send (pieces or reinforcements) to Team Player “B”" } } }
            tbody { @for _ in 0..4 { tr { td class="box" {} td class="box" {} td class="line" {} } } }
        }
    }
}

fn roles(card: &Card, side: usize) -> Markup {
    html! {
        @if let Some(roles) = &card.roles[side] {
            h2 { (card.names[side].shown()) ": who leads what" }
            p {
                @if roles.commanders.len() > 1 { "Commanders: " } @else { "Commander: " }
                strong { (listed(&roles.commanders, ", ")) }
            }
            @if !roles.holders.is_empty() {
                table {
                    thead { tr { th { "Over-pieces" } th { "Lieutenant" } } }
                    tbody {
                        @for (pieces, name) in &roles.holders { tr { td { (named(pieces)) } td { (name.shown()) } } }
                        @if roles.queue.is_empty() && !roles.is_whole() {
                            tr { td { "all others" } td { (listed(&roles.commanders, " or ")) } }
                        }
                    }
                }
            }
            @if !roles.queue.is_empty() { p { "Sub-games in turn: " (listed(&roles.queue, ", ")) } }
        }
    }
}

/// Names in one line.
fn listed(names: &[Foreign], between: &str) -> String {
    names
        .iter()
        .map(Foreign::shown)
        .collect::<Vec<_>>()
        .join(between)
}

/// Kinds by their names; squares unchanged.
pub fn named(pieces: &str) -> String {
    let names = pieces.split(' ').map(piece_or_square);
    names.collect::<Vec<_>>().join(", ")
}

fn piece_or_square(word: &str) -> &str {
    match word {
        "P" => "pawns",
        "R" => "rooks",
        "N" => "knights",
        "B" => "bishops",
        "Q" => "queen",
        square => square,
    }
}
