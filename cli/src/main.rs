//! Tournament and adjudication tools for nested and multi-board chess.

mod args;
mod batch;
mod commands;
mod exit;
mod figures;
mod games;
mod grid;
mod ledgers;
mod options;
mod page;
mod picture;
mod plots;
mod positions;
mod render;
mod summary;
mod ui;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(usage) => return ui::usage(&usage),
    };
    ui::finish(commands::run(&args))
}
