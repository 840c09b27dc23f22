//! Plays a batch of games into a ledger, and reports its progress.

use crate::{
    batch::{self, BatchError},
    engines::{warn_of_dialogue, warn_of_latency},
    exit::{CliError, Exit},
    grown::Grown,
    interrupt,
    ledgers::LedgerError,
    live::{Progress, Reports},
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
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
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

/// Plays what is not in the ledger yet, and prints a summary of everything; `go_on` is the command that resumes the
/// run.
pub fn play(
    header: &Header,
    book: &Book,
    ledger: Option<(&Path, String)>,
    args: &PlayArgs,
    engines: Option<&EnginePool>,
) -> Result<Exit, CliError> {
    let begun = ledger
        .as_ref()
        .map(|(path, _)| journal::as_begun(path, header));
    play_under(
        begun.as_ref().unwrap_or(header),
        book,
        ledger,
        args,
        engines,
    )
}

/// The same under the header of the ledger.
fn play_under(
    header: &Header,
    book: &Book,
    ledger: Option<(&Path, String)>,
    args: &PlayArgs,
    engines: Option<&EnginePool>,
) -> Result<Exit, CliError> {
    let pool = threads::pool(args.jobs)?;
    let mut tally = Tally::of(&header.manifest);
    let replay = args.replay();
    let mut grown = match &args.pgn {
        Some(path) => Some(Grown::open(path, &header.manifest)?),
        None => None,
    };
    let opened = ledger
        .as_ref()
        .map(|(path, _)| open(path, header, (replay, &pool), (&mut tally, grown.as_mut())))
        .transpose()?;
    if let Some(grown) = &grown {
        grown.catch_up(ledger.is_some())?;
    }
    let (mut books, before) = opened.map_or((None, BTreeMap::new()), |(books, before)| {
        (Some(books), before)
    });
    let games = header.games();
    let total = games.end - games.start;
    let from = games.start + tally.games;
    let players = &header.manifest.players;
    let progress = Progress::new(args.reports(), players, total, tally.games);
    let batch = Batch {
        header,
        book,
        pool: &pool,
        engines,
    };
    interrupt::listen();
    let is_decided = tally.is_decided();
    let mut booking = Booking {
        books: books.as_mut(),
        grown,
        manifest: &header.manifest,
        tally,
        progress,
        waiting: 0,
        bytes: Vec::new(),
        heard: (Wish::GoOn, Instant::now()),
    };
    let outcome = if is_decided {
        Ok(Over::Enough)
    } else {
        batch.run(from, before, &mut booking)
    };
    let Booking {
        tally,
        progress,
        waiting,
        ..
    } = booking;
    progress.clear();
    let halted = |source| halted(ledger.as_ref(), source, (tally.games, total));
    let over = match outcome {
        Ok(over) => over,
        Err(RunError::Taking(error)) => return Err(halted(error)),
        Err(why) => return Err(batch::refused(&header.manifest, None, why).into()),
    };
    if let Some(books) = &mut books {
        books.close(over).map_err(halted)?;
    }
    let is_saved = ledger.is_some();
    let go_on = ledger.map(|(_, go_on)| go_on);
    let stopped = stopped(over, tally.games < total, (waiting, go_on), engines);
    warn_of(engines);
    let mut out = ui::stdout();
    summary::print(
        header,
        &tally,
        &Aside {
            stopped: stopped.as_ref(),
            engines,
        },
        args.json,
        &mut out,
    )?;
    out.flush()?;
    if !is_saved {
        ui::note("the games are not saved; --ledger FILE saves them");
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
fn halted(
    ledger: Option<&(&Path, String)>,
    source: io::Error,
    (done, total): (u64, u64),
) -> CliError {
    let Some((path, go_on)) = ledger else {
        return CliError::Output(source);
    };
    let halted = BatchError::Halted {
        path: path.to_path_buf(),
        source,
        done,
        total,
        go_on: go_on.clone(),
    };
    halted.into()
}

/// Why a run stopped before its end, if it did.
fn stopped(
    over: Over,
    is_unfinished: bool,
    (waiting, go_on): (usize, Option<String>),
    engines: Option<&EnginePool>,
) -> Option<summary::Stopped> {
    if !is_unfinished {
        return None;
    }
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

/// Games that wait beside a ledger, by number.
type Before = BTreeMap<u64, Done>;

/// Opens a ledger, counts what is in it, and reports that.
fn open(
    path: &Path,
    header: &Header,
    replay: (Replay, &ThreadPool),
    (tally, mut grown): (&mut Tally, Option<&mut Grown>),
) -> Result<(Books, Before), CliError> {
    let pairings = header.manifest.pairings();
    let mut unwritten = None;
    let mut count = |entry: &LedgerEntry<'_>| {
        let fixture = header.manifest.fixture(&pairings, entry.game);
        tally.count(&fixture, entry.end, entry.plies, entry.blamed(&fixture));
        if let Some(grown) = &mut grown
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
    let games = header.games();
    let (ahead, before) = Ahead::open(path, header, games.start + held.games, replay)
        .map_err(|fault| LedgerError::of(&Ahead::beside(path), fault))?;
    if held.games > 0 || !before.is_empty() {
        let total = games.end - games.start;
        let waiting = match before.len() {
            0 => String::new(),
            more => format!("; {more} later games are finished and wait for these"),
        };
        ui::note(&format!(
            "{}: {} of {total} games are already in the ledger{waiting}",
            path.display(),
            held.games
        ));
    }
    Ok((Books { journal, ahead }, before))
}

/// Saves the games of a batch as they end.
struct Booking<'a> {
    books: Option<&'a mut Books>,
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
