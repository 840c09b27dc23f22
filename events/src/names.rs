//! Names of participants: when a text is a valid name, and when two names are the same.

use overboard_formats::foreign::is_shapeless;
use unicode_normalization::UnicodeNormalization;

/// Why a text is not a valid name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// It is empty.
    #[error("expected a name, found nothing")]
    Empty,
    /// It has only characters that are invisible in print.
    #[error("expected a name, found only invisible characters")]
    Unseen,
    /// It has line breaks or other control characters, for example from a table whose quotation marks do not match.
    #[error("a name cannot contain a line break or another control character")]
    Control,
}

/// A name in the form in which it is stored: composed (NFC), without spaces or invisible characters around it.
///
/// # Errors
/// Why it is not valid.
pub fn name(text: &str) -> Result<String, NameError> {
    if text.trim().is_empty() {
        return Err(NameError::Empty);
    }
    let name = text.trim_matches(is_margin);
    if name.chars().all(is_shapeless) {
        return Err(NameError::Unseen);
    }
    if name
        .contains(|letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}'))
    {
        return Err(NameError::Control);
    }
    Ok(name.nfc().collect())
}

/// A text on one line that may be empty, such as a captain or a city, without spaces around it.
///
/// # Errors
/// If it contains a line break or another control character.
pub fn line(text: &str) -> Result<String, NameError> {
    match name(text) {
        Ok(name) => Ok(name),
        Err(NameError::Empty | NameError::Unseen) => Ok(String::new()),
        Err(NameError::Control) => Err(NameError::Control),
    }
}

/// A key that is the same for all spellings of a name: it ignores the Unicode form, case, the width of letters, and
/// characters that are invisible in print.
#[must_use]
pub fn key(text: &str) -> String {
    // Flags of parts of a country consist of a black flag and letters that are invisible by themselves.
    let has_flag = text.contains('\u{1f3f4}');
    let is_seen = |letter: &char| {
        !is_shapeless(*letter) || has_flag && matches!(letter, '\u{e0020}'..='\u{e007f}')
    };
    let seen: String = text.chars().filter(is_seen).collect();
    // Narrow, wide, joined and raised letters count as the letters that they stand for.
    let plain: String = seen.nfkd().collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").to_lowercase().nfc().collect()
}

/// The text with spaces for control characters, such as line breaks.
pub(crate) fn on_a_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Whether two texts are the same name.
#[must_use]
pub fn same(one: &str, other: &str) -> bool {
    key(one) == key(other)
}

/// Whether a character can be removed from the ends of a name. Variation selectors and tags belong to the character
/// before them, such as a flag.
const fn is_margin(letter: char) -> bool {
    letter.is_whitespace()
        || is_shapeless(letter)
            && !matches!(letter, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
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
        for text in [
            "\u{115f}",
            "\u{3164}",
            "\u{34f}",
            "\u{ffa0}",
            " \u{200b} \u{feff}",
        ] {
            assert_eq!(name(text), Err(NameError::Unseen), "{text:?}");
        }
        for text in [
            "Leeds\nYork",
            "Leeds\r\nYork",
            "a\u{1b}[1m",
            "a\u{2028}b",
            "a\u{85}b",
        ] {
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
            let tags = letters
                .bytes()
                .filter_map(|letter| char::from_u32(0xe0000 + u32::from(letter)));
            format!("\u{1f3f4}{}\u{e007f}", tags.collect::<String>())
        };
        assert!(!same(&flag("gbeng"), &flag("gbsct")) && !same("Hull RI", "HullRI"));
    }
}
