//! Blank score-sheets of a round, and slips for the captains' instructions, to be printed.

use crate::page::page;
use maud::{Markup, html};
use overboard_events::{
    Event,
    card::{self, Card, CardBoard},
    settings::Scoring,
};
use overboard_games::registry::Variant;
use overboard_schedules::ids::RoundNo;

/// Rows of moves on a sheet.
const ROWS: usize = 40;
/// Rows of a sheet of turns, which take eight cells each.
const TURNS: usize = 16;
/// Sheets of sub-games for each match of an over-game; more can be copied.
const SUB_GAMES: usize = 2;
/// Slips of a match.
const SLIPS: usize = 6;

/// The page of a round: a sheet for each game, in the form of the game.
pub fn sheets(event: &Event, round: RoundNo) -> String {
    let cards = card::cards(event, round);
    let body = html! { @for card in &cards { (of_match(event, card)) } };
    page(&format!("{}, round {round}: score-sheets", event.settings.name), &body)
}

fn of_match(event: &Event, card: &Card) -> Markup {
    let info = event.settings.game().map(Variant::info);
    let has_turns = info.is_some_and(|info| info.has_levels);
    let has_sub_games = info.is_some_and(|info| info.has_roles);
    let kings = event.settings.scoring == Scoring::Kings;
    let whole = CardBoard { label: String::new(), names: card.names.clone(), teams: Default::default() };
    let boards =
        if card.boards.is_empty() || has_sub_games { std::slice::from_ref(&whole) } else { &card.boards[..] };
    html! {
        @for board in boards {
            section class="card" {
                (head(event, card, board))
                @if has_turns { (turns()) } @else { (moves()) }
                (foot())
            }
        }
        @if has_sub_games {
            @for _ in 0..SUB_GAMES { section class="card" { (head(event, card, &whole)) (sub_game()) (foot()) } }
        }
        @if kings { section class="card" { @for side in [0, 1] { @for _ in 0..SLIPS / 2 { (slip(card, side)) } } } }
    }
}

fn head(event: &Event, card: &Card, board: &CardBoard) -> Markup {
    let name =
        |side: usize| if board.names[side].is_empty() { "____________________" } else { &board.names[side] };
    html! {
        h1 { (event.settings.name) }
        p {
            "Round " (card.round) ", table " (card.table)
            @if !board.label.is_empty() { ", board " (board.label) }
            " · " (event.settings.game)
            @if !event.settings.time_control.is_empty() { " · " (event.settings.time_control) }
        }
        div class="versus" {
            @for (side, colour) in ["White", "Black"].into_iter().enumerate() {
                @if side > 0 { span { "–" } }
                span { (colour) ": " }
                strong { (name(side)) }
                span { (board.teams[side]) }
            }
        }
    }
}

/// Two columns of moves, each with the time that is left.
fn moves() -> Markup {
    let half = ROWS / 2;
    html! {
        table {
            thead { tr { @for _ in 0..2 { th class="number" { "No." } th { "White" } th { "Time" } th { "Black" } th { "Time" } } } }
            tbody { @for row in 1..=half { tr {
                @for column in 0..2 { td class="number" { (row + column * half) } td class="line" {} td class="box" {} td class="line" {} td class="box" {} }
            } } }
        }
    }
}

/// Turns of eight boards.
fn turns() -> Markup {
    html! {
        table {
            thead { tr { th class="number" { "No." } th { "Side" } @for file in 'A'..='H' { th { (file) } } th { "Mega-move" } th { "Time" } } }
            tbody { @for row in 1..=TURNS { @for side in ["White", "Black"] { tr {
                td class="number" { @if side == "White" { (row) } } td { (side) }
                @for _ in 0..8 { td class="line" {} } td class="box" {} td class="box" {}
            } } } }
        }
    }
}

/// A sub-game: where it is, who plays it, how its pieces are set up, and its moves.
fn sub_game() -> Markup {
    html! {
        p { "Sub-game on square ______  attacked at move ______ from square ______" }
        p { "White: ______________________ (lieutenant of ________)   Black: ______________________ (lieutenant of ________)" }
        h2 { "Set-up" }
        table {
            thead { tr { th {} @for file in 'a'..='h' { th { (file) } } } }
            tbody { @for rank in (1..=8).rev() { tr { th { (rank) } @for _ in 0..8 { td class="box" {} } } } }
        }
        (moves())
    }
}

/// A slip in the words that an instruction has (SC-40).
fn slip(card: &Card, side: usize) -> Markup {
    html! {
        p class="small" { "Round " (card.round) ", table " (card.table) " · " (card.names[side]) " · Time ____________  Captain ____________________" }
        p { "Team Player “______________________” send ______________________________________________ to Team Player “______________________”." }
        hr;
    }
}

fn foot() -> Markup {
    html! {
        p { "Result: ____________   Ended by: ______________________________" }
        div class="signatures" { @for who in ["White", "Black", "Arbiter"] { div { (who) } } }
    }
}
