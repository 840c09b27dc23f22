//! The registry of games: the one place that lists them.
//!
//! An entry of `games!` is what makes a game known. From it follow the values of the tag Variant and of
//! `--variant`, the names and options in messages, what records, ledgers and events say of the game, and
//! the samples that tests, benchmarks and fuzz targets run over:
//!
//! ```
//! use overboard_games::registry::Variant;
//!
//! let olympic = Variant::of(Some(b"olympic")).expect("a name of Olympic Chess");
//! assert_eq!(olympic.name(), "Olympic Chess");
//! assert!(Variant::ALL.contains(&olympic));
//! ```

use crate::{any::AnyPosition, chess, mega, metachess, olympic, overchess, strategichess::linked};
use overboard_formats::encoding::decode;
use overboard_rules::{
    ply::BoardName,
    variant::{OptionValue, RuleOption, Sample, VariantInfo},
};

/// Lists the games: a name in the code and its [`VariantInfo`].
macro_rules! games {
    ($($(#[$doc:meta])* $game:ident: $info:path;)+) => {
        /// The games whose records can be written.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Variant {
            $($(#[$doc])* $game,)+
        }

        impl Variant {
            /// All of them, chess first.
            pub const ALL: &'static [Self] = &[$(Self::$game),+];

            /// What is said about the game.
            #[must_use]
            pub const fn info(self) -> &'static VariantInfo {
                match self {
                    $(Self::$game => &$info,)+
                }
            }
        }
    };
}

games! {
    /// Orthodox chess.
    Chess: chess::INFO;
    /// Olympic Chess.
    Olympic: olympic::INFO;
    /// `StrategiChess`.
    Strategi: linked::INFO;
    /// `MetaChess` #4.
    Meta: metachess::INFO;
    /// Mega-Chess, Recursive-Chess(N).
    Mega: mega::INFO;
    /// Overchess.
    Over: overchess::INFO;
}

/// What the tag Rules may hold in every game.
static COMMON_OPTIONS: [RuleOption; 1] = [RuleOption {
    name: "illegal",
    value: OptionValue::Text(|count| count.parse::<u32>().is_ok_and(|count| count > 0)),
}];

impl Variant {
    /// The game's full name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// The game's name in a sentence.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        self.info().in_words
    }

    /// The game that the tag Variant names, without regard to case; no tag is chess.
    #[must_use]
    pub fn of(variant: Option<&[u8]>) -> Option<Self> {
        match variant {
            Some(variant) => spelt(variant).map(|(game, _)| game),
            None => Some(Self::Chess),
        }
    }

    /// Whether the lines of a record with this tag Variant are filled, as PGN export format fills them: those of chess alone.
    #[must_use]
    pub fn wraps(variant: Option<&[u8]>) -> bool {
        Self::of(variant) == Some(Self::Chess)
    }

    /// The values of `--variant`, with the game that each stands for.
    pub fn arguments() -> impl Iterator<Item = (Self, &'static str)> {
        Self::ALL.iter().flat_map(|game| game.info().arguments.iter().map(|argument| (*game, *argument)))
    }

    /// Whether an item of a list of rules belongs to any game.
    #[must_use]
    pub fn any_knows(item: &str) -> bool {
        let (name, value) = option(item);
        Self::ALL.iter().any(|game| game.knows_option(name, value))
    }

    /// Whether the game has an option of this name, which may have this value.
    #[must_use]
    pub fn knows_option(self, name: &str, value: Option<&str>) -> bool {
        self.info().options.iter().chain(&COMMON_OPTIONS).any(|option| option.is(name, value))
    }

    /// The first positions of the game under each of its samples.
    pub fn sampled(self) -> impl Iterator<Item = (Sample, AnyPosition)> {
        let samples = self.info().samples.iter();
        samples.filter_map(move |sample| {
            Some((*sample, AnyPosition::agreed(self, sample.boards, sample.level, sample.rules)?))
        })
    }

    /// The tags that tell the game and what is agreed on it, as records hold them: no Variant for chess, no
    /// Boards for one board, no Rules where there are none.
    #[must_use]
    pub fn tags(self, boards: usize, level: Option<u8>, rules: &str) -> Vec<(&'static str, String)> {
        let mut tags = Vec::new();
        if self != Self::Chess {
            tags.push(("Variant", self.name().into()));
        }
        if let Some(level) = level.filter(|_| self.info().has_levels) {
            tags.push(("Level", level.to_string()));
        }
        if boards > 1 {
            let names: Vec<_> = (0..boards).map(|board| BoardName(board).to_string()).collect();
            tags.push(("Boards", names.join(":")));
        }
        if !rules.is_empty() {
            tags.push(("Rules", rules.into()));
        }
        tags
    }
}

/// The game that a value of the tag Variant names, and the level, where the name stands for one.
fn spelt(variant: &[u8]) -> Option<(Variant, Option<u8>)> {
    let folded = decode(variant).0.to_lowercase();
    Variant::ALL.iter().find_map(|game| {
        let spelling = game.info().spellings.iter().find(|spelling| spelling.text == folded)?;
        Some((*game, spelling.level))
    })
}

/// The level that a name in the tag Variant stands for, where it stands for one.
#[must_use]
pub fn level_of(variant: &[u8]) -> Option<u8> {
    spelt(variant).and_then(|(_, level)| level)
}

/// The name of an option and its value.
pub(crate) fn option(item: &str) -> (&str, Option<&str>) {
    item.split_once('=').map_or((item, None), |(name, value)| (name, Some(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_of_one_game_each() {
        let spellings: Vec<_> =
            Variant::ALL.iter().flat_map(|game| game.info().spellings.iter().map(|s| s.text)).collect();
        assert_eq!(spellings.iter().collect::<BTreeSet<_>>().len(), spellings.len());
        assert!(spellings.iter().all(|text| *text == text.to_lowercase()));
        let arguments: BTreeSet<_> = Variant::arguments().map(|(_, argument)| argument).collect();
        assert_eq!(arguments.len(), Variant::arguments().count());
        for game in Variant::ALL {
            assert_eq!(Variant::of(Some(game.name().to_uppercase().as_bytes())), Some(*game));
        }
    }

    #[test]
    fn every_sample_can_be_set_up() {
        for game in Variant::ALL {
            assert_eq!(game.info().samples.first(), Some(&Sample::PLAIN), "{game:?}");
            assert_eq!(game.sampled().count(), game.info().samples.len(), "{game:?}");
            for sample in game.info().samples {
                let items = sample.rules.split(':').filter(|item| !item.is_empty()).map(option);
                assert!(items.into_iter().all(|(name, value)| game.knows_option(name, value)), "{sample:?}");
            }
        }
    }
}
