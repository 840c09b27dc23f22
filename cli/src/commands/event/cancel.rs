//! `event cancel`: cancels the pairing of a round and of all later ones.

use super::print_finding;
use crate::{
    commands::pair::which,
    exit::{CliError, Exit},
    options::{FolderArgs, WhoArgs, WriteArgs},
};
use clap::Args;
use overboard_events::rounds::Match;
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
    #[arg(value_name = "ROUND", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: u32,
    /// Cancel even if there are results.
    #[arg(long)]
    pub discard_results: bool,
    #[command(flatten)]
    pub write: WriteArgs,
    #[command(flatten)]
    pub said: WhoArgs,
}

pub fn run(args: &CancelArgs) -> Result<Exit, CliError> {
    let mut folder = args.folder.open(&args.said)?;
    let mut event = folder.event()?;
    let first = which(&event, Some(args.round))?;
    let last = event.rounds.len() as u32;
    // A match with a withdrawn participant is forfeited by default; that is not an entered result.
    let has_result = |this: &Match| {
        this.result.is_some_and(|result| !result.is_forfeit())
            || this.boards.iter().any(|board| board.result.is_some())
    };
    let given = RoundNo::all()
        .zip(&event.rounds)
        .skip(first.index())
        .map(|(number, round)| {
            (
                number,
                round.matches.iter().filter(|this| has_result(this)).count(),
            )
        });
    let given: Vec<_> = given.filter(|(_, count)| *count > 0).collect();
    let results: usize = given.iter().map(|(_, count)| count).sum();
    let played = match &given[..] {
        [] => String::new(),
        [(one, _)] => format!("round {one}"),
        [(from, _), .., (to, _)] => format!("rounds {from} to {to}"),
    };
    let (pairings, rounds) = if first.get() == last {
        ("pairing", format!("round {first}"))
    } else {
        ("pairings", format!("rounds {first} to {last}"))
    };
    if results > 0 && !args.discard_results {
        let (there, them) = if results == 1 {
            ("is a result", "it")
        } else {
            ("are results", "them")
        };
        return Err(CliError::Event(format!(
            "there {there} in {played}; --discard-results removes {them} too (the log keeps {them})"
        )));
    }
    event.cancel(first);
    let what = format!("Cancelled the {pairings} of {rounds}");
    let changed = folder.commit(&what, &event, args.write.mode())?;
    print_finding(&what, &changed, &args.write)
}
