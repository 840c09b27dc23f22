//! `perft`: count legal move sequences from a position.

use crate::{
    exit::{CliError, Exit},
    position_output::PositionOutput,
    positions::{self, PositionArgs, With},
    ui,
};
use clap::Args;
use overboard_formats::{foreign::visible, san::PlyText};
use overboard_games::registry::{AnyGame, AnyPly};
use rayon::prelude::*;
use serde::{Serialize, Serializer};
use std::{
    io::{self, Write},
    ops::ControlFlow,
};

/// Count legal move sequences from positions (perft).
///
/// Counts sequences of DEPTH plies. Mate and stalemate end a sequence; draws by repetition, by move count or by dead
/// position do not (GEN-6). Other programs count the same way. If the numbers differ, one program has a rule wrong;
/// --divide finds the move after which they differ.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 a position or a file cannot be read.\n\nExamples:\n  overboard perft 5\n  overboard perft --variant olympic --divide 4\n  overboard perft --variant olympic --fens positions.txt --json 3"
)]
pub struct PerftArgs {
    /// Depth in plies; a move of one side is one ply.
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(..=100))]
    pub depth: u32,
    /// Print the count after each first move.
    #[arg(long)]
    pub divide: bool,
    #[command(flatten)]
    pub positions: PositionArgs,
}

/// First plies that are distributed to threads at a time.
const KEPT: usize = 1 << 12;
/// The depth from which on the branches of one position are worth a thread each.
const WORTH_THREADS: u32 = 4;

/// A position and the count of legal move sequences from it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Perft<'a> {
    /// The position as it was given.
    fen: &'a str,
    /// The depth in plies.
    depth: u32,
    /// The number of legal move sequences; 1 at depth 0.
    nodes: u64,
    /// The number of sequences after each legal first move, in coordinates; empty at depth 0.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<&str, u64>")
    )]
    divide: Divide<'a>,
}

struct Divide<'a>(&'a [(PlyText, u64)]);

impl Serialize for Divide<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(ply, nodes)| (ply.as_str(), nodes)))
    }
}

pub fn run(args: &PerftArgs) -> Result<Exit, CliError> {
    let lists = args.divide || args.positions.json;
    let with = if lists { With::Listing } else { With::Counting };
    positions::each(&args.positions, with, |position, fen, out| {
        answer(position, fen, args, out)
    })
}

fn answer(
    position: &AnyGame,
    fen: &str,
    args: &PerftArgs,
    out: &mut PositionOutput,
) -> io::Result<()> {
    let depth = args.depth;
    if args.positions.fens.is_some() && !args.positions.json {
        writeln!(out, "{}", visible(fen))?;
    }
    if !args.divide && !args.positions.json {
        return writeln!(out, "{}", count(position, depth));
    }
    let divide = divide(position, depth);
    let sum = divide
        .iter()
        .fold(0_u64, |sum, (_, nodes)| sum.saturating_add(*nodes));
    let nodes = if depth == 0 { 1 } else { sum };
    if args.positions.json {
        return ui::json(
            out,
            &Perft {
                fen,
                depth,
                nodes,
                divide: Divide(&divide),
            },
        );
    }
    for (ply, nodes) in &divide {
        writeln!(out, "{ply}: {nodes}")?;
    }
    writeln!(out, "{nodes}")
}

/// The counts after each ply; only mate and stalemate end a line (GEN-6).
fn divide(position: &AnyGame, depth: u32) -> Vec<(PlyText, u64)> {
    let Some(rest) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let branches = position.branches();
    let count = |(text, ply)| (text, position.perft_after(ply, rest));
    if depth < WORTH_THREADS {
        branches.into_iter().map(count).collect()
    } else {
        branches.into_par_iter().map(count).collect()
    }
}

/// The sum over all first plies. However many there are, only a limited number is held at a time.
fn count(position: &AnyGame, depth: u32) -> u64 {
    let rest = match depth.checked_sub(1) {
        Some(rest) if depth >= WORTH_THREADS => rest,
        _ => return position.perft(depth),
    };
    let lines_after = |plies: &mut Vec<AnyPly>| {
        let lines = plies
            .par_drain(..)
            .map(|ply| position.perft_after(ply, rest));
        lines.reduce(|| 0, u64::saturating_add)
    };
    let (mut lines, mut plies) = (0_u64, Vec::new());
    let _ = position.legal(|ply| {
        plies.push(ply);
        if plies.len() == KEPT {
            lines = lines.saturating_add(lines_after(&mut plies));
        }
        ControlFlow::Continue(())
    });
    lines.saturating_add(lines_after(&mut plies))
}
