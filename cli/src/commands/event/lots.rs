//! `event lots`: pairing numbers by lot.

use super::tell;
use crate::{
    commands::pair::fresh_seed,
    exit::{Exit, Failure},
    options::{FolderArgs, WriteArgs},
};
use clap::Args;
use overboard_events::{lots::Lots, store::Folder};

/// Draw the pairing numbers by lot.
///
/// Before the first round. The same seed gives the same numbers on every machine; the log of the event keeps it.
/// Groups of a Scheveningen event stay, and their members draw among themselves.
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
    /// In a round robin: let those of one group (teams) or federation (players) meet in early rounds.
    #[arg(long)]
    pub early: bool,
    /// In a round robin of 9 to 24: by the Varma tables of FIDE, which keep those of one group (teams) or federation
    /// (players) from meeting in the last three rounds.
    #[arg(long, conflicts_with = "early")]
    pub varma: bool,
    /// In a Swiss: draw the initial colour, and leave the numbers as they are.
    #[arg(long, conflicts_with_all = ["early", "varma"])]
    pub initial: bool,
    #[command(flatten)]
    pub write: WriteArgs,
}

pub fn run(args: &LotsArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    let how = match (args.early, args.varma) {
        (true, _) => Lots::Early,
        (_, true) => Lots::Varma,
        _ => Lots::Any,
    };
    let seed = args.seed.unwrap_or_else(fresh_seed);
    if args.initial {
        let colour = event.draw_initial(seed).map_err(Failure::Event)?;
        let what = format!("initial colour drawn with --seed {seed}: {colour}");
        let changed = folder.commit(&what, &event, args.write.dry_run)?;
        return tell(&what, &changed, &args.write);
    }
    event.draw_lots(seed, how).map_err(|error| Failure::Event(error.to_string()))?;
    let option = match how {
        Lots::Any => "",
        Lots::Early => " --early",
        Lots::Varma => " --varma",
    };
    let numbers: Vec<_> =
        event.participants().iter().map(|one| format!("{} {}", one.number, one.name.shown())).collect();
    let what = format!("lots drawn with --seed {seed}{option}: {}", numbers.join(", "));
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    tell(&what, &changed, &args.write)
}
