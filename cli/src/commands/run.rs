//! `run`: a plan played, or one shard of it.

use super::plan::{Plan, PlanError};
use crate::{
    batch::{self, BatchError},
    exit::{Exit, Failure},
    play::{PlayArgs, play},
    summary, ui,
};
use clap::Args;
use overboard_engines::{batch::admit, journal::Header, manifest::Source, shard::Shard};
use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// Play a plan, or one shard of it, into a ledger of its own.
///
/// Which shard it is stands in --shard, or in SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX, counted from
/// 0. Given again, the command goes on where it stopped.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 it cannot be played, or the ledger cannot be used or written.\n\nExamples:\n  overboard run night.json --shard 3/64\n  sbatch --array=0-63 --wrap 'overboard run night.json -j 1'"
)]
pub struct RunArgs {
    /// The plan.
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Play part i, from 0, of S.
    #[arg(long, value_name = "i/S")]
    pub shard: Option<String>,
    /// The file that holds the games [default: the plan's name with the shard's behind it].
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Where the plan's file of positions is now.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    #[command(flatten)]
    pub play: PlayArgs,
}

/// Where job systems say which task of an array this is.
const INDICES: [&str; 2] = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"];

pub fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let plan = Plan::read(&args.plan)?;
    admit(&plan.manifest).map_err(BatchError::from)?;
    let shard = shard(args, plan.shards)?;
    let ledger = args.ledger.clone().unwrap_or_else(|| beside(&args.plan, shard));
    let positions = match (&args.openings, &plan.manifest.openings) {
        (Some(path), _) => batch::positions(path)?,
        (None, Source::Positions { file, .. }) => batch::positions(Path::new(file))?,
        (None, Source::RandomPlies(_)) => String::new(),
    };
    let header = Header::of(&plan.manifest, shard);
    let tally = play(&header, &positions, Some(&ledger), &args.play)?;
    let mut out = ui::stdout();
    summary::print(&header, &tally, args.play.json, &mut out)?;
    out.flush()?;
    Ok(Exit::Clean)
}

/// The shard by option, else by the task's index, else the whole of a plan that has one.
fn shard(args: &RunArgs, shards: u64) -> Result<Shard, PlanError> {
    if let Some(text) = &args.shard {
        return Ok(text.parse()?);
    }
    let index = INDICES.iter().find_map(|name| std::env::var(name).ok());
    match index {
        Some(index) => Ok(format!("{index}/{shards}").parse()?),
        None if shards == 1 => Ok(Shard::WHOLE),
        None => Err(PlanError::WhichShard(shards)),
    }
}

/// `night.json` and shard 3 of 64: `night.3-of-64.jsonl`.
fn beside(plan: &Path, shard: Shard) -> PathBuf {
    plan.with_extension(format!("{}-of-{}.jsonl", shard.index(), shard.count()))
}
