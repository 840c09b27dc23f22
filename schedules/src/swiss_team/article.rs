//! The articles of C.04.6 that decide something, with their words.

use serde::{Serialize, Serializer};
use std::fmt;

macro_rules! articles {
    ($($name:ident $number:literal $criterion:literal $gist:literal;)+) => {
        /// An article that forbids a pairing, prefers one, or gives a colour.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Article { $(#[doc = $gist] $name,)+ }

        /// In the order in which they are applied.
        const TABLE: &[ArticleRow] = &[$((Article::$name, $number, $criterion, $gist)),+];
    };
}

/// What an article says: its number in C.04.6, its criterion (may be empty), its gist.
type ArticleRow = (Article, &'static str, &'static str, &'static str);

articles! {
    Complete "3.3.1" "" "every present team is paired, but for one bye if their number is odd";
    Rematch "2.1.1" "C1" "two teams meet at most once";
    Forbidden "regulation" "" "the regulations of the event keep the two teams apart";
    SecondBye "2.1.2" "C2" "no bye after a bye, a win by forfeit or a full-point bye";
    ByeCompletion "3.4.1" "C3" "the bye leaves a legal pairing for all others";
    ByeScore "3.4.2" "" "the bye goes to the lowest score";
    ByeMatches "3.4.3" "" "then to the team that has played the most matches";
    ByeNumber "3.4.4" "" "then to the largest pairing number";
    Completion "2.2.1" "C3" "all teams not yet paired can still be paired";
    FewestUpfloaters "2.3.1" "C4" "as few upfloaters as possible";
    UpfloaterScores "2.3.2" "C5" "upfloaters with scores as high as possible, the lowest compared first";
    NextBracket "2.3.3" "C6" "the following scoregroup can be paired well too";
    FloaterAgain "2.3.4" "C7" "as few upfloaters as possible that were floaters in the previous round";
    SetOrder "3.5.4" "" "of equal sets of upfloaters the first in order of score and number";
    Preferences "2.3.5" "C8" "as few colour preferences not granted as possible";
    StrongPreferences "2.3.6" "C9" "as few strong colour preferences not granted as possible";
    OpponentFloater "2.3.7" "C10" "as few opponents of upfloaters as possible that were floaters in the previous round";
    PairingOrder "3.6.3" "" "of equal pairings of a bracket the first: top members as small as possible, then the bottom member of each";
    InitialColour "4.3.1" "" "neither has played: the first team has the initial colour if its number is odd, else the other";
    OnePreference "4.3.2" "" "only one team has a preference: it is granted";
    BothPreferences "4.3.3" "" "the preferences are opposite: both are granted";
    StrongPreference "4.3.4" "" "one preference is strong: it is granted";
    ColourDifference "4.3.5" "" "White to the lower colour difference";
    Alternation "4.3.6" "" "the colours are reversed from the last round in which one had White and the other Black";
    FirstTeamPreference "4.3.7" "" "the preference of the first team is granted";
    FirstTeamAlternates "4.3.8" "" "the first team changes its colour";
    OtherTeamAlternates "4.3.9" "" "the other team changes its colour";
}

impl Article {
    /// All of them, in the order in which they are applied.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> &'static ArticleRow {
        &TABLE[self as usize]
    }

    /// Its number in C.04.6, such as `2.3.1`, or `regulation`.
    #[must_use]
    pub fn number(self) -> &'static str {
        self.row().1
    }

    /// The criterion it states, such as `C4`, if any.
    #[must_use]
    pub fn criterion(self) -> Option<&'static str> {
        Some(self.row().2).filter(|criterion| !criterion.is_empty())
    }

    /// What it says, in a few words.
    #[must_use]
    pub fn gist(self) -> &'static str {
        self.row().3
    }
}

/// Number and criterion: `2.3.1 \[C4\]`.
impl fmt::Display for Article {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.criterion() {
            Some(criterion) => write!(f, "{} [{criterion}]", self.number()),
            None => f.write_str(self.number()),
        }
    }
}

impl Serialize for Article {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
