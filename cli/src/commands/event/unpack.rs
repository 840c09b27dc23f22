//! `event unpack`: restores the folder of a packed event.

use super::bytes;
use crate::{
    exit::{CliError, Exit},
    options::FolderArgs,
    ui,
};
use clap::Args;
use overboard_events::pack;
use overboard_rules::refusal::counted;
use std::path::PathBuf;

/// Restore the folder of a packed event.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the file is not a packed event, or the folder is not empty.\n\nExample:\n  overboard event unpack cup cup.event.json"
)]
pub struct UnpackArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The file that `event pack` wrote.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

pub fn run(args: &UnpackArgs) -> Result<Exit, CliError> {
    let name = args.file.display().to_string();
    let text = String::from_utf8_lossy(&bytes(&args.file)?).into_owned();
    let event = pack::unpack(&name, &text, &args.folder.folder)?;
    ui::print_text(&format!(
        "Unpacked {} into {} ({}, {})\n",
        event.settings.name.shown(),
        overboard_formats::foreign::visible(&args.folder.shown()),
        counted(event.participants().len(), "participant"),
        counted(event.rounds.len(), "round")
    ))?;
    Ok(Exit::Clean)
}
