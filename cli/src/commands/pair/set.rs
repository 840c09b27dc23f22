//! `pair set`: sets pairs of a round by the arbiter's decision.

use super::which;
use crate::{
    commands::{
        event::{commit, commit_with_notes, keeps_valid},
        result::text_of,
    },
    exit::{CliError, Exit},
    options::{ChangeArgs, FolderArgs, from_one},
};
use clap::Args;
use overboard_events::{
    Event,
    outside_pairings::{Pairs, reply},
    settings::System,
};
use overboard_schedules::ids::{RoundNo, TeamNo};
use std::path::PathBuf;

/// Set pairs of a round by hand.
///
/// See FIDE C.04.6, 3.3.3 and C.04.2, 4.4. Everyone who loses their opponent must be given in another pair, or have the
/// bye. The articles that the round then breaks are listed, and `pair check` shows them as notes from then on. In the
/// system by-hand, this command makes the next round: give all pairs.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the pairs are not possible.\n\nExamples:\n  overboard pair set league 3 2-5 4-1\n  overboard pair set league 3 2-5 --bye 7\n  overboard pair set open 3 --from reply.txt"
)]
pub struct PairSetArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The round.
    #[arg(value_name = "ROUND", value_parser = from_one())]
    pub round: u32,
    /// Pairs by number, White first.
    #[arg(value_name = "PAIR", required_unless_present_any = ["from", "bye"])]
    pub pairs: Vec<String>,
    /// Read the pairs from the output of a pairing program; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "bye"])]
    pub from: Option<PathBuf>,
    /// The participant with the pairing-allocated bye, by number or name.
    #[arg(long, value_name = "WHO")]
    pub bye: Option<String>,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &PairSetArgs) -> Result<Exit, CliError> {
    let mut folder = args.folder.open(&args.change)?;
    let mut event = folder.event_with_bases()?;
    let next = RoundNo::at(event.rounds.len());
    let is_next = event.settings.system == System::ByHand && next.get() == args.round;
    let round = if is_next {
        next
    } else {
        which(&event, Some(args.round))?
    };
    if !event.takes_pairs_by_hand() {
        return Err(CliError::Event("pairs can only be set in the systems swiss-team and by-hand; here they follow from a table or a bracket".into()));
    }
    let given = given(&event, args)?;
    let before = event.clone();
    if is_next {
        event.pair_as_given(&given)?;
        keeps_valid(&before, &event)?;
        let what = format!("Paired round {round} as given");
        return commit(&mut folder, &what, &event, &args.change);
    }
    let (pairs, bye) = given;
    event.set_pairs(round, &pairs, bye)?;
    keeps_valid(&before, &event)?;
    let set = event.set_in(round).unwrap_or_default();
    let what = format!("Set {set} in round {round}");
    let mut notes = Vec::new();
    for note in event.look_at_pairings().notes {
        if note.round == round {
            notes.push(note.text);
        }
    }
    notes.extend(event.corrected(&before, round, &args.folder.shown()));
    commit_with_notes(&mut folder, &what, &event, &notes, &args.change)
}

/// The pairs that are given, on the command line or by a pairing program.
fn given(event: &Event, args: &PairSetArgs) -> Result<Pairs, CliError> {
    if let Some(path) = &args.from {
        let text = text_of(path)?;
        return reply(&text).map_err(|why| CliError::Event(format!("{}: {why}", path.display())));
    }
    let mut pairs = Vec::new();
    for text in &args.pairs {
        pairs.push(pair(event, text)?);
    }
    let bye = match &args.bye {
        Some(who) => Some(event.find(who)?),
        None => None,
    };
    Ok((pairs, bye))
}

fn pair(event: &Event, text: &str) -> Result<(TeamNo, TeamNo), CliError> {
    let Some((white, black)) = text.split_once('-') else {
        return Err(CliError::Event(format!(
            "`{text}` is not a pair; expected numbers such as 2-5, White first"
        )));
    };
    Ok((event.find(white.trim())?, event.find(black.trim())?))
}
