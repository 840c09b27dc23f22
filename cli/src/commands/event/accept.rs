//! `event accept`: takes files that were edited by hand into the log.

use super::{keeps_valid, print_with_notes};
use crate::{
    exit::{CliError, Exit},
    options::{FolderArgs, WhoArgs, WriteArgs, one_line},
};
use clap::Args;
use overboard_events::{
    Event,
    store::{Folder, Mode, difference_of},
};

/// Accept files that were edited by hand.
///
/// Only event.toml may be edited without further ado. Another file that is not as the log has it stops every command that
/// writes, until it is accepted here or restored by `event repair`. What changed is printed, and becomes a change in the
/// log, which can be undone.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 a file is as the log has it, or the event would have errors.\n\nExamples:\n  overboard event accept cup rounds/03.csv --reason 'typed by the deputy' --dry-run\n  overboard event accept cup rounds/03.csv --reason 'typed by the deputy'"
)]
pub struct AcceptArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The files, as `event check` names them, such as rounds/03.csv.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Why, for the log.
    #[arg(long, value_name = "TEXT", value_parser = one_line, required = true)]
    pub reason: String,
    /// Who accepts them, for the log; otherwise the setting `by` says it.
    #[arg(long, value_name = "NAME", value_parser = one_line)]
    pub by: Option<String>,
    #[command(flatten)]
    pub write: WriteArgs,
}

pub fn run(args: &AcceptArgs) -> Result<Exit, CliError> {
    let who = WhoArgs {
        by: args.by.clone(),
        reason: Some(args.reason.clone()),
    };
    let mut folder = Folder::open_as_found(&args.folder.folder, who.session())?;
    let changed = folder.accept(&args.files, Mode::Dry)?;
    let event = folder.event()?;
    // If the log has no readable event, any readable one is better.
    if let Ok(before) = Event::read(&folder.found().as_logged()) {
        keeps_valid(&before, &event)?;
    }
    if !args.write.dry_run {
        folder.accept(&args.files, Mode::Write)?;
    }
    let lines = |change| difference_of(change).into_iter();
    let notes: Vec<String> = changed
        .iter()
        .flat_map(|change| lines(change).map(|line| format!("{}: {line}", change.file)))
        .collect();
    let what = format!("Accepted {}", args.files.join(", "));
    print_with_notes(&what, &changed, &notes, &args.write)
}
