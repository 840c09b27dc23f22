#![no_main]
//! Any text, and any text made of the words of instructions, is read as a captain's instruction, or departs
//! from its form at a place in it.

#[path = "grammar/sheets.rs"]
mod sheets;

use libfuzzer_sys::fuzz_target;
use overboard_games::strategichess::linked::order::Order;
use sheets::Instruction;

fn read(text: &str) {
    match Order::parse(text) {
        Ok(order) => assert!(!format!("{order:?}").is_empty() && !order.to_string().is_empty()),
        Err(fault) => assert!(text.get(fault.at..).is_some() && !fault.to_string().is_empty()),
    }
}

fuzz_target!(|texts: (Instruction, &str)| {
    read(&texts.0.0);
    read(texts.1);
});
