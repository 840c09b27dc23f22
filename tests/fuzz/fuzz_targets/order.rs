#![no_main]
//! Any text is a captain's instruction, or departs from the one form at a place in it.

use libfuzzer_sys::fuzz_target;
use overboard_games::strategichess::linked::order::Order;

fuzz_target!(|text: &str| {
    match Order::parse(text) {
        Ok(order) => assert!(!format!("{order:?}").is_empty()),
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
});
