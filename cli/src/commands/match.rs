//! `match`: many games between external engines and built-in players.

use crate::{
    batch::{self, GamesArgs},
    engines::{FieldArgs, OutfitArgs},
    exit::{CliError, Exit},
    play::{PlayArgs, SavedTo, play},
};
use clap::Args;
use overboard_engines::{journal::Header, shard::Shard};
use std::path::PathBuf;

/// Play many games between external engines (match runner).
///
/// Every move, result and draw claim of an engine is checked by the rules. An engine that plays an illegal move,
/// crashes, hangs or exceeds its time loses that game, and the run continues. Each game is saved to the ledger as soon
/// as it is over. If the run is killed, give the same command again to resume it.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 an engine was at fault, or stopped by a signal, 2 the games cannot be played, or the ledger cannot be used or written.\n\nExamples:\n  overboard match --engine 'name=A cmd=stockfish tc=10+0.1' --engine 'name=B cmd=stockfish tc=10+0.1 option.Hash=64' --pairs 500 --ledger ab.jsonl\n  overboard match --variant olympic --engine 'cmd=fairy-stockfish nodes=20000' --player search:depth=4 --pairs 50 --ledger oc.jsonl\n  overboard match --engines field.toml --schedule round-robin --pairs 20 --openings book.epd --ledger rr.jsonl"
)]
pub struct MatchArgs {
    #[command(flatten)]
    pub field: FieldArgs,
    #[command(flatten)]
    pub games: GamesArgs,
    /// The file for the games; created, or resumed if it exists.
    #[arg(short = 'o', long, aliases = ["output", "out"], value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    #[command(flatten)]
    pub outfit: OutfitArgs,
    #[command(flatten)]
    pub play: PlayArgs,
}

pub fn run(args: &MatchArgs) -> Result<Exit, CliError> {
    let (manifest, book) = batch::manifest(
        &args.games,
        args.field.field()?,
        args.outfit.dialogue.as_deref(),
        &args.outfit.environment,
    )?;
    let header = Header::of(&manifest, Shard::WHOLE);
    let ledger = args.ledger.as_deref().map(SavedTo::by_same_command);
    // The engines have been started once, to ask for their names.
    let engines = args.outfit.engines(&manifest, args.ledger.as_deref())?;
    play(&header, &book, ledger, &args.play, engines.as_ref())
}
