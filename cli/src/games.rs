//! Reads the games of files: in parallel, even within one file, and always in order.
//!
//! A file is cut into stretches. Each is judged from the first line in it that looks like the start of a record up to
//! the first record that starts after it. Whether that line really started a record is known once the stretch before it
//! is done. If it did not, the stretch is judged again from where the last record ended, so that the outcome is the
//! same as that of reading from the beginning.

use crate::{
    bounded::bytes_at,
    exit::{CliError, PartError},
    packed::{Input, is_packed},
    sheets::{Held, may_hold_sheets},
    threads::{self, ThreadsError},
    ui,
};
use indicatif::ProgressBar;
use memchr::memmem;
use overboard_formats::{
    encoding::decode,
    foreign::Foreign,
    io_words::reason,
    limits::Limits,
    parse::Parser,
    span::{Span, TextSpan},
};
use overboard_games::referee::{AnyReferee, rewrite::RewriteError, witness::Witness};
use overboard_referee::{
    Options,
    finding::{self, Excerpt, Finding, Severity, Verdict},
    report::{GameResult, Report},
};
use overboard_sheets::Gatherer;
use rayon::prelude::*;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::Arc,
};

/// The most and the least bytes of a stretch.
const STRETCH: (u64, u64) = (1 << 20, 1 << 14);
/// Stretches judged at once for each thread, and in all unless there are more threads.
const AHEAD: (usize, usize) = (8, 32);
/// Bytes of reports after which a stretch is ended early, so that memory stays bounded.
const ENOUGH: usize = 1 << 20;
/// The beginning of a record, with the end of the line before it.
const START: &[u8] = b"\n[Event ";

/// Judges all games of all files and passes them on one by one, in order.
pub struct Judge {
    options: Options,
    pool: rayon::ThreadPool,
    bar: ProgressBar,
}

/// A stretch of a file.
#[derive(Clone)]
struct Stretch {
    file: usize,
    from: u64,
    to: u64,
    /// Whether a record is known to start at `from`.
    exact: bool,
}

/// The result of judging a stretch.
struct Judged<A> {
    /// Where its first record started, and where the next one after it starts.
    start: u64,
    end: u64,
    /// Lines between the two.
    lines: u64,
    /// The reports, each with the witness's account of the game.
    reports: Vec<(Report, A)>,
    /// Whether it was ended early.
    cut: bool,
}

/// How much of a file has been passed on.
#[derive(Default)]
struct Reached {
    offset: u64,
    lines: u64,
    games: u64,
    /// Its name, once it is needed.
    name: Option<Arc<str>>,
    /// Whether reading it failed.
    failed: bool,
}

impl Judge {
    /// A judge of these files, with a bar for their bytes.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn of(
        options: Options,
        jobs: Option<u16>,
        files: &[PathBuf],
    ) -> Result<Self, ThreadsError> {
        Self::new(options, jobs, ui::bytes_bar(total_bytes(files)))
    }

    /// A judge with `jobs` threads.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn new(
        options: Options,
        jobs: Option<u16>,
        bar: ProgressBar,
    ) -> Result<Self, ThreadsError> {
        Ok(Self {
            options,
            pool: threads::pool(jobs)?,
            bar,
        })
    }

    /// Judges the files; `-` is standard input. A file that cannot be read is passed on as a report that says so.
    /// Sheets that belong together are judged together, and from the first of them on nothing is passed on before
    /// everything has been read. Returns the files that contain no game.
    ///
    /// # Errors
    /// Those of `hand`.
    pub fn run<'a>(
        &self,
        files: &'a [PathBuf],
        mut hand: impl FnMut(Report) -> io::Result<()>,
    ) -> io::Result<Vec<&'a Path>> {
        if !files.iter().any(|path| may_hold_sheets(path)) {
            return self.run_before(files, &(), |report, _| hand(report));
        }
        let mut held = Held::new(self.options.limits);
        let empty = self.run_before(files, &Gatherer::default(), |report, sheet| {
            held.take(report, sheet.flatten(), &mut hand)
        })?;
        held.judge(files, &self.options, &mut hand)?;
        Ok(empty)
    }

    /// Judges the files with a witness, and passes on each report with the witness's account of the game; `None` for a
    /// file that cannot be read.
    ///
    /// # Errors
    /// Those of `hand`.
    pub fn run_before<'a, W: Witness<Account: Send> + Clone + Sync>(
        &self,
        files: &'a [PathBuf],
        witness: &W,
        mut hand: impl FnMut(Report, Option<W::Account>) -> io::Result<()>,
    ) -> io::Result<Vec<&'a Path>> {
        let mut reached: Vec<_> = files.iter().map(|_| Reached::default()).collect();
        let mut plan = Plan {
            files,
            file: 0,
            offset: 0,
            step: STRETCH.0,
        };
        loop {
            let threads = self.pool.current_num_threads();
            let ahead = (AHEAD.0 * threads).min(AHEAD.1.max(threads));
            let wave: Vec<_> = plan.by_ref().take(ahead).collect();
            if wave.is_empty() {
                break;
            }
            let judged: Vec<_> = self.pool.install(|| {
                wave.par_iter()
                    .map(|stretch| self.judge(&files[stretch.file], stretch, witness))
                    .collect()
            });
            plan.learn(&judged);
            for (stretch, judged) in wave.iter().zip(judged) {
                let path = &files[stretch.file];
                let reached = &mut reached[stretch.file];
                if reached.failed {
                    continue;
                }
                let handed = if is_stream(path) {
                    self.stream(path, reached, witness, &mut hand)
                } else {
                    self.bar.inc(stretch.to - stretch.from);
                    self.hand_over(path, stretch, judged, reached, witness, &mut hand)
                };
                match handed {
                    Ok(()) => {}
                    Err(TransferError::Writing(error)) => return Err(error),
                    Err(TransferError::Unkept(_, why)) => return Err(io::Error::other(why)),
                    Err(TransferError::Reading(error)) => {
                        reached.failed = true;
                        hand(unreadable(path, &error), None)?;
                    }
                }
            }
        }
        self.bar.finish_and_clear();
        let mut empty = Vec::new();
        for (path, file) in files.iter().zip(reached) {
            if file.games == 0 && !file.failed {
                empty.push(path.as_path());
            }
        }
        Ok(empty)
    }

    /// Passes on a stretch, which is judged again if it was judged from a wrong start.
    fn hand_over<W: Witness + Clone>(
        &self,
        path: &Path,
        stretch: &Stretch,
        judged: io::Result<Option<Judged<W::Account>>>,
        reached: &mut Reached,
        witness: &W,
        hand: &mut impl FnMut(Report, Option<W::Account>) -> io::Result<()>,
    ) -> Result<(), TransferError> {
        let mut next = judged.map_err(TransferError::Reading)?;
        if let Some(judged) = &next
            && judged.start != reached.offset
        {
            next = None;
        }
        loop {
            if let Some(judged) = next {
                for (report, mut account) in judged.reports {
                    reached.games += 1;
                    W::move_down(&mut account, reached.lines);
                    hand(self.placed(report, path, reached), Some(account))
                        .map_err(TransferError::Writing)?;
                }
                reached.offset = judged.end;
                reached.lines += judged.lines;
            }
            if reached.offset >= stretch.to {
                return Ok(());
            }
            let rest = Stretch {
                from: reached.offset,
                exact: true,
                ..stretch.clone()
            };
            next = self
                .judge(path, &rest, witness)
                .map_err(TransferError::Reading)?;
            if next.is_none() {
                return Ok(());
            }
        }
    }

    fn placed(&self, mut report: Report, path: &Path, reached: &mut Reached) -> Report {
        let name = reached
            .name
            .get_or_insert_with(|| path.display().to_string().into());
        report.file = Foreign::new(Arc::clone(name));
        report.game = reached.games;
        report.shown_as = Some(reached.games);
        move_down(&mut report, reached.lines);
        for finding in &mut report.findings {
            restore(finding, path, !self.options.no_excerpts);
        }
        report
    }

    /// Judges a stretch; `None` if no record starts in it, or the file can be read only from its beginning.
    fn judge<W: Witness + Clone>(
        &self,
        path: &Path,
        stretch: &Stretch,
        witness: &W,
    ) -> io::Result<Option<Judged<W::Account>>> {
        if is_stream(path) {
            return Ok(None);
        }
        let mut file = File::open(path)?;
        let Some(start) = first_start(&mut file, stretch)? else {
            return Ok(None);
        };
        file.seek(SeekFrom::Start(start))?;
        let mut parser = Parser::new(file, start, self.options.limits);
        let mut referee = AnyReferee::new(self.options.clone());
        let mut witness = witness.clone();
        let mut reports = Vec::with_capacity(256);
        let (mut bytes, mut cut) = (0, false);
        let end = loop {
            let Some((report, account)) = witness.attend(&mut referee, &mut parser)? else {
                break parser.record_start().max(stretch.to);
            };
            bytes += report.bytes() + size_of::<W::Account>() + W::bytes(&account);
            reports.push((report, account));
            cut = bytes > ENOUGH;
            if parser.record_start() >= stretch.to || cut {
                break parser.record_start();
            }
        };
        Ok(Some(Judged {
            start,
            end,
            lines: parser.place().line - 1,
            reports,
            cut,
        }))
    }

    /// Judges standard input, or another input that can be read only from its beginning, as it arrives.
    fn stream<W: Witness + Clone>(
        &self,
        path: &Path,
        reached: &mut Reached,
        witness: &W,
        hand: &mut impl FnMut(Report, Option<W::Account>) -> io::Result<()>,
    ) -> Result<(), TransferError> {
        let mut parser = Parser::new(
            open_counted(path, &self.bar).map_err(TransferError::Reading)?,
            0,
            self.options.limits,
        );
        let mut referee = AnyReferee::new(self.options.clone());
        let mut witness = witness.clone();
        while let Some((report, account)) = witness
            .attend(&mut referee, &mut parser)
            .map_err(TransferError::Reading)?
        {
            reached.games += 1;
            hand(self.placed(report, path, reached), Some(account))
                .map_err(TransferError::Writing)?;
        }
        Ok(())
    }
}

/// Part of a file would be lost.
#[derive(Debug, thiserror::Error)]
#[error("{path}:{line}: {why}; writing it again would lose part of it", path = path.display())]
pub struct UnkeptError {
    path: PathBuf,
    /// The line from which on.
    line: u64,
    why: String,
}

impl PartError for UnkeptError {}

/// What went wrong while games were read and written.
pub enum TransferError {
    /// The file cannot be read.
    Reading(io::Error),
    /// The output cannot be written.
    Writing(io::Error),
    /// From this line on, part of the input would be lost.
    Unkept(u64, String),
}

impl TransferError {
    /// The error of records that are written anew under these limits.
    pub fn of(error: RewriteError, limits: &Limits) -> Self {
        match error {
            RewriteError::Reading(error) => Self::Reading(error),
            RewriteError::Writing(error) => Self::Writing(error),
            RewriteError::Unkept(line, why) => Self::Unkept(line, why.words(limits)),
        }
    }

    /// The error, if this file is read and another is written.
    pub fn between(self, read: &Path, written: &Path) -> CliError {
        match self {
            Self::Writing(error) => CliError::file(written, error),
            error => error.at(read),
        }
    }

    /// The error, if this file is read and standard output is written.
    pub fn at(self, path: &Path) -> CliError {
        match self {
            Self::Reading(error) => CliError::file(path, error),
            Self::Writing(error) => CliError::Output(error),
            Self::Unkept(line, why) => UnkeptError {
                path: path.to_owned(),
                line,
                why,
            }
            .into(),
        }
    }
}

/// Opens a file, or standard input for `-`; what is compressed is unpacked while it is read.
pub fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    open_counted(path, &ProgressBar::hidden())
}

/// The same, where a bar counts the bytes of the file: of a compressed one those before unpacking.
pub fn open_counted(path: &Path, bar: &ProgressBar) -> io::Result<Box<dyn Read + Send>> {
    let source: Box<dyn Read + Send> = if is_dash(path) {
        Box::new(io::stdin())
    } else {
        Box::new(bar.wrap_read(File::open(path)?))
    };
    Ok(Box::new(Input::new(source)))
}

/// Opens a file or standard input for a command: the error names the file.
pub fn open_input(path: &Path) -> Result<Box<dyn Read + Send>, CliError> {
    open(path).map_err(CliError::on(path))
}

/// Whether a path means standard input, or standard output where it is written to.
pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a path can be read only once, or not at all.
pub fn is_read_once(path: &Path) -> bool {
    is_dash(path) || !path.is_file()
}

/// Whether a path can be read only from its beginning, as a compressed file, or not even twice.
pub fn is_stream(path: &Path) -> bool {
    is_read_once(path) || is_packed(path)
}

/// Bytes of the files whose size is known.
fn total_bytes(files: &[PathBuf]) -> u64 {
    let mut total = 0;
    for path in files {
        if let Ok(meta) = std::fs::metadata(path) {
            total += meta.len();
        }
    }
    total
}

/// Counts the lines before the text that was judged.
fn move_down(report: &mut Report, lines: u64) {
    for finding in &mut report.findings {
        finding.place.line += lines;
        if let Some((place, ..)) = &mut finding.also {
            place.line += lines;
        }
    }
    if let Some(identity) = &mut report.identity {
        identity.place.line += lines;
    }
}

/// Cuts files into stretches, shorter ones where a little text has many findings.
struct Plan<'a> {
    files: &'a [PathBuf],
    file: usize,
    offset: u64,
    step: u64,
}

impl Plan<'_> {
    fn learn<A>(&mut self, judged: &[io::Result<Option<Judged<A>>>]) {
        let mut judged = judged.iter();
        let is_cut = judged.any(|judged| matches!(judged, Ok(Some(Judged { cut: true, .. }))));
        let step = if is_cut { self.step / 8 } else { self.step * 2 };
        self.step = step.clamp(STRETCH.1, STRETCH.0);
    }
}

impl Iterator for Plan<'_> {
    type Item = Stretch;

    fn next(&mut self) -> Option<Stretch> {
        let path = self.files.get(self.file)?;
        let size = if is_stream(path) {
            0
        } else {
            std::fs::metadata(path).map_or(0, |meta| meta.len())
        };
        let from = self.offset;
        let to = (from + self.step).min(size);
        let stretch = Stretch {
            file: self.file,
            from,
            to,
            exact: from == 0,
        };
        self.offset = to;
        if to >= size {
            self.file += 1;
            self.offset = 0;
        }
        Some(stretch)
    }
}

/// Where the first record of a stretch starts, or seems to.
fn first_start(file: &mut File, stretch: &Stretch) -> io::Result<Option<u64>> {
    if stretch.exact {
        return Ok(Some(stretch.from));
    }
    let mut offset = stretch.from - 1;
    file.seek(SeekFrom::Start(offset))?;
    let finder = memmem::Finder::new(START);
    let mut block = Vec::with_capacity(1 << 12);
    // Most games are short, and what is read here is read again.
    let mut size = 1_u64 << 12;
    while offset + 1 < stretch.to {
        block.clear();
        let read = file.by_ref().take(size).read_to_end(&mut block)?;
        if read == 0 {
            return Ok(None);
        }
        if let Some(hit) = finder.find(&block) {
            let start = offset + hit as u64 + 1;
            return Ok((start < stretch.to).then_some(start));
        }
        // A start may be cut by the end of the block.
        let again = block.len().min(START.len() - 1) as u64;
        offset += block.len() as u64 - again;
        if (read as u64) < size {
            return Ok(None);
        }
        size = (size * 4).min(1 << 16);
        file.seek(SeekFrom::Start(offset))?;
    }
    Ok(None)
}

/// Why a file could not be read, from the report on it, without the file's name.
pub fn unread(report: &Report) -> &str {
    let first = report.findings.first();
    match first.and_then(|finding| finding.message.as_it_came().split_once(": ")) {
        Some((_, why)) => why,
        None => "it cannot be read",
    }
}

/// The report on a file that cannot be read.
fn unreadable(path: &Path, error: &io::Error) -> Report {
    let message = format!("{}: {}", path.display(), reason(error));
    let finding = Finding::new(
        &finding::NO_FILE,
        Severity::Error,
        TextSpan::NOWHERE,
        message,
    );
    Report {
        file: Foreign::new(path.display().to_string().into()),
        game: 0,
        shown_as: None,
        span: Span::new(0, 0),
        variant: Foreign::new("".into()),
        laws: None,
        verdict: Verdict::Unreadable,
        result: GameResult::default(),
        plies: 0,
        findings: vec![finding],
        players: [None, None],
        unjudged_from: None,
        notes_counted: 0,
        whole: None,
        identity: None,
    }
}

/// Reads again the line of a finding that was no longer in memory.
pub fn restore(finding: &mut Finding, path: &Path, excerpts: bool) {
    let forgotten = finding.text.is_empty() && !finding.place.span.is_empty();
    if forgotten || (excerpts && finding.excerpt.is_none()) {
        let excerpt = read_excerpt(path, finding.place);
        if forgotten && let Some(excerpt) = &excerpt {
            let (text, ..) = decode(&excerpt.text[excerpt.from..excerpt.to]);
            finding.text = text.into_owned().into();
        }
        finding.excerpt = if excerpts { excerpt } else { None };
    }
    if let Some((place, _, excerpt @ None)) = &mut finding.also
        && excerpts
    {
        *excerpt = read_excerpt(path, *place);
    }
}

fn read_excerpt(path: &Path, place: TextSpan) -> Option<Excerpt> {
    if is_stream(path) {
        return None;
    }
    let from = place.line_start.max(place.span.from.saturating_sub(200));
    let mut text = bytes_at(path, from, 600).ok()?;
    text.truncate(memchr::memchr(b'\n', &text).unwrap_or(text.len()));
    let start = usize::try_from(place.span.from - from).ok()?;
    let start = start.min(text.len());
    let end = start.saturating_add(usize::try_from(place.span.len()).ok()?);
    Some(Excerpt {
        from: start,
        to: end.min(text.len()),
        text,
    })
}
