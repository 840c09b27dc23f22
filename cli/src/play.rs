//! Plays a batch of games into a ledger, and reports its progress.

use crate::{
    batch::{self, BatchError},
    engines::warn_of_latency,
    exit::{CliError, Exit},
    interrupt,
    ledgers::LedgerError,
    summary::{self, Aside},
    threads, ui,
};
use clap::Args;
use indicatif::ProgressBar;
use overboard_engines::{
    batch::{Batch, Done, Keeper, Over, RunError, Wish},
    book::Book,
    external::pool::EnginePool,
    journal::{Ahead, Header, Journal, LedgerEntry},
    proof::Replay,
    tally::Tally,
};
use rayon::ThreadPool;
use std::{
    collections::BTreeMap,
    io::{self, IsTerminal, Write},
    path::Path,
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
    /// Print the summary as a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The time between two progress lines, if there is no terminal.
const INTERVAL: Duration = Duration::from_secs(10);

/// Plays what is not in the ledger yet, and prints a summary of everything; `go_on` is the command that resumes the
/// run.
pub fn play(
    header: &Header,
    book: &Book,
    ledger: Option<(&Path, String)>,
    args: &PlayArgs,
    engines: Option<&EnginePool>,
) -> Result<Exit, CliError> {
    let pool = threads::pool(args.jobs)?;
    let mut tally = Tally::of(&header.manifest);
    let replay = if args.no_replay {
        Replay::Nothing
    } else {
        Replay::Plies
    };
    let opened = ledger
        .as_ref()
        .map(|(path, _)| open(path, header, (replay, &pool), &mut tally))
        .transpose()?;
    let (mut books, before) = opened.map_or((None, BTreeMap::new()), |(books, before)| {
        (Some(books), before)
    });
    let games = header.games();
    let total = games.end - games.start;
    let from = games.start + tally.games;
    let progress = Progress::new(total, tally.games);
    let batch = Batch {
        header,
        book,
        pool: &pool,
        engines,
    };
    interrupt::listen();
    let is_decided = tally.is_decided();
    let mut booking = Booking::new(books.as_mut(), tally, progress);
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
    progress.bar.finish_and_clear();
    let halted = |source| match &ledger {
        Some((path, go_on)) => {
            let (path, go_on, done) = (path.to_path_buf(), go_on.clone(), tally.games);
            BatchError::Halted {
                path,
                source,
                done,
                total,
                go_on,
            }
            .into()
        }
        None => CliError::Output(source),
    };
    let over = match outcome {
        Ok(over) => over,
        Err(RunError::Taking(error)) => return Err(halted(error)),
        Err(why) => return Err(batch::refused(&header.manifest, None, why).into()),
    };
    books
        .as_mut()
        .map_or(Ok(()), |books| books.close(over))
        .map_err(halted)?;
    let is_saved = ledger.is_some();
    let go_on = ledger.map(|(_, go_on)| go_on);
    let stopped = match over {
        Over::Asked { given_up } if tally.games < total => Some(summary::Stopped {
            given_up,
            waiting,
            withdrawn: Vec::new(),
            go_on,
        }),
        Over::Nobody if tally.games < total => {
            let withdrawn = engines.map(|engines| engines.withdrawn().cloned().collect());
            Some(summary::Stopped {
                given_up: 0,
                waiting,
                withdrawn: withdrawn.unwrap_or_default(),
                go_on,
            })
        }
        _ => None,
    };
    engines.into_iter().for_each(warn_of_latency);
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
    Ok(if stopped.is_some() || !tally.faults.is_empty() {
        Exit::Findings
    } else {
        Exit::Clean
    })
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
    tally: &mut Tally,
) -> Result<(Books, Before), CliError> {
    let pairings = header.manifest.pairings();
    let mut count = |entry: &LedgerEntry<'_>| {
        let fixture = header.manifest.fixture(&pairings, entry.game);
        tally.count(&fixture, entry.end, entry.plies, entry.blamed(&fixture));
    };
    let (journal, held) = Journal::open(path, header, replay, &mut count)
        .map_err(|fault| LedgerError::of(path, fault))?;
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
    tally: Tally,
    progress: Progress,
    /// Finished games that wait for others.
    waiting: usize,
    bytes: Vec<u8>,
    /// The last signal to stop, and when it arrived.
    heard: (Wish, Instant),
}

/// How long games in progress may take to end after the first signal.
const PATIENCE: Duration = Duration::from_secs(10);

impl<'a> Booking<'a> {
    fn new(books: Option<&'a mut Books>, tally: Tally, progress: Progress) -> Self {
        Self {
            books,
            tally,
            progress,
            waiting: 0,
            bytes: Vec::new(),
            heard: (Wish::GoOn, Instant::now()),
        }
    }
}

impl Keeper for Booking<'_> {
    fn take(&mut self, games: &[Done]) -> io::Result<bool> {
        // A game that cannot be saved is not counted either.
        let mut tally = self.tally.clone();
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
            if tally.is_decided() {
                break;
            }
        }
        if let Some(books) = &mut self.books {
            books.journal.append(&self.bytes)?;
        }
        self.tally = tally;
        self.progress.print_summary(&self.tally);
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

/// A progress bar on a terminal, a line now and then elsewhere.
struct Progress {
    bar: ProgressBar,
    is_terminal: bool,
    total: u64,
    before: u64,
    begun: Instant,
    reported: Instant,
}

impl Progress {
    fn new(total: u64, before: u64) -> Self {
        let is_terminal = io::stderr().is_terminal();
        let bar = if is_terminal {
            ui::games_bar(total, before)
        } else {
            ProgressBar::hidden()
        };
        let now = Instant::now();
        Self {
            bar,
            is_terminal,
            total,
            before,
            begun: now,
            reported: now,
        }
    }

    fn print_summary(&mut self, tally: &Tally) {
        if self.is_terminal {
            self.bar.set_position(tally.games);
            self.bar.set_message(score(tally));
        } else if self.reported.elapsed() >= INTERVAL {
            self.reported = Instant::now();
            let rate = (tally.games - self.before) as f64 / self.begun.elapsed().as_secs_f64();
            let left = (self.total - tally.games) as f64 / rate;
            ui::note(&format!(
                "{} of {} games, {rate:.1} a second, {left:.0} s left, {}",
                tally.games,
                self.total,
                score(tally)
            ));
        }
    }
}

/// The current score: the first player's if there is one meeting, else White's.
fn score(tally: &Tally) -> String {
    match &tally.meetings[..] {
        [meeting] if meeting.players[0] != meeting.players[1] => {
            let [wins, draws, losses] = meeting.score;
            format!("+{wins} ={draws} -{losses}")
        }
        _ => {
            let [white, draws, black] = tally.results;
            format!("White won {white}, {draws} drawn, Black won {black}")
        }
    }
}
