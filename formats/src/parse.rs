//! Tokens to events: the grammar of NPGN, with recovery from faults.
//!
//! The parser never recurses: open brackets are on an explicit stack. Every fault is an event, and reading continues
//! after it.
//!
//! ```
//! use overboard_formats::{limits::Limits, parse::{Event, Parser}};
//!
//! let mut parser = Parser::new("1. e4 (1. d4) e5 *".as_bytes(), 0, Limits::default());
//! let mut plies = 0;
//! loop {
//!     match parser.next().unwrap() {
//!         Event::Ply => plies += 1,
//!         Event::Done => break,
//!         _ => {}
//!     }
//! }
//! // One of them is in a variation, which begins with `Event::RavOpen`.
//! assert_eq!(plies, 3);
//! ```

mod blocks;
mod event;
mod tags;
mod words;

pub use blocks::{is_address, is_square};
pub use event::{Event, GrammarFault, Limited, Open, Verb};
pub use words::{BOTH_LOST, is_result, result_at_the_end, result_of};

use crate::{
    encoding::decode,
    header,
    lex::{Ahead, Kind, Lead, Lexer, NotText, Part, Prose},
    limits::Limits,
    span::{Span, TextSpan},
};
use std::{
    collections::VecDeque,
    io::{self, Read},
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Between records, or before the first one.
    Outside,
    /// Among the tags of a record or sub-game.
    Tags,
    /// Among the moves.
    Moves,
    /// After the result.
    Ended,
    /// Skipping to the next record, as a limit was exceeded.
    Skipping,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    open: Open,
    place: TextSpan,
    mode: Mode,
    /// How many `<` that open nothing wait for their `>`, which closes nothing either.
    ignored: usize,
}

/// What was read last, where that decides how the next token is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum After {
    /// The end of a turn: a `+` or `#` belongs to it.
    Turn,
    /// The address of a board in a turn: a dot joins it to its item.
    Address,
    /// An address and its dot: an item is due.
    Joined,
    /// Anything else.
    Other,
}

/// Reads events from a stream of bytes.
pub struct Parser<'r> {
    lexer: Lexer<'r>,
    frames: Vec<Frame>,
    blocks: usize,
    ravs: usize,
    /// As in a frame, outside of all brackets.
    ignored: usize,
    mode: Mode,
    tags: usize,
    action: u64,
    after: After,
    pending: VecDeque<(Event, TextSpan)>,
    held: Option<(Kind, TextSpan)>,
    /// The place of an event that is returned later than its token was read.
    late_place: Option<TextSpan>,
    /// Whether events or a token are still to be returned.
    waiting: bool,
    begin: u64,
    /// What the record consists of, if neither a tag nor a move has been read in it.
    blank: Option<NotText>,
    /// Whether another record comes before this one.
    follows: bool,
    /// Whether more tags come after a comment among the tags.
    tags_follow: bool,
    /// Whether the symbol read last is a `0-0` that ends its record.
    ends_with_both_lost: bool,
    limits: Limits,
}

impl<'r> Parser<'r> {
    /// A parser over `reader`, whose first byte is at offset `base` of the whole text.
    pub fn new(reader: impl Read + Send + 'r, base: u64, limits: Limits) -> Self {
        Self {
            lexer: Lexer::new(reader, base, limits),
            frames: Vec::new(),
            blocks: 0,
            ravs: 0,
            ignored: 0,
            mode: Mode::Outside,
            tags: 0,
            action: 0,
            after: After::Other,
            pending: VecDeque::new(),
            held: None,
            late_place: None,
            waiting: false,
            begin: base,
            blank: None,
            follows: base > 0,
            tags_follow: false,
            ends_with_both_lost: false,
            limits,
        }
    }

    /// The place of the last event.
    #[inline]
    pub const fn place(&self) -> &TextSpan {
        match &self.late_place {
            Some(place) => place,
            None => self.lexer.place(),
        }
    }

    /// The lexer, which has the bytes of recent spans.
    #[inline]
    pub const fn lexer(&self) -> &Lexer<'r> {
        &self.lexer
    }

    /// Reads the rest of a record, from a word of its moves on, once more: as far as it is in memory.
    pub fn read_again(&self, from: u64) -> Parser<'_> {
        let rest = self.lexer.text(Span::new(from, u64::MAX));
        Parser {
            frames: self.frames.clone(),
            blocks: self.blocks,
            ravs: self.ravs,
            ignored: self.ignored,
            mode: self.mode,
            ..Parser::new(rest, from, self.limits)
        }
    }

    /// The name of the last tag pair, as it should be written.
    pub fn tag_name(&self) -> &[u8] {
        header::spelt(self.lexer.text(self.lexer.tag().name))
    }

    /// The value of the last tag pair, without backslashes.
    #[must_use]
    pub fn tag_value(&self) -> String {
        let mut value = Vec::new();
        header::unescape_into(self.text(self.lexer.tag().value), &mut value);
        decode(&value).0.into_owned()
    }

    /// Whether all bytes of the last event are still in memory. Those of a long run of signs are not, nor those of a
    /// broken tag on a long line.
    pub fn has_whole_text(&self) -> bool {
        let span = self.span();
        self.text(span).len() as u64 == span.len()
    }

    /// The bytes of a span, as far as they are still in memory.
    #[inline]
    pub fn text(&self, span: Span) -> &[u8] {
        self.lexer.text(span)
    }

    /// The place of a part of the tag: a tag may go on in the next line.
    pub fn place_in_tag(&self, part: Span) -> TextSpan {
        let whole = self.place();
        let before = self.text(Span::new(whole.span.from, part.from));
        let mut breaks = memchr::memrchr_iter(b'\n', before);
        let Some(last) = breaks.next() else {
            return whole.at(part);
        };
        TextSpan {
            span: part,
            line: whole.line + 1 + breaks.count() as u64,
            line_start: whole.span.from + last as u64 + 1,
        }
    }

    /// The offset where the record being read begins; after [`Event::End`], where the next one begins or the text ends.
    pub const fn record_start(&self) -> u64 {
        self.begin
    }

    /// Whether another record comes before the one being read; valid after its first event.
    pub const fn follows(&self) -> bool {
        self.follows
    }

    /// Whether more tags come after the comment that was read last; valid for one among the tags, or before them.
    pub const fn tags_follow(&self) -> bool {
        self.tags_follow
    }

    /// Long lines since the last call; see [`Lexer::take_long_lines`].
    pub const fn take_long_lines(&mut self) -> (u64, (u64, u64)) {
        self.lexer.take_long_lines()
    }

    /// The next event.
    ///
    /// # Errors
    /// Those of the reader.
    #[inline(always)]
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator could not lend its text"
    )]
    pub fn next(&mut self) -> io::Result<Event> {
        loop {
            if self.waiting {
                if let Some(event) = self.next_waiting()? {
                    return Ok(event);
                }
                continue;
            }
            let kind = self.lexer.next()?;
            if let Some(event) = self.read_plain(kind) {
                return Ok(event);
            }
            if let Some(event) = self.read_slowly(kind)? {
                return Ok(event);
            }
        }
    }

    /// An event to return before the next token is read.
    #[inline(never)]
    fn next_waiting(&mut self) -> io::Result<Option<Event>> {
        if let Some((event, place)) = self.pending.pop_front() {
            self.late_place = Some(place);
            return Ok(Some(event));
        }
        self.late_place = None;
        self.waiting = false;
        match self.held.take() {
            Some((kind, place)) => {
                self.late_place = Some(place);
                self.waiting = true;
                self.read_slowly(kind)
            }
            None => Ok(None),
        }
    }

    #[inline]
    fn span(&self) -> Span {
        self.place().span
    }

    /// The most common events, which do not open or close anything. In a sub-game, a turn or an action, a token may
    /// end the tags or be misplaced, so `read_slowly` reads it.
    #[inline(always)]
    fn read_plain(&mut self, kind: Kind) -> Option<Event> {
        if self.mode != Mode::Moves
            || self.after == After::Turn
            || !matches!(self.top(), None | Some(Open::Rav))
        {
            return None;
        }
        match kind {
            Kind::Number => Some(Event::Number),
            Kind::Symbol(Lead::Figure) if self.is_both_lost() => None,
            Kind::Symbol(lead) => Some(self.symbol(lead)),
            Kind::Prose(prose, part) => Some(Event::Prose(prose, part)),
            _ => None,
        }
    }

    fn is_both_lost(&self) -> bool {
        self.lexer.text(self.span()) == BOTH_LOST
    }

    #[inline]
    fn top(&self) -> Option<Open> {
        self.frames.last().map(|frame| frame.open)
    }

    fn say(&mut self, event: Event) {
        self.say_at(event, *self.place());
    }

    fn say_at(&mut self, event: Event, place: TextSpan) {
        self.waiting = true;
        self.pending.push_back((event, place));
    }

    fn fault(&mut self, fault: GrammarFault) -> Option<Event> {
        Some(Event::Fault(fault))
    }

    /// Reports a fault, and keeps the unreadable text for the next event.
    fn unread(&mut self, fault: GrammarFault) -> Option<Event> {
        self.say(Event::Unread);
        self.fault(fault)
    }

    #[inline(never)]
    fn read_slowly(&mut self, kind: Kind) -> io::Result<Option<Event>> {
        if let Kind::Prose(_, part) = kind
            && matches!(self.mode, Mode::Outside | Mode::Tags)
        {
            self.tags_follow = !part.last || self.lexer.follows()? == Ahead::Tag;
        }
        self.ends_with_both_lost = kind == Kind::Symbol(Lead::Figure)
            && self.is_both_lost()
            && self.frames.is_empty()
            && self.lexer.follows()? != Ahead::Other;
        let after = self.after;
        if kind != Kind::Control {
            self.after = After::Other;
        }
        if kind == Kind::Less && self.mode != Mode::Skipping {
            self.see(kind);
            self.enter_moves(kind);
            if self.pending.is_empty() {
                return self.block(after);
            }
            self.keep(kind);
            return Ok(None);
        }
        Ok(self.read_other(kind, after))
    }

    /// Keeps track of whether the record still has nothing readable.
    const fn see(&mut self, kind: Kind) {
        self.blank = match (kind, self.blank) {
            (Kind::Control | Kind::End, blank) => blank,
            (Kind::Prose(..), Some(_)) => Some(NotText::Remarks),
            _ => None,
        };
    }

    fn read_other(&mut self, kind: Kind, after: After) -> Option<Event> {
        self.see(kind);
        match kind {
            Kind::End => return self.at_end(),
            Kind::NotText(what) => {
                self.mode = Mode::Skipping;
                self.say(Event::Fault(GrammarFault::NotText(what)));
                return Some(Event::Begin);
            }
            Kind::Tag => return self.tag(),
            Kind::BadTag(fault) => return self.bad_tag(kind, fault),
            Kind::Prose(prose, part) => return self.prose(prose, part),
            _ => {}
        }
        if self.mode == Mode::Skipping {
            return None;
        }
        self.enter_moves(kind);
        if !self.pending.is_empty() {
            self.keep(kind);
            return None;
        }
        match kind {
            Kind::Symbol(lead) => Some(self.word(lead, after)),
            Kind::Number if self.in_list() => self.unread(GrammarFault::Misplaced(self.top()?)),
            Kind::Number => Some(Event::Number),
            Kind::Dots => self.dots(after),
            Kind::Dashes | Kind::Nag | Kind::Glyphs if self.top() == Some(Open::Action) => {
                self.unread(GrammarFault::Misplaced(Open::Action))
            }
            Kind::Dashes if after == After::Address => {
                self.unread(GrammarFault::Misplaced(Open::Turn))
            }
            Kind::Dashes if self.is_after_result() => {
                self.unread(GrammarFault::Misplaced(Open::Subgame))
            }
            Kind::Dashes => Some(Event::Ply),
            Kind::Nag => Some(Event::Nag),
            Kind::Glyphs => Some(Event::Glyphs),
            Kind::Sign if after == After::Turn && matches!(self.text(self.span()), b"+" | b"#") => {
                Some(Event::Suffix)
            }
            Kind::Sign => self.unread(GrammarFault::SignAlone),
            Kind::EnPassant => self.unread(GrammarFault::EnPassantMark),
            Kind::Colon if self.top() == Some(Open::Action) => Some(self.argument()),
            Kind::Star => Some(self.result()),
            Kind::Greater => self.close_block(),
            Kind::Open => self.open_rav(),
            Kind::Close => self.close_rav(),
            Kind::Unclosed(part) => {
                self.say_at(
                    Event::Fault(GrammarFault::UnclosedComment),
                    self.lexer.prose_opening(),
                );
                self.say(Event::Prose(Prose::Brace, part));
                None
            }
            Kind::Control => self.fault(GrammarFault::Control),
            Kind::Brace => self.unread(GrammarFault::Stray(b'}')),
            Kind::Bracket => self.unread(GrammarFault::Stray(b']')),
            Kind::LongSymbol => self.over_limit(Limited::Symbol),
            _ => self.unread(GrammarFault::Strange),
        }
    }

    fn in_list(&self) -> bool {
        matches!(self.top(), Some(Open::Turn | Open::Action))
    }

    fn mode_here(&mut self) -> &mut Mode {
        match self.frames.last_mut() {
            Some(frame) if frame.open == Open::Subgame => &mut frame.mode,
            _ => &mut self.mode,
        }
    }

    /// Whether the result of a sub-game was read, and nothing may follow.
    fn is_after_result(&self) -> bool {
        self.frames
            .last()
            .is_some_and(|frame| frame.open == Open::Subgame && frame.mode == Mode::Ended)
    }

    fn ignored_here(&mut self) -> &mut usize {
        match self.frames.last_mut() {
            Some(frame) => &mut frame.ignored,
            None => &mut self.ignored,
        }
    }

    /// Makes sure that a record has begun and that its tags are over; after a result, another record begins.
    fn enter_moves(&mut self, kind: Kind) {
        match self.mode {
            Mode::Outside => self.begin_here(),
            Mode::Ended
                if !matches!(
                    kind,
                    Kind::Control | Kind::Glyphs | Kind::Nag | Kind::Unclosed(_)
                ) =>
            {
                self.end_record(self.span().from);
                self.begin_here();
            }
            _ => {}
        }
        if kind == Kind::Control {
            return;
        }
        if self.mode == Mode::Tags {
            self.mode = Mode::Moves;
        }
        if let Some(frame) = self.frames.last_mut()
            && frame.mode == Mode::Tags
        {
            frame.mode = Mode::Moves;
        }
    }

    fn begin_here(&mut self) {
        self.mode = Mode::Tags;
        self.tags = 0;
        self.ignored = 0;
        self.begin = self.span().from;
        self.blank = Some(NotText::Blank);
        self.say(Event::Begin);
        if self.lexer.had_mark() {
            self.say(Event::Fault(GrammarFault::Mark));
        }
    }

    /// Ends the record; everything that is still open is a fault, unless the game may still be going on.
    fn end_record(&mut self, next: u64) {
        let open = std::mem::take(&mut self.frames);
        if self.limits.so_far {
            for frame in open.into_iter().rev() {
                self.close_under_way(frame);
            }
        } else {
            for frame in open {
                self.say_at(
                    Event::Fault(GrammarFault::Unclosed(frame.open)),
                    frame.place,
                );
            }
        }
        self.blocks = 0;
        self.ravs = 0;
        if matches!(self.mode, Mode::Moves | Mode::Tags) {
            match self.blank.take() {
                Some(blank) => self.say(Event::Fault(GrammarFault::NotText(blank))),
                None => self.say(self.without_result()),
            }
        }
        self.say(Event::End);
        self.follows = true;
        self.mode = Mode::Outside;
        self.begin = next;
    }

    /// What is said where a result is missing.
    const fn without_result(&self) -> Event {
        if self.limits.so_far {
            Event::UnderWay
        } else {
            Event::Fault(GrammarFault::NoResult)
        }
    }

    fn at_end(&mut self) -> Option<Event> {
        if self.mode == Mode::Outside {
            self.begin = self.lexer.reached().1;
            return Some(Event::Done);
        }
        self.end_record(self.lexer.reached().1);
        None
    }

    /// Keeps the token until pending events have been returned.
    fn keep(&mut self, kind: Kind) {
        self.waiting = true;
        self.held = Some((kind, *self.place()));
    }

    fn prose(&mut self, prose: Prose, part: Part) -> Option<Event> {
        match self.mode {
            Mode::Skipping => None,
            Mode::Outside => {
                self.begin_here();
                self.blank = Some(NotText::Remarks);
                self.say(Event::Prose(prose, part));
                None
            }
            _ => {
                if part.first && prose != Prose::Escape && self.top() == Some(Open::Action) {
                    self.say(Event::Prose(prose, part));
                    return self.fault(GrammarFault::Misplaced(Open::Action));
                }
                Some(Event::Prose(prose, part))
            }
        }
    }

    /// Skips the rest of the record.
    fn over_limit(&mut self, limited: Limited) -> Option<Event> {
        self.mode = Mode::Skipping;
        self.frames.clear();
        self.blocks = 0;
        self.ravs = 0;
        self.fault(GrammarFault::Limit(limited))
    }
}
