//! `view`: writes a game as one page to step through.

pub mod page;
mod recorder;
mod said;
mod splice;
mod tape;
pub mod transcript;

use crate::{
    commands::show::ShowError,
    exit::{CliError, Exit},
    games::is_stdin,
    options::JudgingArgs,
    sequence::{self, Wanted},
    sheets::open_game,
    ui,
};
use clap::Args;
use maud::html;
use overboard_events::whole::{self, FileError};
use overboard_formats::{
    limits::Limits,
    parse::{Event, Parser},
    ply_rows::PlyRow,
};
use overboard_games::referee::AnyReferee;
use overboard_pictures::film::Film;
use overboard_referee::{Options, finding::Severity, game::record::Scene, report::Report};
use recorder::{Recorder, Variation};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};
use tape::Tape;

/// Write a game as a page to step through (HTML).
///
/// The page is one file that loads nothing: it works as a mail attachment and on a phone, and it can be printed. It
/// steps through the game in the order of play, across nested and linked boards, and marks the findings of `check`.
/// Without JavaScript it shows the moves and diagrams.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 the game has errors, which the page shows, 2 input cannot be read.\n\nExamples:\n  overboard view examples/overchess.npgn -o game.html\n  overboard view --game 2 --at 4w examples/megachess.npgn -o game.html"
)]
pub struct ViewArgs {
    /// The file that holds the game; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Number of the game in the file; a score-sheet is shown within the game that it makes with others.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub game: u64,
    /// The moment at which the page opens, as listed by `show --list` [default: the beginning].
    #[arg(
        long,
        value_name = "MOVE",
        default_value = "",
        hide_default_value = true
    )]
    pub at: String,
    /// The page to write; `-` is standard output. Required without --png-sequence.
    #[arg(
        short,
        long,
        alias = "out",
        value_name = "FILE",
        required_unless_present = "png_sequence"
    )]
    pub output: Option<PathBuf>,
    /// Write a PNG file for every moment of the game to this folder instead, as `show --png-sequence` does.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["output", "at"])]
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

/// A game that has been followed.
pub struct Followed {
    /// What happens in it.
    pub rows: Vec<PlyRow>,
    /// What is visible of it.
    pub tape: Tape,
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
}

/// A board as a picture by itself.
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
    pub film: Film,
    /// Rows of which pictures are kept.
    pub keep: BTreeSet<usize>,
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
    let mut recorder = Recorder::new(empty);
    loop {
        let event = parser.next()?;
        if event == Event::Done {
            return Ok(Err(count));
        }
        count += u64::from(event == Event::Begin);
        if count != game {
            continue;
        }
        referee.hear(event, parser);
        let aside = std::iter::from_fn(|| referee.next_aside()).collect();
        recorder.hear(event, parser, referee.row_now(), aside);
        let report = (event == Event::End).then(|| referee.take_report(parser));
        while let Some(reported) = referee.next_seen() {
            recorder.take(reported);
        }
        if let Some(report) = report {
            return Ok(Ok(recorder.finish(report)));
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
        let mut parser = Parser::new(file, report.span.from, options.limits);
        follow_only(&mut parser, options, empty)
    };
    read().map_err(|error| io::Error::new(error.kind(), FileError::of(path, error)))
}

/// Follows the game of this text.
pub fn follow_text(text: &str, options: &Options, empty: Empty) -> io::Result<Followed> {
    follow_only(
        &mut Parser::new(text.as_bytes(), 0, options.limits),
        options,
        empty,
    )
}

fn follow_only(parser: &mut Parser<'_>, options: &Options, empty: Empty) -> io::Result<Followed> {
    let followed = follow(parser, 1, options.clone(), empty)?;
    followed.map_err(|_| io::Error::other("it was changed while it was read"))
}

pub fn run(args: &ViewArgs) -> Result<Exit, CliError> {
    let fail = |error| CliError::file(&args.file, error);
    let limits = Limits::from(&args.judging.limits);
    let options = Options {
        judge_on: args.judge_on,
        count_notes: true,
        no_excerpts: true,
        ..args.judging.options()?
    };
    let Some(output) = &args.output else {
        return args
            .png_sequence
            .as_deref()
            .map_or(Ok(Exit::Clean), |folder| {
                sequence::write(&Wanted::of(&args.file, args.game, folder), options)
            });
    };
    let opened = open_game(&args.file, args.game, limits)?;
    let (own, game) = (opened.own(), opened.game);
    let mut parser = Parser::new(opened.input, 0, limits);
    let followed = follow(&mut parser, game, options, Empty::default()).map_err(fail)?;
    let followed = followed.map_err(|count| ShowError::NoGame {
        path: args.file.clone(),
        game: args.game,
        count,
    })?;
    let wanted = args.at.trim();
    if followed.last.is_empty() {
        let why = followed
            .report
            .findings
            .first()
            .map_or("its variant is unknown", |first| first.message.as_it_came());
        let (path, game) = (args.file.clone(), args.game);
        return Err(ViewError::NoPosition {
            path,
            game,
            why: why.into(),
        }
        .into());
    }
    let mut there = followed
        .rows
        .iter()
        .filter_map(|row| row.at.as_deref())
        .filter(|at| own.has(at));
    let at = match wanted {
        "" | "end" if !own.is_of_a_sub_game() => Some(wanted),
        "" => there.next(),
        "end" => there.next_back(),
        _ => followed
            .rows
            .iter()
            .filter_map(|row| row.at.as_deref())
            .find(|at| own.is(at, wanted)),
    };
    let at = at
        .ok_or_else(|| ViewError::NoMoment(wanted.into()))?
        .to_owned();
    let faults = followed.report.weight() == Some(Severity::Error);
    write(
        output,
        &page::of(followed, &format!("g{}", args.game), &at, &html! {}),
    )?;
    if faults {
        ui::warn(&format!(
            "game {} has errors; the page shows them",
            args.game
        ));
    }
    Ok(if faults { Exit::Findings } else { Exit::Clean })
}

/// Writes a page, completely or not at all; `-` is standard output.
pub fn write(path: &Path, page: &str) -> Result<(), CliError> {
    if is_stdin(path) {
        let mut out = ui::stdout();
        out.write_all(page.as_bytes())?;
        return Ok(out.flush()?);
    }
    whole::replace(path, |file| file.write_all(page.as_bytes()))
        .map_err(|error| CliError::file(path, error))
}
