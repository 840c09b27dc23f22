//! `perft`: count the lines of play behind positions.

use crate::{
    exit::{Exit, Failure},
    positions::{self, PositionArgs},
    ui,
};
use clap::Args;
use overboard_formats::san::PlyText;
use overboard_games::{game_notation::GameNotation as _, registry::AnyGame};
use overboard_pictures::foreign::visible;
use rayon::prelude::*;
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::io::{self, Write};

/// Count legal move sequences from positions (perft).
///
/// A line has as many plies as DEPTH says. Mate and stalemate end a line; draws by repetition, by count
/// or by dead position do not (GEN-6). Other programs count the same: where the numbers differ, one of
/// them has a rule wrong, and --divide leads to the move behind which they do.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 a position or a file cannot be read.\n\nExamples:\n  overboard perft 5\n  overboard perft --variant olympic --divide 4\n  overboard perft --variant olympic --fens positions.txt --json 3"
)]
pub struct PerftArgs {
    /// Plies of each line, counted one for each side's move.
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(..=100))]
    pub depth: u32,
    /// Print how many of the lines begin with each move.
    #[arg(long)]
    pub divide: bool,
    #[command(flatten)]
    pub positions: PositionArgs,
}

/// Plies from which on the branches of one position are worth a thread each.
const WORTH_THREADS: u32 = 4;

/// A position and the lines of play behind it.
#[derive(Serialize)]
struct Perft<'a> {
    fen: &'a str,
    depth: u32,
    nodes: u64,
    divide: Divide<'a>,
}

struct Divide<'a>(&'a [(PlyText, u64)]);

impl Serialize for Divide<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (ply, nodes) in self.0 {
            map.serialize_entry(ply.as_str(), nodes)?;
        }
        map.end()
    }
}

pub fn run(args: &PerftArgs) -> Result<Exit, Failure> {
    positions::each(&args.positions, |position, fen, out| answer(position, fen, args, out))
}

fn answer(position: &AnyGame, fen: &str, args: &PerftArgs, out: &mut Vec<u8>) -> io::Result<()> {
    let divide = divide(position, args.depth);
    let nodes = if args.depth == 0 { 1 } else { divide.iter().map(|(_, nodes)| nodes).sum() };
    if args.positions.json {
        let divide = Divide(&divide);
        return ui::json(out, &Perft { fen, depth: args.depth, nodes, divide });
    }
    if args.positions.fens.is_some() {
        writeln!(out, "{}", visible(fen))?;
    }
    if args.divide {
        divide.iter().try_for_each(|(ply, nodes)| writeln!(out, "{ply}: {nodes}"))?;
    }
    writeln!(out, "{nodes}")
}

/// The lines behind each ply, whatever else has ended the game but mate and stalemate (GEN-6).
fn divide(position: &AnyGame, depth: u32) -> Vec<(PlyText, u64)> {
    let Some(behind) = depth.checked_sub(1) else { return Vec::new() };
    let branches = position.branches();
    let count = |(ply, after): (PlyText, AnyGame)| (ply, after.perft(behind));
    if depth < WORTH_THREADS {
        branches.into_iter().map(count).collect()
    } else {
        branches.into_par_iter().map(count).collect()
    }
}
