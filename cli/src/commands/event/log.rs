//! `event log`: prints what was changed, and when.

use crate::{
    exit::{CliError, Exit},
    options::FolderArgs,
    ui,
};
use clap::Args;
use overboard_events::store::{Standing, settled_log};
use overboard_formats::foreign::visible;
use std::io::Write;

/// Print the log of changes.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no event.\n\nExample:\n  overboard event log cup"
)]
pub struct LogArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Print one JSON object for each change, with the files before and after.
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &LogArgs) -> Result<Exit, CliError> {
    let log = settled_log(&args.folder.folder)?;
    let done: Vec<u32> = Standing::of(&log)
        .done
        .iter()
        .map(|entry| entry.number)
        .collect();
    let mut out = ui::stdout();
    for entry in &log {
        if args.json {
            ui::json(&mut out, entry)?;
            continue;
        }
        let is_change = entry.undoes.is_none() && entry.redoes.is_none();
        let mark = if is_change && !done.contains(&entry.number) {
            " (undone)"
        } else {
            ""
        };
        writeln!(
            out,
            "{:>4}  {}  {}{mark}",
            entry.number,
            visible(&entry.time),
            visible(&entry.what)
        )?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}
