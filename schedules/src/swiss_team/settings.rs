//! What the regulations of an event choose.

use super::readings::Readings;
use crate::team::Colour;
use serde::{Deserialize, Serialize};

/// The regulations of an event, as far as they concern its pairings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settings {
    /// The number of rounds declared beforehand.
    pub rounds: u16,
    /// The primary score (1.2).
    #[serde(default)]
    pub primary: Score,
    /// Whether the other score decides who is the first team of a pair (4.2.2).
    #[serde(default = "yes")]
    pub secondary: bool,
    /// The kind of colour preference (1.7).
    #[serde(default)]
    pub preference: PreferenceType,
    /// The initial colour drawn by lot (4.1).
    #[serde(default = "white")]
    pub initial: Colour,
    /// How disputed articles are read.
    #[serde(default)]
    pub readings: Readings,
}

const fn yes() -> bool {
    true
}

const fn white() -> Colour {
    Colour::White
}

impl Settings {
    /// The default regulations for an event of `rounds` rounds.
    #[must_use]
    pub fn new(rounds: u16) -> Self {
        Self {
            rounds,
            primary: Score::MatchPoints,
            secondary: true,
            preference: PreferenceType::A,
            initial: Colour::White,
            readings: Readings::default(),
        }
    }

    /// Whether match points come first.
    #[must_use]
    pub fn primary_is_match_points(&self) -> bool {
        self.primary == Score::MatchPoints
    }
}

/// A kind of score (1.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// Points for matches.
    #[default]
    MatchPoints,
    /// Points for games, or kings.
    GamePoints,
}

/// A kind of colour preference (1.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PreferenceType {
    /// Type A: simple preferences.
    #[default]
    A,
    /// Type B: strong and mild preferences.
    B,
    /// No preferences.
    None,
}
