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

/// Whether a text holds a character that cannot be seen, other than white space.
#[must_use]
pub fn has_unseen(bytes: &[u8]) -> bool {
    decode(bytes).0.contains(|c: char| is_unseen(c) && !matches!(c, '\n' | '\r' | '\t' | '\u{b}'))
}

/// What is unusual about the bytes of a string or comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Oddities(u8);

impl Oddities {
    const CONTROL: u8 = 1;
    const HIGH: u8 = 2;

    /// Looks at every byte once.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(bytes.iter().fold(0, |found, b| found | ODD[usize::from(*b)]))
    }

    /// Whether there is a control character other than white space.
    #[must_use]
    pub const fn control(self) -> bool {
        self.0 & Self::CONTROL != 0
    }

    /// Whether there is a byte that is not ASCII.
    #[must_use]
    pub const fn high(self) -> bool {
        self.0 & Self::HIGH != 0
    }
}

static ODD: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'\n' | b'\r' | b'\t' | 0x0b => 0,
            0..=0x1f | 0x7f => Oddities::CONTROL,
            0x80.. => Oddities::HIGH,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Whether a character could change what a terminal shows without being seen itself: control
/// characters and those that turn, join or hide the text around them.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
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
