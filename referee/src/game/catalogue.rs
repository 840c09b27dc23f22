//! [`Catalogue`]: the games that a program knows.

use overboard_formats::{
    encoding::decode,
    header::{Header, Name},
};
use overboard_rules::{
    general,
    rule::Rule,
    variant::{Extension, Spelling, VariantInfo},
};

/// The games that a program knows, orthodox chess first.
///
/// A referee judges by the laws of one game. It needs to know of the others only by what name they go, which notation
/// is theirs and which rules they have; that is here.
///
/// ```
/// use overboard_games::registry::GAMES;
///
/// let (game, level) = GAMES.named(b"olympic").expect("a name of Olympic Chess");
/// assert_eq!((game.name, level), ("Olympic Chess", None));
/// assert_eq!(GAMES.rule("ch-14").map(|rule| rule.id), Some("CH-14"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Catalogue(&'static [&'static VariantInfo]);

impl Catalogue {
    /// A catalogue of these games, of which the first is the one that a record without the tag Variant is about.
    #[must_use]
    pub const fn new(games: &'static [&'static VariantInfo]) -> Self {
        Self(games)
    }

    /// The games, in their order.
    pub fn iter(self) -> impl Iterator<Item = &'static VariantInfo> {
        self.0.iter().copied()
    }

    /// The game of a record without the tag Variant.
    #[must_use]
    pub const fn chess(self) -> &'static VariantInfo {
        self.0[0]
    }

    /// The game that a value of the tag Variant names, in upper or lower case, and the level if the name includes one.
    #[must_use]
    pub fn named(self, variant: &[u8]) -> Option<(&'static VariantInfo, Option<u8>)> {
        // Called for every record, nearly always with ASCII: that path does not allocate.
        let folded = (!variant.is_ascii()).then(|| decode(variant).0.to_lowercase());
        let variant = folded.as_ref().map_or(variant, |folded| folded.as_bytes());
        let is_it = |spelling: &&Spelling| spelling.text.as_bytes().eq_ignore_ascii_case(variant);
        for game in self.iter() {
            if let Some(spelling) = game.spellings.iter().find(is_it) {
                return Some((game, spelling.level));
            }
        }
        None
    }

    /// The game of a record with this tag Variant; without the tag it is chess.
    #[must_use]
    pub fn of(self, variant: Option<&[u8]>) -> Option<&'static VariantInfo> {
        match variant {
            Some(variant) => self.named(variant).map(|(game, _)| game),
            None => Some(self.chess()),
        }
    }

    /// The game of a record with these tags: the one that Variant names, else the one to which a tag belongs, else chess.
    #[must_use]
    pub fn of_record(self, header: &Header) -> Option<&'static VariantInfo> {
        match header.bytes(Name::Variant) {
            Some(variant) => self.of(Some(variant)),
            None => self.by_tags(|tag| header.has(tag)),
        }
    }

    /// The game of a record without the tag Variant, which has the tags that `has` says.
    pub fn by_tags(self, has: impl Fn(&str) -> bool) -> Option<&'static VariantInfo> {
        let is_it = |game: &&'static VariantInfo| game.own_tags.iter().any(|tag| has(tag));
        self.iter().find(is_it).or(Some(self.chess()))
    }

    /// The level that a value of the tag Variant includes, if any.
    #[must_use]
    pub fn level_of(self, variant: &[u8]) -> Option<u8> {
        self.named(variant).and_then(|(_, level)| level)
    }

    /// The first game whose records have this notation.
    #[must_use]
    pub fn with(self, extension: Extension) -> Option<&'static VariantInfo> {
        self.iter()
            .find(|game| game.extensions.contains(&extension))
    }

    /// The rule with this id, in upper or lower case: one that is common to all games, or one of theirs.
    #[must_use]
    pub fn rule(self, id: &str) -> Option<&'static Rule> {
        let pages = self.iter().flat_map(|game| game.pages).copied();
        let mut rules = [&general::PAGE]
            .into_iter()
            .chain(pages)
            .flat_map(|page| page.rules);
        rules.find(|rule| rule.id.eq_ignore_ascii_case(id)).copied()
    }

    /// Whether a breach of this rule loses the game once it is over.
    #[must_use]
    pub fn is_offence(self, rule: &Rule) -> bool {
        self.iter()
            .filter_map(|game| game.offence)
            .any(|offence| offence.id == rule.id)
    }
}
