//! Ratings of any number of players, whoever met whom.
//!
//! The model is that of Bradley and Terry on the Elo scale: White is expected to score `1 / (1 + 10^(-d / 400))` of the
//! points, where `d` is White's rating minus Black's plus the value of the first move, which is estimated together with
//! the ratings. A draw is half a win for each. The estimate is the maximum likelihood: with it, everyone's expected
//! score is their actual score, and so is White's. Its error follows from how far units of games were from their
//! expected scores (a covariance by units), so draws, and pairs of games that depend on each other, narrow or widen it
//! as they should.

use super::sample::{Interval, QUANTILE};
use overboard_formats::foreign::Foreign;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// A game: White, Black, White's half points.
type Met = (usize, usize, u8);
/// One game, or the two of a pair.
type Unit = [Option<Met>; 2];

/// Games of many players, counted by who met whom with which score.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PairedScores {
    players: Vec<Foreign>,
    places: HashMap<String, usize>,
    /// How often each unit occurred.
    units: BTreeMap<Unit, u64>,
    /// A pair of which one game has been counted.
    open: Option<(u64, Met)>,
}

/// A rated player.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Rating")
)]
pub struct Rated {
    /// The name.
    pub player: Foreign,
    /// Points, a draw being half of one.
    pub points: f64,
    /// The number of games.
    pub games: u64,
    /// The rating in Elo.
    pub rating: Interval,
}

/// Players whose ratings are comparable.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Ratings")
)]
pub struct Pool {
    /// The advantage of the first move, in Elo.
    pub first_move: Interval,
    /// The players, the best first.
    pub players: Vec<Rated>,
}

/// Elo per natural logarithm of odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
/// The most steps of the iteration.
const STEPS: usize = 200;
/// The change, in logarithms of odds, below which it has converged.
const SETTLED: f64 = 1e-12;
/// The logarithm of odds (more than 5,000 Elo) beyond which there is no estimate.
const BEYOND: f64 = 30.0;

impl PairedScores {
    /// Counts a game; games of one pair must follow one another.
    pub fn count(
        &mut self,
        [white, black]: [Foreign<&str>; 2],
        half_points: usize,
        pair: Option<u64>,
    ) {
        let met = (self.place(white), self.place(black), half_points as u8);
        if met.0 == met.1 {
            return;
        }
        match (self.open.take(), pair) {
            (Some((open, first)), Some(pair)) if open == pair => self.add([Some(first), Some(met)]),
            (open, pair) => {
                if let Some((_, alone)) = open {
                    self.add([Some(alone), None]);
                }
                match pair {
                    Some(pair) => self.open = Some((pair, met)),
                    None => self.add([Some(met), None]),
                }
            }
        }
    }

    fn place(&mut self, player: Foreign<&str>) -> usize {
        if let Some(place) = self.places.get(player.as_it_came()) {
            return *place;
        }
        self.players.push(player.kept());
        self.places
            .insert(player.as_it_came().to_owned(), self.players.len() - 1);
        self.players.len() - 1
    }

    fn add(&mut self, unit: Unit) {
        *self.units.entry(unit).or_default() += 1;
    }

    /// The players, in the order in which they first played.
    #[must_use]
    pub fn players(&self) -> &[Foreign] {
        &self.players
    }

    /// Units with their counts, including a pair that is not complete.
    fn units(&self) -> Vec<(Unit, u64)> {
        let mut units = Vec::from_iter(self.units.iter().map(|(unit, count)| (*unit, *count)));
        if let Some((_, met)) = self.open {
            units.push(([Some(met), None], 1));
        }
        units
    }

    /// The ratings of players that are comparable: between any two of them, in both directions, there is a chain of
    /// players each of whom took points off the next. A player in no such chain is in no pool. The mean
    /// rating of each pool is 0.
    #[must_use]
    pub fn pools(&self) -> Vec<Pool> {
        let units = self.units();
        let mut pools = Vec::new();
        for members in self.connected(&units) {
            pools.extend(self.pool(&members, &units));
        }
        pools.sort_by_key(|pool| std::cmp::Reverse(pool.players.len()));
        pools
    }

    /// The strongly connected components of who took points off whom, in the order of the players.
    fn connected(&self, units: &[(Unit, u64)]) -> Vec<Vec<usize>> {
        let count = self.players.len();
        let (mut takes, mut gives) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let mut took = |taker: usize, giver: usize| {
            takes[taker].push(giver);
            gives[giver].push(taker);
        };
        for (unit, _) in units {
            for (white, black, points) in unit.iter().flatten() {
                if *points > 0 {
                    took(*white, *black);
                }
                if *points < 2 {
                    took(*black, *white);
                }
            }
        }
        let mut part = vec![None; count];
        let mut parts = Vec::new();
        for from in 0..count {
            if part[from].is_some() {
                continue;
            }
            let (below, above) = (reached(from, &takes), reached(from, &gives));
            let mut members = Vec::new();
            for player in 0..count {
                if below[player] && above[player] {
                    part[player] = Some(parts.len());
                    members.push(player);
                }
            }
            parts.push(members);
        }
        parts.retain(|members| members.len() > 1);
        parts
    }

    fn pool(&self, members: &[usize], units: &[(Unit, u64)]) -> Option<Pool> {
        let units = among(members, units);
        // One more unknown in addition to the ratings: the value of the first move.
        let odds = likeliest(members.len(), &units)?;
        let spread = covariance(&odds, &units)?;
        let around = |at: usize| {
            Interval::around(
                SCALE * odds[at],
                SCALE * QUANTILE * spread[at].max(0.0).sqrt(),
            )
        };
        let mut players = Vec::new();
        for (at, player) in members.iter().enumerate() {
            let (points, games) = points_of(at, &units);
            players.push(Rated {
                player: self.players[*player].clone(),
                points,
                games: games as u64,
                rating: around(at),
            });
        }
        let value = |rated: &Rated| rated.rating.value.unwrap_or_default();
        players.sort_by(|a, b| value(b).total_cmp(&value(a)));
        Some(Pool {
            players,
            first_move: around(members.len()),
        })
    }
}

/// The units that these players played among themselves, with their places in this list.
fn among(members: &[usize], units: &[(Unit, u64)]) -> Vec<(Unit, f64)> {
    let seats = members.iter().enumerate();
    let seat: HashMap<usize, usize> = seats.map(|(at, player)| (*player, at)).collect();
    let inside =
        |(white, black, points): Met| Some((*seat.get(&white)?, *seat.get(&black)?, points));
    let mut among = Vec::new();
    for (unit, count) in units {
        let unit = unit.map(|met| met.and_then(inside));
        if unit != [None, None] {
            among.push((unit, *count as f64));
        }
    }
    among
}

/// The points and the games of the player in this place.
fn points_of(at: usize, units: &[(Unit, f64)]) -> (f64, f64) {
    let (mut points, mut games) = (0.0, 0.0);
    for (unit, count) in units {
        for (white, black, half) in unit.iter().flatten() {
            let own = if *white == at { *half } else { 2 - *half };
            if [*white, *black].contains(&at) {
                points += count * f64::from(own) / 2.0;
                games += count;
            }
        }
    }
    (points, games)
}

/// The players that can be reached from one player.
fn reached(from: usize, ways: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; ways.len()];
    let mut stack = vec![from];
    while let Some(player) = stack.pop() {
        if !std::mem::replace(&mut seen[player], true) {
            stack.extend(ways[player].iter().filter(|next| !seen[**next]));
        }
    }
    seen
}

/// White's expected score, and its derivative by the odds.
fn expected(odds: &[f64], (white, black, _): Met) -> (f64, f64) {
    let first_move = odds.last().copied().unwrap_or_default();
    let share = 1.0 / (1.0 + (odds[black] - odds[white] - first_move).exp());
    (share, share * (1.0 - share))
}

/// The derivative of a game's odds by each unknown: White's rating, Black's, the first move.
fn terms((white, black, _): Met, last: usize) -> [(usize, f64); 3] {
    [(white, 1.0), (black, -1.0), (last, 1.0)]
}

/// The curvature of the likelihood at these odds, constrained to a mean of 0.
fn curvature(odds: &[f64], units: &[(Unit, f64)]) -> Vec<Vec<f64>> {
    let (size, players) = (odds.len(), odds.len() - 1);
    let mut matrix = vec![vec![0.0; size]; size];
    for (unit, count) in units {
        for met in unit.iter().flatten() {
            let (_, slope) = expected(odds, *met);
            for (row, one) in terms(*met, players) {
                for (column, other) in terms(*met, players) {
                    matrix[row][column] += count * slope * one * other;
                }
            }
        }
    }
    // Adding a constant to all ratings changes nothing, so the matrix would be singular; this fixes their mean only.
    for row in &mut matrix[..players] {
        for cell in &mut row[..players] {
            *cell += 1.0;
        }
    }
    matrix
}

/// The logarithm of the likelihood of all scores at these odds.
fn likelihood(odds: &[f64], units: &[(Unit, f64)]) -> f64 {
    let of = |met: &Met| {
        let (share, _) = expected(odds, *met);
        let points = f64::from(met.2) / 2.0;
        points * share.max(f64::MIN_POSITIVE).ln()
            + (1.0 - points) * (1.0 - share).max(f64::MIN_POSITIVE).ln()
    };
    units
        .iter()
        .map(|(unit, count)| count * unit.iter().flatten().map(of).sum::<f64>())
        .sum()
}

/// The maximum likelihood odds, the last being that of the first move; `None` if there is no finite maximum.
fn likeliest(players: usize, units: &[(Unit, f64)]) -> Option<Vec<f64>> {
    let mut odds = vec![0.0; players + 1];
    let mut now = likelihood(&odds, units);
    for _ in 0..STEPS {
        let mut slope = vec![0.0; odds.len()];
        for (unit, count) in units {
            for met in unit.iter().flatten() {
                let off = f64::from(met.2) / 2.0 - expected(&odds, *met).0;
                for (at, sign) in terms(*met, players) {
                    slope[at] += count * off * sign;
                }
            }
        }
        let step = solve(curvature(&odds, units), slope)?;
        // A full step may go too far; then half of it is tried, and so on.
        let mut part = 1.0;
        let (next, then) = loop {
            let steps = odds.iter().zip(&step);
            let next: Vec<f64> = steps.map(|(odds, step)| odds + part * step).collect();
            let then = likelihood(&next, units);
            if then >= now || part < 1e-9 {
                break (next, then);
            }
            part /= 2.0;
        };
        (odds, now) = (next, then);
        let is_bounded = |odds: &f64| odds.is_finite() && odds.abs() <= BEYOND;
        if !odds.iter().all(is_bounded) {
            return None;
        }
        if step.iter().all(|step| part * step.abs() < SETTLED) {
            break;
        }
    }
    Some(odds)
}

/// The variances of the odds: those of the units' scores, with the curvature on both sides (a sandwich estimate).
fn covariance(odds: &[f64], units: &[(Unit, f64)]) -> Option<Vec<f64>> {
    let size = odds.len();
    let mut inverse = Vec::new();
    for at in 0..size {
        let mut right = vec![0.0; size];
        right[at] = 1.0;
        inverse.push(solve(curvature(odds, units), right)?);
    }
    let mut variances = vec![0.0; size];
    for (unit, count) in units {
        let mut slope = vec![0.0; size];
        for met in unit.iter().flatten() {
            let off = f64::from(met.2) / 2.0 - expected(odds, *met).0;
            for (at, sign) in terms(*met, size - 1) {
                slope[at] += off * sign;
            }
        }
        for (variance, row) in variances.iter_mut().zip(&inverse) {
            let terms = row.iter().zip(&slope);
            let moved: f64 = terms.map(|(cell, slope)| cell * slope).sum();
            *variance += count * moved * moved;
        }
    }
    Some(variances)
}

/// Solves linear equations by elimination; `None` if they have no unique solution.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for at in 0..size {
        let pivot =
            (at..size).max_by(|a, b| matrix[*a][at].abs().total_cmp(&matrix[*b][at].abs()))?;
        if matrix[pivot][at].abs() < 1e-12 {
            return None;
        }
        matrix.swap(at, pivot);
        right.swap(at, pivot);
        for row in at + 1..size {
            let factor = matrix[row][at] / matrix[at][at];
            if factor != 0.0 {
                let (above, below) = matrix.split_at_mut(row);
                for (cell, over) in below[0][at..].iter_mut().zip(&above[at][at..]) {
                    *cell -= factor * over;
                }
                right[row] -= factor * right[at];
            }
        }
    }
    for at in (0..size).rev() {
        let known: f64 = (at + 1..size)
            .map(|column| matrix[at][column] * right[column])
            .sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(games: &[(&str, &str, usize, u64)]) -> PairedScores {
        let mut field = PairedScores::default();
        for (white, black, points, count) in games {
            for _ in 0..*count {
                field.count([*white, *black].map(Foreign::new), *points, None);
            }
        }
        field
    }

    #[test]
    fn two_players_are_as_far_apart_as_their_share_says() {
        let pools = field(&[
            ("a", "b", 2, 30),
            ("a", "b", 0, 10),
            ("b", "a", 2, 10),
            ("b", "a", 0, 30),
        ])
        .pools();
        let [pool] = &pools[..] else {
            panic!("{pools:?}")
        };
        let [a, b] = [0, 1].map(|at| pool.players[at].rating.value.unwrap());
        assert!((a - b - super::super::elo(0.75).unwrap()).abs() < 1e-9 && (a + b).abs() < 1e-9);
        assert!(pool.first_move.value.unwrap().abs() < 1e-9);
        // Eighty games between the same two: the delta method by hand.
        let half = QUANTILE * SCALE / (80.0_f64 * 0.75 * 0.25).sqrt() / 2.0;
        assert!((pool.players[0].rating.half().unwrap() - half).abs() < 1e-6);
    }

    #[test]
    fn the_first_move_is_reported_from_strength() {
        let pools = field(&[
            ("a", "b", 2, 60),
            ("a", "b", 0, 20),
            ("b", "a", 2, 60),
            ("b", "a", 0, 20),
        ])
        .pools();
        let first_move = pools[0].first_move.value.unwrap();
        assert!((first_move - super::super::elo(0.75).unwrap()).abs() < 1e-9);
        assert!(
            pools[0]
                .players
                .iter()
                .all(|player| player.rating.value.unwrap().abs() < 1e-9)
        );
    }

    #[test]
    fn who_cannot_be_compared_is_not_rated() {
        let games = [
            ("a", "b", 2, 5),
            ("a", "b", 0, 2),
            ("b", "a", 1, 2),
            ("b", "c", 2, 9),
            ("c", "d", 1, 4),
            ("d", "c", 1, 4),
        ];
        let pools = field(&games).pools();
        let names = |pool: &Pool| {
            pool.players
                .iter()
                .map(|rated| rated.player.clone())
                .collect::<Vec<_>>()
        };
        let all: Vec<_> = pools.iter().map(names).collect();
        assert_eq!(all.len(), 2, "{all:?}");
        assert!(all.iter().all(|names| names.len() == 2), "{all:?}");
        assert_eq!(field(&[("a", "b", 2, 5)]).pools(), []);
        assert_eq!(PairedScores::default().pools(), []);
    }

    #[test]
    fn pairs_that_even_out_leave_less_in_doubt() {
        let (mut paired, mut single) = (PairedScores::default(), PairedScores::default());
        for pair in 0..50 {
            // The opening decides whether White or Black wins, whoever that is: a pair says nothing about the players.
            let won = if pair % 2 == 0 { 2 } else { 0 };
            for (players, drawn) in [(["a", "b"], pair % 10 == 0), (["b", "a"], pair % 10 == 5)] {
                let points = if drawn { 1 } else { won };
                let players = players.map(Foreign::new);
                paired.count(players, points, Some(pair));
                single.count(players, points, None);
            }
        }
        let half = |field: &PairedScores| field.pools()[0].players[0].rating.half().unwrap();
        assert!(
            half(&paired) < half(&single) / 2.0,
            "{} {}",
            half(&paired),
            half(&single)
        );
    }
}
