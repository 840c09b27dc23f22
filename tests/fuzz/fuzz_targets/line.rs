#![no_main]
//! Any text is a line of coordinates of a game or a fault at a place in it.

use libfuzzer_sys::fuzz_target;
use overboard_games::{
    coordinates::Line,
    registry::{AnyGame, Variant},
};
use std::sync::LazyLock;

/// The first positions of every game under each of its samples.
static BEGINNINGS: LazyLock<Vec<(Variant, &str, AnyGame)>> = LazyLock::new(|| {
    let sampled = |game: &Variant| {
        game.sampled().map(|(sample, first)| (*game, sample.rules, first)).collect::<Vec<_>>()
    };
    Variant::ALL.iter().flat_map(sampled).collect()
});

fuzz_target!(|text: (u8, &str)| {
    let (game, line) = text;
    let (game, rules, first) = &BEGINNINGS[usize::from(game) % BEGINNINGS.len()];
    if let Err(fault) = Line::read_under(line, *game, first, rules) {
        assert!(fault.at() <= line.len() && !fault.to_string().is_empty());
    }
});
