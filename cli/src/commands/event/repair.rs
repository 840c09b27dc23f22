//! `event repair`: restores files from the log, and a damaged log.

use crate::{
    exit::{CliError, Exit},
    options::{FolderArgs, WhoArgs},
    ui,
};
use clap::Args;
use overboard_events::store::{Folder, Repair, difference_of, settled_folder};
use overboard_formats::foreign::visible;
use serde::Serialize;
use std::io::Write;

/// Restore files from the log, or a damaged log.
///
/// Prints what would be done, and changes nothing without --write. A file that is missing or is not as the log has it is
/// restored. A log whose lines are all there is put in order; where lines are lost, it is set aside, and a new log begins
/// with the files as they are. Whatever is replaced is kept in the folder `log`.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 nothing to repair, or it was done, 1 something should be repaired, 2 there is no event.\n\nExamples:\n  overboard event repair cup\n  overboard event repair cup --write"
)]
pub struct RepairArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Do it.
    #[arg(long)]
    pub write: bool,
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub said: WhoArgs,
}

/// The repair of an event.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shown<'a> {
    /// Whether it was done, and not only shown.
    done: bool,
    /// What is done, in words.
    steps: &'a [String],
    /// The files that it changes.
    files: Vec<&'a str>,
}

pub fn run(args: &RepairArgs) -> Result<Exit, CliError> {
    let repair = if args.write {
        Folder::open_as_found(&args.folder.folder, args.said.session())?.repair()?
    } else {
        settled_folder(&args.folder.folder)?.repair()
    };
    print(args, &repair)?;
    let is_left = !args.write && !repair.steps.is_empty();
    Ok(Exit::with(is_left))
}

fn print(args: &RepairArgs, repair: &Repair) -> Result<(), CliError> {
    if args.json {
        ui::print_json(&Shown {
            done: args.write,
            steps: &repair.steps,
            files: repair.files.iter().map(|one| one.file.as_str()).collect(),
        })?;
        return Ok(());
    }
    let mut out = ui::stdout();
    let head = match (repair.steps.is_empty(), args.write) {
        (true, _) => "nothing to repair",
        (false, true) => "Repaired:",
        (false, false) => "A repair would:",
    };
    writeln!(out, "{head}")?;
    for step in &repair.steps {
        writeln!(out, "- {}", visible(step))?;
    }
    for change in &repair.files {
        for line in difference_of(change) {
            writeln!(out, "  {}: {}", change.file, visible(&line))?;
        }
    }
    if !args.write && !repair.steps.is_empty() {
        writeln!(out, "nothing was changed; --write does it")?;
    }
    Ok(out.flush()?)
}
