//! Pairing numbers drawn by lot: the same seed gives the same numbers on every machine.

use crate::{
    ids::{RoundNo, TeamNo},
    round_robin::berger,
};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// A number for each of `count` participants, in their order.
#[must_use]
pub fn draw(count: usize, seed: u64) -> Vec<TeamNo> {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut numbers: Vec<TeamNo> = (0..count).map(TeamNo::at).collect();
    for left in (1..count).rev() {
        numbers.swap(left, below(&mut chance, left + 1));
    }
    numbers
}

/// A random number below `bound`.
pub(crate) fn below(chance: &mut ChaCha8Rng, bound: usize) -> usize {
    ((u64::from(chance.next_u32()) * bound as u64) >> 32) as usize
}

/// Changes numbers of a round robin so that participants of one group meet in early rounds. It swaps the two
/// numbers whose exchange helps most, until none helps: a local optimum, not always the best one. `groups` holds
/// the group of each participant, in the order of `numbers`; `None` is no group.
pub fn bring_together(numbers: &mut [TeamNo], groups: &[Option<usize>]) {
    let meet = rounds(numbers.len());
    loop {
        let now = cost(numbers, groups, &meet);
        let mut best = (now, 0, 0);
        for one in 0..numbers.len() {
            for other in one + 1..numbers.len() {
                if groups[one] == groups[other] {
                    continue;
                }
                numbers.swap(one, other);
                let cost = cost(numbers, groups, &meet);
                numbers.swap(one, other);
                if cost < best.0 {
                    best = (cost, one, other);
                }
            }
        }
        if best.0 == now {
            return;
        }
        numbers.swap(best.1, best.2);
    }
}

/// The round in which each two numbers meet, by the Berger table.
fn rounds(count: usize) -> Vec<Vec<RoundNo>> {
    let mut meet = vec![vec![RoundNo::default(); count]; count];
    for (round, table) in berger(count as u32, 1).into_iter().enumerate() {
        for pair in table.pairs {
            meet[pair.white.index()][pair.black.index()] = RoundNo::at(round);
            meet[pair.black.index()][pair.white.index()] = RoundNo::at(round);
        }
    }
    meet
}

/// The sum of the squares of the rounds in which members of a group meet: squares, so that late meetings weigh most.
fn cost(numbers: &[TeamNo], groups: &[Option<usize>], meet: &[Vec<RoundNo>]) -> u64 {
    let mut sum = 0;
    for one in 0..groups.len() {
        for other in one + 1..groups.len() {
            if groups[one].is_some() && groups[one] == groups[other] {
                let round = meet[numbers[one].index()][numbers[other].index()];
                sum += u64::from(round.get()).pow(2);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_once_each() {
        for count in 0..40 {
            let drawn = draw(count, 7);
            assert_eq!(drawn, draw(count, 7));
            let mut sorted = drawn;
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(TeamNo::first(count as u32)));
        }
        assert_eq!(draw(6, 1), [2, 5, 1, 6, 3, 4].map(TeamNo::new));
    }

    /// Every order of a few participants is drawn about as often as any other.
    #[test]
    fn all_orders_are_drawn() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..2400 {
            *counts.entry(draw(4, seed)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        assert!(
            counts.values().all(|count| (60..150).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn those_of_a_group_meet_early() {
        // Three groups of two among eight: each pair can meet in the first round.
        let groups = [
            Some(0),
            Some(1),
            Some(2),
            None,
            Some(0),
            Some(1),
            Some(2),
            None,
        ];
        for seed in 0..20 {
            let mut numbers = draw(8, seed);
            bring_together(&mut numbers, &groups);
            assert_eq!(cost(&numbers, &groups, &rounds(8)), 3, "{numbers:?}");
        }
        // One group of four: their meetings take three rounds.
        let groups = [Some(0), None, None, None, Some(0), None, Some(0), Some(0)];
        let meet = rounds(8);
        for seed in 0..20 {
            let mut numbers = draw(8, seed);
            let before = cost(&numbers, &groups, &meet);
            bring_together(&mut numbers, &groups);
            assert!(cost(&numbers, &groups, &meet) <= before);
        }
    }
}
