//! The pages of rounds: matches with their boards folded.

use super::{Page, href, round_name, seat, state};
use crate::{
    commands::pair::{round_grid, round_json},
    exit::CliError,
};
use maud::{Markup, html};
use overboard_events::{
    Event,
    card::board_label,
    rounds::{Board, Match},
};
use overboard_schedules::ids::{RoundNo, TeamNo};

/// The page of a round.
pub fn round_page(event: &Event, round: RoundNo) -> Result<Page, CliError> {
    let sheet = &event.rounds[round.index()];
    let body = html! {
        p class="small" {
            (state(event, round)) " · " a href={ "cards-" (format!("{round:02}")) ".html" } { "Match cards" } " · "
            a href={ "sheets-" (format!("{round:02}")) ".html" } { "Score-sheets" }
        }
        @for this in &sheet.matches { (a_match(event, round, this)) }
        @for bye in &sheet.byes {
            div class="match" { (named(event, bye.who)) " – " (bye.kind.as_str()) }
        }
    };
    Ok(Page {
        name: round_name(round),
        title: format!("Round {round}").into(),
        body,
        csv: Some(round_grid(event, round)),
        json: Some(round_json(event, round)?),
    })
}

/// The result of a match, or what stands in its place while it is open.
pub fn result_in_words(event: &Event, round: RoundNo, this: &Match) -> String {
    if this.result.is_none() && event.outcome(this).is_none() {
        return event.default_words(this, round).unwrap_or_else(|| "–".into());
    }
    let game = this.boards.first().filter(|_| event.settings.pairs_players());
    match game.and_then(|game| game.result) {
        Some(result) => result.to_string(),
        None => event.in_words(this),
    }
}

/// A participant, with the way to its page.
fn named(event: &Event, who: TeamNo) -> Markup {
    html! { a href=(href(event, who)) { (event.name(who).shown()) } }
}

/// A match, with its boards folded.
fn a_match(event: &Event, round: RoundNo, this: &Match) -> Markup {
    let line = |who: [Markup; 2]| {
        let [white, black] = who;
        let result = result_in_words(event, round, this);
        html! {
            span class="versus" {
                span { (this.table) } span { (white) }
                // A line is broken between result and kings, and not within them.
                span { @for word in result.split(' ') { span class="result" { (word) } " " } }
                span { (black) }
            }
        }
    };
    let sides = [this.white, this.black];
    if let Some(game) = this.boards.first().filter(|_| event.settings.pairs_players()) {
        // Where players are paired one by one they meet, and not their teams.
        let player = |id: Option<u32>, team| html! { (seat(event, id)) " " span class="small" { (named(event, team)) } };
        return html! { div class="match" { (line([player(game.white, this.white), player(game.black, this.black)])) } };
    }
    if this.boards.is_empty() {
        return html! { div class="match" { (line(sides.map(|who| named(event, who)))) } };
    }
    // A tap on the line unfolds it, so the ways to the teams are below.
    html! {
        details {
            summary { (line(sides.map(|who| html! { (event.name(who).shown()) }))) }
            (boards(event, this))
        }
    }
}

/// The boards of a match: who has White on each, and for which team.
fn boards(event: &Event, this: &Match) -> Markup {
    let white = |board: &Board| event.team_with_white(this, board.board);
    let is_mixed = this.boards.iter().any(|board| white(board) != this.white);
    let team = |who: TeamNo| html! { span class="small" { (named(event, who)) } };
    html! {
        table class="boards" {
            thead { tr {
                th {} th { "White" @if !is_mixed { " " (team(this.white)) } }
                th {} th { "Black" @if !is_mixed { " " (team(this.black)) } }
            } }
            tbody { @for board in &this.boards { tr {
                @let others = if white(board) == this.white { this.black } else { this.white };
                td class="number" { (board_label(event, board.board)) }
                td { (seat(event, board.white)) @if is_mixed { " " (team(white(board))) } }
                td { (board.result.map_or(String::new(), |result| result.to_string())) }
                td { (seat(event, board.black)) @if is_mixed { " " (team(others)) } }
            } } }
        }
    }
}
