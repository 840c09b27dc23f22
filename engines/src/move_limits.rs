//! Limits on a player while it chooses: a clock, a depth, a signal to move now.

use crate::{lock, players::Thought};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, Thread},
    time::{Duration, Instant},
};

/// Receives a player's intermediate evaluations and best ply, in coordinates of the board that it considers.
pub type Listener = Box<dyn Fn(Thought, &str) + Send + Sync>;

/// The limits of one choice. They may be tightened while a player chooses.
pub struct MoveLimits {
    begun: Instant,
    /// Nanoseconds after the start at which the choice is due; the largest number means never.
    until: AtomicU64,
    is_over: AtomicBool,
    /// Whether the answer is held back until the signal comes (`go infinite`).
    is_held: AtomicBool,
    depth: Option<u32>,
    nodes: Option<u64>,
    listener: Option<Listener>,
    /// The thread that waits for the signal.
    waiting: Mutex<Option<Thread>>,
}

/// The limits of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// The time.
    pub time: Option<Duration>,
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// Whether the answer is held back until the signal comes.
    pub held: bool,
}

impl Default for MoveLimits {
    /// No limits.
    fn default() -> Self {
        Self::of(Bounds::default(), None)
    }
}

impl MoveLimits {
    /// These limits, starting now.
    #[must_use]
    pub fn of(bounds: Bounds, listener: Option<Listener>) -> Self {
        let limits = Self {
            begun: Instant::now(),
            until: AtomicU64::new(u64::MAX),
            is_over: AtomicBool::new(false),
            is_held: AtomicBool::new(bounds.held),
            depth: bounds.depth,
            nodes: bounds.nodes,
            listener,
            waiting: Mutex::new(None),
        };
        if let Some(time) = bounds.time {
            limits.allow(time);
        }
        limits
    }

    /// The choice is due after this time from now, and is no longer held back.
    pub fn allow(&self, time: Duration) {
        self.until.store(self.in_nanos(time), Ordering::Relaxed);
        self.release();
    }

    /// The choice is due after this time from now, if not earlier.
    pub fn hurry(&self, time: Duration) {
        self.until.fetch_min(self.in_nanos(time), Ordering::Relaxed);
    }

    /// The moment that comes after this time from now, as nanoseconds after the start.
    fn in_nanos(&self, time: Duration) -> u64 {
        let until = self.begun.elapsed().saturating_add(time).as_nanos();
        u64::try_from(until).unwrap_or(u64::MAX)
    }

    /// The answer is no longer held back.
    pub fn release(&self) {
        self.is_held.store(false, Ordering::Relaxed);
        if let Some(thread) = &*lock(&self.waiting) {
            thread.unpark();
        }
    }

    /// Ends the choice.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.release();
    }

    /// Whether the choice must end.
    #[must_use]
    pub fn is_over(&self) -> bool {
        if self.is_over.load(Ordering::Relaxed) {
            return true;
        }
        let until = self.until.load(Ordering::Relaxed);
        until < u64::MAX && self.begun.elapsed().as_nanos() >= u128::from(until)
    }

    /// Waits until the answer is no longer held back.
    pub fn wait(&self) {
        *lock(&self.waiting) = Some(thread::current());
        while self.is_held() {
            thread::park();
        }
    }

    /// Whether the answer is held back.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.is_held.load(Ordering::Relaxed)
    }

    /// The greatest depth, given the player's own limit.
    #[must_use]
    pub fn depth(&self, own: u32) -> u32 {
        self.depth.map_or(own, |depth| depth.clamp(1, own))
    }

    /// The most nodes, given the player's own limit.
    #[must_use]
    pub fn nodes(&self, own: u64) -> u64 {
        self.nodes.map_or(own, |nodes| nodes.clamp(1, own))
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Reports the evaluation of a player to the listener, if there is one.
    pub fn report(&self, thought: Thought, best: impl FnOnce() -> String) {
        if let Some(listener) = &self.listener {
            listener(
                Thought {
                    time: Some(self.elapsed().as_secs_f64()),
                    ..thought
                },
                &best(),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_choice_is_due_by_the_clock_or_by_a_word() {
        let limits = MoveLimits::of(
            Bounds {
                time: Some(Duration::from_millis(5)),
                ..Bounds::default()
            },
            None,
        );
        assert!(!limits.is_held());
        thread::sleep(Duration::from_millis(6));
        assert!(limits.is_over());
        let limits = MoveLimits::of(Bounds::default(), None);
        limits.hurry(Duration::from_secs(9));
        assert!(!limits.is_over());
        limits.end();
        assert!(limits.is_over());
        assert_eq!((limits.depth(9), limits.nodes(7)), (9, 7));
    }

    #[test]
    fn an_answer_that_is_kept_back_waits_for_the_word() {
        for word in [MoveLimits::end, |limits: &MoveLimits| {
            limits.allow(Duration::ZERO);
        }] {
            let limits = Arc::new(MoveLimits::of(
                Bounds {
                    held: true,
                    ..Bounds::default()
                },
                None,
            ));
            let held = Arc::clone(&limits);
            let waiting = thread::spawn(move || held.wait());
            thread::sleep(Duration::from_millis(2));
            assert!(!waiting.is_finished());
            word(&limits);
            waiting.join().unwrap();
            assert!(limits.is_over());
        }
    }
}
