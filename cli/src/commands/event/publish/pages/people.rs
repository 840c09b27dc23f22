//! The pages of teams and players.

use super::{Page, href, json, linked, round_name, rounds::result_in_words, seat};
use crate::{
    commands::{
        event::{cards::named, publish::games::GamePages},
        pair::bye_in_words,
        standings::published::Performances,
    },
    grid::{Grid, cells},
};
use maud::{Markup, html};
use overboard_events::{
    Event,
    card::board_label,
    roster::Role,
    rounds::{Board, ByeKind, GameResult},
    settings::Participants,
};
use overboard_formats::foreign::{self, Foreign};
use overboard_rules::refusal::counted;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    roles::mirrored,
    tiebreak::Value,
};
use serde::Serialize;

/// A game of a player.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Game {
    /// The round.
    round: RoundNo,
    /// Its table; 0 for a bye.
    #[serde(skip)]
    table: u32,
    /// The board.
    pub board: u32,
    /// Whether the player has White.
    white: bool,
    /// The opponent's number; null without one.
    opponent: Option<u32>,
    /// The result; null if there is none yet.
    pub result: Option<GameResult>,
    /// The player's points; null if there is no result yet.
    pub points: Option<Points>,
    /// The record of the game, a file; empty without one.
    record: String,
    /// What a single player has instead of a game; only then.
    #[serde(skip_serializing_if = "Option::is_none")]
    bye: Option<ByeKind>,
}

/// The games of a player, round by round; for a single player including byes.
pub fn games(event: &Event, id: u32) -> Vec<Game> {
    let mut games = Vec::new();
    let of_players = event.settings.participants == Participants::Players;
    for (round, sheet) in RoundNo::all().zip(&event.rounds) {
        for this in &sheet.matches {
            let own = Board {
                board: 1,
                white: Some(this.white.get()),
                black: Some(this.black.get()),
                result: this.result,
                ..Board::default()
            };
            let boards = if of_players {
                std::slice::from_ref(&own)
            } else {
                &this.boards[..]
            };
            for board in boards
                .iter()
                .filter(|board| board.white == Some(id) || board.black == Some(id))
            {
                let white = board.white == Some(id);
                let result = if of_players {
                    this.result
                } else {
                    event.result_on(this, board)
                };
                let points = result
                    .map(|result| event.settings.game_points[result.places()[usize::from(!white)]]);
                let record = if board.source.is_empty() {
                    this.source.clone()
                } else {
                    board.source.clone()
                };
                let opponent = if white { board.black } else { board.white };
                games.push(Game {
                    round,
                    table: this.table,
                    board: board.board,
                    white,
                    opponent,
                    result,
                    points,
                    record,
                    bye: None,
                });
            }
        }
        games.extend(
            sheet
                .byes
                .iter()
                .filter(|bye| of_players && bye.who.get() == id)
                .map(|bye| Game {
                    round,
                    table: 0,
                    board: 1,
                    white: false,
                    opponent: None,
                    result: None,
                    points: Some(event.worth_of_bye(bye.kind)[0]),
                    record: String::new(),
                    bye: Some(bye.kind),
                }),
        );
    }
    games
}

/// The rating of the opponent, if there is one.
fn opponents_rating(event: &Event, game: &Game) -> String {
    let opponent = game.opponent.and_then(|id| event.player(id));
    let rating = opponent.and_then(|opponent| opponent.rating);
    rating.map_or(String::new(), |rating| rating.to_string())
}

/// The games of a player as a table for programs.
fn games_grid(event: &Event, games: &[Game]) -> Grid {
    let name = |id: Option<u32>| {
        id.and_then(|id| event.player(id))
            .map_or("–".into(), |player| player.name.clone())
    };
    let heads = [
        "round", "board", "colour", "opponent", "points", "record", "rating",
    ];
    let mut grid = Grid::new("", &heads);
    for game in games {
        grid.push(cells![
            game.round.to_string(),
            board_label(event, game.board),
            match (game.bye, game.white) {
                (Some(_), _) => String::new(),
                (None, true) => "White".into(),
                (None, false) => "Black".into(),
            },
            game.bye.map_or_else(
                || name(game.opponent),
                |bye| bye_in_words(event, bye).into()
            ),
            game.points
                .map_or(String::new(), |points| points.to_string()),
            game.record.clone(),
            opponents_rating(event, game),
        ]);
    }
    grid
}

/// The games of a player. In an event of single players there is one board, which is omitted.
fn games_table(event: &Event, games: &[Game], grid: &Grid, pages: &GamePages) -> Markup {
    let of_teams = event.settings.participants == Participants::Teams;
    let page = |game: &Game| pages.href_of_board(game.round, game.table, game.board);
    let has_pages = games.iter().any(|game| page(game).is_some());
    let has_records = games.iter().any(|game| !game.record.is_empty());
    let has_ratings = games
        .iter()
        .any(|game| !opponents_rating(event, game).is_empty());
    let forfeit = |game: &Game| {
        if game.result.is_some_and(GameResult::is_forfeit) {
            "f"
        } else {
            ""
        }
    };
    html! {
        @if !games.is_empty() { div class="wide" { table {
            thead { tr {
                th scope="col" { "round" } th scope="col" class="name" { "opponent" }
                @if has_ratings { th scope="col" class="number" { "rating" } }
                th scope="col" class="number" { "points" } th scope="col" { "colour" } @if of_teams { th scope="col" { "board" } }
                @if has_pages { th scope="col" { "game" } }
                @if has_records { th scope="col" { "record" } }
            } }
            tbody { @for (game, row) in games.iter().zip(&grid.rows) { tr {
                td { a href={ (round_name(game.round)) ".html" } { (row[0].shown()) } }
                td class="name" { @match game.bye { Some(bye) => (bye_in_words(event, bye)), None => (seat(event, game.opponent)) } }
                @if has_ratings { td class="number" { (row[6].shown()) } }
                td class="number" { @if game.bye != Some(ByeKind::Free) { (row[4].shown()) (forfeit(game)) } } td { (row[2].shown()) }
                @if of_teams { td { (row[1].shown()) } }
                @if has_pages { td { @if let Some(page) = page(game) { a href=(page) { "Step through" } } } }
                @if has_records { td { (row[5].shown()) } }
            } } }
        } } }
    }
}

/// A team or a single player.
pub fn participant(
    event: &Event,
    number: TeamNo,
    pages: &GamePages,
    performances: &Performances,
) -> Page {
    if event.settings.participants == Participants::Players {
        return player_page(event, number.get(), pages, performances);
    }
    if event.settings.pairs_players() {
        return team_of_players(event, number);
    }
    let mut grid = Grid::new(
        "",
        &[
            "round",
            "no.",
            "opponent",
            "colour",
            "result",
            "match points",
            "game points",
        ],
    );
    for (round, sheet) in RoundNo::all().zip(&event.rounds) {
        let Some(this) = sheet.of(number) else {
            let bye = sheet
                .byes
                .iter()
                .find(|bye| bye.who == number)
                .map(|bye| bye.kind);
            // The free round of an odd field is worth nothing, and is not a score of 0.
            let worth = bye
                .filter(|kind| *kind != ByeKind::Free)
                .map(|kind| event.worth_of_bye(kind));
            let [points, games] =
                [0, 1].map(|score| worth.map_or(String::new(), |worth| worth[score].to_string()));
            let word = bye.map_or("", |kind| bye_in_words(event, kind));
            grid.push(cells![round.to_string(), "", word, "", "", points, games]);
            continue;
        };
        let side = usize::from(this.white != number);
        let other = if side == 0 { this.black } else { this.white };
        let scores = event.outcome(this).map(|outcome| outcome.scores[side]);
        let [points, games] =
            [0, 1].map(|score| scores.map_or(String::new(), |scores| scores[score].to_string()));
        grid.push(cells![
            round.to_string(),
            other.to_string(),
            event.name(other),
            ["White", "Black"][side],
            result_in_words(event, round, this),
            points,
            games,
        ]);
    }
    let body = html! { (people(event, number)) (linked(event, &grid, 1, 2, &[0, 2, 4, 5, 6, 3])) };
    let json = json(&grid);
    Page {
        name: format!("team-{number}"),
        title: event.name(number),
        body,
        csv: Some(grid),
        json,
    }
}

/// Captain and players of a team; in Overchess with what each leads.
fn people(event: &Event, number: TeamNo) -> Markup {
    let captain = event
        .team(number)
        .map_or(Foreign::default(), |team| team.captain.clone());
    html! {
        @if !captain.is_empty() { p { "Captain: " (captain.shown()) } }
        ol class="list" { @for player in event.roster(number) { li {
            (seat(event, Some(player.id)))
            @if player.role != Role::Player { " " span class="small" { (player.role.as_str()) (leads(event, player.id)) } }
            @if let Some(rating) = player.rating { " " span class="small" { (rating) } }
        } } }
    }
}

/// What a player of Overchess leads, by kind or by initial square: `: rooks`, `: d1, as Black d8`.
fn leads(event: &Event, id: u32) -> String {
    if !event.settings.has_roles() {
        return String::new();
    }
    let team = event.player(id).and_then(|player| player.team);
    let Some(Ok(command)) = team.map(|team| event.roles(team)) else {
        return String::new();
    };
    let Some(own) = command.people.iter().position(|one| one.id == id) else {
        return String::new();
    };
    let pieces = command
        .roles
        .holders
        .iter()
        .filter(|(_, person)| *person == own);
    let pieces: Vec<&str> = pieces.map(|(piece, _)| piece.as_str()).collect();
    match (pieces.is_empty(), command.roles.queue.contains(&own)) {
        (false, _) => {
            let black: Vec<String> = pieces.iter().map(|piece| mirrored(piece, true)).collect();
            let (white, black) = (named(&pieces.join(" ")), named(&black.join(" ")));
            if white == black {
                format!(": {white}")
            } else {
                format!(": {white}, as Black {black}")
            }
        }
        (true, true) => ": in turn".into(),
        (true, false) => String::new(),
    }
}

/// A team whose players are paired individually.
fn team_of_players(event: &Event, number: TeamNo) -> Page {
    let mut grid = Grid::new(
        "",
        &[
            "round", "board", "player", "opponent", "team", "colour", "points",
        ],
    );
    let mut rows: Vec<(RoundNo, u32, Vec<Foreign>)> = Vec::new();
    for player in event.roster(number) {
        for game in games(event, player.id) {
            let opponent = game.opponent.and_then(|id| event.player(id));
            let team = opponent.and_then(|opponent| opponent.team);
            rows.push((
                game.round,
                player.board,
                cells![
                    game.round.to_string(),
                    player.board.to_string(),
                    player.name.clone(),
                    opponent.map_or("–".into(), |opponent| opponent.name.clone()),
                    team.map_or(Foreign::default(), |team| event.name(team)),
                    if game.white { "White" } else { "Black" },
                    game.points
                        .map_or(String::new(), |points| points.to_string()),
                ],
            ));
        }
    }
    rows.sort();
    for (_, _, row) in rows {
        grid.push(row);
    }
    let body = html! { (people(event, number)) (linked(event, &grid, usize::MAX, usize::MAX, &[0, 2, 6, 3, 4, 5])) };
    let json = json(&grid);
    Page {
        name: format!("team-{number}"),
        title: event.name(number),
        body,
        csv: Some(grid),
        json,
    }
}

/// Points and games in one line, with the performance if opponents have ratings.
fn total(games: &[Game], performance: Option<&[Value; 2]>) -> String {
    let scored: Vec<Points> = games.iter().filter_map(|game| game.points).collect();
    if scored.is_empty() {
        return String::new();
    }
    let played = games.iter().filter(|game| {
        let is_over = game.result.is_some_and(|result| !result.is_forfeit());
        is_over && game.opponent.is_some()
    });
    let sum: Points = scored.into_iter().sum();
    let games = counted(played.count(), "game");
    let mut line = format!("Points: {sum}, {games} played");
    if let Some([performance, opponents]) = performance {
        line += &format!(" · mean rating of the opponents {opponents} · performance {performance}");
    }
    line
}

/// A player.
pub fn player_page(event: &Event, id: u32, pages: &GamePages, performances: &Performances) -> Page {
    let player = event.player(id).cloned().unwrap_or_default();
    let games = games(event, id);
    let grid = games_grid(event, &games);
    let table = games_table(event, &games, &grid, pages);
    let of_teams = event.settings.participants == Participants::Teams;
    let facts: Vec<Foreign> = [
        player.title.clone(),
        player.federation.clone(),
        player
            .rating
            .map_or(String::new(), |rating| rating.to_string())
            .into(),
        if player.role == Role::Player {
            Foreign::default()
        } else {
            format!("{}{}", player.role.as_str(), leads(event, id)).into()
        },
    ]
    .into_iter()
    .filter(|fact| !fact.is_empty())
    .collect();
    let body = html! {
        @if !facts.is_empty() { p { (Foreign::join(facts, " · ").shown()) } }
        @if of_teams && let Some(team) = player.team { p { a href=(href(event, team)) { (event.name(team).shown()) } } }
        (table)
        p { (total(&games, performances.get(id))) }
        @for norm in performances.norms(id) { p { (norm.in_words()) } }
    };
    let json = serde_json::to_string_pretty(&games)
        .ok()
        .map(|text| foreign::json(&text).into_owned());
    Page {
        name: format!("player-{id}"),
        title: player.name,
        body,
        csv: Some(grid),
        json,
    }
}
