//! `select`: selects games from files, byte for byte.

use crate::{
    bounded::without_mark,
    exit::{CliError, Exit, PartError},
    games::{Judge, is_dash, is_stream, unread},
    input_copies::copy_of,
    options::{JobsArgs, JudgingArgs, without_findings},
    packed::unpacked_name,
    ui,
};
use clap::Args;
use overboard_events::{atomic_files, names};
use overboard_formats::{
    encoding::decode,
    foreign::visible,
    limits::Limits,
    parse::{Event, Parser},
    span::Span,
};
use overboard_referee::{Options, finding::Verdict, report::Report};
use serde::Serialize;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

const VERDICTS: [&str; 6] = [
    "clean",
    "undetermined",
    "infraction",
    "wrong-result",
    "illegal",
    "unreadable",
];

/// Select games from files, byte for byte (filter, split).
///
/// Conditions of one kind are alternatives: `--number 1 --number 3` selects both games. Conditions of different kinds
/// must all be met. Without conditions, all games are selected.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 no game was selected, 2 a file cannot be read or written.\n\nExamples:\n  overboard select --verdict illegal --verdict wrong-result club.npgn\n  overboard select --tag 'White~Anderssen' --number 1-10 games.pgn\n  overboard select --split folder games.pgn"
)]
pub struct SelectArgs {
    /// Files, or folders of records, to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Games with this tag: `Name=value` for the whole value, `Name~text` for a part of it; case does not matter.
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
    /// Games with this verdict.
    #[arg(long, value_name = "VERDICT", value_delimiter = ',', value_parser = VERDICTS)]
    pub verdict: Vec<String>,
    /// Games with these numbers in their file, such as `3` or `5-8` or `9-`.
    #[arg(long, value_name = "RANGE", value_delimiter = ',')]
    pub number: Vec<String>,
    /// Select the games that do not meet the conditions.
    #[arg(long)]
    pub invert: bool,
    /// Write each game to a separate file in this folder, such as `club-000012.pgn` for game 12 of `club.pgn`, and
    /// print its name; no file is overwritten.
    #[arg(long, value_name = "FOLDER")]
    pub split: Option<PathBuf>,
    /// Print one JSON object per selected game instead of the games.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub threads: JobsArgs,
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// A selected game.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "SelectedGame")
)]
pub struct Picked<'a> {
    /// The file, as given; `-` is standard input.
    file: &'a str,
    /// The number of the game in its file, from 1.
    game: u64,
    /// Where it is in the file: its first byte, and the one after its last. The games of a file follow each other
    /// without a gap.
    bytes: [u64; 2],
    /// The verdict of `check`, under the options given.
    verdict: Verdict,
    /// With `--split`: the file that it was written to; else null.
    written: Option<String>,
}

pub fn run(args: &SelectArgs) -> Result<Exit, CliError> {
    let wanted = Wanted::of(args)?;
    let options = without_findings(args.judging.options()?);
    let out = Joined {
        out: ui::stdout_for_files(),
        end: Vec::new(),
        start: None,
    };
    let mut selection = Selection {
        args,
        wanted,
        options,
        out,
        picked: 0,
        made: None,
    };
    let mut exit = Exit::Clean;
    for path in &args.files {
        let done = selection.file(path);
        exit = exit.max(ui::go_on(done.map(|()| Exit::Clean))?);
    }
    selection.out.out.flush()?;
    Ok(exit.max(Exit::with(selection.picked == 0)))
}

struct Selection<'a> {
    args: &'a SelectArgs,
    wanted: Wanted,
    options: Options,
    out: Joined,
    picked: u64,
    /// The folder for --split, once something has been written to it.
    made: Option<atomic_files::Made>,
}

/// A file whose games are selected.
struct Origin<'a> {
    path: &'a Path,
    file: File,
    /// Where the last game ended, which is where the next begins.
    reached: u64,
    /// Where the last selected game ended.
    picked: Option<u64>,
}

impl Selection<'_> {
    fn file(&mut self, path: &Path) -> Result<(), CliError> {
        // Input that can be read only once is copied, so that it can be read again.
        let spooled = if is_stream(path) {
            Some(copy_of(path)?)
        } else {
            None
        };
        let source = spooled.as_ref().map_or(path, NamedTempFile::path);
        let file = File::open(source).map_err(CliError::on(path))?;
        let mut origin = Origin {
            path,
            file,
            reached: 0,
            picked: None,
        };
        let files = [source.to_owned()];
        let judge = Judge::of(self.options.clone(), self.args.threads.jobs, &files)?;
        let mut failed = None;
        let done = judge.run(&files, |report| {
            self.pick(&report, &mut origin).map_err(|failure| {
                failed = Some(failure);
                io::ErrorKind::Interrupted.into()
            })
        });
        done.map(drop)
            .map_err(|error| failed.unwrap_or(CliError::Output(error)))
    }

    /// Writes a game to its destination.
    fn pick(&mut self, report: &Report, origin: &mut Origin<'_>) -> Result<(), CliError> {
        let path = origin.path;
        let fail = CliError::on(path);
        if report.game == 0 {
            return Err(fail(io::Error::other(unread(report).to_owned())));
        }
        // From the end of the previous game, not from its own first word: what precedes it belongs to it.
        let span = Span::new(
            std::mem::replace(&mut origin.reached, report.span.to),
            report.span.to,
        );
        let limits = &self.options.limits;
        if self
            .wanted
            .lets(report, span, &mut origin.file, limits)
            .map_err(fail)?
            == self.args.invert
        {
            return Ok(());
        }
        self.picked += 1;
        let written = match &self.args.split {
            Some(folder) => {
                // Created only with the first game, so that a command that is stopped while it waits for input leaves
                // no empty folder.
                if self.made.is_none() {
                    self.made = Some(atomic_files::folder(folder).map_err(CliError::on(folder))?);
                }
                Some(split(report, span, origin, folder)?)
            }
            None => None,
        };
        if self.args.json {
            let name = path.display().to_string();
            let bytes = [span.from, span.to];
            let picked = Picked {
                file: &name,
                game: report.game,
                bytes,
                verdict: report.verdict,
                written,
            };
            ui::json(&mut self.out.out, &picked)?;
        } else if let Some(written) = written {
            writeln!(self.out.out, "{}", visible(&written))?;
        } else {
            // Adjacent games are copied as they are.
            if origin.picked.replace(span.to) != Some(span.from) {
                self.out.start = Some(span.from == 0);
            }
            copy(&mut origin.file, span, path, &mut self.out)?;
        }
        Ok(())
    }
}

/// Games one after the other, each starting on a new line after an empty one.
struct Joined {
    out: ui::Out,
    /// The last bytes that were written.
    end: Vec<u8>,
    /// Whether the next bytes are the first of a game and, if so, whether it is the first of its file.
    start: Option<bool>,
}

impl Joined {
    /// The bytes that are missing between the games written and the next one.
    fn gap(&self) -> &'static [u8] {
        match self.end.as_slice() {
            [] | [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] => b"",
            [.., b'\r', b'\n'] => b"\r\n",
            [.., b'\n'] => b"\n",
            _ => b"\n\n",
        }
    }
}

impl Write for Joined {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        if let Some(is_first) = self.start.take() {
            self.out.write_all(self.gap())?;
            // A byte order mark only belongs to the beginning of a file.
            if is_first && !self.end.is_empty() {
                rest = without_mark(bytes);
            }
        }
        self.out.write_all(rest)?;
        self.end
            .extend_from_slice(&rest[rest.len().saturating_sub(3)..]);
        self.end.drain(..self.end.len().saturating_sub(3));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Copies the bytes of a game.
fn copy(file: &mut File, span: Span, path: &Path, out: &mut impl Write) -> Result<(), CliError> {
    let fail = CliError::on(path);
    file.seek(SeekFrom::Start(span.from)).map_err(fail)?;
    let mut rest = file.take(span.to - span.from);
    let size = usize::try_from(rest.limit()).unwrap_or(usize::MAX);
    let mut block = vec![0; size.clamp(1, 1 << 16)];
    loop {
        match rest.read(&mut block).map_err(fail)? {
            0 => return Ok(()),
            count => out.write_all(&block[..count])?,
        }
    }
}

/// Writes a game to a file of its own, completely or not at all, and never over another file.
fn split(
    report: &Report,
    span: Span,
    origin: &mut Origin<'_>,
    folder: &Path,
) -> Result<String, CliError> {
    let path = origin.path;
    let unpacked = unpacked_name(path);
    let mut name = if is_dash(path) {
        "game".into()
    } else {
        unpacked.file_stem().unwrap_or_default().to_owned()
    };
    let is_npgn = unpacked.extension().is_some_and(|end| end == "npgn");
    let ending = if is_npgn { "npgn" } else { "pgn" };
    name.push(format!("-{:06}.{ending}", report.game));
    let target: PathBuf = folder.join(name);
    let draft = |draft: &mut dyn Write| {
        copy(&mut origin.file, span, path, &mut &mut *draft).map_err(|failure| match failure {
            CliError::Output(error) => error,
            failure => io::Error::other(failure.to_string()),
        })
    };
    atomic_files::create(&target, draft).map_err(CliError::on(&target))?;
    Ok(target.display().to_string())
}

/// A condition cannot be parsed.
#[derive(Debug, thiserror::Error)]
pub enum ConditionError {
    /// The condition on a tag.
    #[error("--tag takes `Name=value` or `Name~text`, not `{0}`")]
    Tag(String),
    /// The range of numbers.
    #[error("--number takes `3`, `5-8` or `9-`, counted from 1, not `{0}`")]
    Range(String),
}

impl PartError for ConditionError {}

/// The conditions.
struct Wanted {
    tags: Vec<TagTest>,
    verdicts: Vec<String>,
    numbers: Vec<(u64, u64)>,
}

/// A tag and what its value must equal, or contain; lower case.
struct TagTest {
    name: String,
    text: String,
    whole: bool,
}

impl Wanted {
    fn of(args: &SelectArgs) -> Result<Self, ConditionError> {
        Ok(Self {
            tags: args
                .tag
                .iter()
                .map(|text| TagTest::of(text))
                .collect::<Result<_, _>>()?,
            verdicts: args.verdict.clone(),
            numbers: args
                .number
                .iter()
                .map(|text| range(text))
                .collect::<Result<_, _>>()?,
        })
    }

    fn lets(
        &self,
        report: &Report,
        span: Span,
        file: &mut File,
        limits: &Limits,
    ) -> io::Result<bool> {
        Ok(self.lets_report(report)
            && (self.tags.is_empty() || self.any_tag(span, file, *limits)?))
    }

    /// Whether the number of a game and its verdict are among those that were asked for.
    fn lets_report(&self, report: &Report) -> bool {
        let by_number = self.numbers.is_empty()
            || self
                .numbers
                .iter()
                .any(|(from, to)| (*from..=*to).contains(&report.game));
        by_number
            && (self.verdicts.is_empty() || self.verdicts.contains(&report.verdict.to_string()))
    }

    fn any_tag(&self, span: Span, file: &mut File, limits: Limits) -> io::Result<bool> {
        file.seek(SeekFrom::Start(span.from))?;
        let mut parser = Parser::new(file.take(span.to - span.from), span.from, limits);
        loop {
            match parser.next()? {
                Event::Tag => {
                    let name = decode(parser.tag_name()).0;
                    let value = parser.tag_value().to_lowercase();
                    if self.tags.iter().any(|test| test.lets(&name, &value)) {
                        return Ok(true);
                    }
                }
                Event::Begin | Event::Prose(..) | Event::Unread | Event::Fault(_) => {}
                _ => return Ok(false),
            }
        }
    }
}

impl TagTest {
    fn of(text: &str) -> Result<Self, ConditionError> {
        match text.split_once(['=', '~']) {
            Some((name, value)) if !name.is_empty() => Ok(Self {
                name: name.into(),
                text: value.to_lowercase(),
                whole: text[name.len()..].starts_with('='),
            }),
            _ => Err(ConditionError::Tag(text.into())),
        }
    }

    fn lets(&self, name: &str, value: &str) -> bool {
        let is_there = |value: &str, text: &str| {
            if self.whole {
                value == text
            } else {
                value.contains(text)
            }
        };
        // Unicode forms of the same name are equal; a space alone is searched for as it is.
        let (key, text) = (|| names::key(value), names::key(&self.text));
        self.name.eq_ignore_ascii_case(name)
            && (is_there(value, &self.text) || !text.is_empty() && is_there(&key(), &text))
    }
}

/// Parses `3`, `5-8` or `9-`.
fn range(text: &str) -> Result<(u64, u64), ConditionError> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let to = if to.is_empty() {
        Ok(u64::MAX)
    } else {
        to.parse()
    };
    match (from.parse(), to) {
        (Ok(from), Ok(to)) if (1..=to).contains(&from) => Ok((from, to)),
        _ => Err(ConditionError::Range(text.into())),
    }
}
