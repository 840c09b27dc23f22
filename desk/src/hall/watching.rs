//! Telling each screen what has changed. A screen that is slow misses steps, and then gets the whole: nothing piles up.

use super::{Eyes, Guest, MOST_LISTENERS, Shown};
use http_body_util::channel::Sender;
use hyper::body::Bytes;
use overboard_engines::lock;
use std::{
    convert::Infallible,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::watch,
    time::{Instant, timeout},
};

/// How often a screen hears that the hall is still there.
const BEAT: Duration = Duration::from_secs(15);
/// How long a connection lives on which nothing happens.
const LIFE: Duration = Duration::from_secs(60);

/// When a connection ends unless something happens on it.
pub(super) struct Life(Mutex<Instant>);

impl Default for Life {
    fn default() -> Self {
        Self(Mutex::new(Instant::now() + LIFE))
    }
}

impl Life {
    pub(super) fn end(&self) -> Instant {
        *lock(&self.0)
    }

    pub(super) fn go_on(&self) {
        *lock(&self.0) = Instant::now() + LIFE;
    }
}

/// A state of the game as it is sent.
#[derive(Default)]
struct State {
    number: u64,
    shown: Shown,
    /// For those who have no state, once there are any.
    whole: OnceLock<Bytes>,
    /// For those who have the state before this one.
    since: Bytes,
}

impl State {
    fn whole(&self) -> Bytes {
        let whole = || self.shown.whole().into();
        self.whole.get_or_init(whole).clone()
    }
}

/// What those with each kind of eyes see, and how many look.
pub(super) struct Watching {
    states: [watch::Sender<Arc<State>>; Eyes::ALL.len()],
    listeners: AtomicUsize,
}

impl Default for Watching {
    fn default() -> Self {
        Self {
            states: Eyes::ALL.map(|_| watch::Sender::default()),
            listeners: AtomicUsize::new(0),
        }
    }
}

impl Watching {
    pub(super) fn show(&self, eyes: Eyes, shown: Shown) {
        let sender = &self.states[eyes.index()];
        let before = Arc::clone(&sender.borrow());
        if before.number > 0 && before.shown == shown {
            return;
        }
        // Whoever comes now gets the whole.
        let since = match sender.receiver_count() {
            0 => Bytes::new(),
            _ => shown.since(&before.shown).into(),
        };
        sender.send_replace(Arc::new(State {
            number: before.number + 1,
            whole: OnceLock::new(),
            since,
            shown,
        }));
    }

    /// A place for one more listener, if there is one.
    pub(super) fn enter(self: &Arc<Self>) -> Option<Listener> {
        let places = |listeners| (listeners < MOST_LISTENERS).then_some(listeners + 1);
        let entered = self
            .listeners
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, places);
        entered.ok().map(|_| Listener(Arc::clone(self)))
    }
}

/// The place of a listener, which is free again when it is dropped.
pub(super) struct Listener(Arc<Watching>);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.listeners.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Listener {
    /// Sends each state until the screen has gone, or does not take them any more.
    pub(super) async fn follow(
        self,
        guest: Guest,
        mut to: Sender<Bytes, Infallible>,
        life: Arc<Life>,
    ) {
        let mut states = self.0.states[guest.eyes().index()].subscribe();
        states.mark_changed();
        if to.send_data(guest.introduced().into()).await.is_err() {
            return;
        }
        let mut last = 0;
        loop {
            let line = match timeout(BEAT, states.changed()).await {
                Ok(Ok(())) => {
                    let state = Arc::clone(&states.borrow_and_update());
                    let is_next = last > 0 && state.number == last + 1;
                    last = state.number;
                    match (last, is_next) {
                        (0, _) => continue,
                        (_, true) => state.since.clone(),
                        (_, false) => state.whole(),
                    }
                }
                Ok(Err(_)) => return,
                Err(_) => Bytes::from_static(b"\n"),
            };
            let sent = timeout(LIFE, to.send_data(line)).await;
            let Ok(Ok(())) = sent else {
                return;
            };
            life.go_on();
        }
    }
}
