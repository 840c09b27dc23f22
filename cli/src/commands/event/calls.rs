//! `event calls`: who plays next in a round of Overchess.

use super::records;
use crate::{
    commands::pair::{print, which},
    exit::{CliError, Exit},
    grid::{Grid, cells},
    input_copies::Sources,
    options::{FolderArgs, Form, FormArgs, from_one},
    ui,
};
use clap::Args;
use overboard_events::{
    calls::{Call, CallSheet, Caller},
    store::read,
};
use overboard_formats::foreign::{Foreign, visible};
use std::{io::Write, path::PathBuf};

/// Print who plays next in Overchess (call sheet).
///
/// Reads the records of a round, of which the last ones may end anywhere: within a sub-game, say. For each match, lists whose over-move or set-up is due, which lieutenants
/// play a sub-game and with which sub-pieces, and which over-pieces may enter a sub-game next. Also lists who is needed
/// in two places. A match without a record has not begun.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 a record has errors or belongs to no table, 2 there is no such round, or the game has no lieutenants.\n\nExamples:\n  overboard event calls cup round1\n  overboard event calls cup --round 1 round1.npgn --to html > calls.html"
)]
pub struct CallsArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Records of the round so far. A folder stands for the records in it.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The round [default: the last one paired].
    #[arg(long, value_name = "N", value_parser = from_one())]
    pub round: Option<u32>,
    #[command(flatten)]
    pub form: FormArgs,
}

pub fn run(args: &CallsArgs) -> Result<Exit, CliError> {
    let event = read(&args.folder.folder)?;
    let round = which(&event, args.round)?;
    let mut found = Vec::new();
    let sources = Sources::once(&args.files);
    let exit = records::each(&sources, records::so_far(), &Caller::default(), |record| {
        let table = record.account.table(&event, round, &record.report);
        Ok(table.map(|table| found.push((table, record.account))))
    })?;
    let sheet = event.call_sheet(round, &found)?;
    if args.form.json {
        ui::print_json(&sheet)?;
        return Ok(exit);
    }
    let mut grid = grid(&sheet);
    grid.title = format!("Call sheet, round {round}").into();
    for note in &sheet.notes {
        grid.note(note.clone());
    }
    let printed = print(&event.settings.name, &[grid], &args.form)?;
    if matches!(args.form.to, Form::Text | Form::Markdown) {
        let mut out = ui::stdout();
        if !sheet.notes.is_empty() {
            writeln!(out)?;
        }
        for note in &sheet.notes {
            writeln!(out, "{}", visible(note))?;
        }
        out.flush()?;
    }
    Ok(exit.max(printed))
}

/// The calls as a table.
fn grid(sheet: &CallSheet) -> Grid {
    let mut grid = Grid::new(
        "",
        &[
            "table",
            "game",
            "team",
            "player",
            "task",
            "over-piece",
            "sub-pieces",
            "also needed at",
        ],
    );
    for call in &sheet.calls {
        grid.push(row(call));
    }
    grid
}

fn row(call: &Call) -> Vec<Foreign> {
    cells![
        call.table.to_string(),
        game_of(call),
        call.team.clone(),
        any_of(&call.names),
        call.task.words(),
        call.piece.clone(),
        call.sub_pieces.clone(),
        call.also.join("; "),
    ]
}

fn game_of(call: &Call) -> &str {
    match call.game.as_str() {
        "" => "over-board",
        game => game,
    }
}

/// Who may come to a game.
fn any_of(names: &[Foreign]) -> Foreign {
    if names.is_empty() {
        return "anyone".into();
    }
    Foreign::join(names.to_vec(), " or ")
}
