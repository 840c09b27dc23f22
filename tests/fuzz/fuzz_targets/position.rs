#![no_main]
//! Any text gives either a fault or a position of a game, which is written as it was read, and whose legal
//! plies can be played.

use libfuzzer_sys::fuzz_target;
use overboard_games::registry::{AnyGame, Variant};
use overboard_referee::game::position::{PositionError, ReadPosition};
use std::sync::LazyLock;

/// The initial positions of every game under each of its samples.
static BEGINNINGS: LazyLock<Vec<(Variant, &str, AnyGame)>> = LazyLock::new(|| {
    let sampled = |game: &Variant| {
        game.sampled()
            .map(|(sample, first)| (*game, sample.rules, first))
            .collect::<Vec<_>>()
    };
    Variant::ALL.iter().flat_map(sampled).collect()
});

fuzz_target!(|text: (u8, &str)| {
    let (game, text) = text;
    let (_, rules, first) = &BEGINNINGS[usize::from(game) % BEGINNINGS.len()];
    match first.read_under(text, rules) {
        Err(PositionError::Text(fault)) => assert!(text.get(fault.bytes.clone()).is_some()),
        Err(fault) => assert!(!fault.to_string().is_empty()),
        Ok(ReadPosition { position, .. }) => {
            let fen = position.fen();
            let again = position.read_under(&fen, rules).map(
                |ReadPosition {
                     position: again,
                     lenient,
                     ..
                 }| (again.fen(), lenient),
            );
            assert_eq!(again, Ok((fen, false)));
            let mut list = Vec::new();
            let _ = position.list_into(&mut list);
            for listed in list.iter().take(8) {
                assert!(position.played(&listed.coord).is_some());
            }
        }
    }
});
