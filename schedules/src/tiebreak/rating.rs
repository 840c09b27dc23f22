//! Ratings of the opponents met over the board (article 10), by the tables of the FIDE Rating Regulations
//! (B.02, 8.1).

use super::{Code, TieBreak};
use crate::{
    points::{Points, Ratio},
    tournament::{Kind, RoundEntry, Tournament},
};

/// The rating difference for a share of the points from 50 to 100 per cent.
const DIFFERENCE: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// The largest rating difference at which the higher rated player is expected to score 50 to 99 per cent.
const EXPECTED: [i64; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162,
    170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374,
    391, 411, 432, 456, 484, 517, 559, 619, 735,
];

/// The value of a tie-break on ratings; `None` for a participant without rated opponents.
pub(super) fn value(this: &TieBreak, field: &Tournament, row: usize) -> Option<Ratio> {
    let whole = |number: i64| Ratio::new(number, 1);
    match this.code {
        Code::Rating => Some(whole(i64::from(field.rows[row].rating?))),
        Code::AverageRating => average_rating(this, field, row).map(whole),
        Code::Performance => performance(field, row).map(whole),
        Code::PerfectPerformance => perfect(field, row).map(whole),
        Code::AveragePerformance => opponents_mean(field, row, performance),
        Code::AveragePerfect => opponents_mean(field, row, perfect),
        _ => None,
    }
}

/// The ratings of the rated opponents, and the points against them together, a win being 1.
fn rated(field: &Tournament, row: usize) -> (Vec<i64>, Ratio) {
    let win = i64::from(field.worth(field.primary).win.0.max(1));
    let mut ratings = Vec::new();
    let mut sum = Points::ZERO;
    for (entry, opponent) in played(field, row) {
        if let Some(rating) = field.rows[opponent].rating {
            ratings.push(i64::from(rating));
            sum += entry.score(field.primary);
        }
    }
    (ratings, Ratio::new(i64::from(sum.0), win))
}

/// The rounds played over the board, each with the opponent.
fn played(field: &Tournament, row: usize) -> Vec<(&RoundEntry, usize)> {
    let mut played = Vec::new();
    for entry in &field.rows[row].rounds {
        if entry.kind == Kind::Played
            && let Some(opponent) = entry.opponent
        {
            played.push((entry, opponent));
        }
    }
    played
}

fn average_rating(this: &TieBreak, field: &Tournament, row: usize) -> Option<i64> {
    let (mut ratings, _) = rated(field, row);
    ratings.sort_unstable();
    let from = (this.cut.least as usize).min(ratings.len());
    let to = ratings.len().saturating_sub(this.cut.most as usize);
    mean(&ratings[from..to.max(from)])
}

/// The mean, rounded to a whole number, halves upwards; `None` of no numbers.
#[must_use]
pub fn mean(numbers: &[i64]) -> Option<i64> {
    if numbers.is_empty() {
        return None;
    }
    Some(Ratio::new(numbers.iter().sum(), numbers.len() as i64).rounded())
}

/// 10.2: the mean rating of the opponents, plus the difference for the share of the points.
fn performance(field: &Tournament, row: usize) -> Option<i64> {
    let (ratings, points) = rated(field, row);
    Some(mean(&ratings)? + rating_difference(points, ratings.len()))
}

/// The rating difference that belongs to these points, a win being 1, in so many games. The share of the points is
/// rounded to per cents, halves upwards.
#[must_use]
pub fn rating_difference(points: Ratio, games: usize) -> i64 {
    let hundred = (0..100).map(|_| points).sum::<Ratio>();
    let share = hundred.over(games as i64).rounded().clamp(0, 100);
    let difference = |share: i64| DIFFERENCE[(share - 50) as usize];
    if share < 50 {
        -difference(100 - share)
    } else {
        difference(share)
    }
}

/// 10.3: the lowest rating at which the points would have been expected; without any points, 800 below the lowest
/// opponent.
fn perfect(field: &Tournament, row: usize) -> Option<i64> {
    let (ratings, points) = rated(field, row);
    let (lowest, highest) = (ratings.iter().min()?, ratings.iter().max()?);
    if points == Ratio::ZERO {
        return Some(lowest - 800);
    }
    let is_enough = |own: i64| {
        let sum: i64 = ratings.iter().map(|rating| expected(own - rating)).sum();
        Ratio::new(sum, 100) >= points
    };
    let (mut below, mut enough) = (lowest - 801, highest + 800);
    while enough - below > 1 {
        let middle = below + (enough - below) / 2;
        if is_enough(middle) {
            enough = middle;
        } else {
            below = middle;
        }
    }
    Some(enough)
}

/// The expected score at a rating difference, in per cent (FIDE B.02 8.1.2).
pub(crate) fn expected(difference: i64) -> i64 {
    let passed = EXPECTED.partition_point(|most| difference.abs() > *most);
    let above = 50 + passed as i64;
    if difference < 0 { 100 - above } else { above }
}

/// 10.4, 10.5: the mean of a tie-break over the opponents met over the board.
fn opponents_mean(
    field: &Tournament,
    row: usize,
    of: impl Fn(&Tournament, usize) -> Option<i64>,
) -> Option<Ratio> {
    let mut values = Vec::new();
    for (_, opponent) in played(field, row) {
        values.extend(of(field, opponent));
    }
    Some(Ratio::new(mean(&values)?, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_symmetric_and_rise() {
        assert_eq!(
            (
                expected(0),
                expected(4),
                expected(-4),
                expected(735),
                expected(736)
            ),
            (50, 51, 49, 99, 100)
        );
        assert!(DIFFERENCE.windows(2).all(|two| two[0] < two[1]));
        assert!(EXPECTED.windows(2).all(|two| two[0] < two[1]));
    }
}
