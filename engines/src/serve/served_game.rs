//! A client's game: its position, and the player that is choosing.

use super::client_game::{Chosen, ServeClient};
use crate::move_limits::MoveLimits;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// How long to wait for an answer if no signal can end the choice.
const PATIENCE: Duration = Duration::from_secs(60);
/// The same after the end of the input, which a script may have written beforehand.
const LAST_PATIENCE: Duration = Duration::from_secs(2);

/// A game of any kind, as a server holds it.
pub(super) type ClientGame = Box<dyn ServeClient>;

/// The client's game, if one has begun.
#[derive(Default)]
pub(super) struct ServedGame {
    client_game: Option<ClientGame>,
    choosing: Option<Choosing>,
}

/// A choice in progress. Its thread holds the game.
struct Choosing {
    limits: Arc<MoveLimits>,
    /// Whether the answer is being given, or has been.
    answers: Arc<AtomicBool>,
    thread: JoinHandle<ClientGame>,
}

impl ServedGame {
    /// Starts another game.
    pub(super) fn begin(&mut self, client_game: ClientGame) {
        self.stop();
        self.client_game = Some(client_game);
    }

    /// Whether a choice is in progress.
    pub(super) fn is_choosing(&mut self) -> bool {
        let is = self
            .choosing
            .as_ref()
            .is_some_and(|choosing| !choosing.answers.load(Ordering::Acquire));
        if !is {
            self.await_answer();
        }
        is
    }

    /// The game; `None` before the first one, and while a choice is in progress.
    pub(super) fn client_game(&mut self) -> Option<&mut dyn ServeClient> {
        if self.is_choosing() {
            return None;
        }
        Some(&mut **self.client_game.as_mut()?)
    }

    /// Lets the player choose within the limits in a thread of its own, and hands the choice over, if there is a game.
    pub(super) fn choose(
        &mut self,
        limits: Arc<MoveLimits>,
        answer: impl FnOnce(&mut dyn ServeClient, Option<Chosen>) + Send + 'static,
    ) {
        self.stop();
        let Some(mut client_game) = self.client_game.take() else {
            return;
        };
        let answers = Arc::new(AtomicBool::new(false));
        let (bound, answering) = (Arc::clone(&limits), Arc::clone(&answers));
        let thread = thread::spawn(move || {
            let chosen = client_game.choose(&bound);
            bound.wait();
            // A client that reads the answer may write at once; it then waits for the rest of this.
            answering.store(true, Ordering::Release);
            answer(&mut *client_game, chosen);
            client_game
        });
        self.choosing = Some(Choosing {
            limits,
            answers,
            thread,
        });
    }

    /// The limits of the choice in progress.
    pub(super) fn limits(&self) -> Option<&MoveLimits> {
        self.choosing.as_ref().map(|choosing| &*choosing.limits)
    }

    /// Makes the player answer at once, and waits for the answer.
    pub(super) fn stop(&mut self) {
        if let Some(limits) = self.limits() {
            limits.end();
        }
        self.await_answer();
    }

    /// Waits, up to a limit, for an answer that comes by itself; one that is held back is requested.
    pub(super) fn close(&mut self) {
        self.close_within(PATIENCE);
    }

    /// The same when the input has ended.
    pub(super) fn hang_up(&mut self) {
        self.close_within(LAST_PATIENCE);
    }

    fn close_within(&mut self, patience: Duration) {
        if let Some(limits) = self.limits() {
            if limits.is_held() {
                limits.end();
            } else {
                limits.hurry(patience);
            }
        }
        self.await_answer();
    }

    fn await_answer(&mut self) {
        if let Some(choosing) = self.choosing.take() {
            // A player that panicked has lost the game; the client gets a message that there is none.
            self.client_game = choosing.thread.join().ok();
        }
    }
}
