//! `convert`: converts games from one form to another.

mod plies;

use super::fmt::format;
use crate::{
    bounded::{Line, Lines},
    exit::{CliError, Exit},
    games::{TransferError, open_input},
    options::{LimitArgs, VariantName},
    positions,
    tables::{Each, RowForm, TableWriter},
    ui,
};
use clap::{Args, ValueEnum};
use overboard_formats::{
    encoding::decode,
    foreign::Foreign,
    json_lines::{Element, record_text},
    lex::NotText,
    limits::Limits,
    parse::{Event, GrammarFault, Parser},
    record::Record,
};
use overboard_games::{
    bughouse::bpgn,
    coordinates,
    referee::{
        AnyReferee,
        replay::{MainLine, Moment, Replay},
        rewrite::Unkept,
    },
    registry::{AnyGame, Variant},
};
use overboard_referee::{
    Options,
    finding::{Finding, Verdict},
    report::{GameResult, Report},
};
use overboard_rules::{outcome::Outcome, variant::ChessWithin};
use overboard_sheets::{Sheet, chess_records};
use serde::Serialize;
use std::{
    borrow::Cow,
    io::{self, BufReader, Read, Write},
    path::{Path, PathBuf},
};

/// Convert games to JSON, CSV, FEN or coordinates, and back.
///
/// `coord` is one game per line in coordinates: a FEN and a tab if the game does not start from the initial position,
/// then the moves of the main line, such as `e2e4 e7e5`. `jsonl` is one JSON object per game, with everything in the
/// record but white space. `fen` is one FEN per position of the main line, with an empty line after each game. `plies`
/// is a table with a row per ply of the main line, with its position, sub-games and nested boards included. `games` is
/// a table with a row per game. `bpgn` is Bughouse as other programs read it; files in BPGN are read like any others.
///
/// A game that cannot be converted is reported on standard error, and the others are converted.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 a game could not be converted, 2 input cannot be read.\n\nExamples:\n  overboard convert --to coord games.pgn\n  overboard convert --to fen games.pgn | overboard moves --fens -\n  overboard convert --to jsonl club.npgn | jq -r '.elements[].comment | values'\n  overboard convert --to plies --format csv games.npgn > plies.csv\n  overboard convert --from coord --variant olympic --to npgn moves.txt"
)]
pub struct ConvertArgs {
    /// Files, or folders of records, to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The form of the files.
    #[arg(long, value_name = "FORM", default_value = "npgn")]
    pub from: Source,
    /// The form to write.
    #[arg(long, value_name = "FORM")]
    pub to: Target,
    /// With --to plies and --to games: the form of the rows [default: jsonl].
    #[arg(long, value_name = "FORM")]
    pub format: Option<RowForm>,
    /// With --to plies: count the legal plies before each ply, in the column `choices`.
    #[arg(long)]
    pub choices: bool,
    /// With --from coord: the game; the other forms name it themselves.
    #[arg(long, value_name = "NAME", default_value = "chess", ignore_case = true)]
    pub variant: VariantName,
    /// With --from coord: level of Recursive Chess, from 0 to 64 [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=64))]
    pub level: Option<u8>,
    /// With --from coord: number of boards of StrategiChess [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub boards: Option<u16>,
    /// With --from coord: options of the game, such as `fog:prisoners`.
    #[arg(
        long,
        value_name = "LIST",
        default_value = "",
        hide_default_value = true
    )]
    pub rules: String,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// A game that could not be converted.
#[derive(Debug, thiserror::Error)]
#[error("{path}:{line}:{column}: {why}", path = path.display())]
struct ConversionError {
    path: PathBuf,
    line: u64,
    /// Column in that line, from 1.
    column: u64,
    why: String,
}

/// What games are read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Source {
    /// Records.
    Npgn,
    /// Lines of coordinate moves.
    Coord,
    /// JSON Lines.
    Jsonl,
    /// One row per ply, as JSON Lines or CSV.
    Plies,
}

/// What games are written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Target {
    /// Records in canonical form.
    Npgn,
    /// Lines of coordinate moves.
    Coord,
    /// JSON Lines.
    Jsonl,
    /// Positions.
    Fen,
    /// One row per ply, with its position.
    Plies,
    /// One row per game, with its tags, ending and counts.
    Games,
    /// Chess records: every sub-game of Overchess, every board of Mega-Chess with moves.
    Pgn,
    /// Records of Bughouse for other programs.
    Bpgn,
}

/// The longest lines that are read as a game, in bytes: of coordinate moves, which the draws by count and repetition
/// keep short, and of JSON.
const LONGEST: (usize, usize) = (16 << 20, 128 << 20);

pub fn run(args: &ConvertArgs) -> Result<Exit, CliError> {
    let first = match args.from {
        Source::Coord => Some(first(args)?),
        _ => None,
    };
    let each = match args.to {
        Target::Games => Some(Each::Game),
        Target::Plies => Some(Each::Ply),
        _ => None,
    };
    let row_form = RowForm::asked(args.format, args.choices, each)?;
    let mut rows = TableWriter::new(each.unwrap_or(Each::Ply), row_form);
    let is_of_files = matches!(args.to, Target::Npgn | Target::Pgn | Target::Bpgn)
        || args.format == Some(RowForm::Parquet);
    let mut out = if is_of_files {
        ui::stdout_for_files()
    } else {
        ui::stdout()
    };
    let mut exit = Exit::Clean;
    for path in &args.files {
        rows.open(path);
        let mut conversion = Conversion {
            args,
            first: first.as_ref(),
            path,
            limits: limits(args),
            out: &mut out,
            rows: &mut rows,
            line: None,
            exit: Exit::Clean,
        };
        let done = conversion.run();
        exit = exit.max(ui::go_on(done.map(|()| conversion.exit))?);
    }
    if each.is_some() {
        rows.finish(&mut out)?;
    }
    out.flush()?;
    Ok(exit)
}

/// The position from which games in coordinates start, unless they say otherwise.
fn first(args: &ConvertArgs) -> Result<AnyGame, CliError> {
    let limits = Limits::from(&args.limits);
    positions::agreed(args.variant, args.boards, args.level, &args.rules, &limits)
}

/// How moves are parsed: rows have English letters and coordinates none, so records made from them are English.
fn limits(args: &ConvertArgs) -> Limits {
    let limits = Limits::from(&args.limits);
    match args.from {
        Source::Npgn | Source::Jsonl => limits,
        Source::Plies | Source::Coord => Limits {
            language: None,
            ..limits
        },
    }
}

/// Why a line cannot be converted, and at which of its bytes.
type LineFault = (usize, String);

struct Conversion<'a> {
    args: &'a ConvertArgs,
    /// The usual start of games in coordinates, if they are read.
    first: Option<&'a AnyGame>,
    path: &'a Path,
    limits: Limits,
    out: &'a mut ui::Out,
    rows: &'a mut TableWriter,
    /// The current line, if each game has one.
    line: Option<u64>,
    exit: Exit,
}

impl Conversion<'_> {
    fn run(&mut self) -> Result<(), CliError> {
        let path = self.path;
        let reader = open_input(path)?;
        let done = match self.args.from {
            Source::Npgn => self.records(reader),
            Source::Plies => self.read_rows(reader),
            Source::Jsonl | Source::Coord => self.lines(reader),
        };
        done.map_err(|error| error.at(path))
    }

    /// Converts lines, each a game.
    fn lines(&mut self, reader: Box<dyn Read>) -> Result<(), TransferError> {
        let longest = match self.first {
            Some(_) => LONGEST.0,
            None => LONGEST.1,
        };
        let mut lines = Lines::of(BufReader::with_capacity(1 << 16, reader), longest);
        while let Some(Line {
            number,
            text,
            fault,
        }) = lines.next_line().map_err(TransferError::Reading)?
        {
            self.line = Some(number);
            if let Some(why) = fault {
                self.complain_here(1, &why);
                continue;
            }
            let line = text.strip_suffix(b"\n").unwrap_or(text);
            let text = decode(line.strip_suffix(b"\r").unwrap_or(line)).0;
            if !text.trim().is_empty() {
                self.take_line(&text)?;
            }
        }
        Ok(())
    }

    fn take_line(&mut self, text: &str) -> Result<(), TransferError> {
        let record = match self.first {
            Some(first) => self.record_of_coordinates(text, first),
            None => from_json(text, self.limits),
        };
        match record {
            Ok(record) => self.take_record(&record)?,
            Err((at, why)) => {
                let before = text.get(..at).map_or(0, |before| before.chars().count());
                self.complain_here(before as u64 + 1, &why);
            }
        }
        Ok(())
    }

    /// The record for a line of coordinate moves, with the result that follows from its moves.
    fn record_of_coordinates(&self, text: &str, first: &AnyGame) -> Result<String, LineFault> {
        let ConvertArgs { variant, rules, .. } = self.args;
        let line = coordinates::Line::read_under(text, variant.game(), first, rules)
            .map_err(|fault| (fault.at(), fault.to_string()))?;
        let record = |result: &str| {
            let mut record = String::new();
            // Writing to a `String` cannot fail.
            let _ = line.write_record(result, &mut record);
            record
        };
        let open = record("*");
        let mut referee = AnyReferee::new(options(self.limits));
        let report = referee.judge(&mut Parser::new(open.as_bytes(), 0, self.limits));
        let Some(report) = report.ok().flatten() else {
            return Ok(open);
        };
        if let Some(finding) = report.spoilt() {
            let at = finding.ply.map_or(0, |ply| line.place_of(ply));
            return Err((at, finding.message.as_it_came().to_owned()));
        }
        let judged = report.result.judged.map(Outcome::as_str);
        Ok(line.result().or(judged).map_or(open, record))
    }

    /// Converts the record of a game that came in another form.
    fn take_record(&mut self, record: &str) -> Result<(), TransferError> {
        match self.records(record.as_bytes()) {
            Err(TransferError::Unkept(_, why)) => {
                self.complain_here(1, &why);
                Ok(())
            }
            done => done,
        }
    }

    fn records(&mut self, reader: impl Read + Send) -> Result<(), TransferError> {
        let parser = |reader| Parser::new(reader, 0, self.limits);
        match self.args.to {
            Target::Npgn => format(reader, &mut self.out, self.limits),
            Target::Jsonl => self.json(parser(reader)),
            Target::Coord => self.coordinates(parser(reader)),
            Target::Fen => self.fens(parser(reader)),
            Target::Plies | Target::Games => self.write_rows(parser(reader)),
            Target::Pgn => self.chess(parser(reader)),
            Target::Bpgn => self.bughouse(parser(reader)),
        }
    }

    /// Reports what is wrong in a line of a record; of a game on a line of its own, that line is meant.
    fn complain(&mut self, line: u64, column: u64, why: &str) {
        ui::complain(&ConversionError {
            path: self.path.to_owned(),
            line: self.line.unwrap_or(line),
            column,
            why: why.into(),
        });
        self.exit = self.exit.max(Exit::Findings);
    }

    /// Reports what is wrong in the line of a game that has one of its own.
    fn complain_here(&mut self, column: u64, why: &str) {
        let line = self.line.unwrap_or(1);
        self.complain(line, column, why);
    }

    /// Reports an error in a game; places on a line are only known in the record made from it.
    fn complain_of(&mut self, finding: &Finding, what: &str) {
        let column = self.line.map_or(finding.column, |_| 1);
        let why = format!("{what}: {}", finding.message.shown());
        self.complain(finding.place.line, column, &why);
    }

    fn coordinates(&mut self, parser: Parser<'_>) -> Result<(), TransferError> {
        let options = Options {
            acts: true,
            ..options(self.limits)
        };
        let mut replay = Replay::new(parser, options);
        while let Some(MainLine {
            start,
            moves,
            report,
        }) = replay.next_line().map_err(TransferError::Reading)?
        {
            match report.spoilt() {
                Some(finding) => self.complain_of(finding, "game not converted"),
                None => {
                    let start = start_of(start.as_ref(), &moves);
                    writeln!(self.out, "{start}{moves}").map_err(TransferError::Writing)?;
                }
            }
        }
        Ok(())
    }

    fn fens(&mut self, parser: Parser<'_>) -> Result<(), TransferError> {
        let mut replay = Replay::new(parser, options(self.limits));
        let mut complete = true;
        while let Some(moment) = replay.next_moment().map_err(TransferError::Reading)? {
            match moment {
                Moment::Position(_) => match replay.position() {
                    Some(position) => {
                        writeln!(self.out, "{}", position.fen()).map_err(TransferError::Writing)?;
                    }
                    None => complete = false,
                },
                Moment::End(report) => {
                    // An illegal move that stands leads to a position like any other.
                    if let Some(finding) = report.spoilt()
                        && !std::mem::replace(&mut complete, true)
                    {
                        self.complain_of(finding, "positions of this game are missing");
                    }
                    writeln!(self.out).map_err(TransferError::Writing)?;
                }
            }
        }
        Ok(())
    }

    /// Writes the matches of Bughouse as BPGN.
    fn bughouse(&mut self, parser: Parser<'_>) -> Result<(), TransferError> {
        let mut refused = Vec::new();
        let limits = self.limits;
        let done = bpgn::write::write(parser, limits, &mut *self.out, |line, why| {
            refused.push((line, why));
        });
        for (line, why) in refused {
            self.complain(line, 1, &format!("game not converted: {why}"));
        }
        done.map_err(|error| TransferError::of(error, &limits))
    }

    /// Writes the games of chess of which a record consists.
    fn chess(&mut self, mut parser: Parser<'_>) -> Result<(), TransferError> {
        while let Some(record) = Record::read(&mut parser).map_err(TransferError::Reading)? {
            let line = record.placed().first().map_or(1, |(_, place)| place.line);
            let sheet = Sheet::of(&record, 0)
                .map_err(|problem| (problem.origin.place.line, problem.message));
            let mut limits = self.limits;
            let games = sheet.and_then(|sheet| {
                let game = Variant::of_tags(|name| sheet.tag(name));
                match game.map_or(ChessWithin::Nothing, |game| game.info().chess_within) {
                    ChessWithin::Itself => Ok(vec![sheet.text()]),
                    ChessWithin::SubGames => {
                        chess_records::sub_games(sheet).map_err(|problem| (problem.origin.place.line, problem.message))
                    }
                    ChessWithin::Boards => {
                        // The records made from it are written in English.
                        limits.language = None;
                        chess_records::boards(&sheet.text(), self.limits).map_err(|(_, why)| (line, why))
                    }
                    ChessWithin::Nothing => {
                        let name = game.map_or("this game", Variant::name);
                        Err((line, format!("{name} cannot be written as PGN: its boards are not chess boards (those of Overchess and Mega-Chess are)")))
                    }
                }
            });
            match games {
                Ok(games) => {
                    for game in &games {
                        format(game.as_bytes(), &mut self.out, limits)?;
                    }
                }
                Err((line, why)) => {
                    self.complain(line, 1, &format!("game not converted: {why}"));
                }
            }
        }
        Ok(())
    }

    fn json(&mut self, mut parser: Parser<'_>) -> Result<(), TransferError> {
        let mut referee = AnyReferee::spelling(Options {
            limits: self.limits,
            ..Options::default()
        });
        let mut begun = false;
        let mut unclosed = false;
        let mut lost = None;
        let mut failure = None;
        loop {
            let event = match parser.next() {
                Ok(event) => event,
                Err(error) => {
                    // The line that has begun is ended, so that every line can be read.
                    if begun {
                        let why = "the rest cannot be read".into();
                        let report = referee.take_report(&mut parser);
                        self.end(&report, Some(why), begun)
                            .map_err(TransferError::Writing)?;
                    }
                    return Err(TransferError::Reading(error));
                }
            };
            unclosed |= event == Event::Fault(GrammarFault::UnclosedComment);
            if let Some(unkept) = Unkept::of(event, &parser) {
                let why = unkept.words(&self.limits);
                match unkept {
                    Unkept::NotText(NotText::Blank | NotText::Remarks) => {
                        failure = Some(TransferError::Unkept(parser.place().line, why.clone()));
                    }
                    Unkept::NotText(_) => {
                        return Err(TransferError::Unkept(parser.place().line, why));
                    }
                    _ => {
                        let line = parser.place().line;
                        self.complain(line, 1, &format!("part of this game is lost: {why}"));
                    }
                }
                lost = Some(why);
            }
            let canonical = referee.hear(event, &parser);
            if let Some(element) = Element::of(event, canonical, &parser) {
                let ends = unclosed && matches!(event, Event::Prose(..)) && !element.goes_on();
                let element = if ends { element.unclosed() } else { element };
                self.element(&element, std::mem::replace(&mut begun, true))
                    .map_err(TransferError::Writing)?;
            }
            match event {
                Event::End => {
                    let report = referee.take_report(&mut parser);
                    self.end(&report, lost.take(), begun)
                        .map_err(TransferError::Writing)?;
                    if let Some(failure) = failure {
                        return Err(failure);
                    }
                    (begun, unclosed) = (false, false);
                }
                Event::Done => return Ok(()),
                _ => {}
            }
        }
    }

    fn element(&mut self, element: &Element<'_>, begun: bool) -> io::Result<()> {
        self.out
            .write_all(if begun { b"," } else { b"{\"elements\":[" })?;
        ui::json_part(self.out, element)
    }

    fn end(&mut self, report: &Report, lost: Option<String>, begun: bool) -> io::Result<()> {
        self.out
            .write_all(if begun { b"]," } else { b"{\"elements\":[]," })?;
        let Report {
            variant,
            verdict,
            result,
            plies,
            ..
        } = report;
        let mut tail = Vec::new();
        ui::json(
            &mut tail,
            &Tail {
                variant,
                verdict: *verdict,
                result,
                plies: *plies,
                lost,
            },
        )?;
        self.out.write_all(tail.strip_prefix(b"{").unwrap_or(&tail))
    }
}

/// What follows the elements of a game in JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tail<'a> {
    /// The game, as for `check`.
    variant: &'a Foreign<Cow<'static, str>>,
    /// The verdict of `check`.
    verdict: Verdict,
    /// The result.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "overboard_referee::report::WrittenResult<'_>")
    )]
    result: &'a GameResult,
    /// Plies of the main line.
    plies: u32,
    /// Why a part of the record is not among the elements: a limit was exceeded, or the rest cannot be read. Such a game cannot be converted back.
    lost: Option<String>,
}

/// A game: the elements of its record, and what the referee says about it.
// Elements are written as they are read, so this type is only for the schema.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[allow(dead_code, reason = "only its schema is needed")]
pub struct GameLine {
    /// The content of the record, in its order.
    elements: Vec<Element<'static>>,
    #[serde(flatten)]
    tail: Tail<'static>,
}

fn options(limits: Limits) -> Options {
    Options {
        limits,
        count_notes: true,
        ..Options::default()
    }
}

/// The start of a line of coordinate moves: the position and a tab, unless it is the game's initial one and moves
/// follow; an empty line would not be a game.
fn start_of(position: Option<&AnyGame>, moves: &str) -> String {
    let Some(position) = position else {
        return String::new();
    };
    let fen = position.fen();
    let first = position.first().fen();
    if first == fen && !moves.is_empty() {
        String::new()
    } else {
        format!("{fen}\t")
    }
}

/// The record in a line of JSON; an error if it is not exactly one.
fn from_json(text: &str, limits: Limits) -> Result<String, LineFault> {
    let record = record_text(text).map_err(|fault| (fault.at, fault.what))?;
    let count = records_in(Parser::new(record.as_bytes(), 0, limits));
    if count == 1 {
        Ok(record)
    } else {
        Err((0, format!("this makes {count} records and not one")))
    }
}

fn records_in(mut parser: Parser<'_>) -> u64 {
    let mut count = 0;
    loop {
        match parser.next() {
            Ok(Event::Begin) => count += 1,
            Ok(Event::Done) | Err(_) => return count,
            Ok(_) => {}
        }
    }
}
