//! Nodes as text, in no particular layout.

use super::{Item, Origin};
use overboard_formats::{
    header::escape,
    lex::Prose,
    limits::Limits,
    parse::{Event, Open, Parser},
    record::Node,
    write::Writer,
};
use overboard_games::{referee::AnyReferee, registry::Variant};
use overboard_referee::{Options, finding};
use std::io::{self, Read, Write};

/// The text of these nodes.
pub fn rendered(items: &[Item]) -> String {
    joined(items) + END
}

/// The same without what stands after a record.
pub fn joined(items: &[Item]) -> String {
    let (mut pen, mut text) = (Pen::default(), String::new());
    for (node, _) in items {
        pen.put(node, &mut text);
    }
    text
}

/// The text of nodes that are made while it is written, with what stands after a record.
pub fn written(items: impl Iterator<Item = Item>) -> String {
    let mut text = String::new();
    // Reading memory cannot fail, and nodes are valid UTF-8.
    let _ = NodesAsText::of(items).read_to_string(&mut text);
    text
}

/// What stands after a record.
pub const END: &str = "\n\n";

/// Writes nodes one after the other.
#[derive(Default)]
pub struct Pen {
    /// Whether something was written, and whether what comes joins it.
    is_begun: bool,
    is_glued: bool,
}

impl Pen {
    /// Writes a node; returns where in the text it begins.
    pub fn put(&mut self, node: &Node, text: &mut String) -> usize {
        let is_joined = self.is_glued || !std::mem::replace(&mut self.is_begun, true);
        part(node, is_joined, text);
        let start = text.len();
        self.is_glued = write(node, text);
        start
    }
}

/// The text of nodes that come one at a time, held no further than it is read.
pub struct NodesAsText<I, N> {
    items: I,
    /// Takes where each node begins, and where it comes from.
    note: N,
    pen: Pen,
    text: String,
    /// How much stood before this text, and how much of it was read.
    before: u64,
    read: usize,
    has_ended: bool,
}

/// Bytes of text that are made at a time.
const AT_A_TIME: usize = 1 << 16;

impl<I: Iterator<Item = Item>> NodesAsText<I, fn(u64, Origin)> {
    /// The text of these nodes, with an empty line after it.
    pub fn of(items: I) -> Self {
        Self::noting(items, |_, _| ())
    }
}

impl<I: Iterator<Item = Item>, N: FnMut(u64, Origin)> NodesAsText<I, N> {
    /// The same; `note` takes where each node begins in it before that is read, and where the node comes from.
    pub fn noting(items: I, note: N) -> Self {
        let (pen, text) = (Pen::default(), String::new());
        Self {
            items,
            note,
            pen,
            text,
            before: 0,
            read: 0,
            has_ended: false,
        }
    }

    fn fill(&mut self) {
        self.before += self.text.len() as u64;
        self.text.clear();
        self.read = 0;
        while self.text.len() < AT_A_TIME && !self.has_ended {
            match self.items.next() {
                Some((node, origin)) => {
                    let start = self.pen.put(&node, &mut self.text);
                    (self.note)(self.before + start as u64, origin);
                }
                None => {
                    self.text.push_str(END);
                    self.has_ended = true;
                }
            }
        }
    }
}

impl<I: Iterator<Item = Item>, N: FnMut(u64, Origin)> Read for NodesAsText<I, N> {
    /// Gives as much as there is room for, as a text in memory does.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut given = 0;
        while given < into.len() {
            if self.read == self.text.len() {
                self.fill();
            }
            let left = &self.text.as_bytes()[self.read..];
            let count = left.len().min(into.len() - given);
            if count == 0 {
                break;
            }
            into[given..given + count].copy_from_slice(&left[..count]);
            self.read += count;
            given += count;
        }
        Ok(given)
    }
}

/// Where the byte at an offset of the text of these nodes comes from.
pub fn origin(items: impl Iterator<Item = Item>, offset: u64) -> Option<Origin> {
    let (mut pen, mut text) = (Pen::default(), String::new());
    let mut before = 0;
    let mut found = None;
    for (node, origin) in items {
        text.clear();
        if before + pen.put(&node, &mut text) as u64 > offset {
            break;
        }
        before += text.len() as u64;
        found = Some(origin);
    }
    found
}

/// The first thing in the text of a record that prevents judging it to the end, if the way in which its sheets were put
/// together may be the cause: where it is, and what. Play after a resignation, say, is the players' fault on any sheet.
pub fn fault(text: impl Read + Send, limits: Limits) -> Option<(u64, &'static str, String)> {
    let mut parser = Parser::new(text, 0, limits);
    let options = Options {
        limits,
        count_notes: true,
        no_excerpts: true,
        ..Options::default()
    };
    let mut referee = AnyReferee::new(options);
    // Memory can be read.
    let report = referee.judge(&mut parser).ok()??;
    let finding = report
        .findings
        .iter()
        .find(|finding| finding.spoils() && finding.code.id != finding::ILLEGAL_STANDS.id)?;
    if finding.code.id == finding::MOVE_AFTER_END.id && referee.played_on_after_words() {
        return None;
    }
    let missing = finding.code.id == finding::OPEN_PLY.id;
    let code = if missing { "missing-sheet" } else { "unfit" };
    Some((
        finding.place.span.from,
        code,
        finding.message.as_it_came().to_owned(),
    ))
}

/// Writes what stands between a node and the one before it, unless it joins that one.
fn part(node: &Node, glued: bool, text: &mut String) {
    if !glued && !matches!(node, Node::Glyphs(_) | Node::Suffix(_)) {
        let line = matches!(node, Node::Tag(..) | Node::Prose(Prose::Escape, _));
        text.push(if line { '\n' } else { ' ' });
    }
}

/// Writes a node; returns whether the next one joins it.
fn write(node: &Node, text: &mut String) -> bool {
    let mut put = |piece: &str| text.push_str(piece);
    match node {
        Node::Tag(name, value) => put(&format!("[{name} \"{}\"]\n", escape(value))),
        Node::Number(text)
        | Node::Ply(text)
        | Node::Glyphs(text)
        | Node::Suffix(text)
        | Node::Nag(text)
        | Node::Argument(text)
        | Node::Result(text)
        | Node::Unread(text) => put(text),
        Node::Prose(Prose::Brace, text) => put(&format!("{{{text}}}")),
        Node::Prose(Prose::Line, text) => put(&format!(";{text}\n")),
        Node::Prose(Prose::Escape, text) => put(&format!("%{text}\n")),
        Node::RavOpen => put("("),
        Node::RavClose => put(")"),
        Node::SubgameOpen(on) => put(&format!("<{on}:")),
        Node::TurnOpen => put("<"),
        Node::Address(board) => put(&format!("{board}.")),
        Node::ActionOpen(verb) => put(&format!("<{}", verb.word())),
        Node::BlockClose(Open::Rav) => put(")"),
        Node::BlockClose(_) => put(">"),
    }
    matches!(node, Node::RavOpen | Node::TurnOpen | Node::Address(_))
}

/// Writes a text that is read in the layout of the notation, every ply as it is.
///
/// # Errors
/// Those of the reader and of the writer.
pub fn lay_out(text: impl Read + Send, limits: Limits, out: &mut dyn Write) -> io::Result<()> {
    let mut parser = Parser::new(text, 0, limits);
    let mut writer = Writer::new(out, Variant::tidy);
    loop {
        match parser.next()? {
            Event::Done => return Ok(()),
            event => writer.write(event, None, &parser)?,
        }
    }
}
