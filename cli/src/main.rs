//! Tournament and adjudication tools for nested and multi-board chess.

mod bare;
mod batch;
mod bounded;
mod breakdown;
mod commands;
mod config;
mod engines;
mod exit;
mod figures;
mod finding_details;
mod folders;
mod games;
mod grid;
mod grown;
mod help;
mod input_copies;
mod interrupt;
mod ledgers;
mod live;
mod moments;
mod options;
mod packed;
mod page;
mod picture;
mod play;
mod plots;
mod position_output;
mod positions;
mod render;
mod schemas;
mod sequence;
mod sheets;
mod show_command;
mod sprt;
mod summary;
mod tables;
mod threads;
mod ui;
mod visible_output;

use config::Config;
use overboard_engines::external::launch;
use std::{hint::black_box, process::ExitCode};

/// Frees a block of a megabyte, once: from then on the C library of Linux keeps up to two of what is freed, in place of a
/// hundred kilobytes. Records with more than 500 findings each returned their memory to the system one after the other,
/// and took a third longer.
fn keep_freed_memory() {
    drop(black_box(Vec::<u8>::with_capacity(1 << 20)));
}

fn main() -> ExitCode {
    keep_freed_memory();
    // Engines are started through this program, which then becomes the engine.
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if let Some(error) = launch::become_engine(&words) {
        return ui::not_started(&words, &error);
    }
    let config = Config::read();
    let known = config.as_ref().ok();
    ui::use_colours(ui::colour_of(&words).or(known.and_then(Config::color)));
    let cli = match commands::parse(words, known) {
        Ok(cli) => cli,
        Err(usage) => return ui::usage(&usage),
    };
    ui::finish(match config {
        Ok(config) => commands::run(cli, &config),
        Err(error) => Err(error.into()),
    })
}
