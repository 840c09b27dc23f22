#![no_main]
//! Any records are read as score-sheets, which are judged together, bundled into one record and taken apart again, or
//! have a fault.

#[path = "grammar/mod.rs"]
mod grammar;
#[path = "../../text/mod.rs"]
#[allow(dead_code)]
mod text;

use grammar::Text;
use libfuzzer_sys::fuzz_target;
use overboard_formats::{limits::Limits, parse::Parser, record::Record};
use overboard_referee::Options;
use overboard_sheets::{Sheet, SheetBundle, unbundle};

fuzz_target!(|text: Text| {
    for report in text::judge_sheets(text.0.as_bytes(), Options::default()) {
        for finding in report.findings {
            let (from, to) = (finding.place.span.from, finding.place.span.to);
            assert!(from <= to && to <= text.0.len() as u64);
        }
    }
    let limits = Limits::default();
    let mut bundle = SheetBundle::new(limits);
    let mut parser = Parser::new(text.0.as_bytes(), 0, limits);
    while let Some(record) = Record::read(&mut parser).expect("memory can be read") {
        if let Ok(sheet) = Sheet::of(&record, 0) {
            let _ = unbundle(&sheet, "#1", limits);
        }
        let _ = bundle.add(&record, 0);
    }
    for made in bundle.bundle() {
        assert!(made.is_ok_and(|made| !made.text().is_empty()) || !text.0.is_empty());
    }
});
