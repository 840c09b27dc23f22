#![no_main]
//! What is sent to a desk and typed there, its journal, and a record that it goes on with: understood, or refused in words.

use libfuzzer_sys::fuzz_target;
use overboard_desk::{journal::Journal, lines, record, words};
use std::{env, fs, process};

fuzz_target!(|texts: (&str, &[u8])| {
    let (text, bytes) = texts;
    for line in text.lines() {
        let _ = lines::read(line);
        if let Err(why) = words::read(line) {
            assert!(!why.is_empty());
        }
    }
    if let Err(why) = record::read(text) {
        assert!(!why.to_string().is_empty());
    }
    let path = env::temp_dir().join(format!("overboard-fuzz-{}.desk", process::id()));
    fs::write(&path, bytes).expect("a folder for temporary files");
    if let Err(why) = Journal::open(&path) {
        assert!(!why.to_string().is_empty());
    }
});
