//! `view`: writes a game as one page to step through.

mod games;
pub mod growing;
mod kept;
pub mod opened;
pub mod packs;
pub mod page;
mod recorder;
mod said;
mod splice;
pub mod stage;
pub mod step_changes;
pub mod transcript;
mod variation;

use crate::{
    commands::show::ShowError,
    exit::{CliError, Exit, PartError},
    games::is_dash,
    input_copies::Sources,
    options::{JudgingArgs, without_findings},
    packed::unpacked_name,
    page::{PageParts, is_ours},
    sequence::{self, Wanted},
    sheets::{Own, open_game},
    ui,
};
use clap::Args;
use kept::KeptText;
use maud::html;
use overboard_events::atomic_files::{self, FileError};
use overboard_formats::{
    limits::Limits,
    parse::{Event, Parser},
    ply_rows::PlyRow,
};
use overboard_games::referee::AnyReferee;
use overboard_pictures::animation::Animation;
use overboard_referee::{Options, finding::Severity, game::record::Scene, report::Report};
use page::Name;
use recorder::{LeftOut, Recorder, Variation};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    slice,
};
use step_changes::StepChanges;

/// Write a game as a page to step through (HTML).
///
/// The page is one file that loads nothing: it works as a mail attachment and on a phone, and it can be printed. It
/// steps through the game in the order of play, across nested and linked boards, and marks the findings of `check`.
/// Without JavaScript it shows the moves and diagrams.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 the game has errors, which the page shows, 2 input cannot be read.\n\nExamples:\n  overboard view --open examples/overchess.npgn\n  overboard view examples/overchess.npgn -o game.html\n  overboard view --game 2 --at 4w examples/megachess.npgn -o game.html"
)]
pub struct ViewArgs {
    /// The file that holds the game; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Number of the game in the file; a score-sheet is shown within the game that it makes with others [default: a list of
    /// all games, from which each is opened].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub game: Option<u64>,
    /// The moment at which the page opens, as listed by `show --list` [default: the beginning].
    #[arg(
        long,
        value_name = "MOVE",
        default_value = "",
        hide_default_value = true
    )]
    pub at: String,
    /// The page to write; `-` is standard output [default: a file in the working directory, named after FILE; an earlier
    /// page there is replaced, any other file is not].
    #[arg(
        short,
        long,
        alias = "out",
        value_name = "FILE",
        hide_default_value = true
    )]
    pub output: Option<PathBuf>,
    /// Open the page in the browser.
    #[arg(long)]
    pub open: bool,
    /// Write a PNG file for every moment of the game to this folder instead, as `show --png-sequence` does.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["output", "at", "open"])]
    pub png_sequence: Option<PathBuf>,
    /// Continue after an illegal move as if it stood, where it is certain which piece went where.
    #[arg(long)]
    pub judge_on: bool,
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The game does not have this moment.
    #[error("--at {0}: this game has no such moment; `overboard show --list` lists them")]
    NoMoment(String),
    /// No browser was found.
    #[error("the page cannot be opened in a browser: {0}")]
    Unopened(io::Error),
    /// The page on standard output has no address.
    #[error("--open needs a file: a page on standard output cannot be opened")]
    OnOutput,
    /// The record has no position.
    #[error("{path}: game {game} has no position to show: {why}", path = path.display())]
    NoPosition {
        /// The file.
        path: PathBuf,
        /// The game requested.
        game: u64,
        /// What is wrong.
        why: String,
    },
}

impl PartError for ViewError {}

/// A game that has been followed.
pub struct Followed {
    /// What happens in it.
    pub rows: Vec<PlyRow>,
    /// What is visible of it.
    pub changes: StepChanges,
    /// The last picture of each board.
    pub last: BTreeMap<String, Scene>,
    /// Pictures of the boards that certain rows are about.
    pub kept: BTreeMap<usize, Scene>,
    /// Pictures of games inside as they ended.
    pub ends: Vec<Still>,
    /// Variations as they are written: the row that they belong to, and the text.
    pub variations: Vec<(usize, Variation)>,
    /// The referee's report.
    pub report: Report,
    /// The number of linked boards.
    pub boards: usize,
    /// The text of the record, unless it is too long for a page.
    pub record: Option<String>,
    /// What there was no room for.
    pub left_out: LeftOut,
}

/// A board as a picture by itself.
#[derive(Clone)]
pub struct Still {
    /// What it shows.
    pub title: String,
    /// The picture, as SVG.
    pub picture: String,
}

/// What a game is recorded on.
#[derive(Default)]
pub struct Empty {
    /// Its drawings.
    pub animation: Animation,
    /// Rows of which pictures are kept.
    pub keep: BTreeSet<usize>,
    /// The text that is read.
    pub text: KeptText,
    /// Whether the game may still be played.
    pub goes_on: bool,
}

/// Follows the game with this number that a parser reads; the number of games if it is not among them.
pub fn follow(
    parser: &mut Parser<'_>,
    game: u64,
    options: Options,
    empty: Empty,
) -> io::Result<Result<Followed, u64>> {
    let mut referee = AnyReferee::new(Options {
        rows: true,
        scenes: true,
        ..options
    });
    let mut count = 0;
    let text = empty.text.clone();
    let mut recorder = Recorder::new(empty);
    loop {
        let event = parser.next()?;
        if event == Event::Done {
            return Ok(Err(count));
        }
        if event == Event::Begin {
            count += 1;
            text.forget_before(parser.place().span.from);
        }
        if count != game {
            continue;
        }
        referee.hear(event, parser);
        let aside = std::iter::from_fn(|| referee.next_aside()).collect();
        recorder.hear(event, parser, referee.row_now(), aside);
        if recorder.is_full() {
            referee.stop_drawing();
        }
        let report = (event == Event::End).then(|| referee.take_report(parser));
        while let Some(seen) = referee.next_seen() {
            recorder.take(seen);
        }
        if let Some(report) = report {
            let record = text.of(report.span);
            return Ok(Ok(recorder.finish(
                report,
                record,
                referee.words_left_out(),
            )));
        }
    }
}

/// Follows a game that has been judged, by reading it again from its file.
pub fn follow_again(
    report: &Report,
    path: &Path,
    options: &Options,
    empty: Empty,
) -> io::Result<Followed> {
    let read = || {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(report.span.from))?;
        let from = report.span.from;
        let text = empty.text.reader(from, file);
        let mut parser = Parser::new(text, from, options.limits);
        follow_only(&mut parser, options, empty)
    };
    read().map_err(|error| io::Error::new(error.kind(), FileError::of(path, error)))
}

/// Follows the game of this text.
pub fn follow_text(text: &str, options: &Options, empty: Empty) -> io::Result<Followed> {
    let text = empty
        .text
        .reader(0, io::Cursor::new(text.as_bytes().to_vec()));
    let mut parser = Parser::new(text, 0, options.limits);
    follow_only(&mut parser, options, empty)
}

fn follow_only(parser: &mut Parser<'_>, options: &Options, empty: Empty) -> io::Result<Followed> {
    let followed = follow(parser, 1, options.clone(), empty)?;
    followed.map_err(|_| io::Error::other("it was changed while it was read"))
}

pub fn run(args: &ViewArgs) -> Result<Exit, CliError> {
    let limits = Limits::from(&args.judging.limits);
    let options = Options {
        judge_on: args.judge_on,
        ..without_findings(args.judging.options()?)
    };
    let number = args.game.unwrap_or(1);
    if let Some(folder) = &args.png_sequence {
        return sequence::write(&Wanted::of(&args.file, number, folder), options);
    }
    if args.open && args.output.as_deref().is_some_and(is_dash) {
        return Err(ViewError::OnOutput.into());
    }
    // What can be read only once is copied: whether it holds several games shows when it has been read.
    let sources = Sources::of(slice::from_ref(&args.file))?;
    let file = sources.files.first().unwrap_or(&args.file);
    if let Some((page, exit)) = games::page(args, file, &sources, &options)? {
        write_page(args, page)?;
        return Ok(exit);
    }
    let opened = open_game(file, number, limits)?;
    let (own, game) = (opened.own(), opened.game);
    let empty = Empty::default();
    let mut parser = Parser::new(empty.text.reader(0, opened.input), 0, limits);
    let followed = follow(&mut parser, game, options, empty).map_err(CliError::on(&args.file))?;
    let followed = followed.map_err(|count| ShowError::no_game(&args.file, number, count))?;
    if followed.last.is_empty() {
        return Err(no_position(args, &followed.report).into());
    }
    let at = moment(&followed.rows, &own, args.at.trim())?;
    let faults = followed.report.weight() == Some(Severity::Error);
    let name = Name {
        address: &format!("g{number}"),
        file: &record_name(&args.file),
    };
    write_page(args, page::of(followed, name, &at, &html! {}))?;
    if faults {
        ui::warn(&format!("game {number} has errors; the page shows them"));
    }
    Ok(Exit::with(faults))
}

fn no_position(args: &ViewArgs, report: &Report) -> ViewError {
    let why = report
        .findings
        .first()
        .map_or("its variant is unknown", |first| first.message.as_it_came());
    ViewError::NoPosition {
        path: args.file.clone(),
        game: args.game.unwrap_or(1),
        why: why.into(),
    }
}

/// The moment of these rows at which the page opens.
fn moment(rows: &[PlyRow], own: &Own, wanted: &str) -> Result<String, ViewError> {
    let all = || rows.iter().filter_map(|row| row.at.as_deref());
    let mut there = all().filter(|at| own.has(at));
    let at = match wanted {
        "" | "end" if !own.is_of_a_sub_game() => Some(wanted),
        "" => there.next(),
        "end" => there.next_back(),
        _ => all().find(|at| own.is(at, wanted)),
    };
    at.map(str::to_owned)
        .ok_or_else(|| ViewError::NoMoment(wanted.into()))
}

/// The name of the file that a record is downloaded as.
pub fn record_name(path: &Path) -> String {
    let name = if is_dash(path) {
        None
    } else {
        unpacked_name(path)
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    name.unwrap_or_else(|| "game.npgn".into())
}

/// Writes the page to the file that was asked for, or else to one in the working directory, whose name is printed. There
/// an earlier page is replaced; any other file is not.
fn write_page(args: &ViewArgs, page: PageParts) -> Result<(), CliError> {
    let path = match &args.output {
        Some(path) => {
            write(path, page)?;
            path.clone()
        }
        None => {
            let path = opened::page_name(&args.file);
            write_here(&path, page)?;
            writeln!(ui::stdout(), "{}", path.display())?;
            path
        }
    };
    if args.open {
        opened::open(&path)?;
    }
    Ok(())
}

fn write_here(path: &Path, page: PageParts) -> Result<(), CliError> {
    let written = if is_ours(path) {
        atomic_files::replace(path, |file| page.write(file))
    } else {
        atomic_files::create(path, |file| page.write(file))
    };
    written.map_err(CliError::on(path))
}

/// Writes a page, completely or not at all; `-` is standard output.
pub fn write(path: &Path, page: PageParts) -> Result<(), CliError> {
    if is_dash(path) {
        let mut out = ui::stdout();
        page.write(&mut out)?;
        return Ok(out.flush()?);
    }
    atomic_files::replace(path, |file| page.write(file)).map_err(CliError::on(path))
}
