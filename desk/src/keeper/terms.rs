//! How a desk is kept, beside the record itself.

use super::{Commanders, Comments};
use serde::{Deserialize, Serialize};

/// How a desk is kept, beside the record itself; what is left out is as usual, or as it was agreed before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DeskTerms {
    /// Milliseconds at the beginning of each move that are not taken from the clock; as usual none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<u64>,
    /// Whether each game inside has clocks of its own; as usual each team has one clock for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_for_each_game: Option<bool>,
    /// The playing time after which a game that counts kings ends, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// What becomes of comments while the game goes on; as usual they are sealed where players have captains, and else
    /// open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments: Option<Comments>,
    /// How several Commanders of a side move; as usual whoever is first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commanders: Option<Commanders>,
}

impl DeskTerms {
    /// These terms, and where they say nothing the earlier ones.
    pub(super) fn after(self, earlier: Self) -> Self {
        Self {
            delay: self.delay.or(earlier.delay),
            clock_for_each_game: self.clock_for_each_game.or(earlier.clock_for_each_game),
            until: self.until.or(earlier.until),
            comments: self.comments.or(earlier.comments),
            commanders: self.commanders.or(earlier.commanders),
        }
    }
}
