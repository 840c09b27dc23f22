//! `check`: judge every game of some files.

mod page;

use crate::{
    commands::{show::ShowError, view},
    exit::{CliError, Exit},
    games::{Judge, is_stdin, total_bytes},
    options::JudgingArgs,
    pointer::Pointer,
    render::{Draw, summary_line, write_verdict},
    spool::Sources,
    ui,
};
use clap::Args;
use overboard_referee::{
    Options,
    finding::{Finding, Severity, Verdict},
    report::{Report, Summary},
};
use page::ReportPage;
use serde::Serialize;
use std::{
    io::{self, Write},
    path::PathBuf,
};

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
    /// Do not print games without errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Print notes too, such as missing tags.
    #[arg(long)]
    pub notes: bool,
    /// Continue after an illegal move as if it stood, where it is certain which piece went where; the game still has an
    /// error.
    #[arg(long)]
    pub judge_on: bool,
    /// Do not draw the board at an illegal move.
    #[arg(long)]
    pub no_board: bool,
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub judging: JudgingArgs,
}

pub fn run(args: &CheckArgs) -> Result<Exit, CliError> {
    let is_page = args.html.as_deref().is_some_and(is_stdin);
    if is_page && args.json {
        return Err(ShowError::OneOutput.into());
    }
    let bar = ui::bytes_bar(total_bytes(&args.files));
    let options = Options {
        count_notes: !(args.notes || args.json),
        no_excerpts: args.json && args.html.is_none(),
        judge_on: args.judge_on,
        wholes: args.html.is_some(),
        ..args.judging.options()?
    };
    let judge = Judge::new(options.clone(), args.jobs, bar)?;
    let sources = match &args.html {
        Some(_) => Sources::of(&args.files)?,
        None => Sources::once(&args.files),
    };
    let mut page = args
        .html
        .as_ref()
        .map(|_| ReportPage::new(options, args.quiet, args.files.len()));
    let mut out: Box<dyn Write> = if is_page {
        Box::new(io::sink())
    } else {
        Box::new(ui::stdout())
    };
    let pointer = Pointer::new(&args.judging, args.judge_on);
    let draw = Draw::new(ui::columns(), ui::colours(), !args.no_board, pointer);
    let mut summary = Summary::default();
    let mut exit = Exit::Clean;
    let (mut warnings, mut notes, mut read) = (0_u64, 0_u64, false);
    let empty = judge.run(&sources.files, |mut report| {
        let path = sources.name(&mut report);
        summary.count(&report);
        notes += u64::from(report.notes_counted);
        read |= report.game > 0;
        let is_warning = |finding: &&Finding| finding.severity == Severity::Warning;
        warnings += report.findings.iter().filter(is_warning).count() as u64;
        exit = exit.max(exit_of(&report));
        page.iter_mut()
            .try_for_each(|page| page.take(&report, &path))?;
        if args.quiet && report.verdict == Verdict::Clean {
            return Ok(());
        }
        if args.json {
            ui::json(&mut out, &report)
        } else {
            print_report(&mut out, &report, &draw)
        }
    })?;
    if args.json {
        ui::json(&mut out, &LastLine { summary })?;
    } else if read || summary.games == 0 {
        // If no file could be read, that has been reported.
        writeln!(out, "{}", summary_line(&summary, warnings, notes))?;
    }
    out.flush()?;
    for path in empty {
        ui::warn(&format!("{}: no game in this file", sources.shown(path)));
    }
    if let (Some(path), Some(page)) = (&args.html, page) {
        view::write(path, &page.finish(&summary, warnings, notes))?;
    }
    Ok(exit)
}

/// The last line: the games of the run, counted by their verdicts.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LastLine {
    /// The numbers of games.
    summary: Summary,
}

fn exit_of(report: &Report) -> Exit {
    match (report.verdict, report.weight()) {
        (Verdict::Unreadable, _) => Exit::Unusable,
        (_, Some(Severity::Error)) => Exit::Findings,
        _ => Exit::Clean,
    }
}

fn print_report(out: &mut impl Write, report: &Report, draw: &Draw) -> io::Result<()> {
    let mut found = false;
    for finding in &report.findings {
        writeln!(
            out,
            "{}\n",
            draw.finding(&report.file, report.shown_as, finding)
        )?;
        found = true;
    }
    if report.game == 0 {
        // A file that cannot be read has no game to name.
        return Ok(());
    }
    write_verdict(out, report)?;
    if found { writeln!(out) } else { Ok(()) }
}
