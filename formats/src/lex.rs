//! Bytes into tokens: independent of the variant, one token at a time, never recursive.

use crate::{
    encoding::written_length,
    header::unescape_into,
    limits::Limits,
    source::Source,
    span::{Place, Span},
};
use memchr::{memchr, memchr2, memchr3};
use std::io::{self, Read};

/// Text without structure: a comment or an escape line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prose {
    /// `{…}`.
    Brace,
    /// `;` to the end of the line.
    Line,
    /// `%` in the first column, to the end of the line.
    Escape,
}

/// Which part of a long text a token is; a short one is first and last at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// The text begins here.
    pub first: bool,
    /// The text ends here.
    pub last: bool,
}

impl Part {
    /// The whole text in one token.
    pub const WHOLE: Self = Self { first: true, last: true };
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
// A tag of its own is told faster than one woven into what the variants hold.
#[repr(u8)]
pub enum Kind {
    /// Letters and digits and what may stand among them: a move, a result, an address.
    Symbol,
    /// `12.`, `12...`, `12A.`: digits, board letters, dots.
    Number,
    /// Dots with no number before them.
    Dots,
    /// `--`.
    Dashes,
    /// `$5`.
    Nag,
    /// `!` and `?` in a row.
    Glyphs,
    /// `+`, `#` and other signs standing by themselves.
    Sign,
    /// `ep` or `e.p.`.
    EnPassant,
    /// `*`.
    Star,
    /// `:`.
    Colon,
    /// `<`.
    Less,
    /// `>`.
    Greater,
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// A comment or an escape line; the token is what stands between its marks.
    Prose(Prose, Part),
    /// A brace comment that never closes; the token is as much of it as belongs to this record.
    Unclosed(Part),
    /// `[Name "value"]`, its parts in [`Lexer::tag`].
    Tag,
    /// Something that begins as a tag pair and is none.
    BadTag(TagFault),
    /// `}` outside a comment.
    Brace,
    /// `]` outside a tag pair.
    Bracket,
    /// Control characters.
    Control,
    /// Characters that have no meaning here.
    Strange,
    /// A symbol longer than the limit.
    LongSymbol,
    /// No text but something else, of which nothing can be read.
    NotText(NotText),
    /// The end of the text.
    End,
}

/// What a file is that begins with no text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NotText {
    /// UTF-16, not bytes of ASCII.
    Utf16,
    /// Packed by gzip.
    Gzip,
    /// Packed by zip.
    Zip,
    /// Packed by Zstandard.
    Zstd,
    /// Packed by bzip2.
    Bzip2,
    /// Packed by xz.
    Xz,
    /// Packed by 7-Zip.
    SevenZip,
    /// Control characters, such as the zero bytes that a power cut leaves, and no text at all.
    Blank,
}

impl NotText {
    /// Bytes at the beginning of a text that tell what it is, at most.
    const HEAD: usize = 8;

    /// What begins with these bytes.
    fn of(head: &[u8]) -> Option<Self> {
        Some(match head {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Self::Utf16,
            [0, b, 0, c, ..] | [b, 0, c, 0, ..] if *b != 0 && *c != 0 => Self::Utf16,
            [0x1f, 0x8b, ..] => Self::Gzip,
            [b'P', b'K', 3, 4, ..] => Self::Zip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Self::SevenZip,
            _ => return None,
        })
    }

    /// What it is, and what to do about it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Utf16 => "the text is UTF-16; NPGN is UTF-8 (save or convert it as UTF-8)",
            Self::Gzip => "this is packed by gzip; unpack it first (`gzip -dc FILE | overboard check -`)",
            Self::Zip => "this is packed by zip; unpack it first (`unzip -p FILE | overboard check -`)",
            Self::Zstd => {
                "this is packed by Zstandard; unpack it first (`zstd -dc FILE | overboard check -`)"
            }
            Self::Bzip2 => "this is packed by bzip2; unpack it first (`bzip2 -dc FILE | overboard check -`)",
            Self::Xz => "this is packed by xz; unpack it first (`xz -dc FILE | overboard check -`)",
            Self::SevenZip => {
                "this is packed by 7-Zip; unpack it first (`7z x -so FILE | overboard check -`)"
            }
            Self::Blank => "control characters and no text: nothing here can be read",
        }
    }
}

/// What is wrong with a tag pair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TagFault {
    /// No name of letters, digits and `_` behind `[`.
    Name,
    /// No `"` where the value should begin.
    Quote,
    /// The value's string does not close on its line.
    Unclosed,
    /// No `]` behind the value.
    Bracket,
    /// The value is longer than the limit.
    TooLong,
}

/// Name and value of the last [`Kind::Tag`]; the value as written between its quotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TagSpans {
    /// The name.
    pub name: Span,
    /// The value, still with its backslashes.
    pub value: Span,
    /// Whether `[` stands in the first column; of a bad pair, whether it begins a record there.
    pub at_line_start: bool,
}

/// Classes of bytes as they begin a token.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Space,
    Line,
    Letter,
    Digit,
    Inside,
    Dash,
    Dot,
    Nag,
    Glyph,
    Star,
    Colon,
    Less,
    Greater,
    Open,
    Close,
    Brace,
    BraceClose,
    Semicolon,
    Percent,
    Bracket,
    BracketClose,
    Control,
    Strange,
}

const fn class_of(byte: u8) -> Class {
    match byte {
        b' ' | b'\t' | b'\r' | 0x0b => Class::Space,
        b'\n' => Class::Line,
        // A drop without the letter of its piece begins with `@`.
        b'a'..=b'z' | b'A'..=b'Z' | b'@' | 0x80.. => Class::Letter,
        b'0'..=b'9' => Class::Digit,
        b'_' | b'+' | b'#' | b'=' | b'^' | b'/' => Class::Inside,
        b'-' => Class::Dash,
        b'.' => Class::Dot,
        b'$' => Class::Nag,
        b'!' | b'?' => Class::Glyph,
        b'*' => Class::Star,
        b':' => Class::Colon,
        b'<' => Class::Less,
        b'>' => Class::Greater,
        b'(' => Class::Open,
        b')' => Class::Close,
        b'{' => Class::Brace,
        b'}' => Class::BraceClose,
        b';' => Class::Semicolon,
        b'%' => Class::Percent,
        b'[' => Class::Bracket,
        b']' => Class::BracketClose,
        0..=0x1f | 0x7f => Class::Control,
        _ => Class::Strange,
    }
}

static CLASS: [Class; 256] = {
    let mut table = [Class::Strange; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = class_of(byte as u8);
        byte += 1;
    }
    table
};

/// Whether a byte may stand inside a symbol.
static IN_SYMBOL: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(CLASS[byte], Class::Letter | Class::Digit | Class::Inside | Class::Dash);
        byte += 1;
    }
    table
};

/// Longest piece of prose that comes in one token.
const PIECE: usize = 64 << 10;
/// How far behind a suspicious line an open comment is searched for its end.
const LOOK_AHEAD: usize = 16 << 20;
/// What begins a record wherever it stands at the start of a line.
const RECORD: &[u8] = b"[Event ";

/// Reads tokens from a stream of bytes. The text of a token can be asked for until the next token
/// is read, and for a while after.
pub struct Lexer<'r> {
    source: Source<'r>,
    pos: usize,
    line: u64,
    line_start: u64,
    place: Place,
    tag: TagSpans,
    prose: Option<Prose>,
    opening: Place,
    /// Offset before which an open comment is known not to end a record.
    comment_open_until: u64,
    limits: Limits,
    longest_line: (u64, u64),
    long_lines: u64,
}

impl<'r> Lexer<'r> {
    /// A lexer over `reader`, whose first byte stands at `base` in the whole text.
    pub fn new(reader: impl Read + Send + 'r, base: u64, limits: Limits) -> Self {
        Self {
            source: Source::new(reader, base),
            pos: 0,
            line: 1,
            line_start: base,
            place: Place::default(),
            tag: TagSpans::default(),
            prose: None,
            opening: Place::NOWHERE,
            comment_open_until: 0,
            limits,
            longest_line: (0, 0),
            long_lines: 0,
        }
    }

    /// Where the last token stands.
    #[inline]
    pub const fn place(&self) -> &Place {
        &self.place
    }

    /// The bytes of a span, as far as they are still in memory.
    #[inline]
    pub fn text(&self, span: Span) -> &[u8] {
        self.source.slice(span.from, span.to)
    }

    /// The line that begins at this offset, up to `most` bytes of it, where it is still in memory.
    pub fn line_text(&self, line_start: u64, most: usize) -> Option<&[u8]> {
        if !self.source.holds(line_start) {
            return None;
        }
        let rest = self.source.slice(line_start, line_start.saturating_add(most as u64));
        Some(&rest[..memchr(b'\n', rest).unwrap_or(rest.len())])
    }

    /// Passes over a colon behind the last token, white space before it allowed; `None` where there is none,
    /// else where a control character stood before it.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn eat_colon(&mut self) -> io::Result<Option<Option<Place>>> {
        let mut ahead = 0;
        loop {
            let mut keep = self.pos;
            while self.pos + ahead >= self.source.end() && self.fill(&mut keep)? {}
            if self.pos + ahead >= self.source.end() {
                return Ok(None);
            }
            match CLASS[usize::from(self.source.window()[self.pos + ahead])] {
                Class::Space | Class::Line | Class::Control if ahead < 64 => ahead += 1,
                Class::Colon => break,
                _ => return Ok(None),
            }
        }
        let end = self.pos + ahead + 1;
        let mut control = None;
        for at in self.pos..end {
            match CLASS[usize::from(self.source.window()[at])] {
                Class::Line => self.newline(at),
                Class::Control => control = control.or(Some(self.place_of(at))),
                _ => {}
            }
        }
        self.pos = end;
        Ok(Some(control))
    }

    /// The place of one byte of the line being read.
    const fn place_of(&self, index: usize) -> Place {
        let from = self.offset(index);
        Place { span: Span::new(from, from + 1), line: self.line, line_start: self.line_start }
    }

    /// Where the comment opened of which a piece was read last.
    pub const fn prose_opening(&self) -> Place {
        self.opening
    }

    /// The parts of the last tag pair.
    pub const fn tag(&self) -> TagSpans {
        self.tag
    }

    /// Lines over 255 bytes since this was last asked: how many, and number and offset of the first.
    pub const fn take_long_lines(&mut self) -> (u64, (u64, u64)) {
        let taken = (self.long_lines, self.longest_line);
        self.long_lines = 0;
        taken
    }

    /// Number of the line being read, from 1, and the offset reached.
    pub const fn reached(&self) -> (u64, u64) {
        (self.line, self.offset(self.pos))
    }

    #[inline]
    const fn offset(&self, index: usize) -> u64 {
        self.source.base() + index as u64
    }

    /// Reads on, keeping the text from index `keep`; answers whether there is more text, and moves
    /// `pos` and `keep` with the window.
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
    #[expect(clippy::should_implement_trait, reason = "an iterator could not lend its text")]
    #[expect(clippy::needless_question_mark, reason = "a result handed on whole would go through memory")]
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
        self.place = Place { span: Span::default(), line: self.line, line_start: self.line_start };
    }

    #[inline]
    fn end(&mut self, kind: Kind, start: usize, end: usize) -> Kind {
        self.place.span = Span::new(self.offset(start), self.offset(end));
        kind
    }

    /// A symbol, number or mark; `None` where the window does not tell.
    #[inline(always)]
    fn symbol(&mut self) -> Option<Kind> {
        let start = self.pos;
        let rest = &self.source.window()[start..];
        let length = symbol_length(rest);
        // What could go on behind the window, or be longer than allowed, or be more than a word, is rare.
        if start + length + 3 > self.source.end() || length > self.limits.symbol / 2 {
            return None;
        }
        let kind = match (rest[0], rest[length]) {
            (b'0'..=b'9', b'.') if is_number(&rest[..length]) => {
                let dots = rest[length..].iter().take_while(|b| **b == b'.').count();
                if start + length + dots == self.source.end() {
                    return None;
                }
                return Some(self.finish(Kind::Number, start, start + length + dots));
            }
            (b'e', _) if &rest[..length] == b"ep" => Kind::EnPassant,
            (b'e', b'.') if length == 1 && rest[1..].starts_with(b".p.") => {
                return Some(self.finish(Kind::EnPassant, start, start + 4));
            }
            _ => Kind::Symbol,
        };
        Some(self.finish(kind, start, start + length))
    }

    #[inline]
    fn finish(&mut self, kind: Kind, start: usize, end: usize) -> Kind {
        self.pos = end;
        let span = Span::new(self.offset(start), self.offset(end));
        self.place = Place { span, line: self.line, line_start: self.line_start };
        kind
    }

    /// A symbol that may be too long, or of which not enough is in the window to tell what it is.
    #[cold]
    fn symbol_at_window_end(&mut self) -> io::Result<Kind> {
        self.begin();
        let mut start = self.pos;
        loop {
            let rest = &self.source.window()[start..self.source.end()];
            let length = long_symbol_length(rest);
            let tail = rest[length..].iter().take_while(|b| **b == b'.').count();
            if length > self.limits.symbol || tail > self.limits.symbol {
                return self.long_symbol();
            }
            let cut = length + tail + 3 > rest.len();
            if cut && self.fill(&mut start)? {
                continue;
            }
            let rest = &self.source.window()[start..self.source.end()];
            if written_length(&rest[..length]) > self.limits.symbol {
                return self.long_symbol();
            }
            let (kind, length) = match &rest[..length] {
                digits if digits[0].is_ascii_digit() && tail > 0 && is_number(digits) => {
                    (Kind::Number, length + tail)
                }
                b"ep" => (Kind::EnPassant, length),
                b"e" if rest[1..].starts_with(b".p.") => (Kind::EnPassant, 4),
                _ => (Kind::Symbol, length),
            };
            return Ok(self.finish(kind, start, start + length));
        }
    }

    /// Passes over the rest of a symbol that is too long, without keeping it.
    fn long_symbol(&mut self) -> io::Result<Kind> {
        let start = self.offset(self.pos);
        loop {
            let window = self.source.window();
            let mut at = self.pos;
            while IN_SYMBOL[usize::from(window[at])] {
                at += 1;
            }
            self.pos = at;
            if at < self.source.end() || !self.fill(&mut at)? {
                break;
            }
        }
        self.place.span = Span::new(start, self.offset(self.pos));
        Ok(Kind::LongSymbol)
    }

    /// A token of another kind than a symbol; `None` where there is none to report yet.
    #[inline(never)]
    fn other(&mut self, class: Class) -> io::Result<Option<Kind>> {
        self.begin();
        let kind = match class {
            Class::Control if self.pos == self.source.end() => return self.at_window_end(),
            Class::Dot => return self.run(Kind::Dots, |b| b == b'.').map(Some),
            Class::Glyph => return self.run(Kind::Glyphs, |b| matches!(b, b'!' | b'?')).map(Some),
            Class::Control => {
                return self.run(Kind::Control, |b| CLASS[usize::from(b)] == Class::Control).map(Some);
            }
            Class::Nag => return self.nag().map(Some),
            Class::Dash | Class::Inside => return self.sign().map(Some),
            Class::Strange => {
                return self.run(Kind::Strange, |b| CLASS[usize::from(b)] == Class::Strange).map(Some);
            }
            Class::Brace => return self.prose(Prose::Brace, true).map(Some),
            Class::Semicolon => return self.prose(Prose::Line, true).map(Some),
            Class::Percent if self.offset(self.pos) == self.line_start => {
                return self.prose(Prose::Escape, true).map(Some);
            }
            Class::Bracket => return self.tag_pair().map(Some),
            Class::Star => Kind::Star,
            Class::Colon => Kind::Colon,
            Class::Less => Kind::Less,
            Class::Greater => Kind::Greater,
            Class::Open => Kind::Open,
            Class::Close => Kind::Close,
            Class::BraceClose => Kind::Brace,
            Class::BracketClose => Kind::Bracket,
            _ => Kind::Strange,
        };
        self.pos += 1;
        Ok(Some(self.end(kind, self.pos - 1, self.pos)))
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

    /// Looks at how the text begins: a UTF-8 mark is passed over, what is no text is refused.
    fn first_bytes(&mut self) -> io::Result<Option<Kind>> {
        let mut keep = 0;
        while self.source.end() < NotText::HEAD && self.fill(&mut keep)? {}
        let head = &self.source.window()[..self.source.end().min(NotText::HEAD)];
        if let Some(what) = NotText::of(head) {
            let end = self.source.end();
            self.pos = end;
            return Ok(Some(self.end(Kind::NotText(what), 0, head_len(end))));
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
        Ok(Kind::Nag)
    }

    /// `--`, or a sign that stands by itself.
    fn sign(&mut self) -> io::Result<Kind> {
        self.run(Kind::Sign, |b| matches!(CLASS[usize::from(b)], Class::Dash | Class::Inside))?;
        Ok(if self.text(self.place.span) == b"--" { Kind::Dashes } else { Kind::Sign })
    }

    /// A comment or escape line, or the next piece of one.
    #[inline]
    fn prose(&mut self, prose: Prose, first: bool) -> io::Result<Kind> {
        if first {
            let mark = Span::new(self.offset(self.pos), self.offset(self.pos + 1));
            self.opening = Place { span: mark, line: self.line, line_start: self.line_start };
            self.pos += 1;
        } else {
            self.begin();
        }
        let mut start = self.pos;
        let mut at = start;
        loop {
            match self.scan_prose(prose, &mut start, &mut at)? {
                Scan::Closed(behind) => return Ok(self.close_prose(prose, first, start, at, behind)),
                Scan::Unclosed => {
                    self.prose = None;
                    self.pos = at;
                    return Ok(self.end(Kind::Unclosed(Part { first, last: true }), start, at));
                }
                Scan::More => {}
            }
            let length = at - start;
            if length >= PIECE {
                let cut = keep_command_whole(&self.source.window()[start..at]);
                self.prose = Some(prose);
                self.pos = start + cut;
                return Ok(self.end(Kind::Prose(prose, Part { first, last: false }), start, start + cut));
            }
            if !self.fill(&mut start)? {
                at = start + length;
                if at < self.source.end() {
                    continue;
                }
                if prose != Prose::Brace {
                    return Ok(self.close_prose(prose, first, start, at, at));
                }
                self.prose = None;
                self.pos = at;
                return Ok(self.end(Kind::Unclosed(Part { first, last: true }), start, at));
            }
            at = start + length;
        }
    }

    #[inline]
    fn close_prose(&mut self, prose: Prose, first: bool, start: usize, at: usize, behind: usize) -> Kind {
        self.prose = None;
        self.pos = behind;
        let end = if prose != Prose::Brace && at > start && self.source.window()[at - 1] == b'\r' {
            at - 1
        } else {
            at
        };
        self.end(Kind::Prose(prose, Part { first, last: true }), start, end)
    }

    /// Moves `at` to the end of the prose, or to the end of the window. Counts lines on its way.
    #[inline]
    fn scan_prose(&mut self, prose: Prose, start: &mut usize, at: &mut usize) -> io::Result<Scan> {
        loop {
            let end = self.source.end();
            let rest = &self.source.window()[*at..end];
            let hit =
                if prose == Prose::Brace { memchr3(b'}', b'\n', b'[', rest) } else { memchr(b'\n', rest) };
            let Some(hit) = hit else {
                *at = end;
                return Ok(Scan::More);
            };
            *at += hit;
            match self.source.window()[*at] {
                b'}' => return Ok(Scan::Closed(*at + 1)),
                b'\n' if prose != Prose::Brace => return Ok(Scan::Closed(*at)),
                b'\n' => self.newline(*at),
                _ if self.offset(*at) == self.line_start && self.offset(*at) >= self.comment_open_until => {
                    if end - *at < RECORD.len() && !self.source.exhausted() && *at - *start < PIECE {
                        return Ok(Scan::More);
                    }
                    if self.source.window()[*at..end].starts_with(RECORD) && !self.closes_later(start, at)? {
                        return Ok(Scan::Unclosed);
                    }
                }
                _ => {}
            }
            *at += 1;
        }
    }

    /// Whether the open comment is closed behind `at` before another one opens; remembers the answer
    /// so that a comment full of game headers is searched once.
    fn closes_later(&mut self, start: &mut usize, at: &mut usize) -> io::Result<bool> {
        let into = *at - *start;
        let mut searched = 0;
        loop {
            *at = *start + into;
            let ahead = &self.source.window()[*at..self.source.end()];
            if let Some(hit) = memchr2(b'}', b'{', &ahead[searched..]) {
                let closes = ahead[searched + hit] == b'}';
                if closes {
                    self.comment_open_until = self.offset(*at + searched + hit);
                }
                return Ok(closes);
            }
            searched = ahead.len();
            if searched > LOOK_AHEAD || !self.fill(start)? {
                return Ok(false);
            }
        }
    }

    /// A tag pair, or what stands in its stead up to the end of its line.
    fn tag_pair(&mut self) -> io::Result<Kind> {
        let at_line_start = self.offset(self.pos) == self.line_start;
        let mut start = self.pos;
        loop {
            match scan_tag(&self.source.window()[start..self.source.end()], self.limits.tag_value) {
                TagScan::Pair { name, value, end, newlines } => {
                    let offset = |i: usize| self.offset(start + i);
                    let span = |(from, to)| Span::new(offset(from), offset(to));
                    self.tag = TagSpans { name: span(name), value: span(value), at_line_start };
                    self.skip_lines(start, start + end, newlines);
                    self.pos = start + end;
                    return Ok(self.end(Kind::Tag, start, start + end));
                }
                TagScan::Fault(fault) => {
                    return self.bad_tag(fault, start);
                }
                TagScan::More => {}
            }
            self.pos = start;
            if !self.fill(&mut start)? {
                return self.bad_tag(TagFault::Unclosed, start);
            }
        }
    }

    fn skip_lines(&mut self, start: usize, end: usize, newlines: bool) {
        if newlines {
            for at in start..end {
                if self.source.window()[at] == b'\n' {
                    self.newline(at);
                }
            }
        }
    }

    /// Ends a bad tag pair at the end of its line, reading on without keeping it.
    fn bad_tag(&mut self, fault: TagFault, start: usize) -> io::Result<Kind> {
        let from = self.offset(start);
        let text = &self.source.window()[start..];
        let begins_record = text.starts_with(RECORD) && from == self.line_start;
        self.tag = TagSpans { name: Span::default(), value: Span::default(), at_line_start: begins_record };
        self.pos = start + 1;
        loop {
            let rest = &self.source.window()[self.pos..self.source.end()];
            if let Some(newline) = memchr(b'\n', rest) {
                self.pos += newline;
                break;
            }
            self.pos = self.source.end();
            let mut keep = self.pos;
            if !self.fill(&mut keep)? {
                break;
            }
        }
        self.place.span = Span::new(from, self.offset(self.pos));
        Ok(Kind::BadTag(fault))
    }
}

enum Scan {
    /// The prose ends; the index behind its closing mark.
    Closed(usize),
    /// A record begins inside a comment that never closes.
    Unclosed,
    /// The window ends first.
    More,
}

const fn head_len(end: usize) -> usize {
    if end < 2 { end } else { 2 }
}

/// How many bytes a text begins with that may stand in a symbol. Most symbols are shorter than eight
/// bytes: these are told in one go, without a branch for each byte to be guessed wrong.
#[inline]
fn symbol_length(text: &[u8]) -> usize {
    let Some(head) = text.first_chunk::<8>() else { return long_symbol_length(text) };
    let inside = |i: usize| u32::from(IN_SYMBOL[usize::from(head[i])]) << i;
    let run = inside(0) | inside(1) | inside(2) | inside(3) | inside(4) | inside(5) | inside(6) | inside(7);
    match run.trailing_ones() {
        8 => long_symbol_length(text),
        length => length as usize,
    }
}

fn long_symbol_length(text: &[u8]) -> usize {
    text.iter().take_while(|b| IN_SYMBOL[usize::from(**b)]).count()
}

/// Digits, then letters of one case.
fn is_number(text: &[u8]) -> bool {
    if text.len() < 4 && text.iter().all(u8::is_ascii_digit) {
        return true;
    }
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let board = &text[digits..];
    board.iter().all(u8::is_ascii_uppercase) || board.iter().all(u8::is_ascii_lowercase)
}

/// How much of a piece of prose to hand out so that no command `[%…]` is cut in two.
fn keep_command_whole(piece: &[u8]) -> usize {
    match memchr::memmem::rfind(piece, b"[%") {
        Some(at) if at > piece.len() / 2 && memchr(b']', &piece[at..]).is_none() => at,
        _ => whole_characters(piece),
    }
}

/// The length of the piece without a UTF-8 character cut at its end.
fn whole_characters(piece: &[u8]) -> usize {
    let tail = piece.len().saturating_sub(3);
    match piece[tail..].iter().rposition(|b| *b >= 0xc0) {
        Some(lead) => tail + lead,
        None => piece.len(),
    }
}

enum TagScan {
    Pair { name: (usize, usize), value: (usize, usize), end: usize, newlines: bool },
    Fault(TagFault),
    More,
}

fn scan_tag(text: &[u8], longest: usize) -> TagScan {
    let mut newlines = false;
    let mut at = 1;
    at = skip_space(text, at, &mut newlines);
    let name = at;
    while at < text.len() && (text[at].is_ascii_alphanumeric() || text[at] == b'_') {
        at += 1;
    }
    let name = (name, at);
    at = skip_space(text, at, &mut newlines);
    if at == text.len() {
        return if at > 1 << 16 { TagScan::Fault(TagFault::Quote) } else { TagScan::More };
    }
    if name.0 == name.1 {
        return TagScan::Fault(TagFault::Name);
    }
    if text[at] != b'"' {
        return TagScan::Fault(TagFault::Quote);
    }
    at += 1;
    let value = at;
    loop {
        let Some(hit) = memchr3(b'"', b'\\', b'\n', &text[at..]) else {
            return if text.len() - value > longest {
                TagScan::Fault(TagFault::TooLong)
            } else {
                TagScan::More
            };
        };
        at += hit;
        match text[at] {
            b'"' => break,
            b'\n' => return TagScan::Fault(TagFault::Unclosed),
            _ if at + 1 >= text.len() => return TagScan::More,
            _ => at += if text[at + 1] == b'\n' { 1 } else { 2 },
        }
    }
    if at - value > longest / 2 && written_value_length(&text[value..at]) > longest {
        return TagScan::Fault(TagFault::TooLong);
    }
    let value = (value, at);
    at = skip_space(text, at + 1, &mut newlines);
    match text.get(at) {
        None if at < value.1 + (1 << 16) => TagScan::More,
        Some(b']') => TagScan::Pair { name, value, end: at + 1, newlines },
        _ => TagScan::Fault(TagFault::Bracket),
    }
}

/// How many bytes a tag value is when it is written again.
fn written_value_length(value: &[u8]) -> usize {
    let mut plain = Vec::new();
    unescape_into(value, &mut plain);
    written_length(&plain) + plain.iter().filter(|byte| matches!(byte, b'"' | b'\\')).count()
}

fn skip_space(text: &[u8], mut at: usize, newlines: &mut bool) -> usize {
    while at < text.len() && matches!(CLASS[usize::from(text[at])], Class::Space | Class::Line) {
        *newlines |= text[at] == b'\n';
        at += 1;
    }
    at
}
