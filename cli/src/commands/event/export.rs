//! `event export`: an event as a Tournament Report File.

use super::put;
use crate::exit::{CliError, Exit};
use crate::options::FolderArgs;
use crate::ui;
use clap::Args;
use overboard_events::{
    store::read,
    trf::{Edition, Trf},
};
use std::path::PathBuf;

/// Write the event as a Tournament Report File (TRF).
///
/// Data without a field in the format is written as comments, which `event import` reads. If another program changes
/// the report, its changes take precedence over the comments.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the event cannot be read.\n\nExamples:\n  overboard event export cup > cup.trf\n  overboard event export cup --trf 16 --out cup.trf"
)]
pub struct ExportArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The edition of the format.
    #[arg(long, value_name = "EDITION", default_value = "26")]
    pub trf: Edition,
    /// Leave out the comments with data that has no field in the format.
    #[arg(long)]
    pub plain: bool,
    /// Write to this file.
    #[arg(short, long, alias = "output", value_name = "FILE")]
    pub out: Option<PathBuf>,
}

pub fn run(args: &ExportArgs) -> Result<Exit, CliError> {
    let event = read(&args.folder.folder)?;
    let edition = args.trf;
    for wrong in event.impossible_dates() {
        ui::warn(&format!("{wrong}; the report leaves it out"));
    }
    let mut trf = Trf::from(&event);
    if !args.plain {
        trf.carried = event.write();
    }
    if let Some(why) = trf.too_large(edition) {
        return Err(CliError::Event(why));
    }
    let text = trf.write(edition);
    put(args.out.as_deref(), &text)
}
