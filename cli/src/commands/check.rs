//! `check`: judge every game of some files.

use crate::{
    args::CheckArgs,
    exit::{Exit, Failure},
    games::{Judge, total_bytes},
    render::{Draw, summary_line, write_verdict},
    ui,
};
use overboard_referee::{
    Options,
    finding::{Severity, Verdict},
    report::{Report, Summary},
};
use serde::Serialize;
use std::io::{self, Write};

pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let bar = ui::bytes_bar(total_bytes(&args.files));
    let options = Options {
        count_notes: !(args.notes || args.json),
        no_excerpts: args.json,
        ..args.judging.options()?
    };
    let judge = Judge::new(options, args.jobs, bar)?;
    let mut out = ui::stdout();
    let draw = Draw::new(ui::columns(), ui::colours(), !args.no_board);
    let mut summary = Summary::default();
    let mut exit = Exit::Clean;
    let mut notes = 0_u64;
    let empty = judge.run(&args.files, |report| {
        summary.count(report.verdict);
        notes += u64::from(report.notes_counted);
        exit = exit.max(exit_of(&report));
        if args.json { ui::json(&mut out, &report) } else { tell(&mut out, &report, args, &draw) }
    })?;
    if args.json {
        ui::json(&mut out, &LastLine { summary })?;
    } else {
        writeln!(out, "{}", summary_line(&summary, notes))?;
    }
    out.flush()?;
    for path in empty {
        ui::warn(&format!("{}: no game in this file", path.display()));
    }
    Ok(exit)
}

#[derive(Serialize)]
struct LastLine {
    summary: Summary,
}

fn exit_of(report: &Report) -> Exit {
    match (report.verdict, report.weight()) {
        (Verdict::Unreadable, _) => Exit::Unusable,
        (_, Some(Severity::Error)) => Exit::Findings,
        _ => Exit::Clean,
    }
}

fn tell(out: &mut impl Write, report: &Report, args: &CheckArgs, draw: &Draw) -> io::Result<()> {
    if args.quiet && report.verdict == Verdict::Clean {
        return Ok(());
    }
    let mut found = false;
    for finding in &report.findings {
        writeln!(out, "{}\n", draw.finding(&report.file, finding))?;
        found = true;
    }
    write_verdict(out, report)?;
    if found { writeln!(out) } else { Ok(()) }
}
