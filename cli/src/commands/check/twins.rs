//! Games that are in the files twice.

use overboard_formats::foreign::Foreign;
use overboard_referee::{
    finding::{self as code, Finding, Severity, Verdict, Weights},
    report::Report,
};
use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

/// The most games that are kept, so that memory is bounded: some 200 MB.
const MOST: usize = 4_000_000;

/// The games of a run so far, by their identities.
#[derive(Default)]
pub struct Twins {
    /// For each identity the file, by its index, and the number of the game in it.
    games: HashMap<u64, (u32, u64)>,
    files: Vec<Foreign<Arc<str>>>,
}

impl Twins {
    /// Adds a finding if the game has come before.
    pub fn compare(&mut self, report: &mut Report, weights: &Weights) {
        let Some(identity) = report.identity else {
            return;
        };
        if self.files.last() != Some(&report.file) {
            self.files.push(report.file.clone());
        }
        let is_full = self.games.len() >= MOST;
        let file = self.files.len() as u32 - 1;
        let (file, game) = match self.games.entry(identity.hash) {
            Entry::Occupied(first) => *first.get(),
            Entry::Vacant(_) if is_full => return,
            Entry::Vacant(new) => {
                new.insert((file, report.game));
                return;
            }
        };
        let Some(severity) = weights.of(&code::SAME_GAME) else {
            return;
        };
        let file = &self.files[file as usize];
        let of = if *file == report.file {
            String::new()
        } else {
            format!(" of {}", file.shown())
        };
        let message = format!("this is game {game}{of} once more");
        report.findings.push(Finding {
            column: 1,
            ..Finding::new(&code::SAME_GAME, severity, identity.place, message)
        });
        if severity == Severity::Error {
            report.verdict = report.verdict.max(Verdict::Infraction);
        }
    }
}
