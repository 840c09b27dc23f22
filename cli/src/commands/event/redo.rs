//! `event redo`: redoes the change that was undone last.

use super::print_finding;
use crate::exit::{CliError, Exit};
use crate::options::{FolderArgs, WriteArgs};
use clap::Args;
use overboard_events::store::Folder;

/// Redo the change that was undone last.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 nothing was undone, or there have been changes since.\n\nExample:\n  overboard event redo cup"
)]
pub struct RedoArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Redo even if a file has been edited by hand since.
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub write: WriteArgs,
}

pub fn run(args: &RedoArgs) -> Result<Exit, CliError> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let entry = folder.redo(args.force, args.write.dry_run)?;
    print_finding(&format!("Redid change {}: {}", entry.number, entry.what), &entry.files, &args.write)
}
