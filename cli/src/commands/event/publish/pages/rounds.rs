//! The pages of rounds: matches with their boards folded.

use super::{Page, href, round_name, seat, state};
use crate::{
    commands::{
        event::publish::games::GamePages,
        pair::{RoundReport, bye_in_words, round_grid},
    },
    exit::CliError,
    ui,
};
use maud::{Markup, html};
use overboard_events::{
    Event,
    card::board_label,
    rounds::{Board, Match},
};
use overboard_schedules::ids::{RoundNo, TeamNo};

/// The page of a round.
pub fn round_page(event: &Event, round: RoundNo, games: &GamePages) -> Result<Page, CliError> {
    let sheet = &event.rounds[round.index()];
    let body = html! {
        p class="small" {
            (state(event, round)) " · " a href={ "cards-" (format!("{round:02}")) ".html" } { "Match cards" } " · "
            a href={ "sheets-" (format!("{round:02}")) ".html" } { "Score-sheets" }
        }
        @for this in &sheet.matches { (a_match(event, round, this, games)) }
        @for bye in &sheet.byes {
            div class="match" { (named(event, bye.who)) " – " (bye_in_words(event, bye.kind)) }
        }
    };
    Ok(Page {
        name: round_name(round),
        title: format!("Round {round}").into(),
        body,
        csv: Some(round_grid(event, round)),
        json: Some(ui::json_string(&RoundReport::of(event, round))?),
    })
}

/// The game that a match of two players is.
fn only_game<'e>(event: &Event, this: &'e Match) -> Option<&'e Board> {
    if event.settings.pairs_players() {
        this.boards.first()
    } else {
        None
    }
}

/// The result of a match, or what replaces it while it is open.
pub fn result_in_words(event: &Event, round: RoundNo, this: &Match) -> String {
    if this.result.is_none() && event.outcome(this).is_none() {
        return event
            .default_words(this, round)
            .unwrap_or_else(|| "–".into());
    }
    match only_game(event, this).and_then(|game| game.result) {
        Some(result) => result.to_string(),
        None => event.in_words(this),
    }
}

/// A participant, with a link to its page.
fn named(event: &Event, who: TeamNo) -> Markup {
    html! { a href=(href(event, who)) { (event.name(who).shown()) } }
}

/// A result, with a link to the page of its game if there is one.
fn game_link(page: Option<&str>, result: &Markup) -> Markup {
    match page {
        Some(page) => {
            html! { a href=(page) title="Step through the game" { @if result.0.is_empty() { "game" } @else { (result) } } }
        }
        None => result.clone(),
    }
}

/// A match, with its boards folded.
fn a_match(event: &Event, round: RoundNo, this: &Match, games: &GamePages) -> Markup {
    let only = only_game(event, this);
    let page = match only {
        Some(game) => games.href_of_board(round, this.table, game.board),
        None => games.href(round, this.table, None),
    };
    let line = |who: [Markup; 2], page: Option<&str>| {
        let [white, black] = who;
        let result = result_in_words(event, round, this);
        // A line may break between result and kings, but not inside them.
        let result =
            html! { @for word in result.split(' ') { span class="result" { (word) } " " } };
        html! {
            span class="versus" {
                span { (this.table) } span { (white) }
                span { (game_link(page, &result)) }
                span { (black) }
            }
        }
    };
    let sides = [this.white, this.black];
    if let Some(game) = only {
        // If players are paired individually, they meet, not their teams.
        let player = |id: Option<u32>, team| html! { (seat(event, id)) " " span class="small" { (named(event, team)) } };
        return html! { div class="match" { (line([player(game.white, this.white), player(game.black, this.black)], page.as_deref())) } };
    }
    if this.boards.is_empty() {
        return html! { div class="match" { (line(sides.map(|who| named(event, who)), page.as_deref())) } };
    }
    // A tap on the line unfolds it, so the links to the teams are below it.
    html! {
        details {
            summary { (line(sides.map(|who| html! { (event.name(who).shown()) }), None)) }
            (boards(event, round, this, games))
            @if let Some(page) = &page { p class="small" { a href=(page) { "Step through the game" } } }
        }
    }
}

/// The boards of a match: who has White on each, and for which team.
fn boards(event: &Event, round: RoundNo, this: &Match, games: &GamePages) -> Markup {
    let white = |board: &Board| event.team_with_white(this, board.board);
    let is_mixed = this.boards.iter().any(|board| white(board) != this.white);
    let team = |who: TeamNo| html! { span class="small" { (named(event, who)) } };
    html! {
        table class="boards" {
            thead { tr {
                th {} th scope="col" { "White" @if !is_mixed { " " (team(this.white)) } }
                th {} th scope="col" { "Black" @if !is_mixed { " " (team(this.black)) } }
            } }
            tbody { @for board in &this.boards { tr {
                @let others = if white(board) == this.white { this.black } else { this.white };
                td class="number" { (board_label(event, board.board)) }
                td { (seat(event, board.white)) @if is_mixed { " " (team(white(board))) } }
                @let result = board.result.map(|result| html! { (result) });
                td { (game_link(games.href(round, this.table, Some(board.board)).as_deref(), &result.unwrap_or_default())) }
                td { (seat(event, board.black)) @if is_mixed { " " (team(others)) } }
            } } }
        }
    }
}
