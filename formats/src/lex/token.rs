//! The kinds of tokens.

use crate::span::{Span, TextSpan};

/// Text without structure: a comment or an escape line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prose {
    /// `{…}`.
    Brace,
    /// `;` to the end of the line.
    Line,
    /// `%` in the first column, to the end of the line.
    Escape,
}

/// Which part of a long text a token is; a short text is first and last at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// The text begins here.
    pub first: bool,
    /// The text ends here.
    pub last: bool,
}

impl Part {
    /// A whole text in one token.
    pub const WHOLE: Self = Self {
        first: true,
        last: true,
    };
}

/// What a symbol begins with, which is enough to recognise most plies without reading their text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lead {
    /// A letter, so it cannot be a result.
    Letter,
    /// A digit, or `½`, which is not in ASCII: it may be a result.
    Figure,
}

impl Lead {
    #[inline]
    pub(super) const fn of(first: u8) -> Self {
        if first.is_ascii_digit() || first >= 0x80 {
            Self::Figure
        } else {
            Self::Letter
        }
    }
}

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
// `repr(u8)`: a separate discriminant is read faster than one packed into a niche of the variants' fields.
#[repr(u8)]
pub enum Kind {
    /// Letters, digits and what may occur between them: a move, a result, an address.
    Symbol(Lead),
    /// `12.`, `12...`, `12A.`: digits, board letters and dots.
    Number,
    /// Dots without a number before them.
    Dots,
    /// `--`.
    Dashes,
    /// `$5`.
    Nag,
    /// A sequence of `!` and `?`.
    Glyphs,
    /// `+`, `#` and other signs that stand alone.
    Sign,
    /// `ep` or `e.p.`.
    EnPassant,
    /// `*`.
    Star,
    /// `:`.
    Colon,
    /// `<`.
    Less,
    /// `>`.
    Greater,
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// A comment or an escape line; the token is the text between its marks.
    Prose(Prose, Part),
    /// A brace comment that never closes; the token is as much of it as belongs to this record.
    Unclosed(Part),
    /// `[Name "value"]`, with its parts in [`Lexer::tag`](super::Lexer::tag).
    Tag,
    /// Something that begins like a tag pair but is not one.
    BadTag(TagFault),
    /// `}` outside a comment.
    Brace,
    /// `]` outside a tag pair.
    Bracket,
    /// Control characters, or a blank outside ASCII.
    Control,
    /// Characters that have no meaning here.
    Strange,
    /// A symbol longer than the limit.
    LongSymbol,
    /// Not text but another format, such as a compressed file.
    NotText(NotText),
    /// The end of the text.
    End,
}

/// The format of a file that does not begin with text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NotText {
    /// UTF-16, which is not made of ASCII bytes.
    Utf16,
    /// Packed by gzip.
    Gzip,
    /// Packed by zip.
    Zip,
    /// Packed by Zstandard.
    Zstd,
    /// Packed by bzip2.
    Bzip2,
    /// Packed by xz.
    Xz,
    /// Packed by 7-Zip.
    SevenZip,
    /// JSON, such as a ledger.
    Json,
    /// HTML or XML, such as a web page that was saved in place of the games on it.
    Markup,
    /// Bytes of a program, a picture or the like.
    Binary,
    /// Only control characters, such as the zero bytes that a power cut leaves.
    Blank,
    /// Only remarks, without a tag or a move.
    Remarks,
}

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

impl NotText {
    /// The number of bytes at the beginning of a file that are enough to recognise its format.
    pub const HEAD: usize = 64;

    /// The format of a file with these first bytes; `None` for text.
    #[must_use]
    pub fn of(head: &[u8]) -> Option<Self> {
        Some(match head.strip_prefix(MARK).unwrap_or(head) {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Self::Utf16,
            [0, b, 0, c, ..] | [b, 0, c, 0, ..] if *b != 0 && *c != 0 => Self::Utf16,
            [0x1f, 0x8b, ..] => Self::Gzip,
            [b'P', b'K', 3, 4, ..] => Self::Zip,
            // A frame of data, or one to be skipped, which some programs write first.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            // A block of data, or the end, which alone makes an empty file.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, ..] => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Self::SevenZip,
            head if is_json(head) => Self::Json,
            head if is_markup(head) => Self::Markup,
            head if is_binary(head) => Self::Binary,
            _ => return None,
        })
    }

    /// What the file is, and what the user can do about it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Utf16 => "the text is UTF-16; NPGN is UTF-8 (save or convert it as UTF-8)",
            Self::Gzip => {
                "this file is compressed with gzip; unpack it first (`gzip -dc FILE | overboard check -`)"
            }
            Self::Zip => {
                "this file is compressed with zip; unpack it first (`unzip -p FILE | overboard check -`)"
            }
            Self::Zstd => {
                "this file is compressed with Zstandard; unpack it first (`zstd -dc FILE | overboard check -`)"
            }
            Self::Bzip2 => {
                "this file is compressed with bzip2; unpack it first (`bzip2 -dc FILE | overboard check -`)"
            }
            Self::Xz => {
                "this file is compressed with xz; unpack it first (`xz -dc FILE | overboard check -`)"
            }
            Self::SevenZip => {
                "this file is compressed with 7-Zip; unpack it first (`7z x -so FILE | overboard check -`)"
            }
            Self::Json => {
                "this file is JSON, not a game record (`overboard ledger FILE` reads a ledger, `overboard convert --from plies FILE` rows of moves)"
            }
            Self::Markup => {
                "this file is HTML or XML, such as a saved web page, not a game record; save the games themselves as PGN"
            }
            Self::Binary => "this file is not text",
            Self::Blank => "control characters and no text: nothing here can be read",
            Self::Remarks => "nothing but comments: there is neither a tag nor a move",
        }
    }
}

/// Whether these bytes begin JSON: a brace with a key and its colon, which nobody writes at the beginning of a comment.
fn is_json(head: &[u8]) -> bool {
    let inside = head
        .trim_ascii_start()
        .strip_prefix(b"[")
        .unwrap_or(head)
        .trim_ascii_start();
    let key = inside
        .strip_prefix(b"{")
        .and_then(|rest| rest.trim_ascii_start().strip_prefix(b"\""));
    let end = key.and_then(|key| key.iter().position(|byte| matches!(byte, b'"' | b'\n')));
    key.zip(end)
        .is_some_and(|(key, end)| key[end..].starts_with(b"\":"))
}

/// Whether HTML or XML begins so. No record does: after a `<` comes a square, an address or a verb.
fn is_markup(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    let begins = |word: &[u8]| {
        head.get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    [&b"<!doctype"[..], b"<html", b"<?xml", b"<svg"]
        .into_iter()
        .any(begins)
}

/// Whether these bytes begin a binary file. A single control character is a slip, and zero bytes before or after the
/// text are left by a power cut, but several in the middle are neither.
fn is_binary(head: &[u8]) -> bool {
    const MANY: usize = 4;
    let is_visible = |byte: &u8| !byte.is_ascii_control() && *byte != b' ';
    let ends = head
        .iter()
        .position(is_visible)
        .zip(head.iter().rposition(is_visible));
    let amid = ends.map_or(&[][..], |(first, last)| &head[first..last]);
    let is_white = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x0b);
    let controls = amid
        .iter()
        .filter(|byte| byte.is_ascii_control() && !is_white(byte));
    head.starts_with(b"%PDF-") || (controls.count() >= MANY && !begins_with_tag(head))
}

fn begins_with_tag(head: &[u8]) -> bool {
    let inside = head
        .trim_ascii_start()
        .strip_prefix(b"[")
        .unwrap_or_default();
    let name = inside
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    name > 0 && inside[name..].starts_with(b" \"")
}

/// What is wrong with a tag pair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TagFault {
    /// `[` is not followed by a name of letters, digits and `_`.
    Name,
    /// The value does not begin with `"`.
    Quote,
    /// The value does not end on its line.
    Unclosed,
    /// The value is not followed by `]`.
    Bracket,
    /// The value is longer than the limit.
    TooLong,
}

/// Name and value of the last [`Kind::Tag`], the value as written between its quotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TagSpans {
    /// The name.
    pub name: Span,
    /// The value, including its backslashes.
    pub value: Span,
    /// Whether `[` is in the first column; for a malformed pair, whether it begins a record there.
    pub at_line_start: bool,
    /// The place of a control character between its parts, if there is one.
    pub control: Option<TextSpan>,
}

#[cfg(test)]
mod tests {
    use super::NotText;

    #[test]
    fn a_file_that_begins_with_a_tag_is_text() {
        assert_eq!(NotText::of(b"[Date \"????\0\0\0\0\0\x014.??.??\"]\n"), None);
        assert_eq!(
            NotText::of(b"[Date ????\0\0\0\0\0\x014.??.??]\n"),
            Some(NotText::Binary)
        );
    }

    #[test]
    fn a_saved_web_page_is_recognised_and_a_block_is_text() {
        for page in [
            "<!DOCTYPE html>\n<html>",
            "\u{feff}\n <html lang=\"en\">",
            "<?xml version=\"1.0\"?>",
        ] {
            assert_eq!(
                NotText::of(page.as_bytes()),
                Some(NotText::Markup),
                "{page}"
            );
        }
        assert_eq!(NotText::of(b"<A2.e4 B2.e4>"), None);
        assert_eq!(NotText::of(b"<"), None);
    }
}
