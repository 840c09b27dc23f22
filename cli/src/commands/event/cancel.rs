//! `event cancel`: cancels the pairing of a round and of all later ones.

use super::commit;
use crate::{
    commands::pair::which,
    exit::{CliError, Exit},
    options::{ChangeArgs, FolderArgs, from_one},
};
use clap::Args;
use overboard_events::{Event, rounds::Match};
use overboard_schedules::ids::RoundNo;

/// Cancel the pairing of a round, and of all later ones.
///
/// Rounds with results are cancelled only with --discard-results; the log keeps the results.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no such round, or it has results.\n\nExamples:\n  overboard event cancel cup 4\n  overboard event cancel cup 2 --discard-results"
)]
pub struct CancelArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The first round to cancel.
    #[arg(value_name = "ROUND", value_parser = from_one())]
    pub round: u32,
    /// Cancel even if there are results.
    #[arg(long)]
    pub discard_results: bool,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &CancelArgs) -> Result<Exit, CliError> {
    let (mut folder, mut event) = args.folder.open_event(&args.change)?;
    let first = which(&event, Some(args.round))?;
    let last = event.rounds.len() as u32;
    if !args.discard_results {
        has_no_results(&event, first)?;
    }
    let (pairings, rounds) = if first.get() == last {
        ("pairing", format!("round {first}"))
    } else {
        ("pairings", format!("rounds {first} to {last}"))
    };
    event.cancel(first);
    let what = format!("Cancelled the {pairings} of {rounds}");
    commit(&mut folder, &what, &event, &args.change)
}

/// Refuses to lose results of this round and of later ones.
fn has_no_results(event: &Event, first: RoundNo) -> Result<(), CliError> {
    let (mut played, mut results) = (Vec::new(), 0);
    for (number, round) in RoundNo::all().zip(&event.rounds).skip(first.index()) {
        let count = round.matches.iter().filter(|this| has_result(this)).count();
        if count > 0 {
            played.push(number);
            results += count;
        }
    }
    let played = match &played[..] {
        [] => return Ok(()),
        [one] => format!("round {one}"),
        [from, .., to] => format!("rounds {from} to {to}"),
    };
    let (there, them) = if results == 1 {
        ("is a result", "it")
    } else {
        ("are results", "them")
    };
    Err(CliError::Event(format!(
        "there {there} in {played}; --discard-results removes {them} too (the log keeps {them})"
    )))
}

/// A match with a withdrawn participant is forfeited by default; that is not an entered result.
fn has_result(this: &Match) -> bool {
    this.result.is_some_and(|result| !result.is_forfeit())
        || this.boards.iter().any(|board| board.result.is_some())
}
