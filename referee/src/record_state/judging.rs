//! How far a record is judged.

use overboard_rules::outcome::Cause;

/// Whether the moves of a record are judged, and from where on they are not.
pub struct Judging {
    on: bool,
    /// Whether the moves have begun.
    begun: bool,
    /// The number of the first move that was not judged, as it is written.
    unjudged_from: Option<String>,
    /// Whether notation of another game was found: later words may belong to that game, too.
    speaks_otherwise: bool,
    /// How the game had ended, at the first act after its end.
    played_past: Option<Cause>,
}

impl Default for Judging {
    fn default() -> Self {
        Self {
            on: true,
            begun: false,
            unjudged_from: None,
            speaks_otherwise: false,
            played_past: None,
        }
    }
}

impl Judging {
    /// Whether moves are judged: not in a game whose rules or whose first position cannot be used.
    #[inline]
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.on
    }

    /// Nothing is judged from here on.
    pub const fn stop(&mut self) {
        self.on = false;
    }

    /// Judging goes on after all.
    pub const fn go_on(&mut self) {
        self.on = true;
    }

    /// Whether the moves have begun, and the tags have been read.
    #[inline]
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        self.begun
    }

    /// The moves begin.
    pub const fn begin(&mut self) {
        self.begun = true;
    }

    /// The record is over.
    pub const fn end(&mut self) {
        self.begun = false;
    }

    /// The number of the first move that was not judged, as it is written.
    #[must_use]
    pub fn unjudged_from(&self) -> Option<&str> {
        self.unjudged_from.as_deref()
    }

    /// The move with this number is the first that is not judged.
    pub fn leave_from(&mut self, number: String) {
        self.unjudged_from.get_or_insert(number);
    }

    /// What was not judged is known after all. Returns the number of the first such move.
    pub const fn resume(&mut self) -> Option<String> {
        self.unjudged_from.take()
    }

    /// Whether notation of another game was found.
    #[must_use]
    pub const fn speaks_otherwise(&self) -> bool {
        self.speaks_otherwise
    }

    /// Notation of another game was found.
    pub const fn speak_otherwise(&mut self) {
        self.speaks_otherwise = true;
    }

    /// How the game had ended, at the first act after its end.
    #[must_use]
    pub const fn played_past(&self) -> Option<Cause> {
        self.played_past
    }

    /// An act comes after the game ended so.
    pub fn play_past(&mut self, cause: Cause) {
        self.played_past.get_or_insert(cause);
    }
}
