//! Score-sheets among the games of files, which are judged together if they belong together.

use crate::{
    bounded::bytes_at,
    exit::CliError,
    games::{is_stream, open_input, restore},
    input_copies::{copying, failed},
    ui,
};
use memchr::memmem;
use overboard_formats::{encoding::decode, limits::Limits, parse::Parser, span::TextSpan};
use overboard_referee::{Options, finding::Finding, report::Report};
use overboard_sheets::{Gathered, Gatherer, JudgedIn, SheetBundle};
use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

/// What only sheets have: a tag, and the end of a turn on the outermost one of Mega-Chess.
const MARKS: [&[u8]; 2] = [b"[Parent \"", b"[%turn "];

/// How many bytes of a line before a finding are examined for its column.
const LINE: u64 = 64 << 10;

/// Whether a file may contain sheets; assumed if it can be read only once.
pub fn may_hold_sheets(path: &Path) -> bool {
    if is_stream(path) {
        return true;
    }
    let Ok(mut file) = File::open(path) else {
        return false;
    };
    let finders = MARKS.map(memmem::Finder::new);
    let longest = MARKS.map(<[u8]>::len).into_iter().max().unwrap_or(0);
    let mut block = vec![0; 1 << 20];
    let mut kept = 0;
    loop {
        // A file that cannot be read is reported when it is judged.
        let Ok(read) = file.read(&mut block[kept..]) else {
            return false;
        };
        let filled = kept + read;
        let has = |finder: &memmem::Finder<'_>| finder.find(&block[..filled]).is_some();
        if finders.iter().any(has) {
            return true;
        }
        if read == 0 {
            return false;
        }
        // A mark may be cut by the end of the block.
        kept = filled.min(longest - 1);
        block.copy_within(filled - kept..filled, 0);
    }
}

/// A game that is opened to be shown: where it is read, and what of that it is.
pub struct Opened {
    /// The text.
    pub input: Box<dyn Read + Send>,
    /// The number of the game in it.
    pub game: u64,
    /// The steps to the sub-game of which it is the sheet, if it is shown within the record that its sheets make: `12w.d5`.
    pub way: Vec<String>,
}

impl Opened {
    /// The moments that belong to it.
    pub fn own(&self) -> Own {
        Own {
            way: self.way.join("."),
        }
    }
}

/// The moments of a game that belong to the sheet asked for: all, unless that is the sheet of a sub-game.
#[derive(Clone, Debug, Default)]
pub struct Own {
    way: String,
}

impl Own {
    /// Whether the sheet is that of a sub-game, within the record that its sheets make.
    pub const fn is_of_a_sub_game(&self) -> bool {
        !self.way.is_empty()
    }

    /// Whether a moment belongs to it.
    pub fn has(&self, at: &str) -> bool {
        self.after(at)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || self.way.is_empty())
    }

    /// Whether a moment is the one asked for; on the sheet of a sub-game `7b` is short for `12w.d5.7b`.
    pub fn is(&self, at: &str, wanted: &str) -> bool {
        let has_a_way = !self.is_of_a_sub_game() || wanted.contains('.');
        has_a_way && at == wanted
            || self.after(at).and_then(|rest| rest.strip_prefix('.')) == Some(wanted)
    }

    fn after<'a>(&self, at: &'a str) -> Option<&'a str> {
        at.strip_prefix(&self.way)
    }
}

/// Opens a file to show one of its games. A sheet that `check` judges together with others of its file is shown within the
/// record that they make; input that can be read only once is copied as far as it takes to know that.
///
/// # Errors
/// Those of the file, and of the folder for temporary files.
pub fn open_game(path: &Path, game: u64, limits: Limits) -> Result<Opened, CliError> {
    let alone = |input| Opened {
        input,
        game,
        way: Vec::new(),
    };
    if is_stream(path) {
        let (source, copy) = copying(path)?;
        return Ok(match whole_of(source, path, game, limits)? {
            Some(whole) => whole,
            None => alone(Box::new(copy.again()?)),
        });
    }
    if may_hold_sheets(path)
        && let Some(whole) = whole_of(open_input(path)?, path, game, limits)?
    {
        return Ok(whole);
    }
    Ok(alone(open_input(path)?))
}

/// The record that the sheets of a text make in which this game is judged; `None` if it is judged alone.
fn whole_of(
    input: impl Read + Send,
    path: &Path,
    game: u64,
    limits: Limits,
) -> Result<Option<Opened>, CliError> {
    let fail = |error| failed(path, error);
    let mut bundle = SheetBundle::new(limits);
    let mut parser = Parser::new(input, 0, limits);
    let mut gatherer = Gatherer::default();
    let mut number = 0;
    while let Some(sheet) = gatherer.read(&mut parser).map_err(fail)? {
        match sheet {
            Some(sheet) => bundle.add_gathered(sheet, number),
            None if number as u64 + 1 == game => return Ok(None),
            None => {}
        }
        number += 1;
    }
    let Some(sheet) = usize::try_from(game - 1).ok() else {
        return Ok(None);
    };
    match bundle.judged_in(sheet) {
        Ok(judged) => Ok(judged.map(|JudgedIn { text, way }| Opened {
            input: Box::new(io::Cursor::new(text)),
            game: 1,
            way,
        })),
        Err(problem) => {
            ui::note(&format!(
                "game {game} is shown without the other sheets of its game: {}",
                problem.message
            ));
            Ok(None)
        }
    }
}

/// Games that wait until everything has been read, from the first one on that may be a sheet.
pub struct Held {
    reports: Vec<Report>,
    bundle: SheetBundle,
}

impl Held {
    /// No games yet.
    pub fn new(limits: Limits) -> Self {
        Self {
            reports: Vec::new(),
            bundle: SheetBundle::new(limits),
        }
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
        let Self {
            mut reports,
            bundle,
        } = self;
        bundle.judge(options, &mut reports);
        let named: HashMap<_, _> = files
            .iter()
            .map(|path| (path.display().to_string(), path))
            .collect();
        for mut report in reports {
            if let Some(path) = named.get(report.file.as_it_came()) {
                complete_all(&mut report, path, options);
            }
            hand(report)?;
        }
        Ok(())
    }
}

/// Completes the findings that were made without their file.
fn complete_all(report: &mut Report, path: &Path, options: &Options) {
    for finding in &mut report.findings {
        if finding.excerpt.is_none() {
            complete(finding, path, !options.no_excerpts);
        }
    }
}

/// Gives a finding its line of the file, and its column in characters.
fn complete(finding: &mut Finding, path: &Path, excerpts: bool) {
    restore(finding, path, excerpts);
    let TextSpan {
        line_start, span, ..
    } = finding.place;
    let before = span.from.saturating_sub(line_start);
    if before < LINE
        && !is_stream(path)
        && let Ok(text) = bytes_at(path, line_start, before)
    {
        finding.column = decode(&text).0.chars().count() as u64 + 1;
    }
}
