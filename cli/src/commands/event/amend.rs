//! `event amend`: changes the details of a team or a player.

use super::{keeps_valid, print_finding};
use crate::exit::{CliError, Exit};
use crate::options::{FolderArgs, WhoArgs, WriteArgs};
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
    /// Rating, or a team's strength; 0 for none.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=9999))]
    pub rating: Option<u32>,
    /// Title of a player.
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
    /// Federation of a player.
    #[arg(long, value_name = "CODE")]
    pub federation: Option<String>,
    /// FIDE identity number of a player.
    #[arg(long, value_name = "ID")]
    pub fide_id: Option<String>,
    /// Date of birth of a player.
    #[arg(long, value_name = "DATE")]
    pub birth: Option<String>,
    /// Sex of a player.
    #[arg(long, value_name = "LETTER", value_parser = ["m", "w", ""])]
    pub sex: Option<String>,
    /// Role of a player.
    #[arg(long, value_name = "ROLE", value_parser = ["player", "reserve", "commander", "lieutenant"])]
    pub role: Option<String>,
    /// Over-pieces of a player.
    #[arg(long, value_name = "LIST")]
    pub pieces: Option<String>,
    /// Place of a player in the team; the others move up or down.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub board: Option<u32>,
    #[command(flatten)]
    pub write: WriteArgs,
    #[command(flatten)]
    pub said: WhoArgs,
}

pub fn run(args: &AmendArgs) -> Result<Exit, CliError> {
    let mut folder = args.folder.open(&args.said)?;
    let mut event = folder.event()?;
    let who = event.find(&args.who).map_err(CliError::Event)?;
    let to = Amendment {
        name: args.name.clone(),
        short: args.short.clone(),
        group: args.group.clone(),
        captain: args.captain.clone(),
        rating: args.rating,
        title: args.title.clone(),
        federation: args.federation.clone(),
        fide_id: args.fide_id.clone(),
        birth: args.birth.clone(),
        sex: args.sex.clone(),
        role: args.role.as_deref().and_then(|role| role.parse().ok()),
        pieces: args.pieces.clone(),
        board: args.board,
    };
    let name = event.called(who);
    let before = event.clone();
    event
        .amend(who, args.player.as_deref(), &to)
        .map_err(CliError::Event)?;
    keeps_valid(&before, &event)?;
    let what = match &args.player {
        Some(player) => format!("Amended {player} of {name}"),
        None => format!("Amended {name}"),
    };
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    print_finding(&what, &changed, &args.write)
}
