//! Prizes: who scored most on each board.

use super::{Page, people::games, seat};
use crate::grid::{Grid, cells};
use maud::html;
use overboard_events::{Event, rounds::GameResult, settings::Scoring};
use overboard_formats::foreign::Foreign;
use overboard_schedules::points::Points;
use std::collections::BTreeMap;

/// A board and a player's id; the points scored there, and the number of games.
type PrizeRow = ((u32, u32), (Points, i32));

/// Who scored most on each board; `None` if boards have no results of their own.
pub fn board_prizes(event: &Event) -> Option<Page> {
    if event.settings.scoring != Scoring::Boards || !event.settings.is_of_teams() {
        return None;
    }
    let rows = scored(event);
    let percent = |(points, count): (Points, i32)| {
        let most = event.settings.game_points[0].0.max(1) * count.max(1);
        f64::from(points.0) * 100.0 / f64::from(most)
    };
    let mut grid = Grid::new("", &["board", "player", "team", "points", "games", "%"]);
    let team = |id: u32| {
        event
            .player(id)
            .and_then(|player| player.team)
            .map_or(Foreign::default(), |team| event.name(team))
    };
    for ((board, id), sum) in rows.iter().copied() {
        let player = event.player(id);
        let name = player.map_or(Foreign::default(), |player| player.name.clone());
        grid.push(cells![
            board.to_string(),
            name,
            team(id),
            sum.0.to_string(),
            sum.1.to_string(),
            format!("{:.1}", percent(sum)),
        ]);
    }
    grid.note("Games that were played; on each board by points, then by fewer games".into());
    let body = html! {
        @for board in rows.chunk_by(|one, other| one.0.0 == other.0.0) {
            h2 { "Board " (board[0].0.0) }
            div class="wide" { table {
                thead { tr {
                    th scope="col" class="name" { "player" } th scope="col" class="number" { "points" }
                    th scope="col" class="number" { "games" } th scope="col" class="number" { "%" }
                } }
                tbody { @for ((_, id), sum) in board { tr {
                    td class="name" {
                        (seat(event, Some(*id))) " "
                        span class="small" { (team(*id).shown()) }
                    }
                    td class="number" { (sum.0) } td class="number" { (sum.1) } td class="number" { (format!("{:.1}", percent(*sum))) }
                } } }
            } }
        }
        p class="small" { (grid.noted()) }
    };
    Some(Page::of_table("boards", "Boards", body, grid))
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
    let mut rows: Vec<PrizeRow> = sums.into_iter().collect();
    rows.sort_by(|(one, own), (other, theirs)| {
        let by_points = theirs.0.cmp(&own.0).then(own.1.cmp(&theirs.1));
        one.0
            .cmp(&other.0)
            .then(by_points)
            .then(one.1.cmp(&other.1))
    });
    rows
}
