//! `ledger`: converts a ledger to other forms.

use super::fmt::format;
use crate::{
    exit::{CliError, Exit},
    ledgers::{self, LedgerError, UnlikeError},
    options::{JobsArgs, without_findings},
    summary::{self, Aside},
    tables::{Each, Origin, RowForm, TableWriter},
    threads, ui,
};
use clap::{Args, ValueEnum};
use overboard_engines::{
    journal::{self, Header, LedgerEntry, Reader},
    proof::{Replay, Seen, Stretch},
    records::{COLUMNS, row, write_record},
    tally::Tally,
};
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::referee::AnyReferee;
use overboard_referee::Options;
use rayon::ThreadPool;
use std::{
    fs::File,
    io::{BufReader, Write},
    path::{Path, PathBuf},
};

/// Convert a ledger to games, a table or a summary.
///
/// Every line is verified and every game is replayed: its result must match the one recorded.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 games are missing before others, 2 the ledger cannot be read or is damaged.\n\nExamples:\n  overboard ledger night.jsonl\n  overboard ledger night.jsonl --to npgn > night.npgn\n  overboard ledger night.jsonl --to csv > night.csv\n  overboard ledger night.jsonl --to games --format csv > games.csv"
)]
pub struct LedgerArgs {
    /// The ledger.
    #[arg(value_name = "LEDGER")]
    pub ledger: PathBuf,
    /// What to write.
    #[arg(long, value_name = "FORM", default_value = "summary")]
    pub to: View,
    /// With --to plies and --to games: the form of the rows [default: jsonl].
    #[arg(long, value_name = "FORM")]
    pub format: Option<RowForm>,
    /// With --to plies: count the legal plies before each ply, in the column `choices`.
    #[arg(long)]
    pub choices: bool,
    /// With --to summary: print a JSON object.
    #[arg(long)]
    pub json: bool,
    /// Trust the games of the ledger instead of replaying them.
    #[arg(long)]
    pub no_replay: bool,
    #[command(flatten)]
    pub threads: JobsArgs,
}

/// What a ledger is turned into.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum View {
    /// Counts.
    Summary,
    /// Records in canonical form.
    Npgn,
    /// One row per game, without replaying it for more: some columns of `games`.
    Csv,
    /// One row per game, as `convert --to games` writes them.
    Games,
    /// One row per ply, as `convert --to plies` writes them.
    Plies,
}

pub fn run(args: &LedgerArgs) -> Result<Exit, CliError> {
    let path = &args.ledger;
    let each = match args.to {
        View::Games => Some(Each::Game),
        View::Plies => Some(Each::Ply),
        _ => None,
    };
    let row_form = RowForm::asked(args.format, args.choices, each)?;
    let lines = journal::open(path).map_err(|fault| LedgerError::of(path, fault))?;
    let replay = if args.no_replay {
        Replay::Nothing
    } else {
        Replay::Plies
    };
    let header = lines.header.clone();
    let mut games = Games {
        path,
        header: &header,
        lines,
        replay,
        pool: threads::pool(args.threads.jobs)?,
    };
    let is_of_files = args.to == View::Npgn || args.format == Some(RowForm::Parquet);
    let mut out = if is_of_files {
        ui::stdout_for_files()
    } else {
        ui::stdout()
    };
    let (unlike, fate) = match args.to {
        View::Summary => {
            let (tally, unlike) = games.counted()?;
            summary::print(&header, &tally, &Aside::default(), args.json, &mut out)?;
            (unlike, "count as they are booked")
        }
        View::Games | View::Plies => {
            let mut table = TableWriter::new(each.unwrap_or(Each::Ply), row_form);
            let unlike = games.rows(&mut table, args.choices, &mut out)?;
            table.finish(&mut out)?;
            (unlike, "no rows can be written of them")
        }
        View::Npgn => (games.records(&mut out)?, "no record can be written of them"),
        View::Csv => {
            writeln!(out, "{COLUMNS}")?;
            let unlike = games.each(|_, entry| Ok(writeln!(out, "{}", row(entry))?))?;
            (unlike, "stand as they are booked")
        }
    };
    out.flush()?;
    let has_gap = ledgers::remark(path, &games.lines);
    unlike.note(path, &header.manifest, fate);
    Ok(Exit::with(has_gap))
}

/// The games of a ledger.
struct Games<'a> {
    path: &'a Path,
    header: &'a Header,
    lines: Reader<BufReader<File>>,
    replay: Replay,
    pool: ThreadPool,
}

impl Games<'_> {
    /// Calls `visit` with every game and its line; returns those that do not replay only because the laws were raised.
    fn each(
        &mut self,
        mut show: impl FnMut(u64, &LedgerEntry<'_>) -> Result<(), CliError>,
    ) -> Result<UnlikeError, CliError> {
        let (mut stretch, mut unlike) = (Stretch::default(), UnlikeError::default());
        while stretch
            .fill(&mut self.lines)
            .map_err(|fault| LedgerError::of(self.path, fault))?
        {
            for Seen { line, entry, walk } in
                stretch.games(&self.header.manifest, self.replay, &self.pool)
            {
                if let Err(why) = walk {
                    unlike.take(self.path, &self.header.manifest, (line, why))?;
                }
                show(line, &entry)?;
            }
        }
        Ok(unlike)
    }

    /// Adds the games to a table; returns those that cannot be converted.
    fn rows(
        &mut self,
        table: &mut TableWriter,
        choices: bool,
        out: &mut impl Write,
    ) -> Result<UnlikeError, CliError> {
        let options = Options {
            rows: true,
            choices,
            ..without_findings(Options::default())
        };
        let mut referee = AnyReferee::new(options);
        let path = self.path;
        self.each_record(|entry, text| {
            let origin = Origin {
                is_placed: false,
                booked: Some(entry),
            };
            let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
            let done = table.read(&mut parser, &mut referee, origin, out, &mut |_| ());
            done.map_err(|error| error.at(path))
        })
    }

    /// Shows each game with its record; returns those of which none can be written.
    fn each_record(
        &mut self,
        mut show: impl FnMut(&LedgerEntry<'_>, &str) -> Result<(), CliError>,
    ) -> Result<UnlikeError, CliError> {
        let (path, manifest) = (self.path, &self.header.manifest);
        let (mut text, mut unlike) = (String::new(), UnlikeError::default());
        self.each(|line, entry| {
            text.clear();
            if let Err(why) = write_record(entry, manifest, None, &mut text) {
                return Ok(unlike.take(path, manifest, (line, why))?);
            }
            show(entry, &text)
        })?;
        Ok(unlike)
    }

    fn counted(&mut self) -> Result<(Tally, UnlikeError), CliError> {
        let manifest = &self.header.manifest;
        let pairings = manifest.pairings();
        let mut tally = Tally::of(manifest);
        let unlike = self.each(|_, entry| {
            let fixture = manifest.fixture(&pairings, entry.game);
            tally.count(&fixture, entry.end, entry.plies, entry.blamed(&fixture));
            Ok(())
        })?;
        Ok((tally, unlike))
    }

    /// Writes the games as records; returns those that cannot be converted.
    fn records(&mut self, out: &mut impl Write) -> Result<UnlikeError, CliError> {
        let path = self.path;
        self.each_record(|_, text| {
            format(text.as_bytes(), &mut *out, Limits::default()).map_err(|error| error.at(path))
        })
    }
}
