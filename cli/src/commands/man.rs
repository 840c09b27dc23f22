//! `man`: manual pages made from the same words as `--help`.

use super::Cli;
use crate::exit::{Exit, Failure};
use clap::{Args, CommandFactory};
use std::{
    io::{self, Write},
    path::PathBuf,
};

/// Print a manual page, or write all of them to a folder.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  overboard man > overboard.1\n  overboard man --out ~/.local/share/man/man1"
)]
pub struct ManArgs {
    /// Write `overboard.1` and a page for each command to this folder.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub fn run(args: &ManArgs) -> Result<Exit, Failure> {
    match &args.out {
        Some(folder) => {
            clap_mangen::generate_to(Cli::command(), folder).map_err(|error| Failure::file(folder, error))?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            io::stdout().write_all(&page)?;
        }
    }
    Ok(Exit::Clean)
}
