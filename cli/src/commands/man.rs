//! `man`: manual pages, generated from the same text as `--help`.

use super::described;
use crate::exit::{CliError, Exit};
use clap::{Args, Command};
use overboard_events::atomic_files;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Print the man page, or write all of them to a folder.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the folder cannot be written.\n\nExamples:\n  overboard man > overboard.1\n  overboard man --out ~/.local/share/man/man1"
)]
pub struct ManArgs {
    /// Write `overboard.1` and a page for each command to this folder.
    #[arg(short, long, alias = "output", value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub fn run(args: &ManArgs) -> Result<Exit, CliError> {
    match &args.out {
        Some(folder) => all_pages(folder)?,
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(described()).render(&mut page)?;
            io::stdout().write_all(&page)?;
        }
    }
    Ok(Exit::Clean)
}

fn all_pages(folder: &Path) -> Result<(), CliError> {
    let _made = atomic_files::folder(folder).map_err(CliError::on(folder))?;
    let mut command = described().disable_help_subcommand(true);
    command.build();
    pages(&command, folder)
}

/// Writes the pages of a command and of its subcommands, each completely or not at all.
fn pages(command: &Command, folder: &Path) -> Result<(), CliError> {
    for below in command.get_subcommands() {
        if !below.is_hide_set() {
            pages(below, folder)?;
        }
    }
    let page = clap_mangen::Man::new(command.clone());
    let path = folder.join(page.get_filename());
    atomic_files::replace(&path, |mut out| page.render(&mut out)).map_err(CliError::on(&path))
}
