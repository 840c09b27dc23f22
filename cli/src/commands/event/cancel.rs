//! `event cancel`: the pairing of a round is taken back.

use super::tell;
use crate::{
    args::CancelArgs,
    commands::pair::which,
    exit::{Exit, Failure},
};
use overboard_events::store::Folder;

pub fn run(args: &CancelArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    let first = which(&event, Some(args.round))?;
    let last = event.rounds.len() as u32;
    // A match with one who is gone is forfeited by the pairing, and no result of anybody's.
    let given = event.rounds[first.index()..].iter().flat_map(|round| &round.matches);
    let results = given
        .filter(|this| {
            this.result.is_some_and(|result| !result.is_forfeit())
                || this.boards.iter().any(|board| board.result.is_some())
        })
        .count();
    let (pairings, rounds) = if first.get() == last {
        ("pairing", format!("round {first}"))
    } else {
        ("pairings", format!("rounds {first} to {last}"))
    };
    if results > 0 && !args.discard_results {
        let (there, them) = if results == 1 { ("is a result", "it") } else { ("are results", "them") };
        return Err(Failure::Event(format!(
            "there {there} in {rounds}; --discard-results takes {them} back as well (the log keeps {them})"
        )));
    }
    event.cancel(first);
    let what = format!("{pairings} of {rounds} taken back");
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    tell(&what, &changed, &args.write)
}
