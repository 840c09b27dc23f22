//! Comments and escape lines, piece by piece.

use super::{Kind, Lexer, Part, Prose, RECORD};
use crate::span::TextSpan;
use memchr::{memchr, memchr2, memchr3};
use std::io;

/// The longest piece of prose in one token, in bytes.
const PIECE: usize = 64 << 10;

/// How far an open comment is searched for its end after a suspicious line, in bytes.
const LOOK_AHEAD: usize = 16 << 20;

enum Scan {
    /// The end of the prose: the index after its closing mark.
    Closed(usize),
    /// A record begins inside the comment, which never closes.
    Unclosed,
    /// The end of the window.
    More,
}

/// How much of a piece of prose to return so that no command `[%…]` is cut in two.
fn keep_command_whole(piece: &[u8]) -> usize {
    match memchr::memmem::rfind(piece, b"[%") {
        Some(at) if at > piece.len() / 2 && memchr(b']', &piece[at..]).is_none() => at,
        _ => whole_characters(piece),
    }
}

/// The length of the piece without an incomplete UTF-8 character at its end.
fn whole_characters(piece: &[u8]) -> usize {
    let tail = piece.len().saturating_sub(3);
    match piece[tail..].iter().rposition(|b| *b >= 0xc0) {
        Some(lead) => tail + lead,
        None => piece.len(),
    }
}

impl<'r> Lexer<'r> {
    /// Where the comment was opened whose piece was read last.
    pub const fn prose_opening(&self) -> TextSpan {
        self.opening
    }

    /// A comment or escape line, or the next piece of one.
    #[inline]
    pub(super) fn prose(&mut self, prose: Prose, first: bool) -> io::Result<Kind> {
        if first {
            self.opening = self.place_of(self.pos, 1);
            self.pos += 1;
        } else {
            self.begin();
        }
        let mut start = self.pos;
        let mut at = start;
        loop {
            match self.scan_prose(prose, &mut start, &mut at)? {
                Scan::Closed(after) => {
                    return Ok(self.close_prose(prose, first, start, at, after));
                }
                Scan::Unclosed => return Ok(self.end_unclosed(first, start, at)),
                Scan::More => {}
            }
            let length = at - start;
            if length >= PIECE {
                let cut = keep_command_whole(&self.source.window()[start..at]);
                self.prose = Some(prose);
                self.pos = start + cut;
                return Ok(self.end(
                    Kind::Prose(prose, Part { first, last: false }),
                    start,
                    start + cut,
                ));
            }
            if !self.fill(&mut start)? {
                at = start + length;
                if at < self.source.end() {
                    continue;
                }
                if prose != Prose::Brace {
                    return Ok(self.close_prose(prose, first, start, at, at));
                }
                return Ok(self.end_unclosed(first, start, at));
            }
            at = start + length;
        }
    }

    fn end_unclosed(&mut self, first: bool, start: usize, at: usize) -> Kind {
        self.prose = None;
        self.pos = at;
        // What was seen ahead took this comment for closed.
        self.seen_until.0 = 0;
        self.end(Kind::Unclosed(Part { first, last: true }), start, at)
    }

    #[inline]
    fn close_prose(
        &mut self,
        prose: Prose,
        first: bool,
        start: usize,
        at: usize,
        after: usize,
    ) -> Kind {
        self.prose = None;
        self.pos = after;
        let end = if prose != Prose::Brace && at > start && self.source.window()[at - 1] == b'\r' {
            at - 1
        } else {
            at
        };
        self.end(Kind::Prose(prose, Part { first, last: true }), start, end)
    }

    /// Moves `at` to the end of the prose, or to the end of the window, counting lines on the way.
    #[inline]
    fn scan_prose(&mut self, prose: Prose, start: &mut usize, at: &mut usize) -> io::Result<Scan> {
        loop {
            let end = self.source.end();
            let rest = &self.source.window()[*at..end];
            let hit = if prose == Prose::Brace {
                memchr3(b'}', b'\n', b'[', rest)
            } else {
                memchr(b'\n', rest)
            };
            let Some(hit) = hit else {
                *at = end;
                return Ok(Scan::More);
            };
            *at += hit;
            match self.source.window()[*at] {
                b'}' => return Ok(Scan::Closed(*at + 1)),
                b'\n' if prose != Prose::Brace => return Ok(Scan::Closed(*at)),
                b'\n' => self.newline(*at),
                _ if self.offset(*at) == self.line_start
                    && self.offset(*at) >= self.comment_open_until =>
                {
                    if end - *at < RECORD.len() && !self.source.exhausted() && *at - *start < PIECE
                    {
                        return Ok(Scan::More);
                    }
                    if self.source.window()[*at..end].starts_with(RECORD)
                        && !self.closes_later(start, at)?
                    {
                        return Ok(Scan::Unclosed);
                    }
                }
                _ => {}
            }
            *at += 1;
        }
    }

    /// Whether the open comment closes after `at`, before another one opens. Remembers the result, so that a comment
    /// full of game headers is searched only once.
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
}
