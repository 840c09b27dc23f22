//! Tokens into events: the grammar of NPGN, with recovery.
//!
//! Never recursive: what is open stands on a stack. Every fault is an event of its own and the
//! reading goes on behind it.

use crate::{
    lex::{Kind, Lexer, Part, Prose, TagFault, TagSpans, Token},
    limits::Limits,
    span::{Place, Span},
};
use std::{collections::VecDeque, io, io::Read};

/// The closed list of actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verb {
    /// `prisoners`: what the winner of a sub-game takes.
    Prisoners,
    /// `consolidate`: an over-piece handing over its sub-set.
    Consolidate,
    /// `reserve`: a spare piece put in.
    Reserve,
}

impl Verb {
    fn of(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"prisoners" => Self::Prisoners,
            b"consolidate" => Self::Consolidate,
            b"reserve" => Self::Reserve,
            _ => return None,
        })
    }

    /// The word as it is written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Prisoners => "prisoners",
            Self::Consolidate => "consolidate",
            Self::Reserve => "reserve",
        }
    }
}

/// What a bracket opened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Open {
    /// A variation `(`.
    Rav,
    /// A sub-game `<e5:`.
    Subgame,
    /// A turn `<A2.e4`.
    Turn,
    /// An action `<reserve`.
    Action,
}

/// What the text says next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// A record begins.
    Begin,
    /// A tag pair of the record, or of the sub-game just opened.
    Tag(TagSpans),
    /// A move number with its dots.
    Number(Span),
    /// A ply as written, `--` too, without its glyphs.
    Ply(Span),
    /// `!` and `?` behind a ply.
    Glyphs(Span),
    /// `+` or `#` behind a turn.
    Suffix(Span),
    /// A numeric annotation glyph, `$` included.
    Nag(Span),
    /// A comment or an escape line, or a piece of one.
    Prose(Prose, Part, Span),
    /// A variation begins.
    RavOpen,
    /// A variation ends.
    RavClose,
    /// A sub-game on this square begins.
    SubgameOpen(Span),
    /// A turn begins.
    TurnOpen,
    /// The board address of a turn's next item.
    Address(Span),
    /// An action begins.
    ActionOpen(Verb, Span),
    /// An argument of the action.
    Argument(Span),
    /// A sub-game, turn or action ends.
    BlockClose(Open),
    /// A result: of the record, of a sub-game, or of a board in a turn.
    Result(Span),
    /// Text that could not be read, kept as it is.
    Unread(Span),
    /// Something is wrong here; what was read of it follows or went before as other events.
    Fault(Fault),
    /// The record ends.
    End,
    /// There are no more records.
    Done,
}

/// A breach of the grammar, or something that the grammar forgives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// The text is UTF-16.
    Wide,
    /// The text begins with a UTF-8 mark.
    Mark,
    /// A comment does not close before the next record or the end of the text.
    UnclosedComment,
    /// A bracket does not close; where it opened.
    Unclosed(Open, Place),
    /// A closing bracket closes nothing.
    Stray(char),
    /// A tag pair cannot be read.
    BadTag(TagFault),
    /// A tag pair stands among the moves.
    TagInMoves,
    /// Control characters.
    Control,
    /// Characters or words that have no meaning here.
    Strange,
    /// A block does not begin as a sub-game, turn or action does.
    BadBlock,
    /// Something that may not stand inside a turn or action.
    Misplaced(Open),
    /// A number, glyph or NAG without what it should stand at.
    Dangling,
    /// A move number whose dots are missing or apart.
    NumberForm,
    /// `e.p.` behind a move.
    EnPassantMark,
    /// A result inside a variation.
    ResultInRav,
    /// A sign that annotates in some books and nowhere in PGN.
    SignAlone,
    /// The record ends without a result.
    NoResult,
    /// More of this than the limit allows; the rest of the record is passed over.
    Limit(&'static str, u64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Between records, or before the first.
    Outside,
    /// Among the tags of a record or sub-game.
    Tags,
    /// Among the moves.
    Moves,
    /// Behind the result.
    Ended,
    /// Passing over what a limit forbids, up to the next record.
    Skipping,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    open: Open,
    place: Place,
    mode: Mode,
    /// In a turn: an address and its dot stand before what comes.
    item_due: bool,
}

/// Reads events from a stream of bytes.
pub struct Parser<R> {
    lexer: Lexer<R>,
    frames: Vec<Frame>,
    blocks: usize,
    ravs: usize,
    mode: Mode,
    tags: usize,
    action: u64,
    after_turn: bool,
    pending: VecDeque<(Event, Place)>,
    held: Option<(Token, Place)>,
    place: Place,
    begin: u64,
    limits: Limits,
}

impl<R: Read> Parser<R> {
    /// A parser over `reader`, whose first byte stands at `base` in the whole text.
    pub fn new(reader: R, base: u64, limits: Limits) -> Self {
        Self {
            lexer: Lexer::new(reader, base, limits),
            frames: Vec::new(),
            blocks: 0,
            ravs: 0,
            mode: Mode::Outside,
            tags: 0,
            action: 0,
            after_turn: false,
            pending: VecDeque::new(),
            held: None,
            place: Place::default(),
            begin: base,
            limits,
        }
    }

    /// Where the last event stands.
    #[inline]
    pub const fn place(&self) -> Place {
        self.place
    }

    /// The lexer, for the texts of spans.
    #[inline]
    pub const fn lexer(&self) -> &Lexer<R> {
        &self.lexer
    }

    /// The bytes of a span, as far as they are still in memory.
    #[inline]
    pub fn text(&self, span: Span) -> &[u8] {
        self.lexer.text(span)
    }

    /// Offset at which the record being read begins; after [`Event::End`], at which the next one
    /// does, or the text's end.
    pub const fn record_start(&self) -> u64 {
        self.begin
    }

    /// Long lines since this was last asked; see [`Lexer::take_long_lines`].
    pub const fn take_long_lines(&mut self) -> (u64, (u64, u64)) {
        self.lexer.take_long_lines()
    }

    /// Depth of variations open here.
    pub const fn rav_depth(&self) -> usize {
        self.ravs
    }

    /// The next event.
    ///
    /// # Errors
    /// Those of the reader.
    #[inline]
    pub fn next(&mut self) -> io::Result<Event> {
        loop {
            if let Some((event, place)) = self.pending.pop_front() {
                self.place = place;
                return Ok(event);
            }
            let token = match self.held.take() {
                Some((token, place)) => {
                    self.place = place;
                    token
                }
                None => {
                    let token = self.lexer.next()?;
                    self.place = self.lexer.place();
                    token
                }
            };
            if let Some(event) = self.read(token)? {
                return Ok(event);
            }
        }
    }

    #[inline]
    fn read(&mut self, token: Token) -> io::Result<Option<Event>> {
        if self.mode == Mode::Moves && !self.after_turn {
            match token.kind {
                Kind::Number if self.top() != Some(Open::Turn) => return Ok(Some(Event::Number(token.span))),
                Kind::Symbol if matches!(self.top(), None | Some(Open::Rav)) => return Ok(Some(self.symbol(token.span))),
                Kind::Prose(prose, part) => return Ok(Some(Event::Prose(prose, part, token.span))),
                _ => {}
            }
        }
        self.read_slowly(token)
    }

    #[inline]
    fn top(&self) -> Option<Open> {
        self.frames.last().map(|frame| frame.open)
    }

    fn say(&mut self, event: Event) {
        self.pending.push_back((event, self.place));
    }

    fn fault(&mut self, fault: Fault) -> Option<Event> {
        Some(Event::Fault(fault))
    }

    /// The fault, and the text it is about.
    fn unread(&mut self, fault: Fault, span: Span) -> Option<Event> {
        self.say(Event::Unread(span));
        self.fault(fault)
    }

    fn read_slowly(&mut self, token: Token) -> io::Result<Option<Event>> {
        let after_turn = std::mem::take(&mut self.after_turn);
        if token.kind == Kind::Less && self.mode != Mode::Skipping {
            self.enter_moves(token);
            if self.pending.is_empty() {
                return self.block();
            }
            self.held = Some((token, self.place));
            return Ok(None);
        }
        Ok(self.read_other(token, after_turn))
    }

    fn read_other(&mut self, token: Token, after_turn: bool) -> Option<Event> {
        match token.kind {
            Kind::End => return self.at_end(),
            Kind::Wide => {
                self.mode = Mode::Skipping;
                self.say(Event::Fault(Fault::Wide));
                return Some(Event::Begin);
            }
            Kind::Tag => return self.tag(token),
            Kind::BadTag(fault) => return self.bad_tag(token, fault),
            Kind::Prose(prose, part) => return self.prose(prose, part, token.span),
            _ => {}
        }
        if self.mode == Mode::Skipping {
            return None;
        }
        self.enter_moves(token);
        if !self.pending.is_empty() {
            self.held = Some((token, self.place));
            return None;
        }
        if self.mode == Mode::Skipping {
            return None;
        }
        match token.kind {
            Kind::Symbol => Some(self.word(token.span)),
            Kind::Number if self.in_list() => self.unread(Fault::Misplaced(self.top()?), token.span),
            Kind::Number => Some(Event::Number(token.span)),
            Kind::Dots => self.dots(token.span),
            Kind::Dashes if self.top() == Some(Open::Action) => self.unread(Fault::Misplaced(Open::Action), token.span),
            Kind::Dashes => {
                self.take_item_due();
                Some(Event::Ply(token.span))
            }
            Kind::Nag => Some(Event::Nag(token.span)),
            Kind::Glyphs => Some(Event::Glyphs(token.span)),
            Kind::Sign if after_turn && matches!(self.text(token.span), b"+" | b"#") => Some(Event::Suffix(token.span)),
            Kind::Sign => self.unread(Fault::SignAlone, token.span),
            Kind::EnPassant => self.unread(Fault::EnPassantMark, token.span),
            Kind::Colon if self.top() == Some(Open::Action) => Some(self.argument(token.span)),
            Kind::Star => Some(self.result(token.span)),
            Kind::Greater => self.close_block(),
            Kind::Open => self.open_rav(token),
            Kind::Close => self.close_rav(token),
            Kind::Unclosed(part) => {
                self.say(Event::Fault(Fault::UnclosedComment));
                Some(Event::Prose(Prose::Brace, part, token.span))
            }
            Kind::Control => self.fault(Fault::Control),
            Kind::Brace => self.unread(Fault::Stray('}'), token.span),
            Kind::Bracket => self.unread(Fault::Stray(']'), token.span),
            Kind::LongSymbol => self.over_limit("symbol", self.limits.symbol as u64),
            _ => self.unread(Fault::Strange, token.span),
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

    /// Makes sure that a record has begun and its tags are over; where the last record had its
    /// result, another one begins.
    fn enter_moves(&mut self, token: Token) {
        match self.mode {
            Mode::Outside => self.begin_record(token.span.from),
            Mode::Ended => {
                if !matches!(token.kind, Kind::Control | Kind::Glyphs | Kind::Nag) {
                    self.end_record(token.span.from);
                    self.begin_record(token.span.from);
                }
            }
            _ => {}
        }
        if self.mode == Mode::Tags {
            self.mode = Mode::Moves;
        }
        if let Some(frame) = self.frames.last_mut() {
            if frame.mode == Mode::Tags {
                frame.mode = Mode::Moves;
            }
        }
    }

    fn begin_record(&mut self, at: u64) {
        self.mode = Mode::Tags;
        self.tags = 0;
        self.begin = at;
        self.say(Event::Begin);
        if self.lexer.had_mark() {
            self.say(Event::Fault(Fault::Mark));
        }
    }

    /// Ends the record: whatever is still open is a fault.
    fn end_record(&mut self, next: u64) {
        for frame in std::mem::take(&mut self.frames) {
            self.pending.push_back((Event::Fault(Fault::Unclosed(frame.open, frame.place)), frame.place));
        }
        self.blocks = 0;
        self.ravs = 0;
        if matches!(self.mode, Mode::Moves | Mode::Tags) {
            self.say(Event::Fault(Fault::NoResult));
        }
        self.say(Event::End);
        self.mode = Mode::Outside;
        self.begin = next;
    }

    fn at_end(&mut self) -> Option<Event> {
        if self.mode == Mode::Outside {
            self.begin = self.lexer.reached().1;
            return Some(Event::Done);
        }
        self.end_record(self.lexer.reached().1);
        None
    }

    fn tag(&mut self, token: Token) -> Option<Event> {
        let spans = self.lexer.tag();
        let begins = spans.at_line_start && (self.text(spans.name) == b"Event" || self.between_records());
        if self.mode == Mode::Skipping && !begins {
            return None;
        }
        if begins && !self.is_fresh() {
            self.end_record(token.span.from);
        }
        if self.mode == Mode::Outside {
            self.begin_record(token.span.from);
            return self.hold(token);
        }
        if *self.mode_here() != Mode::Tags || self.in_rav_or_list() {
            return self.unread(Fault::TagInMoves, token.span);
        }
        self.tags += 1;
        if self.tags > self.limits.tags {
            return self.over_limit("tags", self.limits.tags as u64);
        }
        Some(Event::Tag(spans))
    }

    /// Whether no record has begun, or nothing but a remark stands in it.
    fn is_fresh(&self) -> bool {
        self.mode == Mode::Outside || (self.mode == Mode::Tags && self.tags == 0 && self.frames.is_empty())
    }

    fn in_rav_or_list(&self) -> bool {
        matches!(self.top(), Some(Open::Rav | Open::Turn | Open::Action))
    }

    /// Whether a tag pair here begins a record whatever its name.
    fn between_records(&self) -> bool {
        self.frames.is_empty() && matches!(self.mode, Mode::Ended | Mode::Moves)
    }

    /// Keeps the token until what is pending has been told.
    fn hold(&mut self, token: Token) -> Option<Event> {
        self.held = Some((token, self.place));
        None
    }

    fn bad_tag(&mut self, token: Token, fault: TagFault) -> Option<Event> {
        let begins = self.lexer.tag().at_line_start;
        if self.mode == Mode::Skipping && !begins {
            return None;
        }
        if (begins && !self.is_fresh()) || self.mode == Mode::Ended {
            self.end_record(token.span.from);
        }
        if self.mode == Mode::Outside {
            self.begin_record(token.span.from);
            return self.hold(token);
        }
        self.tags += 1;
        if fault == TagFault::TooLong {
            return self.over_limit("tag-value", self.limits.tag_value as u64);
        }
        self.unread(Fault::BadTag(fault), token.span)
    }

    fn prose(&mut self, prose: Prose, part: Part, span: Span) -> Option<Event> {
        match self.mode {
            Mode::Skipping => None,
            Mode::Outside => {
                self.begin_record(span.from);
                self.mode = Mode::Tags;
                self.say(Event::Prose(prose, part, span));
                None
            }
            _ => {
                if prose != Prose::Escape && self.top() == Some(Open::Action) {
                    return self.unread(Fault::Misplaced(Open::Action), span);
                }
                Some(Event::Prose(prose, part, span))
            }
        }
    }

    /// A result or a ply, where both may stand.
    #[inline]
    fn symbol(&mut self, span: Span) -> Event {
        let text = self.lexer.text(span);
        if text[0].is_ascii_digit() {
            self.number_or_result(span)
        } else {
            Event::Ply(span)
        }
    }

    fn number_or_result(&mut self, span: Span) -> Event {
        let text = self.lexer.text(span);
        if matches!(text, b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2") {
            return self.result(span);
        }
        if text.iter().all(u8::is_ascii_digit) {
            self.say(Event::Number(span));
            return Event::Fault(Fault::NumberForm);
        }
        Event::Ply(span)
    }

    fn word(&mut self, span: Span) -> Event {
        match self.top() {
            Some(Open::Turn) => self.turn_word(span),
            Some(Open::Action) => self.argument(span),
            Some(Open::Subgame) if *self.mode_here() == Mode::Ended => {
                self.say(Event::Unread(span));
                Event::Fault(Fault::Misplaced(Open::Subgame))
            }
            _ => self.symbol(span),
        }
    }

    fn argument(&mut self, span: Span) -> Event {
        self.action += span.len() + 1;
        if self.action > self.limits.action as u64 {
            self.over_limit("action", self.limits.action as u64);
            return Event::Fault(Fault::Limit("action", self.limits.action as u64));
        }
        Event::Argument(span)
    }

    /// In a turn: an address, or what stands behind one.
    fn turn_word(&mut self, span: Span) -> Event {
        if self.take_item_due() {
            return self.symbol_in_turn(span);
        }
        if is_address(self.lexer.text(span)) {
            return Event::Address(span);
        }
        self.say(Event::Unread(span));
        Event::Fault(Fault::Misplaced(Open::Turn))
    }

    fn take_item_due(&mut self) -> bool {
        self.frames.last_mut().is_some_and(|frame| std::mem::take(&mut frame.item_due))
    }

    fn symbol_in_turn(&mut self, span: Span) -> Event {
        if matches!(self.lexer.text(span), b"1-0" | b"0-1" | b"1/2-1/2") { Event::Result(span) } else { Event::Ply(span) }
    }

    fn dots(&mut self, span: Span) -> Option<Event> {
        if self.top() == Some(Open::Turn) && span.len() == 1 {
            if let Some(frame) = self.frames.last_mut() {
                frame.item_due = true;
            }
            return None;
        }
        if self.in_list() {
            return self.unread(Fault::Misplaced(self.top()?), span);
        }
        self.say(Event::Number(span));
        self.fault(Fault::NumberForm)
    }

    fn result(&mut self, span: Span) -> Event {
        match self.top() {
            Some(Open::Rav) => {
                self.say(Event::Unread(span));
                Event::Fault(Fault::ResultInRav)
            }
            Some(Open::Subgame) => {
                *self.mode_here() = Mode::Ended;
                Event::Result(span)
            }
            Some(Open::Turn | Open::Action) => {
                self.say(Event::Unread(span));
                Event::Fault(Fault::Misplaced(Open::Turn))
            }
            None => {
                self.mode = Mode::Ended;
                Event::Result(span)
            }
        }
    }

    fn open_rav(&mut self, token: Token) -> Option<Event> {
        if self.in_list() {
            return self.unread(Fault::Misplaced(self.top()?), token.span);
        }
        if self.ravs >= self.limits.rav_depth {
            return self.over_limit("rav-depth", self.limits.rav_depth as u64);
        }
        self.ravs += 1;
        self.frames.push(Frame { open: Open::Rav, place: self.place, mode: Mode::Moves, item_due: false });
        Some(Event::RavOpen)
    }

    fn close_rav(&mut self, token: Token) -> Option<Event> {
        if self.top() != Some(Open::Rav) {
            return self.unread(Fault::Stray(')'), token.span);
        }
        self.frames.pop();
        self.ravs -= 1;
        Some(Event::RavClose)
    }

    /// Behind `<`: one token decides.
    fn block(&mut self) -> io::Result<Option<Event>> {
        if self.blocks >= self.limits.block_depth {
            return Ok(self.over_limit("block-depth", self.limits.block_depth as u64));
        }
        if self.top() == Some(Open::Action) {
            return Ok(self.unread(Fault::Misplaced(Open::Action), self.place.span));
        }
        let opening = self.place;
        self.take_item_due();
        let token = self.lexer.next()?;
        let colon = self.lexer.peek()? == b':';
        let text = self.lexer.text(token.span);
        let (open, event) = if token.kind != Kind::Symbol {
            (None, Event::TurnOpen)
        } else if let Some(verb) = Verb::of(text) {
            (Some(Open::Action), Event::ActionOpen(verb, token.span))
        } else if is_square(text) && colon {
            (Some(Open::Subgame), Event::SubgameOpen(token.span))
        } else if is_address(text) {
            (Some(Open::Turn), Event::TurnOpen)
        } else {
            (None, Event::TurnOpen)
        };
        let Some(open) = open else {
            self.held = Some((token, self.lexer.place()));
            return Ok(self.unread(Fault::BadBlock, opening.span));
        };
        self.blocks += 1;
        self.action = 0;
        self.frames.push(Frame { open, place: opening, mode: Mode::Tags, item_due: false });
        match open {
            Open::Turn => self.pending.push_back((Event::Address(token.span), self.lexer.place())),
            Open::Subgame => self.lexer.skip(),
            _ => {}
        }
        Ok(Some(event))
    }

    fn close_block(&mut self) -> Option<Event> {
        let Some(depth) = self.frames.iter().rposition(|frame| frame.open != Open::Rav) else {
            return self.unread(Fault::Stray('>'), self.place.span);
        };
        for frame in self.frames.split_off(depth + 1) {
            self.ravs -= 1;
            self.pending.push_back((Event::Fault(Fault::Unclosed(frame.open, frame.place)), frame.place));
        }
        let frame = self.frames.pop()?;
        self.blocks -= 1;
        if frame.open == Open::Subgame && frame.mode != Mode::Ended {
            self.say(Event::Fault(Fault::NoResult));
        }
        self.after_turn = frame.open == Open::Turn;
        self.say(Event::BlockClose(frame.open));
        None
    }

    /// Passes over the rest of the record.
    fn over_limit(&mut self, name: &'static str, limit: u64) -> Option<Event> {
        self.mode = Mode::Skipping;
        self.frames.clear();
        self.blocks = 0;
        self.ravs = 0;
        self.fault(Fault::Limit(name, limit))
    }
}

/// A mega-square with a capital file: `A2`.
#[must_use]
pub fn is_address(text: &[u8]) -> bool {
    matches!(text, [b'A'..=b'H', b'1'..=b'8'])
}

/// A square with a small file: `e5`, `n14`.
#[must_use]
pub fn is_square(text: &[u8]) -> bool {
    match text {
        [b'a'..=b'n', b'1'..=b'9'] => true,
        [b'a'..=b'n', b'1', b'0'..=b'4'] => true,
        _ => false,
    }
}
