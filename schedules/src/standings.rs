//! Standings: the rank of each participant, and why.

use crate::{
    tiebreak::{Code, Term, TieBreak, Value, order},
    tournament::Tournament,
};
use serde::Serialize;
use std::cmp::Ordering;

/// A participant's place in the standings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StandingsPlace {
    /// The place, from 1; participants that are still tied share it.
    pub rank: u32,
    /// The participant, by index.
    pub row: usize,
    /// The value of each criterion: the primary score, then the tie-breaks.
    pub values: Vec<Value>,
}

/// A criterion, and what it says about two participants.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// The criterion.
    pub code: String,
    /// The article that defines it.
    pub article: &'static str,
    /// What the criterion is, in a few words.
    pub gist: &'static str,
    /// Its values for the two.
    pub values: [Value; 2],
    /// Its terms for the two, if it is a sum.
    pub terms: [Vec<Term>; 2],
    /// Which of the two it puts first: 0 or 1; null if they are equal.
    pub first: Option<usize>,
}

/// All participants in order: by the first criterion, those still tied by the next, and so on (4.2).
#[must_use]
pub fn standings(field: &Tournament, criteria: &[TieBreak]) -> Vec<StandingsPlace> {
    let mut groups = vec![(0..field.rows.len()).collect::<Vec<_>>()];
    let mut values = vec![Vec::with_capacity(criteria.len()); field.rows.len()];
    for criterion in criteria {
        let mut smaller = Vec::new();
        for group in groups {
            smaller.extend(split(field, criterion, &group, &mut values));
        }
        groups = smaller;
    }
    let mut places = Vec::with_capacity(field.rows.len());
    for mut group in groups {
        let rank = places.len() as u32 + 1;
        group.sort_by_key(|row| field.rows[*row].number);
        places.extend(group.iter().map(|row| StandingsPlace {
            rank,
            row: *row,
            values: std::mem::take(&mut values[*row]),
        }));
    }
    places
}

/// Splits tied participants by a criterion, and records its values.
fn split(
    field: &Tournament,
    criterion: &TieBreak,
    tied: &[usize],
    values: &mut [Vec<Value>],
) -> Vec<Vec<usize>> {
    if criterion.is_among_tied() {
        let groups = order(criterion, field, tied);
        for (place, group) in (1..).zip(&groups) {
            let value = if tied.len() > 1 {
                Value::Place(place)
            } else {
                Value::None
            };
            for row in group {
                values[*row].push(value.clone());
            }
        }
        return groups;
    }
    let mut valued: Vec<_> = tied
        .iter()
        .map(|row| (criterion.value(field, *row), *row))
        .collect();
    for (value, row) in &valued {
        values[*row].push(value.clone());
    }
    // 12.1: BC only compares those with equal game points.
    if criterion.code == Code::BoardCount && !have_equal_game_points(field, tied) {
        return vec![tied.to_vec()];
    }
    valued.sort_by(|one, other| criterion.compare(&one.0, &other.0));
    let equal = |one: &(Value, usize), other: &(Value, usize)| {
        criterion.compare(&one.0, &other.0) == Ordering::Equal
    };
    valued
        .chunk_by(equal)
        .map(|group| group.iter().map(|(_, row)| *row).collect())
        .collect()
}

fn have_equal_game_points(field: &Tournament, tied: &[usize]) -> bool {
    use crate::tournament::Score;
    tied.windows(2)
        .all(|two| field.total(two[0], Score::Game) == field.total(two[1], Score::Game))
}

/// Why two participants stand as they do: every criterion up to the one that separates them.
#[must_use]
pub fn why(field: &Tournament, criteria: &[TieBreak], two: [usize; 2]) -> Vec<Step> {
    let places = standings(field, criteria);
    let place = |row: usize| places.iter().find(|place| place.row == row);
    let (Some(one), Some(other)) = (place(two[0]), place(two[1])) else {
        return Vec::new();
    };
    let mut steps = Vec::new();
    for (index, criterion) in criteria.iter().enumerate() {
        let values = [one.values[index].clone(), other.values[index].clone()];
        // BC does not break a tie between unequal game points.
        let order = match criterion.compare(&values[0], &values[1]) {
            _ if criterion.code == Code::BoardCount && !have_equal_game_points(field, &two) => {
                Ordering::Equal
            }
            _ if criterion.is_among_tied() => {
                one.values[index].place().cmp(&other.values[index].place())
            }
            order => order,
        };
        let first = match order {
            Ordering::Less => Some(0),
            Ordering::Greater => Some(1),
            Ordering::Equal => None,
        };
        steps.push(Step {
            code: criterion.to_string(),
            article: criterion.code.article(),
            gist: criterion.code.gist(),
            values,
            terms: two.map(|row| criterion.terms(field, row).unwrap_or_default()),
            first,
        });
        if first.is_some() {
            break;
        }
    }
    steps
}
