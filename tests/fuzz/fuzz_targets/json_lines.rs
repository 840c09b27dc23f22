#![no_main]
//! Any line is a record as JSON, whose text is judged, or a fault.

use libfuzzer_sys::fuzz_target;
use overboard_formats::{json_lines, limits::Limits, parse::Parser, record::Record};

fuzz_target!(|line: &str| {
    match json_lines::record_text(line) {
        Ok(text) => {
            let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
            while Record::read(&mut parser).expect("memory can be read").is_some() {}
        }
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
});
