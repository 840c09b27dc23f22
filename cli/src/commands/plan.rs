//! `plan`: what is to be played, written down once and for all.

use crate::{
    args::PlanArgs,
    batch,
    exit::{Exit, Failure},
    ui,
};
use overboard_engines::manifest::{FORMAT, Manifest, Run};
use overboard_events::whole;
use serde::{Deserialize, Serialize};
use std::{fs, io::Write, path::Path};

/// What the file of a plan holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    plan: u32,
    run: Run,
    /// Parts that the units are shared out to.
    pub shards: u64,
    /// What is played.
    pub manifest: Manifest,
}

impl Plan {
    /// Reads a plan and sees that it is the one that was written.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = fs::read(path).map_err(|error| Failure::file(path, error))?;
        let plan = serde_json::from_slice(&bytes).ok();
        let is_whole =
            |plan: &Self| plan.plan == FORMAT && plan.run == plan.manifest.run() && plan.shards > 0;
        plan.filter(is_whole).ok_or_else(|| Failure::NoPlan { path: path.to_owned() })
    }
}

pub fn run(args: &PlanArgs) -> Result<Exit, Failure> {
    let (manifest, _) = batch::manifest(&args.games)?;
    let plan = Plan { plan: FORMAT, run: manifest.run(), shards: args.shards, manifest };
    whole::create(&args.file, |mut out| ui::json(&mut out, &plan))
        .map_err(|error| Failure::file(&args.file, error))?;
    let (units, size) = (plan.manifest.units(), u64::from(plan.manifest.games_per_unit));
    let mut out = ui::stdout();
    let counted = |number: u64, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    let [games, units, shards] = [(units * size, "game"), (units, "unit"), (plan.shards, "shard")]
        .map(|(number, noun)| counted(number, noun));
    writeln!(out, "run {}: {games} in {units}, {shards}", plan.run)?;
    out.flush()?;
    Ok(Exit::Clean)
}
