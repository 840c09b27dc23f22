//! Direct encounter (article 6), and the extended one of teams (13.3).

use super::{Code, TieBreak, boards};
use crate::{
    points::{Points, Ratio},
    tournament::{Score, Tournament},
};
use std::cmp::Ordering;

/// The tied participants in the order that their games against each other give. Those in one group stay tied.
#[must_use]
pub fn order(this: &TieBreak, field: &Tournament, tied: &[usize]) -> Vec<Vec<usize>> {
    let mut groups = match this.code {
        Code::DirectEncounter => direct(field, tied, this.on(field), this.forfeits),
        _ => extended(this, field, tied),
    };
    if this.reverse {
        groups.reverse();
    }
    groups
}

/// Article 6, repeated for participants that are still tied.
fn direct(field: &Tournament, tied: &[usize], score: Score, forfeits: bool) -> Vec<Vec<usize>> {
    let groups = once(field, tied, score, forfeits);
    if groups.len() < 2 {
        return groups;
    }
    let mut all = Vec::new();
    for group in groups {
        all.extend(direct(field, &group, score, forfeits));
    }
    all
}

/// 13.3: by one score, then by the other, then by the boards if only two are tied; repeated for those still tied
/// whenever a participant is separated.
fn extended(this: &TieBreak, field: &Tournament, tied: &[usize]) -> Vec<Vec<usize>> {
    let first = this.on(field);
    let mut groups = once(field, tied, first, this.forfeits);
    if groups.len() < 2 {
        groups = once(field, tied, first.other(), this.forfeits);
    }
    if groups.len() < 2 {
        let Some(by_boards) = by_boards(this, field, tied) else {
            return vec![tied.to_vec()];
        };
        groups = by_boards;
    }
    let mut all = Vec::new();
    for group in groups {
        all.extend(extended(this, field, &group));
    }
    all
}

fn by_boards(this: &TieBreak, field: &Tournament, tied: &[usize]) -> Option<Vec<Vec<usize>>> {
    let [one, other] = *tied else { return None };
    let (first, second) = (
        boards::against(field, one, other),
        boards::against(field, other, one),
    );
    let count = || boards::count(&first).cmp(&boards::count(&second));
    let top = || second.cmp(&first);
    let bottom = || boards::without_last(&second).cmp(&boards::without_last(&first));
    let order = match this.code {
        Code::DirectBoardTop => count().then_with(top),
        Code::DirectBoardBottom => count().then_with(bottom),
        Code::DirectTop => top(),
        Code::DirectBottom => bottom(),
        _ => Ordering::Equal,
    };
    match order {
        Ordering::Less => Some(vec![vec![one], vec![other]]),
        Ordering::Greater => Some(vec![vec![other], vec![one]]),
        Ordering::Equal => None,
    }
}

/// One pass: splits the tied participants by their games against each other.
fn once(field: &Tournament, tied: &[usize], score: Score, forfeits: bool) -> Vec<Vec<usize>> {
    let result = |one: usize, other: usize| mean(field, one, other, score, forfeits);
    let known = |one: usize| -> Ratio { tied.iter().filter_map(|other| result(one, *other)).sum() };
    let missing = |one: usize| {
        let is_missing = |other: &&usize| **other != one && result(one, **other).is_none();
        tied.iter().filter(is_missing).count()
    };
    if tied.iter().all(|one| missing(*one) == 0) {
        return grouped(tied, known);
    }
    // 6.3: a participant that would be first whatever the missing results were comes first.
    let win = field.worth(score).win.ratio();
    let most = |one: usize| known(one) + (0..missing(one)).map(|_| win).sum();
    let is_first = |one: usize, left: &[usize]| {
        let mut others = left.iter();
        others.all(|other| *other == one || known(one) > most(*other))
    };
    let mut left = tied.to_vec();
    let mut groups = Vec::new();
    while left.len() > 1
        && let Some(first) = left.iter().position(|one| is_first(*one, &left))
    {
        groups.push(vec![left.remove(first)]);
    }
    groups.push(left);
    groups
}

/// Groups of equal value, the greatest first.
fn grouped(tied: &[usize], value: impl Fn(usize) -> Ratio) -> Vec<Vec<usize>> {
    let mut valued: Vec<_> = tied.iter().map(|one| (value(*one), *one)).collect();
    valued.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
    let mut groups = Vec::new();
    for group in valued.chunk_by(|one, other| one.0 == other.0) {
        groups.push(group.iter().map(|(_, one)| *one).collect());
    }
    groups
}

/// The points of one against another, the mean if there are several games (6.1.2); `None` if they have not met.
fn mean(
    field: &Tournament,
    one: usize,
    other: usize,
    score: Score,
    forfeits: bool,
) -> Option<Ratio> {
    let (mut sum, mut games) = (Points::ZERO, 0);
    for entry in &field.rows[one].rounds {
        if entry.opponent == Some(other) && field.counts(entry, forfeits) {
            sum += entry.score(score);
            games += 1;
        }
    }
    if games == 0 {
        return None;
    }
    Some(sum.ratio().over(games))
}
