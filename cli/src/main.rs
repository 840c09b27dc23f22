//! Tournament and adjudication tools for nested and multi-board chess.

mod args;
mod commands;
mod exit;
mod games;
#[cfg_attr(not(test), expect(dead_code, reason = "no command shows pictures yet"))]
mod picture;
mod render;
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
