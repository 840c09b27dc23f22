//! Tags, and the remarks among them.

use super::{Style, Writer};
use crate::{
    encoding::decode,
    header::{escape, unescape_into},
    parse::{Event, GrammarFault},
};
use std::{
    io::{self, Write},
    mem,
};

/// The number of bytes of remarks among the tags that are held until the last tag. If there are more, the tags are
/// written in parts and none is added, since a later one might still provide it.
pub(super) const WAITING: usize = 1 << 20;

/// The order of tags: those that stand first, then by name.
pub(super) fn rank(style: Style, name: &str) -> (usize, String) {
    let first = style.first.iter().position(|known| *known == name);
    (first.unwrap_or(style.first.len()), name.to_string())
}

pub(super) fn write_tag(out: &mut dyn Write, pair: &(String, String)) -> io::Result<()> {
    write_pair(out, pair)?;
    out.write_all(b"\n")
}

fn write_pair(out: &mut dyn Write, (name, value): &(String, String)) -> io::Result<()> {
    write!(out, "[{name} \"{}\"]", escape(value))
}

/// A broken tag among the tags.
pub(super) struct BrokenTag {
    /// The number of tags before it.
    after: usize,
    /// The remarks since the first of these that no other broken tag follows.
    remarks: Vec<(Event, Vec<u8>)>,
    text: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Remarks as they are written among the tags, apart from what is written already.
    fn apart(&self, remarks: Vec<(Event, Vec<u8>)>) -> io::Result<Vec<u8>> {
        let mut writer = Writer::new(Vec::new(), self.tidy);
        writer.nested = self.nested;
        for (event, text) in remarks {
            writer.put(event, None, &text)?;
        }
        writer.break_line()?;
        Ok(writer.into_inner())
    }

    /// Whether an event is a remark, or an unreadable tag, before the first tag.
    pub(super) fn stands_before_tags(&self, event: Event, text: &[u8]) -> bool {
        let may = match event {
            Event::Prose(..) => !self.unclosed,
            Event::Unread => text.starts_with(b"["),
            _ => false,
        };
        may && self.tags_open && self.tags.is_empty() && self.number.is_empty()
    }

    /// Whether an event must wait for further tags: remarks among the tags are written after the last one, or after the
    /// last one before a broken tag, and broken tags between those that they stood between. A remark before the first tag stays where it is.
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
                let remarks = mem::take(&mut self.waiting);
                self.broken.push(BrokenTag {
                    after: self.tags.len(),
                    remarks,
                    text: text.to_vec(),
                });
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
        // Tags around a broken one stay as they are.
        let are_whole = self.broken.is_empty() && !self.parts_tags && self.completes_roster;
        self.style = if are_whole {
            (self.tidy)(&mut self.tags)
        } else {
            (self.tidy)(&mut self.tags.clone())
        };
        self.nested = !self.style.fills;
        let is_result = |(name, _): &(String, String)| name == "Result";
        let result = self.tags.iter().position(is_result);
        // Of two, both stay as they are.
        let is_one = result == self.tags.iter().rposition(is_result);
        self.result = match result {
            Some(at) if self.style.takes_result && are_whole && is_one => {
                self.stated = Some(self.tags.remove(at).1);
                None
            }
            Some(at) => Some(self.tags[at].1.clone()),
            None => None,
        };
        if self.result.is_none() {
            self.held_moves = Some(Vec::new());
            return Ok(());
        }
        self.write_tags()
    }

    /// Adds the tags of the roster that are missing.
    fn complete_roster(&mut self) {
        for name in self.style.roster {
            if self.tags.iter().any(|(known, _)| known == name) {
                continue;
            }
            let value = match *name {
                "Date" => "????.??.??".into(),
                "Result" => match self.stated.clone().or(self.result.clone()) {
                    Some(result) => result,
                    None => continue,
                },
                _ => "?".into(),
            };
            self.tags.push(((*name).to_string(), value));
        }
    }

    pub(super) fn write_tags(&mut self) -> io::Result<()> {
        if self.completes_roster && !self.parts_tags {
            self.complete_roster();
        }
        let mut tags = mem::take(&mut self.tags);
        let mut begun = self.begins_broken;
        let mut from = 0;
        let rest = BrokenTag {
            after: tags.len(),
            remarks: Vec::new(),
            text: Vec::new(),
        };
        for broken in mem::take(&mut self.broken).into_iter().chain([rest]) {
            let group = &mut tags[from..broken.after];
            group.sort_by_key(|(name, _)| rank(self.style, name));
            let mut tags = group.iter().peekable();
            while let Some(pair) = tags.next() {
                // At the start of a line the tag Event begins a record; that would be a second one if this record has
                // already begun.
                if mem::replace(&mut begun, true) && pair.0 == "Event" {
                    self.out.write_all(b" ")?;
                }
                write_pair(&mut self.out, pair)?;
                let is_joined = tags.peek().is_some_and(|next| next.0.starts_with(&pair.0));
                if !(self.style.joins && is_joined) {
                    self.out.write_all(b"\n")?;
                }
            }
            let remarks = self.apart(broken.remarks)?;
            self.out.write_all(&remarks)?;
            if !broken.text.is_empty() {
                writeln!(self.out, " {}", decode(broken.text.trim_ascii_end()).0)?;
            }
            from = broken.after;
        }
        self.out.write_all(b"\n")
    }
}
