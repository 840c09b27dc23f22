//! `fmt`: write games in canonical form.

use crate::{
    exit::{CliError, Exit, PartError},
    games::{TransferError, is_dash, open, open_input},
    options::LimitArgs,
    packed::is_packed,
    ui::{self, STRONG, shown},
};
use clap::Args;
use overboard_engines::lock;
use overboard_events::atomic_files::Draft;
use overboard_formats::limits::Limits;
use overboard_games::referee::rewrite::rewrite;
use serde::Serialize;
use std::{
    collections::VecDeque,
    fs::{File, OpenOptions},
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

/// Write games in canonical form (PGN formatter).
///
/// Plain chess is written in PGN export format. Nested records have a line for each numbered move and two spaces of
/// indentation per level. A move is respelt only if it was judged legal; everything else is kept as it is.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 with --check: not canonical, 2 a file cannot be read or written.\n\nExamples:\n  overboard fmt games.pgn > clean.pgn\n  overboard fmt --check *.pgn\n  overboard fmt --write club.npgn"
)]
pub struct FmtArgs {
    /// Files, or folders of records, to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// List the files that are not canonical, and write nothing.
    #[arg(long, conflicts_with = "write")]
    pub check: bool,
    /// Replace each file, completely or not at all.
    #[arg(short, long)]
    pub write: bool,
    /// With --check or --write: print one JSON object for each file.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Why `fmt` cannot do its work.
#[derive(Debug, thiserror::Error)]
pub enum FmtError {
    /// Standard input cannot be replaced.
    #[error("--write needs a file to replace, and standard input is not one")]
    NeedsFile,
    /// A compressed file would be replaced by one that is not.
    #[error("{path}: this file is compressed, and --write writes plain text; unpack it first", path = .0.display())]
    Packed(PathBuf),
    /// There is more than one input for a single output.
    #[error("{0} files cannot share one standard output; add --write or --check")]
    ManyFiles(usize),
}

impl PartError for FmtError {}

/// A file of records.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Formatted<'a> {
    /// The file, as given.
    file: &'a str,
    /// Whether the file was in canonical form.
    canonical: bool,
    /// Whether the file was replaced.
    written: bool,
}

pub fn run(args: &FmtArgs) -> Result<Exit, CliError> {
    if !args.check && !args.write && args.files.len() > 1 {
        return Err(FmtError::ManyFiles(args.files.len()).into());
    }
    let limits = Limits::from(&args.limits);
    let mut out = ui::stdout();
    let mut exit = Exit::Clean;
    for path in &args.files {
        let done = if args.check || args.write {
            in_place(path, limits, args, &mut out)
        } else {
            to_stdout(path, limits)
        };
        exit = exit.max(ui::go_on(done)?);
    }
    out.flush()?;
    Ok(exit)
}

fn to_stdout(path: &Path, limits: Limits) -> Result<Exit, CliError> {
    let mut out = ui::stdout_for_files();
    format(open_input(path)?, &mut out, limits).map_err(|error| error.at(path))?;
    out.flush()?;
    Ok(Exit::Clean)
}

fn in_place(
    path: &Path,
    limits: Limits,
    args: &FmtArgs,
    out: &mut impl Write,
) -> Result<Exit, CliError> {
    if is_dash(path) && args.write {
        return Err(FmtError::NeedsFile.into());
    }
    if args.write && is_packed(path) {
        return Err(FmtError::Packed(path.to_owned()).into());
    }
    let canonical = if args.write {
        replace(path, limits)?
    } else {
        compare(path, io::sink(), limits).map_err(|error| error.at(path))?
    };
    let written = args.write && !canonical;
    let file = path.display().to_string();
    if args.json {
        ui::json(
            out,
            &Formatted {
                file: &file,
                canonical,
                written,
            },
        )?;
    } else if !canonical {
        let file = overboard_formats::foreign::visible(&file);
        let strong = shown(STRONG);
        writeln!(
            out,
            "{strong}{file}{strong:#}: {}",
            if written {
                "rewritten"
            } else {
                "not canonical"
            }
        )?;
    }
    Ok(Exit::with(!canonical && !written))
}

/// Replaces a file by its canonical form, unless it is canonical already.
fn replace(path: &Path, limits: Limits) -> Result<bool, CliError> {
    let fail = CliError::on(path);
    let target = path.canonicalize().map_err(fail)?;
    let folder = target.parent().unwrap_or(Path::new("."));
    // A file that may not be written may not be replaced either.
    let there = OpenOptions::new().write(true).open(&target).map_err(fail)?;
    let permissions = there.metadata().map_err(fail)?.permissions();
    // Windows does not replace a file that is open.
    drop(there);
    let mut draft = Draft::beside(&target).map_err(fail)?;
    let compared = compare(path, BufWriter::new(draft.file()), limits);
    if compared.map_err(|error| error.between(path, path))? {
        return Ok(true);
    }
    draft.replace(&target, Some(permissions)).map_err(fail)?;
    if cfg!(unix) {
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(fail)?;
    }
    Ok(false)
}

/// Writes the canonical form of a file to `out`; returns whether the file is canonical.
fn compare(path: &Path, out: impl Write, limits: Limits) -> Result<bool, TransferError> {
    let read = Arc::new(Mutex::new(Ahead::default()));
    let reader = Tee {
        inner: open(path).map_err(TransferError::Reading)?,
        read: Arc::clone(&read),
    };
    format(
        reader,
        Matching {
            inner: out,
            read: Arc::clone(&read),
        },
        limits,
    )?;
    let ahead = lock(&read);
    Ok(!ahead.differs && ahead.bytes.is_empty())
}

/// Text that was read but not written yet.
#[derive(Default)]
struct Ahead {
    bytes: VecDeque<u8>,
    differs: bool,
}

impl Ahead {
    /// Compares the next bytes that were read with those that are written.
    fn compare(&mut self, written: &[u8]) {
        let count = written.len();
        let same = !self.differs
            && self.bytes.len() >= count
            && self.bytes.drain(..count).eq(written.iter().copied());
        if !same {
            self.differs = true;
            self.bytes.clear();
        }
    }
}

struct Tee<R> {
    inner: R,
    read: Arc<Mutex<Ahead>>,
}

impl<R: Read> Read for Tee<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        let mut ahead = lock(&self.read);
        if !ahead.differs {
            ahead.bytes.extend(&into[..count]);
        }
        Ok(count)
    }
}

struct Matching<W> {
    inner: W,
    read: Arc<Mutex<Ahead>>,
}

impl<W: Write> Write for Matching<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        lock(&self.read).compare(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Writes the canonical form of a text.
pub fn format(
    reader: impl Read + Send,
    out: impl Write,
    limits: Limits,
) -> Result<(), TransferError> {
    rewrite(reader, out, limits).map_err(|error| TransferError::of(error, &limits))
}
