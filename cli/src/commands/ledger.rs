//! `ledger`: what a ledger holds, in other forms.

use super::fmt::format;
use crate::{
    exit::{Exit, Failure},
    ledgers::{self, LedgerError, Unlike},
    summary, threads, ui,
};
use clap::{Args, ValueEnum};
use overboard_engines::{
    journal::{self, Entry, Header, Reader},
    proof::{Replay, Seen, Stretch},
    records::{COLUMNS, row, write_record},
    tally::Tally,
};
use overboard_formats::limits::Limits;
use rayon::ThreadPool;
use std::{
    fs::File,
    io::{BufReader, Write},
    path::{Path, PathBuf},
};

/// Turn a ledger into games, a table or a summary.
///
/// Every line is verified on the way, and every game is played over again: it has to end as its line says.
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
    /// Do not play the games over again to see whether each is what its line says.
    #[arg(long)]
    pub no_replay: bool,
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
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

pub fn run(args: &LedgerArgs) -> Result<Exit, Failure> {
    let path = &args.ledger;
    let lines = journal::open(path).map_err(|fault| LedgerError::of(path, fault))?;
    let replay = if args.no_replay { Replay::Nothing } else { Replay::Plies };
    let header = lines.header.clone();
    let mut games = Games { path, header: &header, lines, replay, pool: threads::pool(args.jobs)? };
    let mut out = ui::stdout();
    let (unlike, fate) = match args.to {
        View::Summary => {
            let pairings = header.manifest.pairings();
            let mut tally = Tally::of(&header.manifest);
            let unlike = games.each(|_, entry| {
                tally.count(&header.manifest.fixture(&pairings, entry.game), entry.end, entry.plies);
                Ok(())
            })?;
            summary::print(&header, &tally, None, args.json, &mut out)?;
            (unlike, "count as they are booked")
        }
        View::Npgn => (games.records(&mut out)?, "no record can be written of them"),
        View::Csv => {
            writeln!(out, "{COLUMNS}")?;
            let unlike = games.each(|_, entry| Ok(writeln!(out, "{}", row(entry))?))?;
            (unlike, "stand as they are booked")
        }
    };
    out.flush()?;
    ledgers::remark(path, &games.lines);
    unlike.note(path, &header.manifest, fate);
    Ok(Exit::Clean)
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
    /// Shows every game with its line; answers those that only raised laws make another.
    fn each(
        &mut self,
        mut show: impl FnMut(u64, &Entry<'_>) -> Result<(), Failure>,
    ) -> Result<Unlike, Failure> {
        let (mut stretch, mut unlike) = (Stretch::default(), Unlike::default());
        while stretch.fill(&mut self.lines).map_err(|fault| LedgerError::of(self.path, fault))? {
            for Seen { line, entry, walk } in stretch.games(&self.header.manifest, self.replay, &self.pool) {
                if let Err(why) = walk {
                    unlike.take(self.path, &self.header.manifest, (line, why))?;
                }
                show(line, &entry)?;
            }
        }
        Ok(unlike)
    }

    /// Writes the games as records; answers those of which none can be written.
    fn records(&mut self, out: &mut impl Write) -> Result<Unlike, Failure> {
        let (path, manifest) = (self.path, &self.header.manifest);
        let (mut text, mut unlike) = (String::new(), Unlike::default());
        self.each(|line, entry| {
            text.clear();
            if let Err(why) = write_record(entry, manifest, &mut text) {
                return Ok(unlike.take(path, manifest, (line, why))?);
            }
            format(text.as_bytes(), &mut *out, Limits::default()).map_err(|error| error.at(path))
        })?;
        Ok(unlike)
    }
}
