//! The tags of a record and their escapes: in values between quotes, and in lists of names.
//!
//! ```
//! use overboard_formats::{header::{Header, Name, escape, escape_list, unescape_list}, span::TextSpan};
//!
//! let mut header = Header::default();
//! header.add(b"White", b"Ann", TextSpan::default());
//! assert_eq!(header.text(Name::White).as_deref(), Some("Ann"));
//!
//! assert_eq!(escape(r#"The "Immortal""#), r#"The \"Immortal\""#);
//! // A colon separates names in a list such as that of the tag White on linked boards.
//! assert_eq!(escape_list("Ann: B"), "Ann%3A B");
//! assert_eq!(unescape_list("Ann%3A B"), "Ann: B");
//! ```

use crate::{encoding::decode, span::TextSpan};
use std::{collections::HashSet, ops::Range};

/// Tags that have a meaning for the referee.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the tag of that name")]
pub enum Name {
    Event,
    Site,
    Date,
    Round,
    White,
    Black,
    Result,
    Variant,
    SetUp,
    Fen,
    Termination,
    TimeControl,
    PlyCount,
    Rules,
    Level,
    Boards,
    Score,
    WhiteCommander,
    BlackCommander,
    WhiteLieutenants,
    BlackLieutenants,
    Parent,
    WhiteElo,
    BlackElo,
    EventDate,
    UtcDate,
    Eco,
    Laws,
    WhiteA,
    BlackA,
    WhiteB,
    BlackB,
    WhiteAElo,
    BlackAElo,
    WhiteBElo,
    BlackBElo,
    DropAggression,
    PawnDropRanks,
    Promotion,
}

/// The Seven Tag Roster, in its order.
pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The same as names.
pub const ROSTER_NAMES: [Name; 7] = [
    Name::Event,
    Name::Site,
    Name::Date,
    Name::Round,
    Name::White,
    Name::Black,
    Name::Result,
];

const NAMES: usize = 39;

const NAMED: [(&str, Name); NAMES] = {
    use Name::*;
    [
        ("Event", Event),
        ("Site", Site),
        ("Date", Date),
        ("Round", Round),
        ("White", White),
        ("Black", Black),
        ("Result", Result),
        ("Variant", Variant),
        ("SetUp", SetUp),
        ("FEN", Fen),
        ("Termination", Termination),
        ("TimeControl", TimeControl),
        ("PlyCount", PlyCount),
        ("Rules", Rules),
        ("Level", Level),
        ("Boards", Boards),
        ("Score", Score),
        ("WhiteCommander", WhiteCommander),
        ("BlackCommander", BlackCommander),
        ("WhiteLieutenants", WhiteLieutenants),
        ("BlackLieutenants", BlackLieutenants),
        ("Parent", Parent),
        ("WhiteElo", WhiteElo),
        ("BlackElo", BlackElo),
        ("EventDate", EventDate),
        ("UTCDate", UtcDate),
        ("ECO", Eco),
        ("Laws", Laws),
        ("WhiteA", WhiteA),
        ("BlackA", BlackA),
        ("WhiteB", WhiteB),
        ("BlackB", BlackB),
        ("WhiteAElo", WhiteAElo),
        ("BlackAElo", BlackAElo),
        ("WhiteBElo", WhiteBElo),
        ("BlackBElo", BlackBElo),
        ("DropAggression", DropAggression),
        ("PawnDropRanks", PawnDropRanks),
        ("Promotion", Promotion),
    ]
};

impl Name {
    /// The tag with this name, if it has a meaning.
    #[must_use]
    pub fn of(name: &[u8]) -> Option<Self> {
        let (_, known) = NAMED.iter().find(|(known, _)| known.as_bytes() == name)?;
        Some(*known)
    }

    /// The tag as it is written.
    #[must_use]
    pub fn text(self) -> &'static str {
        NAMED[self as usize].0
    }
}

/// The name of a tag as it should be written: one that has a meaning is known in other capitals, too.
///
/// ```
/// use overboard_formats::header::spelt;
///
/// assert_eq!((spelt(b"result"), spelt(b"my_tag")), (&b"Result"[..], &b"my_tag"[..]));
/// ```
#[must_use]
pub fn spelt(name: &[u8]) -> &[u8] {
    let known = NAMED
        .iter()
        .find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name));
    known.map_or(name, |(known, _)| known.as_bytes())
}

/// The tags of one record; reused from record to record.
pub struct Header {
    text: Vec<u8>,
    slots: [Option<(Range<usize>, TextSpan)>; NAMES],
    others: Vec<Range<usize>>,
    seen: HashSet<Vec<u8>>,
}

impl Default for Header {
    fn default() -> Self {
        Self {
            text: Vec::new(),
            slots: [const { None }; NAMES],
            others: Vec::new(),
            seen: HashSet::new(),
        }
    }
}

/// Up to this many other tags are compared one by one; beyond that, their names are hashed.
const FEW: usize = 32;

impl Header {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.text.clear();
        self.slots.fill(None);
        self.others.clear();
        self.seen.clear();
    }

    /// Adds a tag, with its value as written between the quotes. Returns whether its name is new.
    pub fn add(&mut self, name: &[u8], value: &[u8], place: TextSpan) -> bool {
        let Some(known) = Name::of(name) else {
            return self.add_other(name);
        };
        let slot = &mut self.slots[known as usize];
        if slot.is_some() {
            return false;
        }
        let from = self.text.len();
        unescape_into(value, &mut self.text);
        *slot = Some((from..self.text.len(), place));
        true
    }

    /// Gives a tag another value, or adds it, as if it stood at this place: what the tags of another notation say.
    pub fn supply(&mut self, name: Name, value: &str, place: TextSpan) {
        let from = self.text.len();
        self.text.extend_from_slice(value.as_bytes());
        self.slots[name as usize] = Some((from..self.text.len(), place));
    }

    fn add_other(&mut self, name: &[u8]) -> bool {
        if self.others.len() >= FEW {
            if self.seen.is_empty() {
                self.seen.extend(
                    self.others
                        .iter()
                        .map(|range| self.text[range.clone()].to_vec()),
                );
            }
            return self.seen.insert(name.to_vec());
        }
        if self
            .others
            .iter()
            .any(|range| &self.text[range.clone()] == name)
        {
            return false;
        }
        let from = self.text.len();
        self.text.extend_from_slice(name);
        self.others.push(from..self.text.len());
        true
    }

    /// The value of a tag, decoded from UTF-8 or Latin-1; `None` if the record does not have it.
    #[must_use]
    pub fn text(&self, name: Name) -> Option<String> {
        self.bytes(name).map(|bytes| decode(bytes).0.into_owned())
    }

    /// The bytes of the value of a tag.
    #[must_use]
    pub fn bytes(&self, name: Name) -> Option<&[u8]> {
        self.slots[name as usize]
            .as_ref()
            .map(|(range, _)| &self.text[range.clone()])
    }

    /// Whether the record has a tag with this name, which must be one that has a meaning.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        Name::of(name.as_bytes()).is_some_and(|name| self.slots[name as usize].is_some())
    }

    /// The place of a tag.
    #[must_use]
    pub fn place(&self, name: Name) -> Option<TextSpan> {
        self.slots[name as usize].as_ref().map(|(_, place)| *place)
    }
}

/// Appends a tag value without the backslashes before `"` and `\`.
pub fn unescape_into(value: &[u8], into: &mut Vec<u8>) {
    if memchr::memchr(b'\\', value).is_none() {
        return into.extend_from_slice(value);
    }
    let mut bytes = value.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => match bytes.clone().next() {
                Some(escaped @ (b'"' | b'\\')) => {
                    into.push(*escaped);
                    bytes.next();
                }
                _ => into.push(b'\\'),
            },
            _ => into.push(*byte),
        }
    }
}

/// The byte offset of the character with this index, in a value as written between its quotes.
#[must_use]
pub fn locate(value: &[u8], character: usize) -> usize {
    let latin1 = std::str::from_utf8(value).is_err();
    let mut at = 0;
    for _ in 0..character {
        at += match &value[at.min(value.len())..] {
            [b'\\', b'"' | b'\\', ..] => 2,
            [_, rest @ ..] if !latin1 => 1 + rest.iter().take_while(|b| **b & 0xc0 == 0x80).count(),
            _ => 1,
        };
    }
    at.min(value.len())
}

/// Whether a word can be the name of a tag: it has letters, digits and underscores.
#[must_use]
pub fn is_tag_name(word: &str) -> bool {
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !word.is_empty() && word.bytes().all(is_inside)
}

/// A tag value with the backslashes that PGN requires.
#[must_use]
pub fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"")
}

/// A name as it is written in a list: characters that would end it become escapes such as `%3A`.
#[must_use]
pub fn escape_list(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            ':' | '=' | ',' | '"' | ']' | '}' | '\\' | '%' => {
                text += &format!("%{:02X}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text
}

/// A name from a list, with escapes such as `%3A` decoded.
#[must_use]
pub fn unescape_list(name: &str) -> String {
    let mut parts = name.split('%');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.get(..2).and_then(escaped) {
            Some(code) => {
                text.push(char::from(code));
                text.push_str(&part[2..]);
            }
            None => text.extend(["%", part]),
        }
    }
    text
}

/// The ASCII character for two hexadecimal digits after `%`.
#[must_use]
pub fn escaped(digits: &str) -> Option<u8> {
    let are_digits = digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    u8::from_str_radix(digits, 16)
        .ok()
        .filter(|code| are_digits && code.is_ascii())
}

/// Whether two names are those of one person: white space around them and case are ignored.
#[must_use]
pub fn same_name(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_tags_counts() {
        let mut header = Header::default();
        assert!(header.add(b"White", br#"Ann \"the\" \\ rook"#, TextSpan::default()));
        assert!(!header.add(b"White", b"Bob", TextSpan::default()));
        assert_eq!(
            header.text(Name::White).as_deref(),
            Some(r#"Ann "the" \ rook"#)
        );
        for n in 0..100 {
            assert!(header.add(format!("Tag{n}").as_bytes(), b"", TextSpan::default()));
            assert!(!header.add(format!("Tag{}", n / 2).as_bytes(), b"", TextSpan::default()));
        }
    }
}
