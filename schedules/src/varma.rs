//! Varma tables (FIDE Handbook C.05, annex 2): lots for a round robin, drawn so that participants of one federation do
//! not meet in the last three rounds if a set has enough numbers. The sets are those of the Handbook; in set C for 12
//! participants the numbers 6 and 12 meet in the last round all the same.

use crate::{ids::TeamNo, lots::below};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

/// The sets A, B, C and D for an even number of participants. For one participant fewer, the last number is left out.
const SETS: [(u32, [&[u32]; 4]); 8] = [
    (10, [&[3, 4, 8], &[5, 7, 9], &[1, 6], &[2, 10]]),
    (12, [&[4, 5, 9, 10], &[1, 2, 7], &[6, 8, 12], &[3, 11]]),
    (
        14,
        [&[4, 5, 6, 11, 12], &[1, 2, 8, 9], &[7, 10, 13], &[3, 14]],
    ),
    (
        16,
        [
            &[5, 6, 7, 12, 13, 14],
            &[1, 2, 3, 9, 10],
            &[8, 11, 15],
            &[4, 16],
        ],
    ),
    (
        18,
        [
            &[5, 6, 7, 8, 14, 15, 16],
            &[1, 2, 3, 10, 11, 12],
            &[9, 13, 17],
            &[4, 18],
        ],
    ),
    (
        20,
        [
            &[6, 7, 8, 9, 15, 16, 17, 18],
            &[1, 2, 3, 11, 12, 13, 14],
            &[5, 10, 19],
            &[4, 20],
        ],
    ),
    (
        22,
        [
            &[6, 7, 8, 9, 10, 17, 18, 19, 20],
            &[1, 2, 3, 4, 12, 13, 14, 15],
            &[11, 16, 21],
            &[5, 22],
        ],
    ),
    (
        24,
        [
            &[6, 7, 8, 9, 10, 11, 19, 20, 21, 22],
            &[1, 2, 3, 4, 13, 14, 15, 16, 17],
            &[12, 18, 23],
            &[5, 24],
        ],
    ),
];

/// The four sets of numbers, for 9 to 24 participants.
#[must_use]
pub fn sets(count: u32) -> Option<[Vec<TeamNo>; 4]> {
    let (_, sets) = SETS.iter().find(|(most, _)| *most == count + count % 2)?;
    Some(sets.map(|set| {
        set.iter()
            .filter(|number| **number <= count)
            .map(|number| TeamNo::new(*number))
            .collect()
    }))
}

/// A number for each participant. Each of `contingents` has the participants of one federation, by index, in the
/// order in which they draw. A contingent draws all its numbers from one set that has enough left, chosen by lot; if
/// no set has enough, it takes the fullest ones one after the other. `None` if there is no table.
#[must_use]
pub fn draw(contingents: &[Vec<usize>], seed: u64) -> Option<Vec<TeamNo>> {
    let count = contingents.iter().map(Vec::len).sum::<usize>();
    let mut sets = sets(u32::try_from(count).ok()?)?;
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut numbers = vec![TeamNo::default(); count];
    for members in contingents {
        let enough: Vec<usize> = (0..sets.len())
            .filter(|set| sets[*set].len() >= members.len())
            .collect();
        let chosen = if enough.is_empty() {
            None
        } else {
            Some(enough[below(&mut chance, enough.len())])
        };
        for member in members {
            let largest = || (0..sets.len()).max_by_key(|set| (sets[*set].len(), sets.len() - set));
            let set = chosen.or_else(largest)?;
            let place = below(&mut chance, sets[set].len());
            *numbers.get_mut(*member)? = sets[set].remove(place);
        }
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round_robin::berger;

    /// The sets are complete, and by the Berger tables no two participants of one set meet in the last three rounds.
    #[test]
    fn sets_keep_their_own_apart_at_the_end() {
        for count in 9..=24_u32 {
            let found = sets(count).unwrap();
            let mut all: Vec<TeamNo> = found.iter().flatten().copied().collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(TeamNo::first(count)), "{count}");
            let table = berger(count, 1);
            for round in &table[table.len() - 3..] {
                for pair in &round.pairs {
                    let meet =
                        |set: &&Vec<TeamNo>| set.contains(&pair.white) && set.contains(&pair.black);
                    // As the Handbook prints it, in all editions.
                    let is_known =
                        count == 12 && pair.unordered() == (TeamNo::new(6), TeamNo::new(12));
                    assert!(
                        is_known || found.iter().all(|set| !meet(&set)),
                        "{count}: {pair:?}"
                    );
                }
            }
        }
        assert!(sets(8).is_none() && sets(25).is_none());
    }

    #[test]
    fn a_contingent_draws_from_one_set() {
        let contingents = vec![
            vec![0, 3, 5, 7],
            vec![1, 2],
            vec![4],
            vec![6],
            vec![8],
            vec![9],
            vec![10],
            vec![11],
        ];
        for seed in 0..50 {
            let numbers = draw(&contingents, seed).unwrap();
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(TeamNo::first(12)));
            let sets = sets(12).unwrap();
            for members in &contingents {
                let of = |set: &Vec<TeamNo>| {
                    members.iter().all(|member| set.contains(&numbers[*member]))
                };
                assert!(sets.iter().any(of), "{numbers:?}");
            }
            assert_eq!(draw(&contingents, seed).unwrap(), numbers);
        }
        // A contingent larger than any set: everyone still gets a number.
        let numbers = draw(&[(0..7).collect(), vec![7], vec![8], vec![9]], 3).unwrap();
        assert_eq!(
            numbers
                .iter()
                .collect::<std::collections::BTreeSet<_>>()
                .len(),
            10
        );
    }
}
