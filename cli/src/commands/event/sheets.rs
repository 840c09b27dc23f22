//! Blank score-sheets of a round, and slips for the captains' instructions, to be printed.

use super::cards::blank;
use crate::page::page;
use maud::{Markup, html};
use overboard_events::{
    Event,
    card::{self, Card, CardBoard},
    settings::Scoring,
};
use overboard_games::registry::Variant;
use overboard_schedules::ids::RoundNo;

/// Rows of moves on a sheet, in two columns.
const ROWS: usize = 25;
/// Rows of moves on the sheet of a sub-game, below its set-up.
const SUB_ROWS: usize = 12;
/// Turns on a sheet, each of eight cells for both sides.
const TURNS: usize = 13;
/// Sheets of sub-games for each match of an over-game; more can be copied.
const SUB_GAMES: usize = 2;
/// Slips of a match, as many as fit on a page.
const SLIPS: usize = 8;

/// The page of a round: a sheet for each game, in the form of the game.
pub fn sheets(event: &Event, round: RoundNo) -> String {
    let cards = card::cards(event, round);
    let body = html! { @for card in &cards { (of_match(event, card)) } };
    page(
        &event
            .settings
            .name
            .cut(|name| format!("{name}, round {round}: score-sheets")),
        &body,
    )
}

fn of_match(event: &Event, card: &Card) -> Markup {
    let info = event.settings.game().map(Variant::info);
    let has_turns = info.is_some_and(|info| info.has_levels);
    let has_sub_games = info.is_some_and(|info| info.has_roles);
    let kings = event.settings.scoring == Scoring::Kings;
    let whole = CardBoard {
        label: String::new(),
        names: card.names.clone(),
        teams: Default::default(),
    };
    let boards = if card.boards.is_empty() || has_sub_games {
        std::slice::from_ref(&whole)
    } else {
        &card.boards[..]
    };
    html! {
        @for board in boards {
            section class="card sheet" {
                (head(event, card, board))
                @if has_turns { (turns()) } @else { (moves(ROWS)) }
                (foot())
            }
        }
        @if has_sub_games {
            @for _ in 0..SUB_GAMES { section class="card sheet" { (head(event, card, &whole)) (sub_game(card)) (foot()) } }
        }
        @if kings { section class="card sheet" { @for side in [0, 1] { @for _ in 0..SLIPS / 2 { (slip(card, side)) } } } }
    }
}

fn head(event: &Event, card: &Card, board: &CardBoard) -> Markup {
    let name = |side: usize| blank(&board.names[side]);
    html! {
        h1 { (event.settings.name.shown()) }
        p {
            "Round " (card.round) ", table " (card.table)
            @if !board.label.is_empty() { ", board " (board.label) }
            " · " (event.settings.game.shown())
            @if !event.settings.time_control.is_empty() { " · " (event.settings.time_control.shown()) }
            " · Sheet ____ of ____"
        }
        div class="versus" {
            @for (side, colour) in ["White", "Black"].into_iter().enumerate() {
                @if side > 0 { span { "–" } }
                span { (colour) ": " strong { (name(side)) } @if !board.teams[side].is_empty() { " (" (board.teams[side].shown()) ")" } }
            }
        }
    }
}

/// Two columns of moves, each with the time that is left.
fn moves(rows: usize) -> Markup {
    html! {
        table class="moves" {
            thead { tr { @for _ in 0..2 { th class="number" { "No." } th { "White" } th { "Time" } th { "Black" } th { "Time" } } } }
            tbody { @for row in 1..=rows { tr {
                @for column in 0..2 { td class="number" { (row + column * rows) } td {} td class="time" {} td {} td class="time" {} }
            } } }
        }
    }
}

/// Turns of eight boards.
fn turns() -> Markup {
    html! {
        table class="moves" {
            thead { tr { th class="number" { "No." } th { "Side" } @for file in 'A'..='H' { th { (file) } } th { "Mega-move" } th { "Time" } } }
            tbody { @for row in 1..=TURNS { @for side in ["White", "Black"] { tr {
                td class="number" { @if side == "White" { (row) } } td { (side) }
                @for _ in 0..8 { td {} } td class="time" {} td class="time" {}
            } } } }
        }
    }
}

/// A sub-game: where it is, who plays it, how its pieces are set up, and its moves. The attacker has White in it.
fn sub_game(card: &Card) -> Markup {
    let teams = format!("{} / {}", card.names[0].shown(), card.names[1].shown());
    html! {
        p { "Sub-game on square ______  attacked at move ______ from square ______" }
        @for side in ["Attacker, White", "Defender, Black"] {
            p { (side) " in this sub-game: ____________________________ of " (teams) }
        }
        table class="set-up" {
            thead { tr { th { "Set-up" } @for file in 'a'..='h' { th { (file) } } } }
            tbody { @for rank in (1..=8).rev() { tr { th { (rank) } @for _ in 0..8 { td {} } } } }
        }
        (moves(SUB_ROWS))
    }
}

/// A slip in the words that an instruction has (SC-40).
fn slip(card: &Card, side: usize) -> Markup {
    html! {
        div class="slip" {
            p class="small" { "Round " (card.round) ", table " (card.table) " · " (card.names[side].shown()) " · Time ____________  Captain ____________________" }
            "Team Player “__________________” send ________________________________________" br;
            "____________________________________ to Team Player “__________________”."
        }
    }
}

fn foot() -> Markup {
    html! {
        p { "Result: ____________   Ended by: ______________________________" }
        div class="signatures" { @for who in ["White", "Black", "Arbiter"] { div { (who) } } }
    }
}
