#![no_main]
//! Any bytes are read as a ledger, line by line, or give a fault.

use libfuzzer_sys::fuzz_target;
use overboard_engines::journal::Reader;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut reader) = Reader::new(bytes) else {
        return;
    };
    while let Ok(true) = reader.advance() {
        if let Err(fault) = reader.entry() {
            assert!(!fault.to_string().is_empty());
        }
    }
});
