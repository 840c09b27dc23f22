//! Acceleration (C.04.7): virtual points that are added to the scores of some teams in the first rounds.

use crate::{
    ids::{RoundNo, TeamNo},
    points::Points,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which teams have virtual points, and in which rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acceleration {
    /// Baku acceleration: the first half of the teams, in the first half of the rounds.
    Baku,
    /// As record 250 of a FIDE Tournament Report File lists them.
    Listed(Vec<Range>),
}

/// Virtual points of consecutive teams in consecutive rounds. Both ends are included and count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The points in each of the rounds.
    pub points: Points,
    /// First and last round.
    pub rounds: [RoundNo; 2],
    /// First and last number.
    pub teams: [TeamNo; 2],
}

impl Range {
    /// Whether it covers a team in a round.
    #[must_use]
    pub fn holds(&self, team: TeamNo, round: RoundNo) -> bool {
        let ([from, to], [first, last]) = (self.rounds, self.teams);
        (first..=last).contains(&team) && (from..=to).contains(&round)
    }
}

impl Acceleration {
    /// Checks a list: ranges ascend and start at 1 or later, and no two of them give one team points in one round.
    ///
    /// # Errors
    /// The index of the first wrong range, from 0, and why it is wrong, in words.
    pub fn validate(&self) -> Result<(), (usize, String)> {
        let Self::Listed(ranges) = self else {
            return Ok(());
        };
        for (index, range) in ranges.iter().enumerate() {
            let (rounds, teams) = (range.rounds.map(RoundNo::get), range.teams.map(TeamNo::get));
            for (what, [first, last]) in [("rounds", rounds), ("teams", teams)] {
                if first == 0 || last < first {
                    let found = format!(
                        "{what} are the first and the last, such as [1, 3], not [{first}, {last}]"
                    );
                    return Err((index, found));
                }
            }
        }
        two_that_meet(ranges).map_or(Ok(()), |index| {
            let (round, team) = (ranges[index].rounds[0], ranges[index].teams[0]);
            let found = format!(
                "two ranges give one team points in one round, from round {round} and team {team} on"
            );
            Err((index, found))
        })
    }

    /// The virtual points of each round, from round 1, of the team `tpn` at index `place` in the order of numbers;
    /// rounds after the last one have none. `win` and `draw` are the match points of a won and a drawn match.
    #[must_use]
    pub fn of(
        &self,
        team: TeamNo,
        place: usize,
        teams: usize,
        rounds: u16,
        win: Points,
        draw: Points,
    ) -> Vec<Points> {
        match self {
            Self::Baku => baku(place, teams, rounds, win, draw),
            Self::Listed(ranges) => {
                let in_round = |round| {
                    let found = ranges.iter().find(|range| range.holds(team, round));
                    found.map_or(Points::ZERO, |range| range.points)
                };
                RoundNo::first(rounds.into()).map(in_round).collect()
            }
        }
    }
}

/// The later one of two ranges that cover one team in one round.
fn two_that_meet(ranges: &[Range]) -> Option<usize> {
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    order.sort_by_key(|index| ranges[*index].rounds[0]);
    // Ranges that may still last, by their first team: no two of them share a team.
    let mut open: BTreeMap<TeamNo, usize> = BTreeMap::new();
    for index in order {
        let range = &ranges[index];
        while let Some((first, below)) = open.range(..=range.teams[1]).next_back() {
            let (first, below) = (*first, *below);
            if ranges[below].rounds[1] < range.rounds[0] {
                open.remove(&first);
            } else if ranges[below].teams[1] < range.teams[0] {
                break;
            } else {
                return Some(index.max(below));
            }
        }
        open.insert(range.teams[0], index);
    }
    None
}

/// The virtual points of each round, from round 1, of the team at index `place` in the order of numbers;
/// rounds after the last one in the list have none. `win` and `draw` are the match points of a won and a drawn
/// match.
///
/// The first group is the first half of the teams, rounded up to an even number. The first half of the rounds,
/// rounded up, is accelerated: the first half of those, rounded up, with the points of a win, the others with
/// those of a draw.
#[must_use]
pub fn baku(place: usize, teams: usize, rounds: u16, win: Points, draw: Points) -> Vec<Points> {
    if place >= 2 * teams.div_ceil(4) {
        return Vec::new();
    }
    let accelerated = usize::from(rounds).div_ceil(2);
    let full = accelerated.div_ceil(2);
    (0..accelerated)
        .map(|round| if round < full { win } else { draw })
        .collect()
}

/// The same as a list, for formats that have no name for it.
#[must_use]
pub fn baku_listed(teams: u16, rounds: u16, win: Points, draw: Points) -> Vec<Range> {
    let last = 2 * teams.div_ceil(4);
    let accelerated = rounds.div_ceil(2);
    let full = accelerated.div_ceil(2);
    let range = |points, rounds: [u16; 2]| Range {
        points,
        rounds: rounds.map(|round| RoundNo::new(round.into())),
        teams: [1, last.min(teams)].map(|team| TeamNo::new(team.into())),
    };
    let all = [range(win, [1, full]), range(draw, [full + 1, accelerated])];
    all.into_iter()
        .filter(|range| range.rounds[0] <= range.rounds[1])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: Points = Points(20);
    const DRAW: Points = Points(10);

    #[test]
    fn eleven_rounds_have_three_and_three() {
        let points = baku(3, 10, 11, WIN, DRAW);
        assert_eq!(points, [WIN, WIN, WIN, DRAW, DRAW, DRAW]);
        // Ten teams: the first half is five, rounded up to six.
        assert!(!baku(5, 10, 11, WIN, DRAW).is_empty() && baku(6, 10, 11, WIN, DRAW).is_empty());
        assert_eq!(baku(0, 10, 9, WIN, DRAW), [WIN, WIN, WIN, DRAW, DRAW]);
    }

    #[test]
    fn a_list_says_the_same() {
        for teams in 2..40_u16 {
            for rounds in 1..14 {
                let listed = Acceleration::Listed(baku_listed(teams, rounds, WIN, DRAW));
                listed.validate().unwrap();
                for team in TeamNo::first(teams.into()) {
                    let place = team.index();
                    let of = |how: &Acceleration| {
                        let mut points = how.of(team, place, usize::from(teams), rounds, WIN, DRAW);
                        points.resize(usize::from(rounds), Points::ZERO);
                        points
                    };
                    assert_eq!(
                        of(&listed),
                        of(&Acceleration::Baku),
                        "team {team} of {teams}, {rounds} rounds"
                    );
                }
            }
        }
    }

    #[test]
    fn ranges_that_meet_are_found_as_one_by_one() {
        let mut seed = 1_u64;
        let mut next = |most: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % most) as u32
        };
        let mut found = 0;
        for _ in 0..2000 {
            let mut some = |most| {
                let first = 1 + next(most);
                [first, first + next(3)]
            };
            let ranges: Vec<_> = (0..6)
                .map(|_| Range {
                    points: WIN,
                    rounds: some(9).map(RoundNo::new),
                    teams: some(12).map(TeamNo::new),
                })
                .collect();
            let meets = |one: &Range, other: &Range| {
                let [from, to] = one.rounds.map(RoundNo::get);
                let [first, last] = one.teams.map(TeamNo::get);
                (from..=to).map(RoundNo::new).any(|round| {
                    (first..=last)
                        .map(TeamNo::new)
                        .any(|team| other.holds(team, round))
                })
            };
            let any = (0..6).any(|at| ranges[..at].iter().any(|other| meets(&ranges[at], other)));
            let fault = Acceleration::Listed(ranges.clone()).validate();
            assert_eq!(fault.is_err(), any, "{ranges:?}");
            if let Err((at, _)) = fault {
                found += 1;
                assert!(
                    ranges[..at].iter().any(|other| meets(&ranges[at], other)),
                    "{ranges:?}"
                );
            }
        }
        assert!((200..1800).contains(&found), "{found}");
    }

    #[test]
    fn lists_that_contradict_themselves_are_refused() {
        let range = |rounds: [u32; 2], teams: [u32; 2]| Range {
            points: WIN,
            rounds: rounds.map(RoundNo::new),
            teams: teams.map(TeamNo::new),
        };
        let fault = |ranges: &[Range]| {
            Acceleration::Listed(ranges.to_vec())
                .validate()
                .unwrap_err()
                .1
        };
        assert!(fault(&[range([0, 2], [1, 4])]).starts_with("rounds are"));
        assert!(fault(&[range([1, 2], [4, 1])]).starts_with("teams are"));
        assert!(fault(&[range([1, 2], [1, 4]), range([2, 3], [4, 9])]).starts_with("two ranges"));
        Acceleration::Listed(vec![range([1, 2], [1, 4]), range([3, 3], [1, 4])])
            .validate()
            .unwrap();
    }
}
