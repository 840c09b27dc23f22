//! `pair lineup`: seats the players of a team in a round.

use super::which;
use crate::{
    commands::{event::commit, result::text_of},
    exit::{CliError, Exit},
    options::{ChangeArgs, FolderArgs, from_one},
};
use clap::Args;
use overboard_events::{
    Event,
    change::Existing,
    csv::{Sheet, Synonyms},
    store::StoreError,
};
use overboard_schedules::ids::TeamNo;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Set line-ups for a round.
///
/// Players are given from board 1 on. Boards without a player, and `-`, stay empty. If the setting `board-order` is
/// `fixed`, players must sit in roster order.
#[derive(Args, Debug)]
#[command(
    after_help = "Columns of a CSV file: team,board,player. Teams and players by number or name. The file replaces the\nline-ups of the teams that it names; other teams keep theirs.\n\nExit codes: 0 done, 2 the line-up is not allowed.\n\nExamples:\n  overboard pair lineup league 3 Leeds Ann Cy Dee\n  overboard pair lineup league 3 Leeds Ann Cy Eve --correct\n  overboard pair lineup league 3 --csv lineups.csv"
)]
pub struct LineupArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The round.
    #[arg(value_name = "ROUND", value_parser = from_one())]
    pub round: u32,
    /// The team.
    #[arg(value_name = "TEAM", required_unless_present = "csv")]
    pub team: Option<String>,
    /// Its players from board 1 on, by id, name or beginning of the name; `-` for an empty board.
    #[arg(value_name = "PLAYER", required_unless_present = "csv")]
    pub players: Vec<String>,
    /// Read the line-ups of many teams from this file.
    #[arg(long, value_name = "FILE", conflicts_with = "team")]
    pub csv: Option<PathBuf>,
    /// Change who sat at boards that have a result; the results stay.
    #[arg(long)]
    pub correct: bool,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &LineupArgs) -> Result<Exit, CliError> {
    let (mut folder, mut event) = args.folder.open_event(&args.change)?;
    let round = which(&event, Some(args.round))?;
    let teams = match (&args.csv, &args.team) {
        (Some(path), _) => from_table(&event, path)?,
        (None, team) => {
            let team = event.find(team.as_deref().unwrap_or_default())?;
            let players = args.players.iter().map(|text| player(&event, team, text));
            vec![(team, players.collect::<Result<Vec<_>, String>>()?)]
        }
    };
    let existing = if args.correct {
        Existing::Replaced
    } else {
        Existing::Kept
    };
    for (team, players) in &teams {
        let name = event.called(*team);
        event
            .seat(round, *team, players, existing)
            .map_err(|why| CliError::Event(format!("{name}: {why}")))?;
    }
    let names: Vec<String> = teams.iter().map(|(team, _)| event.called(*team)).collect();
    let what = format!(
        "Entered the line-up of {} in round {round}",
        names.join(", ")
    );
    commit(&mut folder, &what, &event, &args.change)
}

fn player(event: &Event, team: TeamNo, text: &str) -> Result<Option<u32>, String> {
    if text == "-" || text.trim().is_empty() {
        return Ok(None);
    }
    event.find_player(team, text).map(Some)
}

/// The players of a team, from board 1 on.
type LineUp = (TeamNo, Vec<Option<u32>>);

/// The columns of a table of line-ups.
const COLUMNS: [&str; 3] = ["team", "board", "player"];
/// The same with other headings for them.
const HEADINGS: Synonyms<'static> = &[
    ("team", &["team name", "team no"]),
    ("board", &["bo", "brd", "board no"]),
    ("player", &["name"]),
];

/// Reads line-ups from a table: `team,board,player`.
fn from_table(event: &Event, path: &Path) -> Result<Vec<LineUp>, CliError> {
    let faulty = |fault| CliError::from(StoreError::Faults(vec![fault]));
    let name = path.display().to_string();
    let text = text_of(path)?;
    let sheet = Sheet::read_worded(&name, text.as_bytes(), &COLUMNS, HEADINGS).map_err(faulty)?;
    let mut teams: BTreeMap<TeamNo, Vec<Option<u32>>> = BTreeMap::new();
    for row in &sheet.rows {
        let team = event
            .find(row.text(0))
            .map_err(|why| faulty(row.fault(0, why)))?;
        let board: u32 = row.needed(1, "the number of a board").map_err(faulty)?;
        if board == 0 || board > event.settings.boards {
            let message = format!(
                "expected a board from 1 to {}, found {board}",
                event.settings.boards
            );
            return Err(faulty(row.fault(1, message)));
        }
        let id = player(event, team, row.text(2)).map_err(|why| faulty(row.fault(2, why)))?;
        let (seats, at) = (teams.entry(team).or_default(), board as usize - 1);
        if seats.len() <= at {
            seats.resize(at + 1, None);
        }
        if seats[at].is_some() {
            return Err(faulty(row.fault(1, format!("board {board} occurs twice"))));
        }
        seats[at] = id;
    }
    Ok(teams.into_iter().collect())
}
