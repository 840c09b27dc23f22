//! Tags, and the remarks among them.

use super::{Style, Tags, Writer};
use crate::{
    encoding::decode,
    header::escape,
    parse::{Event, GrammarFault},
};
use std::{
    io::{self, Write},
    mem,
};

/// The number of bytes of remarks among the tags that are held until the last tag. If there are more, the tags are
/// written in parts and none is added, since a later one might still provide it.
const WAITING: usize = 1 << 20;

/// The order of tags: those that stand first, then by name.
pub(super) fn rank(style: Style, name: &str) -> (usize, String) {
    let first = style.first.iter().position(|known| *known == name);
    (first.unwrap_or(style.first.len()), name.to_string())
}

/// A broken tag among the tags.
struct BrokenTag {
    /// The number of tags before it.
    after: usize,
    /// The remarks since the first of these that no other broken tag follows.
    remarks: Vec<(Event, Vec<u8>)>,
    text: Vec<u8>,
}

/// The tags of a record, and what waits for the last of them.
#[derive(Default)]
pub(super) struct Head {
    tags: Tags,
    pub(super) is_open: bool,
    /// The value of a tag Result that waits for the result after the moves.
    pub(super) stated: Option<String>,
    /// Moves that are held back for the result.
    pub(super) held_moves: Option<Vec<u8>>,
    pub(super) result: Option<String>,
    /// Remarks among the tags.
    pub(super) waiting: Vec<(Event, Vec<u8>)>,
    waiting_bytes: usize,
    /// Broken tags among the tags: what follows one must not be read as its end.
    broken: Vec<BrokenTag>,
    /// Whether something waits that ends the tags.
    is_past: bool,
    /// Whether a broken tag stands before the first tag.
    pub(super) begins_broken: bool,
    /// Whether the tags were written before it was known which of the roster are missing, because the remarks among
    /// them were too long to hold.
    pub(super) is_parted: bool,
    /// Whether the current comment never closes.
    pub(super) unclosed: bool,
    /// Whether there is an unreadable tag. Missing tags of the roster are not added then, since an added `Event` would make
    /// it a separate record.
    pub(super) has_unread: bool,
}

impl<W: Write> Writer<W> {
    /// Remarks as they are written among the tags, apart from what is written already.
    fn apart(&self, remarks: Vec<(Event, Vec<u8>)>) -> io::Result<Vec<u8>> {
        let mut writer = Writer::new(Vec::new(), self.tidy);
        writer.style = self.style;
        for (event, text) in remarks {
            writer.put(event, None, &text)?;
        }
        writer.break_line()?;
        Ok(writer.into_inner())
    }

    /// Whether an event is a remark, or an unreadable tag, before the first tag.
    pub(super) fn stands_before_tags(&self, event: Event, text: &[u8]) -> bool {
        let may = match event {
            Event::Prose(..) => !self.head.unclosed,
            Event::Unread => text.starts_with(b"["),
            _ => false,
        };
        may && self.head.is_open && self.head.tags.is_empty() && self.numbers.held.is_empty()
    }

    /// Whether an event must wait for further tags: remarks among the tags are written after the last one, or after the
    /// last one before a broken tag, and broken tags between those that they stood between. A remark before the first tag stays where it is.
    pub(super) fn wait(&mut self, event: Event, text: &[u8]) -> bool {
        if !self.head.is_open || self.head.tags.is_empty() {
            return false;
        }
        let waits = match event {
            Event::Prose(..) | Event::Unread => {
                self.head.is_parted = self.head.waiting_bytes >= WAITING;
                !self.head.is_parted
            }
            Event::Fault(GrammarFault::UnclosedComment) => true,
            _ => false,
        };
        if waits {
            self.head.waiting_bytes += text.len();
            if event == Event::Unread && text.starts_with(b"[") && !self.head.is_past {
                self.head.has_unread = true;
                let remarks = mem::take(&mut self.head.waiting);
                self.head.broken.push(BrokenTag {
                    after: self.head.tags.len(),
                    remarks,
                    text: text.to_vec(),
                });
            } else {
                self.head.is_past |= event == Event::Unread;
                self.head.waiting.push((event, text.to_vec()));
            }
        }
        waits
    }

    pub(super) fn tag(&mut self, pair: (String, String)) -> io::Result<()> {
        self.at_beginning = false;
        if self.opening.is_some() {
            self.open_tags.push(pair);
            return Ok(());
        }
        if self.head.is_open {
            self.head.tags.push(pair);
            return Ok(());
        }
        self.break_line()?;
        self.write_inner_tag(&pair)
    }

    /// Writes a tag of a sub-game, on a line of its own.
    pub(super) fn write_inner_tag(&mut self, (name, value): &(String, String)) -> io::Result<()> {
        let indent = "  ".repeat(self.depth);
        writeln!(self.sink(), "{indent}[{name} \"{}\"]", escape(value))
    }

    /// Writes the tags, unless they have been written.
    pub(super) fn end_tags(&mut self) -> io::Result<()> {
        if !mem::take(&mut self.head.is_open) {
            return Ok(());
        }
        self.break_line()?;
        // Tags around a broken one stay as they are.
        let are_whole =
            self.head.broken.is_empty() && !self.head.is_parted && !self.head.has_unread;
        self.style = if are_whole {
            (self.tidy)(&mut self.head.tags)
        } else {
            (self.tidy)(&mut self.head.tags.clone())
        };
        let is_result = |(name, _): &(String, String)| name == "Result";
        let result = self.head.tags.iter().position(is_result);
        // Of two, both stay as they are.
        let is_one = result == self.head.tags.iter().rposition(is_result);
        self.head.result = match result {
            Some(at) if self.style.takes_result && are_whole && is_one => {
                self.head.stated = Some(self.head.tags.remove(at).1);
                None
            }
            Some(at) => Some(self.head.tags[at].1.clone()),
            None => None,
        };
        if self.head.result.is_none() {
            self.head.held_moves = Some(Vec::new());
            return Ok(());
        }
        self.write_tags()
    }

    /// Adds the tags of the roster that are missing.
    fn complete_roster(&mut self) {
        for name in self.style.roster {
            if self.head.tags.iter().any(|(known, _)| known == name) {
                continue;
            }
            let value = match *name {
                "Date" => "????.??.??".into(),
                "Result" => match self.head.stated.clone().or(self.head.result.clone()) {
                    Some(result) => result,
                    None => continue,
                },
                _ => "?".into(),
            };
            self.head.tags.push(((*name).to_string(), value));
        }
    }

    pub(super) fn write_tags(&mut self) -> io::Result<()> {
        if !self.head.has_unread && !self.head.is_parted {
            self.complete_roster();
        }
        let mut tags = mem::take(&mut self.head.tags);
        let mut begun = self.head.begins_broken;
        let mut from = 0;
        let rest = BrokenTag {
            after: tags.len(),
            remarks: Vec::new(),
            text: Vec::new(),
        };
        for broken in mem::take(&mut self.head.broken).into_iter().chain([rest]) {
            let group = &mut tags[from..broken.after];
            group.sort_by_key(|(name, _)| rank(self.style, name));
            let mut tags = group.iter().peekable();
            while let Some((name, value)) = tags.next() {
                // At the start of a line the tag Event begins a record; that would be a second one if this record has
                // already begun.
                if mem::replace(&mut begun, true) && name == "Event" {
                    self.out.write_all(b" ")?;
                }
                write!(self.out, "[{name} \"{}\"]", escape(value))?;
                let is_joined = tags.peek().is_some_and(|next| next.0.starts_with(name));
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
