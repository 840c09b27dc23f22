//! Events to canonical text.
//!
//! Orthodox chess is written in PGN export format: the Seven Tag Roster first, the other tags in ASCII order, movetext
//! filled to less than 80 columns, and an empty line. Nested records break lines before numbers and around blocks, with
//! two spaces per level. The writer streams: of a record it keeps nothing but the tags and the current word.
//!
//! ```
//! use overboard_formats::{limits::Limits, parse::{Event, Parser}, write::{Style, Writer}};
//!
//! let mut parser = Parser::new("1.e4   e5 *".as_bytes(), 0, Limits::default());
//! let mut writer = Writer::new(Vec::new(), |_| Style::EXPORT);
//! loop {
//!     match parser.next().unwrap() {
//!         Event::Done => break,
//!         event => writer.write(event, None, &parser).unwrap(),
//!     }
//! }
//! let text = String::from_utf8(writer.into_inner()).unwrap();
//! assert!(text.starts_with("[Event \"?\"]") && text.trim_end().ends_with("e5 *"));
//! ```

mod blocks;
mod numbers;
mod prose;
mod tags;

use crate::{
    canonical::Canonical,
    encoding::decode,
    header::ROSTER,
    lex::Prose,
    parse::{BOTH_LOST, Event, GrammarFault, Parser, result_of},
    ply_rows::tag_pair,
};
use numbers::Numbers;
use std::{
    io::{self, Write},
    mem,
};
use tags::Head;

/// The number of bytes of moves that are held back until the result is known, in a record without a tag Result; a
/// longer record is written without that tag.
const HELD: usize = 16 << 20;

/// The number of columns that a line may fill in export format.
const COLUMNS: usize = 79;

/// How a record is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether lines are filled, as in PGN export format, or have one move of both sides each.
    pub fills: bool,
    /// The tags that stand first, in their order. The others follow by their names.
    pub first: &'static [&'static str],
    /// Those that every record has.
    pub roster: &'static [&'static str],
    /// Whether what belongs together is joined, as in BPGN: a tag stands in the line of the one with whose name it begins, and
    /// a comment that is a number right behind its ply.
    pub joins: bool,
    /// Whether the tag Result says what stands after the moves, if it said the same as what was read there.
    pub takes_result: bool,
}

impl Style {
    /// PGN export format.
    pub const EXPORT: Self = Self {
        fills: true,
        first: &ROSTER,
        roster: &ROSTER,
        joins: false,
        takes_result: false,
    };
    /// A line for each move of both sides.
    pub const NESTED: Self = Self {
        fills: false,
        ..Self::EXPORT
    };
}

/// The tags of a record, each with its name and its value.
pub type Tags = Vec<(String, String)>;

/// Chooses the style of a record by its tags, which it may write differently.
pub type Tidy = fn(&mut Tags) -> Style;

/// Writes records in canonical form.
pub struct Writer<W> {
    out: W,
    tidy: Tidy,
    style: Style,
    head: Head,
    numbers: Numbers,
    depth: usize,
    ravs: usize,
    /// The number of characters on the line so far.
    column: usize,
    /// A word that is not written yet, as a closing bracket may still be joined to it.
    word: Vec<u8>,
    /// Whether the next text joins the word.
    glue: bool,
    /// Whether the word is a ply.
    after_ply: bool,
    interrupted: bool,
    /// A sub-game of which only the square, and perhaps the result, has been read.
    opening: Option<(String, Option<String>)>,
    open_tags: Vec<(String, String)>,
    /// Whether the last word is `0:0` and is written `0-0`, as the tag says, if the record ends there: before anything
    /// but the end, `0-0` would be castling.
    both_lost: bool,
    judged: bool,
    command: bool,
    /// Whether the current comment has no word yet; and whether white space was read after a word.
    fresh: bool,
    gap: bool,
    /// Whether part of the current word is already written.
    continues: bool,
    /// Whether nothing of the record is written yet.
    at_beginning: bool,
    /// Whether the address of a board was written last.
    item_due: bool,
    /// Whether an item of a turn is being written.
    in_item: bool,
    /// Whether the last text could not be read.
    after_unread: bool,
    /// Whether the suffix of the turn that was just closed has been written.
    signed: bool,
}

impl<W: Write> Writer<W> {
    /// A writer to `out`, which lays out each record as `tidy` says.
    pub fn new(out: W, tidy: Tidy) -> Self {
        Self {
            out,
            tidy,
            style: Style::EXPORT,
            head: Head::default(),
            numbers: Numbers::default(),
            depth: 0,
            ravs: 0,
            column: 0,
            word: Vec::new(),
            glue: false,
            after_ply: false,
            interrupted: true,
            opening: None,
            open_tags: Vec::new(),
            both_lost: false,
            judged: false,
            command: false,
            fresh: false,
            gap: false,
            continues: false,
            at_beginning: true,
            item_due: false,
            in_item: false,
            after_unread: false,
            signed: false,
        }
    }

    /// The output so far.
    pub const fn inner_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// The output.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Writes an event; `canonical` is the referee's spelling of a legal ply.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(
        &mut self,
        event: Event,
        canonical: Option<Canonical>,
        parser: &Parser<'_>,
    ) -> io::Result<()> {
        if event == Event::Tag {
            return self.tag(tag_pair(parser));
        }
        self.write_text(event, canonical, parser.text(parser.place().span))
    }

    /// Writes an event other than a tag with this text.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write_text(
        &mut self,
        event: Event,
        canonical: Option<Canonical>,
        text: &[u8],
    ) -> io::Result<()> {
        if self.wait(event, text) {
            return Ok(());
        }
        if !matches!(event, Event::Begin | Event::Fault(_)) && !self.stands_before_tags(event, text)
        {
            self.end_tags()?;
            for (event, text) in mem::take(&mut self.head.waiting) {
                self.put(event, None, &text)?;
            }
        }
        self.put(event, canonical, text)
    }

    /// Writes a result after the moves in place of the one that was read. A tag Result that waits for it says the same
    /// if it said what was read, or if that was `*` and it had a result.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write_result(&mut self, read: &[u8], right: &str) -> io::Result<()> {
        let is_open = read == b"*";
        let meant = result_of(read).map_or(read, str::as_bytes);
        let agrees = |stated: &mut String| {
            stated.as_bytes() == meant || is_open && result_of(stated.as_bytes()).is_some()
        };
        self.head.stated.take_if(agrees);
        // As it was spelt, it is a result wherever it stands.
        let is_right = meant == right.as_bytes();
        let text = if is_right { read } else { right.as_bytes() };
        self.write_text(Event::Result, None, text)
    }

    fn put(&mut self, event: Event, canonical: Option<Canonical>, text: &[u8]) -> io::Result<()> {
        // Control characters are not written, so nothing stands between what is around them.
        if event == Event::Fault(GrammarFault::Control) {
            return Ok(());
        }
        let castles = event == Event::Result && text == BOTH_LOST && canonical.is_some();
        let event = if castles { Event::Ply } else { event };
        self.write_numbers_before(event, canonical.is_some())?;
        let signed = mem::take(&mut self.signed);
        if !matches!(event, Event::Fault(_)) {
            self.join_item(event);
            self.judged &= matches!(event, Event::Unread | Event::Glyphs | Event::Nag);
            self.both_lost &= event == Event::End;
        }
        self.glue |= mem::take(&mut self.after_ply) && self.stands_right_after(event, text);
        match event {
            Event::Begin => self.begin(),
            Event::Number => self.number(text)?,
            Event::Ply => self.ply(text, canonical)?,
            Event::Glyphs => self.glyphs(text)?,
            Event::Suffix if signed => {}
            Event::Suffix => self.join(text),
            Event::Nag => self.token(text)?,
            Event::Prose(Prose::Brace, part) => self.comment(part, text)?,
            Event::Prose(prose, part) => self.line_prose(prose, part, text)?,
            Event::RavOpen => self.open_rav()?,
            Event::RavClose => self.close_rav()?,
            Event::SubgameOpen => self.open_subgame(text)?,
            Event::TurnOpen => {
                if let Some(turn) = canonical {
                    self.number_of(&turn)?;
                }
                self.open_inline(b"<")?;
            }
            Event::Address => {
                self.token(text)?;
                self.item_due = true;
            }
            Event::ActionOpen(verb) => {
                self.numbers.before_action |= !self.numbers.held.is_empty();
                self.open_inline(b"<")?;
                self.token(verb.word().as_bytes())?;
            }
            Event::Argument if text == b":" => self.join(b":"),
            Event::Argument => self.token(text)?,
            Event::BlockClose(open) => self.end_block(open, canonical)?,
            Event::Result => self.result(text)?,
            Event::UnderWay => self.result(b"*")?,
            Event::Unread => {
                self.head.has_unread |= self.head.is_open;
                self.head.begins_broken |= self.head.is_open && text.starts_with(b"[");
                self.unread(text)?;
            }
            Event::Fault(GrammarFault::Unclosed(open)) => self.abandon(open)?,
            Event::Fault(GrammarFault::UnclosedComment) => self.head.unclosed = true,
            Event::Tag | Event::Fault(_) | Event::Done => {}
            Event::End => self.end()?,
        }
        self.at_beginning &= matches!(event, Event::Begin | Event::Fault(_));
        Ok(())
    }

    /// Writes the numbers that were read and belong to no ply, where an event comes after which they cannot stand.
    fn write_numbers_before(&mut self, event: Event, is_canonical: bool) -> io::Result<()> {
        match event {
            // A glyph belongs to the ply before the numbers, so it is written before all of them.
            Event::Glyphs | Event::Nag => return Ok(()),
            Event::Number | Event::Result | Event::UnderWay | Event::End | Event::Fault(_) => {
                return Ok(());
            }
            // A ply or turn in canonical form has its own number, so those read before it are dropped.
            Event::Ply | Event::TurnOpen if is_canonical && !self.numbers.stay => {
                self.numbers.stray.clear();
            }
            _ => {}
        }
        self.write_stray()?;
        self.numbers.stay = false;
        Ok(())
    }

    /// Whether an event after a ply is joined to it: a comment that is a number, where the style has that.
    fn stands_right_after(&self, event: Event, text: &[u8]) -> bool {
        let is_number = matches!(text.first(), Some(b'0'..=b'9' | b'-'));
        matches!(event, Event::Prose(Prose::Brace, _)) && is_number && self.style.joins
    }

    /// Joins an item of a turn to its address.
    fn join_item(&mut self, event: Event) {
        let joins = mem::take(&mut self.item_due);
        // After unreadable text this is still the same item, without a number.
        self.in_item = joins || (self.in_item && self.after_unread);
        self.after_unread = event == Event::Unread;
        if joins && matches!(event, Event::Ply | Event::Result | Event::TurnOpen) {
            self.join(b".");
            self.glue = true;
        }
    }

    fn begin(&mut self) {
        self.head = Head::default();
        self.head.is_open = true;
        self.numbers = Numbers::default();
        self.at_beginning = true;
        self.item_due = false;
        self.open_tags.clear();
        self.style = Style::EXPORT;
        self.depth = 0;
        self.ravs = 0;
        self.glue = false;
        self.interrupted = true;
        self.opening = None;
        self.both_lost = false;
        self.judged = false;
    }

    fn sink(&mut self) -> &mut dyn Write {
        match &mut self.head.held_moves {
            Some(held) => held,
            None => &mut self.out,
        }
    }

    /// Writes the pending word, on a new line if it does not fit.
    fn flush(&mut self) -> io::Result<()> {
        if self.word.is_empty() {
            return Ok(());
        }
        let word = mem::take(&mut self.word);
        if mem::take(&mut self.continues) {
            return self.sink().write_all(&word);
        }
        let width = decode(&word).0.chars().count();
        if self.column > 0 && self.style.fills && self.column + 1 + width > COLUMNS {
            self.newline()?;
        } else if self.column > 0 {
            self.sink().write_all(b" ")?;
            self.column += 1;
        }
        if self.column == 0 && self.depth > 0 {
            let indent = "  ".repeat(self.depth);
            self.sink().write_all(indent.as_bytes())?;
        } else if self.column == 0 && (word.first() == Some(&b'%') || word == b"[Event") {
            // In the first column a percent sign would begin an escape line, and `[Event` another record if the comment
            // does not close or contains a brace.
            self.sink().write_all(b" ")?;
            self.column += 1;
        }
        self.sink().write_all(&word)?;
        self.column += width;
        Ok(())
    }

    fn newline(&mut self) -> io::Result<()> {
        self.column = 0;
        self.sink().write_all(b"\n")?;
        match &self.head.held_moves {
            Some(held) if held.len() > HELD => self.release(),
            _ => Ok(()),
        }
    }

    /// Writes the tags, and the moves that were held back for the result.
    fn release(&mut self) -> io::Result<()> {
        let Some(moves) = self.head.held_moves.take() else {
            return Ok(());
        };
        self.write_tags()?;
        self.out.write_all(&moves)
    }

    /// Ends the line, unless it is empty.
    fn break_line(&mut self) -> io::Result<()> {
        self.flush()?;
        self.glue = false;
        if self.column > 0 {
            self.newline()
        } else {
            Ok(())
        }
    }

    /// Writes a token as a word of its own, unless the previous one requires joining.
    fn token(&mut self, text: &[u8]) -> io::Result<()> {
        self.settle_opening()?;
        if !mem::take(&mut self.glue) {
            self.flush()?;
        }
        self.word.extend_from_slice(decode(text).0.as_bytes());
        Ok(())
    }

    /// Joins text to the word before it.
    fn join(&mut self, text: &[u8]) {
        self.word.extend_from_slice(text);
    }

    fn glyphs(&mut self, text: &[u8]) -> io::Result<()> {
        let glyphs = String::from_utf8_lossy(text);
        self.token(nag(&glyphs).as_bytes())
    }

    fn unread(&mut self, text: &[u8]) -> io::Result<()> {
        if self.judged && (text == b"ep" || text == b"e.p.") {
            return Ok(());
        }
        self.judged = false;
        self.write_held_number()?;
        if text.first() == Some(&b'"') {
            // On a line of its own it cannot be read as the value of a broken tag before it.
            self.token(text)?;
            return self.break_line();
        }
        if text.first() != Some(&b'[') {
            return self.token(text);
        }
        // A broken tag starts a line only if it did so in the input, where it begins a record.
        self.break_line()?;
        let begins = mem::take(&mut self.at_beginning) && text.starts_with(b"[Event ");
        if begins {
            let text = decode(text).0;
            self.token(text.trim_end_matches('\r').as_bytes())?;
        } else {
            self.token(&[b" ", text.trim_ascii_end()].concat())?;
        }
        self.break_line()
    }

    fn end(&mut self) -> io::Result<()> {
        if mem::take(&mut self.both_lost) {
            self.word = BOTH_LOST.to_vec();
        }
        self.settle_opening()?;
        self.numbers.stray.clear();
        self.write_held_number()?;
        self.depth = 0;
        self.break_line()?;
        if self.head.held_moves.is_some() {
            let stated = self.head.stated.clone();
            self.head
                .result
                .get_or_insert_with(|| stated.unwrap_or_else(|| "*".into()));
        }
        self.release()?;
        self.out.write_all(b"\n")
    }
}

/// The PGN number for a combination of `!` and `?`; any other combination unchanged.
#[must_use]
pub fn nag(glyphs: &str) -> &str {
    match glyphs {
        "!" => "$1",
        "?" => "$2",
        "!!" => "$3",
        "??" => "$4",
        "!?" => "$5",
        "?!" => "$6",
        other => other,
    }
}
