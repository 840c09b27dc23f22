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
    let groups = match this.code {
        Code::DirectEncounter => direct(field, tied, this.on(field), this.forfeits),
        _ => extended(this, field, tied),
    };
    if this.reverse {
        groups.into_iter().rev().collect()
    } else {
        groups
    }
}

/// Article 6, repeated for participants that are still tied.
fn direct(field: &Tournament, tied: &[usize], score: Score, forfeits: bool) -> Vec<Vec<usize>> {
    let groups = once(field, tied, score, forfeits);
    if groups.len() < 2 {
        return groups;
    }
    groups
        .iter()
        .flat_map(|group| direct(field, group, score, forfeits))
        .collect()
}

/// 13.3: by one score, then by the other, then by the boards if only two are tied; repeated for those still tied
/// whenever a participant is separated.
fn extended(this: &TieBreak, field: &Tournament, tied: &[usize]) -> Vec<Vec<usize>> {
    let first = this.on(field);
    let scores = [first, first.other()].into_iter();
    let by_scores = scores
        .map(|score| once(field, tied, score, this.forfeits))
        .find(|groups| groups.len() > 1);
    let groups = by_scores.or_else(|| by_boards(this, field, tied));
    match groups {
        Some(groups) => groups
            .iter()
            .flat_map(|group| extended(this, field, group))
            .collect(),
        None => vec![tied.to_vec()],
    }
}

fn by_boards(this: &TieBreak, field: &Tournament, tied: &[usize]) -> Option<Vec<Vec<usize>>> {
    let [one, other] = *tied else { return None };
    let (first, second) = (
        boards::of_match(field, one, other),
        boards::of_match(field, other, one),
    );
    let count = || first.count.cmp(&second.count);
    let top = || second.top.cmp(&first.top);
    let bottom = || second.bottom.cmp(&first.bottom);
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
    let pairs = tied
        .iter()
        .flat_map(|one| tied.iter().map(move |other| (*one, *other)));
    let all_met = pairs
        .filter(|(one, other)| one != other)
        .all(|(one, other)| result(one, other).is_some());
    let known = |one: usize| -> Ratio { tied.iter().filter_map(|other| result(one, *other)).sum() };
    if all_met {
        return grouped(tied, known);
    }
    // 6.3: a participant that would be first whatever the missing results were comes first.
    let win = field.worth(score).win.ratio();
    let missing = |one: usize| {
        tied.iter()
            .filter(|other| **other != one && result(one, **other).is_none())
            .count()
    };
    let most = |one: usize| known(one) + (0..missing(one)).map(|_| win).sum();
    let mut left = tied.to_vec();
    let mut groups = Vec::new();
    while let Some(first) = left.iter().copied().find(|one| {
        left.iter()
            .all(|other| other == one || known(*one) > most(*other))
    }) {
        if left.len() == 1 {
            break;
        }
        left.retain(|one| *one != first);
        groups.push(vec![first]);
    }
    groups.push(left);
    groups
}

/// Groups of equal value, the greatest first.
fn grouped(tied: &[usize], value: impl Fn(usize) -> Ratio) -> Vec<Vec<usize>> {
    let mut valued: Vec<_> = tied.iter().map(|one| (value(*one), *one)).collect();
    valued.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
    valued
        .chunk_by(|one, other| one.0 == other.0)
        .map(|group| group.iter().map(|(_, one)| *one).collect())
        .collect()
}

/// The points of one against another, the mean if there are several games (6.1.2); `None` if they have not met.
fn mean(
    field: &Tournament,
    one: usize,
    other: usize,
    score: Score,
    forfeits: bool,
) -> Option<Ratio> {
    let rounds = field.rows[one].rounds.iter();
    let met: Vec<_> = rounds
        .filter(|entry| entry.opponent == Some(other) && field.counts(entry, forfeits))
        .map(|entry| entry.score(score))
        .collect();
    (!met.is_empty()).then(|| {
        met.iter()
            .copied()
            .sum::<Points>()
            .ratio()
            .over(met.len() as i64)
    })
}
