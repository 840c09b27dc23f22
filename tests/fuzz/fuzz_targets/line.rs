#![no_main]
//! Any text is a line of coordinates of a game or a fault at a place in it.

use libfuzzer_sys::fuzz_target;
use overboard_formats::{any::AnyPosition, coordinates::Line, header::Game};

const GAMES: [(Game, &str); 6] = [
    (Game::Chess, ""),
    (Game::Olympic, ""),
    (Game::Meta, ""),
    (Game::Strategi, ""),
    (Game::Mega, ""),
    (Game::Over, "fog:prisoners:consolidation:reserves=team/2P1N/3P"),
];

fuzz_target!(|text: (u8, &str)| {
    let (game, line) = text;
    let (game, rules) = GAMES[usize::from(game) % GAMES.len()];
    let first = AnyPosition::start_under(game, rules).expect("these games are known");
    if let Err(fault) = Line::read_under(line, game, &first, rules) {
        assert!(fault.at() <= line.len() && !fault.to_string().is_empty());
    }
});
