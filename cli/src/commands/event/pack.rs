//! `event pack`: writes a whole event, with its log, to one file.

use super::put;
use crate::exit::{CliError, Exit};
use crate::options::FolderArgs;
use clap::Args;
use overboard_events::pack;
use std::path::PathBuf;

/// Write the whole event, with its log, to one file.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the event cannot be read.\n\nExample:\n  overboard event pack cup --out cup.event.json"
)]
pub struct PackArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Write to this file.
    #[arg(short, long, alias = "output", value_name = "FILE")]
    pub out: Option<PathBuf>,
}

pub fn run(args: &PackArgs) -> Result<Exit, CliError> {
    put(args.out.as_deref(), &pack::pack(&args.folder.folder)?)
}
