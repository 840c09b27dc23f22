//! `event lots`: pairing numbers by lot.

use super::commit;
use crate::{
    commands::pair::fresh_seed,
    exit::{CliError, Exit},
    options::{ChangeArgs, FolderArgs},
};
use clap::Args;
use overboard_events::{Event, lots::Lots};

/// Draw the pairing numbers by lot.
///
/// Possible before the first round is paired. The same seed gives the same numbers on every machine; the seed is kept
/// in the event's log. In a Scheveningen event, each group draws among its own members.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 a round is paired, or the numbers have gaps.\n\nExamples:\n  overboard event lots cup --seed 7\n  overboard event lots open --seed 7 --early\n  overboard event lots open --seed 7 --varma"
)]
pub struct LotsArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The seed [default: a random one, reported and kept in the log].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// In a round robin: make teams of one group, or players of one federation, meet in early rounds.
    #[arg(long)]
    pub early: bool,
    /// In a round robin of 9 to 24: use FIDE's Varma tables, so that teams of one group, or players of one federation,
    /// do not meet in the last three rounds.
    #[arg(long, conflicts_with = "early")]
    pub varma: bool,
    /// In a Swiss: draw only the initial colour.
    #[arg(long, conflicts_with_all = ["early", "varma"])]
    pub initial: bool,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &LotsArgs) -> Result<Exit, CliError> {
    let (mut folder, mut event) = args.folder.open_event(&args.change)?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let what = if args.initial {
        let colour = event.draw_initial(seed)?;
        format!("Drew the initial colour with --seed {seed}: {colour}")
    } else {
        draw(&mut event, seed, args)?
    };
    commit(&mut folder, &what, &event, &args.change)
}

/// Draws the numbers; returns what was done, in words.
fn draw(event: &mut Event, seed: u64, args: &LotsArgs) -> Result<String, CliError> {
    let (how, option) = match (args.early, args.varma) {
        (true, _) => (Lots::Early, " --early"),
        (_, true) => (Lots::Varma, " --varma"),
        _ => (Lots::Any, ""),
    };
    event.draw_lots(seed, how)?;
    let mut numbers = Vec::new();
    for one in event.participants() {
        numbers.push(format!("{} {}", one.number, one.name.shown()));
    }
    let numbers = numbers.join(", ");
    Ok(format!("Drew lots with --seed {seed}{option}: {numbers}"))
}
