//! `select`: games picked out of files, byte for byte.

use crate::{
    args::SelectArgs,
    exit::{Exit, Failure},
    games::{Judge, is_stdin, is_stream, total_bytes},
    ui, whole,
};
use overboard_formats::{
    encoding::{decode, visible},
    finding::Verdict,
    header::unescape_into,
    limits::Limits,
    parse::{Event, Parser},
    referee::Options,
    report::Report,
    span::Span,
};
use serde::Serialize;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// A game picked, as JSON.
#[derive(Serialize)]
struct Picked<'a> {
    file: &'a str,
    game: u64,
    bytes: [u64; 2],
    verdict: Verdict,
    written: Option<String>,
}

pub fn run(args: &SelectArgs) -> Result<Exit, Failure> {
    let wanted = Wanted::of(args)?;
    let options = Options { count_notes: true, no_excerpts: true, ..args.judging.options()? };
    let mut out = ui::stdout();
    let mut exit = Exit::Findings;
    if let Some(folder) = &args.split {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, error))?;
    }
    for path in &args.files {
        // What can be read only once is put where it can be read again.
        let spooled = if is_stream(path) { Some(spool(path)?) } else { None };
        let source = spooled.as_ref().map_or(path.as_path(), NamedTempFile::path);
        let mut file = File::open(source).map_err(|error| Failure::file(path, error))?;
        let files = [source.to_owned()];
        let judge = Judge::new(options.clone(), args.jobs, ui::bytes_bar(total_bytes(&files)))?;
        let mut failed = None;
        judge
            .run(&files, |report| {
                let picked = pick(&report, path, &mut file, &wanted, args, &mut out);
                match picked {
                    Ok(true) => exit = exit.min(Exit::Clean),
                    Ok(false) => {}
                    Err(failure) => {
                        failed.get_or_insert(failure);
                        return Err(io::ErrorKind::Interrupted.into());
                    }
                }
                Ok(())
            })
            .map_or_else(|error| Err(failed.take().unwrap_or(Failure::Output(error))), |_| Ok(()))?;
    }
    out.flush()?;
    Ok(exit)
}

/// Copies standard input, or what else can be read only once, to a file that goes when it is closed.
fn spool(path: &Path) -> Result<NamedTempFile, Failure> {
    let fail = |error| Failure::file(path, error);
    let mut spooled = NamedTempFile::new().map_err(fail)?;
    let mut reader = crate::games::open(path).map_err(fail)?;
    io::copy(&mut reader, spooled.as_file_mut()).map_err(fail)?;
    Ok(spooled)
}

/// Writes a game where it is wanted; answers whether it was.
fn pick(
    report: &Report,
    path: &Path,
    file: &mut File,
    wanted: &Wanted,
    args: &SelectArgs,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let fail = |error| Failure::file(path, error);
    if report.game == 0 || wanted.lets(report, file).map_err(fail)? == args.invert {
        return Ok(false);
    }
    let written = match &args.split {
        Some(folder) => Some(split(report, path, file, folder)?),
        None if args.json => None,
        None => {
            copy(file, report.span, out).map_err(fail)?;
            None
        }
    };
    if args.json {
        let name = path.display().to_string();
        let bytes = [report.span.from, report.span.to];
        let picked = Picked { file: &name, game: report.game, bytes, verdict: report.verdict, written };
        ui::json(out, &picked)?;
    } else if let Some(written) = written {
        writeln!(out, "{}", visible(&written))?;
    }
    Ok(true)
}

/// Copies the bytes of a game and sees to it that the next one starts on a line of its own.
fn copy(file: &mut File, span: Span, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    file.seek(SeekFrom::Start(span.from))?;
    let mut rest = file.take(span.to - span.from);
    let mut block = vec![0; 1 << 16];
    let mut last = [b'\n'; 2];
    loop {
        let count = rest.read(&mut block)?;
        if count == 0 {
            break;
        }
        out.write_all(&block[..count])?;
        for byte in &block[count.saturating_sub(2)..count] {
            last = [last[1], *byte];
        }
    }
    out.write_all(match last {
        [b'\n', b'\n'] => b"",
        [_, b'\n'] => b"\n",
        _ => b"\n\n",
    })
}

/// Writes a game to a file of its own, whole or not at all, and never over another.
fn split(report: &Report, path: &Path, file: &mut File, folder: &Path) -> Result<String, Failure> {
    let stem = if is_stdin(path) { "game".into() } else { path.file_stem().unwrap_or_default().to_owned() };
    let ending = path.extension().filter(|end| *end == "npgn").map_or("pgn", |_| "npgn");
    let name = format!("{}-{:06}.{ending}", stem.to_string_lossy(), report.game);
    let target: PathBuf = folder.join(name);
    whole::create(&target, |draft| copy(file, report.span, draft))
        .map_err(|error| Failure::file(&target, error))?;
    Ok(target.display().to_string())
}

/// Which games are wanted.
struct Wanted {
    tags: Vec<TagTest>,
    verdicts: Vec<String>,
    numbers: Vec<(u64, u64)>,
}

/// A tag and what its value must be, or hold; in small letters.
struct TagTest {
    name: String,
    text: String,
    whole: bool,
}

/// The verdicts by name.
const VERDICTS: [Verdict; 6] = [
    Verdict::Clean,
    Verdict::Undetermined,
    Verdict::Infraction,
    Verdict::WrongResult,
    Verdict::Illegal,
    Verdict::Unreadable,
];

impl Wanted {
    fn of(args: &SelectArgs) -> Result<Self, Failure> {
        let known = |verdict: &String| VERDICTS.iter().any(|known| known.to_string() == *verdict);
        if let Some(unknown) = args.verdict.iter().find(|verdict| !known(verdict)) {
            let known: Vec<_> = VERDICTS.iter().map(Verdict::to_string).collect();
            return Err(Failure::UnknownVerdict(unknown.clone(), known.join(", ")));
        }
        Ok(Self {
            tags: args.tag.iter().map(|text| TagTest::of(text)).collect::<Result<_, _>>()?,
            verdicts: args.verdict.clone(),
            numbers: args.number.iter().map(|text| range(text)).collect::<Result<_, _>>()?,
        })
    }

    fn lets(&self, report: &Report, file: &mut File) -> io::Result<bool> {
        let number = report.game;
        let by_number =
            self.numbers.is_empty() || self.numbers.iter().any(|(from, to)| (*from..=*to).contains(&number));
        let by_verdict = self.verdicts.is_empty() || self.verdicts.contains(&report.verdict.to_string());
        Ok(by_number && by_verdict && (self.tags.is_empty() || self.any_tag(report.span, file)?))
    }

    fn any_tag(&self, span: Span, file: &mut File) -> io::Result<bool> {
        file.seek(SeekFrom::Start(span.from))?;
        let mut parser = Parser::new(file.take(span.to - span.from), span.from, Limits::default());
        loop {
            match parser.next()? {
                Event::Tag => {
                    let tag = parser.lexer().tag();
                    let mut value = Vec::new();
                    unescape_into(parser.text(tag.value), &mut value);
                    let (name, value) = (decode(parser.text(tag.name)).0, decode(&value).0.to_lowercase());
                    if self.tags.iter().any(|test| test.lets(&name, &value)) {
                        return Ok(true);
                    }
                }
                Event::Begin | Event::Prose(..) | Event::Fault(_) => {}
                _ => return Ok(false),
            }
        }
    }
}

impl TagTest {
    fn of(text: &str) -> Result<Self, Failure> {
        let at = text.find(['=', '~']).ok_or_else(|| Failure::BadTag(text.into()))?;
        let (name, value) = (text[..at].to_string(), text[at + 1..].to_lowercase());
        Ok(Self { name, text: value, whole: text[at..].starts_with('=') })
    }

    fn lets(&self, name: &str, value: &str) -> bool {
        let is_there = if self.whole { value == self.text } else { value.contains(&self.text) };
        self.name.eq_ignore_ascii_case(name) && is_there
    }
}

/// `3`, `5-8` or `9-`.
fn range(text: &str) -> Result<(u64, u64), Failure> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let from = from.parse().ok();
    let to = if to.is_empty() { Some(u64::MAX) } else { to.parse().ok() };
    from.zip(to).filter(|(from, to)| from <= to).ok_or_else(|| Failure::BadRange(text.into()))
}
