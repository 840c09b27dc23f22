//! Foreign text, made fit to be shown.

use std::borrow::Cow;

/// Whether a character could change what a reader sees without being seen itself: control characters, those that turn,
/// join or hide the text around them, and those without a shape, which make two names look like one.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    c.is_control() || is_shapeless(c) || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}')
}

/// Characters without a shape: those that Unicode says may be ignored (`Default_Ignorable_Code_Point`), and the blank of
/// Braille.
#[must_use]
pub const fn is_shapeless(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a text holds a character of which [`is_unseen`] is true.
#[must_use]
pub fn hides_something(text: &str) -> bool {
    // Without a way out of the loop, many bytes are looked at together.
    let plain = text.bytes().fold(true, |plain, b| plain & matches!(b, b' '..=b'~'));
    !plain && text.contains(is_unseen)
}

/// A foreign text made fit for a terminal: what cannot be seen is written as `\u{…}`.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !hides_something(text) {
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
    fn unseen_characters_are_shown() {
        assert_eq!(visible("a\u{1b}[2Jb\u{202e}c"), "a\\u{1b}[2Jb\\u{202e}c");
        assert_eq!(visible("Łódź ♘"), "Łódź ♘");
        for filler in ["\u{115f}", "\u{3164}", "\u{34f}", "\u{ffa0}", "\u{fe0f}", "\u{e0101}", "\u{2800}"] {
            assert_ne!(visible(filler), filler, "{filler:?}");
        }
    }
}
