//! Scheveningen tables: every player of one group meets every player of another.

use crate::{
    ids::TeamNo,
    team::{Pair, Round},
};

/// The rounds in which each of `size` players of group A meets each of group B `cycles` times, every other time with
/// colours reversed. Group A has the numbers from 1 to `size`, group B those after.
#[must_use]
pub fn scheveningen(size: u32, cycles: u32) -> Vec<Round> {
    (0..size * cycles)
        .map(|round| scheveningen_round(size, round))
        .collect()
}

/// One of these rounds, from 0: all of large groups need much memory.
#[must_use]
pub fn scheveningen_round(size: u32, round: u32) -> Round {
    let (cycle, within) = (round / size, round % size);
    let of_player = |player: u32| {
        let pair = pair(size, player, (player + within) % size);
        if cycle % 2 == 1 {
            pair.reversed()
        } else {
            pair
        }
    };
    Round {
        pairs: (0..size).map(of_player).collect(),
        free: Vec::new(),
    }
}

fn pair(size: u32, a: u32, b: u32) -> Pair {
    let pair = Pair::new(TeamNo::new(a + 1), TeamNo::new(size + b + 1));
    if a_has_white(size, a, b) {
        pair
    } else {
        pair.reversed()
    }
}

/// Whether player `a` of group A has White against player `b` of group B, both from 0. It is balanced for each player
/// and round if the size is odd or a multiple of 4; else the players of group B are one game off balance.
const fn a_has_white(size: u32, a: u32, b: u32) -> bool {
    let sum = (a + b) % size;
    if size % 2 == 1 {
        if sum == 0 {
            a.is_multiple_of(2)
        } else {
            sum.is_multiple_of(2)
        }
    } else {
        sum.is_multiple_of(2) != (a < size / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games with White minus games with Black of a player.
    fn balance(size: u32, number: TeamNo) -> i32 {
        let pairs = scheveningen(size, 1);
        pairs
            .iter()
            .flat_map(|round| &round.pairs)
            .map(|pair| i32::from(pair.white == number) - i32::from(pair.black == number))
            .sum()
    }

    #[test]
    fn colours_are_balanced() {
        for size in 1..=20_u32 {
            let off = if size % 4 == 2 { 2 } else { (size % 2) as i32 };
            for number in TeamNo::first(2 * size) {
                assert!(balance(size, number).abs() <= off, "{number} of {size}");
            }
            if size % 2 == 0 {
                assert!(
                    TeamNo::first(size).all(|number| balance(size, number) == 0),
                    "group A of {size}"
                );
            }
            for round in scheveningen(size, 1) {
                let whites = round
                    .pairs
                    .iter()
                    .filter(|pair| pair.white.get() <= size)
                    .count() as i32;
                assert!(
                    (2 * whites - size as i32).abs() <= (size % 2) as i32,
                    "rounds of {size}"
                );
            }
        }
    }
}
