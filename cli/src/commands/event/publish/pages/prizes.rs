//! Prizes: who scored most on each board.

use super::{Page, people::games, seat};
use crate::grid::{Grid, cells};
use maud::{Markup, html};
use overboard_events::{Event, rounds::GameResult, settings::Scoring};
use overboard_formats::foreign::Foreign;
use overboard_schedules::points::Points;
use std::{cmp::Reverse, collections::BTreeMap};

/// What a player scored on a board.
struct PrizeRow {
    board: u32,
    player: u32,
    points: Points,
    games: i32,
}

/// Who scored most on each board; `None` if boards have no results of their own.
pub fn board_prizes(event: &Event) -> Option<Page> {
    if event.settings.scoring != Scoring::Boards || !event.settings.is_of_teams() {
        return None;
    }
    let rows = scored(event);
    let mut grid = Grid::new("", &["board", "player", "team", "points", "games", "%"]);
    for row in &rows {
        grid.push(row.cells(event));
    }
    grid.note("Games that were played; on each board by points, then by fewer games".into());
    let body = html! {
        @for rows in rows.chunk_by(|one, other| one.board == other.board) { (board(event, rows)) }
        p class="small" { (grid.noted()) }
    };
    Some(Page::of_table("boards", "Boards", body, grid))
}

fn board(event: &Event, rows: &[PrizeRow]) -> Markup {
    html! {
        h2 { "Board " (rows[0].board) }
        div class="wide" { table {
            thead { tr {
                th scope="col" class="name" { "player" } th scope="col" class="number" { "points" }
                th scope="col" class="number" { "games" } th scope="col" class="number" { "%" }
            } }
            tbody { @for row in rows { tr {
                td class="name" {
                    (seat(event, Some(row.player))) " "
                    span class="small" { (row.team(event).shown()) }
                }
                td class="number" { (row.points) } td class="number" { (row.games) } td class="number" { (row.percent(event)) }
            } } }
        } }
    }
}

impl PrizeRow {
    fn cells(&self, event: &Event) -> Vec<Foreign> {
        let player = event.player(self.player);
        let name = player.map_or(Foreign::default(), |player| player.name.clone());
        cells![
            self.board.to_string(),
            name,
            self.team(event),
            self.points.to_string(),
            self.games.to_string(),
            self.percent(event),
        ]
    }

    fn team(&self, event: &Event) -> Foreign {
        let player = event.player(self.player);
        match player.and_then(|player| player.team) {
            Some(team) => event.name(team),
            None => Foreign::default(),
        }
    }

    /// The share of the points that could be scored.
    fn percent(&self, event: &Event) -> String {
        let most = event.settings.game_points.win.0.max(1) * self.games.max(1);
        let percent = f64::from(self.points.0) * 100.0 / f64::from(most);
        format!("{percent:.1}")
    }
}

/// The scores on each board, highest first.
fn scored(event: &Event) -> Vec<PrizeRow> {
    let mut sums: BTreeMap<(u32, u32), (Points, i32)> = BTreeMap::new();
    for player in &event.players {
        for game in games(event, player.id) {
            // A forfeit wins no prize.
            if game.result.is_none_or(GameResult::is_forfeit) {
                continue;
            }
            let board = if event.settings.pairs_players() {
                player.board
            } else {
                game.board
            };
            let (points, count) = sums.entry((board, player.id)).or_default();
            *points += game.points.unwrap_or_default();
            *count += 1;
        }
    }
    let rows = sums.into_iter();
    let rows = rows.map(|((board, player), (points, games))| PrizeRow {
        board,
        player,
        points,
        games,
    });
    let mut rows = Vec::from_iter(rows);
    rows.sort_by_key(|row| (row.board, Reverse(row.points), row.games, row.player));
    rows
}
