//! Ctrl-C and its kin: heard by a run, which then stops in an orderly way.

use crate::pointer::quoted;
use overboard_engines::batch::Wish;
use std::{
    ffi::OsString,
    process,
    sync::atomic::{AtomicU8, Ordering},
};

/// How often a signal to stop came.
static HEARD: AtomicU8 = AtomicU8::new(0);
/// The exit code of a run that was stopped before its end.
const STOPPED: i32 = 1;

/// Listens from now on; a third signal ends the process where it stands.
pub fn listen() {
    // Where the system refuses, a signal ends the process at once, as it did before: the ledger stays whole.
    let _ = ctrlc::set_handler(|| {
        if HEARD.fetch_add(1, Ordering::Relaxed) >= 2 {
            process::exit(STOPPED);
        }
    });
}

/// What those who sent signals wish.
pub fn wish() -> Wish {
    match HEARD.load(Ordering::Relaxed) {
        0 => Wish::GoOn,
        1 => Wish::Finish,
        _ => Wish::GiveUp,
    }
}

/// A command line that a shell reads as these words.
pub fn command_line(words: impl IntoIterator<Item = OsString>) -> String {
    words.into_iter().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}
