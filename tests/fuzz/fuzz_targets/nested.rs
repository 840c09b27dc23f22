#![no_main]
//! Records made of the words of the notation are judged in every game, and every finding lies within the
//! text.

#[path = "grammar/mod.rs"]
mod grammar;

use grammar::Text;
use libfuzzer_sys::fuzz_target;
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::referee::AnyReferee;
use overboard_referee::Options;

fuzz_target!(|text: Text| {
    let mut parser = Parser::new(text.0.as_bytes(), 0, Limits::default());
    let mut referee = AnyReferee::new(Options::default());
    while let Some(report) = referee.judge(&mut parser).expect("memory can be read") {
        for finding in report.findings {
            let (from, to) = (finding.place.span.from, finding.place.span.to);
            assert!(from <= to && to <= text.0.len() as u64);
        }
    }
});
