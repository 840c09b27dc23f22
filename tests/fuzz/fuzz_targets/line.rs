#![no_main]
//! Any text is read as a line of coordinates, or gives a fault with its place; a game in its own coordinates
//! is written as a record, and read again.

#[path = "grammar/mod.rs"]
mod grammar;

use grammar::Coordinates;
use libfuzzer_sys::fuzz_target;
use overboard_games::coordinates::Line;

fuzz_target!(|text: (Coordinates, &str)| {
    let (Coordinates(game, rules, first, played), other) = text;
    for line in [played.as_str(), other] {
        match Line::read_under(line, game, first, rules) {
            Ok(line) => {
                let mut record = String::new();
                line.write_record("*", &mut record)
                    .expect("a string takes any text");
                assert!(record.contains("[Event "));
            }
            Err(fault) => assert!(fault.at() <= line.len() && !fault.to_string().is_empty()),
        }
    }
});
