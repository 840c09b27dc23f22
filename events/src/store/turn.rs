//! Undoing changes and redoing them.

use super::{
    Change, Changed, ChangesInForce, Folder, LogEntry, Mode, StoreError, put_text, repair::range,
    text_of,
};
use crate::{Files, event};
use std::collections::BTreeMap;

/// In which direction changes are made once more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Undo,
    Redo,
}

impl Folder {
    /// Undoes the last change that has not been undone, or all changes after a given one: all of them or none. Returns
    /// them, the latest first.
    ///
    /// # Errors
    /// If there is none, or a file was edited by hand since.
    pub fn undo(
        &mut self,
        to: Option<u32>,
        force: bool,
        mode: Mode,
    ) -> Result<Vec<LogEntry>, StoreError> {
        let done = ChangesInForce::of(&self.found.log.entries).done;
        if let Some(number) = to
            && number > 0
            && !done.iter().any(|entry| entry.number == number)
        {
            return Err(StoreError::NoChange(number));
        }
        let latest_first = done.into_iter().rev();
        let later: Vec<LogEntry> = match to {
            Some(number) => latest_first
                .filter(|entry| entry.number > number)
                .cloned()
                .collect(),
            None => latest_first.take(1).cloned().collect(),
        };
        if later.is_empty() {
            return Err(StoreError::NothingToUndo);
        }
        self.turn_all(Turn::Undo, &later, force, mode)?;
        Ok(later)
    }

    /// Makes the change again that was undone last, or all that were undone up to a given one: all of them or none.
    /// Returns them, the first one first.
    ///
    /// # Errors
    /// If there is none, or a file was edited by hand since.
    pub fn redo(
        &mut self,
        to: Option<u32>,
        force: bool,
        mode: Mode,
    ) -> Result<Vec<LogEntry>, StoreError> {
        let undone = ChangesInForce::of(&self.found.log.entries).undone;
        let last = undone.len().checked_sub(1);
        let last = last.ok_or(StoreError::NothingToRedo)?;
        let place = match to {
            Some(number) => undone
                .iter()
                .position(|entry| entry.number == number)
                .ok_or(StoreError::NotUndone(number))?,
            None => last,
        };
        let again = undone.into_iter().skip(place).rev();
        let again: Vec<LogEntry> = again.cloned().collect();
        self.turn_all(Turn::Redo, &again, force, mode)?;
        Ok(again)
    }

    /// Undoes or redoes these changes, which is one change in the log: all of them or none.
    fn turn_all(
        &mut self,
        turn: Turn,
        entries: &[LogEntry],
        force: bool,
        mode: Mode,
    ) -> Result<(), StoreError> {
        let numbers: Vec<u32> = entries.iter().map(|entry| entry.number).collect();
        let files = self.turned(turn, &numbers, force)?;
        let first = numbers.first().copied();
        let (verb, undoes, redoes) = match turn {
            Turn::Undo => ("Undid", first, None),
            Turn::Redo => ("Redid", None, first),
        };
        let what = match entries {
            [one] => format!("{verb} change {}: {}", one.number, one.what),
            _ => format!("{verb} changes {}", in_short(&numbers)),
        };
        let change = Change {
            what: &what,
            undoes,
            redoes,
            also: numbers.into_iter().skip(1).collect(),
            files,
        };
        self.put(change, mode)?;
        Ok(())
    }

    /// The files before and after each of these changes, where they can be derived.
    fn changes_of(&self, numbers: &[u32]) -> BTreeMap<u32, Vec<Changed>> {
        let mut known = BTreeMap::new();
        self.found.log.replay(|entry, changed| {
            if numbers.contains(&entry.number)
                && let Some(changed) = changed
            {
                known.insert(entry.number, changed.to_vec());
            }
        });
        known
    }

    /// What these changes do to the files when they are undone or redone one after the other.
    fn turned(&self, turn: Turn, numbers: &[u32], force: bool) -> Result<Vec<Changed>, StoreError> {
        let mut known = self.changes_of(numbers);
        let mut files = self.found.files.clone();
        let mut all: BTreeMap<String, Changed> = BTreeMap::new();
        for &number in numbers {
            let changed = known.remove(&number);
            let changed = changed.ok_or(StoreError::NotDerivable(number))?;
            for step in turned(turn, changed, &mut files, force)? {
                match all.get_mut(&step.file) {
                    Some(change) => change.after = step.after,
                    None => drop(all.insert(step.file.clone(), step)),
                }
            }
        }
        Ok(all.into_values().collect())
    }
}

/// Reverses changes, or applies them again, starting from these files.
fn turned(
    turn: Turn,
    changes: Vec<Changed>,
    files: &mut Files,
    force: bool,
) -> Result<Vec<Changed>, StoreError> {
    let mut turned = Vec::new();
    for Changed {
        file,
        before,
        after,
    } in changes
    {
        let (from, to) = match turn {
            Turn::Undo => (after, before),
            Turn::Redo => (before, after),
        };
        let now = text_of(files, &file);
        if now != from && !force {
            return Err(StoreError::Edited { file });
        }
        put_text(files, &file, to.as_ref());
        turned.push(Changed {
            file,
            before: now,
            after: to,
        });
    }
    Ok(turned)
}

/// Numbers in ascending order, those that follow each other as `4 to 9`.
fn in_short(numbers: &[u32]) -> String {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    let runs = numbers.chunk_by(|one, next| one.checked_add(1) == Some(*next));
    let shown: Vec<String> = runs
        .filter_map(|run| range(run[0], run[run.len() - 1]))
        .collect();
    shown.join(", ")
}

/// Whether only the spelling of a table differs, as for one that was made elsewhere.
pub fn is_same_table(change: &Changed) -> bool {
    let (Some(before), Some(after)) = (&change.before, &change.after) else {
        return false;
    };
    let files = Files::from([(change.file.clone(), before.to_vec())]);
    let rewritten = || event::rewritten(&change.file, &files);
    change.file.ends_with(".csv") && rewritten().is_some_and(|text| text.as_bytes() == &**after)
}
