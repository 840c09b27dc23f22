#![no_main]
//! Any text is written the same when it is written twice, but for what `fmt` refuses to write.

use libfuzzer_sys::fuzz_target;
use overboard_formats::{
    limits::Limits,
    parse::{Event, Fault, Parser},
};

#[path = "../../text/mod.rs"]
#[allow(dead_code)]
mod text;

/// Whether a text can be written again without losing some of it.
fn can_be_kept(bytes: &[u8]) -> bool {
    let mut parser = Parser::new(bytes, 0, Limits::default());
    loop {
        match parser.next() {
            Ok(Event::Done) => return true,
            Ok(Event::Fault(Fault::NotText(_) | Fault::Limit(_))) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    if !can_be_kept(bytes) {
        return;
    }
    let once = text::canonical(bytes);
    let twice = text::canonical(&once);
    assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice));
});
