//! What the regulations of an event choose, and how disputed articles are read.

use crate::team::Colour;
use serde::{Deserialize, Serialize};

/// The regulations of an event, as far as they concern its pairings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The default regulations of an event of so many rounds.
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
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// Points of matches.
    #[default]
    MatchPoints,
    /// Points of games, or kings.
    GamePoints,
}

/// A kind of colour preference (1.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// How disputed articles are read. The defaults are what the text says most plainly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Readings {
    /// R1.
    pub last_round_repeat: LastRoundRepeat,
    /// R6.
    pub next_bracket: NextBracket,
    /// R8.
    pub float_score: FloatScore,
    /// G1.
    pub seating: Seating,
}

/// R1: Type B, last round, as many Whites as Blacks, the last two matches of one colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LastRoundRepeat {
    /// The preference is strong.
    #[default]
    Strong,
    /// There is none.
    None,
}

/// R6: when the next bracket satisfies \[C6\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NextBracket {
    /// It needs no upfloater if even and one if odd; all other sets are alike.
    #[default]
    Parity,
    /// The fewer upfloaters it needs, the better.
    Graded,
}

/// R8: by which score of the previous round a team was a floater, under acceleration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FloatScore {
    /// The score that round was paired by, virtual points included.
    #[default]
    Pairing,
    /// The score without virtual points.
    Standings,
}

/// G1: the order of the members of a bracket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seating {
    /// By pairing number, as the text says (3.6.1).
    #[default]
    Tpn,
    /// By score, then by pairing number, as one well-known program does.
    ScoreThenTpn,
}

impl Readings {
    /// Each reading: its letter and number, and what was chosen.
    pub fn words(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let repeat = match self.last_round_repeat {
            LastRoundRepeat::Strong => {
                "two matches of one colour make a strong preference in the last round too"
            }
            LastRoundRepeat::None => "no preference in the last round if the colours are balanced",
        };
        let next = match self.next_bracket {
            NextBracket::Parity => {
                "[C6] is kept or not kept: the next bracket needs no upfloater, or one if odd"
            }
            NextBracket::Graded => "[C6] wants as few upfloaters in the next bracket as possible",
        };
        let float = match self.float_score {
            FloatScore::Pairing => "floaters are told by the scores that round was paired by",
            FloatScore::Standings => "floaters are told by the scores without virtual points",
        };
        let seating = match self.seating {
            Seating::Tpn => "members of a bracket stand in the order of their numbers",
            Seating::ScoreThenTpn => "members of a bracket stand in the order of their scores, then numbers",
        };
        [("R1", repeat), ("R6", next), ("R8", float), ("G1", seating)].into_iter()
    }
}
