//! A sheet in packed form, while it waits for the others of its game: little larger than its text.

use super::{Item, Items, Origin, Problem, Sheet, Tagged, unreadable};
use overboard_formats::{
    lex::Prose,
    parse::{Event, Open, Parser, Verb},
    record::{Node, Record},
    span::{Span, TextSpan},
};

/// The nodes of a sheet in sequence: a byte for its kind and whether its place follows from the previous
/// node's, its texts with their lengths, and its place if needed. Numbers are varints (LEB128).
#[derive(Clone, Default)]
pub struct Packed {
    bytes: Box<[u8]>,
    /// The file of all nodes, if they come from one record.
    file: usize,
    /// Lines before the text in which it was read.
    lines: u64,
}

/// Flag: the node's whole place is written, because it does not follow from the previous one.
const PLACED: u8 = 0x80;
/// That it is of another record than the sheet.
const FOREIGN: u8 = 0x40;
const PROSE: [Prose; 3] = [Prose::Brace, Prose::Line, Prose::Escape];
const VERBS: [Verb; 3] = [Verb::Prisoners, Verb::Consolidate, Verb::Reserve];
const OPEN: [Open; 4] = [Open::Rav, Open::Subgame, Open::Turn, Open::Action];

impl Packed {
    /// A sheet, folded up.
    pub fn of(sheet: &Sheet) -> Self {
        let mut packer = Packer::default();
        for (node, origin) in &sheet.items {
            packer.push(node, *origin);
        }
        packer.finish()
    }

    /// The sheet as it was.
    #[cfg(test)]
    pub fn sheet(&self) -> Sheet {
        Sheet {
            items: self.items().collect(),
        }
    }

    /// Its nodes, one at a time.
    pub fn items(&self) -> impl Iterator<Item = Item> + Clone + '_ {
        self.parts().map(|(part, origin)| (part.to_node(), origin))
    }

    /// The same without copies of their texts.
    pub const fn parts(&self) -> Parts<'_> {
        Parts {
            bytes: &self.bytes,
            file: self.file,
            lines: self.lines,
            last: TextSpan::NOWHERE,
        }
    }

    /// Says which file it is of, where that was not known when it was read.
    pub const fn set_file(&mut self, file: usize) {
        self.file = file;
    }

    /// Adds `lines` to all line numbers: it was read in a part of a longer text.
    pub const fn move_down(&mut self, lines: u64) {
        self.lines += lines;
    }

    /// Its tags, and what stands among those.
    pub fn head(&self) -> impl Iterator<Item = Item> + Send + '_ {
        self.items().take(self.head_length())
    }

    /// What comes after them.
    pub fn body_items(&self) -> Items<'_> {
        Box::new(self.items().skip(self.head_length()))
    }

    /// Where its tags end.
    pub fn body(&self) -> Parts<'_> {
        let mut body = self.parts();
        for _ in 0..self.head_length() {
            body.next();
        }
        body
    }

    /// How many nodes its tags are, and what stands among those.
    pub fn head_length(&self) -> usize {
        let mut length = 0;
        for (at, (part, _)) in self.parts().enumerate() {
            match part.what() {
                What::Tag => length = at + 1,
                What::Prose(_) => {}
                _ => break,
            }
        }
        length
    }

    /// Its tags of which something holds: names, values and places.
    pub fn tags_that(
        &self,
        is_wanted: impl Fn(&str, &str) -> bool,
    ) -> impl Iterator<Item = (String, String, Origin)> {
        self.head().filter_map(move |(node, origin)| match node {
            Node::Tag(name, value) if is_wanted(&name, &value) => Some((name, value, origin)),
            _ => None,
        })
    }

    /// The room that it takes.
    pub const fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Where it begins.
    pub fn origin(&self) -> Origin {
        match self.parts().next() {
            Some((_, origin)) => origin,
            None => Origin::FIRST,
        }
    }

    /// Where a tag stands.
    pub fn place_of(&self, name: &str) -> Origin {
        for (part, origin) in self.parts() {
            if part.kind == TAG && part.texts[0] == name {
                return origin;
            }
        }
        self.origin()
    }
}

/// A record that is folded up while it is read.
#[derive(Clone, Default)]
pub struct Folding {
    file: usize,
    record: Record,
    packer: Packer,
    /// The first thing for which it cannot be used.
    wrong: Option<Problem>,
}

impl Folding {
    /// The next record of a file.
    pub fn of(file: usize) -> Self {
        Self {
            file,
            ..Self::default()
        }
    }

    /// Takes an event of it.
    pub fn hear(&mut self, event: Event, parser: &Parser<'_>) {
        let file = self.file;
        self.record.hear(event, parser);
        for (fault, place) in self.record.take_faults() {
            if self.wrong.is_none() {
                self.wrong = unreadable(&fault, Origin { file, place });
            }
        }
        for (node, place) in self.record.take_settled() {
            self.packer.push(&node, Origin { file, place });
        }
    }

    /// The record, once all of it was read.
    ///
    /// # Errors
    /// A record that cannot be read.
    pub fn finish(mut self) -> Result<Packed, Problem> {
        let file = self.file;
        for (node, place) in self.record.take_rest() {
            self.packer.push(&node, Origin { file, place });
        }
        match self.wrong {
            Some(problem) => Err(problem),
            None => Ok(self.packer.finish()),
        }
    }
}

impl Tagged for Folding {
    /// The value of a tag that was read.
    fn tag(&self, name: &str) -> Option<&str> {
        Parts {
            bytes: &self.packer.bytes,
            file: 0,
            lines: 0,
            last: TextSpan::NOWHERE,
        }
        .tag(name)
    }
}

/// A sheet that is folded up node by node.
#[derive(Clone, Default)]
pub struct Packer {
    bytes: Vec<u8>,
    file: Option<usize>,
    last: Option<TextSpan>,
}

impl Packer {
    /// Adds a node.
    pub fn push(&mut self, node: &Node, origin: Origin) {
        let bytes = &mut self.bytes;
        let (kind, texts) = taken_apart(node);
        let place = origin.place;
        let last = self.last.replace(place).unwrap_or(TextSpan::NOWHERE);
        let follows = follows(last, place);
        let is_foreign = origin.file != *self.file.get_or_insert(origin.file);
        let marks = if follows { 0 } else { PLACED } | if is_foreign { FOREIGN } else { 0 };
        bytes.push(kind | marks);
        for text in texts.into_iter().flatten() {
            number(text.len() as u64, bytes);
            bytes.extend_from_slice(text.as_bytes());
        }
        if is_foreign {
            number(origin.file as u64, bytes);
        }
        if follows {
            number(place.span.from - last.span.to, bytes);
        } else {
            number(place.line, bytes);
            number(place.line_start, bytes);
            number(place.span.from, bytes);
        }
        number(place.span.to.wrapping_sub(place.span.from), bytes);
    }

    /// The whole sheet.
    pub fn finish(self) -> Packed {
        Packed {
            bytes: self.bytes.into(),
            file: self.file.unwrap_or_default(),
            lines: 0,
        }
    }
}

impl Tagged for Packed {
    fn tag(&self, name: &str) -> Option<&str> {
        self.parts().tag(name)
    }
}

/// Whether a place is on the line of the previous one and after it.
const fn follows(last: TextSpan, place: TextSpan) -> bool {
    last.line == place.line
        && last.line_start == place.line_start
        && last.span.to <= place.span.from
}

/// Kinds of nodes: a tag, then prose of each kind; these may also precede the moves.
const TAG: u8 = 0;
const PROSES: u8 = 1;
const TEXTS: u8 = PROSES + PROSE.len() as u8;
const PLY: u8 = TEXTS + 1;
const RESULT: u8 = TEXTS + 8;
const RAV_OPEN: u8 = TEXTS + 9;
const RAV_CLOSE: u8 = RAV_OPEN + 1;
const TURN_OPEN: u8 = RAV_CLOSE + 1;
const ACTIONS: u8 = TURN_OPEN + 1;
const CLOSES: u8 = ACTIONS + VERBS.len() as u8;

/// What a node is, as a number, and its texts.
fn taken_apart(node: &Node) -> (u8, [Option<&str>; 2]) {
    let nth = |at: Option<usize>, first: u8| first + at.unwrap_or_default() as u8;
    const fn one(kind: u8, text: &str) -> (u8, [Option<&str>; 2]) {
        (TEXTS + kind, [Some(text), None])
    }
    match node {
        Node::Tag(name, value) => (TAG, [Some(name), Some(value)]),
        Node::Prose(prose, text) => (
            nth(PROSE.iter().position(|known| known == prose), PROSES),
            [Some(text), None],
        ),
        Node::Number(text) => one(0, text),
        Node::Ply(text) => one(1, text),
        Node::Glyphs(text) => one(2, text),
        Node::Suffix(text) => one(3, text),
        Node::Nag(text) => one(4, text),
        Node::SubgameOpen(text) => one(5, text),
        Node::Address(text) => one(6, text),
        Node::Argument(text) => one(7, text),
        Node::Result(text) => one(8, text),
        // Last of all texts, though it stands among the others.
        Node::Unread(text) => (UNREAD, [Some(text), None]),
        Node::RavOpen => (RAV_OPEN, [None; 2]),
        Node::RavClose => (RAV_CLOSE, [None; 2]),
        Node::TurnOpen => (TURN_OPEN, [None; 2]),
        Node::ActionOpen(verb) => (
            nth(VERBS.iter().position(|known| known == verb), ACTIONS),
            [None; 2],
        ),
        Node::BlockClose(open) => (
            nth(OPEN.iter().position(|known| known == open), CLOSES),
            [None; 2],
        ),
    }
}

const UNREAD: u8 = CLOSES + OPEN.len() as u8;

/// What a node is, as far as those ask who look through a sheet without copying it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    Tag,
    Prose(Prose),
    Number,
    Ply,
    Result,
    RavOpen,
    RavClose,
    Other,
}

/// A node as it is kept.
pub struct Part<'a> {
    kind: u8,
    texts: [&'a str; 2],
}

impl<'a> Part<'a> {
    /// What it is.
    pub fn what(&self) -> What {
        match self.kind {
            TAG => What::Tag,
            kind @ PROSES..TEXTS => What::Prose(PROSE[usize::from(kind - PROSES)]),
            TEXTS => What::Number,
            PLY => What::Ply,
            RESULT => What::Result,
            RAV_OPEN => What::RavOpen,
            RAV_CLOSE => What::RavClose,
            _ => What::Other,
        }
    }

    /// Its text; the name of a tag.
    pub const fn text(&self) -> &'a str {
        self.texts[0]
    }

    /// The node.
    pub fn to_node(&self) -> Node {
        let [text, value] = self.texts.map(String::from);
        match self.kind {
            TAG => Node::Tag(text, value),
            kind @ PROSES..TEXTS => Node::Prose(PROSE[usize::from(kind - PROSES)], text),
            RAV_OPEN => Node::RavOpen,
            RAV_CLOSE => Node::RavClose,
            TURN_OPEN => Node::TurnOpen,
            kind @ ACTIONS..CLOSES => Node::ActionOpen(VERBS[usize::from(kind - ACTIONS)]),
            kind @ CLOSES..UNREAD => Node::BlockClose(OPEN[usize::from(kind - CLOSES)]),
            kind => {
                let of_text: [fn(String) -> Node; 9] = [
                    Node::Number,
                    Node::Ply,
                    Node::Glyphs,
                    Node::Suffix,
                    Node::Nag,
                    Node::SubgameOpen,
                    Node::Address,
                    Node::Argument,
                    Node::Result,
                ];
                of_text
                    .get(usize::from(kind.saturating_sub(TEXTS)))
                    .copied()
                    .unwrap_or(Node::Unread)(text)
            }
        }
    }
}

/// The nodes of a packed sheet, from somewhere on.
#[derive(Clone)]
pub struct Parts<'a> {
    bytes: &'a [u8],
    file: usize,
    lines: u64,
    last: TextSpan,
}

impl<'a> Parts<'a> {
    /// The value of a tag, where this stands before all of them.
    fn tag(self, name: &str) -> Option<&'a str> {
        for (part, _) in self {
            match part.what() {
                What::Tag if part.texts[0] == name => return Some(part.texts[1]),
                What::Tag | What::Prose(_) => {}
                _ => return None,
            }
        }
        None
    }

    /// How many bytes are left: it says where in the sheet this stands.
    pub const fn left(&self) -> usize {
        self.bytes.len()
    }

    fn number(&mut self) -> u64 {
        let (mut value, mut shift) = (0, 0);
        while let Some((byte, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 || shift > 63 {
                break;
            }
        }
        value
    }

    fn text(&mut self) -> &'a str {
        let length = usize::try_from(self.number())
            .unwrap_or(usize::MAX)
            .min(self.bytes.len());
        let (text, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        std::str::from_utf8(text).unwrap_or_default()
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = (Part<'a>, Origin);

    fn next(&mut self) -> Option<Self::Item> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        let kind = first & !(PLACED | FOREIGN);
        let texts = match kind {
            TAG => [self.text(), self.text()],
            PROSES..RAV_OPEN | UNREAD => [self.text(), ""],
            _ => [""; 2],
        };
        let file = if first & FOREIGN == 0 {
            self.file
        } else {
            usize::try_from(self.number()).unwrap_or(usize::MAX)
        };
        let TextSpan {
            line,
            line_start,
            span,
        } = self.last;
        let (line, line_start, from) = if first & PLACED == 0 {
            (line, line_start, span.to + self.number())
        } else {
            (self.number() + self.lines, self.number(), self.number())
        };
        let to = from.wrapping_add(self.number());
        self.last = TextSpan {
            span: Span { from, to },
            line,
            line_start,
        };
        Some((
            Part { kind, texts },
            Origin {
                file,
                place: self.last,
            },
        ))
    }
}

/// Writes a number.
fn number(mut value: u64, bytes: &mut Vec<u8>) {
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use overboard_formats::{limits::Limits, parse::Parser, record::Record};
    use std::{fs, path::Path};

    /// The records of the examples and of the suite of the notation, with how long their files are in all.
    fn corpus() -> (Vec<Record>, usize) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut written = 0;
        let mut records = Vec::new();
        for folder in ["examples", "docs/npgn/suite/notation", "games/examples"] {
            for file in fs::read_dir(root.join(folder)).unwrap() {
                let path = file.unwrap().path();
                let ending = path.extension().and_then(|ending| ending.to_str());
                if !matches!(ending, Some("pgn" | "npgn")) {
                    continue;
                }
                let text = fs::read(&path).unwrap();
                written += text.len();
                let mut parser = Parser::new(&text[..], 0, Limits::default());
                while let Ok(Some(record)) = Record::read(&mut parser) {
                    records.push(record);
                }
            }
        }
        (records, written)
    }

    fn assert_unpacked(sheet: &Sheet) {
        let kept = Packed::of(sheet);
        assert!(kept.sheet().items == sheet.items);
        for name in ["Event", "Parent", "GameId", "Rules", "nowhere"] {
            assert!(Tagged::tag(&kept, name) == sheet.tag(name), "{name}");
            assert!(kept.place_of(name) == sheet.place_of(name), "{name}");
        }
    }

    /// A sheet that waits for others is kept whole, in less than twice the room of its text.
    #[test]
    fn what_is_packed_is_unpacked_as_it_was() {
        let (records, written) = corpus();
        let mut packed = 0;
        for sheet in records
            .iter()
            .filter_map(|record| Sheet::of(record, 3).ok())
        {
            assert_unpacked(&sheet);
            packed += Packed::of(&sheet).size();
            let mut of_two = sheet.clone();
            let elsewhere = Origin {
                file: 70_000,
                ..sheet.origin()
            };
            for (node, _) in sheet.items.iter().rev() {
                of_two.items.push((node.clone(), elsewhere));
            }
            assert_unpacked(&of_two);
        }
        assert!(packed > 0 && packed < 2 * written, "{packed} {written}");
    }
}
