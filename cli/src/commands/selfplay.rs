//! `selfplay`: many games between built-in players.

use crate::{
    batch::{self, GamesArgs},
    engines::{Entries, EnvironmentArgs},
    exit::{CliError, Exit},
    play::{PlayArgs, SavedTo, play},
};
use clap::Args;
use overboard_engines::{journal::Header, shard::Shard};
use std::path::PathBuf;

/// Play many games between built-in players.
///
/// Uses all processors. Each game is saved to the ledger as soon as it is over. If the run is killed, give the same
/// command again to resume it; the final ledger is byte for byte that of an uninterrupted run.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 stopped by a signal, 2 the games cannot be played, or the ledger cannot be used or written.\n\nExamples:\n  overboard selfplay --player random --games 10000 --ledger random.jsonl\n  overboard selfplay --variant olympic --player search:depth=3 --player search:depth=1 --pairs 200\n  overboard selfplay --schedule gauntlet --player mcts:sims=400 --player greedy --player random --pairs 50 --ledger g.jsonl"
)]
pub struct SelfplayArgs {
    /// A built-in player, such as `greedy` or `search:depth=3`. They are `random`, `greedy`, `search:depth=N`,
    /// `search:nodes=N`, `search:time=SECONDS` and `mcts:sims=N`; a single player plays against itself.
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    pub players: Vec<String>,
    #[command(flatten)]
    pub games: GamesArgs,
    /// The file for the games; created, or resumed if it exists.
    #[arg(short = 'o', long, aliases = ["output", "out"], value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    #[command(flatten)]
    pub play: PlayArgs,
}

pub fn run(args: &SelfplayArgs) -> Result<Exit, CliError> {
    let players = args
        .players
        .iter()
        .map(|name| name.as_str().into())
        .collect();
    let field = Entries {
        players,
        ..Entries::default()
    };
    let (manifest, book) = batch::manifest(&args.games, field, None, &EnvironmentArgs::default())?;
    let header = Header::of(&manifest, Shard::WHOLE);
    let ledger = args.ledger.as_deref().map(SavedTo::by_same_command);
    play(&header, &book, ledger, &args.play, None)
}
