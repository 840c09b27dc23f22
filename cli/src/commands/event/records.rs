//! Records that organisers hand in: each is judged, and belongs to a game of the event or is named.

use crate::{
    exit::{CliError, Exit},
    games::{Judge, unread},
    spool::Sources,
    ui,
};
use indicatif::ProgressBar;
use overboard_pictures::foreign::visible;
use overboard_referee::{Options, report::Report, witness::Witness};
use std::{io, path::PathBuf};

/// The options under which these records are judged.
pub fn options() -> Options {
    Options { count_notes: true, no_excerpts: true, ..Options::default() }
}

/// A record that was judged.
pub struct Judged<A> {
    pub report: Report,
    /// What the witness says of it.
    pub account: A,
    /// The file that it can be read from again.
    pub path: PathBuf,
    /// Its file and its number there, for people.
    pub place: String,
}

/// Judges records and hands over each. The reason why `take` does not use one is said, and makes the exit code one of
/// findings.
///
/// # Errors
/// Those of `take`.
pub fn each<W: Witness<Account: Send> + Clone + Sync>(
    sources: &Sources,
    witness: &W,
    mut take: impl FnMut(Judged<W::Account>) -> io::Result<Result<(), String>>,
) -> Result<Exit, CliError> {
    let mut exit = Exit::Clean;
    let judge = Judge::new(options(), None, ProgressBar::hidden())?;
    let empty = judge.run_before(&sources.files, witness, |mut report, account| {
        let path = sources.name(&mut report);
        let file = report.file.shown();
        let place =
            if report.game == 0 { file.into_owned() } else { format!("{file}: game {}", report.game) };
        let unusable = if report.game == 0 { Exit::Unusable } else { Exit::Findings };
        let taken = match account {
            Some(account) => take(Judged { report, account, path, place: place.clone() })?,
            None => Err(unread(&report).to_owned()),
        };
        if let Err(why) = taken {
            exit = exit.max(unusable);
            ui::complain_at_length(&visible(&format!("{place}: not used: {why}")));
        }
        Ok(())
    })?;
    for path in empty {
        ui::warn(&format!("{}: no game in this file", sources.shown(path)));
    }
    Ok(exit)
}
