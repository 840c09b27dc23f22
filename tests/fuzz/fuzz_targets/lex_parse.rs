#![no_main]
//! Any text is read as a sequence of records.

use libfuzzer_sys::fuzz_target;
use overboard_formats::{limits::Limits, parse::Parser, record::Record};

fuzz_target!(|text: &[u8]| {
    let mut parser = Parser::new(text, 0, Limits::default());
    while let Some(record) = Record::read(&mut parser).expect("memory can be read") {
        for (_, place) in record.placed() {
            assert!(place.span.from <= place.span.to && place.span.to <= text.len() as u64);
        }
    }
});
