#![no_main]
//! Any files give either faults or an event, which is written and read again.

use libfuzzer_sys::fuzz_target;
use overboard_events::{Event, Files};

/// The files of an event, used in this order as far as the input has texts for them.
const NAMES: [&str; 6] = [
    "event.toml",
    "teams.csv",
    "players.csv",
    "requests.csv",
    "rounds/01.csv",
    "rounds/02.csv",
];

fuzz_target!(|texts: Vec<&[u8]>| {
    let files: Files = NAMES
        .iter()
        .zip(texts)
        .map(|(name, text)| (name.to_string(), text.to_vec()))
        .collect();
    match Event::read(&files) {
        Ok(event) => assert!(Event::read(&event.write()).is_ok()),
        Err(faults) => assert!(!faults.is_empty()),
    }
});
