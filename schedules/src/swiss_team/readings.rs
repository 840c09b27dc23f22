//! Where the text of C.04.6 can be read in several ways, or is silent: the question, the default with its source,
//! and what else an event may choose.
//!
//! [`READINGS`] is the one list of them: explanations, the page on the Swiss system and `overboard explain` take their
//! words from it.

use serde::{Deserialize, Serialize};

/// How an event interprets what is disputed. The defaults are the plainest meaning of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub struct Readings {
    /// R1: the preference in the last round of a team with as many Whites as Blacks, if its last two matches were with
    /// one colour.
    pub last_round_repeat: LastRoundRepeat,
    /// R6: when the next bracket satisfies C6.
    pub next_bracket: NextBracket,
    /// R8: by which score of the previous round a team was a floater, under acceleration.
    pub float_score: FloatScore,
    /// G1: the order of the members of a bracket.
    pub seating: Seating,
    /// SW-1: whether a match that was paired but not played makes floaters.
    pub unplayed_floats: UnplayedFloats,
    /// SW-2: by which score the first team of a pair is determined, under acceleration.
    pub first_team: FirstTeam,
    /// SW-6: which number of a team is odd or even for the initial colour.
    pub numbering: Numbering,
}

/// R1: the preference of a team of Type B in the last round, if it has had as many Whites as Blacks and the last
/// two matches with one colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LastRoundRepeat {
    /// The preference is strong.
    #[default]
    Strong,
    /// There is no preference.
    None,
}

/// R6: when the next bracket satisfies C6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NextBracket {
    /// It needs no upfloater if even, or one if odd; sets that do not reach this are all alike.
    #[default]
    Parity,
    /// The fewer upfloaters it needs, the better.
    Graded,
}

/// R8: by which score of the previous round a team was a floater, under acceleration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Seating {
    /// By pairing number, as the text says (3.6.1).
    #[default]
    Tpn,
    /// By score, then by pairing number, as some programs do.
    ScoreThenTpn,
}

/// SW-1: whether a match that was paired but not played makes floaters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum UnplayedFloats {
    /// It does not.
    #[default]
    None,
    /// It does, as if it had been played.
    Floaters,
}

/// SW-2: by which score the first team of a pair is determined, under acceleration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FirstTeam {
    /// The score the round is paired by, virtual points included.
    #[default]
    Pairing,
    /// The score without virtual points.
    Standings,
}

/// SW-6: which number of a team is odd or even for the initial colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Numbering {
    /// Its place among the teams that have arrived.
    #[default]
    Arrived,
    /// Its pairing number.
    Tpn,
}

/// A possible interpretation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Interpretation")
)]
pub struct Choice {
    /// The value of the setting; only if there is a setting.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub value: &'static str,
    /// What it says.
    // A sentence without its full stop.
    #[serde(rename = "text")]
    pub words: &'static str,
}

/// A passage that can be read in several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Its id, such as `SW-1`.
    pub id: &'static str,
    /// The key below `swiss.readings`; `None` if nothing can be chosen.
    pub setting: Option<&'static str>,
    /// What the text leaves open.
    pub question: &'static str,
    /// The default.
    pub default: Choice,
    /// What else can be chosen; `None` if nothing can.
    pub other: Option<Choice>,
    /// What the default rests on.
    pub source: &'static str,
}

const fn choice(value: &'static str, words: &'static str) -> Choice {
    Choice { value, words }
}

/// A passage that leaves a gap, where nothing can be chosen.
const fn fixed(
    id: &'static str,
    question: &'static str,
    words: &'static str,
    source: &'static str,
) -> Reading {
    Reading {
        id,
        setting: None,
        question,
        default: choice("", words),
        other: None,
        source,
    }
}

/// All readings. Those that can be chosen come first, in the order of [`Readings`].
pub const READINGS: [Reading; 10] = [
    Reading {
        id: "R1",
        setting: Some("last-round-repeat"),
        question: "which preference a team of Type B has in the last round, with balanced colours and its last two matches of one colour",
        default: choice(
            "strong",
            "two matches of one colour make a strong preference in the last round too",
        ),
        other: Some(choice(
            "none",
            "no preference in the last round if the colours are balanced",
        )),
        source: "C.04.6, 1.7: of two cases that fit the strong one comes first; FIDE's own engine does so",
    },
    Reading {
        id: "R6",
        setting: Some("next-bracket"),
        question: "when [C6] is complied with",
        default: choice(
            "parity",
            "[C6] is complied with or not: the next bracket needs no upfloater, or one if odd",
        ),
        other: Some(choice(
            "graded",
            "[C6] wants as few upfloaters in the next bracket as possible",
        )),
        source: "C.04.6, 2.3.3: [C1], [C3] and [C4] are complied with or not; FIDE's own engine does so",
    },
    Reading {
        id: "R8",
        setting: Some("float-score"),
        question: "who was a floater, under acceleration",
        default: choice(
            "pairing",
            "floaters are determined by the scores from which that round was paired",
        ),
        other: Some(choice(
            "standings",
            "floaters are determined by the scores without virtual points",
        )),
        source: "C.04.7, 1.5: virtual points are part of the score a round is paired by",
    },
    Reading {
        id: "G1",
        setting: Some("seating"),
        question: "the order in a bracket",
        default: choice("tpn", "members of a bracket are ordered by pairing number"),
        other: Some(choice(
            "score-then-tpn",
            "members of a bracket are ordered by score, then by pairing number",
        )),
        source: "C.04.6, 3.6.1: the smaller number is the top member; some programs put the score first",
    },
    Reading {
        id: "SW-1",
        setting: Some("unplayed-floats"),
        question: "whether a match that was not played makes floaters",
        default: choice("none", "a match that was not played makes no floater"),
        other: Some(choice(
            "floaters",
            "a match that was not played makes floaters too",
        )),
        source: "C.04.6, 1.5: a floater is a team that plays an opponent with another score",
    },
    Reading {
        id: "SW-2",
        setting: Some("first-team"),
        question: "the first team of a pair (4.2), under acceleration",
        default: choice(
            "pairing",
            "the first team of a pair is the one with the higher score with virtual points",
        ),
        other: Some(choice(
            "standings",
            "the first team of a pair is the one with the higher score without virtual points",
        )),
        source: "C.04.7, 1.5: virtual points are part of the score a round is paired by, and 4.2 names no other",
    },
    Reading {
        id: "SW-6",
        setting: Some("numbering"),
        question: "which number is odd for the initial colour (4.3.1) where teams have not arrived yet",
        default: choice(
            "arrived",
            "4.3.1 counts the teams that have arrived, in the order of their numbers",
        ),
        other: Some(choice(
            "tpn",
            "4.3.1 takes a team's own number, whoever has not arrived",
        )),
        source: "C.04.2, 2.4: a team is considered when it arrives; so answered by FIDE's commission for pairings in August 2026, as reported",
    },
    fixed(
        "SW-3",
        "of which teams the following scoregroup of [C6] is made",
        "the following scoregroup of [C6] consists of the teams that are to be paired: a team with the bye is in no scoregroup",
        "C.04.6, 3.3.2: the bye is given before the first bracket is made",
    ),
    fixed(
        "SW-4",
        "when a criterion that asks for as few as possible is complied with",
        "a criterion that asks for as few as possible is complied with when the minimum is reached; the order of sets or pairings decides only then",
        "C.04.6, 3.5.5 and 3.6.4: the first that complies",
    ),
    fixed(
        "SW-5",
        "how identifiers are compared where members of a bracket are ordered by score (G1)",
        "where members of a bracket are ordered by score, identifiers are compared by their places and not by their numbers",
        "C.04.6, 3.6.2, for the order that G1 gives",
    ),
];

impl Reading {
    /// The reading with this id, in upper or lower case.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        READINGS
            .iter()
            .find(|reading| reading.id.eq_ignore_ascii_case(id))
    }

    /// What is done, why, and what else can be chosen, in a sentence each.
    pub fn sentences(&self) -> impl Iterator<Item = String> {
        let set = |choice: Choice| match self.setting {
            Some(setting) => format!(" (swiss.readings.{setting} = \"{}\")", choice.value),
            None => String::new(),
        };
        let default = format!("By default {}{}.", self.default.words, set(self.default));
        let other = self
            .other
            .map(|other| format!("Otherwise {}{}.", other.words, set(other)));
        [format!("The text leaves open {}.", self.question), default]
            .into_iter()
            .chain(other)
    }

    /// What an event has chosen here.
    #[must_use]
    pub fn chosen(&self, readings: Readings) -> Choice {
        match self.other {
            Some(other) if readings.takes_other(self.id) => other,
            _ => self.default,
        }
    }
}

impl Readings {
    /// Whether the reading with this id is not the default.
    fn takes_other(self, id: &str) -> bool {
        match id {
            "R1" => self.last_round_repeat == LastRoundRepeat::None,
            "R6" => self.next_bracket == NextBracket::Graded,
            "R8" => self.float_score == FloatScore::Standings,
            "G1" => self.seating == Seating::ScoreThenTpn,
            "SW-1" => self.unplayed_floats == UnplayedFloats::Floaters,
            "SW-2" => self.first_team == FirstTeam::Standings,
            "SW-6" => self.numbering == Numbering::Tpn,
            _ => false,
        }
    }
}
