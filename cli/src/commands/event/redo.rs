//! `event redo`: the change that was undone last, or all up to one, made again.

use super::print_turned;
use crate::exit::{CliError, Exit};
use crate::options::{ChangeArgs, FolderArgs};
use clap::Args;

/// Redo the change that was undone last, or all up to one.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 nothing was undone, or there have been changes since.\n\nExamples:\n  overboard event redo cup\n  overboard event redo cup --to 12"
)]
pub struct RedoArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Redo all undone changes up to this one, given by its number in `event log`.
    #[arg(long, value_name = "N")]
    pub to: Option<u32>,
    /// Redo even if a file has been edited by hand since.
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &RedoArgs) -> Result<Exit, CliError> {
    let mut folder = args.folder.open(&args.change)?;
    let entries = folder.redo(args.to, args.force, args.change.write.mode())?;
    print_turned("Redid", args.to, &entries, &args.change)
}
