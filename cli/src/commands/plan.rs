//! `plan`: writes the plan of a run for many machines.

use crate::{
    batch::{self, GamesArgs},
    engines::{EnvironmentArgs, FieldArgs},
    exit::{CliError, Exit, PartError},
    ui,
};
use clap::Args;
use overboard_engines::manifest::{FORMAT, Manifest, Run};
use overboard_events::atomic_files;
use overboard_rules::refusal::counted;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Plan a run for many machines.
///
/// Writes the plan of a run; `run` then plays all of it or one shard. Do not edit the plan.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the games cannot be played, or the file already exists.\n\nExample:\n  overboard plan --player search:depth=4 --player search:depth=2 --pairs 100000 --shards 64 night.json"
)]
pub struct PlanArgs {
    #[command(flatten)]
    pub field: FieldArgs,
    #[command(flatten)]
    pub environment: EnvironmentArgs,
    #[command(flatten)]
    pub games: GamesArgs,
    /// Number of shards that the games are divided into.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub shards: u64,
    /// The file to write.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Why a plan, or a shard of one, cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file is not a plan.
    #[error("{path}: not a plan, or it was changed after `overboard plan` made it", path = .0.display())]
    NoPlan(PathBuf),
    /// A test is given in addition to the planned one.
    #[error("the plan was made for another test; leave --sprt out, or make a new plan")]
    OtherTest,
    /// There is no such shard.
    #[error("`{given}` is not a shard I/S with I from 0 to S-1; those of the plan are {}", which_of(*.count))]
    BadShard {
        /// What was given, or the variable of a job system that says so.
        given: String,
        /// The number of shards of the plan.
        count: u64,
    },
    /// Nothing says which shard to play.
    #[error(
        "which of the {0} shards? Add --shard ({which}), or set SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX",
        which = which_of(*.0)
    )]
    WhichShard(u64),
}

impl PartError for PlanError {}

/// The possible shards.
fn which_of(count: u64) -> String {
    match count {
        1 => "0/1".into(),
        2 => "0/2 or 1/2".into(),
        _ => format!(
            "0/{count} to {}/{count}, counted from 0",
            count.saturating_sub(1)
        ),
    }
}

/// A run that is planned for many machines.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The version of the form: 1.
    plan: u32,
    /// The name of the run.
    run: Run,
    /// The number of parts into which the units are divided.
    pub shards: u64,
    /// What is played.
    pub manifest: Manifest,
}

impl Plan {
    /// Reads a plan, and checks that it is unchanged.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let bytes = fs::read(path).map_err(CliError::on(path))?;
        match serde_json::from_slice::<Self>(&bytes) {
            Ok(plan) if plan.is_whole() => Ok(plan),
            _ => Err(PlanError::NoPlan(path.to_owned()).into()),
        }
    }

    fn is_whole(&self) -> bool {
        self.plan == FORMAT && self.run == self.manifest.run() && self.shards > 0
    }
}

pub fn run(args: &PlanArgs) -> Result<Exit, CliError> {
    let (manifest, _) = batch::manifest(&args.games, args.field.field()?, None, &args.environment)?;
    let plan = Plan {
        plan: FORMAT,
        run: manifest.run(),
        shards: args.shards,
        manifest,
    };
    atomic_files::create(&args.file, |mut out| ui::json(&mut out, &plan))
        .map_err(CliError::on(&args.file))?;
    let units = plan.manifest.units();
    let games = counted(units * u64::from(plan.manifest.games_per_unit), "game");
    let (units, shards) = (counted(units, "unit"), counted(plan.shards, "shard"));
    ui::print_text(&format!("run {}: {games} in {units}, {shards}\n", plan.run))?;
    Ok(Exit::Clean)
}
