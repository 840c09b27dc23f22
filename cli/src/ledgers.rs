//! What is said of a ledger beside what was asked for.

use crate::{exit::Failure, ui};
use overboard_engines::{journal::Reader, manifest::Manifest, records::Unwritable};
use std::{io::BufRead, path::Path};

/// Says what was odd in a ledger that has been read to its end.
pub fn remark<R: BufRead>(path: &Path, lines: &Reader<R>) {
    if lines.torn() > 0 {
        ui::warn(&format!("{}: the last line is torn and was left out", path.display()));
    }
    old_words(path, lines.old_words());
}

/// Says in how many games of a ledger the end has a word that is no longer written.
pub fn old_words(path: &Path, games: u64) {
    if games > 0 {
        ui::note(&format!(
            "{}: how {} ended is written in words of an older version, `checkmate`, `stalemate` and `rules`, which \
             are read as `mega-mate`, `mega-stalemate` and `mega-moves`",
            path.display(),
            counted(games),
        ));
    }
}

fn counted(games: u64) -> String {
    format!("{games} game{}", if games == 1 { "" } else { "s" })
}

/// Games of a ledger that do not replay as they were played, since the laws have changed.
#[derive(Default)]
pub struct Unlike {
    games: u64,
    first: Option<Unwritable>,
}

impl Unlike {
    /// Takes a game that does not replay.
    ///
    /// # Errors
    /// When it was played under the laws of today: then it is no game.
    pub fn take(&mut self, path: &Path, manifest: &Manifest, why: Unwritable) -> Result<(), Failure> {
        if manifest.other_laws().is_none() {
            return Err(Failure::Unwritable { path: path.to_owned(), why });
        }
        self.games += 1;
        self.first.get_or_insert(why);
        Ok(())
    }

    /// Says how many there were, under which laws they were played, and what has become of them.
    pub fn note(&self, path: &Path, manifest: &Manifest, fate: &str) {
        let (Some(first), Some([then, now])) = (&self.first, manifest.other_laws()) else { return };
        ui::note(&format!(
            "{}: {} played under laws {then} of {} would go otherwise under laws {now}, those of today, and {fate}; \
             the first: {first}",
            path.display(),
            counted(self.games),
            manifest.variant,
        ));
    }
}
