//! Round robins: everyone meets everyone, by the Berger tables (C.05, annex 1).

use crate::{
    ids::TeamNo,
    team::{Pair, Round},
};

/// The rounds in which `count` participants meet each other `cycles` times.
///
/// If `count` is odd, one participant is free in every round. Colours are reversed in every second cycle, and the
/// last two rounds of a cycle are exchanged if another cycle follows, so that no participant has a colour
/// three times running in a double round robin (C.05).
#[must_use]
pub fn berger(count: u32, cycles: u32) -> Vec<Round> {
    (0..rounds_of_a_cycle(count) * cycles)
        .map(|round| berger_round(count, cycles, round))
        .collect()
}

/// One of these rounds, from 0: all of many participants need much memory.
#[must_use]
pub fn berger_round(count: u32, cycles: u32, round: u32) -> Round {
    let rounds = rounds_of_a_cycle(count);
    let (cycle, within) = (round / rounds, round % rounds);
    let is_exchanged = cycle + 1 < cycles && rounds > 1;
    let within = match rounds - within {
        1 if is_exchanged => within - 1,
        2 if is_exchanged => within + 1,
        _ => within,
    };
    cycle_round(count, within, cycle % 2 == 1)
}

/// How many rounds it takes until everyone has met everyone once.
#[must_use]
pub const fn rounds_of_a_cycle(count: u32) -> u32 {
    if count < 2 { 0 } else { count + count % 2 - 1 }
}

fn cycle_round(count: u32, round: u32, reversed: bool) -> Round {
    let even = count + count % 2;
    let mut this = Round::default();
    for board in 0..even / 2 {
        let pair = pair(even, round, board);
        match (pair.white.get() > count, pair.black.get() > count) {
            (true, _) => this.free.push(pair.black),
            (_, true) => this.free.push(pair.white),
            _ if reversed => this.pairs.push(pair.reversed()),
            _ => this.pairs.push(pair),
        }
    }
    this
}

/// The pair at a board of a round, both from 0, in closed form; `even` is the even number of the table.
const fn pair(even: u32, round: u32, board: u32) -> Pair {
    let circle = even - 1;
    let first = (round as u64 * (even / 2) as u64 % circle as u64) as u32;
    if board == 0 {
        let fixed = Pair::new(TeamNo::new(first + 1), TeamNo::new(even));
        return if round.is_multiple_of(2) {
            fixed
        } else {
            fixed.reversed()
        };
    }
    let [one, other] = [(first + board) % circle, (first + circle - board) % circle];
    Pair::new(TeamNo::new(one + 1), TeamNo::new(other + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(rounds: &[Round]) -> String {
        let round = |round: &Round| {
            let pairs = round
                .pairs
                .iter()
                .map(|pair| format!("{}-{}", pair.white, pair.black));
            pairs
                .chain(round.free.iter().map(|free| format!("({free})")))
                .collect::<Vec<_>>()
                .join(" ")
        };
        rounds.iter().map(round).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn tables_as_the_handbook_prints_them() {
        assert_eq!(written(&berger(4, 1)), "1-4 2-3 | 4-3 1-2 | 2-4 3-1");
        assert_eq!(
            written(&berger(6, 1)),
            "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1"
        );
        let eight = "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | \
                     3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1";
        assert_eq!(written(&berger(8, 1)), eight);
    }

    #[test]
    fn an_odd_field_leaves_the_last_number_out() {
        assert_eq!(written(&berger(3, 1)), "2-3 (1) | 1-2 (3) | 3-1 (2)");
        assert!(berger(0, 1).is_empty() && berger(1, 3).is_empty());
    }

    #[test]
    fn the_second_cycle_follows_two_swapped_rounds() {
        assert_eq!(
            written(&berger(4, 2)),
            "1-4 2-3 | 2-4 3-1 | 4-3 1-2 | 4-1 3-2 | 3-4 2-1 | 4-2 1-3"
        );
    }
}
