//! `convert`: games in one form to games in another.

use super::fmt::format;
use crate::{
    args::{ConvertArgs, Source, Target},
    exit::{Exit, Failure},
    games::{Trouble, open},
    ui,
};
use overboard_formats::{
    any::AnyPosition,
    coordinates::Line,
    encoding::decode,
    finding::{Severity, Verdict},
    json_lines::{Element, record_text},
    limits::Limits,
    parse::{Event, Fault, Parser},
    referee::{Options, Referee},
    replay::{Moment, Replay},
    report::{GameResult, Report},
};
use overboard_rules::outcome::Outcome;
use serde::Serialize;
use std::{
    io::{self, BufRead, BufReader, Cursor, Read, Write},
    path::Path,
};

/// Bytes of the longest line that is read as a game.
const LONGEST: u64 = 256 << 20;

pub fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let mut out = ui::stdout();
    let limits = Limits::from(&args.limits);
    let mut exit = Exit::Clean;
    for path in &args.files {
        let reader = open(path).map_err(|error| Failure::file(path, error))?;
        let mut conversion = Conversion { path, limits, out: &mut out, exit: Exit::Clean };
        conversion.run(reader, args)?;
        exit = exit.max(conversion.exit);
    }
    out.flush()?;
    Ok(exit)
}

/// Makes the text of a record of a line, or tells at which byte it is wrong and why.
type LineReader<'a> = dyn Fn(&str, Limits) -> Result<String, (usize, String)> + 'a;

struct Conversion<'a, W> {
    path: &'a Path,
    limits: Limits,
    out: &'a mut W,
    exit: Exit,
}

impl<W: Write> Conversion<'_, W> {
    fn run(&mut self, reader: Box<dyn Read>, args: &ConvertArgs) -> Result<(), Failure> {
        match args.from {
            Source::Npgn => self.records(reader, args.to),
            Source::Jsonl => self
                .lines(reader, args.to, &|line, _| record_text(line).map_err(|fault| (0, fault.to_string()))),
            Source::Coord => {
                let game = args.variant.game();
                let first = AnyPosition::start(game).ok_or(Failure::NoRules(game.name()))?;
                self.lines(reader, args.to, &|line, limits| {
                    let line =
                        Line::read(line, game, &first).map_err(|fault| (fault.at(), fault.to_string()))?;
                    Ok(record(&line, limits))
                })
            }
        }
    }

    /// Converts lines.
    fn lines(&mut self, reader: Box<dyn Read>, target: Target, read: &LineReader<'_>) -> Result<(), Failure> {
        let mut reader = BufReader::new(reader);
        let mut bytes = Vec::new();
        for number in 1_u64.. {
            bytes.clear();
            let count = reader
                .by_ref()
                .take(LONGEST)
                .read_until(b'\n', &mut bytes)
                .map_err(|error| Failure::file(self.path, error))?;
            if count == 0 {
                break;
            }
            let text = decode(bytes.trim_ascii_end()).0;
            match read(&text, self.limits) {
                _ if text.is_empty() => {}
                Ok(record) => self.records(Box::new(Cursor::new(record)), target)?,
                Err((column, why)) => self.complain(number, column as u64 + 1, &why),
            }
        }
        Ok(())
    }

    fn records(&mut self, reader: Box<dyn Read + '_>, target: Target) -> Result<(), Failure> {
        let path = self.path;
        match target {
            Target::Npgn => format(reader, &mut self.out, self.limits),
            Target::Jsonl => self.json(reader),
            Target::Coord => self.coordinates(reader),
            Target::Fen => self.fens(reader),
        }
        .map_err(|trouble| trouble.at(path))
    }

    fn complain(&mut self, line: u64, column: u64, why: &str) {
        ui::complain(&Failure::NotConverted { path: self.path.to_owned(), line, column, why: why.into() });
        self.exit = self.exit.max(Exit::Findings);
    }

    fn replay<R: Read>(&self, reader: R) -> Replay<R> {
        let options = Options { limits: self.limits, count_notes: true, ..Options::default() };
        Replay::new(Parser::new(reader, 0, self.limits), options)
    }

    /// Says why a game cannot be converted, where it cannot.
    fn refuse(&mut self, report: &Report) -> bool {
        let lost = report.findings.iter().find(|finding| {
            finding.severity == Severity::Error
                && matches!(
                    finding.code.verdict,
                    Verdict::Illegal | Verdict::Unreadable | Verdict::Undetermined
                )
        });
        if let Some(finding) = lost {
            let why = format!("game not converted: {}", finding.message);
            self.complain(finding.place.line, finding.column, &why);
        }
        lost.is_some()
    }

    fn coordinates(&mut self, reader: impl Read) -> Result<(), Trouble> {
        let mut replay = self.replay(reader);
        let mut line = String::new();
        while let Some(moment) = replay.next_moment().map_err(Trouble::Reading)? {
            match moment {
                Moment::Position(stand) if stand.ply == 0 => line = start_of(replay.position().as_ref()),
                Moment::Position(stand) => {
                    if let Some(ply) = stand.last {
                        line.push_str(if line.is_empty() || line.ends_with('\t') { "" } else { " " });
                        line.push_str(&ply.coordinates);
                    }
                }
                Moment::End(report) => {
                    if !self.refuse(&report) {
                        writeln!(self.out, "{line}").map_err(Trouble::Writing)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn fens(&mut self, reader: impl Read) -> Result<(), Trouble> {
        let mut replay = self.replay(reader);
        while let Some(moment) = replay.next_moment().map_err(Trouble::Reading)? {
            match moment {
                Moment::Position(_) => {
                    if let Some(position) = replay.position() {
                        writeln!(self.out, "{}", position.fen()).map_err(Trouble::Writing)?;
                    }
                }
                Moment::End(report) => {
                    self.refuse(&report);
                    writeln!(self.out).map_err(Trouble::Writing)?;
                }
            }
        }
        Ok(())
    }

    fn json(&mut self, reader: impl Read) -> Result<(), Trouble> {
        let mut parser = Parser::new(reader, 0, self.limits);
        let mut referee = Referee::spelling(Options { limits: self.limits, ..Options::default() });
        let mut begun = false;
        loop {
            let event = parser.next().map_err(Trouble::Reading)?;
            if let Event::Fault(Fault::Wide | Fault::Limit(_)) = event {
                let why = "some of it would be lost".to_string();
                return Err(Trouble::Unkept(parser.place().line, why));
            }
            let canonical = referee.hear(event, &parser);
            if let Some(element) = Element::of(event, canonical, &parser) {
                self.element(&element, std::mem::replace(&mut begun, true)).map_err(Trouble::Writing)?;
            }
            match event {
                Event::End => {
                    let report = referee.take_report(&mut parser);
                    self.end(&report, std::mem::take(&mut begun)).map_err(Trouble::Writing)?;
                }
                Event::Done => return Ok(()),
                _ => {}
            }
        }
    }

    fn element(&mut self, element: &Element<'_>, begun: bool) -> io::Result<()> {
        self.out.write_all(if begun { b"," } else { b"{\"elements\":[" })?;
        ui::json_part(self.out, element)
    }

    fn end(&mut self, report: &Report, begun: bool) -> io::Result<()> {
        self.out.write_all(if begun { b"]," } else { b"{\"elements\":[]," })?;
        let Report { variant, verdict, result, plies, .. } = report;
        let mut tail = Vec::new();
        ui::json(&mut tail, &Tail { variant, verdict: *verdict, result, plies: *plies })?;
        self.out.write_all(tail.strip_prefix(b"{").unwrap_or(&tail))
    }
}

/// What stands behind the elements of a game in JSON.
#[derive(Serialize)]
struct Tail<'a> {
    variant: &'a str,
    verdict: Verdict,
    result: &'a GameResult,
    plies: u32,
}

/// The start of a line of coordinate moves: the position and a tab, unless it is the game's own first.
fn start_of(position: Option<&AnyPosition>) -> String {
    let Some(position) = position else { return String::new() };
    let fen = position.fen();
    let first = AnyPosition::start(position.game()).map(|first| first.fen());
    if first.as_ref() == Some(&fen) { String::new() } else { format!("{fen}\t") }
}

/// The record of a line of coordinate moves, with the result that its moves give.
fn record(line: &Line, limits: Limits) -> String {
    let text = |result: &str| {
        let mut text = String::new();
        // Memory can be written.
        let _ = line.write_record(result, &mut text);
        text
    };
    let open = text("*");
    let mut parser = Parser::new(open.as_bytes(), 0, limits);
    let report = Referee::new(Options { limits, ..Options::default() }).judge(&mut parser);
    let judged = report.ok().flatten().and_then(|report| report.result.judged);
    text(line.result().or(judged.map(Outcome::as_str)).unwrap_or("*"))
}
