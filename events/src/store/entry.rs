//! An entry of the log, and the line that holds it.
//!
//! ```json
//! {"log":1,"prev":"9f86…","number":12,"time":"2026-11-21T12:00:00Z","what":"Entered in round 1: table 2: 1-0","by":"Ann","files":[{"file":"rounds/01.csv","sum":"60b7…","edits":[[71,0,"1-0"]]}],"sum":"2c26…"}
//! ```

use super::{
    Sum,
    chain::Line,
    content::{FileEntry, Text},
};
use serde::{Deserialize, Serialize};

/// A change in the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Its number, from 1.
    pub number: u32,
    /// When it was made, in UTC.
    pub time: String,
    /// What was changed, in words.
    pub what: String,
    /// Who changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why it was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The number of the change that it undid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<u32>,
    /// The number of the undone change that it redoes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redoes: Option<u32>,
    /// The numbers of further changes that it undid or redid after that one, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<u32>,
    /// Whether it takes up what was changed by hand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// Where a log begins anew: the hash of what is left of the one before. The entry then has every file whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Sum>,
    /// The files it changed.
    pub files: Vec<FileEntry>,
}

impl LogEntry {
    /// Whether it changed files, and not only says something about them.
    #[must_use]
    pub fn is_change(&self) -> bool {
        self.earlier.is_none() && !self.files.is_empty()
    }
}

/// A file before and after a change; `None` if it did not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its name in the folder.
    pub file: String,
    /// Its bytes before.
    pub before: Option<Text>,
    /// Its bytes after.
    pub after: Option<Text>,
}

impl Line {
    /// Reads a line of an event's log, with its line break.
    ///
    /// # Errors
    /// Why it is not an entry that somebody wrote as it is.
    pub fn of_event(text: &[u8]) -> Result<Self, &'static str> {
        let line = Self::read(text)?;
        let is_of_event = |one: &FileEntry| super::is_event_file(&one.file);
        if line.entry.files.iter().all(is_of_event) {
            Ok(line)
        } else {
            Err("this entry names a file that is not one of an event")
        }
    }
}

/// Which changes of a log are in force, and which are undone and can be redone.
pub struct ChangesInForce<'a> {
    /// Those in force, the first change first.
    pub done: Vec<&'a LogEntry>,
    /// Those that are undone; the one to be redone next is last.
    pub undone: Vec<&'a LogEntry>,
}

impl<'a> ChangesInForce<'a> {
    /// Reads a log.
    #[must_use]
    pub fn of(log: &'a [LogEntry]) -> Self {
        let mut this = Self {
            done: Vec::new(),
            undone: Vec::new(),
        };
        for entry in log {
            if !entry.is_change() {
                continue;
            }
            match (entry.undoes, entry.redoes) {
                (Some(first), _) => pass(&mut this.done, &mut this.undone, first, &entry.also),
                (_, Some(first)) => pass(&mut this.undone, &mut this.done, first, &entry.also),
                (None, None) => {
                    this.done.push(entry);
                    // An edit by hand is taken up only when the next command runs.
                    if !entry.by_hand {
                        this.undone.clear();
                    }
                }
            }
        }
        this
    }
}

/// Passes the last changes with these numbers from one list to the end of the other, one after the other.
fn pass<'a>(from: &mut Vec<&'a LogEntry>, to: &mut Vec<&'a LogEntry>, first: u32, also: &[u32]) {
    for number in [&[first][..], also].concat() {
        if let Some(at) = from.iter().rposition(|entry| entry.number == number) {
            to.push(from.remove(at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_byte_of_a_line_can_change() {
        let entry = LogEntry {
            number: 12,
            time: "2026-11-21T12:00:00Z".into(),
            what: "a name, \u{fc}".into(),
            by: Some("Ann".into()),
            reason: None,
            undoes: None,
            redoes: Some(11),
            also: vec![10, 7],
            by_hand: false,
            earlier: None,
            files: Vec::new(),
        };
        let line = Line::new(Sum::of(b"before"), entry);
        assert_eq!(Line::of_event(line.text.as_bytes()).as_ref(), Ok(&line));
        let bytes = line.text.as_bytes();
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.to_vec();
                flipped[place] ^= 1 << bit;
                assert!(Line::of_event(&flipped).is_err(), "byte {place}, bit {bit}");
            }
            assert!(Line::of_event(&bytes[..place]).is_err());
        }
    }
}
