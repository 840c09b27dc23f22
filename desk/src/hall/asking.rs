//! Passing on what is asked, each act once.

use super::{Guest, PATIENCE, guests::is_question};
use crate::lines::{FromDesk, Sent};
use hyper::body::Bytes;
use overboard_engines::lock;
use std::{collections::VecDeque, sync::Mutex};
use tokio::{sync::oneshot, time::timeout};

/// Something that somebody in the hall asks of the one who keeps the record.
pub struct Asked {
    /// The message, with the name of whoever may only do what is theirs.
    pub sent: Sent,
    /// Whose it is.
    pub guest: Guest,
    answer: oneshot::Sender<FromDesk>,
}

impl Asked {
    /// Whether it may change something.
    #[must_use]
    pub const fn is_act(&self) -> bool {
        !is_question(&self.sent.message)
    }

    /// Answers it.
    pub fn answer(self, answer: FromDesk) {
        // Whoever has gone away meanwhile sees what came of it when they come back.
        let _ = self.answer.send(answer);
    }
}

/// The place of an act among those of one page: which page, and which act.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Numbered {
    pub(super) page: String,
    pub(super) act: u64,
}

/// What became of an act.
pub(super) enum Outcome {
    /// The answer.
    Answered(Bytes),
    /// A later act of the same page has been answered, or this one is being done.
    Late,
    /// Nobody has answered in time.
    Silent,
}

/// The last act of each page, with its answer once there is one.
type Last = (Numbered, Option<Bytes>);

/// Who is asked, and what was asked last.
pub(super) struct Asking {
    hear: Box<dyn Fn(Asked) + Send + Sync>,
    last: Mutex<VecDeque<Last>>,
}

/// The pages whose last acts are remembered; of more, the oldest are forgotten.
const MOST_PAGES: usize = 1024;

impl Asking {
    pub(super) fn to(hear: Box<dyn Fn(Asked) + Send + Sync>) -> Self {
        Self {
            hear,
            last: Mutex::default(),
        }
    }

    /// Asks a question.
    pub(super) async fn ask(&self, guest: Guest, sent: Sent) -> Outcome {
        let (answer, answered) = oneshot::channel();
        (self.hear)(Asked {
            sent,
            guest,
            answer,
        });
        match timeout(PATIENCE, answered).await {
            Ok(Ok(answer)) => Outcome::Answered(json(&answer)),
            _ => Outcome::Silent,
        }
    }

    /// Has an act done, unless it has been: a request that comes twice is answered as the first time.
    pub(super) async fn act(&self, guest: Guest, sent: Sent, numbered: Numbered) -> Outcome {
        if let Some(outcome) = self.before(&numbered) {
            return outcome;
        }
        let outcome = self.ask(guest, sent).await;
        if let Outcome::Answered(answer) = &outcome {
            self.remember(&numbered, answer);
        }
        outcome
    }

    /// What became of an act that was asked for before; else it counts as begun.
    fn before(&self, numbered: &Numbered) -> Option<Outcome> {
        let mut last = lock(&self.last);
        let known = last
            .iter_mut()
            .find(|(known, _)| known.page == numbered.page);
        let Some((known, answer)) = known else {
            if last.len() == MOST_PAGES {
                last.pop_front();
            }
            last.push_back((numbered.clone(), None));
            return None;
        };
        if numbered.act > known.act {
            known.act = numbered.act;
            *answer = None;
            return None;
        }
        match answer {
            Some(answer) if numbered.act == known.act => Some(Outcome::Answered(answer.clone())),
            _ => Some(Outcome::Late),
        }
    }

    fn remember(&self, numbered: &Numbered, bytes: &Bytes) {
        let mut last = lock(&self.last);
        if let Some((_, answer)) = last.iter_mut().find(|(known, _)| known == numbered) {
            *answer = Some(bytes.clone());
        }
    }
}

/// An answer as it is sent.
pub(super) fn json(answer: &FromDesk) -> Bytes {
    // These messages can always be written.
    serde_json::to_vec(answer).unwrap_or_default().into()
}
