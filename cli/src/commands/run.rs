//! `run`: plays a plan, or one shard of it.

use super::plan::{Plan, PlanError};
use crate::{
    batch::{self, BatchError},
    engines::{AllowArgs, OutfitArgs, checked},
    exit::{CliError, Exit},
    interrupt,
    play::{PlayArgs, SavedTo, play},
    sprt::{SprtArgs, SprtError},
};
use clap::Args;
use overboard_engines::{
    batch::admit,
    journal::{Header, no_link},
    shard::Shard,
};
use std::{
    env,
    path::{Path, PathBuf},
};

/// Play a plan, or one shard of it.
///
/// The shard is --shard, or SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX of the environment, counted from 0. Each shard
/// has its own ledger. Give the same command again to resume it.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 an engine was at fault, or stopped by a signal, 2 the games cannot be played, or the ledger cannot be used or written.\n\nExamples:\n  overboard run night.json --shard 3/64\n  sbatch --array=0-63 --wrap 'overboard run night.json -j 1'"
)]
pub struct RunArgs {
    /// The plan.
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Play shard I of S, counted from 0, such as 3/64; S need not be the plan's number of shards.
    #[arg(long, value_name = "I/S")]
    pub shard: Option<String>,
    /// The file for the games [default: the plan's name followed by the shard's].
    #[arg(short = 'o', long, aliases = ["output", "out"], value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// The plan's file of openings, if it has moved.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// A test that ends the run as soon as it decides.
    #[command(flatten)]
    pub sprt: SprtArgs,
    #[command(flatten)]
    pub outfit: OutfitArgs,
    #[command(flatten)]
    pub allow: AllowArgs,
    #[command(flatten)]
    pub play: PlayArgs,
}

/// The environment variables in which job systems give the index of a task.
const INDICES: [&str; 2] = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"];

pub fn run(args: &RunArgs) -> Result<Exit, CliError> {
    let mut plan = Plan::read(&args.plan)?;
    if let Some(sprt) = args.sprt.test()? {
        if plan.manifest.sprt.is_some_and(|planned| planned != sprt) {
            return Err(PlanError::OtherTest.into());
        }
        if let [alone] = &plan.manifest.players[..] {
            return Err(SprtError::Alone(alone.clone()).into());
        }
        plan.manifest.sprt = Some(sprt);
    }
    admit(&plan.manifest).map_err(BatchError::from)?;
    let shard = shard(args, plan.shards)?;
    let ledger = args
        .ledger
        .clone()
        .unwrap_or_else(|| beside(&args.plan, shard));
    if args.ledger.is_none() {
        no_link(&ledger).map_err(CliError::on(&ledger))?;
    }
    let book = batch::book(&plan.manifest, args.openings.as_deref())?;
    let header = Header::of(&plan.manifest, shard);
    let mut words: Vec<_> = env::args_os().collect();
    if args.shard.is_none() && plan.shards > 1 {
        // If a job system chose the shard, a later call by hand must name it.
        words.extend(["--shard".into(), shard.to_string().into()]);
    }
    args.allow.allow(&plan.manifest, &args.plan)?;
    let engines = checked(&args.outfit, &plan.manifest, &book, &ledger)?;
    let saved_to = SavedTo {
        path: &ledger,
        resume_with: interrupt::command_line(words),
    };
    play(&header, &book, Some(saved_to), &args.play, engines.as_ref())
}

/// The shard: from the option, else from the task's index, else the whole of a plan that has only one.
fn shard(args: &RunArgs, shards: u64) -> Result<Shard, PlanError> {
    if let Some(text) = &args.shard {
        return parsed(text, text, shards);
    }
    for name in INDICES {
        if let Ok(index) = env::var(name) {
            let given = format!("{name}={index}");
            return parsed(&format!("{index}/{shards}"), &given, shards);
        }
    }
    match shards {
        1 => Ok(Shard::WHOLE),
        _ => Err(PlanError::WhichShard(shards)),
    }
}

fn parsed(text: &str, given: &str, count: u64) -> Result<Shard, PlanError> {
    text.parse().map_err(|_| PlanError::BadShard {
        given: given.to_owned(),
        count,
    })
}

/// The ledger for a plan and a shard: for `night.json` and shard 3 of 64, `night.3-of-64.jsonl`.
fn beside(plan: &Path, shard: Shard) -> PathBuf {
    plan.with_extension(format!("{}-of-{}.jsonl", shard.index(), shard.count()))
}
