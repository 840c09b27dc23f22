//! The pages of teams and players.

use super::{Page, href, linked, pretty, round_name, rounds::result_in_words, seat};
use crate::{
    commands::{
        event::{cards::named, publish::games::GamePages},
        pair::bye_in_words,
        standings::published::Performances,
    },
    grid::{Grid, cells, or_blank},
};
use maud::{Markup, html};
use overboard_events::{
    Event,
    card::board_label,
    roster::{Player, Role},
    rounds::{Board, ByeKind, GameResult, Match, Round},
};
use overboard_formats::foreign::Foreign;
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
    let of_players = !event.settings.is_of_teams();
    for (round, sheet) in RoundNo::all().zip(&event.rounds) {
        for this in &sheet.matches {
            let own = only_board(this);
            let boards = if of_players {
                std::slice::from_ref(&own)
            } else {
                &this.boards[..]
            };
            for board in boards {
                if board.white == Some(id) || board.black == Some(id) {
                    games.push(game_on(event, round, this, board, id));
                }
            }
        }
        for bye in &sheet.byes {
            if of_players && bye.who.get() == id {
                games.push(Game {
                    round,
                    table: 0,
                    board: 1,
                    white: false,
                    opponent: None,
                    result: None,
                    points: Some(event.worth_of_bye(bye.kind).matches),
                    record: String::new(),
                    bye: Some(bye.kind),
                });
            }
        }
    }
    games
}

/// The match of two single players as the board on which it is played.
fn only_board(this: &Match) -> Board {
    Board {
        board: 1,
        white: Some(this.white.get()),
        black: Some(this.black.get()),
        result: this.result,
        ..Board::default()
    }
}

/// The game of a player on a board of a match.
fn game_on(event: &Event, round: RoundNo, this: &Match, board: &Board, id: u32) -> Game {
    let white = board.white == Some(id);
    let result = if event.settings.is_of_teams() {
        event.result_on(this, board)
    } else {
        this.result
    };
    let own = |result: GameResult| result.for_sides()[usize::from(!white)];
    let source = if board.source.is_empty() {
        &this.source
    } else {
        &board.source
    };
    Game {
        round,
        table: this.table,
        board: board.board,
        white,
        opponent: if white { board.black } else { board.white },
        result,
        points: result.map(|result| event.settings.game_points.of(own(result))),
        record: source.clone(),
        bye: None,
    }
}

/// The rating of the opponent, if there is one.
fn opponents_rating(event: &Event, game: &Game) -> String {
    let opponent = game.opponent.and_then(|id| event.player(id));
    or_blank(opponent.and_then(|opponent| opponent.rating))
}

/// The name of an opponent, or a dash.
fn name_or_dash(opponent: Option<&Player>) -> Foreign {
    match opponent {
        Some(player) => player.name.clone(),
        None => "–".into(),
    }
}

/// The games of a player as a table for programs.
fn games_grid(event: &Event, games: &[Game]) -> Grid {
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
            match game.bye {
                Some(bye) => bye_in_words(event, bye).into(),
                None => name_or_dash(game.opponent.and_then(|id| event.player(id))),
            },
            or_blank(game.points),
            game.record.clone(),
            opponents_rating(event, game),
        ]);
    }
    grid
}

/// The games of a player. In an event of single players there is one board, which is omitted.
fn games_table(event: &Event, games: &[Game], grid: &Grid, pages: &GamePages) -> Markup {
    let of_teams = event.settings.is_of_teams();
    let page = |game: &Game| pages.href_of_board(game.round, game.table, game.board);
    let has_pages = games.iter().any(|game| page(game).is_some());
    let has_records = games.iter().any(|game| !game.record.is_empty());
    let has_ratings = games
        .iter()
        .any(|game| !opponents_rating(event, game).is_empty());
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
                td class="number" { @if game.bye != Some(ByeKind::Free) { (row[4].shown()) @if game.result.is_some_and(GameResult::is_forfeit) { "f" } } } td { (row[2].shown()) }
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
    if !event.settings.is_of_teams() {
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
        grid.push(match sheet.of(number) {
            Some(this) => row_of_match(event, number, round, this),
            None => row_without_match(event, number, round, sheet),
        });
    }
    let body = html! { (people(event, number)) (linked(event, &grid, 1, 2, &[0, 2, 4, 5, 6, 3])) };
    Page::of_table(format!("team-{number}"), event.name(number), body, grid)
}

/// A round of a team, with its match.
fn row_of_match(event: &Event, number: TeamNo, round: RoundNo, this: &Match) -> Vec<Foreign> {
    let side = usize::from(this.white != number);
    let other = if side == 0 { this.black } else { this.white };
    let scores = event.outcome(this).map(|outcome| outcome.scores[side]);
    cells![
        round.to_string(),
        other.to_string(),
        event.name(other),
        ["White", "Black"][side],
        result_in_words(event, round, this),
        or_blank(scores.map(|scores| scores.matches)),
        or_blank(scores.map(|scores| scores.games)),
    ]
}

/// A round of a team in which it has no match.
fn row_without_match(event: &Event, number: TeamNo, round: RoundNo, sheet: &Round) -> Vec<Foreign> {
    let (mut word, mut worth) = ("", None);
    if let Some(bye) = sheet.byes.iter().find(|bye| bye.who == number) {
        word = bye_in_words(event, bye.kind);
        // The free round of an odd field is worth nothing, and is not a score of 0.
        if bye.kind != ByeKind::Free {
            worth = Some(event.worth_of_bye(bye.kind));
        }
    }
    let points = or_blank(worth.map(|worth| worth.matches));
    let games = or_blank(worth.map(|worth| worth.games));
    cells![round.to_string(), "", word, "", "", points, games]
}

/// Captain and players of a team; in Overchess with what each leads.
fn people(event: &Event, number: TeamNo) -> Markup {
    html! {
        @if let Some(team) = event.team(number) && !team.captain.is_empty() { p { "Captain: " (team.captain.shown()) } }
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
    let mut pieces = Vec::new();
    for (piece, person) in &command.roles.holders {
        if *person == own {
            pieces.push(piece.as_str());
        }
    }
    if !pieces.is_empty() {
        return format!(": {}", for_both_sides(&pieces));
    }
    if command.roles.queue.contains(&own) {
        ": in turn".into()
    } else {
        String::new()
    }
}

/// What White leads, and what Black leads if that has other names.
fn for_both_sides(pieces: &[&str]) -> String {
    let black: Vec<String> = pieces.iter().map(|piece| mirrored(piece, true)).collect();
    let (white, black) = (named(&pieces.join(" ")), named(&black.join(" ")));
    if white == black {
        white
    } else {
        format!("{white}, as Black {black}")
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
                    name_or_dash(opponent),
                    team.map(|team| event.name(team)).unwrap_or_default(),
                    if game.white { "White" } else { "Black" },
                    or_blank(game.points),
                ],
            ));
        }
    }
    rows.sort();
    for (_, _, row) in rows {
        grid.push(row);
    }
    let body = html! { (people(event, number)) (linked(event, &grid, usize::MAX, usize::MAX, &[0, 2, 6, 3, 4, 5])) };
    Page::of_table(format!("team-{number}"), event.name(number), body, grid)
}

/// Points and games in one line, with the performance if opponents have ratings.
fn total(games: &[Game], performance: Option<&[Value; 2]>) -> String {
    let scored: Vec<Points> = games.iter().filter_map(|game| game.points).collect();
    if scored.is_empty() {
        return String::new();
    }
    let sum: Points = scored.into_iter().sum();
    let played = games.iter().filter(|game| is_played(game)).count();
    let games = counted(played, "game");
    let mut line = format!("Points: {sum}, {games} played");
    if let Some([performance, opponents]) = performance {
        line += &format!(" · mean rating of the opponents {opponents} · performance {performance}");
    }
    line
}

/// Whether a game was played to its end over the board.
fn is_played(game: &Game) -> bool {
    game.opponent.is_some() && game.result.is_some_and(|result| !result.is_forfeit())
}

/// A player.
pub fn player_page(event: &Event, id: u32, pages: &GamePages, performances: &Performances) -> Page {
    let player = event.player(id).cloned().unwrap_or_default();
    let games = games(event, id);
    let grid = games_grid(event, &games);
    let table = games_table(event, &games, &grid, pages);
    let of_teams = event.settings.is_of_teams();
    let role = if player.role == Role::Player {
        Foreign::default()
    } else {
        format!("{}{}", player.role.as_str(), leads(event, id)).into()
    };
    let mut facts = cells![
        player.title.clone(),
        player.federation.clone(),
        or_blank(player.rating),
        role,
    ];
    facts.retain(|fact| !fact.is_empty());
    let body = html! {
        @if !facts.is_empty() { p { (Foreign::join(facts, " · ").shown()) } }
        @if of_teams && let Some(team) = player.team { p { a href=(href(event, team)) { (event.name(team).shown()) } } }
        (table)
        p { (total(&games, performances.get(id))) }
        @for norm in performances.norms(id) { p { (norm.in_words()) } }
    };
    Page {
        name: format!("player-{id}"),
        title: player.name,
        body,
        csv: Some(grid),
        json: pretty(&games),
    }
}
