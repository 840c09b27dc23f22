//! Checks that a pairing is what its system requires.
//!
//! Everything here is counted from the pairing itself and shares no code with what made it: a checker that did
//! would repeat its mistakes.

use crate::{
    ids::{RoundNo, TeamNo},
    team::{Colour, Game, Pair, Round, Seat},
};
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong with a pairing. Rounds and boards count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckError {
    /// A number that no participant has.
    #[error("round {round}: no participant has the number {number}")]
    Unknown {
        /// The round.
        round: RoundNo,
        /// The unknown number.
        number: TeamNo,
    },
    /// A participant is in two pairs of one round.
    #[error("round {round}: {number} is paired more than once")]
    Twice {
        /// The round.
        round: RoundNo,
        /// The participant.
        number: TeamNo,
    },
    /// A participant is neither paired nor free.
    #[error("round {round}: {number} is missing")]
    Missing {
        /// The round.
        round: RoundNo,
        /// The participant.
        number: TeamNo,
    },
    /// A participant is paired with itself.
    #[error("round {round}: {number} is paired with itself")]
    Itself {
        /// The round.
        round: RoundNo,
        /// The participant.
        number: TeamNo,
    },
    /// A participant is free although an opponent was available.
    #[error("round {round}: {number} has no opponent, although one is possible")]
    Free {
        /// The round.
        round: RoundNo,
        /// The participant.
        number: TeamNo,
    },
    /// Two participants meet more often than they may.
    #[error(
        "round {round}: {first} and {second} meet once too often: {times} times so far, and {most} is the limit"
    )]
    Again {
        /// The round.
        round: RoundNo,
        /// The smaller number.
        first: TeamNo,
        /// The larger number.
        second: TeamNo,
        /// Which meeting of the two this is, from 1.
        times: u32,
        /// How often they may meet.
        most: u32,
    },
    /// Two participants have not met often enough by the end.
    #[error("{first} and {second} meet {times} times in all instead of {wanted}")]
    TooSeldom {
        /// The smaller number.
        first: TeamNo,
        /// The larger number.
        second: TeamNo,
        /// How often they meet.
        times: u32,
        /// How often they should.
        wanted: u32,
    },
    /// Two participants meet again with the same colours.
    #[error("round {round}: {first} and {second} meet again with the same colours")]
    SameColours {
        /// The round.
        round: RoundNo,
        /// The participant with White.
        first: TeamNo,
        /// The participant with Black.
        second: TeamNo,
    },
    /// A participant has one colour too often.
    #[error("{who} has White {white} times and Black {black} times")]
    Unbalanced {
        /// The participant.
        who: String,
        /// Games with White.
        white: u32,
        /// Games with Black.
        black: u32,
    },
    /// A participant has one colour three times running.
    #[error("round {round}: {who} has the same colour for the third time running")]
    ThreeRunning {
        /// The round.
        round: RoundNo,
        /// The participant.
        who: String,
    },
    /// Two participants of one group meet.
    #[error("round {round}: {first} and {second} are in the same group")]
    OneGroup {
        /// The round.
        round: RoundNo,
        /// The participant with White.
        first: TeamNo,
        /// The participant with Black.
        second: TeamNo,
    },
    /// A participant is paired that was eliminated before.
    #[error("round {round}: {number} was eliminated in an earlier round")]
    Out {
        /// The round.
        round: RoundNo,
        /// The participant.
        number: TeamNo,
    },
    /// Two participants meet that are not neighbours in the bracket.
    #[error("round {round}: {first} and {second} are not neighbours in the bracket")]
    Bracket {
        /// The round.
        round: RoundNo,
        /// The participant with White.
        first: TeamNo,
        /// The participant with Black.
        second: TeamNo,
    },
    /// A player meets a team-mate, or a second player of one team.
    #[error("round {round}: {who} meets team {team}, {why}")]
    Team {
        /// The round.
        round: RoundNo,
        /// The player.
        who: String,
        /// The team met.
        team: TeamNo,
        /// Why it may not be met.
        why: &'static str,
    },
    /// Players of boards that do not meet.
    #[error("round {round}: boards {first} and {second} meet")]
    Boards {
        /// The round.
        round: RoundNo,
        /// One board.
        first: u32,
        /// The other.
        second: u32,
    },
    /// More than one pair of neighbouring boards meets.
    #[error("round {round}: more than one player of boards {board} and {} meet each other", board + 1)]
    Floaters {
        /// The round.
        round: RoundNo,
        /// The upper board.
        board: u32,
    },
}

fn seat(seat: Seat) -> String {
    format!("team {}, board {}", seat.team, seat.board)
}

/// Checks of every round that each participant is in it once, and none meets itself.
#[must_use]
pub fn whole(count: u32, rounds: &[Round]) -> Vec<CheckError> {
    let mut faults = Vec::new();
    for (round, this) in RoundNo::all().zip(rounds) {
        let mut seen = BTreeSet::new();
        let paired = this.pairs.iter().flat_map(|pair| [pair.white, pair.black]);
        for number in paired.chain(this.free.iter().copied()) {
            if !(1..=count).contains(&number.get()) {
                faults.push(CheckError::Unknown { round, number });
            } else if !seen.insert(number) {
                faults.push(CheckError::Twice { round, number });
            }
        }
        let missing = TeamNo::first(count).filter(|number| !seen.contains(number));
        faults.extend(missing.map(|number| CheckError::Missing { round, number }));
        let itself = this.pairs.iter().filter(|pair| pair.white == pair.black);
        faults.extend(itself.map(|pair| CheckError::Itself {
            round,
            number: pair.white,
        }));
    }
    faults
}

/// Checks a round robin: everyone meets everyone once in each cycle, and colours change from meeting to
/// meeting. Rounds that have not been paired yet are not reported as missing.
#[must_use]
pub fn round_robin(count: u32, cycles: u32, rounds: &[Round]) -> Vec<CheckError> {
    let mut faults = whole(count, rounds);
    for (round, this) in RoundNo::all().zip(rounds) {
        let needless = this.free.iter().skip((count % 2) as usize);
        faults.extend(needless.map(|number| CheckError::Free {
            round,
            number: *number,
        }));
    }
    let length = (count + count % 2).saturating_sub(1) as usize;
    let mut meetings: BTreeMap<(TeamNo, TeamNo), (u32, Pair)> = BTreeMap::new();
    for (index, this) in rounds.iter().enumerate() {
        let round = RoundNo::at(index);
        let most = (index / length.max(1)) as u32 + 1;
        for pair in &this.pairs {
            let (first, second) = pair.unordered();
            let (times, last) = meetings
                .entry((first, second))
                .or_insert((0, pair.reversed()));
            *times += 1;
            if *times > most {
                faults.push(CheckError::Again {
                    round,
                    first,
                    second,
                    times: *times,
                    most,
                });
            } else if last == pair {
                faults.push(CheckError::SameColours {
                    round,
                    first: pair.white,
                    second: pair.black,
                });
            }
            *last = *pair;
        }
    }
    if rounds.len() == length * cycles as usize {
        faults.extend(too_seldom(count, cycles, &meetings));
        faults.extend(unbalanced(count, rounds));
    }
    if cycles == 2 {
        faults.extend(three_running(count, rounds));
    }
    faults
}

fn too_seldom(
    count: u32,
    wanted: u32,
    meetings: &BTreeMap<(TeamNo, TeamNo), (u32, Pair)>,
) -> Vec<CheckError> {
    let all = (1..=count).flat_map(|first| (first + 1..=count).map(move |second| (first, second)));
    let all = all.map(|(first, second)| (TeamNo::new(first), TeamNo::new(second)));
    let times = |two: (TeamNo, TeamNo)| (two, meetings.get(&two).map_or(0, |(times, _)| *times));
    all.map(times)
        .filter(|(_, times)| *times < wanted)
        .map(|((first, second), times)| CheckError::TooSeldom {
            first,
            second,
            times,
            wanted,
        })
        .collect()
}

fn colours(number: TeamNo, rounds: &[Round]) -> Vec<Option<Colour>> {
    let in_round = |round: &Round| {
        let pair = round
            .pairs
            .iter()
            .find(|pair| pair.opponent(number).is_some())?;
        Some(if pair.white == number {
            Colour::White
        } else {
            Colour::Black
        })
    };
    rounds.iter().map(in_round).collect()
}

fn unbalanced(count: u32, rounds: &[Round]) -> Vec<CheckError> {
    TeamNo::first(count)
        .filter_map(|number| {
            let colours = colours(number, rounds);
            let times =
                |colour| colours.iter().filter(|this| **this == Some(colour)).count() as u32;
            let (white, black) = (times(Colour::White), times(Colour::Black));
            let is_off = white.abs_diff(black) > (white + black) % 2;
            is_off.then(|| CheckError::Unbalanced {
                who: number.to_string(),
                white,
                black,
            })
        })
        .collect()
}

fn three_running(count: u32, rounds: &[Round]) -> Vec<CheckError> {
    let of = |number: TeamNo| {
        let colours = colours(number, rounds);
        let played: Vec<_> = RoundNo::all()
            .zip(colours)
            .filter_map(|(round, colour)| Some((round, colour?)))
            .collect();
        let runs = played
            .windows(3)
            .filter(|three| three[0].1 == three[1].1 && three[1].1 == three[2].1);
        runs.map(|three| CheckError::ThreeRunning {
            round: three[2].0,
            who: number.to_string(),
        })
        .collect::<Vec<_>>()
    };
    TeamNo::first(count).flat_map(of).collect()
}

/// A Scheveningen event of two groups of `size`: only players of different groups meet, each pair `cycles` times, and
/// with colours reversed from one time to the next.
#[must_use]
pub fn scheveningen(size: u32, cycles: u32, rounds: &[Round]) -> Vec<CheckError> {
    let mut faults = whole(2 * size, rounds);
    let mut meetings: BTreeMap<(TeamNo, TeamNo), (u32, Pair)> = BTreeMap::new();
    for (round, this) in RoundNo::all().zip(rounds) {
        faults.extend(this.free.iter().map(|number| CheckError::Free {
            round,
            number: *number,
        }));
        for pair in &this.pairs {
            let (first, second) = pair.unordered();
            if (first.get() > size) == (second.get() > size) {
                faults.push(CheckError::OneGroup {
                    round,
                    first,
                    second,
                });
            }
            let (times, last) = meetings
                .entry((first, second))
                .or_insert((0, pair.reversed()));
            *times += 1;
            if *times > cycles {
                faults.push(CheckError::Again {
                    round,
                    first,
                    second,
                    times: *times,
                    most: cycles,
                });
            } else if last == pair {
                faults.push(CheckError::SameColours {
                    round,
                    first: pair.white,
                    second: pair.black,
                });
            }
            *last = *pair;
        }
    }
    faults
}

/// Checks a knockout: one participant of each meeting advances, and meets the survivor next to it. `winners` lists
/// who advanced from each round before the last one in `rounds`.
#[must_use]
pub fn knockout(count: u32, rounds: &[Round], winners: &[Vec<TeamNo>]) -> Vec<CheckError> {
    let mut faults = Vec::new();
    let mut alive: BTreeSet<TeamNo> = TeamNo::first(count).collect();
    for (index, this) in rounds.iter().enumerate() {
        let round = RoundNo::at(index);
        let named: Vec<_> = this
            .pairs
            .iter()
            .flat_map(|pair| [pair.white, pair.black])
            .collect();
        let all = named.iter().chain(&this.free);
        faults.extend(
            all.filter(|number| !alive.contains(number))
                .map(|number| CheckError::Out {
                    round,
                    number: *number,
                }),
        );
        let missing = alive
            .iter()
            .filter(|number| !named.contains(number) && !this.free.contains(number));
        faults.extend(missing.map(|number| CheckError::Missing {
            round,
            number: *number,
        }));
        let far = this
            .pairs
            .iter()
            .filter(|pair| !may_meet(count, round, pair));
        faults.extend(far.map(|pair| CheckError::Bracket {
            round,
            first: pair.white,
            second: pair.black,
        }));
        if let Some(winners) = winners.get(index) {
            alive = this.free.iter().chain(winners).copied().collect();
        }
    }
    faults
}

/// Whether two may meet in this round. In a field of 2n, number s meets 2n + 1 - s, and the one that
/// advances takes the place of the smaller of the two.
fn may_meet(count: u32, round: RoundNo, pair: &Pair) -> bool {
    let (first, second) = pair.unordered();
    let (mut first, mut second) = (first.get(), second.get());
    let mut size = count.next_power_of_two();
    if first == 0 || second > size {
        return false;
    }
    for _ in 0..round.index() {
        first = first.min(size + 1 - first);
        second = second.min(size + 1 - second);
        size /= 2;
    }
    first + second == size + 1
}

/// Checks a Molter table: no player meets a team-mate or two players of one team, every player plays in every round,
/// only equal boards meet, or one pair of neighbours; colours are balanced and never the same three times running.
#[must_use]
pub fn molter(teams: u32, boards: u32, rounds: &[Vec<Game>]) -> Vec<CheckError> {
    let mut faults = Vec::new();
    let mut met: BTreeSet<(Seat, TeamNo)> = BTreeSet::new();
    let mut colours: BTreeMap<Seat, Vec<Colour>> = BTreeMap::new();
    for (round, games) in RoundNo::all().zip(rounds) {
        faults.extend(everybody(teams, boards, round, games));
        faults.extend(unequal(teams, round, games));
        for game in games {
            for (one, other, colour) in [
                (game.white, game.black, Colour::White),
                (game.black, game.white, Colour::Black),
            ] {
                let why = if one.team == other.team {
                    Some("the player's own team")
                } else if !met.insert((one, other.team)) {
                    Some("for the second time")
                } else {
                    None
                };
                faults.extend(why.map(|why| CheckError::Team {
                    round,
                    who: seat(one),
                    team: other.team,
                    why,
                }));
                colours.entry(one).or_default().push(colour);
            }
        }
    }
    for (who, colours) in colours {
        faults.extend(seat_colours(who, &colours));
    }
    faults
}

fn everybody(teams: u32, boards: u32, round: RoundNo, games: &[Game]) -> Vec<CheckError> {
    let mut seats: Vec<_> = games
        .iter()
        .flat_map(|game| [game.white, game.black])
        .collect();
    seats.sort_unstable();
    let all =
        TeamNo::first(teams).flat_map(|team| (1..=boards).map(move |board| Seat { team, board }));
    let times = |wanted: Seat| (wanted, seats.iter().filter(|seat| **seat == wanted).count());
    all.map(times)
        .filter_map(|(seat, times)| match times {
            0 => Some(CheckError::Missing {
                round,
                number: seat.team,
            }),
            1 => None,
            _ => Some(CheckError::Twice {
                round,
                number: seat.team,
            }),
        })
        .collect()
}

fn unequal(teams: u32, round: RoundNo, games: &[Game]) -> Vec<CheckError> {
    let mut faults = Vec::new();
    let mut floats: BTreeMap<u32, u32> = BTreeMap::new();
    for game in games
        .iter()
        .filter(|game| game.white.board != game.black.board)
    {
        let (first, second) = (
            game.white.board.min(game.black.board),
            game.white.board.max(game.black.board),
        );
        if teams.is_multiple_of(2) || second != first + 1 || first % 2 == 0 {
            faults.push(CheckError::Boards {
                round,
                first,
                second,
            });
        }
        *floats.entry(first).or_default() += 1;
    }
    faults.extend(
        floats
            .into_iter()
            .filter(|(_, times)| *times > 1)
            .map(|(board, _)| CheckError::Floaters { round, board }),
    );
    faults
}

fn seat_colours(who: Seat, colours: &[Colour]) -> Vec<CheckError> {
    let mut faults = Vec::new();
    let white = colours
        .iter()
        .filter(|colour| **colour == Colour::White)
        .count() as u32;
    let black = colours.len() as u32 - white;
    if white.abs_diff(black) > (white + black) % 2 {
        faults.push(CheckError::Unbalanced {
            who: seat(who),
            white,
            black,
        });
    }
    for (index, three) in colours.windows(3).enumerate() {
        if three.iter().all(|colour| *colour == three[0]) {
            faults.push(CheckError::ThreeRunning {
                round: RoundNo::at(index + 2),
                who: seat(who),
            });
        }
    }
    faults
}

/// Checks a Hutton table: each player has at most one game, on the player's own board, and no team meets two
/// players on one board.
#[must_use]
pub fn hutton(teams: u32, boards: &[Vec<Game>]) -> Vec<CheckError> {
    let mut faults = Vec::new();
    for (board, games) in (1..).zip(boards) {
        let pairs = games
            .iter()
            .map(|game| Pair::new(game.white.team, game.black.team))
            .collect::<Vec<_>>();
        let named: BTreeSet<_> = pairs
            .iter()
            .flat_map(|pair| [pair.white, pair.black])
            .collect();
        let free = TeamNo::first(teams)
            .filter(|team| !named.contains(team))
            .collect::<Vec<_>>();
        let needless = free.iter().skip((teams % 2) as usize);
        faults.extend(needless.map(|number| CheckError::Free {
            round: RoundNo::new(1),
            number: *number,
        }));
        faults.extend(whole(teams, &[Round { pairs, free }]));
        let strange = games
            .iter()
            .find(|game| game.white.board != board || game.black.board != board);
        faults.extend(strange.map(|game| CheckError::Boards {
            round: RoundNo::new(1),
            first: game.white.board,
            second: game.black.board,
        }));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{hutton, knockout as bracket, round_robin::berger, scheveningen as groups};

    #[test]
    fn tables_keep_the_rules() {
        for count in 2..=38 {
            for cycles in 1..=4 {
                assert_eq!(
                    round_robin(count, cycles, &berger(count, cycles)),
                    [],
                    "{count} in {cycles}"
                );
            }
        }
        for size in 1..=20 {
            for cycles in 1..=4 {
                assert_eq!(
                    scheveningen(size, cycles, &groups::scheveningen(size, cycles)),
                    [],
                    "{size}"
                );
            }
        }
        for teams in 2..=17 {
            for boards in 1..=20 {
                assert_eq!(
                    hutton(teams, &hutton::hutton(teams, boards)),
                    [],
                    "{teams} of {boards}"
                );
            }
        }
    }

    #[test]
    fn brackets_keep_the_rules_whoever_wins() {
        for count in 2..=33_u32 {
            for luck in 0..5_u32 {
                let mut alive = bracket::bracket(count);
                let (mut rounds, mut winners) = (Vec::new(), Vec::new());
                for round in RoundNo::first(bracket::rounds(count)) {
                    let this = bracket::round(&alive, round);
                    let won = |pair: &Pair| {
                        if (pair.white.get() * 7 + luck + round.get() - 1).is_multiple_of(3) {
                            pair.white
                        } else {
                            pair.black
                        }
                    };
                    winners.push(this.pairs.iter().map(won).collect::<Vec<_>>());
                    let last = winners.last().cloned().unwrap_or_default();
                    alive = bracket::survivors(&alive, |a, b| {
                        last.iter().copied().find(|one| *one == a || *one == b)
                    })
                    .unwrap();
                    rounds.push(this);
                }
                assert_eq!(knockout(count, &rounds, &winners), [], "{count}");
            }
        }
    }

    fn pair(white: u32, black: u32) -> Pair {
        Pair::new(TeamNo::new(white), TeamNo::new(black))
    }

    #[test]
    fn what_is_wrong_is_found() {
        let mut rounds = berger(6, 2);
        rounds[2].pairs[0] = rounds[2].pairs[0].reversed();
        assert!(
            round_robin(6, 2, &rounds)
                .iter()
                .any(|fault| matches!(fault, CheckError::SameColours { .. }))
        );
        let mut rounds = berger(6, 1);
        rounds[1] = rounds[0].clone();
        assert!(round_robin(6, 1, &rounds).iter().any(
            |fault| matches!(fault, CheckError::Again { round, .. } if *round == RoundNo::new(2))
        ));
        let mut rounds = berger(5, 1);
        rounds[0].pairs.pop();
        assert!(
            round_robin(5, 1, &rounds)
                .iter()
                .any(|fault| matches!(fault, CheckError::Missing { .. }))
        );
        let round = Round {
            pairs: vec![pair(1, 3), pair(2, 4)],
            free: vec![],
        };
        assert!(
            knockout(4, &[round], &[])
                .iter()
                .any(|fault| matches!(fault, CheckError::Bracket { .. }))
        );
        let round = Round {
            pairs: vec![pair(1, 2), pair(3, 4)],
            free: vec![],
        };
        assert!(
            scheveningen(2, 1, &[round])
                .iter()
                .any(|fault| matches!(fault, CheckError::OneGroup { .. }))
        );
    }
}
