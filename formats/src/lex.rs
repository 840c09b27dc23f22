//! Bytes to tokens: independent of the variant, one token at a time, never recursive.

mod class;
mod prose;
mod symbol;
mod tag;
mod token;

pub use token::{Kind, Lead, NotText, Part, Prose, TagFault, TagSpans};

use crate::{
    encoding::{LONGEST_BLANK, odd_blank},
    limits::Limits,
    source::Source,
    span::{Span, TextSpan},
};
use class::{CLASS, Class, IN_SYMBOL};
use memchr::memchr;
use std::io::{self, Read};

/// The text that begins a record at the start of any line.
const RECORD: &[u8] = b"[Event ";

/// The glyph of a novelty, which annotators write as `N`.
const KNIGHT: &[u8] = b"$146";

/// The number of bytes of prose that are looked at to see whether a tag follows.
const AHEAD: usize = 64 << 10;

/// The first byte that is neither white space nor part of prose; `None` if that is not in this text.
fn next_but_prose(text: &[u8], mut at_line_start: bool) -> Option<usize> {
    let mut at = 0;
    loop {
        let byte = *text.get(at)?;
        let end = match byte {
            b'{' => Some(b'}'),
            b';' => Some(b'\n'),
            b'%' if at_line_start => Some(b'\n'),
            _ if matches!(
                CLASS[usize::from(byte)],
                Class::Space | Class::Line | Class::Control
            ) =>
            {
                None
            }
            0x80.. => match odd_blank(&text[at..]) {
                // It may go on beyond this text.
                0 if matches!(
                    text[at..],
                    [0xc2 | 0xe2 | 0xe3 | 0xef] | [0xe2 | 0xe3, 0x80] | [0xef, 0xbb]
                ) =>
                {
                    return None;
                }
                0 => return Some(at),
                length => {
                    at += length;
                    at_line_start = false;
                    continue;
                }
            },
            _ => return Some(at),
        };
        if let Some(end) = end {
            at += 1 + memchr(end, &text[at + 1..])?;
        }
        at_line_start = text[at] == b'\n';
        at += 1;
    }
}

/// What comes next, with nothing but white space and prose before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ahead {
    /// A tag.
    Tag,
    /// The end of the text.
    End,
    /// Something else, or it is too far away.
    Other,
}

/// What comes after a square or an address that a block begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colon {
    /// Something else than a colon.
    None,
    /// A colon; the place of a control character before it, if there is one.
    Found(Option<TextSpan>),
    /// More white space than a symbol may have bytes.
    TooFar,
}

/// Reads tokens from a stream of bytes. The text of a token is available until the next token is read, and for a while
/// after.
pub struct Lexer<'r> {
    source: Source<'r>,
    pos: usize,
    line: u64,
    line_start: u64,
    place: TextSpan,
    tag: TagSpans,
    prose: Option<Prose>,
    opening: TextSpan,
    /// The offset up to which an open comment is known not to be ended by a record.
    comment_open_until: u64,
    limits: Limits,
    longest_line: (u64, u64),
    long_lines: u64,
    /// Up to where it was looked ahead, and what was found there.
    seen_until: (u64, Ahead),
}

impl<'r> Lexer<'r> {
    /// A lexer over `reader`, whose first byte is at offset `base` of the whole text.
    pub fn new(reader: impl Read + Send + 'r, base: u64, limits: Limits) -> Self {
        Self {
            source: Source::new(reader, base),
            pos: 0,
            line: 1,
            line_start: base,
            place: TextSpan::default(),
            tag: TagSpans::default(),
            prose: None,
            opening: TextSpan::NOWHERE,
            comment_open_until: 0,
            limits,
            longest_line: (0, 0),
            long_lines: 0,
            seen_until: (0, Ahead::Other),
        }
    }

    /// The place of the last token.
    #[inline]
    pub const fn place(&self) -> &TextSpan {
        &self.place
    }

    /// The bytes of a span, as far as they are still in memory.
    #[inline]
    pub fn text(&self, span: Span) -> &[u8] {
        self.source.slice(span.from, span.to)
    }

    /// The line that begins at this offset, up to `most` bytes of it, if it is still in memory.
    pub fn line_text(&self, line_start: u64, most: usize) -> Option<&[u8]> {
        if !self.source.holds(line_start) {
            return None;
        }
        let rest = self
            .source
            .slice(line_start, line_start.saturating_add(most as u64));
        Some(&rest[..memchr(b'\n', rest).unwrap_or(rest.len())])
    }

    /// What comes next.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn follows(&mut self) -> io::Result<Ahead> {
        if self.offset(self.pos) < self.seen_until.0 {
            return Ok(self.seen_until.1);
        }
        // The text of the last token must stay available.
        let mut keep = (self.place.span.from - self.offset(0)) as usize;
        let (length, follows) = loop {
            let ahead = &self.source.window()[self.pos..self.source.end()];
            match next_but_prose(ahead, self.offset(self.pos) == self.line_start) {
                Some(at) if ahead[at] == b'[' => break (at, Ahead::Tag),
                Some(at) => break (at, Ahead::Other),
                None if ahead.len() > AHEAD => break (ahead.len(), Ahead::Other),
                None => {}
            }
            if !self.fill(&mut keep)? {
                break (self.source.end() - self.pos, Ahead::End);
            }
        };
        self.seen_until = (self.offset(self.pos + length), follows);
        Ok(follows)
    }

    /// Skips a colon after the last token, with white space before it unless it must be adjacent (`adjoins`).
    ///
    /// # Errors
    /// Those of the reader.
    pub fn eat_colon(&mut self, adjoins: bool) -> io::Result<Colon> {
        let (mut ahead, mut most) = (0, self.limits.symbol);
        loop {
            let mut keep = self.pos;
            while self.pos + ahead + LONGEST_BLANK > self.source.end() && self.fill(&mut keep)? {}
            let rest = &self.source.window()[self.pos + ahead..self.source.end()];
            let Some(next) = rest.first() else {
                return Ok(Colon::None);
            };
            match CLASS[usize::from(*next)] {
                Class::Line if !adjoins => {
                    most = (self.limits.symbol).saturating_add(2 * self.limits.block_depth);
                    ahead += 1;
                }
                Class::Space | Class::Control if !adjoins => ahead += 1,
                Class::Colon => break,
                _ if !adjoins && odd_blank(rest) > 0 => ahead += odd_blank(rest),
                _ => return Ok(Colon::None),
            }
            // White space in canonical form is a blank, or the end of a line and the indentation of a block. So what is too
            // far here would not be there.
            if ahead > most {
                return Ok(Colon::TooFar);
            }
        }
        let end = self.pos + ahead + 1;
        let mut control = None;
        for at in self.pos..end {
            let rest = &self.source.window()[at..end];
            let length = match CLASS[usize::from(rest[0])] {
                Class::Line => {
                    self.newline(at);
                    0
                }
                Class::Control => 1,
                _ => odd_blank(rest),
            };
            if length > 0 && control.is_none() {
                control = Some(self.place_of(at, length));
            }
        }
        self.pos = end;
        Ok(Colon::Found(control))
    }

    /// The place of some bytes of the line being read.
    #[inline]
    const fn place_of(&self, index: usize, length: usize) -> TextSpan {
        let from = self.offset(index);
        TextSpan {
            span: Span::new(from, from + length as u64),
            line: self.line,
            line_start: self.line_start,
        }
    }

    /// The parts of the last tag pair.
    pub const fn tag(&self) -> TagSpans {
        self.tag
    }

    /// The lines over 255 bytes since the last call: their number, and the line number and offset of the first.
    pub const fn take_long_lines(&mut self) -> (u64, (u64, u64)) {
        let taken = (self.long_lines, self.longest_line);
        self.long_lines = 0;
        taken
    }

    /// The number of the line being read, from 1, and the offset reached.
    pub const fn reached(&self) -> (u64, u64) {
        (self.line, self.offset(self.pos))
    }

    #[inline]
    const fn offset(&self, index: usize) -> u64 {
        self.source.base() + index as u64
    }

    /// Reads on, keeping the text from index `keep` on. Returns whether there is more text, and moves `pos` and `keep`
    /// with the window.
    fn fill(&mut self, keep: &mut usize) -> io::Result<bool> {
        match self.source.fill(*keep)? {
            None => Ok(false),
            Some(dropped) => {
                *keep -= dropped;
                self.pos -= dropped;
                Ok(true)
            }
        }
    }

    #[inline]
    fn newline(&mut self, index: usize) {
        let next = self.offset(index + 1);
        if next - self.line_start > 256 {
            if self.long_lines == 0 {
                self.longest_line = (self.line, self.line_start);
            }
            self.long_lines += 1;
        }
        self.line += 1;
        self.line_start = next;
    }

    /// The next token; its bytes are the span of [`Self::place`].
    ///
    /// # Errors
    /// Those of the reader.
    #[inline(always)]
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator could not lend its text"
    )]
    #[expect(
        clippy::needless_question_mark,
        reason = "a result handed on whole would go through memory"
    )]
    pub fn next(&mut self) -> io::Result<Kind> {
        if let Some(prose) = self.prose {
            return Ok(self.prose(prose, false)?);
        }
        loop {
            let window = self.source.window();
            let mut at = self.pos;
            while window[at] == b' ' {
                at += 1;
            }
            self.pos = at;
            let class = CLASS[usize::from(window[at])];
            match class {
                Class::Letter | Class::Digit => {
                    if let Some(kind) = self.symbol() {
                        return Ok(kind);
                    }
                    return Ok(self.symbol_at_window_end()?);
                }
                Class::Space => self.pos += 1,
                Class::Line => {
                    self.newline(at);
                    self.pos += 1;
                }
                _ => {
                    if let Some(kind) = self.other(class)? {
                        return Ok(kind);
                    }
                }
            }
        }
    }

    #[inline]
    fn begin(&mut self) {
        self.place = self.place_of(self.pos, 0);
    }

    #[inline]
    fn end(&mut self, kind: Kind, start: usize, end: usize) -> Kind {
        self.place.span = Span::new(self.offset(start), self.offset(end));
        kind
    }

    #[inline]
    fn finish(&mut self, kind: Kind, start: usize, end: usize) -> Kind {
        self.pos = end;
        self.place = self.place_of(start, end - start);
        kind
    }

    /// A token other than a symbol; `None` if there is none to report yet.
    #[inline(never)]
    fn other(&mut self, class: Class) -> io::Result<Option<Kind>> {
        self.begin();
        let same = |byte: u8| CLASS[usize::from(byte)] == class;
        Ok(Some(match class {
            Class::Control if self.pos == self.source.end() => return self.at_window_end(),
            Class::Dot => self.run(Kind::Dots, same)?,
            Class::Glyph => self.run(Kind::Glyphs, same)?,
            Class::Control => self.run(Kind::Control, same)?,
            Class::Strange => self.run(Kind::Strange, same)?,
            Class::Nag => self.nag()?,
            Class::Dash | Class::Inside => self.sign()?,
            Class::Brace => self.prose(Prose::Brace, true)?,
            Class::Semicolon => self.prose(Prose::Line, true)?,
            Class::Percent if self.offset(self.pos) == self.line_start => {
                self.prose(Prose::Escape, true)?
            }
            Class::Bracket => self.tag_pair()?,
            _ => self.finish(mark(class), self.pos, self.pos + 1),
        }))
    }

    fn at_window_end(&mut self) -> io::Result<Option<Kind>> {
        let beginning = self.pos == 0 && self.source.base() == 0;
        let mut keep = self.pos;
        if self.fill(&mut keep)? {
            if beginning {
                return self.first_bytes();
            }
            return Ok(None);
        }
        Ok(Some(self.end(Kind::End, self.pos, self.pos)))
    }

    /// Examines the beginning of the text: skips a UTF-8 mark, and refuses what is not text.
    fn first_bytes(&mut self) -> io::Result<Option<Kind>> {
        let mut keep = 0;
        while self.source.end() < NotText::HEAD && self.fill(&mut keep)? {}
        let head = &self.source.window()[..self.source.end().min(NotText::HEAD)];
        if let Some(what) = NotText::of(head) {
            let end = self.source.end();
            self.pos = end;
            return Ok(Some(self.end(Kind::NotText(what), 0, end.min(2))));
        }
        if head.starts_with(&[0xef, 0xbb, 0xbf]) {
            self.pos = 3;
            self.line_start = 3;
        }
        Ok(None)
    }

    /// Whether the text began with a UTF-8 byte order mark.
    pub const fn had_mark(&self) -> bool {
        self.line == 1 && self.line_start == 3
    }

    fn run(&mut self, kind: Kind, belongs: impl Fn(u8) -> bool) -> io::Result<Kind> {
        let start = self.offset(self.pos);
        loop {
            while self.pos < self.source.end() && belongs(self.source.window()[self.pos]) {
                self.pos += 1;
            }
            let mut keep = self.pos;
            if self.pos < self.source.end() || !self.fill(&mut keep)? {
                break;
            }
        }
        self.place.span = Span::new(start, self.offset(self.pos));
        Ok(kind)
    }

    fn nag(&mut self) -> io::Result<Kind> {
        let start = self.offset(self.pos);
        self.pos += 1;
        self.run(Kind::Nag, |b| b.is_ascii_digit())?;
        self.place.span.from = start;
        if self.text(self.place.span) == KNIGHT && self.source.window()[self.pos] == b'@' {
            return self.drop_of_a_glyph();
        }
        Ok(Kind::Nag)
    }

    /// The drop of a knight, whose letter stands in annotations for a novelty, so that a program wrote the glyph of that.
    #[cold]
    fn drop_of_a_glyph(&mut self) -> io::Result<Kind> {
        let start = self.place.span.from;
        let kind = Kind::Symbol(Lead::Letter);
        self.run(kind, |b| b.is_ascii() && IN_SYMBOL[usize::from(b)])?;
        self.place.span.from = start;
        let is_long = self.place.span.len() > self.limits.symbol as u64;
        Ok(if is_long { Kind::LongSymbol } else { kind })
    }

    /// `--`, or a sign that stands alone.
    fn sign(&mut self) -> io::Result<Kind> {
        self.run(Kind::Sign, |b| {
            matches!(CLASS[usize::from(b)], Class::Dash | Class::Inside)
        })?;
        Ok(if self.text(self.place.span) == b"--" {
            Kind::Dashes
        } else {
            Kind::Sign
        })
    }
}

/// The token that is a single byte of this class.
const fn mark(class: Class) -> Kind {
    match class {
        Class::Star => Kind::Star,
        Class::Colon => Kind::Colon,
        Class::Less => Kind::Less,
        Class::Greater => Kind::Greater,
        Class::Open => Kind::Open,
        Class::Close => Kind::Close,
        Class::BraceClose => Kind::Brace,
        Class::BracketClose => Kind::Bracket,
        _ => Kind::Strange,
    }
}
