//! Files without a command: `overboard game.pgn` checks the game.

use clap::Command;
use std::{ffi::OsString, path::Path};

/// The place of the first file, if the command line begins with a file where a command belongs. A command wins over a
/// file of its name.
pub fn first_file(words: &[OsString], command: &Command) -> Option<usize> {
    let mut rest = words.iter().enumerate();
    while let Some((index, word)) = rest.next() {
        let text = word.to_str().unwrap_or_default();
        if text == "--color" {
            rest.next();
        } else if text == "-" {
            return Some(index);
        } else if !text.starts_with('-') {
            let is_command = text == "help" || command.find_subcommand(text).is_some();
            return (!is_command && Path::new(word).exists()).then_some(index);
        } else if !text.starts_with("--color=") {
            return None;
        }
    }
    None
}
