//! `completions`: prints shell completions for our commands.

use super::described;
use crate::exit::{CliError, Exit};
use clap::Args;
use clap_complete::Shell;
use std::io::{self, Write};

/// Print completions for a shell.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit code: 0.\n\nExample:\n  overboard completions bash > ~/.local/share/bash-completion/completions/overboard"
)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

pub fn run(args: &CompletionsArgs) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut described(), "overboard", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Clean)
}
