//! Writes the games of a text in canonical form, with legal plies as the referee spells them.
//!
//! ```
//! use overboard_formats::limits::Limits;
//! use overboard_games::referee::rewrite::rewrite;
//!
//! let mut out = Vec::new();
//! rewrite("1.e2-e4   e5 *".as_bytes(), &mut out, Limits::default()).unwrap();
//! assert!(out.ends_with(b"1. e4 e5 *\n\n"));
//! assert!(rewrite("a shopping list".as_bytes(), &mut out, Limits::default()).is_err());
//! ```

use crate::{referee::AnyReferee, registry::Variant};
use overboard_formats::{
    encoding::odd_blank,
    lex::NotText,
    limits::Limits,
    parse::{Event, GrammarFault, Limited, Parser},
    write::Writer,
};
use overboard_referee::Options;
use std::{
    io::{self, Read, Write},
    mem,
};

/// Why a text cannot be rewritten without losing part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unkept {
    /// It is something else than a game record.
    NotText(NotText),
    /// It is longer or deeper than a limit allows.
    Limit(Limited),
    /// A run of signs, or a broken tag, has more bytes than are kept.
    Long,
    /// It begins with neither a tag nor a legal move, so it may be a ledger, a table or a page of prose.
    NoRecord,
    /// What would be written could not be read again.
    ReadAs(NotText),
    /// A tag holds a brace that could close a comment before it, since tags are written in another order.
    Brace,
}

impl Unkept {
    /// Why the text is lost from this event on; `None` if it is not.
    #[must_use]
    pub fn of(event: Event, parser: &Parser<'_>) -> Option<Self> {
        match event {
            Event::Number | Event::Glyphs | Event::Nag | Event::Unread
                if !parser.has_whole_text() =>
            {
                Some(Self::Long)
            }
            Event::Fault(GrammarFault::NotText(what)) => Some(Self::NotText(what)),
            Event::Fault(GrammarFault::Limit(limited)) => Some(Self::Limit(limited)),
            _ => None,
        }
    }

    /// The reason in words, with the option that sets a limit.
    #[must_use]
    pub fn words(self, limits: &Limits) -> String {
        match self {
            Self::NotText(what) => what.words().into(),
            Self::Limit(limited) => {
                let (flag, limit) = limited.flag(limits);
                format!("more than the limit of {limit} ({flag})")
            }
            Self::Long => {
                "a run of signs, or a line that begins with `[`, is too long to be kept".into()
            }
            Self::NoRecord => "not a game record: it begins with neither a tag nor a legal move".into(),
            Self::ReadAs(_) => {
                "the comments before the tags would come so early that the file would not be read as text"
                    .into()
            }
            Self::Brace => {
                "a tag holds `}`, which could close the comment before it that never closes".into()
            }
        }
    }
}

/// Why a text was not rewritten.
#[derive(Debug)]
pub enum RewriteError {
    /// It cannot be read.
    Reading(io::Error),
    /// The output cannot be written.
    Writing(io::Error),
    /// From this line on, part of it would be lost.
    Unkept(u64, Unkept),
}

/// Writes the canonical form of a text. What has been written when an error is returned is part of it.
///
/// # Errors
/// See [`RewriteError`].
pub fn rewrite(
    reader: impl Read + Send,
    out: impl Write,
    limits: Limits,
) -> Result<(), RewriteError> {
    let mut parser = Parser::new(reader, 0, limits);
    let mut referee = AnyReferee::spelling(Options {
        limits,
        ..Options::default()
    });
    let mut writer = Writer::new(Head::new(out), Variant::tidy);
    let mut heard = Heard::default();
    let mut open = OpenComment::default();
    loop {
        let event = parser.next().map_err(RewriteError::Reading)?;
        let unkept = |why| RewriteError::Unkept(parser.place().line, why);
        if let Some(why) = Unkept::of(event, &parser) {
            return Err(unkept(why));
        }
        let spelling = referee.hear(event, &parser);
        let text = parser.text(parser.place().span);
        let keeps_blank = heard.broken_tag.keeps_blank(event);
        heard
            .hear(event, spelling.is_some(), text)
            .map_err(unkept)?;
        if open.waits_with(event, &parser) {
            continue;
        }
        for (event, text) in open.take() {
            let written = match event {
                Event::Prose(..) => writer.write_text(event, None, &referee.end_written(&text)),
                _ => writer.write_text(event, None, &text),
            };
            written.map_err(RewriteError::Writing)?;
        }
        if keeps_blank {
            let written = writer.write_text(Event::Unread, None, NO_BREAK_SPACE);
            written.map_err(RewriteError::Writing)?;
        }
        let written = match event {
            Event::Prose(..) if referee.leaves_open() => {
                open.hold(event, text);
                Ok(())
            }
            Event::Prose(..) => writer.write_text(event, spelling, &referee.written(text)),
            Event::Ply if spelling.is_none() => {
                writer.write_text(event, None, &referee.ply_in_english(text))
            }
            Event::Result => match referee.right_result(Some(text)) {
                Some(right) if spelling.is_none() && referee.in_main_line() => {
                    writer.write_result(text, right)
                }
                _ => writer.write(event, spelling, &parser),
            },
            Event::Fault(GrammarFault::NoResult) => match referee.right_result(None) {
                Some(right) if heard.closes && referee.in_main_line() => {
                    writer.write_result(b"*", right)
                }
                _ => writer.write(event, spelling, &parser),
            },
            _ => writer.write(event, spelling, &parser),
        };
        written.map_err(RewriteError::Writing)?;
        match event {
            Event::End => drop(referee.take_report(&mut parser)),
            Event::Done => return writer.into_inner().end(),
            _ => {}
        }
    }
}

/// A blank that ends words and is none within a tag.
const NO_BREAK_SPACE: &[u8] = "\u{a0}".as_bytes();

/// What of a text has been heard decides how it can be kept.
struct Heard {
    is_record: bool,
    broken_tag: BrokenTag,
    /// Whether everything in the record that opens also closes.
    closes: bool,
    /// Whether a comment before never closes.
    has_open_comment: bool,
    castled_last: bool,
}

impl Default for Heard {
    fn default() -> Self {
        Self {
            is_record: false,
            broken_tag: BrokenTag::None,
            closes: true,
            has_open_comment: false,
            castled_last: false,
        }
    }
}

impl Heard {
    /// Hears the next event.
    ///
    /// # Errors
    /// If the text would be read otherwise as it is written.
    fn hear(&mut self, event: Event, is_legal: bool, text: &[u8]) -> Result<(), Unkept> {
        if self.castled_last && matches!(event, Event::Fault(GrammarFault::BadTag(_))) {
            return Err(Unkept::NoRecord);
        }
        self.castled_last = castled_after(event, is_legal, self.castled_last);
        self.closes = closes_after(event, self.closes);
        self.has_open_comment |= event == Event::Fault(GrammarFault::UnclosedComment);
        if self.has_open_comment && event == Event::Tag && text.contains(&b'}') {
            return Err(Unkept::Brace);
        }
        // A tag that cannot be read leaves open what the text is: the tags after it may show that.
        let leaves_open = self.broken_tag == BrokenTag::Reported && event == Event::Unread;
        if !self.is_record && !leaves_open {
            self.is_record = begins_record(event, is_legal)?;
        }
        self.broken_tag = self.broken_tag.after(event, text);
        Ok(())
    }
}

/// How much of a tag that cannot be read has been heard last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BrokenTag {
    None,
    Reported,
    /// All of it, perhaps with control characters after it.
    Read,
    /// All of it, and a blank outside ASCII after it.
    Parted,
}

impl BrokenTag {
    fn after(self, event: Event, text: &[u8]) -> Self {
        match (self, event) {
            (_, Event::Fault(GrammarFault::BadTag(_))) => Self::Reported,
            (Self::Reported, Event::Unread) => Self::Read,
            (Self::Read, Event::Fault(GrammarFault::Control)) if odd_blank(text) > 0 => {
                Self::Parted
            }
            (Self::Read | Self::Parted, Event::Fault(_)) => self,
            _ => Self::None,
        }
    }

    /// Whether a blank before this event must stay: without it, what follows might be read as the end of the tag.
    fn keeps_blank(self, event: Event) -> bool {
        let may_end_it = matches!(
            event,
            Event::Unread | Event::Ply | Event::Number | Event::Result
        );
        self == Self::Parted && may_end_it
    }
}

/// Whether the last record ended with a `0-0` that was castling, where that was so before an event. As it is written, it
/// ends no record.
const fn castled_after(event: Event, is_legal: bool, before: bool) -> bool {
    match event {
        Event::Begin | Event::End | Event::Prose(..) | Event::Fault(_) => before,
        Event::Result => is_legal,
        _ => false,
    }
}

/// Whether everything in the record closes that has opened, where that was so before an event. A result behind anything else
/// would be read as part of it.
pub(crate) const fn closes_after(event: Event, before: bool) -> bool {
    match event {
        Event::Begin => true,
        Event::Fault(GrammarFault::UnclosedComment | GrammarFault::Unclosed(_)) => false,
        _ => before,
    }
}

/// A comment whose meaning depends on what comes next, with the numbers behind it: those mean nothing where no ply follows.
#[derive(Default)]
pub(crate) struct OpenComment(Vec<(Event, Vec<u8>)>);

/// The most numbers that are held with a comment.
const NUMBERS: usize = 1000;

impl OpenComment {
    /// Holds a comment.
    pub(crate) fn hold(&mut self, event: Event, text: &[u8]) {
        self.0.push((event, text.to_vec()));
    }

    /// Whether an event leaves open what the comment means, so that it is held, too.
    pub(crate) fn waits_with(&mut self, event: Event, parser: &Parser<'_>) -> bool {
        if self.0.is_empty() || self.0.len() > NUMBERS {
            return false;
        }
        match event {
            Event::Number => self.hold(event, parser.text(parser.place().span)),
            Event::Fault(GrammarFault::NumberForm | GrammarFault::Control) => {}
            _ => return false,
        }
        true
    }

    /// Takes what was held, in its order.
    pub(crate) fn take(&mut self) -> Vec<(Event, Vec<u8>)> {
        mem::take(&mut self.0)
    }
}

/// Whether an event shows that the text contains games; `Ok(false)` if it leaves that open. The words of a ledger, a
/// table or a page of prose would be wrapped like moves, which would destroy it.
fn begins_record(event: Event, is_legal: bool) -> Result<bool, Unkept> {
    match event {
        Event::Tag => Ok(true),
        Event::Ply if is_legal => Ok(true),
        Event::Begin
        | Event::Number
        | Event::Prose(..)
        | Event::Nag
        | Event::Result
        | Event::UnderWay
        | Event::End
        | Event::Done
        | Event::Fault(
            GrammarFault::Mark
            | GrammarFault::BadTag(_)
            | GrammarFault::Control
            | GrammarFault::NoResult,
        ) => Ok(false),
        _ => Err(Unkept::NoRecord),
    }
}

/// An output whose first bytes are held back until it is known that they will be read as text. White space before them is
/// left out, so bytes that were not among the first of the input may be among the first of the output.
struct Head<W> {
    out: W,
    held: Vec<u8>,
    released: bool,
    read_as: Option<NotText>,
}

impl<W: Write> Head<W> {
    const fn new(out: W) -> Self {
        Self {
            out,
            held: Vec::new(),
            released: false,
            read_as: None,
        }
    }

    fn release(&mut self) -> io::Result<()> {
        self.released = true;
        self.read_as = NotText::of(&self.held);
        match self.read_as {
            None => self.out.write_all(&self.held),
            Some(_) => Ok(()),
        }
    }

    fn end(mut self) -> Result<(), RewriteError> {
        if !self.released {
            self.release().map_err(RewriteError::Writing)?;
        }
        match self.read_as {
            None => self.out.flush().map_err(RewriteError::Writing),
            Some(what) => Err(RewriteError::Unkept(1, Unkept::ReadAs(what))),
        }
    }
}

impl<W: Write> Write for Head<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.read_as.is_some() {
            return Ok(bytes.len());
        }
        if self.released {
            return self.out.write(bytes);
        }
        let count = bytes.len().min(NotText::HEAD - self.held.len());
        self.held.extend(&bytes[..count]);
        if self.held.len() == NotText::HEAD {
            self.release()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.released && self.read_as.is_none() {
            self.out.flush()
        } else {
            Ok(())
        }
    }
}
