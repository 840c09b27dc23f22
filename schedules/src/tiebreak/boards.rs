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

/// TBR: the points board by board, from the first; none if boards are not counted.
pub(super) fn all(field: &Tournament, row: usize) -> Vec<Points> {
    sums(field, &field.rows[row].rounds.iter().collect::<Vec<_>>())
}

/// BC: the sum of board number times points on it; `None` if boards are not counted.
pub(super) fn count(boards: &[Points]) -> Option<Ratio> {
    if boards.is_empty() {
        return None;
    }
    let mut sum = Points::ZERO;
    for (number, points) in (1..).zip(boards) {
        sum += points.times(number);
    }
    Some(sum.ratio())
}

/// BBE: the points on all boards but the last, but the last two, and so on.
pub(super) fn without_last(boards: &[Points]) -> Vec<Points> {
    (1..boards.len())
        .rev()
        .map(|kept| boards[..kept].iter().copied().sum())
        .collect()
}

/// The points board by board in the matches of `row` against `other`.
pub(super) fn against(field: &Tournament, row: usize, other: usize) -> Vec<Points> {
    let met: Vec<_> = field.rows[row]
        .rounds
        .iter()
        .filter(|entry| entry.opponent == Some(other))
        .collect();
    sums(field, &met)
}
