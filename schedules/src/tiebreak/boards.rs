//! Points on single boards (article 12).

use crate::{
    points::{Points, Ratio},
    tournament::{Kind, RoundEntry, Tournament},
};

/// Game points on each board over all rounds. A pairing-allocated bye is a win on each of them.
fn sums(field: &Tournament, entries: &[&RoundEntry]) -> Vec<Points> {
    let mut boards = 0;
    for row in &field.rows {
        for entry in &row.rounds {
            boards = boards.max(entry.boards.len());
        }
    }
    let win = Points(field.worth.games.win.0 / boards.max(1) as i32);
    let on = |board: usize| {
        let of = |entry: &&RoundEntry| match entry.kind {
            Kind::Pab => win,
            _ => entry.boards.get(board).copied().unwrap_or_default(),
        };
        entries.iter().map(of).sum()
    };
    (0..boards).map(on).collect()
}

fn all(field: &Tournament, row: usize) -> Vec<Points> {
    sums(field, &field.rows[row].rounds.iter().collect::<Vec<_>>())
}

/// BC: the sum of board number times points on it; `None` if boards are not counted.
pub(super) fn count(field: &Tournament, row: usize) -> Option<Ratio> {
    let boards = all(field, row);
    if boards.is_empty() {
        return None;
    }
    Some(board_count(&boards))
}

/// TBR: the points board by board, from the first.
pub(super) fn top(field: &Tournament, row: usize) -> Vec<Points> {
    all(field, row)
}

/// BBE: the points on all boards but the last, but the last two, and so on.
pub(super) fn bottom(field: &Tournament, row: usize) -> Vec<Points> {
    without_last(&all(field, row))
}

fn board_count(boards: &[Points]) -> Ratio {
    let mut sum = Points::ZERO;
    for (number, points) in (1..).zip(boards) {
        sum += points.times(number);
    }
    sum.ratio()
}

fn without_last(boards: &[Points]) -> Vec<Points> {
    (1..boards.len())
        .rev()
        .map(|kept| boards[..kept].iter().copied().sum())
        .collect()
}

/// BC, TBR and BBE of the matches of one team against another.
pub(super) struct Match {
    pub count: Ratio,
    pub top: Vec<Points>,
    pub bottom: Vec<Points>,
}

/// BC, TBR and BBE computed from the matches of `row` against `other`.
pub(super) fn of_match(field: &Tournament, row: usize, other: usize) -> Match {
    let met: Vec<_> = field.rows[row]
        .rounds
        .iter()
        .filter(|entry| entry.opponent == Some(other))
        .collect();
    let boards = sums(field, &met);
    Match {
        count: board_count(&boards),
        bottom: without_last(&boards),
        top: boards,
    }
}
