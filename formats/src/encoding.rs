//! Bytes of a string or comment as text: UTF-8, or Latin-1 in older files.
//!
//! ```
//! use overboard_formats::encoding::decode;
//!
//! assert_eq!(decode("Réti".as_bytes()), ("Réti".into(), false));
//! assert_eq!(decode(b"R\xe9ti"), ("Réti".into(), true));
//! ```

use crate::foreign::is_unseen;
use std::borrow::Cow;

/// Decodes bytes as UTF-8 if they are valid, else as Latin-1, in which every byte is a character. Returns the text, and
/// whether it was Latin-1.
#[must_use]
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), false),
        Err(_) => (
            Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
            true,
        ),
    }
}

/// The length of these bytes in UTF-8, in bytes: Latin-1 grows when it is converted. Limits apply to this length, so that
/// text written within a limit can be read again within it.
#[must_use]
pub fn written_length(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(_) => bytes.len() + bytes.iter().filter(|byte| **byte >= 0x80).count(),
    }
}

/// Whether a character is a dash, as word processors write it for a hyphen: of any length, a minus sign, or one of
/// Windows-1252 read as Latin-1.
#[must_use]
pub const fn is_dash(sign: char) -> bool {
    matches!(
        sign,
        '\u{2010}'
            ..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{96}' | '\u{97}'
    )
}

/// The most bytes of a blank outside ASCII.
pub const LONGEST_BLANK: usize = 3;

/// The length of the blank outside ASCII with which a text begins, in bytes; 0 if it begins otherwise. One that may not
/// be broken in Latin-1 counts only where it is not part of a character of UTF-8.
#[must_use]
pub fn odd_blank(text: &[u8]) -> usize {
    match text {
        [0xa0, ..] => 1,
        // No-break; then en and em quads to the hair space, zero width, narrow no-break; ideographic; zero-width no-break.
        [0xc2, 0xa0, ..] => 2,
        [0xe2, 0x80, 0x80..=0x8b | 0xaf, ..] | [0xe3, 0x80, 0x80, ..] | [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// The place of the first blank outside ASCII in the text of a symbol.
#[must_use]
pub fn find_odd_blank(text: &[u8]) -> Option<usize> {
    let is_blank = |at: &usize| odd_blank(&text[*at..]) > 0;
    match std::str::from_utf8(text) {
        Ok(characters) => characters.char_indices().map(|(at, _)| at).find(is_blank),
        // One byte makes the whole symbol Latin-1: no two bytes of it are a character of UTF-8.
        Err(_) => (0..text.len()).find(is_blank),
    }
}

/// Whether a text contains an invisible character other than white space.
#[must_use]
pub fn has_unseen(bytes: &[u8]) -> bool {
    decode(bytes)
        .0
        .contains(|c: char| is_unseen(c) && !matches!(c, '\n' | '\r' | '\t' | '\u{b}'))
}

/// Unusual properties of the bytes of a string or comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Oddities(u8);

impl Oddities {
    const CONTROL: u8 = 1;
    const HIGH: u8 = 2;

    /// Finds them in one pass over the bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(
            bytes
                .iter()
                .fold(0, |found, b| found | ODD[usize::from(*b)]),
        )
    }

    /// Whether there is a control character, other than white space.
    #[must_use]
    pub const fn control(self) -> bool {
        self.0 & Self::CONTROL != 0
    }

    /// Whether there is a byte outside ASCII.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf8_is_latin1() {
        assert_eq!(decode("Réti".as_bytes()), (Cow::Borrowed("Réti"), false));
        assert_eq!(decode(b"R\xe9ti"), (Cow::Borrowed("Réti"), true));
        assert_eq!(
            [
                written_length("Réti".as_bytes()),
                written_length(b"R\xe9ti")
            ],
            [5, 5]
        );
    }
}
