//! The log of an event's folder: a chain of entries from which every state of the files follows.
//!
//! `log/changes.jsonl` has a line for each change, and `log/last.json` is a copy of the last one. That copy is written
//! before the files, and the line is added after them. So if a process is killed, the next one knows what was begun; and
//! if the end of the log is lost, the copy shows it.

use super::{
    Sum,
    chain::Line,
    content::{Content, Derived, FileEntry, Text, text_of},
    earlier,
    entry::{Changed, LogEntry},
};
use crate::{
    Files,
    csv::{At, CsvError},
};
use std::collections::BTreeMap;

/// The lines of the log.
pub const CHANGES: &str = "changes.jsonl";
/// A copy of its last line.
pub const LAST: &str = "last.json";
/// A file is written whole into the log when what changed in it since is this many times its size.
const WHOLE_AFTER: usize = 4;

/// The hash of each file, where it is known.
pub type Sums = BTreeMap<String, Option<Sum>>;

/// The log, as far as it can be read.
#[derive(Debug, Default)]
pub struct Log {
    /// The readable entries, the first change first, with one that was begun.
    pub entries: Vec<LogEntry>,
    /// Whether it is a chain; otherwise it is one of an older version, or there is none.
    pub is_chain: bool,
    /// Whether the chain is whole, and only what came before it may be damaged.
    pub is_whole: bool,
    /// Where the chain begins among the entries.
    chain: usize,
    /// The hash of the last whole line.
    pub head: Option<Sum>,
    /// How many bytes the whole lines have.
    pub whole: usize,
    /// How many lines at the end cannot be read.
    unread: u32,
    /// The change that was begun.
    pub begun: Option<Line>,
    /// What is wrong with the log.
    pub damage: Vec<CsvError>,
    /// What is missing in a log of an older version.
    pub lost: Vec<CsvError>,
}

impl Log {
    /// Reads the files of the folder `log`.
    #[must_use]
    pub fn read(log: &Files) -> Self {
        let earlier = earlier::read(log);
        let mut this = Self {
            chain: earlier.entries.len(),
            entries: earlier.entries,
            ..Self::default()
        };
        if !log.contains_key(CHANGES) && !log.contains_key(LAST) {
            this.lost = earlier.lost;
            return this;
        }
        this.is_chain = true;
        let last = log.get(LAST).map(|bytes| Line::of_event(bytes));
        if let Some(Ok(line)) = &last
            && begins_anew(line, log)
        {
            this.begin(line.clone());
            return this;
        }
        let lines = log.get(CHANGES).map_or(&[][..], Vec::as_slice);
        let copy = match &last {
            Some(Ok(line)) => Some(line),
            _ => None,
        };
        let torn = this.read_lines(lines, copy);
        this.read_last(last, torn, log.contains_key(CHANGES));
        this.is_whole = this.damage.is_empty();
        this.check_start(log);
        this
    }

    /// Reads the lines of the chain. Returns what is wrong with the last one if the copy of it can stand for it.
    fn read_lines(&mut self, lines: &[u8], last: Option<&Line>) -> Option<CsvError> {
        let mut read = 0;
        let mut follows = Some(Sum::START);
        for (number, text) in (1..).zip(lines.split_inclusive(|byte| *byte == b'\n')) {
            let at = At {
                line: number,
                ..At::file("log/changes.jsonl")
            };
            read += text.len();
            let line = match Line::of_event(text) {
                Ok(line) => line,
                Err(why) => {
                    if let Some(last) = last
                        && Some(last.prev) == follows
                        && read == lines.len()
                        && self.damage.is_empty()
                    {
                        return Some(at.fault(why));
                    }
                    self.damage.push(at.fault(why));
                    self.unread += 1;
                    follows = None;
                    continue;
                }
            };
            if let Some(why) = self.breaks(&line, follows) {
                self.damage.push(at.fault(why));
            }
            follows = Some(line.sum);
            self.head = follows;
            self.unread = 0;
            self.whole = read;
            self.entries.push(line.entry);
        }
        None
    }

    /// Why a line does not follow the one before it; `None` if it does, or if that one cannot be read.
    fn breaks(&self, line: &Line, follows: Option<Sum>) -> Option<String> {
        if follows? == line.prev {
            return None;
        }
        let number = line.entry.number;
        let known = self.last_number();
        if number <= known {
            return Some(format!("change {number} stands after change {known}"));
        }
        Some(gap(known + 1, number))
    }

    /// The number of the last entry; 0 if there is none.
    fn last_number(&self) -> u32 {
        self.entries.last().map_or(0, |entry| entry.number)
    }

    /// Holds the copy of the last line against the lines.
    fn read_last(
        &mut self,
        last: Option<Result<Line, &'static str>>,
        torn: Option<CsvError>,
        has_lines: bool,
    ) {
        let at = At::file("log/last.json");
        let line = match last {
            None => {
                let why = "this file is missing, so the end of the log may be missing too";
                self.damage.push(at.fault(why));
                return;
            }
            Some(Err(why)) => {
                self.damage.push(at.fault(why));
                return;
            }
            Some(Ok(line)) => line,
        };
        if Some(line.sum) == self.head {
            return;
        }
        let known = self.last_number();
        let follows = line.prev == self.head.unwrap_or(Sum::START);
        if follows && self.damage.is_empty() && (has_lines || line.prev == Sum::START) {
            self.begin(line);
            return;
        }
        let number = line.entry.number;
        let why = if !has_lines {
            format!("the last change was {number}, but log/changes.jsonl is missing")
        } else if number == known {
            format!(
                "this is another change {number} than the one at the end of log/changes.jsonl: \
                 one of these files is from another copy of the event, or from another event"
            )
        } else {
            format!("the last change was {number}, but log/changes.jsonl ends with change {known}")
        };
        self.damage.extend(torn);
        self.damage.push(at.fault(why));
        if number > known {
            self.unread = 0;
            self.entries.push(line.entry);
        }
    }

    /// Counts a change that was begun as made.
    fn begin(&mut self, line: Line) {
        self.entries.push(line.entry.clone());
        self.begun = Some(line);
    }

    /// Checks what came before the chain by the hash in its first entry. Before the first change of an event there is
    /// nothing: a file of an older log does not belong to it.
    fn check_start(&mut self, log: &Files) {
        let Some(start) = self.entries.get(self.chain) else {
            return;
        };
        let Some(sum) = start.earlier else {
            if start.number == 1 {
                self.entries.drain(..self.chain);
                self.chain = 0;
            }
            return;
        };
        if sum != earlier::sum(log) {
            let why = "the entries before the present log are not as they were when it began: \
                       a file such as 0001.json was changed, added or removed";
            self.damage.push(At::file("log").fault(why));
        }
    }

    /// The entries of the chain.
    #[must_use]
    pub fn chain(&self) -> &[LogEntry] {
        &self.entries[self.chain..]
    }

    /// The number of the next change, which none before it has had.
    #[must_use]
    pub fn next_number(&self) -> u32 {
        let numbers = self.entries.iter().map(|entry| entry.number);
        let last = numbers.max().unwrap_or(0);
        last.saturating_add(self.unread).saturating_add(1)
    }

    /// The hash of each file after the last entry; `None` if it is not known.
    #[must_use]
    pub fn expected(&self) -> Sums {
        if self.is_chain {
            return sums(self.chain());
        }
        let mut known = Sums::new();
        for (file, state) in self.states().0 {
            match state {
                Some(Some(text)) => known.insert(file, Some(Sum::of(&text))),
                Some(None) => None,
                None => known.insert(file, None),
            };
        }
        known
    }

    /// What a change that was begun has not yet done to these files. A file that is neither as before the change nor as
    /// after it stays as it is.
    #[must_use]
    pub fn unfinished(&self, files: &Files) -> Vec<Changed> {
        let Some(begun) = &self.begun else {
            return Vec::new();
        };
        let before = sums(&self.chain()[..self.chain().len() - 1]);
        let states = self.states();
        let mut changes = Vec::new();
        for FileEntry { file, sum, .. } in &begun.entry.files {
            let now = files.get(file).map(|bytes| Sum::of(bytes));
            if now != *sum && now == before.get(file).copied().unwrap_or_default() {
                changes.push(Changed {
                    file: file.clone(),
                    before: text_of(files, file),
                    after: states.text(file).cloned(),
                });
            }
        }
        changes
    }

    /// Adds a line that was written.
    pub fn push(&mut self, line: Line) {
        if line.prev == Sum::START {
            self.chain = self.entries.len();
            self.whole = 0;
        }
        self.is_chain = true;
        self.head = Some(line.sum);
        self.whole += line.text.len();
        self.entries.push(line.entry);
    }

    /// The last change after which a file had this hash.
    #[must_use]
    pub fn after_which(&self, file: &str, sum: Sum) -> Option<u32> {
        let is_it = |one: &FileEntry| one.file == file && one.sum == Some(sum);
        let mut latest = self.entries.iter().rev();
        let entry = latest.find(|entry| entry.files.iter().any(is_it))?;
        Some(entry.number)
    }

    /// How a change of a file is written: as edits, or whole where they would be longer or there are many already.
    #[must_use]
    pub fn content(&self, change: &Changed) -> FileEntry {
        let (sum, content) = match &change.after {
            None => (None, Content::Gone(true)),
            Some(after) => {
                let edits = self.short_edits(change, after);
                let content = edits.unwrap_or_else(|| Content::whole(after));
                (Some(Sum::of(after)), content)
            }
        };
        FileEntry {
            file: change.file.clone(),
            sum,
            content,
        }
    }

    /// The edits that make a file what it is now, unless they would be longer than it or there are many already.
    fn short_edits(&self, change: &Changed, after: &Text) -> Option<Content> {
        let edits = Content::edits(change.before.as_ref()?, after)?;
        let weight = edits.weight();
        let all = self.edited_since_whole(&change.file) + weight;
        if weight >= after.len() || all >= WHOLE_AFTER * after.len() {
            return None;
        }
        Some(edits)
    }

    /// How many bytes the edits of a file have since it was last written whole.
    fn edited_since_whole(&self, file: &str) -> usize {
        let mut bytes = 0;
        for entry in self.chain().iter().rev() {
            for one in &entry.files {
                if one.file != file {
                    continue;
                }
                if !matches!(one.content, Content::Edits(_)) {
                    return bytes;
                }
                bytes += one.content.weight();
            }
        }
        bytes
    }

    /// Goes through all changes with the files before and after each. These are `None` if they cannot be derived, because
    /// something before them is lost. Returns the files after the last one.
    pub fn replay(&self, mut each: impl FnMut(&LogEntry, Option<&[Changed]>)) -> States {
        let mut states = States::default();
        for entry in &self.entries {
            if entry.earlier.is_some() {
                states.0.clear();
            }
            // All of them first, since each must be taken even if another cannot be derived.
            let taken: Vec<_> = entry.files.iter().map(|one| states.take(one)).collect();
            let changed: Option<Vec<Changed>> = taken.into_iter().collect();
            if entry.earlier.is_some() {
                each(entry, Some(&[]));
            } else {
                each(entry, changed.as_deref());
            }
        }
        states
    }

    /// The files after the last change.
    #[must_use]
    pub fn states(&self) -> States {
        self.replay(|_, _| ())
    }

    /// The files before and after one of the changes.
    #[must_use]
    pub fn changed_by(&self, number: u32) -> Option<Vec<Changed>> {
        let mut found = None;
        self.replay(|entry, changed| {
            if entry.number == number {
                found = changed.map(<[Changed]>::to_vec);
            }
        });
        found
    }
}

/// The hashes of files after these entries.
fn sums(entries: &[LogEntry]) -> Sums {
    let mut sums = Sums::new();
    for entry in entries {
        if entry.earlier.is_some() {
            sums.clear();
        }
        for FileEntry { file, sum, .. } in &entry.files {
            match sum {
                Some(sum) => sums.insert(file.clone(), Some(*sum)),
                None => sums.remove(file),
            };
        }
    }
    sums
}

/// Whether this line begins a new log in place of a damaged one, which was set aside before, or of none.
fn begins_anew(line: &Line, log: &Files) -> bool {
    if line.prev != Sum::START || line.entry.earlier.is_none() {
        return false;
    }
    let Some(present) = log.get(CHANGES) else {
        return true;
    };
    let kept = log.get(&earlier::damaged_file(line.entry.number));
    kept.is_some_and(|kept| kept.starts_with(present))
}

/// Files at some time, as far as they are known.
#[derive(Debug, Default)]
pub struct States(BTreeMap<String, Derived>);

impl States {
    /// The bytes of a file, if they are known.
    #[must_use]
    pub fn text(&self, file: &str) -> Option<&Text> {
        self.0.get(file)?.as_ref()?.as_ref()
    }

    /// Makes a change. Returns the file before and after it, if both are known.
    fn take(&mut self, change: &FileEntry) -> Option<Changed> {
        let before = match (&change.content, self.0.get(&change.file)) {
            (Content::Both(before, _), _) => {
                Some(before.as_ref().map(|text| text.as_bytes().into()))
            }
            (_, Some(state)) => state.clone(),
            (_, None) => Some(None),
        };
        let known = before.as_ref().and_then(Option::as_deref);
        let mut after = change.content.after(known);
        if let (Some(Some(text)), Some(sum)) = (&after, change.sum)
            && Sum::of(text) != sum
        {
            after = None;
        }
        self.0.insert(change.file.clone(), after.clone());
        Some(Changed {
            file: change.file.clone(),
            before: before?,
            after: after?,
        })
    }
}

/// What is wrong where the changes from one number on are expected, and another one stands.
fn gap(missing: u32, number: u32) -> String {
    match number - missing {
        0 => format!("change {number} does not follow from what is before it here"),
        1 => format!("change {missing} is missing before this line"),
        _ => format!(
            "changes {missing} to {} are missing before this line",
            number - 1
        ),
    }
}
