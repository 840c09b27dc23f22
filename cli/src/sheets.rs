//! Score-sheets among the games of files, which are judged together if they belong together.

use crate::games::{is_stream, restore};
use memchr::memmem;
use overboard_formats::{
    encoding::decode,
    parse::{Event, Parser},
    record::Record,
    span::TextSpan,
};
use overboard_referee::{
    AnyReferee, Options, finding::Finding, report::Report, sheets::SheetBundle, witness::Witness,
};
use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// A line that only a sheet has.
const MARK: &[u8] = b"[Parent \"";

/// How many bytes of a line before a finding are examined for its column.
const LINE: u64 = 64 << 10;

/// Whether a file may contain sheets; assumed if it can be read only once.
pub fn may_hold_sheets(path: &Path) -> bool {
    if is_stream(path) {
        return true;
    }
    let Ok(mut file) = File::open(path) else { return false };
    let finder = memmem::Finder::new(MARK);
    let mut block = vec![0; 1 << 20];
    let mut kept = 0;
    loop {
        // A file that cannot be read is reported when it is judged.
        let Ok(read) = file.read(&mut block[kept..]) else { return false };
        let filled = kept + read;
        if finder.find(&block[..filled]).is_some() {
            return true;
        }
        if read == 0 {
            return false;
        }
        // The mark may be cut by the end of the block.
        kept = filled.min(MARK.len() - 1);
        block.copy_within(filled - kept..filled, 0);
    }
}

/// Keeps the records that are sheets, or to which sheets may belong.
#[derive(Clone, Default)]
pub struct Gatherer {
    record: Record,
    /// Whether the current record is one of them, once its tags have been read.
    wanted: Option<bool>,
}

impl Witness for Gatherer {
    type Account = Option<Box<Record>>;

    fn hear(&mut self, event: Event, referee: &AnyReferee, parser: &Parser<'_>) {
        if self.wanted.is_none() && referee.has_begun() {
            let game = referee.game().map(overboard_games::registry::Variant::info);
            let is_outermost = self.record.tag("GameId").is_some()
                && game.is_some_and(|info| info.has_boards || info.has_roles);
            self.wanted = Some(is_outermost || self.record.tag("Parent").is_some());
        }
        if self.wanted != Some(false) {
            self.record.hear(event, parser);
        }
    }

    fn account(&mut self, _: &Report, _: &AnyReferee) -> Self::Account {
        let record = std::mem::take(&mut self.record);
        (self.wanted.take() == Some(true)).then(|| Box::new(record))
    }

    fn bytes(account: &Self::Account) -> usize {
        account.as_ref().map_or(0, |record| size_of_val(record.placed()))
    }

    fn move_down(account: &mut Self::Account, lines: u64) {
        if let Some(record) = account {
            record.move_down(lines);
        }
    }
}

/// Games that wait until everything has been read, from the first one on that may be a sheet.
#[derive(Default)]
pub struct Held {
    games: Vec<(Report, Option<Box<Record>>)>,
}

impl Held {
    /// Adds the next game.
    ///
    /// # Errors
    /// Those of `hand`.
    pub fn take(
        &mut self,
        report: Report,
        record: Option<Box<Record>>,
        hand: &mut impl FnMut(Report) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.games.is_empty() && record.is_none() {
            return hand(report);
        }
        self.games.push((report, record));
        Ok(())
    }

    /// Judges together what belongs together, and passes everything on.
    ///
    /// # Errors
    /// Those of `hand`.
    pub fn judge(
        self,
        files: &[PathBuf],
        options: &Options,
        hand: &mut impl FnMut(Report) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut bundle = SheetBundle::new(options.limits);
        let mut reports = Vec::with_capacity(self.games.len());
        for (at, (report, record)) in self.games.into_iter().enumerate() {
            // A record that cannot be read has been reported.
            let _unread = record.map(|record| bundle.add(&record, at));
            reports.push(report);
        }
        bundle.judge(options, &mut reports);
        let named: HashMap<_, _> = files.iter().map(|path| (path.display().to_string(), path)).collect();
        for mut report in reports {
            if let Some(path) = named.get(report.file.as_it_came()) {
                let without_line = report.findings.iter_mut().filter(|finding| finding.excerpt.is_none());
                without_line.for_each(|finding| complete(finding, path, !options.no_excerpts));
            }
            hand(report)?;
        }
        Ok(())
    }
}

/// Gives a finding its line of the file, and its column in characters.
fn complete(finding: &mut Finding, path: &Path, excerpts: bool) {
    restore(finding, path, excerpts);
    let before = finding.place.span.from.saturating_sub(finding.place.line_start);
    if before < LINE
        && !is_stream(path)
        && let Ok(text) = line_before(path, finding.place, before)
    {
        finding.column = decode(&text).0.chars().count() as u64 + 1;
    }
}

fn line_before(path: &Path, place: TextSpan, bytes: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(place.line_start))?;
    let mut text = Vec::new();
    file.take(bytes).read_to_end(&mut text)?;
    Ok(text)
}
