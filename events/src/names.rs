//! Names of participants: when a text is one, and when two are the same.

use overboard_pictures::foreign::is_shapeless;
use unicode_normalization::UnicodeNormalization;

/// Why a text is no name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// Nothing that can be seen.
    #[error("expected a name, found nothing")]
    Empty,
    /// Nothing but characters that leave no trace on paper.
    #[error("expected a name, found only invisible characters")]
    Unseen,
    /// Line breaks and the like, such as of a table whose quotation marks do not match.
    #[error("a name cannot contain a line break or another control character")]
    Control,
}

/// A name as it is kept: composed (NFC), without space or what cannot be seen around it.
///
/// # Errors
/// Why it is none.
pub fn name(text: &str) -> Result<String, NameError> {
    if text.trim().is_empty() {
        return Err(NameError::Empty);
    }
    let name = text.trim_matches(is_margin);
    if name.chars().all(is_shapeless) {
        return Err(NameError::Unseen);
    }
    if name.contains(|letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}')) {
        return Err(NameError::Control);
    }
    Ok(name.nfc().collect())
}

/// A text of one line that may be empty, such as a captain or a city, without space around it.
///
/// # Errors
/// When there is a line break or another control character in it.
pub fn line(text: &str) -> Result<String, NameError> {
    match name(text) {
        Ok(name) => Ok(name),
        Err(NameError::Empty | NameError::Unseen) => Ok(String::new()),
        Err(NameError::Control) => Err(NameError::Control),
    }
}

/// What two spellings of a name have in common: the form of Unicode, small and capital letters, how wide a sign is, and what
/// leaves no trace on paper make no difference.
#[must_use]
pub fn key(text: &str) -> String {
    // Flags of parts of a country are a black flag and letters that are not seen by themselves.
    let has_flag = text.contains('\u{1f3f4}');
    let is_seen =
        |letter: &char| !is_shapeless(*letter) || has_flag && matches!(letter, '\u{e0020}'..='\u{e007f}');
    let seen: String = text.chars().filter(is_seen).collect();
    // Letters that are narrow, wide, joined or raised are the letters that they stand for.
    let plain: String = seen.nfkd().collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").to_lowercase().nfc().collect()
}

/// Whether two texts are one name.
#[must_use]
pub fn same(one: &str, other: &str) -> bool {
    key(one) == key(other)
}

/// What adds nothing around a name; variation selectors and tags belong to the sign before them, such as a flag.
const fn is_margin(letter: char) -> bool {
    letter.is_whitespace()
        || is_shapeless(letter) && !matches!(letter, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_in_one_form() {
        assert_eq!(name(" Leeds\u{a0}").unwrap(), "Leeds");
        assert_eq!(name("Zu\u{308}rich\u{200b}").unwrap(), "Z\u{fc}rich");
        for text in ["", "   ", "\u{3000}"] {
            assert_eq!(name(text), Err(NameError::Empty));
        }
        for text in ["\u{115f}", "\u{3164}", "\u{34f}", "\u{ffa0}", " \u{200b} \u{feff}"] {
            assert_eq!(name(text), Err(NameError::Unseen), "{text:?}");
        }
        for text in ["Leeds\nYork", "Leeds\r\nYork", "a\u{1b}[1m", "a\u{2028}b", "a\u{85}b"] {
            assert_eq!(name(text), Err(NameError::Control), "{text:?}");
        }
        assert!(same("Z\u{dc}RICH ", "zu\u{308}rich") && !same("Zurich", "Z\u{fc}rich"));
    }

    #[test]
    fn names_that_look_alike_are_the_same() {
        for other in [
            "Hull  RI",
            "Hull\u{a0}RI",
            "Hu\u{200b}ll RI",
            "Hull\u{34f} RI",
            "Hull RI\u{fe0f}",
            "Hull R\u{e0041}I",
            "\u{ff28}\u{ff55}ll\u{3000}RI",
            "Hull R\u{2160}",
        ] {
            assert!(same("Hull RI", other), "{other:?}");
        }
        let flag = |letters: &str| {
            let tags = letters.bytes().filter_map(|letter| char::from_u32(0xe0000 + u32::from(letter)));
            format!("\u{1f3f4}{}\u{e007f}", tags.collect::<String>())
        };
        assert!(!same(&flag("gbeng"), &flag("gbsct")) && !same("Hull RI", "HullRI"));
    }
}
