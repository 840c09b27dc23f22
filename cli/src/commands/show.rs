//! `show`: the position after any move of a game.

mod finding;
mod moment;

use crate::{
    exit::{CliError, Exit, PartError},
    finding_details::joined,
    games::is_dash,
    moments,
    options::{LimitArgs, VariantName},
    picture, positions,
    sequence::{self, MOST, Wanted},
    sheets::open_game,
    ui,
};
use clap::{Args, ValueEnum};
use moment::{at_of, from_record, number_of};
use overboard_formats::{
    canonical::Canonical, foreign::Foreign, limits::Limits, parse::Parser, san::Spelt,
};
use overboard_games::{
    referee::replay::{Moment, Replay},
    registry::AnyGame,
};
use overboard_pictures::diagram::Diagram;
use overboard_referee::{Options, report::Report};
use overboard_rules::{refusal::counted, variant::ChessWithin};
use serde::Serialize;
use std::{
    io::{self, IsTerminal, Write},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

/// Show a position of a game, or of a FEN (diagram).
///
/// Without a file and without --fen, shows the initial position of --variant. If the game does not reach the move asked
/// for, shows the last known position, with a warning and exit code 1.
#[derive(Args, Debug)]
#[command(
    group = clap::ArgGroup::new("picture").multiple(true),
    after_help = "Exit codes: 0 done, 1 the game does not get there, 2 input cannot be read.\n\nExamples:\n  overboard show --at 12b examples/history.pgn\n  overboard show --game 2 --at end --svg end.svg examples/history.pgn\n  overboard show --variant olympic --fen '4k/1+P3/5/5/K4[RRsp] b - - 0 9'"
)]
pub struct ShowArgs {
    /// The file that holds the game; `-` is standard input.
    #[arg(value_name = "FILE", conflicts_with_all = ["fen", "variant"])]
    pub file: Option<PathBuf>,
    /// Number of the game in the file; a score-sheet is shown within the game that it makes with others.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "file", conflicts_with_all = ["fen", "variant"], value_parser = clap::value_parser!(u64).range(1..))]
    pub game: u64,
    /// Where in the game: `start`, `end`, or after a move: `23w` or `23.` for White's move 23, `23b` or `23...` for
    /// Black's. On linked boards `23A` and `23a` are after move 23 of White and of Black on board A. In Mega-Chess
    /// `23w.A2` is within White's turn 23, after its item on A2. In Overchess `2w.d5.7b` is after Black's move 7 in the
    /// sub-game on d5 that follows White's over-move 2, and `2w.d5` is the end of that sub-game.
    #[arg(long, value_name = "MOVE", default_value = "end", requires = "file", conflicts_with_all = ["fen", "variant"])]
    pub at: String,
    /// Show the board at the first finding of `check` that has one, or at the N-th: the position before the move, the
    /// message and the rule, with the squares concerned marked.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", require_equals = true, requires = "file", conflicts_with_all = ["at", "board", "as_fen", "json", "list", "around", "png_sequence"])]
    pub finding: Option<NonZeroUsize>,
    /// Also draw the boards around a sub-game, the outermost first.
    #[arg(long, requires = "file", conflicts_with_all = ["board", "as_fen", "json", "list"])]
    pub around: bool,
    /// List every moment that --at takes, with its position; in Overchess also those of sub-games, in Mega-Chess also
    /// those within turns.
    #[arg(long, requires = "file", conflicts_with_all = ["at", "fen", "variant", "board", "ascii", "pieces", "flip", "as_fen", "picture"])]
    pub list: bool,
    /// Show this position instead of one of a game.
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// With --fen, or alone: the game that the position belongs to.
    #[arg(long, value_name = "NAME", default_value = "chess", ignore_case = true)]
    pub variant: VariantName,
    /// Level of Recursive Chess [default: 1].
    #[arg(long, value_name = "N", conflicts_with = "file", value_parser = clap::value_parser!(u8).range(..=64))]
    pub level: Option<u8>,
    /// Number of boards of StrategiChess [default: 1].
    #[arg(long, value_name = "N", conflicts_with_all = ["file", "fen"], value_parser = clap::value_parser!(u16).range(1..))]
    pub boards: Option<u16>,
    /// Options of the game, such as `fog:prisoners`; with a record, in addition to those in its tag Rules.
    #[arg(
        long,
        value_name = "LIST",
        default_value = "",
        hide_default_value = true
    )]
    pub rules: String,
    /// Continue after an illegal move as if it stood, where it is certain which piece went where.
    #[arg(long, requires = "file")]
    pub judge_on: bool,
    /// Show only this board: `B` of linked boards, `A2` or `A2.B1` of nested ones, `e5` for the sub-game being played
    /// there.
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
    /// How pieces are drawn, in text and in pictures: as figurines, or as letters, upper case for White and lower case
    /// for Black.
    #[arg(long, value_name = "HOW", default_value = "figurines")]
    pub pieces: Pieces,
    /// Draw letters in text; the same as --pieces letters.
    #[arg(long, hide_short_help = true, conflicts_with = "pieces")]
    pub ascii: bool,
    /// Draw the board from Black's side, linked and nested boards too.
    #[arg(long)]
    pub flip: bool,
    /// Print the position as FEN.
    #[arg(long = "as-fen", conflicts_with = "json")]
    pub as_fen: bool,
    /// Write an SVG file; `-` is standard output.
    #[arg(long, value_name = "FILE", group = "picture")]
    pub svg: Option<PathBuf>,
    /// Write a PNG file; `-` is standard output.
    #[arg(long, value_name = "FILE", group = "picture")]
    pub png: Option<PathBuf>,
    /// Write a PNG file for every moment of the game to this folder, which must be new or empty. The file names sort in
    /// order of play.
    #[arg(long, value_name = "FOLDER", group = "picture", requires = "file", conflicts_with_all = ["at", "svg", "png", "fen", "variant", "board", "ascii", "as_fen", "json", "around"])]
    pub png_sequence: Option<PathBuf>,
    /// With --png-sequence: make at most this many pictures, else none.
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = MOST, requires = "png_sequence")]
    pub max_pictures: u64,
    /// With --svg or --png: pixels of a square [default: 60, fewer where a side would have more than 4000 pixels].
    #[arg(long, value_name = "PIXELS", requires = "picture", value_parser = clap::value_parser!(u16).range(8..=400))]
    pub size: Option<u16>,
    /// Draw letters in pictures; the same as --pieces letters.
    #[arg(
        long,
        hide_short_help = true,
        requires = "picture",
        conflicts_with = "pieces"
    )]
    pub letters: bool,
    /// Print a JSON object with the position and its place in the game.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// How pieces are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Pieces {
    /// As figurines.
    Figurines,
    /// As letters.
    Letters,
}

impl ShowArgs {
    /// Whether text has letters.
    fn letters_in_text(&self) -> bool {
        self.ascii || self.pieces == Pieces::Letters
    }

    /// Whether pictures have letters.
    fn letters_in_pictures(&self) -> bool {
        self.letters || self.pieces == Pieces::Letters
    }
}

/// A position and its place in a game.
#[derive(Default)]
struct Scene {
    position: Option<AnyGame>,
    ply: u32,
    last: Option<Canonical>,
    players: [Option<String>; 2],
    /// The steps to the over-game, if it is itself a sub-game.
    way: Option<String>,
    /// The only known board, if the others are unknown.
    alone: Option<&'static str>,
    /// Why it is not the requested one.
    short: Option<String>,
}

/// A position of a game.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Position")
)]
pub struct Shown {
    /// The position, in canonical form; with `--board` that of the board alone.
    fen: String,
    /// The game's name.
    variant: &'static str,
    /// Plies of the main line before it; 0 for the starting position, and for `--fen`.
    ply: u32,
    /// The move that led to it; null if there is none, or if it was an illegal one that stands.
    last: Option<String>,
    /// The status of the position, as for `moves`.
    status: &'static str,
}

/// Why nothing can be shown.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// The moment cannot be parsed.
    #[error(
        "--at {0}: expected `start`, `end`, or a move such as `23w` or `23b`, or `2w.d5.7b` in a sub-game{hint}", hint = whose_move(.0)
    )]
    Moment(String),
    /// The game does not have this moment.
    #[error("--at {0}: this game has no such moment; --list lists them")]
    NoMoment(String),
    /// The game does not have this finding.
    #[error("--finding={0}: {count} a board to show", count = with_boards(*.1))]
    NoFinding(usize, usize),
    /// The file has fewer games.
    #[error("{path}: there is no game {game}; {how_many}", path = path.display(), how_many = how_many(*count))]
    NoGame {
        /// The file.
        path: PathBuf,
        /// The game asked for.
        game: u64,
        /// How many it has.
        count: u64,
    },
    /// There is no such board.
    #[error("--board {0}: {1}")]
    NoBoard(String, String),
    /// There is no such sub-game.
    #[error("--at {0}: {1}")]
    NoSubGame(String, String),
    /// The position cannot be used.
    #[error("the FEN `{0}`: {1}")]
    Fen(String, String),
    /// More than one output goes to standard output.
    #[error("standard output takes only one form; write the others to files")]
    OneOutput,
    /// A picture would go to a terminal.
    #[error("a terminal cannot show a PNG; write it to a file, or into a pipe")]
    NoTerminal,
}

impl PartError for ShowError {}

impl ShowError {
    /// That a file has only so many games.
    pub fn no_game(path: &Path, game: u64, count: u64) -> Self {
        Self::NoGame {
            path: path.to_owned(),
            game,
            count,
        }
    }
}

/// The question to ask about a number without a side.
fn whose_move(at: &str) -> String {
    let is_number = !at.is_empty() && at.bytes().all(|byte| byte.is_ascii_digit());
    if is_number {
        format!("; `{at}w` is White's move {at}, `{at}b` Black's")
    } else {
        String::new()
    }
}

fn with_boards(findings: usize) -> String {
    match findings {
        0 => "no finding in this game has".into(),
        1 => "only one finding in this game has".into(),
        _ => format!("only {findings} findings in this game have"),
    }
}

fn how_many(games: u64) -> String {
    match games {
        0 => "the file has no games".into(),
        _ => format!("the file has {}", counted(games, "game")),
    }
}

pub fn run(args: &ShowArgs) -> Result<Exit, CliError> {
    one_on_stdout(args)?;
    if let (true, Some(path)) = (args.list, &args.file) {
        return list(path, args);
    }
    if let (Some(folder), Some(file)) = (&args.png_sequence, &args.file) {
        let wanted = Wanted {
            most: args.max_pictures,
            flip: args.flip,
            square: args.size,
            letters: args.letters_in_pictures(),
            ..Wanted::of(file, args.game, folder)
        };
        return sequence::write(&wanted, options(args));
    }
    if let (Some(number), Some(path)) = (args.finding, &args.file) {
        let diagram = finding::diagram(path, number.get(), args)?;
        return only_drawn(diagram, None, args);
    }
    if let (true, Some(path)) = (args.around, &args.file) {
        return around(path, args);
    }
    let scene = match &args.file {
        Some(path) => from_record(path, args)?,
        None => from_fen(args)?,
    };
    let board = args.board.as_deref().or(scene.alone);
    let exit = ui::warn_of_lack(scene.short.as_deref());
    let Some(position) = &scene.position else {
        return Ok(Exit::Findings);
    };
    let drawn = diagram(&scene, position);
    let (mut diagram, fen) = match board {
        None => (drawn, position.fen()),
        Some(name) => position
            .zoomed(name, drawn)
            .map_err(|words| ShowError::NoBoard(name.into(), words))?,
    };
    let mut out = stdout(args);
    draw(&mut diagram, args, &mut out)?;
    if args.json {
        ui::json(&mut out, &shown(fen, &scene, position))?;
    } else if args.as_fen {
        writeln!(out, "{fen}")?;
    } else {
        write_text(&diagram, args, &mut out)?;
    }
    out.flush()?;
    Ok(exit)
}

/// Flips the diagram if requested, and writes the requested pictures of it.
fn draw(diagram: &mut Diagram, args: &ShowArgs, out: &mut impl Write) -> Result<(), CliError> {
    if args.flip {
        diagram.flip();
    }
    if args.svg.is_none() && args.png.is_none() {
        return Ok(());
    }
    let drawn = picture::draw(diagram, args.size, args.letters_in_pictures());
    if let Some(why) = picture::made_smaller(&drawn) {
        ui::note(&why);
    }
    write_pictures(&drawn.svg, [&args.svg, &args.png], out)
}

/// Writes the diagram as text, unless pictures of it were requested.
fn write_text(diagram: &Diagram, args: &ShowArgs, out: &mut impl Write) -> io::Result<()> {
    if args.svg.is_some() || args.png.is_some() {
        return Ok(());
    }
    out.write_all(ui::drawn(diagram, args.letters_in_text()).as_bytes())
}

/// Shows a moment with all open boards.
fn around(path: &Path, args: &ShowArgs) -> Result<Exit, CliError> {
    let mut found = None;
    let report = moments::follow(path, args.game, options(args), &mut |moment| {
        // On linked boards, upper and lower case are different moments.
        if moment.own.is(&moment.at, &args.at) {
            found = Some(moment.diagram);
            return Ok(ControlFlow::Break(()));
        }
        if args.at == "end" && moment.is_own()
            || (found.is_none() && moment.at.eq_ignore_ascii_case(&args.at))
        {
            found = Some(moment.diagram);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let short = report.as_ref().and_then(short_of_end);
    let diagram = found.ok_or_else(|| ShowError::NoMoment(args.at.clone()))?;
    only_drawn(diagram, short, args)
}

/// Why a game is not followed to its end.
pub fn short_of_end(report: &Report) -> Option<String> {
    let from = report.unjudged_from.as_ref()?;
    Some(format!("the game is not judged from {from} onwards"))
}

/// Writes a diagram that has no position of its own; `short` says why it is not the one requested.
fn only_drawn(
    mut diagram: Diagram,
    short: Option<String>,
    args: &ShowArgs,
) -> Result<Exit, CliError> {
    let exit = ui::warn_of_lack(short.as_deref());
    let mut out = stdout(args);
    draw(&mut diagram, args, &mut out)?;
    write_text(&diagram, args, &mut out)?;
    out.flush()?;
    Ok(exit)
}

/// Standard output for what is shown.
fn stdout(args: &ShowArgs) -> ui::Out {
    if is_stdout(&args.png) {
        ui::stdout_for_files()
    } else {
        ui::stdout()
    }
}

/// Checks that at most one thing goes to standard output, and no picture to a terminal.
fn one_on_stdout(args: &ShowArgs) -> Result<(), ShowError> {
    let words = args.json || args.as_fen;
    only_output(&[&args.svg, &args.png], words)?;
    if is_stdout(&args.png) && io::stdout().is_terminal() {
        return Err(ShowError::NoTerminal);
    }
    Ok(())
}

/// Whether one of these goes to standard output, on which words may be written too.
///
/// # Errors
/// Several things would go there.
pub fn only_output(files: &[&Option<PathBuf>], words: bool) -> Result<bool, ShowError> {
    let files = files.iter().filter(|path| is_stdout(path)).count();
    if files + usize::from(words) > 1 {
        return Err(ShowError::OneOutput);
    }
    Ok(files > 0)
}

fn is_stdout(path: &Option<PathBuf>) -> bool {
    path.as_deref().is_some_and(is_dash)
}

/// How the record is read.
fn options(args: &ShowArgs) -> Options {
    Options {
        limits: (&args.limits).into(),
        rules: args.rules.clone(),
        judge_on: args.judge_on,
        count_notes: true,
        ..Options::default()
    }
}

/// With `--list`: a moment of the game.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Moment")
)]
pub struct Listed<'a> {
    /// The moment, as `--at` takes it.
    at: &'a str,
    /// The position there.
    fen: &'a str,
}

/// Lists the moments of a game.
fn list(path: &Path, args: &ShowArgs) -> Result<Exit, CliError> {
    let fail = CliError::on(path);
    let limits = Limits::from(&args.limits);
    let options = Options {
        rows: true,
        ..options(args)
    };
    let opened = open_game(path, args.game, limits)?;
    let (own, wanted, input) = (opened.own(), opened.game, opened.input);
    let mut replay = Replay::new(Parser::new(input, 0, limits), options);
    let (mut game, mut has_moments) = (1, false);
    let mut out = ui::stdout();
    let mut emit = |at: &str, fen: &str| match args.json {
        true => ui::json(&mut out, &Listed { at, fen }),
        false => Ok(writeln!(out, "{at}\t{fen}")?),
    };
    let (mut before, mut latest): (Option<AnyGame>, Option<String>) = (None, None);
    let report = loop {
        let Some(moment) = replay.next_moment().map_err(fail)? else {
            return Err(ShowError::no_game(path, args.game, game - 1).into());
        };
        let is_wanted = game == wanted;
        let mut ended = None;
        match moment {
            Moment::End(report) => {
                game += 1;
                if is_wanted {
                    ended = Some(report);
                }
            }
            Moment::Position(stand) if is_wanted => {
                let Some(position) = replay.position() else {
                    continue;
                };
                has_moments |= position.info().chess_within == ChessWithin::SubGames;
                if let Some(at) = at_of(&position, &stand, before.as_ref())
                    && !has_moments
                    && latest.as_ref() != Some(&at)
                {
                    emit(&at, &position.fen())?;
                    latest = Some(at);
                }
                before = Some(position);
            }
            Moment::Position(_) => {}
        }
        // With games inside, only what follows decides for many acts whether they belong to a move: rows come when that is
        // decided.
        while let Some(seen) = replay.next_seen() {
            if let (true, Some(at), Some(fen)) =
                (is_wanted && has_moments, &seen.row.at, &seen.row.fen)
                && latest.as_ref() != Some(at)
                && own.has(at)
            {
                emit(at, fen)?;
                latest = Some(at.clone());
            }
        }
        if let Some(report) = ended {
            break report;
        }
    };
    out.flush()?;
    Ok(ui::warn_of_lack(short_of_end(&report).as_deref()))
}

fn from_fen(args: &ShowArgs) -> Result<Scene, CliError> {
    let limits = Limits::from(&args.limits);
    let start = positions::agreed(args.variant, args.boards, args.level, &args.rules, &limits)?;
    let Some(fen) = &args.fen else {
        return Ok(Scene {
            position: Some(start),
            ..Scene::default()
        });
    };
    let (position, alone) = match start.read_under(fen, &args.rules) {
        Ok(read) => (read.position, None),
        Err(fault) => {
            let Some((position, board)) = start.read_one_of_several(fen, &args.rules) else {
                return Err(ShowError::Fen(fen.clone(), fault.to_string()).into());
            };
            ui::note(
                "no game starts from this position; it is shown as one board of several, with kings on the others",
            );
            (position, Some(board))
        }
    };
    Ok(Scene {
        position: Some(position),
        alone,
        ..Scene::default()
    })
}

fn diagram(scene: &Scene, position: &AnyGame) -> Diagram {
    let mut diagram = Diagram {
        caption: caption(scene, position).map(Foreign::new),
        ..position.diagram(&[])
    };
    if let Some(ply) = scene.last {
        position.mark(&mut diagram, &ply.path, &ply.coordinates);
    }
    diagram
}

/// A caption: `White - Black, 23... Kd5+`.
fn caption(scene: &Scene, position: &AnyGame) -> Option<String> {
    let is_known = |name: &str| !matches!(name, "" | "?");
    let mut words = Vec::new();
    if let [Some(white), Some(black)] = &scene.players
        && is_known(white)
        && is_known(black)
    {
        words.push(format!("{white} - {black}"));
    }
    if let Some(way) = &scene.way {
        words.push(format!("Sub-game {way}"));
    }
    if let Some(ply) = &scene.last {
        words.push(written(ply));
    }
    let status = position.status();
    if let (Some(outcome), Some(cause)) = (status.outcome, status.cause) {
        words.push(format!("{outcome} ({cause})"));
    }
    joined(&words)
}

fn written(ply: &Canonical) -> String {
    let address = if ply.path.is_empty() {
        String::new()
    } else {
        format!("{}.", ply.path)
    };
    format!(
        "{} {address}{}{}",
        number_of(ply),
        Spelt(ply.written),
        ply.suffix.as_str()
    )
}

fn shown(fen: String, scene: &Scene, position: &AnyGame) -> Shown {
    Shown {
        fen,
        variant: position.variant().name(),
        ply: scene.ply,
        last: scene.last.as_ref().map(written),
        status: position.status().word,
    }
}

/// Writes a picture as SVG and as PNG, each if it has a path.
pub fn write_pictures(
    drawn: &str,
    [svg, png]: [&Option<PathBuf>; 2],
    out: &mut impl Write,
) -> Result<(), CliError> {
    if let Some(path) = svg {
        write_picture(path, drawn.as_bytes(), out)?;
    }
    if let Some(path) = png {
        write_picture(path, &picture::png(drawn)?, out)?;
    }
    Ok(())
}

/// Writes a file, completely or not at all; `-` is standard output.
fn write_picture(path: &Path, bytes: &[u8], out: &mut impl Write) -> Result<(), CliError> {
    if is_dash(path) {
        return out.write_all(bytes).map_err(CliError::Output);
    }
    ui::replace_file(path, bytes)
}
