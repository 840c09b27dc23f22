//! `ledger`: what a ledger holds, in other forms.

use super::fmt::format;
use crate::{
    exit::{Exit, Failure},
    ledgers::{self, LedgerError, Unlike},
    summary, ui,
};
use clap::{Args, ValueEnum};
use overboard_engines::{
    journal::{self, Entry, Reader},
    records::{COLUMNS, row, write_record},
    tally::Tally,
};
use overboard_formats::limits::Limits;
use std::{
    fs::File,
    io::{BufReader, Write},
    path::{Path, PathBuf},
};

/// Turn a ledger into games, a table or a summary.
///
/// Every line is verified on the way.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the ledger cannot be read or is damaged.\n\nExamples:\n  overboard ledger night.jsonl\n  overboard ledger night.jsonl --to npgn > night.npgn\n  overboard ledger night.jsonl --to csv > night.csv"
)]
pub struct LedgerArgs {
    /// The ledger.
    #[arg(value_name = "LEDGER")]
    pub ledger: PathBuf,
    /// What to write.
    #[arg(long, value_name = "FORM", default_value = "summary")]
    pub to: View,
    /// With --to summary: print a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// What a ledger is turned into.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum View {
    /// Counts.
    Summary,
    /// Records in canonical form.
    Npgn,
    /// A row a game, without the moves.
    Csv,
}

type Lines = Reader<BufReader<File>>;

pub fn run(args: &LedgerArgs) -> Result<Exit, Failure> {
    let path = &args.ledger;
    let mut lines = journal::open(path).map_err(|fault| LedgerError::of(path, fault))?;
    let mut out = ui::stdout();
    match args.to {
        View::Summary => count(&mut lines, path, args.json, &mut out)?,
        View::Npgn => records(&mut lines, path, &mut out)?,
        View::Csv => {
            writeln!(out, "{COLUMNS}")?;
            each(&mut lines, path, |entry| Ok(writeln!(out, "{}", row(entry))?))?;
        }
    }
    out.flush()?;
    ledgers::remark(path, &lines);
    Ok(Exit::Clean)
}

/// Shows every game.
fn each(
    lines: &mut Lines,
    path: &Path,
    mut show: impl FnMut(&Entry<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let fail = |fault| LedgerError::of(path, fault);
    while lines.advance().map_err(fail)? {
        show(&lines.entry().map_err(fail)?)?;
    }
    Ok(())
}

fn count(lines: &mut Lines, path: &Path, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let header = lines.header.clone();
    let pairings = header.manifest.pairings();
    let mut tally = Tally::of(&header.manifest);
    each(lines, path, |entry| {
        let fixture = header.manifest.fixture(&pairings, entry.game);
        tally.count(&fixture, entry.end, entry.plies);
        Ok(())
    })?;
    Ok(summary::print(&header, &tally, json, out)?)
}

fn records(lines: &mut Lines, path: &Path, out: &mut impl Write) -> Result<(), Failure> {
    let manifest = lines.header.manifest.clone();
    let mut text = String::new();
    let mut unlike = Unlike::default();
    each(lines, path, |entry| {
        text.clear();
        if let Err(why) = write_record(entry, &manifest, &mut text) {
            return Ok(unlike.take(path, &manifest, why)?);
        }
        format(text.as_bytes(), &mut *out, Limits::default()).map_err(|error| error.at(path))
    })?;
    unlike.note(path, &manifest, "no record can be written of them");
    Ok(())
}
