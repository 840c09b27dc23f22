//! Messages about ledgers.

use crate::exit::PartError;
use crate::{show_command::in_a_shell, ui};
use overboard_engines::{
    journal::{JournalError, Reader},
    manifest::Manifest,
    records::RecordError,
};
use overboard_rules::refusal::counted;
use std::{
    io::BufRead,
    path::{Path, PathBuf},
};

/// Why a ledger cannot be read or continued.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {fault}{advice}", path = path.display(), advice = advice(path, .fault))]
pub struct LedgerError {
    path: PathBuf,
    fault: JournalError,
}

impl PartError for LedgerError {}

impl LedgerError {
    /// An error of this ledger.
    pub fn of(path: &Path, fault: JournalError) -> Self {
        Self {
            path: path.to_owned(),
            fault,
        }
    }
}

/// What can be done about a ledger that cannot be used.
fn advice(path: &Path, fault: &JournalError) -> String {
    match fault {
        JournalError::Damaged { line, .. } | JournalError::Unlike { line, .. } if *line > 1 => {
            format!(
                ". The games before it are intact: `head -n {} {} > good.jsonl` keeps them, and `overboard extend good.jsonl` plays the others again",
                line - 1,
                in_a_shell(path)
            )
        }
        JournalError::OutOfOrder { line, .. } if *line > 1 => {
            format!(
                ". A game before it was lost: `head -n {} {} > good.jsonl` keeps those before the gap, and `overboard extend good.jsonl` plays the others again",
                line - 1,
                in_a_shell(path)
            )
        }
        JournalError::OtherOrigin { .. } => {
            ". Start another ledger; `ledger`, `stats` and `merge` still read this one".into()
        }
        JournalError::OldForm(_) => format!(
            ". `overboard extend {}` converts it to the current form and continues it; `ledger`, `stats` and `merge` \
             read it as it is",
            in_a_shell(path)
        ),
        JournalError::NotALedger => {
            ". For game records use `overboard stats` or `overboard convert`".into()
        }
        JournalError::Empty => ". Give the command that started the run again to resume it".into(),
        _ => String::new(),
    }
}

/// Reports what was unusual in a ledger that has been read to its end. Returns whether games are missing before others.
pub fn remark<R: BufRead>(path: &Path, lines: &Reader<R>) -> bool {
    if lines.torn() > 0 {
        warn_of_tear(path);
    }
    if let Some((count, first)) = lines.missing() {
        warn_of_gap(path, count, first);
    }
    old_words(path, lines.old_words());
    lines.missing().is_some()
}

fn warn_of_tear(path: &Path) {
    let path = path.display();
    ui::warn(&format!(
        "{path}: the last line is incomplete and was left out"
    ));
}

fn warn_of_gap(path: &Path, count: u64, first: u64) {
    let are = if count == 1 { "is" } else { "are" };
    ui::warn(&format!(
        "{}: {} {are} missing in the middle, the first is game {first}",
        path.display(),
        counted(count, "game")
    ));
}

/// Reports how many games of a ledger have a word for their end that is no longer written.
pub fn old_words(path: &Path, games: u64) {
    if games > 0 {
        ui::note(&format!(
            "{}: how {} ended is written in words of an older version, `checkmate`, `stalemate` and `rules`, which \
             are read as `mega-mate`, `mega-stalemate` and `mega-moves`",
            path.display(),
            counted(games, "game"),
        ));
    }
}

/// Games of a ledger that do not replay because the laws have changed.
#[derive(Default)]
pub struct UnlikeError {
    games: u64,
    first: Option<JournalError>,
}

impl UnlikeError {
    /// Adds the game of a line that does not replay.
    ///
    /// # Errors
    /// If it was played under the current laws: then the line is wrong.
    pub fn take(
        &mut self,
        path: &Path,
        manifest: &Manifest,
        (line, why): (u64, RecordError),
    ) -> Result<(), LedgerError> {
        let fault = JournalError::Unlike { line, why };
        if manifest.other_laws().is_none() {
            return Err(LedgerError::of(path, fault));
        }
        self.games += 1;
        self.first.get_or_insert(fault);
        Ok(())
    }

    /// Reports how many there were, under which laws they were played, and what was done with them.
    pub fn note(&self, path: &Path, manifest: &Manifest, fate: &str) {
        let (Some(first), Some([then, now])) = (&self.first, manifest.other_laws()) else {
            return;
        };
        ui::note(&format!(
            "{}: {} played under laws {then} of {} would go otherwise under laws {now}, those of today, and {fate}; \
             the first: {first}",
            path.display(),
            counted(self.games, "game"),
            manifest.variant,
        ));
    }
}
