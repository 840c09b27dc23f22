#![no_main]
//! What is sent to a desk and typed there, its journal, and a record that it goes on with: understood, or refused in words.

use libfuzzer_sys::fuzz_target;
use overboard_desk::{journal::Entry, lines, record, words};
use overboard_events::store::Line;

fuzz_target!(|texts: (&str, &[u8])| {
    let (text, bytes) = texts;
    for line in text.lines() {
        let _ = lines::read(line);
        if let Err(why) = words::read(line) {
            assert!(!why.is_empty());
        }
    }
    if let Err(why) = record::read(text) {
        assert!(!why.to_string().is_empty());
    }
    let _ = Line::<Entry>::read(bytes);
    if let Ok(entry) = serde_json::from_slice::<Entry>(bytes) {
        assert!(serde_json::to_string(&entry).is_ok());
    }
});
