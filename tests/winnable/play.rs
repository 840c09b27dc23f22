//! No position of a game that goes on is dead.

use crate::{depth::tries, parallel::in_parallel};
use overboard_engines::{
    chance::{Chance, Purpose},
    live_game::LiveGame,
};
use overboard_games::{
    chess::Chess,
    one_board::{OneBoard, notation::BoardNotation},
};

/// Longer games are left there.
const LONGEST: usize = 2_000;

#[test]
fn random_play_ends_where_the_position_dies() {
    let games: Vec<u64> = (0..tries(300) as u64).collect();
    let dead = in_parallel(&games, |game| {
        play(&mut Chance::of(
            49,
            Purpose::Player {
                game: *game,
                seat: 0,
            },
        ))
    });
    let dead = dead.into_iter().filter(|is_dead| *is_dead).count();
    assert!(dead * 5 > games.len(), "{dead} games ended dead");
}

/// Whether a random game ended in a dead position.
fn play(chance: &mut Chance) -> bool {
    let mut game = LiveGame::from(OneBoard(Chess::default()));
    for _ in 0..LONGEST {
        let Some(ply) = game.any(chance) else { break };
        game.play(ply);
        if game.end().is_none() {
            let position = &game.game().0;
            assert!(!position.is_dead(), "{}", position.fen());
        }
    }
    game.game().0.is_dead()
}
