#![no_main]
//! What a run is made of: a plan's manifest, engines in words and in a file, and books for games of several kinds.

use libfuzzer_sys::fuzz_target;
use overboard_engines::{
    book::{Book, Form},
    external::program::{Each, Program},
    manifest::Manifest,
};

/// A manifest, but for its game.
const MANIFEST: &str = r#"{"format":1,"program":"overboard 0.1.0","laws":2,"variant":"GAME","players":["random","greedy"],"schedule":"pairs","rounds":2,"games_per_unit":2,"seed":1,"openings":{"random_plies":8},"max_plies":2000,"timed":false}"#;

const GAMES: [&str; 4] = ["Chess", "Crazyhouse", "Overchess", "Olympic Chess"];

fuzz_target!(|given: (u8, &str)| {
    let (choice, text) = given;
    if let Err(why) = Program::described(text) {
        assert!(!why.to_string().is_empty());
    }
    if let Err(why) = Program::listed(text, &Each::default()) {
        assert!(!why.to_string().is_empty());
    }
    if let Ok(manifest) = serde_json::from_str::<Manifest>(text) {
        let _ = manifest.check();
    }
    let game = GAMES[usize::from(choice) % GAMES.len()];
    let manifest = MANIFEST.replace("GAME", game);
    let manifest: Manifest = serde_json::from_str(&manifest).expect("a manifest");
    let form = match choice / 128 {
        0 => Form::Positions,
        _ => Form::Games,
    };
    if let Err(why) = Book::read(text.as_bytes(), form, &manifest) {
        assert!(!why.to_string().is_empty());
    }
});
