#![no_main]
//! Any text is judged, and every finding lies within it.

use libfuzzer_sys::fuzz_target;
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::referee::AnyReferee;
use overboard_referee::Options;

fuzz_target!(|text: &[u8]| {
    let mut parser = Parser::new(text, 0, Limits::default());
    let mut referee = AnyReferee::new(Options::default());
    while let Some(report) = referee.judge(&mut parser).expect("memory can be read") {
        for finding in report.findings {
            let (from, to) = (finding.place.span.from, finding.place.span.to);
            assert!(from <= to && to <= text.len() as u64 && finding.place.line_start <= from);
        }
    }
});
