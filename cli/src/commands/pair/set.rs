//! `pair set`: sets pairs of a round by the arbiter's decision.

use super::which;
use crate::{
    commands::{
        event::{commit, keeps_valid, print_with_notes},
        result::text_of,
    },
    exit::{CliError, Exit},
    options::{FolderArgs, WhoArgs, WriteArgs},
};
use clap::Args;
use overboard_events::{elsewhere::reply, settings::System};
use overboard_schedules::ids::RoundNo;
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
    #[arg(value_name = "ROUND", value_parser = clap::value_parser!(u32).range(1..))]
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
    pub write: WriteArgs,
    #[command(flatten)]
    pub said: WhoArgs,
}

pub fn run(args: &PairSetArgs) -> Result<Exit, CliError> {
    let mut folder = args.folder.open(&args.said)?;
    let mut event = folder.event_with_bases()?;
    let said = CliError::Event;
    let next = RoundNo::at(event.rounds.len());
    let is_next = event.settings.system == System::ByHand && next.get() == args.round;
    let round = if is_next {
        next
    } else {
        which(&event, Some(args.round))?
    };
    if !event.takes_pairs_by_hand() {
        return Err(said("pairs can only be set in the systems swiss-team and by-hand; here they follow from a table or a bracket".into()));
    }
    let pair = |text: &String| {
        let (white, black) = text.split_once('-').ok_or_else(|| {
            said(format!(
                "`{text}` is not a pair; expected numbers such as 2-5, White first"
            ))
        })?;
        Ok::<_, CliError>((
            event.find(white.trim()).map_err(said)?,
            event.find(black.trim()).map_err(said)?,
        ))
    };
    let reported = match &args.from {
        Some(path) => {
            reply(&text_of(path)?).map_err(|why| said(format!("{}: {why}", path.display())))?
        }
        None => {
            let pairs = args.pairs.iter().map(pair).collect::<Result<Vec<_>, _>>()?;
            (
                pairs,
                args.bye
                    .as_ref()
                    .map(|who| event.find(who))
                    .transpose()
                    .map_err(said)?,
            )
        }
    };
    let before = event.clone();
    if is_next {
        event.pair_as_given(&reported).map_err(said)?;
        keeps_valid(&before, &event)?;
        let what = format!("Paired round {round} as given");
        return commit(&mut folder, &what, &event, &args.write);
    }
    let (pairs, bye) = reported;
    event.set_pairs(round, &pairs, bye).map_err(said)?;
    keeps_valid(&before, &event)?;
    let what = format!(
        "Set {} in round {round}",
        event.set_in(round).unwrap_or_default()
    );
    let mut notes = Vec::new();
    for note in event.look_at_pairings().notes {
        if note.round == round {
            notes.push(note.text);
        }
    }
    let shown = args.folder.folder.display().to_string();
    notes.extend(event.corrected(&before, round, &shown));
    let changed = folder.commit(&what, &event, args.write.mode())?;
    print_with_notes(&what, &changed, &notes, &args.write)
}
