//! `unbundle`: splits nested records into score-sheets.

use crate::{
    commands::bundle::BundleReport,
    exit::{CliError, Exit},
    games::open_input,
    input_copies::of_ours,
    options::LimitArgs,
    ui,
};
use clap::Args;
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_sheets::{NotApart, NotWritten, Sheets};
use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// Split nested records into score-sheets.
///
/// Every sub-game of Overchess, every board of Mega-Chess and every board of a match on linked boards becomes a
/// separate record; `bundle` restores the original. Games on one board stay as they are.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 a record cannot be split, 2 a file cannot be read or written.\n\nExamples:\n  overboard unbundle match.npgn > sheets.npgn\n  overboard unbundle match.npgn | overboard bundle -"
)]
pub struct UnbundleArgs {
    /// Files of records, or folders of them; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the sheets to this file instead of standard output, all or none.
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// With --output: print one JSON object for each record.
    #[arg(long, requires = "output")]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn run(args: &UnbundleArgs) -> Result<Exit, CliError> {
    let limits = Limits::from(&args.limits);
    let mut exit = Exit::Clean;
    let mut games = 0_u64;
    let mut report = BundleReport::new(&args.files, args.json);
    super::bundle::put(args.output.as_deref(), |out| {
        for (file, path) in args.files.iter().enumerate() {
            let done = take_apart(path, file, limits, &mut games, out, &mut report);
            exit = exit.max(ui::go_on(done.map(|()| Exit::Clean))?);
        }
        Ok(())
    })?;
    report.print()?;
    Ok(exit.max(report.exit()))
}

/// Splits the records of a file, one after the other.
fn take_apart(
    path: &Path,
    file: usize,
    limits: Limits,
    games: &mut u64,
    out: &mut dyn Write,
    report: &mut BundleReport<'_>,
) -> Result<(), CliError> {
    let reader = open_input(path)?;
    let mut parser = Parser::new(reader, 0, limits);
    loop {
        let id = format!("#{}", *games + 1);
        let sheets = match Sheets::read(&mut parser, file, &id, limits) {
            Ok(None) => return Ok(()),
            Ok(Some(sheets)) => sheets,
            Err(NotApart::Problem(problem)) => {
                *games += 1;
                report.refused(&problem);
                continue;
            }
            Err(NotApart::Reading(error)) => return Err(CliError::file(path, error)),
            Err(NotApart::Keeping(error)) => return Err(of_ours(error).into()),
        };
        *games += 1;
        sheets.write(out).map_err(|failed| match failed {
            NotWritten::Kept(error) => of_ours(error).into(),
            NotWritten::Out(error) => CliError::Output(error),
        })?;
        let id = sheets.id.clone().or((sheets.count() > 1).then_some(id));
        let count = sheets.count();
        report.made(sheets.origin, id.as_deref(), count, std::iter::empty());
    }
}
