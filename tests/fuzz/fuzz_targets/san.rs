#![no_main]
//! Any text is a ply or none; a ply is found, or refused with a reason, in any position.

use libfuzzer_sys::fuzz_target;
use overboard_formats::{
    fen::Fen,
    san::{CHESS, San, Spelt},
};
use overboard_rules::{
    chess::{Chess, Found},
    refusal::Refusal,
};

fuzz_target!(|text: (&str, &[u8])| {
    let (fen, ply) = text;
    let Ok(san) = San::parse(ply, &CHESS) else { return };
    let spelt = Spelt(san.written).to_string();
    assert_eq!(San::parse(spelt.as_bytes(), &CHESS).map(|again| again.written), Ok(san.written));
    let setup = Fen::parse(fen).ok().and_then(|fen| Chess::from_setup(&fen.setup).ok());
    let chess = setup.unwrap_or_default();
    match chess.find(&san.written) {
        Found::One(m) => assert_eq!(chess.find(&chess.written(m)), Found::One(m)),
        _ => assert!(!Refusal::of(&chess, &san.written).expect("it is no legal move").to_string().is_empty()),
    }
});
