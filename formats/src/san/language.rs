//! Piece letters in other languages, from the table of the PGN standard.

use super::{Alphabet, San, SanError};
use crate::command::commands;
use overboard_rules::square::Role;
use std::borrow::Cow;

/// A language for the letters of moves.
#[derive(PartialEq, Eq, Debug)]
pub struct Language {
    /// Its two-letter code in ISO 639-1.
    pub code: &'static str,
    /// Its name in English.
    pub name: &'static str,
    /// The letters of pawn, knight, bishop, rook, queen and king.
    letters: &'static [u8; 6],
}

/// The languages of the table, the most common first: if several can read a move, they are named in this order.
pub static LANGUAGES: [Language; 17] = [
    language("en", "English", b"PNBRQK"),
    language("de", "German", b"BSLTDK"),
    language("es", "Spanish", b"PCATDR"),
    language("fr", "French", b"PCFTDR"),
    language("it", "Italian", b"PCATDR"),
    language("nl", "Dutch", b"OPLTDK"),
    language("pt", "Portuguese", b"PCBTDR"),
    language("pl", "Polish", b"PSGWHK"),
    language("cs", "Czech", b"PJSVDK"),
    language("hu", "Hungarian", b"GHFBVK"),
    language("ro", "Romanian", b"PCNTDR"),
    language("sv", "Swedish", b"BSLTDK"),
    language("da", "Danish", b"BSLTDK"),
    language("no", "Norwegian", b"BSLTDK"),
    language("fi", "Finnish", b"PRLTDK"),
    language("et", "Estonian", b"PROVLK"),
    language("is", "Icelandic", b"PRBHDK"),
];

const fn language(code: &'static str, name: &'static str, letters: &'static [u8; 6]) -> Language {
    Language {
        code,
        name,
        letters,
    }
}

impl Language {
    /// The language with this code, ignoring case.
    #[must_use]
    pub fn of(code: &str) -> Option<&'static Self> {
        LANGUAGES
            .iter()
            .find(|language| language.code.eq_ignore_ascii_case(code))
    }

    /// Whether languages have letters for the pieces of a game. No table has a gold and a silver, so the moves of
    /// Olympic Chess are written with its own letters in every language.
    #[must_use]
    pub fn names(alphabet: &Alphabet) -> bool {
        alphabet
            .pieces
            .iter()
            .all(|letter| b"NBRQK".contains(letter))
    }

    /// The letters of pawn, knight, bishop, rook, queen and king.
    #[must_use]
    pub const fn letters(&self) -> &'static [u8; 6] {
        self.letters
    }

    /// The English letter for a letter of this language; `None` if no piece has it.
    fn letter(&self, letter: u8) -> Option<u8> {
        let at = self.letters.iter().position(|own| *own == letter)?;
        Some(Role::OF_CHESS[at].letter() as u8)
    }

    /// Converts a ply from this language to English. Only the letters of the piece and of the promotion differ;
    /// squares, and what follows `/`, are the same in all languages.
    ///
    /// # Errors
    /// [`SanError::NoLetter`] if no piece has the letter.
    pub fn to_english(
        &'static self,
        text: &[u8],
        alphabet: &Alphabet,
    ) -> Result<Vec<u8>, SanError> {
        let mut english = text.to_vec();
        let is_no_piece = matches!(
            text,
            [b'O' | b'o' | b'0', b'-' | b'O' | b'o' | b'0', ..] | b"Z0"
        );
        if is_no_piece || !Self::names(alphabet) {
            return Ok(english);
        }
        let is_file = |byte: u8| byte.wrapping_sub(b'a') < alphabet.files;
        if let Some(first) = english.first_mut()
            && first.is_ascii_alphabetic()
            && !is_file(*first)
        {
            *first = self.in_same_case(*first)?;
        }
        let end = text
            .iter()
            .position(|byte| matches!(byte, b'+' | b'#' | b'/' | b'^'))
            .unwrap_or(text.len());
        // The promotion follows the last rank, or `=`.
        if let [_, .., b'0'..=b'9' | b'=', last] = &mut english[..end]
            && last.is_ascii_alphabetic()
        {
            *last = self.in_same_case(*last)?;
        }
        Ok(english)
    }

    /// A comment with the moves that its commands name, those of claims and of illegal attempts, in English.
    #[must_use]
    pub fn comment_in_english<'t>(
        &'static self,
        comment: &'t [u8],
        alphabet: &Alphabet,
    ) -> Cow<'t, [u8]> {
        let mut english = Cow::Borrowed(comment);
        for command in commands(comment) {
            let fixed: &[&[u8]] = match command.name {
                b"claim" => &[b"W", b"B", b"threefold", b"fifty"],
                b"illegal" => &[b"W", b"B"],
                _ => continue,
            };
            let mut at = command.bytes.start;
            for word in comment[command.bytes].split(|byte| matches!(byte, b' ' | b']')) {
                let place = at..at + word.len();
                at = place.end + 1;
                // A letter has the same length in all languages.
                if !fixed.contains(&word)
                    && let Ok(translated) = self.to_english(word, alphabet)
                {
                    english.to_mut()[place].copy_from_slice(&translated);
                }
            }
        }
        english
    }

    fn in_same_case(&'static self, letter: u8) -> Result<u8, SanError> {
        let english = self
            .letter(letter.to_ascii_uppercase())
            .ok_or(SanError::NoLetter(self.name))?;
        Ok(if letter.is_ascii_uppercase() {
            english
        } else {
            english.to_ascii_lowercase()
        })
    }
}

impl San {
    /// Reads a ply written in a language; `None` is English.
    ///
    /// # Errors
    /// Why the text is not a ply.
    #[inline(always)]
    pub fn parse_in(
        language: Option<&'static Language>,
        text: &[u8],
        alphabet: &Alphabet,
    ) -> Result<Self, SanError> {
        match language {
            None => Self::parse(text, alphabet),
            Some(language) => Self::parse_foreign(language, text, alphabet),
        }
    }

    #[inline(never)]
    fn parse_foreign(
        language: &'static Language,
        text: &[u8],
        alphabet: &Alphabet,
    ) -> Result<Self, SanError> {
        Self::parse(&language.to_english(text, alphabet)?, alphabet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::san::{CHESS, LINKED, META, OLYMPIC, STRATEGI, Spelt};

    fn read(code: &str, text: &str, alphabet: &Alphabet) -> Result<String, SanError> {
        let san = San::parse_in(Language::of(code), text.as_bytes(), alphabet)?;
        Ok(Spelt(san.written).to_string())
    }

    #[test]
    fn the_letters_of_a_language_are_distinct() {
        for language in &LANGUAGES {
            let mut letters = language.letters.to_vec();
            letters.sort_unstable();
            letters.dedup();
            assert_eq!(letters.len(), 6, "{}", language.name);
            assert_eq!(Language::of(language.code), Some(language));
        }
    }

    #[test]
    fn moves_are_read_in_their_language() {
        for (code, text, english) in [
            ("de", "Sf3", "Nf3"),
            ("de", "Sbd7+", "Nbd7"),
            ("de", "dxe8=D#", "dxe8=Q"),
            ("de", "e8T", "e8=R"),
            ("de", "Be4", "e4"),
            ("de", "b4", "b4"),
            ("de", "e4", "e4"),
            ("de", "O-O", "O-O"),
            ("nl", "Oe4", "e4"),
            ("et", "Of4", "Bf4"),
            ("et", "O-O-O", "O-O-O"),
            ("fr", "Rd1", "Kd1"),
            ("fr", "rd1", "Kd1"),
            ("fr", "Td1", "Rd1"),
            ("es", "Axf7+", "Bxf7"),
            ("ro", "Nc4", "Bc4"),
            ("hu", "Bd1", "Rd1"),
            ("pt", "Bb5", "Bb5"),
            ("en", "Nf3", "Nf3"),
            ("de", "--", "--"),
        ] {
            assert_eq!(
                read(code, text, &CHESS).as_deref(),
                Ok(english),
                "{code} {text}"
            );
        }
        assert_eq!(read("de", "Nf3", &CHESS), Err(SanError::NoLetter("German")));
        assert_eq!(
            read("de", "e8=Q", &CHESS),
            Err(SanError::NoLetter("German"))
        );
        assert_eq!(read("de", "qd4", &CHESS), Err(SanError::NoLetter("German")));
    }

    #[test]
    fn letters_of_boards_are_not_pieces() {
        assert_eq!(read("de", "Sb6/B", &LINKED).as_deref(), Ok("Nb6/B"));
        assert_eq!(read("de", "n7/D", &LINKED).as_deref(), Ok("n7/D"));
        assert_eq!(read("de", "Sn14", &STRATEGI).as_deref(), Ok("Nn14"));
        assert_eq!(read("de", "Sd2^", &META).as_deref(), Ok("Nd2^"));
        // No language has letters for gold and silver.
        for text in ["Sb5", "R@c3", "c5=G"] {
            assert_eq!(read("de", text, &OLYMPIC).as_deref(), Ok(text));
        }
    }
}
