//! `engine`: commands for an external engine, apart from matches.

pub mod check;

use crate::exit::{CliError, Exit};
use clap::{Args, Subcommand};

/// Check an external engine.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 no faults, 1 the engine was at fault, 2 it cannot be started.\n\nExample:\n  overboard engine check stockfish"
)]
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
