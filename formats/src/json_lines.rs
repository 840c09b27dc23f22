//! Records as JSON Lines: one object for each game, on one line, which loses nothing but white space.
//!
//! Its `elements` are a flat list in the order of the text. Opening and closing brackets are separate elements, so that
//! no reader has to recurse as deep as the record does.
//!
//! ```
//! use overboard_formats::json_lines::record_text;
//!
//! let line = r#"{"elements":[{"tag":["Event","Cup"]},{"ply":"e4"},{"result":"*"}]}"#;
//! let text = record_text(line).unwrap();
//! assert!(text.starts_with("[Event \"Cup\"]"));
//! assert_eq!(text.split_whitespace().last(), Some("*"));
//! ```

use crate::{
    canonical::Canonical,
    encoding::decode,
    header::{escape, is_tag_name},
    lex::{Part, Prose},
    parse::{Event, Open, Parser},
};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::{
    borrow::Cow,
    fmt::{self, Write},
};

/// An element of a record. It has one of these fields, plus those described as belonging to it ("with …").
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Element<'a> {
    /// A tag pair: name and value.
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<(Cow<'a, str>, Cow<'a, str>)>,
    /// A move number with its dots: `1.`, `1...`, `12A.`.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<Cow<'a, str>>,
    /// A move as it is written, without `!` and `?`; `--` is a pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<Cow<'a, str>>,
    /// With `ply`, if it is legal: the move in coordinates.
    #[serde(skip_serializing_if = "Option::is_none")]
    coord: Option<Cow<'a, str>>,
    /// `+` or `#` after a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    suffix: Option<Cow<'a, str>>,
    /// `!` and `?` after a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    glyphs: Option<Cow<'a, str>>,
    /// A numeric annotation, such as `$1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    nag: Option<Cow<'a, str>>,
    /// A comment in braces, commands included.
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<Cow<'a, str>>,
    /// A comment from `;` to the end of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Cow<'a, str>>,
    /// A line that begins with `%`.
    #[serde(skip_serializing_if = "Option::is_none")]
    escape: Option<Cow<'a, str>>,
    /// With `comment`, `line` or `escape`: whether the next element continues the text. In the last element of a game
    /// it means that the text is never closed.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    more: bool,
    /// What opens.
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<Open>,
    /// With `open` of a sub-game: its square.
    #[serde(skip_serializing_if = "Option::is_none")]
    square: Option<Cow<'a, str>>,
    /// With `open` of an action: `prisoners`, `consolidate` or `reserve`.
    #[serde(skip_serializing_if = "Option::is_none")]
    verb: Option<Cow<'a, str>>,
    /// What closes.
    #[serde(skip_serializing_if = "Option::is_none")]
    close: Option<Open>,
    /// The board of the next item of a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Cow<'a, str>>,
    /// An argument of an action.
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<Cow<'a, str>>,
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Cow<'a, str>>,
    /// Text that could not be read, as it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<Cow<'a, str>>,
}

impl<'a> Element<'a> {
    /// The element for an event of a record, if there is one. `canonical` is the referee's spelling of a legal ply.
    pub fn of(event: Event, canonical: Option<Canonical>, parser: &'a Parser<'_>) -> Option<Self> {
        let text = Some(decode(parser.text(parser.place().span)).0);
        let mut element = Self::default();
        match event {
            Event::Tag => {
                element.tag = Some((decode(parser.tag_name()).0, parser.tag_value().into()));
            }
            Event::Number => element.number = text,
            Event::Ply => {
                element.ply = text;
                element.coord = canonical.map(|ply| ply.in_full().to_string().into());
            }
            Event::Suffix => element.suffix = text,
            Event::Glyphs => element.glyphs = text,
            Event::Nag => element.nag = text,
            Event::Prose(prose, Part { last, .. }) => {
                element.more = !last;
                match prose {
                    Prose::Brace => element.comment = text,
                    Prose::Line => element.line = text,
                    Prose::Escape => element.escape = text,
                }
            }
            Event::RavOpen => element.open = Some(Open::Rav),
            Event::RavClose => element.close = Some(Open::Rav),
            Event::SubgameOpen => {
                element.open = Some(Open::Subgame);
                element.square = text;
            }
            Event::TurnOpen => element.open = Some(Open::Turn),
            Event::Address => element.board = text,
            Event::ActionOpen(verb) => {
                element.open = Some(Open::Action);
                element.verb = Some(verb.word().into());
            }
            Event::Argument => element.argument = text,
            Event::BlockClose(open) => element.close = Some(open),
            Event::Result => element.result = text,
            Event::UnderWay => element.result = Some("*".into()),
            Event::Unread => element.unread = text,
            Event::Begin | Event::Fault(_) | Event::End | Event::Done => return None,
        }
        Some(element)
    }

    /// Whether the next element continues its text.
    #[must_use]
    pub const fn goes_on(&self) -> bool {
        self.more
    }

    /// The same text, marked as never closed. The white space at its end belongs to the layout of the text that ends there.
    #[must_use]
    pub fn unclosed(self) -> Self {
        let comment = self
            .comment
            .map(|comment| comment.trim_end().to_owned().into());
        Self {
            comment,
            more: true,
            ..self
        }
    }
}

/// Why a line of JSON is not a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}")]
pub struct JsonLineError {
    /// The index of the byte where this was noticed.
    pub at: usize,
    /// What is wrong.
    pub what: String,
}

impl From<serde_json::Error> for JsonLineError {
    fn from(error: serde_json::Error) -> Self {
        let what = error.to_string();
        // The message of serde_json ends with line and column. There is only one line, and `at` has the column.
        let end = match what.rfind(" at line ") {
            Some(end) if error.line() > 0 => end,
            _ => what.len(),
        };
        let format = if error.is_syntax() || error.is_eof() {
            "this is not JSON: "
        } else {
            ""
        };
        Self {
            at: error.column().saturating_sub(1),
            what: format!("{format}{}", &what[..end]),
        }
    }
}

/// Converts a line of JSON to the text of a record, not yet in canonical form. Only one element is held in memory at a
/// time.
///
/// # Errors
/// What is wrong with the line.
pub fn record_text(line: &str) -> Result<String, JsonLineError> {
    let mut text = RecordText {
        text: String::with_capacity(line.len() / 2),
        ..RecordText::default()
    };
    let mut json = serde_json::Deserializer::from_str(line);
    (&mut json).deserialize_map(Game(&mut text))?;
    json.end()?;
    text.text.push_str("\n\n");
    Ok(text.text)
}

/// A game in JSON. The referee's verdict is skipped, since it is not needed to write the record.
struct Game<'t>(&'t mut RecordText);

impl<'de> Visitor<'de> for Game<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the `elements` of a game")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut found = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "elements" if found => return Err(A::Error::duplicate_field("elements")),
                "elements" => {
                    map.next_value_seed(Elements(&mut *self.0))?;
                    found = true;
                }
                "lost" => {
                    if let Some(lost) = map.next_value::<Option<String>>()? {
                        return Err(A::Error::custom(format!(
                            "some of the record was lost: {lost}"
                        )));
                    }
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if found {
            Ok(())
        } else {
            Err(A::Error::missing_field("elements"))
        }
    }
}

struct Elements<'t>(&'t mut RecordText);

impl<'de> DeserializeSeed<'de> for Elements<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Elements<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of elements")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut count = 0;
        while let Some(element) = list.next_element::<Element<'de>>()? {
            count += 1;
            if let Some(fault) = element.fault() {
                return Err(A::Error::custom(format!("element {count}: {fault}")));
            }
            // Writing to a `String` cannot fail.
            let _ = self.0.push(&element);
        }
        if count == 0 {
            Err(A::Error::custom("a game has at least one element"))
        } else {
            Ok(())
        }
    }
}

impl Element<'_> {
    /// Why the element, written as text, would be read back as something else.
    fn fault(&self) -> Option<&'static str> {
        let texts = [
            &self.number,
            &self.ply,
            &self.suffix,
            &self.glyphs,
            &self.nag,
            &self.board,
            &self.argument,
            &self.result,
            &self.comment,
            &self.line,
            &self.escape,
            &self.unread,
        ];
        let count = texts.iter().filter(|text| text.is_some()).count()
            + usize::from(self.tag.is_some())
            + usize::from(self.open.is_some())
            + usize::from(self.close.is_some());
        let is_text = self.comment.is_some() || self.line.is_some() || self.escape.is_some();
        let has = |text: &Option<Cow<'_, str>>, marks: &[char]| {
            text.as_ref().is_some_and(|text| text.contains(marks))
        };
        let words = || {
            texts[..8]
                .iter()
                .copied()
                .chain([&self.square, &self.verb])
                .flatten()
        };
        let is_word = |text: &str| {
            !text.is_empty()
                && !text
                    .contains(|c: char| c.is_ascii_whitespace() || "\u{b}{}()<>[];\"".contains(c))
        };
        Some(match &self.tag {
            _ if self.coord.is_some() && self.ply.is_none() => "`coord` belongs to a `ply`",
            _ if self.more && !is_text => "`more` belongs to a `comment`, a `line` or an `escape`",
            _ if count == 0 => "it says nothing",
            _ if count > 1 => "it says more than one thing",
            _ if self.square.is_some() != (self.open == Some(Open::Subgame)) => {
                "a `square` belongs to the opening of a `subgame`, which must have one"
            }
            _ if self.verb.is_some() != (self.open == Some(Open::Action)) => {
                "a `verb` belongs to the opening of an `action`, which must have one"
            }
            _ if has(&self.comment, &['}']) => "a comment holds no `}`",
            _ if has(&self.line, &['\n']) || has(&self.escape, &['\n']) => {
                "a comment to the end of the line holds no line break"
            }
            _ if !words().all(|word| is_word(word)) => {
                "a word of the movetext is not empty and holds no space, bracket, `;` or quotation mark"
            }
            Some((name, _)) if !is_tag_name(name) => {
                "the name of a tag holds letters, digits and `_`"
            }
            Some((_, value)) if value.contains('\n') => "the value of a tag holds no line break",
            _ => return None,
        })
    }
}

/// A record in the making.
#[derive(Default)]
struct RecordText {
    text: String,
    /// Whether the previous element is continued.
    continued: bool,
    /// Whether the address of a board was written last.
    addressed: bool,
}

impl RecordText {
    fn push(&mut self, element: &Element<'_>) -> fmt::Result {
        let continued = std::mem::replace(&mut self.continued, element.more);
        let addressed = std::mem::replace(&mut self.addressed, element.board.is_some());
        let is_item =
            element.ply.is_some() || element.result.is_some() || element.open == Some(Open::Turn);
        let space = if addressed && is_item { "." } else { " " };
        let out = &mut self.text;
        if let Some((name, value)) = &element.tag {
            // At the start of a line, the tag Event would begin another record.
            let space = if out.is_empty() { "" } else { " " };
            return writeln!(out, "{space}[{name} \"{}\"]", escape(value));
        }
        for (text, open, close) in [
            (&element.comment, " {", "} "),
            (&element.line, " ;", "\n"),
            (&element.escape, "\n%", "\n"),
        ] {
            if let Some(text) = text {
                let (open, close) = (
                    if continued { "" } else { open },
                    if element.more { "" } else { close },
                );
                return write!(out, "{open}{text}{close}");
            }
        }
        let part = |part: &Option<Cow<'_, str>>| part.as_deref().unwrap_or("").to_string();
        match (element.open, element.close) {
            (Some(Open::Rav), _) => return out.write_str(" ("),
            (Some(Open::Turn), _) => return write!(out, "{space}<"),
            (Some(Open::Subgame), _) => return writeln!(out, " <{}:", part(&element.square)),
            (Some(Open::Action), _) => return write!(out, " <{} ", part(&element.verb)),
            (_, Some(Open::Rav)) => return out.write_str(") "),
            (_, Some(_)) => return out.write_char('>'),
            _ => {}
        }
        if let Some(board) = &element.board {
            return write!(out, " {board}");
        }
        if let Some(suffix) = &element.suffix {
            return write!(out, "{suffix} ");
        }
        if let Some(unread) = &element.unread {
            // Text that looks like a tag extends to the end of its line, and a quote could turn it into a tag.
            let end = if unread.starts_with(['[', '"']) {
                "\n"
            } else {
                ""
            };
            return write!(out, "{space}{unread}{end}");
        }
        let Element {
            number,
            ply,
            glyphs,
            nag,
            argument,
            result,
            ..
        } = element;
        let mut words = [number, ply, glyphs, nag, argument, result]
            .into_iter()
            .flatten();
        words.try_for_each(|word| write!(out, "{space}{word}"))
    }
}
