//! Tags, and the remarks among them.

use super::Writer;
use crate::{
    encoding::decode,
    header::{ROSTER, escape, unescape_into},
    parse::{Event, GrammarFault},
};
use std::{
    io::{self, Write},
    mem,
};

/// The number of bytes of remarks among the tags that are held until the last tag. If there are more, the tags are
/// written in parts and none is added, since a later one might still provide it.
pub(super) const WAITING: usize = 1 << 20;

/// The canonical order of tags: the roster, then by name.
pub(super) fn rank(name: &str) -> (usize, String) {
    (ROSTER.iter().position(|known| *known == name).unwrap_or(ROSTER.len()), name.to_string())
}

pub(super) fn write_tag(out: &mut dyn Write, (name, value): &(String, String)) -> io::Result<()> {
    writeln!(out, "[{name} \"{}\"]", escape(value))
}

impl<W: Write> Writer<W> {
    /// Whether an event is a remark, or an unreadable tag, before the first tag.
    pub(super) fn stands_before_tags(&self, event: Event, text: &[u8]) -> bool {
        let may = match event {
            Event::Prose(..) => !self.unclosed,
            Event::Unread => text.starts_with(b"["),
            _ => false,
        };
        may && self.tags_open && self.tags.is_empty() && self.number.is_empty()
    }

    /// Whether an event must wait for further tags: remarks among the tags are written after the last one, broken
    /// tags between those that they stood between. A remark before the first tag stays where it is.
    pub(super) fn wait(&mut self, event: Event, text: &[u8]) -> bool {
        if !self.tags_open || self.tags.is_empty() {
            return false;
        }
        let waits = match event {
            Event::Prose(..) | Event::Unread => {
                self.parts_tags = self.waiting_bytes >= WAITING;
                !self.parts_tags
            }
            Event::Fault(GrammarFault::UnclosedComment) => true,
            _ => false,
        };
        if waits {
            self.waiting_bytes += text.len();
            if event == Event::Unread && text.starts_with(b"[") && !self.past_tags {
                self.completes_roster = false;
                self.broken.push((self.tags.len(), text.to_vec()));
            } else {
                self.past_tags |= event == Event::Unread;
                self.waiting.push((event, text.to_vec()));
            }
        }
        waits
    }

    pub(super) fn tag(&mut self, name: &[u8], value: &[u8]) -> io::Result<()> {
        self.at_beginning = false;
        let mut plain = Vec::new();
        unescape_into(value, &mut plain);
        let pair = (decode(name).0.into_owned(), decode(&plain).0.into_owned());
        if self.opening.is_some() {
            self.open_tags.push(pair);
            return Ok(());
        }
        if self.tags_open {
            self.tags.push(pair);
            return Ok(());
        }
        self.break_line()?;
        let indent = "  ".repeat(self.depth);
        self.sink().write_all(indent.as_bytes())?;
        write_tag(self.sink(), &pair)
    }

    /// Writes the tags, unless they have been written.
    pub(super) fn end_tags(&mut self) -> io::Result<()> {
        if !mem::take(&mut self.tags_open) {
            return Ok(());
        }
        self.break_line()?;
        let variant = self.tags.iter().find(|(name, _)| name == "Variant").map(|(_, value)| value.as_bytes());
        self.nested = !(self.wraps)(variant);
        self.result = self.tags.iter().find(|(name, _)| name == "Result").map(|(_, value)| value.clone());
        if self.result.is_none() {
            self.held_moves = Some(Vec::new());
            return Ok(());
        }
        self.write_tags()
    }

    pub(super) fn write_tags(&mut self) -> io::Result<()> {
        let missing = ROSTER.into_iter().filter(|name| !self.tags.iter().any(|(known, _)| known == name));
        let supplied: Vec<_> = missing
            .filter(|_| self.completes_roster && !self.parts_tags)
            .filter_map(|name| {
                let value = match name {
                    "Date" => "????.??.??".into(),
                    "Result" => self.result.clone()?,
                    _ => "?".into(),
                };
                Some((name.to_string(), value))
            })
            .collect();
        self.tags.extend(supplied);
        let mut tags = mem::take(&mut self.tags);
        let mut begun = self.begins_broken;
        let mut from = 0;
        for (to, broken) in mem::take(&mut self.broken).into_iter().chain([(tags.len(), Vec::new())]) {
            tags[from..to].sort_by_key(|(name, _)| rank(name));
            for pair in &tags[from..to] {
                // At the start of a line the tag Event begins a record; that would be a second one if this record has
                // already begun.
                if mem::replace(&mut begun, true) && pair.0 == "Event" {
                    self.out.write_all(b" ")?;
                }
                write_tag(&mut self.out, pair)?;
            }
            if !broken.is_empty() {
                writeln!(self.out, " {}", decode(broken.trim_ascii_end()).0)?;
            }
            from = to;
        }
        self.out.write_all(b"\n")
    }
}
