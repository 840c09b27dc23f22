//! `event check`: what is wrong with the files of an event.

use super::print_faults;
use crate::exit::{CliError, Exit};
use crate::options::FolderArgs;
use clap::Args;
use overboard_events::store::{StoreError, read_with_bases};

/// Check the files of an event.
///
/// Each error is reported with its file, line and column.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 no errors, 1 errors were found, 2 there is no event.\n\nExample:\n  overboard event check cup"
)]
pub struct CheckEventArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Print one JSON object per error.
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &CheckEventArgs) -> Result<Exit, CliError> {
    let (faults, notes) = match read_with_bases(&args.folder.folder) {
        Ok(event) => event.look(),
        Err(StoreError::Faults(faults)) => (faults, Vec::new()),
        Err(error) => return Err(error.into()),
    };
    print_faults(&faults, &notes, "no errors found", args.json)
}
