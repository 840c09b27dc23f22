//! Plays many games on many threads and delivers them in order: the output does not depend on the number of
//! threads.

mod bench;
mod queue;

use crate::{
    book::Book,
    ending::End,
    external::pool::EnginePool,
    journal::Header,
    manifest::{Contender, Fixture, Manifest, ManifestError, Origin},
    openings::{Openings, OpeningsError},
    players::Seats,
};
use overboard_formats::io_words::reason;
use overboard_games::with_game;
use queue::BatchQueue;
use rayon::ThreadPool;
use std::{collections::BTreeMap, io, sync::mpsc};

/// Why a batch stopped before its end, or did not begin.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The manifest is inconsistent.
    #[error("{0}")]
    Manifest(#[from] ManifestError),
    /// The run was planned under other laws.
    #[error(
        "the run was planned by {theirs}, and this is {ours}{}: a run is played only under the laws that it was \
         planned with. Make a new plan",
        theirs.changes()
    )]
    OtherOrigin {
        /// Those of the plan.
        theirs: Box<Origin>,
        /// Those of this program.
        ours: Box<Origin>,
    },
    /// The openings cannot be used.
    #[error("openings: {0}")]
    Openings(#[from] OpeningsError),
    /// The games could not be saved.
    #[error("{}", reason(.0))]
    Taking(#[from] io::Error),
}

/// A finished game, with its line of the ledger.
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
    /// The number of the player at fault, if a fault ended the game.
    pub fault: Option<usize>,
}

/// A batch, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// What is played, and which part of it.
    pub header: &'a Header,
    /// The book for the openings; empty if they do not come from a book.
    pub book: &'a Book,
    /// The threads that play.
    pub pool: &'a ThreadPool,
    /// The external engines; `None` if all players are built in.
    pub engines: Option<&'a EnginePool>,
}

/// What a batch should do next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wish {
    /// Continue.
    GoOn,
    /// Start no more games.
    Finish,
    /// Also give up the games in progress.
    GiveUp,
}

/// How a batch ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// All games were played.
    All,
    /// The keeper wanted no more games.
    Enough,
    /// No two players are left to meet: the others were withdrawn.
    Nobody,
    /// It was asked to stop.
    Asked {
        /// Games in progress that were given up.
        given_up: u64,
    },
}

/// Receives the games of a batch, in order. The example of [`crate`] plays a batch with one.
///
/// ```
/// use overboard_engines::batch::{Done, Keeper, Wish};
/// use std::io;
///
/// /// Stops after a number of games.
/// struct Until(usize);
///
/// impl Keeper for Until {
///     fn take(&mut self, games: &[Done]) -> io::Result<bool> {
///         self.0 = self.0.saturating_sub(games.len());
///         Ok(self.0 > 0)
///     }
/// }
///
/// let mut keeper = Until(100);
/// assert!(keeper.take(&[]).unwrap());
/// assert_eq!(keeper.wish(), Wish::GoOn);
/// ```
pub trait Keeper {
    /// Takes games in order; returns whether more are wanted.
    ///
    /// # Errors
    /// Why they cannot be saved; the batch stops.
    fn take(&mut self, games: &[Done]) -> io::Result<bool>;
    /// Receives, each once, games that are finished before an earlier one, and the number of games waiting. They are
    /// delivered in order later. Called often, also with no games.
    ///
    /// # Errors
    /// Why they cannot be saved; the batch stops.
    fn hold(&mut self, _games: &[&Done], _waiting: usize) -> io::Result<()> {
        Ok(())
    }
    /// What the batch should do next; called several times a second.
    fn wish(&mut self) -> Wish {
        Wish::GoOn
    }
}

/// Checks that a manifest can be played with a book.
///
/// # Errors
/// The first reason why it cannot.
pub fn check(manifest: &Manifest, book: &Book) -> Result<(), RunError> {
    admit(manifest)?;
    with_game!(manifest.game()?, manifest.boards, G => check_game::<G>(manifest, book))
}

fn check_game<G: Seats>(manifest: &Manifest, book: &Book) -> Result<(), RunError> {
    contenders::<G>(manifest)?;
    let first: G = manifest.first()?;
    book.check(manifest, &first)?;
    Openings::new(first, &manifest.openings, book, manifest.seed)?.of(0)?;
    Ok(())
}

/// The players, if all of them play this game.
fn contenders<G: Seats>(manifest: &Manifest) -> Result<Vec<Contender>, ManifestError> {
    let contenders = manifest.contenders()?;
    for contender in &contenders {
        if let Contender::BuiltIn(spec) = contender {
            G::seat(*spec).map_err(ManifestError::Players)?;
        }
    }
    Ok(contenders)
}

/// Checks that this program may continue a run. Under other laws the same seed would give other games.
///
/// # Errors
/// An inconsistent manifest, or one made under other laws.
pub fn admit(manifest: &Manifest) -> Result<(), RunError> {
    manifest.check()?;
    let [theirs, ours] = [manifest.origin(), manifest.origin_today()?].map(Box::new);
    if theirs.has_laws_of(&ours) {
        Ok(())
    } else {
        Err(RunError::OtherOrigin { theirs, ours })
    }
}

impl Batch<'_> {
    /// Plays all games from number `from` on except those in `before`, several at a time, and delivers all of them in
    /// order.
    ///
    /// # Errors
    /// Why it stopped; games delivered before that remain valid.
    pub fn run(
        &self,
        from: u64,
        before: BTreeMap<u64, Done>,
        keeper: &mut dyn Keeper,
    ) -> Result<Over, RunError> {
        let manifest = &self.header.manifest;
        admit(manifest)?;
        with_game!(manifest.game()?, manifest.boards, G => self.run_game::<G>(from, before, keeper))
    }

    fn run_game<G: Seats>(
        &self,
        from: u64,
        before: BTreeMap<u64, Done>,
        keeper: &mut dyn Keeper,
    ) -> Result<Over, RunError> {
        let manifest = &self.header.manifest;
        let contenders = contenders::<G>(manifest)?;
        let first: G = manifest.first()?;
        let openings = Openings::new(first, &manifest.openings, self.book, manifest.seed)?;
        let games = from..self.header.games().end;
        let threads = self.pool.current_num_threads();
        let queue = BatchQueue::new(
            manifest,
            (contenders, self.engines),
            openings,
            games,
            &before,
            threads,
        );
        let over = self.pool.in_place_scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for thread in 0..threads {
                let (sender, queue) = (sender.clone(), &queue);
                scope.spawn(move |_| queue.work(thread, &sender));
            }
            drop(sender);
            queue.hand_over(&receiver, before, keeper)
        })?;
        queue.why_stopped().map_or(Ok(over), |why| Err(why.into()))
    }
}
