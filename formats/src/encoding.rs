//! Bytes of a string or comment as text.

use std::borrow::Cow;

/// The text of these bytes: UTF-8 where they are that, else Latin-1, in which every byte is a
/// character; whether it was the latter.
#[must_use]
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), false),
        Err(_) => (Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()), true),
    }
}

/// Whether a string or comment holds a control character other than white space.
#[must_use]
pub fn has_control(bytes: &[u8]) -> bool {
    bytes.iter().any(|b| (*b < 0x20 && !matches!(b, b'\n' | b'\r' | b'\t' | 0x0b)) || *b == 0x7f)
}

/// Whether a character could change what a terminal shows without being seen itself: control
/// characters and those that turn, join or hide the text around them.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A foreign text made fit for a terminal: what cannot be seen is written as `\u{…}`.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unseen(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf8_is_latin1() {
        assert_eq!(decode("Réti".as_bytes()), (Cow::Borrowed("Réti"), false));
        assert_eq!(decode(b"R\xe9ti"), (Cow::Borrowed("Réti"), true));
    }

    #[test]
    fn unseen_characters_are_shown() {
        assert_eq!(visible("a\u{1b}[2Jb\u{202e}c"), "a\\u{1b}[2Jb\\u{202e}c");
        assert_eq!(visible("Łódź ♘"), "Łódź ♘");
    }
}
