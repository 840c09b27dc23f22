//! `event check`: what is wrong with the files of an event.

use super::print_review;
use crate::exit::{CliError, Exit};
use crate::options::FolderArgs;
use clap::Args;
use overboard_events::{Event, store::settled_folder};

/// Check the files of an event.
///
/// Each error is reported with its file, line and column. The files are held against the log, and every entry of the log
/// against the one before it.
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
    let found = settled_folder(&args.folder.folder)?;
    let mut review = found.look();
    match Event::read(&found.files) {
        Ok(mut event) => {
            event.rebuild_bases(&found.log, &found.files);
            review.extend(event.look());
        }
        Err(more) => {
            for fault in more {
                // A file that is missing is reported once, by the log.
                let is_known = review.faults.iter().any(|known| known.at == fault.at);
                if fault.at.line > 0 || !is_known {
                    review.faults.push(fault);
                }
            }
        }
    }
    print_review(&review, "no errors found", args.json)
}
