//! `event undo`: undoes the last change, or all after one.

use super::print_turned;
use crate::exit::{CliError, Exit};
use crate::options::{ChangeArgs, FolderArgs};
use clap::Args;

/// Undo the last change, or all after one.
///
/// Repeat it to undo the change before that, and so on.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is nothing to undo, or a file was changed by hand.\n\nExamples:\n  overboard event undo cup\n  overboard event undo cup --to 12"
)]
pub struct UndoArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Undo all changes after this one, given by its number in `event log`.
    #[arg(long, value_name = "N")]
    pub to: Option<u32>,
    /// Undo even if a file has been edited by hand since.
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &UndoArgs) -> Result<Exit, CliError> {
    let mut folder = args.folder.open(&args.change)?;
    let entries = folder.undo(args.to, args.force, args.change.write.mode())?;
    print_turned("Undid", args.to, &entries, &args.change)
}
