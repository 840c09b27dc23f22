//! The articles of C.04.6 that decide something, with their words.

use serde::{Serialize, Serializer};
use std::fmt;

/// An article that forbids a pairing, prefers one, or gives a colour. Criteria are in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Article {
    /// Every present team is paired, except one with the bye if their number is odd.
    Complete,
    /// \[C1\]: no second match between two teams.
    Rematch,
    /// A regulation of the event keeps two teams apart.
    Forbidden,
    /// \[C2\]: no second bye.
    SecondBye,
    /// \[C3\]: with this bye all others can be paired.
    ByeCompletion,
    /// The bye goes to the lowest score.
    ByeScore,
    /// Then to the team with the most matches.
    ByeMatches,
    /// Then to the largest number.
    ByeNumber,
    /// \[C3\]: all teams not paired yet can be paired.
    Completion,
    /// \[C4\]: as few upfloaters as possible.
    FewestUpfloaters,
    /// \[C5\]: upfloaters with scores as high as possible.
    UpfloaterScores,
    /// \[C6\]: the next bracket can be paired well.
    NextBracket,
    /// \[C7\]: as few upfloaters as possible that were floaters before.
    FloaterAgain,
    /// The order of sets of upfloaters.
    SetOrder,
    /// \[C8\]: colour preferences.
    Preferences,
    /// \[C9\]: strong colour preferences.
    StrongPreferences,
    /// \[C10\]: opponents of upfloaters that were floaters before.
    OpponentFloater,
    /// The order of the pairings of a bracket.
    PairingOrder,
    /// The initial colour.
    InitialColour,
    /// Only one team has a preference.
    OnePreference,
    /// The preferences are opposite.
    BothPreferences,
    /// One of two preferences is strong.
    StrongPreference,
    /// The colour differences are not equal.
    ColourDifference,
    /// Colours alternate since the last time they differed.
    Alternation,
    /// The first team's preference is granted.
    FirstTeamPreference,
    /// The first team alternates its colour.
    FirstTeamAlternates,
    /// The other team alternates its colour.
    OtherTeamAlternates,
}

/// What an article says: its number in C.04.6, its criterion (may be empty), its gist.
type ArticleRow = (Article, &'static str, &'static str, &'static str);

/// In the order in which they are applied.
const TABLE: [ArticleRow; 27] = [
    (
        Article::Complete,
        "3.3.1",
        "",
        "every present team is paired, but for one bye if their number is odd",
    ),
    (
        Article::Rematch,
        "2.1.1",
        "C1",
        "two teams meet at most once",
    ),
    (
        Article::Forbidden,
        "regulation",
        "",
        "the regulations of the event keep the two teams apart",
    ),
    (
        Article::SecondBye,
        "2.1.2",
        "C2",
        "no bye after a bye, a win by forfeit or a full-point bye",
    ),
    (
        Article::ByeCompletion,
        "3.4.1",
        "C3",
        "the bye leaves a legal pairing for all others",
    ),
    (
        Article::ByeScore,
        "3.4.2",
        "",
        "the bye goes to the lowest score",
    ),
    (
        Article::ByeMatches,
        "3.4.3",
        "",
        "then to the team that has played the most matches",
    ),
    (
        Article::ByeNumber,
        "3.4.4",
        "",
        "then to the largest pairing number",
    ),
    (
        Article::Completion,
        "2.2.1",
        "C3",
        "all teams not yet paired can still be paired",
    ),
    (
        Article::FewestUpfloaters,
        "2.3.1",
        "C4",
        "as few upfloaters as possible",
    ),
    (
        Article::UpfloaterScores,
        "2.3.2",
        "C5",
        "upfloaters with scores as high as possible, the lowest compared first",
    ),
    (
        Article::NextBracket,
        "2.3.3",
        "C6",
        "the following scoregroup can be paired well too",
    ),
    (
        Article::FloaterAgain,
        "2.3.4",
        "C7",
        "as few upfloaters as possible that were floaters in the previous round",
    ),
    (
        Article::SetOrder,
        "3.5.4",
        "",
        "of equal sets of upfloaters the first in order of score and number",
    ),
    (
        Article::Preferences,
        "2.3.5",
        "C8",
        "as few colour preferences not granted as possible",
    ),
    (
        Article::StrongPreferences,
        "2.3.6",
        "C9",
        "as few strong colour preferences not granted as possible",
    ),
    (
        Article::OpponentFloater,
        "2.3.7",
        "C10",
        "as few opponents of upfloaters as possible that were floaters in the previous round",
    ),
    (
        Article::PairingOrder,
        "3.6.3",
        "",
        "of equal pairings of a bracket the first: top members as small as possible, then the bottom member of each",
    ),
    (
        Article::InitialColour,
        "4.3.1",
        "",
        "neither has played: the first team has the initial colour if its number is odd, else the other",
    ),
    (
        Article::OnePreference,
        "4.3.2",
        "",
        "only one team has a preference: it is granted",
    ),
    (
        Article::BothPreferences,
        "4.3.3",
        "",
        "the preferences are opposite: both are granted",
    ),
    (
        Article::StrongPreference,
        "4.3.4",
        "",
        "one preference is strong: it is granted",
    ),
    (
        Article::ColourDifference,
        "4.3.5",
        "",
        "White to the lower colour difference",
    ),
    (
        Article::Alternation,
        "4.3.6",
        "",
        "the colours are reversed from the last round in which one had White and the other Black",
    ),
    (
        Article::FirstTeamPreference,
        "4.3.7",
        "",
        "the preference of the first team is granted",
    ),
    (
        Article::FirstTeamAlternates,
        "4.3.8",
        "",
        "the first team changes its colour",
    ),
    (
        Article::OtherTeamAlternates,
        "4.3.9",
        "",
        "the other team changes its colour",
    ),
];

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

const _: () = {
    let mut place = 0;
    while place < TABLE.len() {
        assert!(TABLE[place].0 as usize == place);
        place += 1;
    }
};
