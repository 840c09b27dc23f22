//! `selfplay`: many games between players that are built in.

use crate::{
    batch::{self, GamesArgs},
    engines::Entries,
    exit::{CliError, Exit},
    interrupt,
    play::{PlayArgs, play},
};
use clap::Args;
use overboard_engines::{journal::Header, shard::Shard};
use std::{env, path::PathBuf};

/// Play many games between built-in players.
///
/// All processors are used. The ledger holds every game from the moment it is over. A run that was killed goes on
/// when the same command is given again, and its ledger is in the end, byte for byte, that of a run that was not.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 stopped by a signal, 2 it cannot be played, or the ledger cannot be used or written.\n\nExamples:\n  overboard selfplay --player random --games 10000 --ledger random.jsonl\n  overboard selfplay --variant olympic --player search:depth=3 --player search:depth=1 --pairs 200\n  overboard selfplay --schedule gauntlet --player mcts:sims=400 --player greedy --player random --pairs 50 --ledger g.jsonl"
)]
pub struct SelfplayArgs {
    /// A player: `random`, `greedy`, `search:depth=N`, `search:nodes=N`, `search:time=SECONDS` or
    /// `mcts:sims=N`; one alone plays against itself.
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    pub players: Vec<String>,
    #[command(flatten)]
    pub games: GamesArgs,
    /// The file that holds the games; made new, or gone on with.
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    #[command(flatten)]
    pub play: PlayArgs,
}

pub fn run(args: &SelfplayArgs) -> Result<Exit, CliError> {
    let field = Entries { players: args.players.clone(), ..Entries::default() };
    let (manifest, book) = batch::manifest(&args.games, field)?;
    let header = Header::of(&manifest, Shard::WHOLE);
    let ledger = args.ledger.as_deref().map(|path| (path, interrupt::command_line(env::args_os())));
    play(&header, &book, ledger, &args.play, None)
}
