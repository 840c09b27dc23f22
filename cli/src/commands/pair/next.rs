//! `pair next`: pairs the next round.

use super::show::round_grid;
use crate::{
    commands::event::commit,
    exit::{CliError, Exit},
    options::{ChangeArgs, FolderArgs, Form},
    ui,
};
use clap::Args;
use overboard_events::pairing::RoundError;
use overboard_schedules::ids::RoundNo;
use std::io::Write;

/// Pair the next round of an event.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no next round yet.\n\nExamples:\n  overboard pair next cup\n  overboard pair next cup --all"
)]
pub struct NextArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Pair all rounds that do not depend on results.
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &NextArgs) -> Result<Exit, CliError> {
    let (mut folder, mut event) = args.folder.open_event(&args.change)?;
    for fault in event.check_entries() {
        ui::warn(&fault.to_string());
    }
    let first = event.rounds.len() + 1;
    event.pair_next()?;
    while args.all && (event.rounds.len() as u32) < event.scheduled() {
        if let Err(error) = event.pair_next() {
            // That a round depends on results needs no words here.
            if matches!(error, RoundError::Large(_)) {
                ui::warn(&error.to_string());
            }
            break;
        }
    }
    let last = event.rounds.len();
    let what = if first == last {
        format!("Paired round {first}")
    } else {
        format!("Paired rounds {first} to {last}")
    };
    commit(&mut folder, &what, &event, &args.change)?;
    if first == last && !args.change.write.json {
        let mut out = ui::stdout();
        writeln!(out)?;
        round_grid(&event, RoundNo::new(last as u32)).write(&mut out, Form::Text, false)?;
        out.flush()?;
    }
    Ok(Exit::Clean)
}
