//! What is in the folder of an event, and how it differs from its log.

use super::{
    StoreError, Sum,
    content::put_text,
    disk::{check_links, read_files, read_log},
    earlier::{self, PENDING},
    log::Log,
};
use crate::{
    Files,
    checks::Review,
    csv::{At, CsvError},
    settings::{self, Settings},
};
use std::{collections::BTreeSet, path::Path};

/// The contents of the folder of an event.
#[derive(Debug, Default)]
pub struct FolderState {
    /// The files of the event.
    pub files: Files,
    /// The files of the log.
    pub raw: Files,
    /// The log.
    pub log: Log,
}

/// A file that is not as the log has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The file.
    pub file: String,
    /// What is different.
    pub kind: DifferenceKind,
}

/// How a file differs from the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DifferenceKind {
    /// There is no such file.
    Missing,
    /// It is as it was after this change.
    Older(u32),
    /// It has another text.
    Changed,
    /// The log does not have such a file.
    Unknown,
    /// The settings have another text, which can be read: these are edited by hand.
    Settings,
}

impl Difference {
    /// The difference as an error or a note.
    #[must_use]
    pub fn fault(&self) -> CsvError {
        let why = match self.kind {
            DifferenceKind::Missing => "this file is missing; the log has it".to_owned(),
            DifferenceKind::Older(number) => {
                format!("this file is as it was after change {number}; the log has a later one")
            }
            DifferenceKind::Changed => {
                "this file is not as the log has it: it was edited by hand, or is damaged".into()
            }
            DifferenceKind::Unknown => "the log does not have this file".into(),
            DifferenceKind::Settings => {
                "edited by hand; the next command takes this up as a change".into()
            }
        };
        At::file(&self.file).fault(why)
    }
}

impl FolderState {
    /// Reads a folder, which is locked.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        check_links(path)?;
        Ok(Self::of(read_files(path)?, read_log(path)?))
    }

    /// These contents.
    #[must_use]
    pub fn of(files: Files, raw: Files) -> Self {
        let log = Log::read(&raw);
        Self { files, raw, log }
    }

    /// The same, with a change that was begun made.
    ///
    /// # Errors
    /// If the change is not one of an event.
    pub fn settled(mut self) -> Result<Self, StoreError> {
        if let Some(entry) = self.pending()? {
            let mut raw = self.raw;
            if let Some(bytes) = raw.remove(PENDING) {
                raw.insert(earlier::old_file(entry.number), bytes);
            }
            self.log = Log::read(&raw);
            self.raw = raw;
            for change in self.log.changed_by(entry.number).unwrap_or_default() {
                put_text(&mut self.files, &change.file, change.after.as_ref());
            }
        }
        for change in self.log.unfinished(&self.files) {
            put_text(&mut self.files, &change.file, change.after.as_ref());
        }
        Ok(self)
    }

    /// The change that an older version had begun.
    pub fn pending(&self) -> Result<Option<super::LogEntry>, StoreError> {
        if self.log.is_chain {
            return Ok(None);
        }
        let Some(bytes) = self.raw.get(PENDING) else {
            return Ok(None);
        };
        let bad = |why: earlier::OldEntryError| StoreError::BadLog {
            file: format!("log/{PENDING}"),
            why: why.to_string(),
        };
        earlier::old_entry(bytes).map(Some).map_err(bad)
    }

    /// The files that are not as the log has them.
    #[must_use]
    pub fn differences(&self) -> Vec<Difference> {
        // Without any log there is nothing to hold them against.
        if self.log.entries.is_empty() {
            return Vec::new();
        }
        let expected = self.log.expected();
        let names: BTreeSet<_> = expected.keys().chain(self.files.keys()).collect();
        let mut differences = Vec::new();
        for file in names {
            let kind = match (expected.get(file), self.files.get(file)) {
                (Some(None), Some(_)) | (None, None) => continue,
                (Some(_), None) => DifferenceKind::Missing,
                (None, Some(_)) => DifferenceKind::Unknown,
                (Some(Some(sum)), Some(bytes)) => {
                    let now = Sum::of(bytes);
                    if now == *sum {
                        continue;
                    }
                    match self.log.after_which(file, now) {
                        _ if file == settings::FILE && Settings::of_bytes(bytes).is_ok() => {
                            DifferenceKind::Settings
                        }
                        Some(number) => DifferenceKind::Older(number),
                        None => DifferenceKind::Changed,
                    }
                }
            };
            differences.push(Difference {
                file: file.clone(),
                kind,
            });
        }
        differences
    }

    /// Whether nothing may be written as long as a file differs in this way. Files beside the logs of older versions
    /// could all be edited by hand, but none could be missing.
    fn stops(&self, difference: &Difference) -> bool {
        match difference.kind {
            DifferenceKind::Settings => false,
            DifferenceKind::Missing => true,
            _ => self.log.is_chain,
        }
    }

    /// What is wrong with the log and with files that are not as it has them; and what is worth knowing.
    #[must_use]
    pub fn look(&self) -> Review {
        let mut faults = self.log.damage.clone();
        let mut notes = self.log.lost.clone();
        let (stopping, other): (Vec<_>, Vec<_>) = self
            .differences()
            .into_iter()
            .partition(|difference| self.stops(difference));
        for difference in &stopping {
            // What is wrong with settings that cannot be read is reported by whoever reads the event.
            if self.unreadable(difference).is_some() {
                continue;
            }
            if self.may_be_right(difference) {
                let why =
                    "what can be read of the log left another text; a lost change may explain that";
                notes.push(At::file(&difference.file).fault(why));
            } else {
                faults.push(difference.fault());
            }
        }
        notes.extend(other.iter().map(Difference::fault));
        if self.log.entries.is_empty() && !self.files.is_empty() {
            let why = "this event has no log, so nothing shows whether its files are complete; \
                       the next change begins one";
            notes.push(At::file("log").fault(why));
        }
        Review { faults, notes }
    }

    /// Whether a file may be as a change left it that is lost from the log.
    fn may_be_right(&self, difference: &Difference) -> bool {
        let is_there = difference.kind != DifferenceKind::Missing;
        is_there && self.log.is_chain && !self.log.is_whole
    }

    /// What is wrong with the settings, if they are the file that differs, and cannot be read.
    fn unreadable(&self, difference: &Difference) -> Option<CsvError> {
        let is_edited = difference.kind == DifferenceKind::Changed;
        let bytes = self.files.get(&difference.file)?;
        if difference.file == settings::FILE && is_edited {
            Settings::of_bytes(bytes).err()
        } else {
            None
        }
    }

    /// Checks that the event may be changed.
    ///
    /// # Errors
    /// What is wrong with the log, or which files are not as it has them.
    pub fn check(&self) -> Result<(), StoreError> {
        if !self.log.damage.is_empty() {
            return Err(StoreError::Damaged(self.log.damage.clone()));
        }
        let mut differences = self.differences();
        differences.retain(|difference| self.stops(difference));
        // Settings may be edited by hand: what is wrong with the edit is what helps.
        if let [only] = &differences[..]
            && let Some(fault) = self.unreadable(only)
        {
            return Err(StoreError::Faults(vec![fault]));
        }
        match &differences[..] {
            [] => Ok(()),
            [first, ..] => Err(StoreError::Differs {
                file: first.file.clone(),
                faults: differences.iter().map(Difference::fault).collect(),
            }),
        }
    }
}
