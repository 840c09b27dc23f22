//! Molter tables: several rounds for players from many teams, without matches between teams.
//!
//! Every player has a game in each round, never against a team-mate and never against two players of one
//! team; only equal boards meet, or with an odd number of teams one pair of neighbouring boards.

use crate::{
    ids::TeamNo,
    round_robin::berger,
    team::{Game, Seat},
};

/// Why there is no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MolterError {
    /// There are too few teams for so many rounds.
    #[error(
        "with {teams} teams --rounds can be {most} at most (no player meets two players of one team); for more rounds import your own table: overboard event import FOLDER --table FILE"
    )]
    TooManyRounds {
        /// The number of teams.
        teams: u32,
        /// The most rounds possible.
        most: u32,
    },
    /// The number of players is odd.
    #[error(
        "an odd number of teams needs an even number of boards, not {0}; or import your own table: overboard event import FOLDER --table FILE"
    )]
    OddBoards(u32),
    /// Colours could not be balanced.
    #[error(
        "no table was found in which every player has White as often as Black; import your own: overboard event import FOLDER --table FILE"
    )]
    Colours,
}

/// The games of each round, round 1 first.
///
/// # Errors
/// If the sizes allow no such table. For an odd number of teams there are tables of up to half as many rounds.
pub fn molter(teams: u32, boards: u32, rounds: u32) -> Result<Vec<Vec<Game>>, MolterError> {
    let most = if teams.is_multiple_of(2) {
        teams.saturating_sub(1)
    } else {
        teams / 2
    };
    if rounds > most {
        return Err(MolterError::TooManyRounds { teams, most });
    }
    if teams % 2 == 1 && boards % 2 == 1 {
        return Err(MolterError::OddBoards(boards));
    }
    let table = berger(teams, 1);
    let games: Vec<Vec<Game>> = (0..rounds)
        .map(|round| {
            if teams.is_multiple_of(2) {
                even_round(&table, boards, round)
            } else {
                odd_round(&table, boards, round, rounds)
            }
        })
        .collect();
    Colouring::new(games, teams, boards)
        .balanced()
        .ok_or(MolterError::Colours)
}

const fn seat(team: TeamNo, board: u32) -> Seat {
    Seat {
        team,
        board: board + 1,
    }
}

/// Each board plays another round of the Berger table, so no player meets two players of one team.
fn even_round(table: &[crate::team::Round], boards: u32, round: u32) -> Vec<Game> {
    let on_board = |board: u32| {
        let pairs = &table[((round + board) as usize) % table.len()].pairs;
        pairs.iter().map(move |pair| pair.on_board(board + 1))
    };
    (0..boards).flat_map(on_board).collect()
}

/// Each of two neighbouring boards leaves out a team, and those two players meet.
///
/// In the table of an odd number T, teams x and y meet in the round that leaves out (x + y) / 2 modulo T. If the
/// lower board is `2 * rounds` ahead, the two teams left out do not meet on either board within the rounds.
fn odd_round(table: &[crate::team::Round], boards: u32, round: u32, rounds: u32) -> Vec<Game> {
    let teams = table.len() as u32;
    let leaving_out = |team: u32| {
        table
            .iter()
            .find(|this| this.free.contains(&TeamNo::new(team % teams + 1)))
    };
    let mut games = Vec::new();
    for upper in (0..boards).step_by(2) {
        let out = [round + upper / 2, round + upper / 2 + 2 * rounds];
        for (board, team) in [(upper, out[0]), (upper + 1, out[1])] {
            let pairs = leaving_out(team).map_or(&[][..], |this| &this.pairs);
            games.extend(pairs.iter().map(|pair| pair.on_board(board + 1)));
        }
        games.push(Game {
            white: seat(TeamNo::new(out[0] % teams + 1), upper),
            black: seat(TeamNo::new(out[1] % teams + 1), upper + 1),
        });
    }
    games
}

/// Steps after which the search for colours gives up.
const PATIENCE: u32 = 400_000;

/// Games whose colours are being balanced, by random local search.
struct Colouring {
    games: Vec<Vec<Game>>,
    boards: usize,
    /// +1 for White and -1 for Black of each player in each round.
    colours: Vec<Vec<i32>>,
    /// Whites minus Blacks of each team in each round.
    teams: Vec<Vec<i32>>,
    /// State of a generator of random numbers that is the same on every machine.
    random: u64,
}

impl Colouring {
    fn new(games: Vec<Vec<Game>>, teams: u32, boards: u32) -> Self {
        let rounds = games.len();
        let mut this = Self {
            games,
            boards: boards as usize,
            colours: vec![vec![0; rounds]; (teams * boards) as usize],
            teams: vec![vec![0; rounds]; teams as usize],
            random: 0x9e37_79b9_7f4a_7c15,
        };
        for round in 0..rounds {
            for game in this.games[round].clone() {
                this.set(round, game);
            }
        }
        this
    }

    fn player(&self, seat: Seat) -> usize {
        seat.team.index() * self.boards + seat.board as usize - 1
    }

    fn set(&mut self, round: usize, game: Game) {
        for (seat, sign) in [(game.white, 1), (game.black, -1)] {
            let player = self.player(seat);
            self.teams[seat.team.index()][round] += sign - self.colours[player][round];
            self.colours[player][round] = sign;
        }
    }

    /// How bad a player's colours are: out of balance, or the same three times running.
    fn faults(&self, player: usize) -> i32 {
        let colours = &self.colours[player];
        let off = colours.iter().sum::<i32>().abs() - (colours.len() % 2) as i32;
        let runs = colours
            .windows(3)
            .filter(|three| three.iter().sum::<i32>().abs() == 3)
            .count() as i32;
        off + 2 * runs
    }

    /// How bad the colours of a game's two players and teams are.
    fn cost(&self, round: usize, game: Game) -> i32 {
        let seats = [game.white, game.black];
        let players: i32 = seats
            .iter()
            .map(|seat| self.faults(self.player(*seat)))
            .sum();
        let teams: i32 = seats
            .iter()
            .map(|seat| self.teams[seat.team.index()][round].abs() / 2)
            .sum();
        8 * players + teams
    }

    fn next(&mut self, below: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random % below.max(1) as u64) as usize
    }

    /// Reverses the colours of games as long as that is better, or now and then a little worse.
    fn balanced(mut self) -> Option<Vec<Vec<Game>>> {
        let rounds = self.games.len();
        for step in 0..PATIENCE {
            if step % 256 == 0 && (0..self.colours.len()).all(|player| self.faults(player) <= 0) {
                return Some(self.games);
            }
            let round = self.next(rounds);
            let table = self.next(self.games[round].len());
            let game = self.games[round][table];
            let turned = Game {
                white: game.black,
                black: game.white,
            };
            let before = self.cost(round, game);
            self.set(round, turned);
            let worse = self.cost(round, turned) - before;
            let chance = self.next(1 << 16) as i32;
            // The chance to accept a change that is worse by 8 is about 1 in 9, by 16 about 1 in 80.
            if worse <= 0 || chance < (1 << 16) >> ((worse * 2 / 5).min(20)) {
                self.games[round][table] = turned;
            } else {
                self.set(round, game);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker;

    #[test]
    fn tables_keep_the_rules() {
        for teams in 2..=12 {
            for boards in 1..=6 {
                for rounds in 1..=7 {
                    match molter(teams, boards, rounds) {
                        Ok(games) => assert_eq!(
                            checker::molter(teams, boards, &games),
                            [],
                            "{teams} teams of {boards}, {rounds} rounds"
                        ),
                        Err(MolterError::Colours) => {
                            panic!("{teams} teams of {boards}, {rounds} rounds: no colours")
                        }
                        Err(_) => {}
                    }
                }
            }
        }
    }
}
