//! `event lots`: pairing numbers by lot.

use super::tell;
use crate::{
    args::LotsArgs,
    commands::pair::fresh_seed,
    exit::{Exit, Failure},
};
use overboard_events::{lots::Lots, store::Folder};

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
        event.participants().iter().map(|one| format!("{} {}", one.number, one.name)).collect();
    let what = format!("lots drawn with --seed {seed}{option}: {}", numbers.join(", "));
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    tell(&what, &changed, &args.write)
}
