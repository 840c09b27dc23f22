#![no_main]
//! Any text is a position of a game or a fault in it; a position is written as it is read, and what is listed
//! there is played.

use libfuzzer_sys::fuzz_target;
use overboard_formats::{any::AnyPosition, header::Game, notation::Unusable};

const GAMES: [(Game, &str); 8] = [
    (Game::Chess, ""),
    (Game::Olympic, ""),
    (Game::Meta, ""),
    (Game::Strategi, ""),
    (Game::Strategi, "edition=2025"),
    (Game::Mega, ""),
    (Game::Over, "prisoners:consolidation:reserves=team/2P1N/3P"),
    (Game::Over, "fog:subdraw=both:reserves=set/1P/1N"),
];

fuzz_target!(|text: (u8, &str)| {
    let (game, text) = text;
    let (game, rules) = GAMES[usize::from(game) % GAMES.len()];
    let first = AnyPosition::start_under(game, rules).expect("these games are known");
    match first.read_under(text, rules) {
        Err(Unusable::Text(fault)) => assert!(text.get(fault.bytes.clone()).is_some()),
        Err(fault) => assert!(!fault.to_string().is_empty()),
        Ok((position, _)) => {
            let fen = position.fen();
            let again = position.read_under(&fen, rules).map(|(again, lenient)| (again.fen(), lenient));
            assert_eq!(again, Ok((fen, false)));
            let mut list = Vec::new();
            let _ = position.list_into(&mut list);
            for listed in list.iter().take(8) {
                assert!(position.played(&listed.coord).is_some());
            }
        }
    }
});
