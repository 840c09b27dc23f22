#![no_main]
//! Reads the commands in any comment, and any text as a duration.

use libfuzzer_sys::fuzz_target;
use overboard_formats::command::{commands, duration, lone_clock, time_control};

fuzz_target!(|comment: &[u8]| {
    let mut end = 0;
    for command in commands(comment) {
        assert!(end <= command.bytes.start && command.bytes.end <= comment.len());
        end = command.bytes.end;
        let _ = duration(command.arguments);
    }
    let _ = (
        lone_clock(comment),
        std::str::from_utf8(comment).map(time_control),
    );
});
