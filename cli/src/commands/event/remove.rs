//! `event remove`: removes a team or a player as if never entered.

use super::commit;
use crate::exit::{CliError, Exit};
use crate::options::{ChangeArgs, FolderArgs};
use clap::Args;

/// Remove a team or a player as if never entered.
///
/// Possible until round 1 is paired; later pairing numbers move down by one. After that, only the last late entry can be
/// removed, as long as it has no opponent; others withdraw (`event request`). Players who have not played can be removed from a team at any time.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the name is unknown, or rounds are paired.\n\nExamples:\n  overboard event remove cup York\n  overboard event remove cup Leeds --player Bob"
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
    pub change: ChangeArgs,
}

pub fn run(args: &RemoveArgs) -> Result<Exit, CliError> {
    let (mut folder, mut event) = args.folder.open_event(&args.change)?;
    let who = event.find(&args.who)?;
    let name = event.called(who);
    let what = match &args.player {
        Some(player) => {
            let player = event.remove_player(who, player)?;
            format!("Removed {player} of {name}")
        }
        None => {
            event.remove(who)?;
            format!("Removed {name} (number {who})")
        }
    };
    commit(&mut folder, &what, &event, &args.change)
}
