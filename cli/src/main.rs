//! Tournament and adjudication tools for nested and multi-board chess.

mod batch;
mod breakdown;
mod commands;
mod door;
mod exit;
mod figures;
mod games;
mod grid;
mod interrupt;
mod ledgers;
mod moments;
mod options;
mod page;
mod picture;
mod play;
mod plots;
mod pointer;
mod positions;
mod render;
mod sequence;
mod sheets;
mod spool;
mod sprt;
mod summary;
mod tables;
mod threads;
mod ui;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match commands::Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => return ui::usage(&usage),
    };
    ui::finish(commands::run(&cli))
}
