//! `event lots`: pairing numbers by lot.

use super::tell;
use crate::{
    args::LotsArgs,
    commands::pair::fresh_seed,
    exit::{Exit, Failure},
    folder::{Folder, Trouble},
};

pub fn run(args: &LotsArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    event.draw_lots(seed, args.early).map_err(|error| Failure::from(Trouble::Said(error.to_string())))?;
    let early = if args.early { " --early" } else { "" };
    let numbers: Vec<_> =
        event.participants().iter().map(|one| format!("{} {}", one.number, one.name)).collect();
    let what = format!("lots drawn with --seed {seed}{early}: {}", numbers.join(", "));
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    tell(&what, &changed, &args.write)
}
