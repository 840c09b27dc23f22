//! `merge`: merges the ledgers of shards.

use crate::{
    exit::{CliError, Exit},
    ledgers,
    sprt::Course,
    ui,
};
use clap::Args;
use overboard_engines::{
    manifest::is_default,
    merge::{Merged, merge},
    shard::{list, span},
};
use overboard_events::atomic_files;
use overboard_formats::foreign::visible;
use serde::Serialize;
use std::{
    io::{self, BufWriter, Write},
    ops::Range,
    path::PathBuf,
};

/// Merge the ledgers of a plan's shards.
///
/// The result is byte for byte the ledger of a single run of the whole plan. Damaged ledgers, ledgers of other runs,
/// and two that differ in a game are refused. Missing games are listed, and nothing is written without --allow-gaps.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 games are missing, 2 the ledgers cannot be merged.\n\nExample:\n  overboard merge --out night.jsonl night.*-of-64.jsonl"
)]
pub struct MergeArgs {
    /// The ledgers.
    #[arg(required = true, value_name = "LEDGER")]
    pub ledgers: Vec<PathBuf>,
    /// The file to write, completely or not at all; it must not exist.
    #[arg(short, long, alias = "output", value_name = "FILE")]
    pub out: PathBuf,
    /// Merge even if games are missing.
    #[arg(long)]
    pub allow_gaps: bool,
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Ledgers that were merged.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// Games merged.
    games: u64,
    /// Those of them that were in more than one ledger, identical.
    doubled: u64,
    /// Ranges of units with a missing game: the first and the last of each.
    missing_units: Vec<[u64; 2]>,
    /// The number of shards of the run.
    shards: u64,
    /// The shards to be played again, as `--array=` takes them.
    array: String,
    /// The test that ends the run; only if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Course>,
    /// Games left out, since the test had ended the run before them; only if there are any.
    #[serde(skip_serializing_if = "is_default")]
    beyond: u64,
    /// Whether the merged ledger was written.
    written: bool,
}

pub fn run(args: &MergeArgs) -> Result<Exit, CliError> {
    let mut outcome = None;
    let written = atomic_files::create(&args.out, |draft| {
        let mut out = BufWriter::with_capacity(1 << 18, draft);
        let merged =
            merge(&args.ledgers, &mut out).and_then(|merged| Ok(out.flush().map(|()| merged)?));
        let is_good = merged
            .as_ref()
            .is_ok_and(|merged| args.allow_gaps || merged.gaps.is_empty());
        outcome = Some(merged);
        // Nothing is written that is not to be kept.
        if is_good {
            Ok(())
        } else {
            Err(io::ErrorKind::Interrupted.into())
        }
    });
    let Some(merged) = outcome else {
        // Not even a draft could be created.
        let error = written.err().unwrap_or_else(|| io::ErrorKind::Other.into());
        return Err(CliError::file(&args.out, error));
    };
    let merged = merged?;
    match written {
        Err(error) if args.allow_gaps || merged.gaps.is_empty() => {
            return Err(CliError::file(&args.out, error));
        }
        written => report(args, &merged, written.is_ok())?,
    }
    Ok(Exit::with(!merged.gaps.is_empty()))
}

fn report(args: &MergeArgs, merged: &Merged, written: bool) -> Result<(), CliError> {
    for (path, games) in &merged.old_words {
        ledgers::old_words(path, *games);
    }
    for path in &merged.torn {
        ui::warn(&format!(
            "{}: its last line is incomplete and was left out",
            path.display()
        ));
    }
    for path in &merged.empty {
        ui::note(&format!("{}: it has no game yet", path.display()));
    }
    let (shards, parts) = merged.shards.clone().unwrap_or_default();
    let mut out = ui::stdout();
    if args.json {
        let missing_units = merged.gaps.iter().map(|gap| [gap.start, gap.end - 1]);
        let report = Report {
            games: merged.games,
            doubled: merged.doubled,
            missing_units: missing_units.collect(),
            shards,
            array: list(&parts),
            sprt: course(merged),
            beyond: merged.beyond,
            written,
        };
        ui::json(&mut out, &report)?;
    } else {
        print_summary(args, merged, (shards, &parts), &mut out)?;
    }
    Ok(out.flush()?)
}

/// The course of the run's test.
fn course(merged: &Merged) -> Option<Course> {
    Course::by(merged.trial.as_ref()?, merged.meeting.as_ref()?)
}

fn print_summary(
    args: &MergeArgs,
    merged: &Merged,
    (shards, parts): (u64, &[Range<u64>]),
    out: &mut impl Write,
) -> io::Result<()> {
    let doubled = match merged.doubled {
        0 => String::new(),
        count => format!(", {count} of them in more than one ledger, identical"),
    };
    writeln!(out, "{} games{doubled}", merged.games)?;
    if let Some(course) = course(merged) {
        writeln!(out, "{course}")?;
    }
    if merged.beyond > 0 {
        writeln!(
            out,
            "left out, since a single run would have ended before them: {} games",
            merged.beyond
        )?;
    }
    if merged.gaps.is_empty() {
        return Ok(());
    }
    let gaps: Vec<_> = merged.gaps.iter().map(span).collect();
    writeln!(out, "missing units: {}", gaps.join(","))?;
    if !args.allow_gaps {
        let file = args.out.display().to_string();
        writeln!(
            out,
            "{} was not written; --allow-gaps merges without the missing games",
            visible(&file)
        )?;
    }
    match parts {
        [one] if one.end - one.start == 1 => {
            let one = one.start;
            writeln!(
                out,
                "to play them: overboard run PLAN --shard {one}/{shards} (Slurm: --array={one})"
            )
        }
        _ => {
            let array = list(parts);
            writeln!(
                out,
                "to play them: overboard run PLAN --shard i/{shards} for i of {array} (Slurm: --array={array})"
            )
        }
    }
}
