//! Tie-breaks of FIDE's tie-break regulations (C.07), and their values.

mod boards;
mod direct;
mod own;
pub mod rating;
mod sums;

pub use direct::order;
pub use sums::Term;

use crate::{
    points::{Points, Ratio},
    tournament::{Edition, Score, Tournament},
};
use serde::Serialize;
use std::{cmp::Ordering, fmt, str::FromStr};

macro_rules! codes {
    ($($name:ident $text:literal $article:literal $gist:literal;)+) => {
        /// A tie-break, by the code that TRF record 202 writes.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Code { $(#[doc = $gist] $name,)+ }

        impl Code {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Its code, such as `BH`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// The article of C.07 that defines it; empty for our own.
            #[must_use]
            pub const fn article(self) -> &'static str {
                match self { $(Self::$name => $article,)+ }
            }

            /// What it is, in a few words.
            #[must_use]
            pub const fn gist(self) -> &'static str {
                match self { $(Self::$name => $gist,)+ }
            }
        }
    };
}

codes! {
    Points "PTS" "4" "points of the primary score";
    MatchPoints "MPTS" "11.1" "match points";
    GamePoints "GPTS" "11.1" "game points";
    DirectEncounter "DE" "6" "points against those who are tied";
    Wins "WIN" "7.1" "rounds with the points of a win";
    Won "WON" "7.2" "games won over the board";
    BlackPlayed "BPG" "7.3" "games played with Black";
    BlackWon "BWG" "7.4" "games won with Black";
    Progressive "PS" "7.5" "sum of the scores after each round";
    Elected "REP" "7.6" "rounds that the player elected to play";
    Standard "STD" "7.7" "rounds with more points than the opponent";
    Number "TPN" "7.8" "pairing number";
    Buchholz "BH" "8.1" "sum of the opponents' scores";
    AverageBuchholz "AOB" "8.2" "mean Buchholz of the opponents";
    ForeBuchholz "FB" "8.3" "Buchholz with draws in the last round";
    SonnebornBerger "SB" "9.1" "opponents' scores times the points against them";
    Koya "KS" "9.2" "points against those who have at least half of the possible ones";
    AverageRating "ARO" "10.1" "mean rating of the opponents";
    Performance "TPR" "10.2" "tournament performance rating";
    PerfectPerformance "PTP" "10.3" "lowest rating for which the score is expected";
    AveragePerformance "APRO" "10.4" "mean performance rating of the opponents";
    AveragePerfect "APPO" "10.5" "mean perfect performance of the opponents";
    Rating "RTNG" "10.6" "rating";
    BoardCount "BC" "12.1" "board numbers times the points on them, lower first";
    TopBoards "TBR" "12.2" "points on board 1, then on board 2";
    BottomBoards "BBE" "12.3" "points without the last board, then without the last two";
    OtherScore "MPVGP" "13.1" "the secondary score";
    EmmSb "EMMSB" "13.2" "opponents' match points times match points against them";
    EmgSb "EMGSB" "13.2" "opponents' match points times game points against them";
    EgmSb "EGMSB" "13.2" "opponents' game points times match points against them";
    EggSb "EGGSB" "13.2" "opponents' game points times game points against them";
    ExtendedDirect "EDE" "13.3" "points against those who are tied: by the primary score, then by the secondary one";
    DirectBoardTop "EDEBT" "13.3" "EDE, then BC and TBR of the match of two";
    DirectBoardBottom "EDEBB" "13.3" "EDE, then BC and BBE of the match of two";
    DirectTop "EDET" "13.3" "EDE, then TBR of the match of two";
    DirectBottom "EDEB" "13.3" "EDE, then BBE of the match of two";
    Strength "SSSC" "13.4" "the secondary score and the Buchholz of the primary one, weighted";
    Kings "OTHER_KINGS" "" "own kings left, summed over all matches";
    KingDifference "OTHER_KINGDIFF" "" "own kings left less the opponents'";
    KingsCut "OTHER_KINGSCUT1" "" "own kings left without the match with the fewest";
    SubWins "OTHER_SUBWINS" "" "sub-games won";
}

/// Which terms of a sum are left out (article 14).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    /// So many of the least.
    pub least: u32,
    /// So many of the greatest.
    pub most: u32,
}

/// A tie-break with its modifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TieBreak {
    /// The tie-break without modifiers.
    pub code: Code,
    /// The score that it is computed from, if given.
    pub score: Option<Score>,
    /// `/C1`, `/M1`: what is left out.
    pub cut: Cut,
    /// `/L+1`: by how many half points the limit of KS is moved.
    pub limit: i32,
    /// `/K3`: the factor of SSSC.
    pub factor: Option<u32>,
    /// `/P`: forfeits count as if they had been played.
    pub forfeits: bool,
    /// `/F`: Fore Buchholz where Buchholz is used.
    pub fore: bool,
    /// `/R`: the order is reversed.
    pub reverse: bool,
}

/// Why a text is not a tie-break.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TieBreakError {
    /// The name is unknown.
    #[error("unknown tie-break `{0}`; expected one of {names}", names = names())]
    Unknown(String),
    /// The modifier is unknown.
    #[error("unknown modifier `{0}`; expected C1, C2, M1, M2, L+1, L-1, K3, P, F or R")]
    Modifier(String),
    /// The tie-break does not take this modifier.
    #[error("{code} cannot have /{modifier}")]
    Unfit {
        /// The tie-break.
        code: &'static str,
        /// The modifier.
        modifier: String,
    },
    /// The score is neither match points nor game points.
    #[error("expected MP or GP, found `{0}`")]
    Score(String),
}

fn names() -> String {
    Code::ALL
        .iter()
        .map(|code| code.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

impl From<Code> for TieBreak {
    fn from(code: Code) -> Self {
        Self {
            code,
            score: None,
            cut: Cut::default(),
            limit: 0,
            factor: None,
            forfeits: false,
            fore: false,
            reverse: false,
        }
    }
}

impl FromStr for TieBreak {
    type Err = TieBreakError;

    fn from_str(text: &str) -> Result<Self, TieBreakError> {
        let mut parts = text.trim().split('/');
        let head = parts.next().unwrap_or_default();
        let (name, score) = match head.split_once(':') {
            Some((name, score)) => (name, Some(score)),
            None => (head, None),
        };
        let code = Code::ALL
            .iter()
            .find(|code| code.as_str().eq_ignore_ascii_case(name.trim()));
        let short = |text: &str| text.chars().take(30).collect::<String>();
        let mut this = Self::from(*code.ok_or_else(|| TieBreakError::Unknown(short(name)))?);
        this.score = match score.map(str::to_ascii_uppercase).as_deref() {
            None => None,
            Some("MP") => Some(Score::Match),
            Some("GP") => Some(Score::Game),
            Some(other) => return Err(TieBreakError::Score(short(other))),
        };
        for modifier in parts {
            this.modify(modifier)?;
        }
        Ok(this)
    }
}

impl TieBreak {
    fn modify(&mut self, text: &str) -> Result<(), TieBreakError> {
        use Code as C;
        let none = || TieBreakError::Modifier(text.chars().take(30).collect());
        let modifier = text.trim().to_ascii_uppercase();
        let mut letters = modifier.chars();
        let (kind, rest) = (letters.next().ok_or_else(none)?, letters.as_str());
        let number = || {
            rest.parse::<u32>()
                .ok()
                .filter(|number| (1..=99).contains(number))
                .ok_or_else(none)
        };
        let fits = match kind {
            'C' | 'M' => {
                let many = number()?;
                self.cut = Cut {
                    least: many,
                    most: if kind == 'M' { many } else { 0 },
                };
                self.is_sum()
            }
            'L' => {
                self.limit = rest.parse().map_err(|_| none())?;
                self.code == C::Koya && self.limit.abs() <= 1000
            }
            'K' => {
                self.factor = Some(number()?);
                self.code == C::Strength
            }
            'P' if rest.is_empty() => {
                self.forfeits = true;
                true
            }
            'F' if rest.is_empty() => {
                self.fore = true;
                matches!(
                    self.code,
                    C::Buchholz | C::AverageBuchholz | C::ForeBuchholz | C::Strength
                )
            }
            'R' if rest.is_empty() => {
                self.reverse = true;
                true
            }
            _ => return Err(none()),
        };
        if fits {
            Ok(())
        } else {
            Err(TieBreakError::Unfit {
                code: self.code.as_str(),
                modifier,
            })
        }
    }

    /// Whether it is a sum, from which terms can be cut (14).
    const fn is_sum(&self) -> bool {
        use Code as C;
        matches!(
            self.code,
            C::Buchholz
                | C::ForeBuchholz
                | C::SonnebornBerger
                | C::Progressive
                | C::AverageRating
                | C::EmmSb
                | C::EmgSb
                | C::EgmSb
                | C::EggSb
                | C::Strength
                | C::AverageBuchholz
        )
    }

    /// The score that it is computed from.
    #[must_use]
    pub fn on(&self, field: &Tournament) -> Score {
        self.score.unwrap_or(field.primary)
    }

    /// Whether it depends on who is tied (type A of 4.3).
    #[must_use]
    pub const fn is_among_tied(&self) -> bool {
        use Code as C;
        matches!(
            self.code,
            C::DirectEncounter
                | C::ExtendedDirect
                | C::DirectBoardTop
                | C::DirectBoardBottom
                | C::DirectTop
                | C::DirectBottom
        )
    }

    /// Why the regulations do not allow it in this event, if so.
    #[must_use]
    pub fn objection(&self, field: &Tournament) -> Option<String> {
        use crate::tournament::System;
        use Code as C;
        let code = self.code.as_str();
        let since = matches!(self.code, C::Standard | C::Number | C::Rating);
        if since && field.edition < Edition::Of2026 {
            return Some(format!(
                "{code} exists only from the edition of March 2026 on"
            ));
        }
        let is_buchholz = matches!(
            self.code,
            C::Buchholz | C::AverageBuchholz | C::ForeBuchholz
        );
        if is_buchholz && field.system == System::RoundRobin {
            return Some(format!(
                "{code} belongs to article 8, which is not for round robins"
            ));
        }
        let of_teams = matches!(
            self.code.article(),
            "12.1" | "12.2" | "12.3" | "13.1" | "13.2" | "13.3" | "13.4"
        );
        if !of_teams || field.teams {
            return None;
        }
        Some(format!("{code} is only for teams"))
    }

    /// Its value for a participant. Not for tie-breaks among the tied.
    #[must_use]
    pub fn value(&self, field: &Tournament, row: usize) -> Value {
        use Code as C;
        let number = match self.code {
            C::TopBoards => return Value::List(boards::all(field, row)),
            C::BottomBoards => return Value::List(boards::without_last(&boards::all(field, row))),
            C::BoardCount => boards::count(&boards::all(field, row)),
            C::AverageRating
            | C::Performance
            | C::PerfectPerformance
            | C::AveragePerformance
            | C::AveragePerfect
            | C::Rating => rating::value(self, field, row),
            _ => match self.terms(field, row) {
                Some(terms) => Some(sums::total(self, field, row, &terms)),
                None => own::value(self, field, row),
            },
        };
        number.map_or(Value::None, Value::Number)
    }

    /// The terms of a sum, round by round, including those that are cut; `None` if it is no sum.
    #[must_use]
    pub fn terms(&self, field: &Tournament, row: usize) -> Option<Vec<Term>> {
        sums::terms(self, field, row)
    }

    /// Which of two values comes first: the greater one, except for BC and TPN.
    #[must_use]
    pub fn compare(&self, one: &Value, other: &Value) -> Ordering {
        let greater_first = other.order(one);
        let lower_first = matches!(self.code, Code::BoardCount | Code::Number);
        if lower_first != self.reverse {
            greater_first.reverse()
        } else {
            greater_first
        }
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code.as_str())?;
        match self.score {
            Some(Score::Match) => f.write_str(":MP")?,
            Some(Score::Game) => f.write_str(":GP")?,
            None => {}
        }
        match self.cut {
            Cut { least: 0, .. } => {}
            Cut { least, most: 0 } => write!(f, "/C{least}")?,
            Cut { least, .. } => write!(f, "/M{least}")?,
        }
        if self.limit != 0 {
            write!(f, "/L{:+}", self.limit)?;
        }
        if let Some(factor) = self.factor {
            write!(f, "/K{factor}")?;
        }
        for (is_set, modifier) in [
            (self.forfeits, "/P"),
            (self.fore, "/F"),
            (self.reverse, "/R"),
        ] {
            if is_set {
                f.write_str(modifier)?;
            }
        }
        Ok(())
    }
}

/// The value of a criterion.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(Ratio),
    /// Numbers compared one after the other.
    List(Vec<Points>),
    /// A place among the tied participants.
    Place(u32),
    /// None, where it cannot be computed.
    None,
}

impl Value {
    /// The place among the tied, if it is one.
    pub(crate) const fn place(&self) -> Option<u32> {
        if let Self::Place(place) = self {
            Some(*place)
        } else {
            None
        }
    }

    /// The order of two values: what cannot be computed is least, and a place is the greater the nearer it is to
    /// the first.
    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => one.cmp(other),
            (Self::List(one), Self::List(other)) => one.cmp(other),
            (Self::Place(one), Self::Place(other)) => other.cmp(one),
            (Self::None, Self::None) => Ordering::Equal,
            (Self::None, _) => Ordering::Less,
            (_, Self::None) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::List(list) => {
                let texts: Vec<_> = list.iter().map(ToString::to_string).collect();
                f.write_str(&texts.join(" "))
            }
            Self::Place(place) => {
                let ending = match (place % 10, place % 100) {
                    (1, last) if last != 11 => "st",
                    (2, last) if last != 12 => "nd",
                    (3, last) if last != 13 => "rd",
                    _ => "th",
                };
                write!(f, "{place}{ending}")
            }
            Self::None => f.write_str("-"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_and_written() {
        for text in [
            "BH",
            "BH/C1",
            "SB:GP/M2",
            "KS/L-1",
            "SSSC/K3",
            "EDEBT/P",
            "TPN/R",
            "AOB/F",
            "OTHER_KINGS",
        ] {
            assert_eq!(text.parse::<TieBreak>().unwrap().to_string(), text);
            assert_eq!(
                text.to_lowercase().parse::<TieBreak>().unwrap().to_string(),
                text
            );
        }
        for text in ["", "XX", "BH/", "BH/C0", "WIN/C1", "BH:XP", "KS/L", "BH/Q1"] {
            assert!(text.parse::<TieBreak>().is_err(), "{text}");
        }
    }
}
