//! Many games on many threads, handed over in their order: the bytes do not tell how many threads there
//! were.

use crate::{
    ending::End,
    game::{Terms, play},
    journal::{Header, Scribe},
    manifest::{Fixture, Manifest, NoSense, Origin},
    openings::{BadOpenings, Opening, Openings, lines},
    players::{Seats, Spec},
};
use overboard_games::{playable::Playable, with_game};
use std::{
    collections::BTreeMap,
    io,
    ops::Range,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
};

/// Games that a thread takes at a time when they are over at once.
const SHARE: u64 = 16;
/// Shares that each thread may be ahead of the slowest.
const AHEAD: u64 = 32;

/// Why a batch stopped before its end, or did not begin.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// The manifest makes no sense.
    #[error("{0}")]
    NoSense(#[from] NoSense),
    /// The run was planned by another version or under other laws.
    #[error(
        "the run was planned by {theirs}, and this is {ours}: a run is played only under the version and laws \
         that it was planned with. Play it with that version, or make a new plan"
    )]
    OtherOrigin {
        /// The plan's.
        theirs: Box<Origin>,
        /// This program's.
        ours: Box<Origin>,
    },
    /// The openings cannot be used.
    #[error("openings: {0}")]
    Openings(#[from] BadOpenings),
    /// The games could not be taken.
    #[error("{0}")]
    Taking(#[from] io::Error),
    /// Threads cannot be had.
    #[error("cannot start worker threads: {0}")]
    Threads(String),
}

/// A game that was played, with its line of the ledger.
#[derive(Clone, Debug)]
pub struct Done {
    /// Which game.
    pub fixture: Fixture,
    /// Its line.
    pub line: Vec<u8>,
    /// How it ended.
    pub end: End,
    /// Its plies.
    pub plies: u32,
}

/// A batch, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// What is played, and which part of it.
    pub header: &'a Header,
    /// The text of the file of positions, where openings come from one.
    pub positions: &'a str,
    /// Threads.
    pub jobs: usize,
}

/// Whether a manifest and its openings can be played.
///
/// # Errors
/// The first reason why not.
pub fn check(manifest: &Manifest, positions: &str) -> Result<(), Stopped> {
    admit(manifest)?;
    with_game!(manifest.game()?, manifest.boards, G => check_game::<G>(manifest, positions))
}

fn check_game<G: Seats>(manifest: &Manifest, positions: &str) -> Result<(), Stopped> {
    specs::<G>(manifest)?;
    let first: G = manifest.first()?;
    Openings::read(&first, &lines(positions))?;
    Openings::new(first, &manifest.openings, positions, manifest.seed)?.of(0)?;
    Ok(())
}

/// The players, all of whom play such games.
fn specs<G: Seats>(manifest: &Manifest) -> Result<Vec<Spec>, NoSense> {
    let specs = manifest.specs()?;
    specs.iter().try_for_each(|spec| G::seat(*spec).map(drop)).map_err(NoSense::Players)?;
    Ok(specs)
}

/// Whether this program may play a run: other versions and laws make other games of the same seed.
///
/// # Errors
/// A manifest that makes no sense, or that another version made or one under other laws.
pub fn admit(manifest: &Manifest) -> Result<(), Stopped> {
    manifest.check()?;
    let [theirs, ours] = [manifest.origin(), manifest.origin_today()?].map(Box::new);
    if theirs == ours { Ok(()) } else { Err(Stopped::OtherOrigin { theirs, ours }) }
}

impl Batch<'_> {
    /// Plays all games from the one numbered `from` on, and hands them over in their order, some at a
    /// time.
    ///
    /// # Errors
    /// Why it stopped; what was handed over before stays played.
    pub fn run(&self, from: u64, take: &mut dyn FnMut(&[Done]) -> io::Result<()>) -> Result<(), Stopped> {
        let manifest = &self.header.manifest;
        admit(manifest)?;
        with_game!(manifest.game()?, manifest.boards, G => self.run_game::<G>(from, take))
    }

    fn run_game<G: Seats>(
        &self,
        from: u64,
        take: &mut dyn FnMut(&[Done]) -> io::Result<()>,
    ) -> Result<(), Stopped> {
        let manifest = &self.header.manifest;
        let specs = specs::<G>(manifest)?;
        let first: G = manifest.first()?;
        let openings = Openings::new(first, &manifest.openings, self.positions, manifest.seed)?;
        let is_quick = specs.iter().all(|spec| spec.is_quick());
        let share = if is_quick { SHARE } else { u64::from(manifest.games_per_unit) };
        let games = from..self.header.games().end;
        let desk = Desk {
            manifest,
            pairings: manifest.pairings(),
            terms: Terms { seed: manifest.seed, max_plies: manifest.max_plies },
            scribe: Scribe::of(manifest),
            specs,
            share,
            ahead: share * AHEAD * self.jobs as u64,
            pile: Mutex::new(Pile { openings, taken: from, games: games.clone(), stop: None }),
            moved: Condvar::new(),
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.jobs)
            .build()
            .map_err(|error| Stopped::Threads(error.to_string()))?;
        let taken = pool.in_place_scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..self.jobs {
                let (sender, desk) = (sender.clone(), &desk);
                scope.spawn(move |_| desk.work(&sender));
            }
            drop(sender);
            desk.hand_over(&receiver, games.start, take)
        });
        taken?;
        let pile = desk.pile.into_inner().unwrap_or_else(PoisonError::into_inner);
        match pile.stop {
            Some(Stop::Openings(why)) => Err(why.into()),
            _ => Ok(()),
        }
    }
}

/// Where the threads get their games.
struct Desk<'a, G: Playable> {
    manifest: &'a Manifest,
    pairings: Vec<[usize; 2]>,
    specs: Vec<Spec>,
    terms: Terms,
    scribe: Scribe,
    share: u64,
    ahead: u64,
    pile: Mutex<Pile<G>>,
    moved: Condvar,
}

/// The games that nobody has begun.
struct Pile<G: Playable> {
    openings: Openings<G>,
    games: Range<u64>,
    /// How many have been handed over.
    taken: u64,
    stop: Option<Stop>,
}

/// Why no more games are begun.
enum Stop {
    Openings(BadOpenings),
    Taking,
    Panic,
}

type Share<G> = Vec<(Fixture, Arc<Opening<G>>)>;

impl<G: Seats> Desk<'_, G> {
    fn lock(&self) -> MutexGuard<'_, Pile<G>> {
        self.pile.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self, why: Stop) {
        self.lock().stop.get_or_insert(why);
        self.moved.notify_all();
    }

    /// Plays share after share.
    fn work(&self, sender: &Sender<(u64, Vec<Done>)>) {
        let _guard = Guard(self);
        while let Some(share) = self.next_share() {
            let Some(first) = share.first().map(|(fixture, _)| fixture.game) else { break };
            let done = share.iter().filter_map(|(fixture, opening)| self.play(fixture, opening)).collect();
            if sender.send((first, done)).is_err() {
                break;
            }
        }
    }

    /// Plays a game; `None` where a player does not play such games, which is seen to before.
    fn play(&self, fixture: &Fixture, opening: &Opening<G>) -> Option<Done> {
        let specs = fixture.seats.map(|seat| self.specs[seat]);
        let played = play(fixture, opening, specs, self.terms)?;
        let mut line = Vec::with_capacity(played.moves.len() + 320);
        self.scribe.write(&mut line, fixture, &played);
        Some(Done { fixture: *fixture, line, end: played.end, plies: played.plies })
    }

    /// The next games, once those before them are not too far behind; `None` when there are no more.
    fn next_share(&self) -> Option<Share<G>> {
        let is_far = |pile: &mut Pile<G>| pile.stop.is_none() && pile.games.start >= pile.taken + self.ahead;
        let mut pile = self.moved.wait_while(self.lock(), is_far).unwrap_or_else(PoisonError::into_inner);
        if pile.stop.is_some() || pile.games.is_empty() {
            return None;
        }
        let share = pile.games.start..pile.games.end.min(pile.games.start + self.share);
        pile.games.start = share.end;
        let mut list = Vec::new();
        for game in share {
            let fixture = self.manifest.fixture(&self.pairings, game);
            match pile.openings.of(fixture.round) {
                Ok(opening) => list.push((fixture, opening)),
                Err(why) => {
                    pile.stop = Some(Stop::Openings(why));
                    self.moved.notify_all();
                    return None;
                }
            }
        }
        Some(list)
    }

    /// Puts what comes in into its order and hands it over.
    fn hand_over(
        &self,
        receiver: &Receiver<(u64, Vec<Done>)>,
        mut next: u64,
        take: &mut dyn FnMut(&[Done]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut waiting = BTreeMap::new();
        while let Ok(first) = receiver.recv() {
            waiting.extend([first].into_iter().chain(receiver.try_iter()));
            let mut ready = Vec::new();
            while let Some(done) = waiting.remove(&next) {
                next += done.len() as u64;
                ready.extend(done);
            }
            if ready.is_empty() {
                continue;
            }
            if let Err(error) = take(&ready) {
                self.stop(Stop::Taking);
                return Err(error);
            }
            self.lock().taken = next;
            self.moved.notify_all();
        }
        Ok(())
    }
}

/// Stops all threads when one of them falls.
struct Guard<'a, 'b, G: Seats>(&'a Desk<'b, G>);

impl<G: Seats> Drop for Guard<'_, '_, G> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop(Stop::Panic);
        }
    }
}
