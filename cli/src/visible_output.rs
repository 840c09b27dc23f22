//! The door to standard output: everything written there for people and programs passes through it, and no invisible
//! character comes out raw, wherever it came from.

use overboard_formats::foreign::{is_unseen, visible};
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// A stream that lets no control, bidirectional or invisible character pass raw.
///
/// Commands make foreign text visible where they write it, since only there it is known what is foreign. This is a
/// second check of everything: line ends and tabs pass, the joiners of Persian and Indic words, and colours where they
/// are allowed.
pub struct VisibleOutput<W: Write> {
    inner: W,
    lets: Lets,
    /// The beginning of a character or of a colour whose end has not been written yet.
    waiting: Vec<u8>,
}

/// What a door lets through unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lets {
    /// Visible text.
    Text,
    /// That, and colours.
    Colours,
    /// Every byte: records and pictures that go to a file or another program.
    All,
}

impl<W: Write> VisibleOutput<W> {
    /// A door in front of a stream.
    pub const fn new(inner: W, lets: Lets) -> Self {
        Self {
            inner,
            lets,
            waiting: Vec::new(),
        }
    }

    /// Writes these bytes made visible, and keeps an incomplete character or colour at their end.
    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        let whole = if self.waiting.is_empty() {
            Cow::Borrowed(bytes)
        } else {
            self.waiting.extend_from_slice(bytes);
            Cow::Owned(std::mem::take(&mut self.waiting))
        };
        let colours = self.lets == Lets::Colours;
        let cut = whole.len() - begun(&whole, colours);
        self.waiting.extend_from_slice(&whole[cut..]);
        self.inner.write_all(fit(&whole[..cut], colours).as_bytes())
    }
}

impl<W: Write> Write for VisibleOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Without an early exit from the loop, many bytes are compared together.
        let plain = |plain, byte: &u8| plain & matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        if self.lets == Lets::All || self.waiting.is_empty() && bytes.iter().fold(true, plain) {
            return self.inner.write(bytes);
        }
        self.pass(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<W: Write> Drop for VisibleOutput<W> {
    fn drop(&mut self) {
        let rest = std::mem::take(&mut self.waiting);
        let _ = self
            .inner
            .write_all(visible(&String::from_utf8_lossy(&rest)).as_bytes());
    }
}

/// The longest colour there is: `ESC [ 38;2;255;255;255 m`.
const COLOUR: usize = 24;

/// How many bytes at the end are the beginning of a character or of a colour.
fn begun(bytes: &[u8], colours: bool) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(COLOUR)..];
    if let (true, Some(at)) = (colours, tail.iter().rposition(|byte| *byte == 0x1b)) {
        let body = tail.get(at + 1..).unwrap_or_default();
        let is_begun = body.is_empty() || body[0] == b'[' && body[1..].iter().all(is_of_colour);
        if is_begun {
            return tail.len() - at;
        }
    }
    if bytes.ends_with(b"\r") {
        return 1;
    }
    match std::str::from_utf8(&bytes[bytes.len().saturating_sub(4)..]) {
        // If the window begins inside a character, the error is at its beginning and has a length.
        Err(_) => (1..=bytes.len().min(3))
            .find(|count| is_begun(&bytes[bytes.len() - count..]))
            .unwrap_or(0),
        Ok(_) => 0,
    }
}

/// Whether these bytes are the beginning of one character.
fn is_begun(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

const fn is_of_colour(byte: &u8) -> bool {
    matches!(byte, b'0'..=b'9' | b';')
}

/// Text made visible: what cannot be seen is written as `\u{…}`, except for what the door lets through.
fn fit(bytes: &[u8], colours: bool) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    let is_kept = |c: char| matches!(c, '\n' | '\t' | '\u{200c}' | '\u{200d}') || !is_unseen(c);
    if text.chars().all(is_kept) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = &*text;
    while let Some(c) = rest.chars().next() {
        let colour = if colours { colour(rest) } else { 0 };
        let next = colour.max(c.len_utf8());
        if colour > 0 || is_kept(c) || rest.starts_with("\r\n") {
            out.push_str(&rest[..next]);
        } else {
            out.extend(c.escape_unicode());
        }
        rest = &rest[next..];
    }
    Cow::Owned(out)
}

/// The length of the colour at the beginning of a text in bytes, or 0.
fn colour(text: &str) -> usize {
    let Some(body) = text.strip_prefix("\u{1b}[") else {
        return 0;
    };
    let digits = body.bytes().take_while(is_of_colour).count();
    if body[digits..].starts_with('m') && digits < COLOUR - 2 {
        digits + 3
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes out of these pieces.
    fn through(pieces: &[&[u8]], colours: bool) -> String {
        let mut out = Vec::new();
        let mut door =
            VisibleOutput::new(&mut out, if colours { Lets::Colours } else { Lets::Text });
        for piece in pieces {
            door.write_all(piece).unwrap();
        }
        drop(door);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn nothing_that_cannot_be_seen_comes_out_raw() {
        let raw = "a\u{1b}]0;title\u{7}\r\u{8}\u{7f}\u{9b}2J\u{202e}\u{200b}\u{2028}Łódź ♘\tb\n"
            .as_bytes();
        let shown = "a\\u{1b}]0;title\\u{7}\\u{d}\\u{8}\\u{7f}\\u{9b}2J\\u{202e}\\u{200b}\\u{2028}Łódź ♘\tb\n";
        for cut in 0..=raw.len() {
            let (one, other) = raw.split_at(cut);
            assert_eq!(through(&[one, other], false), shown, "{cut}");
            assert_eq!(through(&[one, other], true), shown, "{cut}");
        }
        let single: Vec<_> = raw.chunks(1).collect();
        assert_eq!(through(&single, true), shown);
    }

    #[test]
    fn colours_pass_where_there_are_any() {
        let text = "\u{1b}[1m\u{1b}[31mwrong\u{1b}[0m\n".as_bytes();
        for cut in 0..=text.len() {
            let (one, other) = text.split_at(cut);
            assert_eq!(through(&[one, other], true).as_bytes(), text, "{cut}");
            assert!(!through(&[one, other], false).contains('\u{1b}'), "{cut}");
        }
        for other in [
            "\u{1b}[2J",
            "\u{1b}[31",
            "\u{1b}",
            "\u{1b}[?25l",
            "\u{1b}]8;;x\u{1b}\\",
        ] {
            assert!(
                !through(&[other.as_bytes()], true).contains('\u{1b}'),
                "{other:?}"
            );
        }
        let long = format!("\u{1b}[{}m", "1;".repeat(40));
        assert!(!through(&[long.as_bytes()], true).contains('\u{1b}'));
    }

    #[test]
    fn line_ends_pass_and_no_other_returns() {
        assert_eq!(
            through(&[b"a\r", b"\nb\r", b"c\r\n\r"], false),
            "a\r\nb\\u{d}c\r\n\\u{d}"
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_no_text() {
        assert_eq!(
            through(&[b"a\xffb\xe2\x80", b"\xae|\xe2\x80"], false),
            "a\u{fffd}b\\u{202e}|\u{fffd}"
        );
    }
}
