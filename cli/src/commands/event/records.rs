//! Records that organisers hand in: each is judged, and either belongs to a game of the event or is reported.

use crate::{
    exit::{CliError, Exit},
    games::{Judge, unread},
    input_copies::Sources,
    options::without_findings,
    ui,
};
use indicatif::ProgressBar;
use overboard_formats::foreign::visible;
use overboard_games::referee::witness::Witness;
use overboard_referee::{Options, report::Report};
use std::{io, path::PathBuf};

/// The options under which these records are judged.
pub fn options() -> Options {
    without_findings(Options::default())
}

/// The same for records of games that are still going on.
pub fn so_far() -> Options {
    let mut options = options();
    options.limits.so_far = true;
    options
}

/// A record that was judged.
pub struct Judged<A> {
    pub report: Report,
    /// What the witness returned for it.
    pub account: A,
    /// The file from which it can be read again.
    pub path: PathBuf,
    /// Its file and its number in it, for messages.
    pub place: String,
}

/// Judges records and passes each to `take`. If `take` returns a reason for not using a record, that is printed, and
/// changes the exit code.
///
/// # Errors
/// Those of `take`.
pub fn each<W: Witness<Account: Send> + Clone + Sync>(
    sources: &Sources,
    options: Options,
    witness: &W,
    mut take: impl FnMut(Judged<W::Account>) -> io::Result<Result<(), String>>,
) -> Result<Exit, CliError> {
    let mut exit = Exit::Clean;
    let judge = Judge::new(options, None, ProgressBar::hidden())?;
    let empty = judge.run_before(&sources.files, witness, |mut report, account| {
        let path = sources.name(&mut report);
        let file = report.file.shown();
        let (place, unusable) = match report.game {
            0 => (file.into_owned(), Exit::Unusable),
            game => (format!("{file}: game {game}"), Exit::Findings),
        };
        let taken = match account {
            Some(account) => take(Judged {
                report,
                account,
                path,
                place: place.clone(),
            })?,
            None => Err(unread(&report).to_owned()),
        };
        if let Err(why) = taken {
            exit = exit.max(unusable);
            ui::complain_at_length(&visible(&format!("{place}: not used: {why}")));
        }
        Ok(())
    })?;
    for path in empty {
        ui::warn_of_no_game(&sources.shown(path));
    }
    Ok(exit)
}
