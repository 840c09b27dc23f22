//! Knockouts: the loser of a match is eliminated.

use crate::{
    ids::{RoundNo, TeamNo},
    team::{Pair, Round},
};

/// How many rounds a field of `count` participants takes.
#[must_use]
pub const fn rounds(count: u32) -> u32 {
    if count < 2 {
        0
    } else {
        (count as u64).next_power_of_two().trailing_zeros()
    }
}

/// The numbers in the order of the bracket, the upper half first: 1 and 2 can meet only in the final.
/// Places beyond the field are byes, and go to the best numbers.
#[must_use]
pub fn bracket(count: u32) -> Vec<Option<TeamNo>> {
    if count == 0 {
        return Vec::new();
    }
    let mut places = vec![1_u32];
    while (places.len() as u64) < u64::from(count) {
        let sum = places.len() as u32 * 2 + 1;
        let mut more = Vec::new();
        for seed in places {
            more.extend([seed, sum - seed]);
        }
        places = more;
    }
    let place = |seed| {
        if seed <= count {
            Some(TeamNo::new(seed))
        } else {
            None
        }
    };
    places.into_iter().map(place).collect()
}

/// The round of the remaining participants, in the order of the bracket. `alive` has one place for each meeting
/// of the round before (for the first round: [`bracket`]), `None` for a bye.
///
/// The upper of the two has White in rounds 1, 3, 5…
#[must_use]
pub fn round(alive: &[Option<TeamNo>], round: RoundNo) -> Round {
    let mut this = Round::default();
    for two in alive.chunks(2) {
        match (two[0], second(two)) {
            (Some(upper), Some(lower)) => {
                let pair = Pair::new(upper, lower);
                this.pairs.push(if round.index().is_multiple_of(2) {
                    pair
                } else {
                    pair.reversed()
                });
            }
            (Some(one), None) | (None, Some(one)) => this.free.push(one),
            (None, None) => {}
        }
    }
    this
}

/// The second of two places, if there is one and somebody has it.
fn second(two: &[Option<TeamNo>]) -> Option<TeamNo> {
    *two.get(1)?
}

/// The participants that advance, in the order of the bracket. `winner` decides each meeting; `None` if one of them
/// is not decided yet.
pub fn survivors(
    alive: &[Option<TeamNo>],
    mut winner: impl FnMut(TeamNo, TeamNo) -> Option<TeamNo>,
) -> Option<Vec<Option<TeamNo>>> {
    alive
        .chunks(2)
        .map(|two| match (two[0], second(two)) {
            (Some(upper), Some(lower)) => winner(upper, lower).map(Some),
            (one, other) => Some(one.or(other)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_meet_last() {
        let numbers = |count| {
            bracket(count)
                .into_iter()
                .map(|place| place.map_or(0, TeamNo::get))
                .collect::<Vec<_>>()
        };
        assert_eq!(numbers(8), [1, 8, 4, 5, 2, 7, 3, 6]);
        assert_eq!(numbers(5), [1, 0, 4, 5, 2, 0, 3, 0]);
        assert_eq!(numbers(1), [1]);
        for count in 2..40 {
            let mut alive = bracket(count);
            for this in RoundNo::first(rounds(count)) {
                assert!(round(&alive, this).free.is_empty() || this == RoundNo::new(1));
                alive = survivors(&alive, |a, b| Some(a.min(b))).unwrap();
            }
            assert_eq!(alive, [Some(TeamNo::new(1))]);
        }
    }
}
