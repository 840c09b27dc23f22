//! Symbols and numbers, the most common tokens.

use super::{IN_SYMBOL, Kind, Lead, Lexer};
use crate::encoding::{find_odd_blank, odd_blank, written_length};
use std::io;

/// The number of leading bytes that may belong to a symbol. Most symbols have fewer than eight bytes: these are
/// classified at once, without a branch for each byte that could be mispredicted.
#[inline]
fn symbol_length(text: &[u8]) -> usize {
    let Some(head) = text.first_chunk::<8>() else {
        return long_symbol_length(text);
    };
    let inside = |i: usize| u32::from(IN_SYMBOL[usize::from(head[i])]) << i;
    let run = inside(0)
        | inside(1)
        | inside(2)
        | inside(3)
        | inside(4)
        | inside(5)
        | inside(6)
        | inside(7);
    match run.trailing_ones() {
        8 => long_symbol_length(text),
        length => length as usize,
    }
}

fn long_symbol_length(text: &[u8]) -> usize {
    text.iter()
        .take_while(|b| IN_SYMBOL[usize::from(**b)])
        .count()
}

/// Whether a symbol may be more, or less, than its bytes: with characters outside ASCII, of which some are blanks, or
/// before a colon or a full stop that may belong to it.
#[inline(always)]
fn is_rare(rest: &[u8], length: usize) -> bool {
    let (symbol, next) = (&rest[..length], rest[length]);
    !is_ascii(symbol, rest) || next == b':' || (next == b'.' && symbol[0] >= b'A')
}

/// Whether a symbol, with which a text begins, is in ASCII. Like its length, this is found for eight bytes at once.
#[inline(always)]
fn is_ascii(symbol: &[u8], text: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    match text.first_chunk::<8>() {
        Some(head) if symbol.len() < 8 => {
            let beyond = u64::MAX << (8 * symbol.len());
            u64::from_le_bytes(*head) & HIGH & !beyond == 0
        }
        _ => symbol.is_ascii(),
    }
}

/// The length of a symbol together with what other programs write in it: `1:0` for a result, `N:e5` for a capture,
/// `exd6e.p.`; and without what comes after a blank outside ASCII.
fn whole_length(text: &[u8], length: usize) -> usize {
    let symbol = &text[..length];
    if let Some(at) = find_odd_blank(symbol) {
        return at;
    }
    let rest = &text[length..];
    match rest {
        [b'.', b'p', b'.', ..] if symbol.ends_with(b"e") && !symbol[0].is_ascii_digit() => {
            length + 3
        }
        [b':', b'0' | b'1' | 0xc2 | 0xbd, ..] if is_half_a_result(symbol) => {
            let other = long_symbol_length(&rest[1..]);
            if is_half_a_result(&rest[1..=other]) {
                length + 1 + other
            } else {
                length
            }
        }
        [b':', b'a'..=b'z', b'0'..=b'9', ..] if is_captor(symbol) => {
            length + 1 + long_symbol_length(&rest[1..])
        }
        _ => length,
    }
}

fn is_half_a_result(text: &[u8]) -> bool {
    matches!(text, b"0" | b"1" | b"1/2" | b"\xc2\xbd" | b"\xbd")
}

/// Whether a text is what stands before the sign of a capture: a piece, perhaps with a file or a rank, or the file of a
/// pawn. Squares are not, since they begin sub-games.
const fn is_captor(text: &[u8]) -> bool {
    matches!(
        text,
        [b'A'..=b'Z' | b'a'..=b'z'] | [b'A'..=b'Z', b'a'..=b'z' | b'1'..=b'9']
    )
}

/// Whether a text is a number: digits, then letters of one case.
fn is_number(text: &[u8]) -> bool {
    if text.len() < 4 && text.iter().all(u8::is_ascii_digit) {
        return true;
    }
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let board = &text[digits..];
    board.iter().all(u8::is_ascii_uppercase) || board.iter().all(u8::is_ascii_lowercase)
}

impl<'r> Lexer<'r> {
    /// A symbol, number or mark; `None` if the window ends too early to decide.
    #[inline(always)]
    pub(super) fn symbol(&mut self) -> Option<Kind> {
        let start = self.pos;
        let rest = &self.source.window()[start..];
        let length = symbol_length(rest);
        // It is rare for a symbol to extend beyond the window, to be too long, or to be more than a word.
        if start + length + 3 > self.source.end() || length > self.limits.symbol / 2 {
            return None;
        }
        let first = rest[0];
        if is_rare(rest, length) {
            return None;
        }
        let kind = match (first, rest[length]) {
            (b'0'..=b'9', b'.') if is_number(&rest[..length]) => {
                let dots = rest[length..].iter().take_while(|b| **b == b'.').count();
                if start + length + dots == self.source.end() || dots > self.limits.symbol {
                    return None;
                }
                return Some(self.finish(Kind::Number, start, start + length + dots));
            }
            (b'e', _) if &rest[..length] == b"ep" => Kind::EnPassant,
            (b'e', b'.') if length == 1 && rest[1..].starts_with(b".p.") => {
                return Some(self.finish(Kind::EnPassant, start, start + 4));
            }
            _ => Kind::Symbol(Lead::of(first)),
        };
        Some(self.finish(kind, start, start + length))
    }

    /// A symbol that may be too long, or that extends too far beyond the window to be classified.
    #[cold]
    pub(super) fn symbol_at_window_end(&mut self) -> io::Result<Kind> {
        self.begin();
        let mut start = self.pos;
        loop {
            let rest = &self.source.window()[start..self.source.end()];
            let length = long_symbol_length(rest);
            // One dot more than a number may have is enough to see that it has too many.
            let most = self.limits.symbol.saturating_add(1);
            let dots = rest[length..].iter().take(most);
            let tail = dots.take_while(|b| **b == b'.').count();
            if length > self.limits.symbol {
                return self.long_symbol();
            }
            let beyond = if rest.get(length) == Some(&b':') {
                1 + long_symbol_length(&rest[length + 1..])
            } else {
                0
            };
            if beyond > self.limits.symbol {
                return self.long_symbol();
            }
            let cut = length + tail + beyond + 3 > rest.len();
            if cut && self.fill(&mut start)? {
                continue;
            }
            let rest = &self.source.window()[start..self.source.end()];
            let whole = whole_length(rest, length);
            // A blank outside ASCII ends a number before its dots.
            let tail = if whole < length { 0 } else { tail };
            let length = whole;
            if written_length(&rest[..length]) > self.limits.symbol {
                return self.long_symbol();
            }
            if length == 0 {
                return Ok(self.finish(Kind::Control, start, start + odd_blank(rest)));
            }
            let (kind, length) = match &rest[..length] {
                digits if digits[0].is_ascii_digit() && tail > 0 && is_number(digits) => {
                    if tail > self.limits.symbol {
                        return self.long_symbol();
                    }
                    (Kind::Number, length + tail)
                }
                b"ep" | b"e.p." => (Kind::EnPassant, length),
                text => (Kind::Symbol(Lead::of(text[0])), length),
            };
            return Ok(self.finish(kind, start, start + length));
        }
    }

    /// Skips the rest of a symbol that is too long, without keeping it.
    fn long_symbol(&mut self) -> io::Result<Kind> {
        self.run(Kind::LongSymbol, |byte| IN_SYMBOL[usize::from(byte)])
    }
}
