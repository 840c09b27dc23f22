#![no_main]
//! Tournament reports, made record by record, are read, written and read again, and converted to events.

#[path = "grammar/sheets.rs"]
mod sheets;

use libfuzzer_sys::fuzz_target;
use overboard_events::{
    Event,
    trf::{Edition, Trf, event},
};
use sheets::Report;

fuzz_target!(|report: Report| {
    let trf = match Trf::read("fuzz.trf", report.0.as_bytes()) {
        Err(fault) => return assert!(!fault.to_string().is_empty()),
        Ok(trf) => trf,
    };
    for edition in [Edition::Of2016, Edition::Of2026] {
        let written = trf.write(edition);
        if let Ok(again) = Trf::read("again.trf", written.as_bytes()) {
            assert_eq!(again.write(edition), written);
        }
    }
    match event(&trf, "fuzz.trf") {
        Err(fault) => assert!(!fault.to_string().is_empty()),
        Ok(event) => {
            let _ = event.check();
            if let Ok(again) = Event::read(&event.write()) {
                let _ = again.tournament(again.rounds.len());
            }
        }
    }
});
