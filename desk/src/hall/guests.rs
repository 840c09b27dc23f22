//! Who may come in, and what they may do and see.

use super::Key;
use crate::lines::{Sent, ToDesk};
use overboard_rules::square::Side;
use serde_json::json;
use std::sync::{PoisonError, RwLock};

/// Somebody with a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guest {
    /// May do and see everything.
    Arbiter,
    /// A player, a captain or a Commander, by name as the record has it: does what is theirs.
    Player {
        /// The name.
        name: String,
        /// The side.
        side: Side,
    },
    /// Looks on.
    Spectator,
}

/// What people see: a side's instructions are for its own players until the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eyes {
    /// All of it.
    Arbiter,
    /// What this side may know.
    Of(Side),
    /// What both sides may know.
    Spectator,
}

impl Eyes {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Arbiter,
        Self::Of(Side::White),
        Self::Of(Side::Black),
        Self::Spectator,
    ];

    /// Their place in [`Self::ALL`].
    pub(super) const fn index(self) -> usize {
        match self {
            Self::Arbiter => 0,
            Self::Of(Side::White) => 1,
            Self::Of(Side::Black) => 2,
            Self::Spectator => 3,
        }
    }

    /// Whether they may see what is for this side alone.
    #[must_use]
    pub fn see(self, side: Side) -> bool {
        self == Self::Arbiter || self == Self::Of(side)
    }
}

impl Guest {
    pub(super) const fn eyes(&self) -> Eyes {
        match self {
            Self::Arbiter => Eyes::Arbiter,
            Self::Player { side, .. } => Eyes::Of(*side),
            Self::Spectator => Eyes::Spectator,
        }
    }

    /// What a page hears first: whose it is.
    pub(super) fn introduced(&self) -> String {
        let you = match self {
            Self::Arbiter => json!({"role": "arbiter"}),
            Self::Player { name, side } => {
                json!({"role": "player", "name": name, "side": side.to_string()})
            }
            Self::Spectator => json!({"role": "spectator"}),
        };
        format!("{}\n", json!({ "you": you }))
    }

    /// A message as this person may send it, or why not. A player speaks for nobody else.
    pub(super) fn send(&self, sent: Sent) -> Result<Sent, &'static str> {
        let is_question = is_question(&sent.message);
        match (self, &sent.message) {
            (_, ToDesk::Quit) => Err("a desk is ended where it was begun"),
            (Self::Arbiter, _) => Ok(sent),
            (_, ToDesk::Text | ToDesk::Check) => Err("only the arbiter may ask this"),
            (Self::Player { name, .. }, message) => Ok(Sent {
                by: Some(name.clone()),
                message: message.clone(),
            }),
            (Self::Spectator, _) if is_question => Ok(sent),
            (Self::Spectator, _) => Err("this link is for looking on"),
        }
    }
}

/// Whether a message changes nothing.
pub(super) const fn is_question(message: &ToDesk) -> bool {
    match message {
        ToDesk::Hello
        | ToDesk::Ping(_)
        | ToDesk::Position
        | ToDesk::Legal(_)
        | ToDesk::Due
        | ToDesk::Clocks
        | ToDesk::Text
        | ToDesk::Check => true,
        ToDesk::Over(verdict) => verdict.result.is_none(),
        _ => false,
    }
}

/// Everybody who may come in, by their tokens.
pub(super) struct Guests {
    key: Key,
    known: RwLock<Vec<(String, Guest)>>,
}

impl Guests {
    /// Nobody but the arbiter and spectators.
    pub(super) fn of(key: Key) -> Self {
        let this = Self {
            key,
            known: RwLock::default(),
        };
        this.admit(Vec::new());
        this
    }

    pub(super) fn token(&self, guest: &Guest) -> String {
        self.key.token(guest)
    }

    pub(super) fn admit(&self, players: Vec<Guest>) {
        let mut all = vec![Guest::Arbiter, Guest::Spectator];
        all.extend(players);
        let all = all.into_iter().map(|guest| (self.token(&guest), guest));
        let all = all.collect();
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = all;
    }

    /// Whose token this is.
    pub(super) fn find(&self, token: &str) -> Option<Guest> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|(own, _)| is_same(own, token));
        found.map(|(_, guest)| guest.clone())
    }
}

/// Whether two tokens are the same, in a time that does not say how much of them is.
fn is_same(own: &str, token: &str) -> bool {
    let differ = |differs, (one, other): (u8, u8)| differs | (one ^ other);
    own.len() == token.len() && own.bytes().zip(token.bytes()).fold(0, differ) == 0
}
