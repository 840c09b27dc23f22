//! Positions from the command line or one a line from a file, answered in their order.

use crate::{
    args::PositionArgs,
    exit::{Exit, Failure},
    games::{Trouble, open},
    ui,
};
use overboard_formats::{
    any::AnyPosition,
    encoding::{decode, visible},
    header::{Game, option_faults},
    limits::Limits,
    notation::Unusable,
};
use rayon::prelude::*;
use serde::Serialize;
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    ops::Range,
};

/// Bytes read at once.
const BLOCK: usize = 1 << 18;
/// Bytes of the longest line that is taken for a position.
const LONGEST: usize = 16 << 20;
/// Positions that a thread takes at a time.
const SHARE: usize = 32;

/// The game asked about, standing at its first position.
pub fn start(args: &PositionArgs) -> Result<AnyPosition, Failure> {
    let game = args.variant.game();
    let start = AnyPosition::start(game).ok_or(Failure::NoRules(game.name()))?;
    if args.level.is_some() && game != Game::Mega {
        return Err(Failure::NoLevel(game.name()));
    }
    let faults =
        if args.rules.is_empty() { Vec::new() } else { option_faults(&args.rules, game, &Limits::default()) };
    faults.into_iter().next().map_or(Ok(start), |fault| Err(Failure::BadRules(fault)))
}

/// A position that could not be used.
#[derive(Serialize)]
struct Refused<'a> {
    fen: &'a str,
    error: String,
    bytes: Option<[usize; 2]>,
}

/// Answers every position that was asked about: the game's first one, the one of `--fen`, or each
/// line of `--fens`. `answer` writes what is to be said of a position, given its text.
pub fn each(
    args: &PositionArgs,
    answer: impl Fn(&AnyPosition, &str, &mut Vec<u8>) -> io::Result<()> + Sync,
) -> Result<Exit, Failure> {
    let start = start(args)?;
    let line = |text: &str| -> (Vec<u8>, Exit) {
        let mut out = Vec::new();
        let exit = match start.read(text) {
            Ok((position, _)) => answer(&position, text, &mut out).map(|()| Exit::Clean),
            Err(fault) => refuse(text, &fault, args.json, &mut out).map(|()| Exit::Unusable),
        };
        // Memory can be written.
        (out, exit.unwrap_or(Exit::Unusable))
    };
    let mut out = ui::stdout();
    let exit = match (&args.fen, &args.fens) {
        (_, Some(path)) => {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(args.jobs.map_or(0, usize::from))
                .build()
                .map_err(|error| Failure::Threads(error.to_string()))?;
            let reader = open(path).map_err(|error| Failure::file(path, error))?;
            each_line(reader, &pool, line, &mut out).map_err(|trouble| trouble.at(path))?
        }
        (Some(fen), None) => say(line(fen.trim()), &mut out)?,
        (None, None) => say(line(&start.fen()), &mut out)?,
    };
    out.flush()?;
    Ok(exit)
}

fn say((text, exit): (Vec<u8>, Exit), out: &mut impl Write) -> io::Result<Exit> {
    out.write_all(&text)?;
    Ok(exit)
}

/// Answers what has come in as soon as no more is waiting, so that another program may talk line by
/// line.
fn each_line(
    reader: Box<dyn Read>,
    pool: &rayon::ThreadPool,
    line: impl Fn(&str) -> (Vec<u8>, Exit) + Sync,
    out: &mut impl Write,
) -> Result<Exit, Trouble> {
    let mut reader = BufReader::with_capacity(BLOCK, reader);
    let mut exit = Exit::Clean;
    let mut begun = Vec::new();
    let mut answer = |text: &[u8], out: &mut dyn Write| -> io::Result<()> {
        let lines: Vec<_> = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
        let answers = lines.par_chunks(SHARE).map(|share| {
            let asked = share.iter().filter(|text| !text.is_empty() && !text.starts_with(b"#"));
            asked.map(|text| line(&decode(text).0)).collect::<Vec<_>>()
        });
        let answers: Vec<_> = pool.install(|| answers.collect());
        for (text, this) in answers.into_iter().flatten() {
            out.write_all(&text)?;
            exit = exit.max(this);
        }
        out.flush()
    };
    loop {
        let block = reader.fill_buf().map_err(Trouble::Reading)?;
        if block.is_empty() {
            answer(&begun, out).map_err(Trouble::Writing)?;
            return Ok(exit);
        }
        let length = block.len();
        match memchr::memrchr(b'\n', block) {
            Some(end) => {
                begun.extend_from_slice(&block[..end]);
                answer(&begun, out).map_err(Trouble::Writing)?;
                begun.clear();
                begun.extend_from_slice(&block[end + 1..]);
            }
            // What is too long to be a position is cut, and refused as none.
            None => begun.extend_from_slice(&block[..length.min(LONGEST.saturating_sub(begun.len()))]),
        }
        reader.consume(length);
    }
}

fn refuse(text: &str, fault: &Unusable, json: bool, out: &mut Vec<u8>) -> io::Result<()> {
    let bytes = match fault {
        Unusable::Text(fault) => Some(fault.bytes.clone()),
        _ => None,
    };
    let error = match fault {
        Unusable::Text(_) => format!("the position cannot be read: {fault}"),
        _ => fault.to_string(),
    };
    if json {
        let bytes = bytes.map(|Range { start, end }| [start, end]);
        return ui::json(out, &Refused { fen: text, error, bytes });
    }
    writeln!(out, "error: {}", visible(&error))?;
    let shown: String = text.chars().take(200).collect();
    writeln!(out, "  {}", visible(&shown))?;
    match bytes {
        Some(bytes) if shown.len() >= bytes.start && *shown == *visible(&shown) => {
            let before = text[..bytes.start].chars().count();
            let marked = text[bytes.clone()].chars().count().clamp(1, 200);
            writeln!(out, "  {}{}", " ".repeat(before), "^".repeat(marked))
        }
        _ => Ok(()),
    }
}
