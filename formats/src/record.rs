//! A whole record in memory, built from events: flat, so that neither building nor dropping it
//! recurses, however deep the text.
//!
//! ```
//! use overboard_formats::{limits::Limits, parse::Parser, record::{Node, Record}};
//!
//! let mut parser = Parser::new("[Event \"Cup\"]\n\n1. e4 e5 *\n".as_bytes(), 0, Limits::default());
//! let record = Record::read(&mut parser).unwrap().expect("one record");
//! assert_eq!(record.tag("Event"), Some("Cup"));
//! assert_eq!(record.nodes().filter(|node| matches!(node, Node::Ply(_))).count(), 2);
//! ```

use crate::{
    encoding::decode,
    header::ROSTER,
    lex::{Part, Prose},
    parse::{Event, GrammarFault, Open, Parser, Verb, result_of},
    ply_rows::tag_pair,
    span::{Span, TextSpan},
    write::nag,
};
use std::{borrow::Cow, io};

/// One element of a record. Brackets come in pairs, and the nodes between two of them are inside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// A tag pair, its value without backslashes.
    Tag(String, String),
    /// A move number with its dots.
    Number(String),
    /// A ply as written.
    Ply(String),
    /// `!` and `?`.
    Glyphs(String),
    /// `+` or `#` after a turn.
    Suffix(String),
    /// A numeric annotation glyph, including `$`.
    Nag(String),
    /// A comment or escape line, without its marks.
    Prose(Prose, String),
    /// `(`.
    RavOpen,
    /// `)`.
    RavClose,
    /// A sub-game on a square begins.
    SubgameOpen(String),
    /// A turn begins.
    TurnOpen,
    /// The board of the next item in a turn.
    Address(String),
    /// An action begins.
    ActionOpen(Verb),
    /// An argument of it.
    Argument(String),
    /// A sub-game, turn or action ends.
    BlockClose(Open),
    /// A result.
    Result(String),
    /// Text that could not be read.
    Unread(String),
}

/// A record: its nodes with their places in the text, and the faults of the text.
#[derive(Clone, Debug, Default)]
pub struct Record {
    nodes: Vec<(Node, TextSpan)>,
    faults: Vec<(GrammarFault, TextSpan)>,
}

impl PartialEq for Record {
    /// Whether two records say the same. Places, spacing, move numbers and the order of tags are ignored, and a missing
    /// tag equals one whose value is unknown (`?`). Plies are compared as written, since only a referee knows whether
    /// two spellings mean the same move.
    fn eq(&self, other: &Self) -> bool {
        self.tags() == other.tags() && self.sayings().eq(other.sayings())
    }
}

impl Record {
    /// Reads the next record; `None` when there are no more.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn read(parser: &mut Parser<'_>) -> io::Result<Option<Self>> {
        let mut record = Self::default();
        loop {
            match parser.next()? {
                Event::Done => return Ok(None),
                Event::End => return Ok(Some(record)),
                event => record.hear(event, parser),
            }
        }
    }

    /// The elements, in order.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().map(|(node, _)| node)
    }

    /// The elements, with their places.
    #[must_use]
    pub fn placed(&self) -> &[(Node, TextSpan)] {
        &self.nodes
    }

    /// The faults of the text.
    #[must_use]
    pub fn faults(&self) -> &[(GrammarFault, TextSpan)] {
        &self.faults
    }

    /// Adds `lines` to all line numbers, for a text that was part of a longer one.
    pub fn move_down(&mut self, lines: u64) {
        for (_, place) in &mut self.nodes {
            place.line += lines;
        }
        for (_, place) in &mut self.faults {
            place.line += lines;
        }
    }

    /// The value of a tag of the record itself.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.nodes()
            .take_while(|node| matches!(node, Node::Tag(..) | Node::Prose(..)))
            .find_map(|node| match node {
                Node::Tag(known, value) if known == name => Some(value.as_str()),
                _ => None,
            })
    }

    /// The tags that have a known value, sorted.
    fn tags(&self) -> Vec<(&str, &str)> {
        let result = self.nodes.iter().rev().find_map(|(node, _)| match node {
            Node::Result(text) => Some(text.as_str()),
            _ => None,
        });
        let mut tags: Vec<_> = self
            .nodes()
            .filter_map(|node| match node {
                Node::Tag(name, value) => Some((name.as_str(), value.as_str())),
                _ => None,
            })
            .filter(|(name, value)| match *name {
                "Result" => result != Some(*value),
                name => !(ROSTER.contains(&name) && matches!(*value, "?" | "????.??.??")),
            })
            .collect();
        tags.sort_unstable();
        tags
    }

    /// The elements other than tags and numbers, in a normal form.
    fn sayings(&self) -> impl Iterator<Item = Cow<'_, Node>> {
        self.nodes()
            .filter(|node| !matches!(node, Node::Tag(..) | Node::Number(_)))
            .map(|node| match node {
                Node::Glyphs(glyphs) => Cow::Owned(Node::Nag(nag(glyphs).into())),
                Node::Result(text) => match result_of(text.as_bytes()) {
                    Some(spelt) if spelt != text.as_str() => Cow::Owned(Node::Result(spelt.into())),
                    _ => Cow::Borrowed(node),
                },
                Node::Prose(Prose::Brace, text) => Cow::Owned(Node::Prose(
                    Prose::Brace,
                    text.split_whitespace().collect::<Vec<_>>().join(" "),
                )),
                other => Cow::Borrowed(other),
            })
    }

    /// Adds the next event of the record.
    pub fn hear(&mut self, event: Event, parser: &Parser<'_>) {
        let place = *parser.place();
        let read = |span: Span| decode(parser.text(span)).0.into_owned();
        let text = || read(place.span);
        let node = match event {
            Event::Tag => {
                let (name, value) = tag_pair(parser);
                Node::Tag(name, value)
            }
            Event::Number => Node::Number(text()),
            Event::Ply => Node::Ply(text()),
            Event::Glyphs => Node::Glyphs(text()),
            Event::Suffix => Node::Suffix(text()),
            Event::Nag => Node::Nag(text()),
            Event::Prose(prose, part) => return self.prose(prose, part, &text(), place),
            Event::RavOpen => Node::RavOpen,
            Event::RavClose => Node::RavClose,
            Event::SubgameOpen => Node::SubgameOpen(text()),
            Event::TurnOpen => Node::TurnOpen,
            Event::Address => Node::Address(text()),
            Event::ActionOpen(verb) => Node::ActionOpen(verb),
            Event::Argument => Node::Argument(text()),
            Event::BlockClose(open) => Node::BlockClose(open),
            Event::Result => Node::Result(text()),
            Event::UnderWay => Node::Result("*".into()),
            Event::Unread => Node::Unread(text()),
            Event::Fault(fault) => return self.faults.push((fault, place)),
            Event::Begin | Event::End | Event::Done => return,
        };
        self.nodes.push((node, place));
    }

    /// Takes the elements that can no longer change, for callers that need only one at a time.
    pub fn take_settled(&mut self) -> impl Iterator<Item = (Node, TextSpan)> + '_ {
        let open = usize::from(matches!(self.nodes.last(), Some((Node::Prose(..), _))));
        let settled = self.nodes.len() - open;
        self.nodes.drain(..settled)
    }

    /// Takes all remaining elements.
    pub fn take_rest(&mut self) -> Vec<(Node, TextSpan)> {
        std::mem::take(&mut self.nodes)
    }

    /// Takes the faults of the text so far.
    pub fn take_faults(&mut self) -> impl Iterator<Item = (GrammarFault, TextSpan)> + '_ {
        self.faults.drain(..)
    }

    fn prose(&mut self, prose: Prose, part: Part, piece: &str, place: TextSpan) {
        match self.nodes.last_mut() {
            Some((Node::Prose(_, text), _)) if !part.first => text.push_str(piece),
            _ => self.nodes.push((Node::Prose(prose, piece.into()), place)),
        }
    }
}
