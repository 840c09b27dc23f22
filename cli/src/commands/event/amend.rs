//! `event amend`: changes the details of a team or a player.

use super::{commit, keeps_valid};
use crate::exit::{CliError, Exit};
use crate::options::{ChangeArgs, DetailArgs, FolderArgs, from_one};
use clap::Args;
use overboard_events::change::Amendment;

/// Change the details of a team or a player.
///
/// Details that are not given stay as they are.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the name is unknown, or the change is not possible.\n\nExamples:\n  overboard event amend cup Leeds --name 'Leeds A' --captain Dee\n  overboard event amend cup Leeds --player Bob --rating 1950 --board 1\n  overboard event amend open Ann --fide-id 1234567"
)]
pub struct AmendArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The number, the name, or the beginning of the name.
    #[arg(value_name = "WHO")]
    pub who: String,
    /// A player of this team, by id, name or beginning of the name.
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// Name.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Short name of a team.
    #[arg(long, value_name = "NAME")]
    pub short: Option<String>,
    /// Club, country or other group of a team; A or B for a player in a Scheveningen event.
    #[arg(long, value_name = "NAME")]
    pub group: Option<String>,
    /// Captain of a team.
    #[arg(long, value_name = "NAME")]
    pub captain: Option<String>,
    #[command(flatten)]
    pub details: DetailArgs,
    /// Place of a player in the team; the others move up or down.
    #[arg(long, value_name = "N", value_parser = from_one())]
    pub board: Option<u32>,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &AmendArgs) -> Result<Exit, CliError> {
    let (mut folder, mut event) = args.folder.open_event(&args.change)?;
    let who = event.find(&args.who)?;
    let to = Amendment {
        name: args.name.clone(),
        short: args.short.clone(),
        group: args.group.clone(),
        captain: args.captain.clone(),
        board: args.board,
        ..args.details.amendment()
    };
    let name = event.called(who);
    let before = event.clone();
    event.amend(who, args.player.as_deref(), &to)?;
    keeps_valid(&before, &event)?;
    let what = match &args.player {
        Some(player) => format!("Amended {player} of {name}"),
        None => format!("Amended {name}"),
    };
    commit(&mut folder, &what, &event, &args.change)
}
