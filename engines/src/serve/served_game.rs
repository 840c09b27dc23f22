//! A client's game: its position, and the player choosing in it.

use super::sitting::{Chosen, Sit};
use crate::leash::Leash;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// The longest wait for an answer where no signal can end the choice.
const PATIENCE: Duration = Duration::from_secs(60);

/// A game of any type, as a server holds it.
pub(super) type Sitting = Box<dyn Sit>;

/// A game of a client's, if one has begun.
#[derive(Default)]
pub(super) struct ServedGame {
    sitting: Option<Sitting>,
    choosing: Option<Choosing>,
}

/// A choice in progress; its thread holds the game.
struct Choosing {
    leash: Arc<Leash>,
    /// Whether the answer is being given, or was.
    answers: Arc<AtomicBool>,
    thread: JoinHandle<Sitting>,
}

impl ServedGame {
    /// Begins another game.
    pub(super) fn begin(&mut self, sitting: Sitting) {
        self.stop();
        self.sitting = Some(sitting);
    }

    /// Whether somebody is choosing who has not answered yet.
    pub(super) fn is_choosing(&mut self) -> bool {
        let is = self.choosing.as_ref().is_some_and(|choosing| !choosing.answers.load(Ordering::Acquire));
        if !is {
            self.await_answer();
        }
        is
    }

    /// The game; none before the first one, and while somebody is choosing.
    pub(super) fn sitting(&mut self) -> Option<&mut dyn Sit> {
        if self.is_choosing() {
            return None;
        }
        Some(&mut **self.sitting.as_mut()?)
    }

    /// Lets the player choose within the leash and hands the choice over, in a thread of its own; returns whether there
    /// is a game to choose in.
    pub(super) fn choose(
        &mut self,
        leash: Arc<Leash>,
        answer: impl FnOnce(&mut dyn Sit, Option<Chosen>) + Send + 'static,
    ) -> bool {
        self.stop();
        let Some(mut sitting) = self.sitting.take() else { return false };
        let answers = Arc::new(AtomicBool::new(false));
        let (bound, answering) = (Arc::clone(&leash), Arc::clone(&answers));
        let thread = thread::spawn(move || {
            let chosen = sitting.choose(&bound);
            bound.wait();
            // A client that reads the answer may speak at once; then it waits for the rest of this.
            answering.store(true, Ordering::Release);
            answer(&mut *sitting, chosen);
            sitting
        });
        self.choosing = Some(Choosing { leash, answers, thread });
        true
    }

    /// The leash of whoever is choosing.
    pub(super) fn leash(&self) -> Option<&Leash> {
        self.choosing.as_ref().map(|choosing| &*choosing.leash)
    }

    /// Lets whoever is choosing answer at once, and waits for it.
    pub(super) fn stop(&mut self) {
        if let Some(leash) = self.leash() {
            leash.end();
        }
        self.await_answer();
    }

    /// Waits, with a limit, for an answer that comes by itself; a held one is requested.
    pub(super) fn close(&mut self) {
        if let Some(leash) = self.leash() {
            if leash.is_held() { leash.end() } else { leash.hurry(PATIENCE) }
        }
        self.await_answer();
    }

    fn await_answer(&mut self) {
        if let Some(choosing) = self.choosing.take() {
            // A player that panicked takes the game along: the client gets a message that there is none.
            self.sitting = choosing.thread.join().ok();
        }
    }
}
