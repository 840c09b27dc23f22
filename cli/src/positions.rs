//! Positions from the command line, or from the lines of a file, answered in order.

use crate::{
    bounded::without_mark,
    exit::{CliError, Exit, PartError},
    games::{TransferError, open_input},
    options::{JobsArgs, VariantName},
    position_output::PositionOutput,
    threads, ui,
};
use clap::Args;
use overboard_formats::{encoding::decode, foreign::visible, limits::Limits};
use overboard_games::registry::AnyGame;
use overboard_referee::game::{position::PositionError, tags::option_faults};
use rayon::{ThreadPool, prelude::*};
use serde::Serialize;
use std::{
    fmt,
    io::{self, BufRead, BufReader, Read, Write},
    path::PathBuf,
    time::{Duration, Instant},
};

/// Which positions of which game.
#[derive(Args, Debug)]
pub struct PositionArgs {
    /// The game.
    #[arg(long, value_name = "NAME", default_value = "chess", ignore_case = true)]
    pub variant: VariantName,
    /// Level of Recursive Chess, 0 to 64 [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=64))]
    pub level: Option<u8>,
    /// Number of boards of StrategiChess in the initial position [default: 1].
    #[arg(long, value_name = "N", conflicts_with_all = ["fen", "fens"], value_parser = clap::value_parser!(u16).range(1..))]
    pub boards: Option<u16>,
    /// Maximum number of boards of StrategiChess.
    #[arg(long, value_name = "N", default_value_t = 1_024)]
    pub max_boards: usize,
    /// The position [default: the initial position].
    #[arg(long, value_name = "FEN", conflicts_with = "fens")]
    pub fen: Option<String>,
    /// Read positions from this file, one on each line; `-` is standard input. Empty lines and lines that begin with
    /// `#` are skipped.
    #[arg(long, value_name = "FILE")]
    pub fens: Option<PathBuf>,
    /// Options of the game, such as `fog:prisoners` or `edition=2025`.
    #[arg(
        long,
        value_name = "LIST",
        default_value = "",
        hide_default_value = true
    )]
    pub rules: String,
    /// Print one JSON object for each position.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub threads: JobsArgs,
}

/// Bytes read at once.
const BLOCK: usize = 1 << 18;
/// The longest line that is accepted as a position, in bytes.
const LONGEST: usize = 16 << 20;
/// Plies of nested boards that are listed at once. They are sorted, so all are held, at a hundred bytes each: three levels have
/// up to a million, and four have twenty million from the first.
const MOST_LISTED: u64 = 2_000_000;
/// First plies that are counted.
const MOST_COUNTED: u64 = 10_000_000;
/// Characters that are repeated of a line that is no position.
const ECHO: usize = 1_000;
/// How many of them are shown to a person.
const SHOWN: usize = 200;
/// Most lines answered at a time, so that their answers stay in a near cache, and the time after which answers are due.
const MOST: usize = 1 << 9;
const DUE: Duration = Duration::from_millis(50);
/// Parts into which the lines of each thread are divided, so that no thread waits for long.
const SHARES: usize = 16;
/// The most lines whose output shares one buffer, so that it stays small.
const NEIGHBOURS: usize = 64;

/// Why positions of a game cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PositionsError {
    /// The game is not supported.
    #[error("this version does not know the rules of {0}")]
    NoRules(&'static str),
    /// A level was given for a game that has none.
    #[error("--level is for Recursive Chess, not for {0}")]
    NoLevel(&'static str),
    /// A number of boards was given for a game without linked boards.
    #[error("--boards is for StrategiChess, not for {0}")]
    NoBoards(&'static str),
    /// There are more boards than the limit allows.
    #[error("--boards: {0} boards are more than the limit of {1} (--max-boards)")]
    TooManyBoards(u16, usize),
    /// The game is not won by mate alone.
    #[error("`winnable` answers for games with the laws of chess, not for {0}")]
    NoMates(&'static str),
    /// The game does not have these rules.
    #[error("--rules: {0}")]
    Rules(String),
}

impl PartError for PositionsError {}

/// The game in its initial position.
pub fn start(args: &PositionArgs) -> Result<AnyGame, CliError> {
    let limits = Limits {
        boards: args.max_boards,
        ..Limits::default()
    };
    agreed(args.variant, args.boards, args.level, &args.rules, &limits)
}

/// The initial position of a game on this many boards, of this level, under these rules (the form of the tag Rules).
pub fn agreed(
    variant: VariantName,
    boards: Option<u16>,
    level: Option<u8>,
    rules: &str,
    limits: &Limits,
) -> Result<AnyGame, CliError> {
    let game = variant.game();
    let (info, name) = (game.info(), game.name());
    let level = variant.level(level)?;
    if level.is_some() && !info.has_levels {
        return Err(PositionsError::NoLevel(name).into());
    }
    if !rules.is_empty()
        && let Some(fault) = option_faults(rules, info, limits).into_iter().next()
    {
        return Err(PositionsError::Rules(fault).into());
    }
    if boards.is_some() && !info.has_boards {
        return Err(PositionsError::NoBoards(name).into());
    }
    if let Some(boards) = boards
        && usize::from(boards) > limits.boards
    {
        return Err(PositionsError::TooManyBoards(boards, limits.boards).into());
    }
    // All that can still be wrong is the depth, and errors in the rules include that.
    let start = AnyGame::agreed(game, boards.unwrap_or(1), level, rules);
    start.ok_or_else(|| PositionsError::NoRules(name).into())
}

/// A position that cannot be used.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "UnusablePosition")
)]
pub struct Refused<'a> {
    /// The text as it was given, up to 1000 characters of it.
    fen: &'a str,
    /// What is wrong, in words.
    error: String,
    /// The first byte of `fen` that is meant, and the one after the last, counted from 0; null if all of it is meant.
    bytes: Option<[usize; 2]>,
}

/// What is done with the legal plies of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum With {
    /// All are held, to be printed in order.
    Listing,
    /// They are only counted.
    Counting,
}

impl With {
    const fn most(self) -> (u64, &'static str) {
        match self {
            Self::Listing => (MOST_LISTED, "listed"),
            Self::Counting => (MOST_COUNTED, "counted"),
        }
    }
}

/// Answers every position that was asked about: the game's first one, the one of `--fen`, or each
/// line of `--fens`. `answer` writes what is to be said of a position, given its text.
pub fn each(
    args: &PositionArgs,
    with: With,
    answer: impl Fn(&AnyGame, &str, &mut PositionOutput) -> io::Result<()> + Sync,
) -> Result<Exit, CliError> {
    let start = start(args)?;
    let pool = threads::pool(args.threads.jobs)?;
    let line = |text: &str, out: &mut PositionOutput| say((&start, with), text, args, &answer, out);
    let mut out = ui::stdout();
    let exit = match (&args.fen, &args.fens) {
        (_, Some(path)) => {
            let reader = open_input(path)?;
            let mut lines = Lines {
                pool,
                line,
                out: &mut out,
                rooms: Vec::new(),
                batch: 1,
                exit: Exit::Clean,
            };
            lines.answer_all(reader).map_err(|error| error.at(path))?
        }
        (fen, None) => {
            let text = match fen {
                Some(fen) => fen.trim(),
                None => &start.fen(),
            };
            match position(&start, with, text, &args.rules) {
                // A lone complaint is no answer, unless a program is to read it.
                Err(refused) if !args.json => {
                    ui::complain_at_length(&refused);
                    Exit::Unusable
                }
                _ => {
                    let mut answer = PositionOutput::default();
                    let exit = pool.install(|| line(text, &mut answer));
                    out.write_all(answer.text())?;
                    exit
                }
            }
        }
    };
    out.flush()?;
    Ok(exit)
}

/// Writes the output for one text: its answer, or why it is not a position.
fn say(
    (start, with): (&AnyGame, With),
    text: &str,
    args: &PositionArgs,
    answer: impl Fn(&AnyGame, &str, &mut PositionOutput) -> io::Result<()>,
    out: &mut PositionOutput,
) -> Exit {
    let (said, exit) = match position(start, with, text, &args.rules) {
        Ok(position) => (answer(&position, text, out), Exit::Clean),
        Err(refused) => (refuse(&refused, args, out), Exit::Unusable),
    };
    // Writing to a `String` cannot fail.
    if said.is_ok() { exit } else { Exit::Unusable }
}

fn refuse(refused: &Refused, args: &PositionArgs, out: &mut PositionOutput) -> io::Result<()> {
    if args.json {
        return ui::json(out, refused);
    }
    let bad = ui::shown(ui::BAD);
    writeln!(out, "{bad}error{bad:#}: {refused}")
}

/// Answers lines in order.
struct Lines<'a, W, F> {
    pool: ThreadPool,
    line: F,
    out: &'a mut W,
    /// The output for neighbouring lines, for all groups in progress.
    rooms: Vec<PositionOutput>,
    /// How many lines are answered at a time.
    batch: usize,
    exit: Exit,
}

impl<W: Write, F: Fn(&str, &mut PositionOutput) -> Exit + Sync> Lines<'_, W, F> {
    /// Answers what has arrived as soon as no more is waiting, so that another program can talk line by line.
    fn answer_all(&mut self, reader: Box<dyn Read>) -> Result<Exit, TransferError> {
        let mut reader = BufReader::with_capacity(BLOCK, reader);
        let mut begun = Vec::new();
        let mut is_first = true;
        loop {
            let block = reader.fill_buf().map_err(TransferError::Reading)?;
            let length = block.len();
            let end = if block.is_empty() {
                Some(0)
            } else {
                memchr::memrchr(b'\n', block)
            };
            // A longer line is refused, so only this much of it is read.
            let room = (LONGEST + 1).saturating_sub(begun.len());
            let next = memchr::memchr(b'\n', block).unwrap_or(length);
            begun.extend_from_slice(&block[..next.min(room)]);
            if let Some(end) = end {
                begun.extend_from_slice(block.get(next..end).unwrap_or_default());
                let text = if is_first {
                    without_mark(&begun)
                } else {
                    &begun
                };
                self.answer(text).map_err(TransferError::Writing)?;
                begun.clear();
                begun.extend_from_slice(block.get(end + 1..).unwrap_or_default());
                is_first = false;
            }
            if length == 0 {
                return Ok(self.exit);
            }
            reader.consume(length);
        }
    }

    /// Answers these lines, only a few at a time if each takes long.
    fn answer(&mut self, text: &[u8]) -> io::Result<()> {
        let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let asked: Vec<_> = lines
            .filter(|text| !text.is_empty() && !text.starts_with(b"#"))
            .collect();
        let mut rest = asked.as_slice();
        while !rest.is_empty() {
            let (now, later) = rest.split_at(self.batch.min(rest.len()));
            let began = Instant::now();
            let exits = self.answers(now);
            for (answer, exit) in self.rooms.iter_mut().zip(exits) {
                self.out.write_all(answer.text())?;
                answer.clear();
                self.exit = self.exit.max(exit);
            }
            if began.elapsed() < DUE {
                self.batch = (self.batch * 2).min(MOST);
            } else {
                self.batch = (self.batch / 2).max(self.pool.current_num_threads());
                self.out.flush()?;
            }
            rest = later;
        }
        self.out.flush()
    }

    /// Answers these lines, neighbours in one buffer; returns the exit code of each buffer.
    fn answers(&mut self, asked: &[&[u8]]) -> Vec<Exit> {
        let neighbours =
            (asked.len() / (self.pool.current_num_threads() * SHARES)).clamp(1, NEIGHBOURS);
        let rooms = asked.len().div_ceil(neighbours);
        if self.rooms.len() < rooms {
            self.rooms.resize_with(rooms, PositionOutput::default);
        }
        let line = &self.line;
        let answer = |(texts, room): (&[&[u8]], &mut PositionOutput)| {
            let exits = texts.iter().map(|text| line(&decode(text).0, room));
            exits.fold(Exit::Clean, Exit::max)
        };
        let rooms = &mut self.rooms;
        self.pool.install(|| {
            asked
                .par_chunks(neighbours)
                .zip(rooms.par_iter_mut())
                .map(answer)
                .collect()
        })
    }
}

fn position<'a>(
    start: &AnyGame,
    with: With,
    text: &'a str,
    rules: &str,
) -> Result<AnyGame, Refused<'a>> {
    if text.len() > LONGEST {
        let error = format!("the line is longer than {LONGEST} bytes");
        return Err(Refused::of(text, error));
    }
    let refused = |fault| match fault {
        PositionError::Text(fault) => Refused {
            bytes: Some([fault.bytes.start, fault.bytes.end]),
            ..Refused::of(text, format!("the position cannot be read: {fault}"))
        },
        fault => Refused::of(text, fault.to_string()),
    };
    let position = start.read_under(text, rules).map_err(refused)?.position;
    let (most, done) = with.most();
    let plies = match position.count_many() {
        Some(plies) if plies <= most => return Ok(position),
        Some(plies) => plies.to_string(),
        None => "more than 2^64".to_string(),
    };
    let error = format!("{plies} plies are legal here; at most {most} can be {done}");
    Err(Refused::of(text, error))
}

impl<'a> Refused<'a> {
    /// A text that is refused as a whole.
    fn of(text: &'a str, error: String) -> Self {
        let fen = match text.char_indices().nth(ECHO) {
            Some((end, _)) => &text[..end],
            None => text,
        };
        Self {
            fen,
            error,
            bytes: None,
        }
    }
}

impl fmt::Display for Refused<'_> {
    /// The reason, the text, and marks under the bytes at fault if they can be shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line: String = self.fen.chars().take(SHOWN).collect();
        let shown = visible(&line);
        write!(f, "{}\n  {shown}", visible(&self.error))?;
        let characters = |to: usize| match self.fen.get(..to) {
            Some(text) => text.chars().count().min(SHOWN),
            None => SHOWN,
        };
        match self.bytes {
            Some([from, to]) if from <= line.len() && *shown == *line => {
                let before = characters(from);
                let marked = characters(to).saturating_sub(before).max(1);
                write!(f, "\n  {}{}", " ".repeat(before), "^".repeat(marked))
            }
            _ => Ok(()),
        }
    }
}
