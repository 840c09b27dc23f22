//! `serve`: our players as an engine for other programs.

use crate::exit::{CliError, Exit};
use clap::{Args, ValueEnum};
use overboard_engines::{
    players::Spec,
    serve::{self, Host, Out},
};
use std::io::{self, BufReader};

/// Run as an engine on standard input and output (UCI, CECP).
///
/// `lines` is our own protocol, with one JSON object per line, for every game; it also serves as an arbiter for
/// programs that do not know the rules. `uci` and `cecp` are for games on one board. docs/engines.md documents every line
/// of all three.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 the other program ended the session, 2 wrong arguments, or input or output failed.\n\nExamples:\n  overboard serve --proto uci\n  overboard serve --proto lines --player mcts:sims=400 --seed 7\n  xboard -fcp 'overboard serve --proto cecp' -variant olympic"
)]
pub struct ServeArgs {
    /// The protocol.
    #[arg(long, value_name = "NAME")]
    pub proto: Protocol,
    /// A player as for `selfplay` [default: a search as deep as the clock allows; on linked boards a Monte Carlo tree
    /// search].
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// The seed; the same seed gives the same moves, unless the player uses its clock.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// The protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Protocol {
    /// One JSON object per line, for every game.
    Lines,
    /// UCI, for games on one board; its option UCI_Variant selects the game.
    Uci,
    /// CECP version 2, as XBoard speaks it, for games on one board.
    Cecp,
}

pub fn run(args: &ServeArgs) -> Result<Exit, CliError> {
    let spec = args.player.as_deref().map(str::parse::<Spec>).transpose()?;
    let host = Host {
        spec,
        seed: args.seed,
    };
    let out = Out::to(io::stdout());
    let input = BufReader::new(io::stdin());
    match args.proto {
        Protocol::Lines => serve::lines::serve(input, &out, host)?,
        Protocol::Cecp => serve::cecp::serve(input, &out, host)?,
        Protocol::Uci => serve::uci::serve(input, &out, host)?,
    }
    Ok(Exit::Clean)
}
