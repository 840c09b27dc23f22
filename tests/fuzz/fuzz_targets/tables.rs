#![no_main]
//! Any bytes are read as a tournament report, a table or the settings of an event, or give a fault with its
//! place.

use libfuzzer_sys::fuzz_target;
use overboard_events::{csv::Sheet, settings::Settings, trf::Trf};

fuzz_target!(|text: &[u8]| {
    if let Err(fault) = Trf::read("fuzz.trf", text) {
        assert!(!fault.to_string().is_empty());
    }
    if let Err(fault) = Sheet::read("fuzz.csv", text, &["team", "player", "rating"]) {
        assert!(!fault.to_string().is_empty());
    }
    if let Ok(text) = std::str::from_utf8(text)
        && let Ok(settings) = Settings::read(text)
    {
        assert!(Settings::read(&settings.write()).is_ok());
    }
});
