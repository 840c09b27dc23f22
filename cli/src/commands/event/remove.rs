//! `event remove`: a team or a player taken out as if never entered.

use super::tell;
use crate::exit::{Exit, Failure};
use crate::options::{FolderArgs, WriteArgs};
use clap::Args;
use overboard_events::store::Folder;

/// Remove a team or a player as if never entered.
///
/// Before round 1 is paired; those after it have a number less. Later a team withdraws instead. Players who have not sat on a
/// board can leave a team at any time.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is nobody of the name, or rounds are paired.\n\nExamples:\n  overboard event remove cup York\n  overboard event remove cup Leeds --player Bob"
)]
pub struct RemoveArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The number, the name, or the beginning of the name.
    #[arg(value_name = "WHO")]
    pub who: String,
    /// Only this player of the team.
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    #[command(flatten)]
    pub write: WriteArgs,
}

pub fn run(args: &RemoveArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    let who = event.find(&args.who).map_err(Failure::Event)?;
    let name = event.called(who);
    let what = match &args.player {
        Some(player) => {
            let player = event.remove_player(who, player).map_err(Failure::Event)?;
            format!("{player} of {name} removed")
        }
        None => {
            event.remove(who).map_err(Failure::Event)?;
            format!("{name}, number {who}, removed")
        }
    };
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    tell(&what, &changed, &args.write)
}
