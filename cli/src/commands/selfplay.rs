//! `selfplay`: many games between players that are built in.

use crate::{
    args::SelfplayArgs,
    batch,
    exit::{Exit, Failure},
    summary, ui,
};
use overboard_engines::{journal::Header, shard::Shard};
use std::io::Write;

pub fn run(args: &SelfplayArgs) -> Result<Exit, Failure> {
    let (manifest, positions) = batch::manifest(&args.games)?;
    let header = Header::of(&manifest, Shard::WHOLE);
    let tally = batch::play(&header, &positions, args.ledger.as_deref(), args.jobs)?;
    let mut out = ui::stdout();
    summary::print(&header, &tally, args.json, &mut out)?;
    out.flush()?;
    Ok(Exit::Clean)
}
