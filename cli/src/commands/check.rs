//! `check`: judge every game of some files.

mod edition;
mod junit;
mod kinds;
mod links;
pub mod page;
mod sarif;
mod sink;
mod twins;

use crate::{
    commands::{show::only_output, view},
    exit::{CliError, Exit},
    games::Judge,
    input_copies::Sources,
    options::{JobsArgs, JudgingArgs},
    render::{Draw, summary_line, write_verdict},
    show_command::ShowCommand,
    ui,
};
use clap::Args;
use junit::Junit;
use kinds::{Kind, Kinds};
use overboard_engines::manifest::PROGRAM;
use overboard_referee::{
    Options,
    finding::{Finding, Severity, Verdict},
    report::{Report, Summary},
};
use page::ReportPage;
use sarif::Sarif;
use serde::Serialize;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};
use twins::Twins;

/// Check every game of some files (validate PGN).
///
/// Checks the legality of every move, results, claims, clocks and notation. Each game gets one line with its verdict.
/// Each finding shows the line of text and the command that shows the board there. Score-sheets that belong together
/// are judged together, and a finding names the sheet that it concerns. A folder stands for the records in it and in the
/// folders in it (.pgn, .npgn), sorted by their paths; hidden files and links to folders are left out. Files compressed with
/// gzip, Zstandard or bzip2 (.gz, .zst, .bz2) are unpacked while they are read, also from standard input.
///
/// Moves after an illegal one are not judged. If both players played on, write `[%stands]` in the record, or use
/// --judge-on: it continues wherever there is no doubt which piece went where.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 no errors (warnings do not count), 1 errors found, 2 a file or game cannot be read.\n\nExamples:\n  overboard check round1.pgn round2.pgn\n  overboard check --quiet --deny missing-capture *.pgn\n  overboard check --html report.html round1.npgn\n  overboard check --json games.pgn.gz | jq -c 'select(.verdict != \"clean\")'"
)]
pub struct CheckArgs {
    /// Files, or folders of records, to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON object per game, and a last one with the summary.
    #[arg(long)]
    pub json: bool,
    /// Also write a report to this page: findings with boards, rules, and a viewer of each game; `-` is standard
    /// output, which then gets nothing else.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Also write the findings to this file as SARIF 2.1.0, which code hosts and editors read; `-` is standard output,
    /// which then gets nothing else.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Also write the verdicts to this file as JUnit XML, with a test for each game; `-` is standard output, which then
    /// gets nothing else.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Print one line for each finding, as --brief does, and nothing for games without errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Print one line for each finding, `file:line:column: error[code]: message`, and one for each game without any.
    #[arg(long, conflicts_with = "json")]
    pub brief: bool,
    /// Print notes too, such as missing tags.
    #[arg(long)]
    pub notes: bool,
    /// Continue after an illegal move as if it stood, where it is certain which piece went where; the game still has an
    /// error.
    #[arg(long)]
    pub judge_on: bool,
    /// Rapid and blitz games are supervised: the remedies are those of the competition rules (FIDE A.4, B.2)
    ///
    /// One arbiter supervises at most three games of rapid chess, or one of blitz, and the moves are recorded. An illegal
    /// move is then restored as in standard chess.
    #[arg(long)]
    pub supervised: bool,
    /// Do not draw the board at an illegal move.
    #[arg(long)]
    pub no_board: bool,
    #[command(flatten)]
    pub threads: JobsArgs,
    #[command(flatten)]
    pub judging: JudgingArgs,
}

pub fn run(args: &CheckArgs) -> Result<Exit, CliError> {
    let is_output_taken = only_output(&[&args.html, &args.sarif, &args.junit], args.json)?;
    let options = Options {
        count_notes: !(args.notes || args.json),
        no_excerpts: args.json && args.html.is_none(),
        judge_on: args.judge_on,
        supervised: args.supervised,
        wholes: args.html.is_some(),
        ..args.judging.options()?
    };
    let weights = options.weights.clone();
    let judge = Judge::of(options.clone(), args.threads.jobs, &args.files)?;
    let sources = match &args.html {
        Some(_) => Sources::of(&args.files)?,
        None => Sources::once(&args.files),
    };
    let page = args
        .html
        .as_ref()
        .map(|_| ReportPage::new(options, args.quiet, args.files.len()));
    let out: Box<dyn Write> = if is_output_taken {
        Box::new(io::sink())
    } else {
        Box::new(ui::stdout())
    };
    let pointer = ShowCommand::new(&args.judging, args.judge_on);
    let mut outputs = Outputs {
        args,
        out,
        draw: Draw::new(ui::columns(), ui::colours(), !args.no_board, pointer),
        page,
        sarif: args.sarif.as_deref().map(Sarif::begin).transpose()?,
        junit: args.junit.as_deref().map(Junit::begin).transpose()?,
        summary: Summary::default(),
        kinds: Kinds::default(),
        ends_with_clean: false,
        exit: Exit::Clean,
        warnings: 0,
        notes: 0,
        has_read: false,
    };
    let mut twins = Twins::default();
    let empty = judge.run(&sources.files, |mut report| {
        let path = sources.name(&mut report);
        twins.compare(&mut report, &weights);
        outputs.take(&report, &path)
    })?;
    outputs.sum_up()?;
    for path in empty {
        ui::warn_of_no_game(&sources.shown(path));
    }
    outputs.finish()
}

/// Where the findings go, in each form that was asked for.
struct Outputs<'a> {
    args: &'a CheckArgs,
    /// Standard output, as text or as JSON.
    out: Box<dyn Write>,
    draw: Draw,
    page: Option<ReportPage>,
    sarif: Option<Sarif>,
    junit: Option<Junit>,
    summary: Summary,
    kinds: Kinds,
    exit: Exit,
    warnings: u64,
    /// Notes that were only counted.
    notes: u64,
    /// Whether a file could be read.
    has_read: bool,
    /// Whether the last line is that of a game without findings, which no empty line follows.
    ends_with_clean: bool,
}

impl Outputs<'_> {
    /// Writes the report on a game, which can be read again from this file.
    fn take(&mut self, report: &Report, path: &Path) -> io::Result<()> {
        self.summary.count(report);
        self.kinds.count(report);
        self.notes += u64::from(report.notes_counted);
        self.has_read |= report.game > 0;
        let is_warning = |finding: &&Finding| finding.severity == Severity::Warning;
        self.warnings += report.findings.iter().filter(is_warning).count() as u64;
        self.exit = self.exit.max(exit_of(report));
        if let Some(page) = &mut self.page {
            page.take(report, path)?;
        }
        if let Some(sarif) = &mut self.sarif {
            sarif.take(report)?;
        }
        if let Some(junit) = &mut self.junit {
            junit.take(report)?;
        }
        // What is not judged without a finding of its own depends on a sheet that has one.
        let says_nothing = report.verdict == Verdict::Clean || report.findings.is_empty();
        if self.args.quiet && says_nothing {
            return Ok(());
        }
        self.ends_with_clean = report.findings.is_empty();
        if self.args.json {
            ui::json(&mut self.out, report)
        } else if self.args.brief || self.args.quiet {
            print_briefly(&mut self.out, report)
        } else {
            print_report(&mut self.out, report, &self.draw)
        }
    }

    /// Writes the summary after the last game.
    fn sum_up(&mut self) -> io::Result<()> {
        let out = &mut self.out;
        let summary = self.summary;
        if self.args.json {
            let kinds = self.kinds.sorted();
            ui::json(
                out,
                &LastLine {
                    program: PROGRAM,
                    summary: Sum { summary, kinds },
                },
            )?;
        } else if self.has_read || summary.games == 0 {
            // If no file could be read, that has been reported.
            if self.ends_with_clean && self.kinds.are_listed() {
                writeln!(out)?;
            }
            self.kinds.write(out)?;
            writeln!(out, "{}", summary_line(&summary, self.warnings, self.notes))?;
        }
        out.flush()
    }

    /// Completes the files that were asked for.
    fn finish(self) -> Result<Exit, CliError> {
        if let (Some(path), Some(page)) = (&self.args.html, self.page) {
            view::write(path, page.finish(&self.summary, self.warnings, self.notes)?)?;
        }
        if let Some(sarif) = self.sarif {
            sarif.finish(&self.summary, self.exit)?;
        }
        if let Some(junit) = self.junit {
            junit.finish()?;
        }
        Ok(self.exit)
    }
}

/// The last line: the games of the run, counted by their verdicts, and the findings by their kinds.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LastLine {
    /// The program that judged them, with its version.
    program: &'static str,
    /// The numbers of games, and of findings.
    summary: Sum,
}

/// The games of a run, counted by their verdicts, and its findings, counted by their kinds.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Summary")
)]
struct Sum {
    #[serde(flatten)]
    summary: Summary,
    /// The kinds of findings that there are: the gravest first, of these the most frequent.
    kinds: Vec<Kind>,
}

pub fn exit_of(report: &Report) -> Exit {
    match (report.verdict, report.weight()) {
        (Verdict::Unreadable, _) => Exit::Unusable,
        (_, Some(Severity::Error)) => Exit::Findings,
        _ => Exit::Clean,
    }
}

/// Each finding on one line, or the verdict if there is none.
fn print_briefly(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for finding in &report.findings {
        write!(out, "{}", report.file.shown())?;
        if finding.place.line > 0 {
            write!(out, ":{}:{}", finding.place.line, finding.column)?;
        }
        let (severity, code) = (finding.severity, finding.code.id);
        writeln!(out, ": {severity}[{code}]: {}", finding.message.line())?;
    }
    if report.findings.is_empty() && report.game > 0 {
        write_verdict(out, report)?;
    }
    Ok(())
}

fn print_report(out: &mut impl Write, report: &Report, draw: &Draw) -> io::Result<()> {
    for finding in &report.findings {
        writeln!(
            out,
            "{}\n",
            draw.finding(&report.file, report.shown_as, finding)
        )?;
    }
    if report.game == 0 {
        // A file that cannot be read has no game to name.
        return Ok(());
    }
    write_verdict(out, report)?;
    if report.findings.is_empty() {
        return Ok(());
    }
    writeln!(out)
}
