//! Plays a batch of games into a ledger, and reports its progress.

use crate::{
    batch::{self, BatchError},
    engines::{warn_of_dialogue, warn_of_latency},
    exit::{CliError, Exit},
    grown::Grown,
    interrupt,
    ledgers::LedgerError,
    live::{Progress, Reports},
    options::JobsArgs,
    summary::{self, Aside},
    threads, ui,
};
use clap::Args;
use overboard_engines::{
    batch::{Batch, Done, Keeper, Over, RunError, Wish},
    book::Book,
    external::pool::EnginePool,
    journal::{self, Ahead, Header, Journal, LedgerEntry},
    manifest::Manifest,
    proof::Replay,
    tally::Tally,
};
use rayon::ThreadPool;
use std::{
    collections::BTreeMap,
    env,
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// How games are played.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// Trust the games already in the ledger instead of replaying them.
    #[arg(long)]
    pub no_replay: bool,
    #[command(flatten)]
    pub threads: JobsArgs,
    /// Write the records of the games to this file while they are played. With --ledger it is continued, too.
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Print the figures so far after every N games [default: every ten seconds, and only in the bar on a terminal].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "quiet")]
    pub report_every: Option<u64>,
    /// Say nothing while games are played.
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the summary as a JSON object.
    #[arg(long)]
    pub json: bool,
}

impl PlayArgs {
    fn replay(&self) -> Replay {
        if self.no_replay {
            Replay::Nothing
        } else {
            Replay::Plies
        }
    }

    fn reports(&self) -> Reports {
        match self.report_every {
            _ if self.quiet => Reports::Never,
            Some(games) => Reports::Every(games),
            None => Reports::NowAndThen,
        }
    }
}

/// Where the games of a run are saved.
pub struct SavedTo<'a> {
    /// The ledger.
    pub path: &'a Path,
    /// The command that resumes the run.
    pub resume_with: String,
}

impl<'a> SavedTo<'a> {
    /// In a ledger whose run is resumed by the command that began it.
    pub fn by_same_command(path: &'a Path) -> Self {
        Self {
            path,
            resume_with: interrupt::command_line(env::args_os()),
        }
    }
}

/// Plays what is not in the ledger yet, and prints a summary of everything.
pub fn play(
    header: &Header,
    book: &Book,
    ledger: Option<SavedTo<'_>>,
    args: &PlayArgs,
    engines: Option<&EnginePool>,
) -> Result<Exit, CliError> {
    let begun = ledger
        .as_ref()
        .map(|saved| journal::as_begun(saved.path, header));
    let header = begun.as_ref().unwrap_or(header);
    let pool = threads::pool(args.threads.jobs)?;
    let before = Before::of(header, ledger.as_ref(), args, &pool)?;
    let batch = Batch {
        header,
        book,
        pool: &pool,
        engines,
    };
    let (mut booking, outcome) = run(&batch, before, args.reports());
    let over = settled(&mut booking, outcome, header, ledger.as_ref())?;
    report(&booking, over, &batch, ledger, args.json)
}

/// Plays until there is nothing left to play, or a signal arrives.
fn run<'a>(
    batch: &Batch<'a>,
    before: Before,
    reports: Reports,
) -> (Booking<'a>, Result<Over, RunError>) {
    let Before {
        tally,
        grown,
        books,
        waiting,
    } = before;
    let header = batch.header;
    let from = header.games().start + tally.games;
    let players = &header.manifest.players;
    let mut booking = Booking {
        books,
        grown,
        manifest: &header.manifest,
        progress: Progress::new(reports, players, planned(header), tally.games),
        tally,
        waiting: 0,
        bytes: Vec::new(),
        heard: (Wish::GoOn, Instant::now()),
    };
    interrupt::listen();
    let outcome = if booking.tally.is_decided() {
        Ok(Over::Enough)
    } else {
        batch.run(from, waiting, &mut booking)
    };
    booking.progress.clear();
    (booking, outcome)
}

/// The games of a run or a shard, played or not.
fn planned(header: &Header) -> u64 {
    let games = header.games();
    games.end - games.start
}

/// Closes the ledger, and says why the run ended.
fn settled(
    booking: &mut Booking<'_>,
    outcome: Result<Over, RunError>,
    header: &Header,
    ledger: Option<&SavedTo<'_>>,
) -> Result<Over, CliError> {
    let done = booking.tally.games;
    let halted = |source| halted(ledger, source, (done, planned(header)));
    let over = match outcome {
        Ok(over) => over,
        Err(RunError::Taking(error)) => return Err(halted(error)),
        Err(why) => return Err(batch::refused(&header.manifest, None, why).into()),
    };
    if let Some(books) = &mut booking.books {
        books.close(over).map_err(halted)?;
    }
    Ok(over)
}

/// Prints the summary.
fn report(
    booking: &Booking<'_>,
    over: Over,
    batch: &Batch<'_>,
    ledger: Option<SavedTo<'_>>,
    json: bool,
) -> Result<Exit, CliError> {
    let (header, engines) = (batch.header, batch.engines);
    let tally = &booking.tally;
    let is_saved = ledger.is_some();
    let go_on = ledger.map(|saved| saved.resume_with);
    let stopped = if tally.games < planned(header) {
        stopped(over, booking.waiting, go_on, engines)
    } else {
        None
    };
    warn_of(engines);
    let aside = Aside {
        stopped: stopped.as_ref(),
        engines,
    };
    let mut out = ui::stdout();
    summary::print(header, tally, &aside, json, &mut out)?;
    out.flush()?;
    if !is_saved {
        ui::note(summary::UNSAVED);
    }
    Ok(Exit::with(stopped.is_some() || !tally.faults.is_empty()))
}

/// Reports what was unusual about the engines.
fn warn_of(engines: Option<&EnginePool>) {
    if let Some(engines) = engines {
        warn_of_latency(engines);
        warn_of_dialogue(engines);
    }
}

/// The error of a run that could not be saved any further.
fn halted(ledger: Option<&SavedTo<'_>>, source: io::Error, (done, total): (u64, u64)) -> CliError {
    let Some(SavedTo { path, resume_with }) = ledger else {
        return CliError::Output(source);
    };
    let halted = BatchError::Halted {
        path: path.to_path_buf(),
        source,
        done,
        total,
        go_on: resume_with.clone(),
    };
    halted.into()
}

/// Why a run with games left stopped; `None` if it needs no more of them.
fn stopped(
    over: Over,
    waiting: usize,
    go_on: Option<String>,
    engines: Option<&EnginePool>,
) -> Option<summary::Stopped> {
    let mut stopped = summary::Stopped {
        given_up: 0,
        waiting,
        withdrawn: Vec::new(),
        go_on,
    };
    match over {
        Over::Asked { given_up } => stopped.given_up = given_up,
        Over::Nobody => {
            if let Some(engines) = engines {
                stopped.withdrawn = engines.withdrawn().cloned().collect();
            }
        }
        Over::All | Over::Enough => return None,
    }
    Some(stopped)
}

/// A ledger and the games that wait beside it.
struct Books {
    journal: Journal,
    ahead: Ahead,
}

impl Books {
    /// Syncs everything; if the run wants no more games, no game waits any longer.
    fn close(&mut self, over: Over) -> io::Result<()> {
        self.journal.sync()?;
        if over == Over::Enough {
            self.ahead.clear()
        } else {
            Ok(())
        }
    }
}

/// What there is before games are played.
struct Before {
    tally: Tally,
    grown: Option<Grown>,
    books: Option<Books>,
    /// Games that wait beside the ledger, by number.
    waiting: BTreeMap<u64, Done>,
}

impl Before {
    /// Opens what games are written to.
    fn of(
        header: &Header,
        ledger: Option<&SavedTo<'_>>,
        args: &PlayArgs,
        pool: &ThreadPool,
    ) -> Result<Self, CliError> {
        let grown = match &args.pgn {
            Some(path) => Some(Grown::open(path, &header.manifest)?),
            None => None,
        };
        let mut this = Self {
            tally: Tally::of(&header.manifest),
            grown,
            books: None,
            waiting: BTreeMap::new(),
        };
        if let Some(saved) = ledger {
            this.open(saved.path, header, (args.replay(), pool))?;
        }
        if let Some(grown) = &this.grown {
            grown.catch_up(ledger.is_some())?;
        }
        Ok(this)
    }

    /// Opens a ledger, counts what is in it, and reports that.
    fn open(
        &mut self,
        path: &Path,
        header: &Header,
        replay: (Replay, &ThreadPool),
    ) -> Result<(), CliError> {
        let pairings = header.manifest.pairings();
        let mut unwritten = None;
        let mut count = |entry: &LedgerEntry<'_>| {
            let fixture = header.manifest.fixture(&pairings, entry.game);
            let fault = entry.blamed(&fixture);
            self.tally.count(&fixture, entry.end, entry.plies, fault);
            if let Some(grown) = &mut self.grown
                && unwritten.is_none()
            {
                unwritten = grown.add(entry).err();
            }
        };
        let (journal, held) = Journal::open(path, header, replay, &mut count)
            .map_err(|fault| LedgerError::of(path, fault))?;
        if let Some(error) = unwritten {
            return Err(CliError::Output(error));
        }
        if held.cut > 0 {
            ui::warn(&format!(
                "{}: the last line was incomplete (the run was killed); its {} bytes were removed",
                path.display(),
                held.cut
            ));
        }
        let next = header.games().start + held.games;
        let (ahead, waiting) = Ahead::open(path, header, next, replay)
            .map_err(|fault| LedgerError::of(&Ahead::beside(path), fault))?;
        if held.games > 0 || !waiting.is_empty() {
            ui::note(&format!(
                "{}: {} of {} games are already in the ledger{}",
                path.display(),
                held.games,
                planned(header),
                summary::in_wait(waiting.len())
            ));
        }
        self.books = Some(Books { journal, ahead });
        self.waiting = waiting;
        Ok(())
    }
}

/// Saves the games of a batch as they end.
struct Booking<'a> {
    books: Option<Books>,
    grown: Option<Grown>,
    manifest: &'a Manifest,
    tally: Tally,
    progress: Progress<'a>,
    /// Finished games that wait for others.
    waiting: usize,
    bytes: Vec<u8>,
    /// The last signal to stop, and when it arrived.
    heard: (Wish, Instant),
}

/// How long games in progress may take to end after the first signal.
const PATIENCE: Duration = Duration::from_secs(10);

impl Keeper for Booking<'_> {
    fn take(&mut self, games: &[Done]) -> io::Result<bool> {
        // A game that cannot be saved is not counted either.
        let mut tally = self.tally.clone();
        let mut taken = 0;
        // Many games may have ended at once.
        let mut standings = Vec::new();
        self.bytes.clear();
        for Done {
            fixture,
            line,
            end,
            plies,
            fault,
        } in games
        {
            self.bytes.extend_from_slice(line);
            tally.count(fixture, *end, *plies, *fault);
            taken += 1;
            if self.progress.is_due(tally.games) {
                standings.push(tally.clone());
            }
            if tally.is_decided() {
                break;
            }
        }
        if let Some(books) = &mut self.books {
            books.journal.append(&self.bytes)?;
        }
        if let Some(grown) = &mut self.grown {
            for done in &games[..taken] {
                let entry = LedgerEntry::read(&done.line, self.manifest);
                grown.add(&entry.map_err(io::Error::other)?)?;
            }
        }
        self.tally = tally;
        self.progress.take(&self.tally);
        for standing in &standings {
            self.progress.say(standing);
        }
        Ok(!self.tally.is_decided())
    }

    fn hold(&mut self, games: &[&Done], waiting: usize) -> io::Result<()> {
        self.waiting = waiting;
        let Some(books) = &mut self.books else {
            return Ok(());
        };
        books.journal.keep_up()?;
        match (waiting, games) {
            (0, _) => books.ahead.clear(),
            (_, []) => Ok(()),
            _ => books.ahead.add(games),
        }
    }

    fn wish(&mut self) -> Wish {
        let wish = interrupt::wish();
        if wish > self.heard.0 {
            self.heard = (wish, Instant::now());
            ui::note(match wish {
                Wish::Finish => {
                    "stopping: games in progress have ten seconds to finish; a second signal stops them"
                }
                _ => "stopping: games in progress are cut short",
            });
        }
        if wish == Wish::Finish && self.heard.1.elapsed() >= PATIENCE {
            Wish::GiveUp
        } else {
            wish
        }
    }
}
