//! Tokens into events: the grammar of NPGN, with recovery.
//!
//! Never recursive: what is open stands on a stack. Every fault is an event of its own and the
//! reading goes on behind it.

use crate::{
    encoding::written_length,
    lex::{Kind, Lexer, NotText, Part, Prose, TagFault},
    limits::Limits,
    span::{Place, Span},
};
use std::{
    collections::VecDeque,
    io::{self, Read},
};

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

/// What the text says next; its bytes are the span of [`Parser::place`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
// A tag of its own is told faster than one woven into what the variants hold.
#[repr(u8)]
pub enum Event {
    /// A record begins.
    Begin,
    /// A tag pair of the record, or of the sub-game just opened; its parts are in
    /// [`crate::lex::Lexer::tag`].
    Tag,
    /// A move number with its dots.
    Number,
    /// A ply as written, `--` too, without its glyphs.
    Ply,
    /// `!` and `?` behind a ply.
    Glyphs,
    /// `+` or `#` behind a turn.
    Suffix,
    /// A numeric annotation glyph, `$` included.
    Nag,
    /// A comment or an escape line, or a piece of one.
    Prose(Prose, Part),
    /// A variation begins.
    RavOpen,
    /// A variation ends.
    RavClose,
    /// A sub-game begins; its bytes are those of its square.
    SubgameOpen,
    /// A turn begins.
    TurnOpen,
    /// The board address of a turn's next item.
    Address,
    /// An action begins; its bytes are those of its verb.
    ActionOpen(Verb),
    /// An argument of the action.
    Argument,
    /// A sub-game, turn or action ends.
    BlockClose(Open),
    /// A result: of the record, of a sub-game, or of a board in a turn.
    Result,
    /// Text that could not be read, kept as it is.
    Unread,
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
    /// The file is no text.
    NotText(NotText),
    /// The text begins with a UTF-8 mark.
    Mark,
    /// A comment does not close before the next record or the end of the text.
    UnclosedComment,
    /// The bracket that opens here does not close.
    Unclosed(Open),
    /// A closing bracket closes nothing.
    Stray(u8),
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
    /// Something that may not stand inside a turn, action or ended sub-game.
    Misplaced(Open),
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
    Limit(Limited),
}

/// What a limit is set to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each is the field of `Limits` of that name")]
pub enum Limited {
    RavDepth,
    BlockDepth,
    Tags,
    TagValue,
    Action,
    Symbol,
}

impl Limited {
    /// The flag that sets it, and its value.
    #[must_use]
    pub const fn flag(self, limits: &Limits) -> (&'static str, usize) {
        match self {
            Self::RavDepth => ("--max-rav-depth", limits.rav_depth),
            Self::BlockDepth => ("--max-block-depth", limits.block_depth),
            Self::Tags => ("--max-tags", limits.tags),
            Self::TagValue => ("--max-tag-value", limits.tag_value),
            Self::Action => ("--max-action", limits.action),
            Self::Symbol => ("--max-symbol", limits.symbol),
        }
    }
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
pub struct Parser<'r> {
    lexer: Lexer<'r>,
    frames: Vec<Frame>,
    blocks: usize,
    ravs: usize,
    mode: Mode,
    tags: usize,
    action: u64,
    after_turn: bool,
    pending: VecDeque<(Event, Place)>,
    held: Option<(Kind, Place)>,
    /// Where an event stands that was told later than its token was read.
    told: Option<Place>,
    /// Whether events or a token wait to be told.
    waiting: bool,
    begin: u64,
    /// Whether nothing but control characters was read of the record.
    blank: bool,
    limits: Limits,
}

impl<'r> Parser<'r> {
    /// A parser over `reader`, whose first byte stands at `base` in the whole text.
    pub fn new(reader: impl Read + Send + 'r, base: u64, limits: Limits) -> Self {
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
            told: None,
            waiting: false,
            begin: base,
            blank: false,
            limits,
        }
    }

    /// Where the last event stands.
    #[inline]
    pub const fn place(&self) -> &Place {
        match &self.told {
            Some(told) => told,
            None => self.lexer.place(),
        }
    }

    /// The lexer, for the texts of spans.
    #[inline]
    pub const fn lexer(&self) -> &Lexer<'r> {
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

    /// The next event.
    ///
    /// # Errors
    /// Those of the reader.
    #[inline(always)]
    #[expect(clippy::should_implement_trait, reason = "an iterator could not lend its text")]
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

    /// An event that is due before the next token is read.
    #[inline(never)]
    fn next_waiting(&mut self) -> io::Result<Option<Event>> {
        if let Some((event, place)) = self.pending.pop_front() {
            self.told = Some(place);
            return Ok(Some(event));
        }
        self.told = None;
        self.waiting = false;
        match self.held.take() {
            Some((kind, place)) => {
                self.told = Some(place);
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

    /// The commonest events, those that change nothing about what is open.
    #[inline(always)]
    fn read_plain(&mut self, kind: Kind) -> Option<Event> {
        if self.mode != Mode::Moves || self.after_turn {
            return None;
        }
        match kind {
            Kind::Number if self.top() != Some(Open::Turn) => Some(Event::Number),
            Kind::Symbol if matches!(self.top(), None | Some(Open::Rav)) => Some(self.symbol()),
            Kind::Prose(prose, part) if self.top() != Some(Open::Turn) => Some(Event::Prose(prose, part)),
            _ => None,
        }
    }

    #[inline]
    fn top(&self) -> Option<Open> {
        self.frames.last().map(|frame| frame.open)
    }

    fn say(&mut self, event: Event) {
        self.say_at(event, *self.place());
    }

    fn say_at(&mut self, event: Event, place: Place) {
        self.waiting = true;
        self.pending.push_back((event, place));
    }

    fn fault(&mut self, fault: Fault) -> Option<Event> {
        Some(Event::Fault(fault))
    }

    /// The fault, and the text it is about.
    fn unread(&mut self, fault: Fault) -> Option<Event> {
        self.take_item_due();
        self.say(Event::Unread);
        self.fault(fault)
    }

    #[inline(never)]
    fn read_slowly(&mut self, kind: Kind) -> io::Result<Option<Event>> {
        let after_turn = std::mem::take(&mut self.after_turn);
        if kind == Kind::Less && self.mode != Mode::Skipping {
            self.enter_moves(kind);
            if self.pending.is_empty() {
                return self.block();
            }
            self.keep(kind);
            return Ok(None);
        }
        Ok(self.read_other(kind, after_turn))
    }

    fn read_other(&mut self, kind: Kind, after_turn: bool) -> Option<Event> {
        self.blank &= matches!(kind, Kind::Control | Kind::End);
        match kind {
            Kind::End => return self.at_end(),
            Kind::NotText(what) => {
                self.mode = Mode::Skipping;
                self.say(Event::Fault(Fault::NotText(what)));
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
            Kind::Symbol => Some(self.word()),
            Kind::Number if self.in_list() => self.unread(Fault::Misplaced(self.top()?)),
            Kind::Number => Some(Event::Number),
            Kind::Dots => self.dots(),
            Kind::Dashes if self.top() == Some(Open::Action) => self.unread(Fault::Misplaced(Open::Action)),
            Kind::Dashes => {
                self.take_item_due();
                Some(Event::Ply)
            }
            Kind::Nag => {
                self.take_item_due();
                Some(Event::Nag)
            }
            Kind::Glyphs => Some(Event::Glyphs),
            Kind::Sign if after_turn && matches!(self.text(self.span()), b"+" | b"#") => Some(Event::Suffix),
            Kind::Sign => self.unread(Fault::SignAlone),
            Kind::EnPassant => self.unread(Fault::EnPassantMark),
            Kind::Colon if self.top() == Some(Open::Action) => Some(self.argument()),
            Kind::Star => Some(self.result()),
            Kind::Greater => self.close_block(),
            Kind::Open => self.open_rav(),
            Kind::Close => self.close_rav(),
            Kind::Unclosed(part) => {
                self.say_at(Event::Fault(Fault::UnclosedComment), self.lexer.prose_opening());
                self.say(Event::Prose(Prose::Brace, part));
                None
            }
            Kind::Control => self.fault(Fault::Control),
            Kind::Brace => self.unread(Fault::Stray(b'}')),
            Kind::Bracket => self.unread(Fault::Stray(b']')),
            Kind::LongSymbol => self.over_limit(Limited::Symbol),
            _ => self.unread(Fault::Strange),
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
    fn enter_moves(&mut self, kind: Kind) {
        match self.mode {
            Mode::Outside => self.begin_here(),
            Mode::Ended if !matches!(kind, Kind::Control | Kind::Glyphs | Kind::Nag | Kind::Unclosed(_)) => {
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
        self.begin = self.span().from;
        self.blank = true;
        self.say(Event::Begin);
        if self.lexer.had_mark() {
            self.say(Event::Fault(Fault::Mark));
        }
    }

    /// Ends the record: whatever is still open is a fault.
    fn end_record(&mut self, next: u64) {
        for frame in std::mem::take(&mut self.frames) {
            self.say_at(Event::Fault(Fault::Unclosed(frame.open)), frame.place);
        }
        self.blocks = 0;
        self.ravs = 0;
        if matches!(self.mode, Mode::Moves | Mode::Tags) {
            let blank = std::mem::take(&mut self.blank);
            self.say(Event::Fault(if blank { Fault::NotText(NotText::Blank) } else { Fault::NoResult }));
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

    fn tag(&mut self) -> Option<Event> {
        let spans = self.lexer.tag();
        let begins = self.mode == Mode::Ended
            || (spans.at_line_start && (self.text(spans.name) == b"Event" || self.among_moves()));
        if self.mode == Mode::Skipping && !begins {
            return None;
        }
        if begins && !self.is_fresh() {
            self.end_record(self.span().from);
        }
        if self.mode == Mode::Outside {
            self.begin_here();
            return self.hold(Kind::Tag);
        }
        if *self.mode_here() != Mode::Tags || self.in_rav_or_list() {
            return self.unread(Fault::TagInMoves);
        }
        self.tags += 1;
        if self.tags > self.limits.tags {
            return self.over_limit(Limited::Tags);
        }
        Some(Event::Tag)
    }

    /// Whether no record has begun, or nothing but a remark stands in it.
    fn is_fresh(&self) -> bool {
        self.mode == Mode::Outside || (self.mode == Mode::Tags && self.tags == 0 && self.frames.is_empty())
    }

    fn in_rav_or_list(&self) -> bool {
        matches!(self.top(), Some(Open::Rav | Open::Turn | Open::Action))
    }

    /// Whether a tag pair at the start of a line begins a record whatever its name.
    fn among_moves(&self) -> bool {
        self.frames.is_empty() && self.mode == Mode::Moves
    }

    fn keep(&mut self, kind: Kind) {
        self.waiting = true;
        self.held = Some((kind, *self.place()));
    }

    /// Keeps the token until what is pending has been told.
    fn hold(&mut self, kind: Kind) -> Option<Event> {
        self.keep(kind);
        None
    }

    fn bad_tag(&mut self, kind: Kind, fault: TagFault) -> Option<Event> {
        let begins = self.lexer.tag().at_line_start;
        if self.mode == Mode::Skipping && !begins {
            return None;
        }
        if (begins && !self.is_fresh()) || self.mode == Mode::Ended {
            self.end_record(self.span().from);
        }
        if self.mode == Mode::Outside {
            self.begin_here();
            return self.hold(kind);
        }
        self.tags += 1;
        if fault == TagFault::TooLong {
            return self.over_limit(Limited::TagValue);
        }
        self.unread(Fault::BadTag(fault))
    }

    fn prose(&mut self, prose: Prose, part: Part) -> Option<Event> {
        match self.mode {
            Mode::Skipping => None,
            Mode::Outside => {
                self.begin_here();
                self.mode = Mode::Tags;
                self.say(Event::Prose(prose, part));
                None
            }
            _ => {
                self.take_item_due();
                if prose != Prose::Escape && self.top() == Some(Open::Action) {
                    return self.unread(Fault::Misplaced(Open::Action));
                }
                Some(Event::Prose(prose, part))
            }
        }
    }

    /// A result or a ply, where both may stand.
    #[inline(always)]
    fn symbol(&mut self) -> Event {
        let text = self.lexer.text(self.span());
        // A draw may begin with `½`, which is no letter of ASCII.
        if text[0].is_ascii_digit() || text[0] >= 0x80 { self.number_or_result() } else { Event::Ply }
    }

    #[inline(never)]
    fn number_or_result(&mut self) -> Event {
        let text = self.lexer.text(self.span());
        if is_result(text) {
            return self.result();
        }
        if text.iter().all(u8::is_ascii_digit) {
            self.say(Event::Number);
            return Event::Fault(Fault::NumberForm);
        }
        Event::Ply
    }

    fn word(&mut self) -> Event {
        match self.top() {
            Some(Open::Turn) => self.turn_word(),
            Some(Open::Action) => self.argument(),
            Some(Open::Subgame) if *self.mode_here() == Mode::Ended => {
                self.say(Event::Unread);
                Event::Fault(Fault::Misplaced(Open::Subgame))
            }
            _ => self.symbol(),
        }
    }

    fn argument(&mut self) -> Event {
        self.action += written_length(self.lexer.text(self.span())) as u64 + 1;
        if self.action > self.limits.action as u64 {
            self.over_limit(Limited::Action);
            return Event::Fault(Fault::Limit(Limited::Action));
        }
        Event::Argument
    }

    /// In a turn: an address, or what stands behind one.
    fn turn_word(&mut self) -> Event {
        if self.take_item_due() {
            return self.symbol_in_turn();
        }
        if is_address(self.lexer.text(self.span())) {
            return Event::Address;
        }
        self.say(Event::Unread);
        Event::Fault(Fault::Misplaced(Open::Turn))
    }

    fn take_item_due(&mut self) -> bool {
        self.frames.last_mut().is_some_and(|frame| std::mem::take(&mut frame.item_due))
    }

    fn symbol_in_turn(&mut self) -> Event {
        if is_result(self.lexer.text(self.span())) { Event::Result } else { Event::Ply }
    }

    fn dots(&mut self) -> Option<Event> {
        if self.top() == Some(Open::Turn) && self.span().len() == 1 {
            if let Some(frame) = self.frames.last_mut() {
                frame.item_due = true;
            }
            return None;
        }
        if self.in_list() {
            return self.unread(Fault::Misplaced(self.top()?));
        }
        self.say(Event::Number);
        self.fault(Fault::NumberForm)
    }

    fn result(&mut self) -> Event {
        match self.top() {
            Some(Open::Rav) => {
                self.say(Event::Unread);
                Event::Fault(Fault::ResultInRav)
            }
            Some(Open::Subgame) => {
                *self.mode_here() = Mode::Ended;
                Event::Result
            }
            Some(Open::Turn | Open::Action) => {
                self.say(Event::Unread);
                Event::Fault(Fault::Misplaced(Open::Turn))
            }
            None => {
                self.mode = Mode::Ended;
                Event::Result
            }
        }
    }

    fn open_rav(&mut self) -> Option<Event> {
        if self.in_list() {
            return self.unread(Fault::Misplaced(self.top()?));
        }
        if self.ravs >= self.limits.rav_depth {
            return self.over_limit(Limited::RavDepth);
        }
        self.ravs += 1;
        self.frames.push(Frame { open: Open::Rav, place: *self.place(), mode: Mode::Moves, item_due: false });
        Some(Event::RavOpen)
    }

    fn close_rav(&mut self) -> Option<Event> {
        if self.top() != Some(Open::Rav) {
            return self.unread(Fault::Stray(b')'));
        }
        self.frames.pop();
        self.ravs -= 1;
        Some(Event::RavClose)
    }

    /// Behind `<`: one token decides.
    fn block(&mut self) -> io::Result<Option<Event>> {
        if self.blocks >= self.limits.block_depth {
            return Ok(self.over_limit(Limited::BlockDepth));
        }
        if self.top() == Some(Open::Action) {
            return Ok(self.unread(Fault::Misplaced(Open::Action)));
        }
        let opening = *self.place();
        self.take_item_due();
        self.told = None;
        let mut kind = self.lexer.next()?;
        while kind == Kind::Control {
            self.say(Event::Fault(Fault::Control));
            kind = self.lexer.next()?;
        }
        let place = *self.place();
        let in_turn = self.top() == Some(Open::Turn);
        let labels = !in_turn && is_square(self.lexer.text(place.span));
        let colon = if labels { self.lexer.eat_colon()? } else { None };
        if let Some(Some(control)) = colon {
            self.say_at(Event::Fault(Fault::Control), control);
        }
        let colon = colon.is_some();
        let Some(open) = self.block_kind(kind, colon) else {
            self.keep(kind);
            self.say_at(Event::Fault(Fault::BadBlock), opening);
            self.say_at(Event::Unread, opening);
            return Ok(None);
        };
        self.blocks += 1;
        self.action = 0;
        self.frames.push(Frame { open, place: opening, mode: Mode::Tags, item_due: false });
        Ok(match open {
            Open::Subgame => Some(Event::SubgameOpen),
            Open::Action => Verb::of(self.lexer.text(place.span)).map(Event::ActionOpen),
            Open::Turn | Open::Rav => {
                self.say_at(Event::TurnOpen, opening);
                self.say_at(Event::Address, place);
                None
            }
        })
    }

    /// What the token behind `<` begins.
    fn block_kind(&self, kind: Kind, colon: bool) -> Option<Open> {
        let text = self.lexer.text(self.span());
        match kind {
            Kind::Symbol if Verb::of(text).is_some() && self.top() != Some(Open::Turn) => Some(Open::Action),
            Kind::Symbol if colon => Some(Open::Subgame),
            Kind::Symbol if is_address(text) => Some(Open::Turn),
            _ => None,
        }
    }

    fn close_block(&mut self) -> Option<Event> {
        let Some(depth) = self.frames.iter().rposition(|frame| frame.open != Open::Rav) else {
            return self.unread(Fault::Stray(b'>'));
        };
        for frame in self.frames.split_off(depth + 1) {
            self.ravs -= 1;
            self.say_at(Event::Fault(Fault::Unclosed(frame.open)), frame.place);
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
    fn over_limit(&mut self, limited: Limited) -> Option<Event> {
        self.mode = Mode::Skipping;
        self.frames.clear();
        self.blocks = 0;
        self.ravs = 0;
        self.fault(Fault::Limit(limited))
    }
}

/// A result, also in ways that the standard does not know: `1/2`, and `½` in UTF-8 and in Latin-1.
fn is_result(text: &[u8]) -> bool {
    matches!(
        text,
        b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2" | b"\xc2\xbd" | b"\xc2\xbd-\xc2\xbd" | b"\xbd" | b"\xbd-\xbd"
    )
}

/// A mega-square with a capital file: `A2`.
#[must_use]
pub fn is_address(text: &[u8]) -> bool {
    matches!(text, [b'A'..=b'H', b'1'..=b'8'])
}

/// A square with a small file: `e5`, `n14`.
#[must_use]
pub fn is_square(text: &[u8]) -> bool {
    matches!(text, [b'a'..=b'n', b'1'..=b'9'] | [b'a'..=b'n', b'1', b'0'..=b'4'])
}
