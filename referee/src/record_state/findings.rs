//! The findings of a record, in the order in which they were found.

use crate::finding::{self as code, Code, Finding, Severity};
use std::collections::HashMap;

/// The most findings of one code listed for one game; further ones are only counted.
const LISTED: u32 = 1000;

/// What was found so far in a record.
#[derive(Default)]
pub struct Findings {
    list: Vec<Finding>,
    /// How often each code was found.
    found: HashMap<&'static str, u32>,
    /// Notes that were only counted, because the options say so.
    notes_counted: u32,
}

impl Findings {
    /// Whether another finding of a code is to be listed; counts it.
    pub(super) fn count(&mut self, code: &'static Code) -> bool {
        let found = self.found.entry(code.id).or_insert(0);
        *found += 1;
        *found <= LISTED
    }

    /// Counts a note that will not be shown.
    pub(super) const fn count_note(&mut self) {
        self.notes_counted += 1;
    }

    /// Adds a finding.
    pub(super) fn add(&mut self, finding: Finding) -> Option<&mut Finding> {
        self.list.push(finding);
        self.list.last_mut()
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Those found so far.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.list.iter()
    }

    /// Those found after the first `known`.
    pub fn after(&mut self, known: usize) -> impl Iterator<Item = &mut Finding> {
        self.list.iter_mut().skip(known)
    }

    /// The finding with this index.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Finding> {
        self.list.get_mut(index)
    }

    /// The last one.
    #[must_use]
    pub fn last(&self) -> Option<&Finding> {
        self.list.last()
    }

    /// Whether one of them is an error.
    #[must_use]
    pub fn has_error(&self) -> bool {
        self.list
            .iter()
            .any(|finding| finding.severity == Severity::Error)
    }

    /// Drops those that are not wanted.
    pub fn retain(&mut self, wanted: impl FnMut(&Finding) -> bool) {
        self.list.retain(wanted);
    }

    /// Adds the number of findings of each code that were only counted.
    pub fn note_overflow(&mut self) {
        let mut over: Vec<_> = self
            .found
            .iter()
            .filter(|(_, count)| **count > LISTED)
            .map(|(id, count)| (*id, *count - LISTED))
            .collect();
        over.sort_unstable();
        for (id, count) in over {
            let of_code = |finding: &&Finding| finding.code.id == id;
            let Some(last) = self.list.iter().rfind(of_code).cloned() else {
                continue;
            };
            let message = format!("{count} more findings of the kind {id} in this game");
            self.list.push(Finding {
                code: &code::MORE,
                severity: last.severity,
                message: message.into(),
                counted: Some((last.code, count)),
                ..last
            });
        }
    }

    /// Takes all of them out, and the number of notes that were only counted.
    pub fn take(&mut self) -> (Vec<Finding>, u32) {
        (
            std::mem::take(&mut self.list),
            std::mem::take(&mut self.notes_counted),
        )
    }

    /// Forgets those of the last record, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.found.clear();
    }
}
