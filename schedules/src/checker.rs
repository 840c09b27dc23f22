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

/// All whom a round names, those without an opponent last.
fn named(round: &Round) -> Vec<TeamNo> {
    let mut named = Vec::new();
    for pair in &round.pairs {
        named.extend([pair.white, pair.black]);
    }
    named.extend(&round.free);
    named
}

/// How often each two have met, and how the last time.
type Meetings = BTreeMap<(TeamNo, TeamNo), (u32, Pair)>;

/// Enters a meeting: whether it is one too many, or has the colours of the one before.
fn meet(meetings: &mut Meetings, round: RoundNo, pair: Pair, most: u32) -> Option<CheckError> {
    let (first, second) = pair.unordered();
    let meeting = meetings.entry((first, second));
    let (times, last) = meeting.or_insert((0, pair.reversed()));
    *times += 1;
    let is_same = std::mem::replace(last, pair) == pair;
    if *times > most {
        return Some(CheckError::Again {
            round,
            first,
            second,
            times: *times,
            most,
        });
    }
    if !is_same {
        return None;
    }
    Some(CheckError::SameColours {
        round,
        first: pair.white,
        second: pair.black,
    })
}

/// Checks of every round that each participant is in it once, and none meets itself.
#[must_use]
pub fn whole(count: u32, rounds: &[Round]) -> Vec<CheckError> {
    let mut faults = Vec::new();
    for (round, this) in RoundNo::all().zip(rounds) {
        let mut seen = BTreeSet::new();
        for number in named(this) {
            if !(1..=count).contains(&number.get()) {
                faults.push(CheckError::Unknown { round, number });
            } else if !seen.insert(number) {
                faults.push(CheckError::Twice { round, number });
            }
        }
        for number in TeamNo::first(count) {
            if !seen.contains(&number) {
                faults.push(CheckError::Missing { round, number });
            }
        }
        for pair in &this.pairs {
            if pair.white == pair.black {
                let number = pair.white;
                faults.push(CheckError::Itself { round, number });
            }
        }
    }
    faults
}

/// Those of a round without an opponent, beyond so many.
fn needlessly_free(round: RoundNo, free: &[TeamNo], most: u32) -> Vec<CheckError> {
    let needless = free.iter().skip(most as usize).copied();
    let fault = |number| CheckError::Free { round, number };
    needless.map(fault).collect()
}

/// Checks a round robin: everyone meets everyone once in each cycle, and colours change from meeting to
/// meeting. Rounds that have not been paired yet are not reported as missing.
#[must_use]
pub fn round_robin(count: u32, cycles: u32, rounds: &[Round]) -> Vec<CheckError> {
    let mut faults = whole(count, rounds);
    for (round, this) in RoundNo::all().zip(rounds) {
        faults.extend(needlessly_free(round, &this.free, count % 2));
    }
    let length = (count + count % 2).saturating_sub(1) as usize;
    let mut meetings = Meetings::new();
    for (index, this) in rounds.iter().enumerate() {
        let most = (index / length.max(1)) as u32 + 1;
        for pair in &this.pairs {
            faults.extend(meet(&mut meetings, RoundNo::at(index), *pair, most));
        }
    }
    if rounds.len() == length * cycles as usize {
        faults.extend(too_seldom(count, cycles, &meetings));
        for number in TeamNo::first(count) {
            faults.extend(unbalanced(number.to_string(), &colours(number, rounds)));
        }
    }
    if cycles == 2 {
        for number in TeamNo::first(count) {
            faults.extend(three_running(&number.to_string(), &colours(number, rounds)));
        }
    }
    faults
}

fn too_seldom(count: u32, wanted: u32, meetings: &Meetings) -> Vec<CheckError> {
    let mut faults = Vec::new();
    for first in TeamNo::first(count) {
        for second in TeamNo::first(count).skip(first.get() as usize) {
            let times = meetings
                .get(&(first, second))
                .map_or(0, |(times, _)| *times);
            if times < wanted {
                faults.push(CheckError::TooSeldom {
                    first,
                    second,
                    times,
                    wanted,
                });
            }
        }
    }
    faults
}

/// The colours of a participant, each with its round.
fn colours(number: TeamNo, rounds: &[Round]) -> Vec<(RoundNo, Colour)> {
    let mut colours = Vec::new();
    for (round, this) in RoundNo::all().zip(rounds) {
        let mut pairs = this.pairs.iter();
        if let Some(pair) = pairs.find(|pair| pair.opponent(number).is_some()) {
            let is_white = pair.white == number;
            colours.push((
                round,
                if is_white {
                    Colour::White
                } else {
                    Colour::Black
                },
            ));
        }
    }
    colours
}

/// Whether these colours are not as equal as they can be.
fn unbalanced(who: String, colours: &[(RoundNo, Colour)]) -> Option<CheckError> {
    let whites = colours.iter().filter(|(_, this)| *this == Colour::White);
    let white = whites.count() as u32;
    let black = colours.len() as u32 - white;
    if white.abs_diff(black) <= (white + black) % 2 {
        return None;
    }
    Some(CheckError::Unbalanced { who, white, black })
}

/// Where one of these colours is the third of its kind running.
fn three_running(who: &str, colours: &[(RoundNo, Colour)]) -> Vec<CheckError> {
    let mut faults = Vec::new();
    for three in colours.windows(3) {
        if three.iter().all(|(_, colour)| *colour == three[0].1) {
            let (round, who) = (three[2].0, who.to_owned());
            faults.push(CheckError::ThreeRunning { round, who });
        }
    }
    faults
}

/// A Scheveningen event of two groups of `size`: only players of different groups meet, each pair `cycles` times, and
/// with colours reversed from one time to the next.
#[must_use]
pub fn scheveningen(size: u32, cycles: u32, rounds: &[Round]) -> Vec<CheckError> {
    let mut faults = whole(2 * size, rounds);
    let mut meetings = Meetings::new();
    for (round, this) in RoundNo::all().zip(rounds) {
        faults.extend(needlessly_free(round, &this.free, 0));
        for pair in &this.pairs {
            let (first, second) = pair.unordered();
            if (first.get() > size) == (second.get() > size) {
                faults.push(CheckError::OneGroup {
                    round,
                    first,
                    second,
                });
            }
            faults.extend(meet(&mut meetings, round, *pair, cycles));
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
        let named = named(this);
        for number in named.iter().copied() {
            if !alive.contains(&number) {
                faults.push(CheckError::Out { round, number });
            }
        }
        for number in alive.iter().copied() {
            if !named.contains(&number) {
                faults.push(CheckError::Missing { round, number });
            }
        }
        for pair in &this.pairs {
            if !may_meet(count, round, pair) {
                faults.push(CheckError::Bracket {
                    round,
                    first: pair.white,
                    second: pair.black,
                });
            }
        }
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
                if let Some(why) = why {
                    faults.push(CheckError::Team {
                        round,
                        who: seat(one),
                        team: other.team,
                        why,
                    });
                }
                colours.entry(one).or_default().push(colour);
            }
        }
    }
    for (who, colours) in colours {
        let colours: Vec<_> = RoundNo::all().zip(colours).collect();
        faults.extend(unbalanced(seat(who), &colours));
        faults.extend(three_running(&seat(who), &colours));
    }
    faults
}

fn everybody(teams: u32, boards: u32, round: RoundNo, games: &[Game]) -> Vec<CheckError> {
    let (mut faults, mut seats) = (Vec::new(), Vec::new());
    for game in games {
        seats.extend([game.white, game.black]);
    }
    for number in TeamNo::first(teams) {
        for board in 1..=boards {
            let wanted = Seat {
                team: number,
                board,
            };
            match seats.iter().filter(|seat| **seat == wanted).count() {
                0 => faults.push(CheckError::Missing { round, number }),
                1 => {}
                _ => faults.push(CheckError::Twice { round, number }),
            }
        }
    }
    faults
}

fn unequal(teams: u32, round: RoundNo, games: &[Game]) -> Vec<CheckError> {
    let mut faults = Vec::new();
    let mut floats: BTreeMap<u32, u32> = BTreeMap::new();
    for game in games {
        let (white, black) = (game.white.board, game.black.board);
        if white == black {
            continue;
        }
        let (first, second) = (white.min(black), white.max(black));
        if teams.is_multiple_of(2) || second != first + 1 || first % 2 == 0 {
            faults.push(CheckError::Boards {
                round,
                first,
                second,
            });
        }
        *floats.entry(first).or_default() += 1;
    }
    for (board, times) in floats {
        if times > 1 {
            faults.push(CheckError::Floaters { round, board });
        }
    }
    faults
}

/// Checks a Hutton table: each player has at most one game, on the player's own board, and no team meets two
/// players on one board.
#[must_use]
pub fn hutton(teams: u32, boards: &[Vec<Game>]) -> Vec<CheckError> {
    let mut faults = Vec::new();
    let round = RoundNo::new(1);
    for (board, games) in (1..).zip(boards) {
        let mut this = Round::default();
        for game in games {
            let pair = Pair::new(game.white.team, game.black.team);
            this.pairs.push(pair);
        }
        let named = BTreeSet::from_iter(named(&this));
        let free = TeamNo::first(teams).filter(|team| !named.contains(team));
        this.free = free.collect();
        faults.extend(needlessly_free(round, &this.free, teams % 2));
        faults.extend(whole(teams, &[this]));
        let is_strange = |game: &&Game| game.white.board != board || game.black.board != board;
        if let Some(game) = games.iter().find(is_strange) {
            faults.push(CheckError::Boards {
                round,
                first: game.white.board,
                second: game.black.board,
            });
        }
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
