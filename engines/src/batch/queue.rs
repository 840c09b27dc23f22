//! The queue from which threads take games, and in which finished games are put in order.

use super::{Done, Keeper, Over, Wish, bench::Bench};
use crate::{
    adjudicate::Adjudicator,
    external::pool::EnginePool,
    game::{GameConditions, forfeited, play},
    journal::Scribe,
    lock,
    manifest::{Contender, Fixture, Manifest},
    openings::{Opening, Openings, OpeningsError},
    players::Seats,
};
use overboard_referee::game::play::Play;
use std::{
    collections::{BTreeMap, HashSet},
    io,
    ops::Range,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

/// The most games that a thread takes at a time if they are quick.
const SHARE: usize = 16;
/// How many games each thread may be ahead of the slowest.
const AHEAD: u64 = 512;
/// Bytes of games that may wait for the slowest.
const WAITING: usize = 64 << 20;
/// The time after which a thread hands over its games, and after which it checks whether to stop.
const PROMPT: Duration = Duration::from_millis(100);
/// The time after which games that wait for an earlier one are saved separately.
const HOLD: Duration = Duration::from_millis(500);

/// The queue of a batch.
pub(super) struct BatchQueue<'a, G: Play> {
    manifest: &'a Manifest,
    pairings: Vec<[usize; 2]>,
    contenders: Vec<Contender>,
    engines: Option<&'a EnginePool>,
    scribe: Scribe,
    ahead: u64,
    unplayed: Mutex<WaitingGames<'a, G>>,
    moved: Condvar,
    /// Whether no more games are started.
    halts: AtomicBool,
    /// Whether games in progress are given up.
    gives_up: AtomicBool,
    given_up: AtomicU64,
    /// Whether no two players are left who could meet.
    is_empty: AtomicBool,
}

/// The games that have not been started.
struct WaitingGames<'a, G: Play> {
    openings: Openings<'a, G>,
    games: Range<u64>,
    /// Those among them that were played in an earlier run.
    before: HashSet<u64>,
    /// The next game to be delivered.
    next: u64,
    /// Bytes of games that wait for it.
    waiting: usize,
    why: Option<OpeningsError>,
}

type Share<G> = Vec<(Fixture, Arc<Opening<G>>)>;

impl<'a, G: Seats> BatchQueue<'a, G> {
    pub(super) fn new(
        manifest: &'a Manifest,
        (contenders, engines): (Vec<Contender>, Option<&'a EnginePool>),
        openings: Openings<'a, G>,
        games: Range<u64>,
        before: &BTreeMap<u64, Done>,
        threads: usize,
    ) -> Self {
        let before = before.keys().copied().collect();
        let next = games.start;
        Self {
            manifest,
            pairings: manifest.pairings(),
            contenders,
            engines,
            scribe: Scribe::of(manifest),
            ahead: AHEAD * threads as u64,
            unplayed: Mutex::new(WaitingGames {
                openings,
                games,
                before,
                next,
                waiting: 0,
                why: None,
            }),
            moved: Condvar::new(),
            halts: AtomicBool::new(false),
            gives_up: AtomicBool::new(false),
            given_up: AtomicU64::new(0),
            is_empty: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, WaitingGames<'a, G>> {
        lock(&self.unplayed)
    }

    /// Starts no more games.
    fn halt(&self) {
        // Under the lock, so that a thread about to wait sees it.
        let unplayed = self.lock();
        self.halts.store(true, Ordering::Relaxed);
        drop(unplayed);
        self.moved.notify_all();
    }

    fn halts(&self) -> bool {
        self.halts.load(Ordering::Relaxed)
    }

    /// Gives up the games in progress.
    fn give_up(&self) {
        self.halt();
        self.gives_up.store(true, Ordering::Relaxed);
    }

    /// Why there were no more openings, if that is why the batch stopped.
    pub(super) fn why_stopped(self) -> Option<OpeningsError> {
        self.unplayed
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .why
    }

    /// Plays shares of games until there are none.
    pub(super) fn work(&self, thread: usize, sender: &Sender<Vec<Done>>) {
        let _guard = Guard(self);
        let mut bench = Bench::new(self.engines, &self.contenders, thread);
        let mut size = 1;
        while let Some(share) = self.next_share(size) {
            let begun = Instant::now();
            let (mut done, mut sent) = (Vec::new(), begun);
            for (fixture, opening) in &share {
                // A game that was taken but not started is not lost: it stays unplayed, as in a ledger that ends here.
                if self.halts() {
                    break;
                }
                match self.play(&mut bench, fixture, opening) {
                    Some(game) => done.push(game),
                    None => drop(self.given_up.fetch_add(1, Ordering::Relaxed)),
                }
                if sent.elapsed() >= PROMPT {
                    sent = Instant::now();
                    if sender.send(std::mem::take(&mut done)).is_err() {
                        return;
                    }
                }
            }
            if sender.send(done).is_err() {
                return;
            }
            size = if begun.elapsed() < PROMPT {
                (2 * size).min(SHARE)
            } else {
                1
            };
        }
    }

    /// Plays a game; `None` if it was given up, or a player does not play such games, which was checked before.
    fn play(&self, bench: &mut Bench<'_>, fixture: &Fixture, opening: &Opening<G>) -> Option<Done> {
        let Manifest {
            seed,
            max_plies,
            ref reports,
            draw_when,
            resign_when,
            ..
        } = *self.manifest;
        let withdrawn = bench.withdrawn(fixture.seats);
        let played = if withdrawn.contains(&true) {
            forfeited(withdrawn, reports)
        } else {
            let adjudicator = Adjudicator::new(draw_when, resign_when);
            let terms = GameConditions {
                seed,
                max_plies,
                reports,
                adjudicator,
                give_up: &self.gives_up,
            };
            let mut engines = bench.take(fixture.seats);
            let players = bench.seat(fixture, opening, &mut engines, &self.gives_up)?;
            let played = play(fixture, opening, players, terms);
            bench.put_back(fixture.seats, engines);
            played?
        };
        let fault = played
            .fault
            .as_ref()
            .map(|blame| fixture.seats[blame.by.into()]);
        if fault.is_some() && self.nobody_is_left(bench) {
            self.is_empty.store(true, Ordering::Relaxed);
            self.halt();
        }
        let mut line = Vec::with_capacity(played.moves.len() + 320);
        self.scribe.write(&mut line, fixture, &played);
        Some(Done {
            fixture: *fixture,
            line,
            end: played.end,
            plies: played.plies,
            fault,
        })
    }

    /// Whether every pairing contains a withdrawn player.
    fn nobody_is_left(&self, bench: &Bench<'_>) -> bool {
        self.pairings
            .iter()
            .all(|pairing| bench.withdrawn((*pairing).into()).contains(&true))
    }

    /// The next games, after waiting until they are not too far ahead of those in progress; `None` if there are no
    /// more.
    fn next_share(&self, size: usize) -> Option<Share<G>> {
        let is_far = |unplayed: &mut WaitingGames<'a, G>| {
            // If no thread has started the next game to be delivered, this one must not wait.
            let next_is_begun = unplayed.games.start > unplayed.next;
            let is_ahead =
                unplayed.games.start >= unplayed.next + self.ahead || unplayed.waiting >= WAITING;
            next_is_begun && is_ahead && !self.halts()
        };
        let mut unplayed = self
            .moved
            .wait_while(self.lock(), is_far)
            .unwrap_or_else(PoisonError::into_inner);
        let mut list = Vec::new();
        while list.len() < size && !self.halts() {
            let Some(game) = unplayed.games.next() else {
                break;
            };
            if unplayed.before.remove(&game) {
                continue;
            }
            let fixture = self.manifest.fixture(&self.pairings, game);
            match unplayed.openings.of(fixture.round) {
                Ok(opening) => list.push((fixture, opening)),
                Err(why) => {
                    unplayed.why = Some(why);
                    drop(unplayed);
                    self.halt();
                    return None;
                }
            }
        }
        (!list.is_empty()).then_some(list)
    }

    /// Puts finished games into order and delivers them.
    pub(super) fn hand_over(
        &self,
        receiver: &Receiver<Vec<Done>>,
        before: BTreeMap<u64, Done>,
        keeper: &mut dyn Keeper,
    ) -> io::Result<Over> {
        let mut waiting = Waiting::default();
        waiting.add(before.into_values(), true);
        let handed = self.hand_over_all(receiver, waiting, keeper);
        if !matches!(handed, Ok(None)) {
            self.give_up();
        }
        // All threads must end before the games are counted.
        while receiver.recv().is_ok() {}
        let given_up = self.given_up.load(Ordering::Relaxed);
        Ok(match handed? {
            Some(over) => over,
            None if self.is_empty.load(Ordering::Relaxed) => Over::Nobody,
            None if self.halts() => Over::Asked { given_up },
            None => Over::All,
        })
    }

    fn hand_over_all(
        &self,
        receiver: &Receiver<Vec<Done>>,
        mut waiting: Waiting,
        keeper: &mut dyn Keeper,
    ) -> io::Result<Option<Over>> {
        let mut held = Instant::now();
        let mut is_open = true;
        while is_open {
            let next = self.lock().next;
            let ready = waiting.ready(next);
            if !ready.is_empty() && !keeper.take(&ready)? {
                return Ok(Some(Over::Enough));
            }
            let mut unplayed = self.lock();
            unplayed.next = next + ready.len() as u64;
            unplayed.waiting = waiting.bytes;
            drop(unplayed);
            self.moved.notify_all();
            if held.elapsed() >= HOLD {
                waiting.hold(keeper)?;
                held = Instant::now();
            }
            match keeper.wish() {
                Wish::GoOn => {}
                Wish::Finish => self.halt(),
                Wish::GiveUp => self.give_up(),
            }
            match receiver.recv_timeout(PROMPT) {
                Ok(done) => {
                    let done = done.into_iter().chain(receiver.try_iter().flatten());
                    waiting.add(done, false);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => is_open = false,
            }
        }
        waiting.hold(keeper)?;
        Ok(None)
    }
}

/// Finished games that wait for an earlier one.
#[derive(Default)]
struct Waiting {
    /// By number, with whether each has been saved separately.
    games: BTreeMap<u64, (Done, bool)>,
    bytes: usize,
}

impl Waiting {
    /// Adds games; `held` says whether they have been saved separately.
    fn add(&mut self, games: impl Iterator<Item = Done>, held: bool) {
        for done in games {
            self.bytes += done.line.len();
            self.games.insert(done.fixture.game, (done, held));
        }
    }

    /// The contiguous games from the next wanted one on.
    fn ready(&mut self, mut next: u64) -> Vec<Done> {
        let mut ready = Vec::new();
        while let Some((done, _)) = self.games.remove(&next) {
            self.bytes -= done.line.len();
            ready.push(done);
            next += 1;
        }
        ready
    }

    /// Saves the waiting games separately that have not been.
    fn hold(&mut self, keeper: &mut dyn Keeper) -> io::Result<()> {
        let waiting = self.games.len();
        let mut fresh = Vec::new();
        for (done, held) in self.games.values_mut() {
            if !std::mem::replace(held, true) {
                fresh.push(&*done);
            }
        }
        keeper.hold(&fresh, waiting)
    }
}

/// Stops all threads when one of them panics.
struct Guard<'a, 'b, G: Seats>(&'a BatchQueue<'b, G>);

impl<G: Seats> Drop for Guard<'_, '_, G> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.give_up();
        }
    }
}
