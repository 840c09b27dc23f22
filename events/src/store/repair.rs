//! Putting right an event that is not as its log has it, or whose log is damaged; and accepting files as they are.

use super::{
    CHANGES, Changed, Difference, DifferenceKind, Folder, FolderState, LAST, LOG, Mode, StoreError,
    Sum, Text, chain::Line, content::differing, earlier, entry::LogEntry, put_text, text_of, write,
};
use crate::{Files, atomic_files::FileError, event, pairing_basis, settings::Settings};
use overboard_rules::refusal::counted;
use std::{collections::BTreeMap, fs, path::PathBuf};

/// The beginning of the names of what a repair replaced, in the folder of the log. They are not part of it.
const REPLACED: &str = "replaced-";
/// The most lines of a difference that are shown.
const MOST_LINES: usize = 10;

/// What a repair would do.
#[derive(Debug, Default)]
pub struct Repair {
    /// Its steps in words; none if nothing is wrong.
    pub steps: Vec<String>,
    /// The files that it would change.
    pub files: Vec<Changed>,
    log: LogRepair,
}

/// What a repair would do with the log.
#[derive(Debug, Default)]
enum LogRepair {
    /// Nothing: it is whole.
    #[default]
    None,
    /// All its lines are there, and are put in order.
    Lines(Vec<Line>),
    /// Lines are lost: it is set aside, and a new one begins with the files as they are.
    Anew,
}

impl FolderState {
    /// What a repair would do.
    #[must_use]
    pub fn repair(&self) -> Repair {
        let mut repair = Repair::default();
        if self.log.damage.is_empty() {
            repair.restore_files(self);
        } else if let Some(lines) = whole_chain(&self.files, &self.raw) {
            repair.join_lines(self, lines);
        } else {
            repair.begin_anew(self);
        }
        repair
    }

    /// The files as the log has them; where it does not know one, as it is.
    #[must_use]
    pub fn as_logged(&self) -> Files {
        let states = self.log.states();
        let mut files = self.files.clone();
        for difference in self.differences() {
            put_text(&mut files, &difference.file, states.text(&difference.file));
        }
        files
    }

    /// Whether the log fits most of the files; otherwise it may be that of another event.
    fn fits(&self) -> bool {
        let differences = self.differences();
        let is_same = |name: &&String| !differences.iter().any(|one| one.file == **name);
        2 * self.files.keys().filter(is_same).count() > self.files.len()
    }
}

impl Repair {
    /// Restores files by a log that is whole.
    fn restore_files(&mut self, found: &FolderState) {
        if found.log.is_chain && !found.fits() {
            let step = "see first whether this is the log of this event: most files differ from it";
            self.steps.push(step.into());
        }
        let states = found.log.states();
        for Difference { file, kind } in found.differences() {
            let is_old = !found.log.is_chain;
            let to = states.text(&file).cloned();
            match (kind, &to) {
                // Both may be as somebody wanted them.
                (DifferenceKind::Settings, _) => {}
                (kind, _) if is_old && kind != DifferenceKind::Missing => {}
                (_, None) if found.files.contains_key(&file) => {
                    self.change(found, &file, None, "remove", "the log does not have it");
                }
                (_, None) => self.steps.push(format!(
                    "{file} is missing, and the log does not have its text"
                )),
                (_, Some(_)) => self.change(found, &file, to, "restore", "from the log"),
            }
        }
    }

    /// Puts these lines of the log in order.
    fn join_lines(&mut self, found: &FolderState, lines: Vec<Line>) {
        let all = counted(lines.len(), "change");
        let joined = FolderState::of(found.files.clone(), with_lines(&found.raw, &lines));
        self.log = LogRepair::Lines(lines);
        let last = found.raw.get(LAST);
        let is_end_known = last.is_some_and(|last| Line::of_event(last).is_ok());
        let differences = joined.differences();
        let is_free = |one: &Difference| one.kind == DifferenceKind::Settings;
        if is_end_known || differences.iter().all(is_free) {
            let step = format!("put the log together again: {all} are there, none is lost");
            self.steps.push(step);
            self.restore_files(&joined);
            return;
        }
        // Without the copy of the last line the end of the log may be missing, and the files may be newer.
        self.steps.push(format!(
            "put the log together again: {all} are there, and later ones may be lost with log/{LAST}"
        ));
        for Difference { file, kind } in differences {
            match kind {
                DifferenceKind::Settings => {}
                DifferenceKind::Missing => self.steps.push(format!(
                    "leave {file} missing: another `event repair` restores it from the log"
                )),
                _ => self.steps.push(format!(
                    "leave {file} as it is, although it differs: `event accept` then takes it so, \
                     and another `event repair` restores the text of the log"
                )),
            }
        }
    }

    fn change(
        &mut self,
        found: &FolderState,
        file: &str,
        after: Option<Text>,
        verb: &str,
        why: &str,
    ) {
        let kept = if found.files.contains_key(file) {
            "; the present file is kept in the folder log"
        } else {
            ""
        };
        self.steps.push(format!("{verb} {file}: {why}{kept}"));
        self.files.push(Changed {
            file: file.to_owned(),
            before: text_of(&found.files, file),
            after,
        });
    }

    /// Begins a new log, since entries of the present one are lost. A file that differs may have been changed by one of
    /// these, so only what is missing or cannot be read is restored.
    fn begin_anew(&mut self, found: &FolderState) {
        self.log = LogRepair::Anew;
        let number = found.log.next_number();
        self.steps.push(format!(
            "keep the damaged log as log/{}; {}",
            earlier::damaged_file(number),
            readable(&found.log.entries, number)
        ));
        self.steps.push(format!(
            "begin a new log with the files as they are, as change {number}"
        ));
        if found.log.is_whole {
            // Only what came before it is damaged.
            self.restore_files(found);
            return;
        }
        // The readable part may be the log of another event.
        let fits = found.fits();
        let states = found.log.states();
        for Difference { file, kind } in found.differences() {
            let now = found.files.get(&file);
            let is_unusable = now.is_none_or(|bytes| !can_be_read(&file, bytes));
            match states.text(&file) {
                Some(to) if is_unusable && fits => {
                    let why = "the last text of it that can be derived from the log";
                    self.change(found, &file, Some(to.clone()), "restore", why);
                }
                _ if kind == DifferenceKind::Settings => {}
                _ if now.is_none() => self.steps.push(format!(
                    "go on without {file}, which is missing and cannot be derived from the log"
                )),
                _ if is_unusable => self.steps.push(format!(
                    "go on with {file}, which cannot be read nor derived from the log: \
                     put the right file there first"
                )),
                _ => self.steps.push(format!(
                    "take {file} as it is: the last readable change of it left another text, \
                     and a lost one may have changed it"
                )),
            }
        }
    }
}

impl Folder {
    /// Where a repair keeps what it replaces, under a name that is not one of the log.
    fn aside(&self, name: &str) -> PathBuf {
        let number = self.found.log.next_number();
        let name = format!("{REPLACED}{number:04}-{name}");
        self.path.join(LOG).join(name)
    }

    /// Does what [`FolderState::repair`] shows. Returns what it did.
    ///
    /// # Errors
    /// Those of the file system; the repair can then be repeated.
    pub fn repair(&mut self) -> Result<Repair, StoreError> {
        let repair = self.found.repair();
        if repair.steps.is_empty() {
            return Ok(repair);
        }
        let log = self.path.join(LOG);
        fs::create_dir_all(&log).map_err(FileError::on(&log))?;
        for Changed { file, before, .. } in &repair.files {
            if let Some(bytes) = before {
                write(&self.aside(&file.replace('/', "-")), bytes)?;
            }
        }
        self.write_files(&repair.files)?;
        match &repair.log {
            LogRepair::None => {}
            LogRepair::Lines(lines) => {
                if let Some(bytes) = self.found.raw.get(CHANGES) {
                    write(&self.aside(CHANGES), bytes)?;
                }
                let raw = with_lines(&self.found.raw, lines);
                for name in [CHANGES, LAST] {
                    write(&log.join(name), &raw[name])?;
                }
            }
            LogRepair::Anew => {
                let number = self.found.log.next_number();
                let kept = log.join(earlier::damaged_file(number));
                write(&kept, &damaged(&self.found.raw))?;
            }
        }
        self.found = FolderState::read(&self.path)?;
        let steps = repair.steps.join("; ");
        if matches!(repair.log, LogRepair::Anew) {
            self.begin_log(&format!("Repaired: {steps}"))?;
            self.found = FolderState::read(&self.path)?;
            return Ok(repair);
        }
        self.take_up(Mode::Write)?;
        let entry = self.entry(&format!("Repaired: {steps}"), Vec::new());
        self.write_entry(entry, &[])?;
        Ok(repair)
    }

    /// Takes files into the log as they are; returns what is different in them.
    ///
    /// # Errors
    /// If the log is damaged or has a file as it is; and those of the file system.
    pub fn accept(&mut self, files: &[String], mode: Mode) -> Result<Vec<Changed>, StoreError> {
        if !self.found.log.damage.is_empty() {
            return Err(StoreError::Damaged(self.found.log.damage.clone()));
        }
        let differences = self.found.differences();
        let states = self.found.log.states();
        let mut changed = Vec::new();
        for file in files {
            if !differences.iter().any(|one| one.file == *file) {
                return Err(StoreError::NotDifferent(file.clone()));
            }
            changed.push(Changed {
                file: file.clone(),
                before: states.text(file).cloned(),
                after: text_of(&self.found.files, file),
            });
        }
        if mode == Mode::Dry {
            return Ok(changed);
        }
        let what = format!("Accepted {}", files.join(", "));
        if self.found.log.is_chain {
            let content = changed.iter().map(|one| self.found.log.content(one));
            let entry = self.entry(&what, content.collect());
            self.write_entry(entry, &[])?;
        } else {
            self.begin_log(&what)?;
        }
        Ok(changed)
    }
}

/// The lines of a chain from its beginning to the change with the highest number, if all of them can be found.
fn whole_chain(files: &Files, raw: &Files) -> Option<Vec<Line>> {
    let mut lines = BTreeMap::new();
    for name in [CHANGES, LAST] {
        let Some(text) = raw.get(name) else {
            continue;
        };
        for text in text.split_inclusive(|byte| *byte == b'\n') {
            if let Ok(line) = Line::of_event(text) {
                lines.insert(line.sum, line);
            }
        }
    }
    let most = lines.values().map(|line| line.entry.number).max()?;
    // Two histories may have parted: that of this folder is the one which the files follow.
    let mut best = None;
    let mut fewest = usize::MAX;
    for last in lines.values() {
        if last.entry.number != most {
            continue;
        }
        let Some(chain) = chain_to(last.sum, &lines) else {
            continue;
        };
        let found = FolderState::of(files.clone(), with_lines(raw, &chain));
        if !found.log.damage.is_empty() {
            continue;
        }
        let differences = found.differences().len();
        if differences < fewest {
            (best, fewest) = (Some(chain), differences);
        }
    }
    best
}

/// The lines from the beginning of a log to this one; `None` if one is missing.
fn chain_to(last: Sum, lines: &BTreeMap<Sum, Line>) -> Option<Vec<Line>> {
    let mut at = last;
    let mut chain = Vec::new();
    while at != Sum::START {
        let line = lines.get(&at)?;
        at = line.prev;
        chain.push(line.clone());
    }
    chain.reverse();
    Some(chain)
}

/// The files of a log with these lines.
fn with_lines(raw: &Files, lines: &[Line]) -> Files {
    let mut raw = raw.clone();
    let text: String = lines.iter().map(|line| line.text.as_str()).collect();
    raw.insert(CHANGES.into(), text.into_bytes());
    if let Some(last) = lines.last() {
        raw.insert(LAST.into(), last.text.clone().into_bytes());
    }
    raw
}

/// What is kept of a damaged log: its lines, and the copy of the last one if it is not among them.
fn damaged(raw: &Files) -> Vec<u8> {
    let mut bytes = raw.get(CHANGES).cloned().unwrap_or_default();
    if let Some(last) = raw.get(LAST)
        && !bytes.ends_with(last)
    {
        if !bytes.is_empty() && !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(last);
    }
    bytes
}

/// Which changes before this one can be read: `changes 1 to 4, 6 can be read, 5 is lost`.
fn readable(entries: &[LogEntry], next: u32) -> String {
    let mut there: Vec<u32> = entries.iter().map(|entry| entry.number).collect();
    there.sort_unstable();
    there.dedup();
    let (mut readable, mut lost) = (Vec::new(), Vec::new());
    let mut from = 1;
    for run in there.chunk_by(|one, next| one.checked_add(1) == Some(*next)) {
        let (first, last) = (run[0], run[run.len() - 1]);
        lost.extend(range(from, first.saturating_sub(1)));
        readable.extend(range(first, last));
        from = last.saturating_add(1);
    }
    lost.extend(range(from, next.saturating_sub(1)));
    match (&readable.join(", ")[..], &lost.join(", ")[..]) {
        ("", _) => "no change in it can be read".into(),
        (there, "") => format!("changes {there} can be read"),
        (there, lost) => format!("of its changes {there} can be read; lost: {lost}"),
    }
}

/// Numbers in short, `1 to 4`; `None` if there are none.
pub fn range(first: u32, last: u32) -> Option<String> {
    match last.checked_sub(first)? {
        0 => Some(first.to_string()),
        _ => Some(format!("{first} to {last}")),
    }
}

fn can_be_read(file: &str, bytes: &[u8]) -> bool {
    if file == crate::settings::FILE {
        return Settings::of_bytes(bytes).is_ok();
    }
    if pairing_basis::is_file(file) {
        return pairing_basis::can_be_read(bytes);
    }
    let files = Files::from([(file.to_owned(), bytes.to_vec())]);
    event::rewritten(file, &files).is_some()
}

/// What is different in a file, line by line: those that are gone with `-`, those that are new with `+`.
#[must_use]
pub fn difference_of(change: &Changed) -> Vec<String> {
    let text = |text: &Option<Text>| {
        String::from_utf8_lossy(text.as_deref().unwrap_or_default()).into_owned()
    };
    let (before, after) = (text(&change.before), text(&change.after));
    let old: Vec<&str> = before.lines().collect();
    let new: Vec<&str> = after.lines().collect();
    let (_, gone, added) = differing(&old, &new);
    let mut shown: Vec<String> = Vec::new();
    if change.before.is_none() {
        shown.push("a new file".into());
    } else if change.after.is_none() {
        shown.push("the file is gone".into());
    }
    shown.extend(gone.iter().map(|line| format!("- {line}")));
    shown.extend(added.iter().map(|line| format!("+ {line}")));
    if shown.is_empty() {
        shown.push("only the ends of lines differ".into());
    }
    if shown.len() > MOST_LINES {
        let more = shown.len() - MOST_LINES;
        shown.truncate(MOST_LINES);
        shown.push(format!("… and {}", counted(more, "more line")));
    }
    shown
}
