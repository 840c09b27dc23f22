//! `pair check`: checks the pairings of an event, without the code that made them.

use crate::{
    commands::event::print_review,
    exit::{CliError, Exit},
    options::FolderArgs,
};
use clap::Args;
use overboard_events::store;

/// Check the pairings of an event.
///
/// The checker is independent of the code that makes the pairings.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 no errors, 1 errors were found, 2 there is no event.\n\nExample:\n  overboard pair check cup"
)]
pub struct CheckPairingsArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Print one JSON object per error.
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &CheckPairingsArgs) -> Result<Exit, CliError> {
    let looked = store::read_with_bases(&args.folder.folder)?.look_at_pairings();
    let none = format!(
        "no errors in the pairings (`overboard event check {}` checks the files)",
        args.folder.in_a_shell()
    );
    print_review(&looked.placed(), &none, args.json)
}
