//! `engine`: what can be done with an engine that is a program of its own, beside playing matches.

mod check;

use crate::exit::{CliError, Exit};
use clap::{Args, Subcommand};

/// Check an external engine.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  overboard engine check stockfish")]
pub struct EngineArgs {
    #[command(subcommand)]
    pub command: EngineCommand,
}

#[derive(Subcommand, Debug)]
pub enum EngineCommand {
    Check(check::CheckArgs),
}

pub fn run(args: &EngineArgs) -> Result<Exit, CliError> {
    match &args.command {
        EngineCommand::Check(args) => check::run(args),
    }
}
