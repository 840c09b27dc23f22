//! The file of a record: written whole, and never over what somebody else has put there.

use super::{BEAT, DeskError, Edited, Keeper, OnEdit, SHARE, atomic_files, bytes_of};
use crate::{journal::What, state::State};
use overboard_events::{atomic_files::FileError, store::Sum};
use overboard_formats::encoding::decode;
use std::{path::PathBuf, time::Instant};

/// Why the file was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Somebody else has changed it.
    #[error(transparent)]
    Edited(#[from] Edited),
    /// The system reported an error.
    #[error(transparent)]
    File(#[from] FileError),
}

impl From<WriteError> for super::ActError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Edited(edited) => edited.into(),
            WriteError::File(error) => error.into(),
        }
    }
}

impl Keeper {
    /// Writes the file, if the journal is ahead of it.
    ///
    /// # Errors
    /// That somebody else has changed it, or those of the file system. The journal has everything.
    pub fn save(&mut self) -> Result<(), WriteError> {
        if !self.is_behind {
            return Ok(());
        }
        let begun = Instant::now();
        let text = self.text();
        self.compare(&text)?;
        let written = atomic_files::replace(&self.path, |file| file.write_all(text.as_bytes()));
        written.map_err(FileError::on(&self.path))?;
        self.wrote = Some(Sum::of(text.as_bytes()));
        self.is_behind = false;
        self.last_write = Some((Instant::now(), begun.elapsed()));
        Ok(())
    }

    /// Whether so little time has gone into writing that the file may be written again.
    pub(super) fn may_write(&self) -> bool {
        self.last_write
            .is_none_or(|(at, took)| at.elapsed() >= took * SHARE)
    }

    /// Writes the file once it may be written again after the last act.
    pub(super) fn catch_up(&mut self) {
        if !self.is_behind || !self.may_write() {
            return;
        }
        if self.save().is_err() {
            // The next act says why. Until then it is tried now and then.
            self.last_write = Some((Instant::now(), BEAT));
        }
    }

    /// The record in canonical form.
    #[must_use]
    pub fn text(&self) -> String {
        self.state.text(None).unwrap_or_default()
    }

    /// Compares the file with what was written last, and with what would be written now.
    fn compare(&self, text: &str) -> Result<(), WriteError> {
        let Some(bytes) = bytes_of(&self.path)? else {
            return Ok(());
        };
        let sum = Sum::of(&bytes);
        if self.wrote == Some(sum) || bytes == text.as_bytes() {
            return Ok(());
        }
        Err(self.edited(&decode(&bytes).0, text).into())
    }

    fn edited(&self, theirs: &str, ours: &str) -> Edited {
        let mut lines = (1..).zip(theirs.lines().map(Some).chain([None]));
        let mut own = ours.lines().map(Some).chain([None]);
        let differs = lines.find_map(|(number, line)| {
            let here = own.next().flatten();
            (line != here).then_some((number, line, here))
        });
        let (line, theirs, ours) = differs.unwrap_or((1, None, None));
        let shown = |line: Option<&str>| {
            let line = line.unwrap_or_default();
            line.chars().take(80).collect::<String>()
        };
        Edited {
            path: self.path.clone(),
            line,
            theirs: shown(theirs),
            ours: shown(ours),
        }
    }

    /// Decides whose text counts, if somebody else has changed the file.
    ///
    /// # Errors
    /// That it was changed, if nobody's text is to count; that the file's text cannot be gone on with.
    pub fn settle_edit(&mut self, on_edit: OnEdit) -> Result<(), DeskError> {
        match (self.compare(&self.text()), on_edit) {
            (Ok(()), _) => Ok(()),
            (Err(WriteError::Edited(_)), OnEdit::Keep) => self.keep_own(),
            (Err(WriteError::Edited(_)), OnEdit::Take) => self.take_theirs(),
            (Err(error), _) => Err(error.into()),
        }
    }

    /// Keeps the desk's text: that of the file goes beside it under a name that is free.
    fn keep_own(&mut self) -> Result<(), DeskError> {
        let Some(theirs) = bytes_of(&self.path)? else {
            return Ok(());
        };
        let beside = self.free_name();
        let copied = atomic_files::create(&beside, |file| file.write_all(&theirs));
        copied.map_err(FileError::on(&beside))?;
        self.wrote = Some(Sum::of(&theirs));
        self.is_behind = true;
        Ok(self.save()?)
    }

    fn free_name(&self) -> PathBuf {
        let name = |number: u32| self.path.with_added_extension(format!("edited{number}"));
        let mut number = 1;
        while name(number).exists() {
            number += 1;
        }
        name(number)
    }

    /// Goes on from the text of the file.
    fn take_theirs(&mut self) -> Result<(), DeskError> {
        let theirs = bytes_of(&self.path)?.unwrap_or_default();
        let text = decode(&theirs).0.into_owned();
        let state = State::of(&text).map_err(|why| DeskError::Record {
            path: self.path.clone(),
            why,
        })?;
        self.wrote = Some(Sum::of(&theirs));
        self.journal.add(What::Begin(text.clone()), self.wrote)?;
        self.state = state;
        self.people.take();
        self.base = text;
        self.acts.clear();
        // What was refused was refused in the text that is given up.
        self.pending = None;
        self.is_behind = true;
        Ok(self.save()?)
    }
}
