//! Ctrl-C and similar signals, after which a run stops in an orderly way.

use crate::show_command::quoted;
use overboard_engines::batch::Wish;
use std::{
    ffi::OsString,
    process,
    sync::atomic::{AtomicU8, Ordering},
};

/// How many signals to stop have arrived.
static HEARD: AtomicU8 = AtomicU8::new(0);
/// The exit code of a run that was stopped before its end.
const STOPPED: i32 = 1;

/// Listens for signals from now on; a third one ends the process at once.
pub fn listen() {
    // If the system refuses, a signal ends the process at once, as without this; the ledger stays valid.
    let _ = ctrlc::set_handler(|| {
        if HEARD.fetch_add(1, Ordering::Relaxed) >= 2 {
            process::exit(STOPPED);
        }
    });
}

/// What the signals so far demand.
pub fn wish() -> Wish {
    match HEARD.load(Ordering::Relaxed) {
        0 => Wish::GoOn,
        1 => Wish::Finish,
        _ => Wish::GiveUp,
    }
}

/// A command line that a shell reads as these words.
pub fn command_line(words: impl IntoIterator<Item = OsString>) -> String {
    words
        .into_iter()
        .map(|word| quoted(&word.to_string_lossy()))
        .collect::<Vec<_>>()
        .join(" ")
}
