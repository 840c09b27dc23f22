//! Records as JSON, one object a game, losing nothing but white space.
//!
//! Elements stand in a flat list in the order of the text, what opens and what closes apart, so that
//! no reader has to recurse as deep as the record does.

use crate::{
    encoding::decode,
    header::{escape, unescape_into},
    lex::{Part, Prose},
    parse::{Event, Open, Parser},
    referee::Canonical,
};
use serde::{Deserialize, Serialize};
use std::{
    borrow::Cow,
    fmt::{self, Write},
    io::Read,
};

/// One element of a record; one of its fields, or two where the second belongs to the first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Element<'a> {
    /// A tag pair: name and value.
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<(Cow<'a, str>, Cow<'a, str>)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<Cow<'a, str>>,
    /// With `ply`: the move in coordinates, where it was found legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    coord: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suffix: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    glyphs: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nag: Option<Cow<'a, str>>,
    /// `{…}`
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<Cow<'a, str>>,
    /// `;…`
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Cow<'a, str>>,
    /// `%…`
    #[serde(skip_serializing_if = "Option::is_none")]
    escape: Option<Cow<'a, str>>,
    /// With a text that comes in pieces: whether the next element goes on with it.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<Bracket>,
    /// With `open` of a sub-game: its square.
    #[serde(skip_serializing_if = "Option::is_none")]
    square: Option<Cow<'a, str>>,
    /// With `open` of an action: its verb.
    #[serde(skip_serializing_if = "Option::is_none")]
    verb: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    close: Option<Bracket>,
    /// The board of a turn's next item.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Cow<'a, str>>,
    /// Text that could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<Cow<'a, str>>,
}

/// What opens and closes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Bracket {
    Rav,
    Subgame,
    Turn,
    Action,
}

impl From<Open> for Bracket {
    fn from(open: Open) -> Self {
        match open {
            Open::Rav => Self::Rav,
            Open::Subgame => Self::Subgame,
            Open::Turn => Self::Turn,
            Open::Action => Self::Action,
        }
    }
}

impl<'a> Element<'a> {
    /// The element that an event of a record is, if it is one. `canonical` is the referee's spelling of
    /// a legal ply.
    pub fn of<R: Read>(event: Event, canonical: Option<Canonical>, parser: &'a Parser<R>) -> Option<Self> {
        let text = Some(decode(parser.text(parser.place().span)).0);
        let none = Self::default();
        Some(match event {
            Event::Tag => {
                let tag = parser.lexer().tag();
                let mut value = Vec::new();
                unescape_into(parser.text(tag.value), &mut value);
                let value = decode(&value).0.into_owned().into();
                Self { tag: Some((decode(parser.text(tag.name)).0, value)), ..none }
            }
            Event::Number => Self { number: text, ..none },
            Event::Ply => {
                let coord = canonical.map(|ply| ply.coordinates.to_string().into());
                Self { ply: text, coord, ..none }
            }
            Event::Suffix => Self { suffix: text, ..none },
            Event::Glyphs => Self { glyphs: text, ..none },
            Event::Nag => Self { nag: text, ..none },
            Event::Prose(prose, Part { last, .. }) => {
                let none = Self { more: !last, ..none };
                match prose {
                    Prose::Brace => Self { comment: text, ..none },
                    Prose::Line => Self { line: text, ..none },
                    Prose::Escape => Self { escape: text, ..none },
                }
            }
            Event::RavOpen => Self { open: Some(Bracket::Rav), ..none },
            Event::RavClose => Self { close: Some(Bracket::Rav), ..none },
            Event::SubgameOpen => Self { open: Some(Bracket::Subgame), square: text, ..none },
            Event::TurnOpen => Self { open: Some(Bracket::Turn), ..none },
            Event::Address => Self { board: text, ..none },
            Event::ActionOpen(verb) => {
                Self { open: Some(Bracket::Action), verb: Some(verb.word().into()), ..none }
            }
            Event::Argument => Self { argument: text, ..none },
            Event::BlockClose(open) => Self { close: Some(open.into()), ..none },
            Event::Result => Self { result: text, ..none },
            Event::Unread => Self { unread: text, ..none },
            Event::Begin | Event::Fault(_) | Event::End | Event::Done => return None,
        })
    }
}

/// A game as JSON holds it; what a referee said of it is not needed to write it again.
#[derive(Deserialize)]
struct JsonGame<'a> {
    #[serde(borrow)]
    elements: Vec<Element<'a>>,
}

/// Why a line of JSON is no game.
#[derive(Debug, thiserror::Error)]
pub enum JsonFault {
    /// It is no JSON, or not of this form.
    #[error("{0}")]
    Form(#[from] serde_json::Error),
    /// An element that cannot be written.
    #[error("element {0}: {1}")]
    Element(usize, &'static str),
}

/// Turns a line of JSON into the text of a record, not yet in canonical form.
///
/// # Errors
/// What is wrong with the line.
pub fn record_text(line: &str) -> Result<String, JsonFault> {
    let game: JsonGame<'_> = serde_json::from_str(line)?;
    let mut text = String::with_capacity(line.len());
    let mut continued = false;
    for (index, element) in game.elements.iter().enumerate() {
        if let Some(fault) = element.fault() {
            return Err(JsonFault::Element(index + 1, fault));
        }
        // Memory can be written.
        let _ = element.write(&mut text, continued);
        continued = element.more;
    }
    text.push_str("\n\n");
    Ok(text)
}

impl Element<'_> {
    /// Why it would be read as something else.
    fn fault(&self) -> Option<&'static str> {
        let has =
            |text: &Option<Cow<'_, str>>, mark: char| text.as_ref().is_some_and(|text| text.contains(mark));
        let words = [
            &self.number,
            &self.ply,
            &self.suffix,
            &self.glyphs,
            &self.nag,
            &self.square,
            &self.verb,
            &self.board,
            &self.argument,
            &self.result,
        ];
        if has(&self.comment, '}') {
            return Some("a comment holds no `}`");
        }
        if has(&self.line, '\n') || has(&self.escape, '\n') {
            return Some("a line comment holds no line break");
        }
        let spaced = |text: &Cow<'_, str>| text.is_empty() || text.contains(char::is_whitespace);
        if words.into_iter().flatten().any(spaced) {
            return Some("a word of the movetext is not empty and holds no space");
        }
        let name = |(name, _): &(Cow<'_, str>, Cow<'_, str>)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        self.tag.as_ref().filter(|tag| !name(tag)).map(|_| "the name of a tag holds letters, digits and `_`")
    }

    fn write(&self, out: &mut String, continued: bool) -> fmt::Result {
        if let Some((name, value)) = &self.tag {
            return writeln!(out, "[{name} \"{}\"]", escape(value));
        }
        if let Some(comment) = &self.comment {
            let (open, close) = (if continued { "" } else { " {" }, if self.more { "" } else { "} " });
            return write!(out, "{open}{comment}{close}");
        }
        for (prose, open) in [(&self.line, " ;"), (&self.escape, "\n%")] {
            if let Some(prose) = prose {
                let (open, close) = (if continued { "" } else { open }, if self.more { "" } else { "\n" });
                return write!(out, "{open}{prose}{close}");
            }
        }
        match (self.open, self.close) {
            (Some(Bracket::Rav), _) => return out.write_str(" ("),
            (Some(Bracket::Turn), _) => return out.write_str(" <"),
            (Some(Bracket::Subgame), _) => {
                return writeln!(out, " <{}:", self.square.as_deref().unwrap_or(""));
            }
            (Some(Bracket::Action), _) => return write!(out, " <{} ", self.verb.as_deref().unwrap_or("")),
            (_, Some(Bracket::Rav)) => return out.write_str(") "),
            (_, Some(_)) => return out.write_char('>'),
            _ => {}
        }
        if let Some(board) = &self.board {
            return write!(out, " {board}.");
        }
        if let Some(suffix) = &self.suffix {
            return write!(out, "{suffix} ");
        }
        let words =
            [&self.number, &self.ply, &self.glyphs, &self.nag, &self.argument, &self.result, &self.unread];
        words.into_iter().flatten().try_for_each(|word| write!(out, "{}{word}", separator(out)))
    }
}

/// What stands between the text so far and the next word: nothing behind the address of a board.
fn separator(text: &str) -> &'static str {
    let bytes = text.as_bytes();
    let addressed = bytes.len() > 3
        && bytes.ends_with(b".")
        && bytes[bytes.len() - 2].is_ascii_digit()
        && bytes[bytes.len() - 3].is_ascii_uppercase();
    if addressed { "" } else { " " }
}
