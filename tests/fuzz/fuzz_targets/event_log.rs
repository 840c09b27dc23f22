#![no_main]
//! Any log of an event is read, or its damage named; so is any packed event, which is not unpacked unless it is whole.

use libfuzzer_sys::fuzz_target;
use overboard_events::{
    Files, pack,
    store::{CHANGES, FolderState, LAST},
};
use std::{env, fs, process};

/// The files of a log, used in this order as far as the input has texts for them.
const NAMES: [&str; 4] = [CHANGES, LAST, "0001.json", "0002.json"];

fuzz_target!(|texts: Vec<&[u8]>| {
    let names = NAMES.iter().map(ToString::to_string);
    let log: Files = names.zip(texts.iter().map(|text| text.to_vec())).collect();
    let found = FolderState::of(Files::new(), log);
    let review = found.look();
    for fault in review.faults.iter().chain(&review.notes) {
        assert!(!fault.to_string().is_empty());
    }
    let folder = env::temp_dir().join(format!("overboard-fuzz-{}", process::id()));
    for text in texts {
        let text = String::from_utf8_lossy(text);
        match pack::unpack("fuzz.json", &text, &folder) {
            Ok(event) => {
                let _ = event.check();
                fs::remove_dir_all(&folder).expect("a folder");
            }
            Err(fault) => assert!(!fault.to_string().is_empty() && !folder.exists()),
        }
    }
});
