//! Score-sheets among the games of files, which are judged together if they belong together.

use crate::games::{is_stream, open, restore};
use memchr::memmem;
use overboard_formats::{encoding::decode, limits::Limits, parse::Parser, span::TextSpan};
use overboard_referee::{
    Options,
    finding::Finding,
    report::Report,
    sheets::{Gathered, SheetBundle},
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

/// Opens a file to show one of its games: the text, and the number of the game there. A sheet that `check` judges together
/// with others of its file is shown within the record that they make; that of a sub-game stands for itself unless
/// something is asked for that only the record has.
///
/// # Errors
/// Those of the file.
pub fn open_game(
    path: &Path,
    game: u64,
    limits: Limits,
    is_of_the_whole: bool,
) -> io::Result<(Box<dyn Read + Send>, u64)> {
    if !is_stream(path) && may_hold_sheets(path) {
        let mut bundle = SheetBundle::new(limits);
        let mut parser = Parser::new(open(path)?, 0, limits);
        let mut number = 0;
        // One that cannot be read is judged alone.
        while bundle.read(&mut parser, number)?.is_some() {
            number += 1;
        }
        let sheet = usize::try_from(game - 1).ok();
        if let Some(judged) = sheet.and_then(|sheet| bundle.judged_in(sheet))
            && (is_of_the_whole || !judged.is_of_a_sub_game)
        {
            return Ok((Box::new(io::Cursor::new(judged.text)), 1));
        }
    }
    Ok((open(path)?, game))
}

/// Games that wait until everything has been read, from the first one on that may be a sheet.
pub struct Held {
    reports: Vec<Report>,
    bundle: SheetBundle,
}

impl Held {
    /// No games yet.
    pub fn new(limits: Limits) -> Self {
        Self { reports: Vec::new(), bundle: SheetBundle::new(limits) }
    }

    /// Adds the next game.
    ///
    /// # Errors
    /// Those of `hand`.
    pub fn take(
        &mut self,
        report: Report,
        sheet: Option<Gathered>,
        hand: &mut impl FnMut(Report) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.reports.is_empty() && sheet.is_none() {
            return hand(report);
        }
        if let Some(sheet) = sheet {
            self.bundle.add_gathered(sheet, self.reports.len());
        }
        self.reports.push(report);
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
        let Self { mut reports, bundle } = self;
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
