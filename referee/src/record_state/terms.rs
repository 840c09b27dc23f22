//! What game a record is of.

use crate::game::catalogue::Catalogue;
use overboard_formats::san::{Alphabet, Language, San};
use overboard_rules::variant::VariantInfo;
use std::borrow::Cow;

/// The illegal attempts that cost a game where the tag Rules does not say how many (GEN-9).
pub const ATTEMPTS: u32 = 2;

/// How often the language of a record is looked for.
const LOOKS: u8 = 8;

/// The game of a record, and how it is written.
pub struct Terms {
    /// The games that are known.
    catalogue: Catalogue,
    /// The game of the record, as its tags say; `None` if they name none that is known.
    game: Option<&'static VariantInfo>,
    /// Whether the game is supported.
    known: bool,
    /// Whether the record has tags.
    tagged: bool,
    /// The number of illegal attempts that costs the game (GEN-9).
    attempts_allowed: u32,
    /// The languages in which the record may be written, if its moves are not in the selected one.
    guessed: Vec<&'static Language>,
    /// The language that was found from its moves.
    found: Option<&'static Language>,
    /// Whether a move was legal in it.
    is_proved: bool,
    /// The letters of its moves, once the game has begun.
    alphabet: Option<&'static Alphabet>,
    /// How often it may still be looked for.
    looks: u8,
}

impl Terms {
    /// Those of a record without tags: chess.
    pub(super) fn of_chess(catalogue: Catalogue) -> Self {
        Self {
            catalogue,
            game: Some(catalogue.chess()),
            known: true,
            tagged: false,
            attempts_allowed: ATTEMPTS,
            guessed: Vec::new(),
            found: None,
            is_proved: false,
            alphabet: None,
            looks: LOOKS,
        }
    }

    /// The moves of the game have these letters.
    pub(crate) const fn spell_in(&mut self, alphabet: &'static Alphabet) {
        self.alphabet = Some(alphabet);
    }

    /// A comment with the moves in its commands in English, as all moves are written; `language` is the selected one.
    pub(crate) fn in_english<'t>(
        &self,
        comment: &'t [u8],
        language: Option<&'static Language>,
    ) -> Cow<'t, [u8]> {
        match (language.or(self.proved()), self.alphabet) {
            (Some(language), Some(alphabet)) => language.comment_in_english(comment, alphabet),
            _ => Cow::Borrowed(comment),
        }
    }

    /// The language that the moves show, if one of them was legal in it. Only then is anything written in English: else
    /// its plies stay as they are, and would show the language again.
    const fn proved(&self) -> Option<&'static Language> {
        if self.is_proved { self.found } else { None }
    }

    /// A ply in English, if it is a move in another language; `language` is the selected one.
    pub(crate) fn ply_in_english<'t>(
        &self,
        ply: &'t [u8],
        language: Option<&'static Language>,
    ) -> Cow<'t, [u8]> {
        let (Some(language), Some(alphabet)) = (language.or(self.proved()), self.alphabet) else {
            return Cow::Borrowed(ply);
        };
        let is_move = San::parse_in(Some(language), ply, alphabet).is_ok();
        match language.to_english(ply, alphabet) {
            Ok(english) if is_move => Cow::Owned(english),
            _ => Cow::Borrowed(ply),
        }
    }

    /// The games that are known.
    #[must_use]
    pub const fn catalogue(&self) -> Catalogue {
        self.catalogue
    }

    /// The game of the record, as its tags say; `None` if they name none that is known.
    #[must_use]
    pub const fn game(&self) -> Option<&'static VariantInfo> {
        self.game
    }

    /// The tags name this game.
    pub const fn set_game(&mut self, game: Option<&'static VariantInfo>) {
        self.game = game;
    }

    /// Whether the game is supported.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        self.known
    }

    /// Whether the game is supported is known now.
    pub const fn set_known(&mut self, known: bool) {
        self.known = known;
    }

    /// Whether the record has tags.
    #[must_use]
    pub const fn is_tagged(&self) -> bool {
        self.tagged
    }

    /// The record has tags.
    pub const fn tag(&mut self) {
        self.tagged = true;
    }

    /// The number of illegal attempts that costs the game (GEN-9).
    #[must_use]
    pub const fn attempts_allowed(&self) -> u32 {
        self.attempts_allowed
    }

    /// So many illegal attempts cost the game.
    pub(crate) const fn allow_attempts(&mut self, allowed: u32) {
        self.attempts_allowed = allowed;
    }

    /// The languages in which the record may be written, if its moves are not in the selected one.
    #[must_use]
    pub fn guessed(&self) -> &[&'static Language] {
        &self.guessed
    }

    /// The language in which the record is written, if its moves show that it is not English.
    #[must_use]
    pub const fn found(&self) -> Option<&'static Language> {
        self.found
    }

    /// Whether the language may be looked for once more: that takes time, and a record may have many odd words.
    pub(crate) const fn may_look(&mut self) -> bool {
        let may = self.looks > 0;
        self.looks = self.looks.saturating_sub(1);
        may
    }

    /// A move was legal in the language that was found.
    pub(crate) const fn prove(&mut self) {
        self.is_proved = true;
    }

    /// The moves show that the record is written in this language.
    pub(crate) const fn read_in(&mut self, language: &'static Language) {
        (self.found, self.is_proved) = (Some(language), false);
    }

    /// The record may be written in these languages.
    pub(crate) fn guess(&mut self, languages: Vec<&'static Language>) {
        self.guessed = languages;
    }
}
