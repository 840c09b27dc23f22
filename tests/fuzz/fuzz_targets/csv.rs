#![no_main]
//! The files of an event, made of the words that their readers know, give either faults or an event, which is
//! checked, scored, written and read again.

#[path = "grammar/sheets.rs"]
mod sheets;

use libfuzzer_sys::fuzz_target;
use overboard_events::{Event, Files};
use sheets::Tables;

fuzz_target!(|tables: Tables| {
    let files: Files = tables
        .0
        .into_iter()
        .map(|(name, text)| (name.to_owned(), text.into_bytes()))
        .collect();
    match Event::read(&files) {
        Ok(event) => {
            let faults = event.check();
            assert!(faults.iter().all(|fault| !fault.to_string().is_empty()));
            if faults.is_empty() {
                let _ = event.tournament(event.rounds.len());
            }
            assert!(Event::read(&event.write()).is_ok());
        }
        Err(faults) => assert!(!faults.is_empty()),
    }
});
