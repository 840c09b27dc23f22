//! `unbundle`: nested records into score-sheets.

use crate::{
    commands::bundle::{Files, Told},
    exit::{Exit, Failure},
    games::open,
    options::LimitArgs,
    ui,
};
use clap::Args;
use overboard_formats::{limits::Limits, parse::Parser, record::Record};
use overboard_referee::sheets::{Sheet, unbundle};
use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// Split nested records into score-sheets.
///
/// Every sub-game of Overchess, and every board of a match on linked boards, becomes a separate record; `bundle`
/// restores the original. Games on one board stay as they are.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 a record cannot be split, 2 a file cannot be read or written.\n\nExamples:\n  overboard unbundle match.npgn > sheets.npgn\n  overboard unbundle match.npgn | overboard bundle -"
)]
pub struct UnbundleArgs {
    /// Files of records; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the sheets to this file instead of standard output, all or none.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// With --output: print one JSON object for each record.
    #[arg(long, requires = "output")]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn run(args: &UnbundleArgs) -> Result<Exit, Failure> {
    let limits = Limits::from(&args.limits);
    let mut exit = Exit::Clean;
    let mut games = 0_u64;
    let mut told = Told::new(args.json);
    super::bundle::put(args.output.as_deref(), |out| {
        for (file, path) in args.files.iter().enumerate() {
            match take_apart(path, file, limits, &args.files, &mut games, out, &mut told) {
                Ok(()) => {}
                Err(Failure::Output(error)) => return Err(Failure::Output(error)),
                Err(failure) => {
                    ui::complain(&failure);
                    exit = Exit::Unusable;
                }
            }
        }
        Ok(())
    })?;
    told.print()?;
    Ok(exit.max(told.exit()))
}

/// Takes the records of a file apart, one after the other.
fn take_apart(
    path: &Path,
    file: usize,
    limits: Limits,
    files: &[PathBuf],
    games: &mut u64,
    out: &mut dyn Write,
    told: &mut Told,
) -> Result<(), Failure> {
    let reader = open(path).map_err(|error| Failure::file(path, error))?;
    let mut parser = Parser::new(reader, 0, limits);
    while let Some(record) = Record::read(&mut parser).map_err(|error| Failure::file(path, error))? {
        *games += 1;
        let id = format!("#{games}");
        let done = Sheet::of(&record, file).and_then(|sheet| {
            let (origin, own) = (sheet.origin(), sheet.tag("GameId").map(String::from));
            Ok((origin, own, unbundle(sheet, &id, limits)?))
        });
        match done {
            Ok((origin, own, sheets)) => {
                sheets
                    .iter()
                    .try_for_each(|sheet| out.write_all(sheet.as_bytes()))
                    .map_err(Failure::Output)?;
                let id = own.or((sheets.len() > 1).then_some(id));
                told.made(Files(files), (origin, id), sheets.len(), &[]);
            }
            Err(problem) => told.refused(Files(files), &problem),
        }
    }
    Ok(())
}
