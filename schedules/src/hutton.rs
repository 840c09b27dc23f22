//! Hutton pairings: one game for every player, each board of a team against another team.

use crate::{
    round_robin::{berger, rounds_of_a_cycle},
    team::Game,
};

/// The games of each board, board 1 first. On every board the teams meet as in another round of the Berger table;
/// if there are more boards than rounds, they meet again with colours reversed. If the number of teams is odd,
/// one player of every board is free.
#[must_use]
pub fn hutton(teams: u32, boards: u32) -> Vec<Vec<Game>> {
    let rounds = rounds_of_a_cycle(teams);
    if rounds == 0 {
        return vec![Vec::new(); boards as usize];
    }
    let table = berger(teams, 1);
    let game = |board: u32| {
        let reverse = (board / rounds) % 2 == 1;
        let pairs = table[(board % rounds) as usize].pairs.iter();
        pairs.map(move |pair| {
            let pair = if reverse { pair.reversed() } else { *pair };
            pair.on_board(board + 1)
        })
    };
    (0..boards).map(|board| game(board).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_team_meets_every_other_once_where_boards_and_rounds_are_as_many() {
        for teams in [4, 6, 8, 10, 16] {
            let games: Vec<_> = hutton(teams, teams - 1).into_iter().flatten().collect();
            assert_eq!(games.len() as u32, teams * (teams - 1) / 2);
            for team in crate::ids::TeamNo::first(teams) {
                let whites = games.iter().filter(|game| game.white.team == team).count() as i32;
                let blacks = games.iter().filter(|game| game.black.team == team).count() as i32;
                assert_eq!((whites - blacks).abs(), 1);
            }
        }
    }
}
