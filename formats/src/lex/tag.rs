//! Tag pairs, and malformed ones.

use super::{CLASS, Class, Kind, Lexer, RECORD, TagFault, TagSpans};
use crate::{encoding::written_length, header::unescape_into, span::Span};
use memchr::memchr3;
use std::io;

/// What the white space within a tag pair consists of.
#[derive(Clone, Copy, Default)]
struct Space {
    newlines: bool,
    /// The first control character.
    control: Option<usize>,
}

enum TagScan {
    Pair {
        name: (usize, usize),
        value: (usize, usize),
        end: usize,
        space: Space,
    },
    Fault(TagFault),
    More,
}

fn scan_tag(text: &[u8], longest: usize) -> TagScan {
    let mut space = Space::default();
    let mut at = skip_space(text, 1, &mut space);
    let name = at;
    while at < text.len() && (text[at].is_ascii_alphanumeric() || text[at] == b'_') {
        at += 1;
    }
    let name = (name, at);
    at = skip_space(text, at, &mut space);
    // What a pair may be depends on nothing but its bytes, and not on how many of them were read at once.
    if at > longest {
        return TagScan::Fault(TagFault::TooLong);
    }
    if at == text.len() {
        return TagScan::More;
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
            let read = &text[value..];
            return if read.len() > longest && written_value_length(read) > longest {
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
    at = skip_space(text, at + 1, &mut space);
    match text.get(at) {
        _ if at - value.1 > longest => TagScan::Fault(TagFault::TooLong),
        None => TagScan::More,
        Some(b']') => TagScan::Pair {
            name,
            value,
            end: at + 1,
            space,
        },
        _ => TagScan::Fault(TagFault::Bracket),
    }
}

/// The length of a tag value in bytes when it is written again, with its backslashes.
fn written_value_length(value: &[u8]) -> usize {
    let mut plain = Vec::new();
    unescape_into(value, &mut plain);
    written_length(&plain)
        + plain
            .iter()
            .filter(|byte| matches!(byte, b'"' | b'\\'))
            .count()
}

/// Skips white space, and control characters, which are reported as they are elsewhere.
fn skip_space(text: &[u8], mut at: usize, space: &mut Space) -> usize {
    while at < text.len()
        && matches!(
            CLASS[usize::from(text[at])],
            Class::Space | Class::Line | Class::Control
        )
    {
        space.newlines |= text[at] == b'\n';
        if CLASS[usize::from(text[at])] == Class::Control {
            space.control.get_or_insert(at);
        }
        at += 1;
    }
    at
}

impl<'r> Lexer<'r> {
    /// A tag pair, or a malformed one up to the end of its line.
    pub(super) fn tag_pair(&mut self) -> io::Result<Kind> {
        let at_line_start = self.offset(self.pos) == self.line_start;
        let mut start = self.pos;
        loop {
            match scan_tag(
                &self.source.window()[start..self.source.end()],
                self.limits.tag_value,
            ) {
                TagScan::Pair {
                    name,
                    value,
                    end,
                    space,
                } => {
                    let offset = |i: usize| self.offset(start + i);
                    let span = |(from, to)| Span::new(offset(from), offset(to));
                    let (name, value) = (span(name), span(value));
                    let mut from = start;
                    let control = space.control.map(|at| {
                        self.skip_lines(from, start + at, space.newlines);
                        from = start + at;
                        self.place_of(from, 1)
                    });
                    self.tag = TagSpans {
                        name,
                        value,
                        at_line_start,
                        control,
                    };
                    self.skip_lines(from, start + end, space.newlines);
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

    /// Ends a malformed tag pair at the end of its line, without keeping the text in between.
    fn bad_tag(&mut self, fault: TagFault, start: usize) -> io::Result<Kind> {
        let text = &self.source.window()[start..];
        let begins_record = text.starts_with(RECORD) && self.offset(start) == self.line_start;
        self.tag = TagSpans {
            at_line_start: begins_record,
            ..TagSpans::default()
        };
        self.pos = start;
        self.run(Kind::BadTag(fault), |byte| byte != b'\n')
    }
}
