//! Nodes as text, in no particular layout.

use super::{Item, Origin, Problem};
use crate::{
    AnyReferee, Options,
    finding::{self, Severity},
};
use overboard_formats::{
    header::escape,
    lex::Prose,
    limits::Limits,
    parse::{Event, Open, Parser},
    record::Node,
    write::Writer,
};
use overboard_games::registry::Variant;
use std::io::{self, Read, Write};

/// A text, and where its pieces come from.
#[derive(Default, Debug)]
pub struct Rendered {
    pub text: String,
    /// Offsets at which nodes begin, ascending.
    starts: Vec<(usize, Origin)>,
}

/// The text of these nodes.
pub fn rendered(items: &[Item]) -> Rendered {
    let mut out = Rendered::default();
    let mut glued = false;
    for (node, origin) in items {
        glued = out.push(node, *origin, glued);
    }
    out.text.push_str("\n\n");
    out
}

impl Rendered {
    /// Writes a node; returns whether the next one joins it.
    fn push(&mut self, node: &Node, origin: Origin, glued: bool) -> bool {
        part(node, glued || self.text.is_empty(), &mut self.text);
        self.starts.push((self.text.len(), origin));
        write(node, &mut self.text)
    }

    /// Where the byte at an offset comes from.
    pub fn origin(&self, offset: u64) -> Option<Origin> {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let behind = self.starts.partition_point(|(start, _)| *start <= offset);
        self.starts.get(behind.checked_sub(1)?).map(|(_, origin)| *origin)
    }

    /// The first thing in the record that prevents judging it to the end, if the way in which its sheets were
    /// put together may be the cause; play after a resignation, say, is the players' fault on any sheet.
    pub fn fault(&self, limits: Limits) -> Option<Problem> {
        let mut parser = Parser::new(self.text.as_bytes(), 0, limits);
        let options = Options { limits, count_notes: true, no_excerpts: true, ..Options::default() };
        let mut referee = AnyReferee::new(options);
        let report = referee.judge(&mut parser).ok()??;
        let spoils = |finding: &&finding::Finding| {
            finding.severity == Severity::Error
                && [finding::Verdict::Illegal, finding::Verdict::Unreadable, finding::Verdict::Undetermined]
                    .contains(&finding.code.verdict)
        };
        let finding = report.findings.iter().find(spoils)?;
        if finding.code.id == finding::MOVE_AFTER_END.id && referee.played_on_after_words() {
            return None;
        }
        let missing = finding.code.id == finding::OPEN_PLY.id;
        let code = if missing { "missing-sheet" } else { "unfit" };
        let origin = self.origin(finding.place.span.from)?;
        Some(Problem::at(code, finding.message.as_it_came().to_owned(), origin))
    }
}

/// Writes what stands between a node and the one before it, unless it joins that one.
pub fn part(node: &Node, glued: bool, text: &mut String) {
    if !glued && !matches!(node, Node::Glyphs(_) | Node::Suffix(_)) {
        let line = matches!(node, Node::Tag(..) | Node::Prose(Prose::Escape, _));
        text.push(if line { '\n' } else { ' ' });
    }
}

/// Writes a node; returns whether the next one joins it.
pub fn write(node: &Node, text: &mut String) -> bool {
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

/// The layout of the notation, every ply as it is.
pub fn laid_out(items: &[Item], limits: Limits) -> String {
    let mut out = Vec::new();
    // Memory can be read and written.
    let _ = lay_out(rendered(items).text.as_bytes(), limits, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// The same of a text that is read.
///
/// # Errors
/// Those of the reader and of the writer.
pub fn lay_out(text: impl Read + Send, limits: Limits, out: &mut dyn Write) -> io::Result<()> {
    let mut parser = Parser::new(text, 0, limits);
    let mut writer = Writer::new(out, Variant::wraps);
    loop {
        match parser.next()? {
            Event::Done => return Ok(()),
            event => writer.write(event, None, &parser)?,
        }
    }
}
