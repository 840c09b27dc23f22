#![no_main]
//! Any text is read as a ply or not; in any position, a ply is found and spelt, or refused with a reason.

use libfuzzer_sys::fuzz_target;
use overboard_formats::san::{CHESS, San, Spelt};
use overboard_games::{chess::Chess, fen::Fen};
use overboard_rules::{
    position::{Found, Movegen as _},
    refusal::Refusal,
};

fuzz_target!(|text: (&str, &[u8])| {
    let (fen, ply) = text;
    let Ok(san) = San::parse(ply, &CHESS) else {
        return;
    };
    let setup = Fen::parse(fen)
        .ok()
        .and_then(|fen| Chess::from_setup(&fen.setup).ok());
    let chess = setup.unwrap_or_default();
    match chess.find(&san.written) {
        Found::One(m) => {
            let spelt = Spelt(chess.written(m)).to_string();
            let again =
                San::parse(spelt.as_bytes(), &CHESS).expect("a legal move is spelt as a move");
            assert_eq!(chess.find(&again.written), Found::One(m));
        }
        _ => assert!(
            !Refusal::of(&chess, &san.written)
                .expect("it is not a legal move")
                .to_string()
                .is_empty()
        ),
    }
});
