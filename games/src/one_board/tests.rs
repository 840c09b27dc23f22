//! Lines of play, in the game with the fewest rules about them.

use super::OneBoard;
use crate::chess::Chess;
use overboard_referee::{line::Line, readings::Readings};
use overboard_rules::game::Game;
use std::ops::ControlFlow;

/// More steps than a line keeps, by the length of its log.
const KEPT: usize = 1024;

/// Any ply that does not end the game.
fn some_ply(game: &OneBoard<Chess>, number: usize) -> <OneBoard<Chess> as Game>::Ply {
    let mut plies = Vec::new();
    let _ = game.legal(|ply| {
        plies.push(ply);
        ControlFlow::Continue(())
    });
    let start = number * 7 % plies.len();
    plies.rotate_left(start);
    plies
        .into_iter()
        .find(|ply| game.after(*ply).count_legal() > 0)
        .expect("a way to go on")
}

/// A variation begins before the last ply, however long the game is and however many games are around it.
#[test]
fn long_games_inside_others_go_back() {
    for around in 0..3 {
        let mut line = Line::from(Readings::of(OneBoard(Chess::default())));
        for _ in 0..around {
            line.remember();
            line.play(some_ply(line.now().latest(), 0));
            line.enter();
        }
        for number in 0..3 * KEPT {
            let before = line.now().latest().clone();
            line.remember();
            line.play(some_ply(&before, number));
            if number % 5 == 0 || number % KEPT > KEPT - 4 {
                assert_eq!(
                    line.variation().now().latest(),
                    &before,
                    "{around} around, ply {number}"
                );
            }
        }
        let last = line.now().latest().clone();
        let steps = line.here();
        line.play(some_ply(&last, 0));
        line.back_to(steps);
        assert_eq!(line.now().latest(), &last);
    }
}
