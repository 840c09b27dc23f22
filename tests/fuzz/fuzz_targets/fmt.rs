#![no_main]
//! `fmt` changes nothing in its own output, unless it refuses a text.

use libfuzzer_sys::fuzz_target;

#[path = "../../text/mod.rs"]
#[allow(dead_code)]
mod text;

fuzz_target!(|bytes: &[u8]| {
    let Some(once) = text::rewritten(bytes) else {
        return;
    };
    let twice = text::canonical(&once);
    assert_eq!(
        String::from_utf8_lossy(&once),
        String::from_utf8_lossy(&twice)
    );
});
