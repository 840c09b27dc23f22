//! `run`: a plan played, or one shard of it.

use super::plan::Plan;
use crate::{
    args::RunArgs,
    batch,
    exit::{Exit, Failure},
    summary, ui,
};
use overboard_engines::{batch::admit, journal::Header, manifest::Source, shard::Shard};
use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// Where job systems say which task of an array this is.
const INDICES: [&str; 2] = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"];

pub fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let plan = Plan::read(&args.plan)?;
    admit(&plan.manifest).map_err(Failure::Unplayable)?;
    let shard = shard(args, plan.shards)?;
    let ledger = args.ledger.clone().unwrap_or_else(|| beside(&args.plan, shard));
    let positions = match (&args.openings, &plan.manifest.openings) {
        (Some(path), _) => batch::positions(path)?,
        (None, Source::Positions { file, .. }) => batch::positions(Path::new(file))?,
        (None, Source::RandomPlies(_)) => String::new(),
    };
    let header = Header::of(&plan.manifest, shard);
    let tally = batch::play(&header, &positions, Some(&ledger), args.jobs)?;
    let mut out = ui::stdout();
    summary::print(&header, &tally, args.json, &mut out)?;
    out.flush()?;
    Ok(Exit::Clean)
}

/// The shard by option, else by the task's index, else the whole of a plan that has one.
fn shard(args: &RunArgs, shards: u64) -> Result<Shard, Failure> {
    if let Some(text) = &args.shard {
        return Ok(text.parse()?);
    }
    let index = INDICES.iter().find_map(|name| std::env::var(name).ok());
    match index {
        Some(index) => Ok(format!("{index}/{shards}").parse()?),
        None if shards == 1 => Ok(Shard::WHOLE),
        None => Err(Failure::WhichShard(shards)),
    }
}

/// `night.json` and shard 3 of 64: `night.3-of-64.jsonl`.
fn beside(plan: &Path, shard: Shard) -> PathBuf {
    plan.with_extension(format!("{}-of-{}.jsonl", shard.index(), shard.count()))
}
