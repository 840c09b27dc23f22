//! `event import`: rosters and tables from CSV files, or a whole event from a Tournament Report File.

use super::{bytes, keeps_valid, print_finding};
use crate::{
    exit::{CliError, Exit},
    options::{FolderArgs, WhoArgs, WriteArgs},
    ui,
};
use clap::Args;
use overboard_events::{
    Event, count,
    csv::CsvError,
    names, roster,
    store::StoreError,
    table::PairingTable,
    trf::{self, Trf},
};
use overboard_rules::refusal::counted;
use std::path::{Path, PathBuf};

/// Import teams, players and tables (CSV), or an event (TRF).
///
/// Teams and players replace those already there; paired rounds keep their numbers. In round robins, Scheveningen,
/// Molter and Hutton events, your own pairing table replaces the standard one. A TRF file needs an empty or new folder.
#[derive(Args, Debug)]
#[command(
    after_help = "Columns of teams:\n  number,name,short,group,captain,strength\nColumns of players:\n  id,team,board,name,role,rating,title,federation,fide_id,birth,sex,pieces\nOnly the first column and `name` are required.\nColumns of a table: round,games, such as 1,1-6  2-5  3-4 or 1,A1-B1  B2-A2 or 1,2.1-5.1.\n\nExit codes: 0 done, 2 a file cannot be read or is invalid.\n\nExamples:\n  overboard event import cup --teams teams.csv --players players.csv\n  overboard event import cup --table official.csv\n  overboard event import league --trf league.trf"
)]
pub struct ImportArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// A table of teams.
    #[arg(long, value_name = "FILE")]
    pub teams: Option<PathBuf>,
    /// A table of players.
    #[arg(long, value_name = "FILE")]
    pub players: Option<PathBuf>,
    /// Your own pairing table, as `pair table --to csv` prints one: round,games.
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// A Tournament Report File (TRF16 or TRF26).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["teams", "players", "table"])]
    pub trf: Option<PathBuf>,
    #[command(flatten)]
    pub write: WriteArgs,
    #[command(flatten)]
    pub said: WhoArgs,
}

pub fn run(args: &ImportArgs) -> Result<Exit, CliError> {
    match &args.trf {
        Some(path) => import_trf(args, path),
        None if args.teams.is_none() && args.players.is_none() && args.table.is_none() => {
            Err(CliError::Event(
                "nothing to import: give --teams, --players, --table or --trf a file".into(),
            ))
        }
        None => import_tables(args),
    }
}

fn faulty(fault: CsvError) -> CliError {
    StoreError::Faults(vec![fault]).into()
}

fn import_trf(args: &ImportArgs, path: &Path) -> Result<Exit, CliError> {
    let name = path.display().to_string();
    let trf = Trf::read(&name, &bytes(path)?).map_err(faulty)?;
    if let Some(fault) = trf::carried::fault(&trf) {
        ui::warn(&format!(
            "{name}: the comments with the data of the event cannot be read and are skipped: {fault}"
        ));
    }
    let event = trf::event(&trf, &name).map_err(faulty)?;
    let what = format!(
        "Imported {name}: {}, {}",
        counted(event.participants().len(), "participant"),
        counted(event.rounds.len(), "round")
    );
    if args.write.dry_run {
        let changed = event
            .write()
            .into_keys()
            .map(|file| overboard_events::store::Changed {
                file,
                before: None,
                after: None,
            });
        return print_finding(&what, &changed.collect::<Vec<_>>(), &args.write);
    }
    let changed = args.folder.make(&args.said)?.commit(&what, &event, false)?;
    print_finding(&what, &changed, &args.write)
}

fn import_tables(args: &ImportArgs) -> Result<Exit, CliError> {
    let mut folder = args.folder.open(&args.said)?;
    let mut event = folder.event()?;
    let mut what = Vec::new();
    if let Some(path) = &args.teams {
        event.teams =
            roster::new_teams(&path.display().to_string(), &bytes(path)?).map_err(faulty)?;
        event.teams.sort_by_key(|team| team.number);
        what.push(counted(event.teams.len(), "team"));
    }
    if let Some(path) = &args.players {
        event.players =
            roster::new_players(&path.display().to_string(), &bytes(path)?).map_err(faulty)?;
        event.players.sort_by_key(|player| player.id);
        what.push(counted(event.players.len(), "player"));
    }
    if let Some(path) = &args.table {
        let table =
            PairingTable::read(&path.display().to_string(), &bytes(path)?).map_err(faulty)?;
        what.push(format!(
            "a table of {}",
            counted(table.rounds.len(), "round")
        ));
        event.table = Some(table);
    }
    let before = folder.event()?;
    running(&before, &event).map_err(CliError::Event)?;
    keeps_valid(&before, &event)?;
    let what = format!("Imported {}", what.join(" and "));
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    let exit = print_finding(&what, &changed, &args.write)?;
    for fault in event.check_table().1 {
        ui::warn(&fault.to_string());
    }
    Ok(exit)
}

/// Checks that participants in paired rounds keep their numbers, by which those rounds refer to them.
fn running(before: &Event, after: &Event) -> Result<(), String> {
    let paired = before.rounds.len();
    let numbers = |event: &Event| {
        event
            .participants()
            .iter()
            .map(|one| one.number)
            .collect::<Vec<_>>()
    };
    let names = |event: &Event| {
        event
            .participants()
            .iter()
            .map(|one| names::key(one.name.as_it_came()))
            .collect::<Vec<_>>()
    };
    if paired == 0 {
        return Ok(());
    }
    if numbers(before) != numbers(after) || names(before) != names(after) {
        return Err(format!(
            "{}, so an import may not change the pairing numbers; `overboard event enter FOLDER` takes late entries, `overboard event request FOLDER withdraw` withdrawals",
            count::paired(paired)
        ));
    }
    let boards = before
        .rounds
        .iter()
        .flat_map(|round| &round.matches)
        .flat_map(|this| &this.boards);
    let seated = boards
        .flat_map(|board| [board.white, board.black])
        .flatten();
    let team = |event: &Event, id: u32| event.player(id).map(|player| player.team);
    let lost = seated
        .into_iter()
        .find(|id| team(before, *id).is_some() && team(before, *id) != team(after, *id));
    match lost.and_then(|id| before.player(id)) {
        Some(player) => Err(format!(
            "{} (id {}) is on a board of a round that is already paired and must keep the id and the team",
            player.name.shown(),
            player.id
        )),
        None => Ok(()),
    }
}
