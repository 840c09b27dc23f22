//! `serve`: our players as an engine for other programs.

use crate::exit::{CliError, Exit};
use clap::{Args, ValueEnum};
use overboard_engines::{
    players::Spec,
    serve::{self, Host, Out},
};
use std::io::{self, BufReader};

/// Play as an engine for another program, on standard input and output.
///
/// `lines` is a protocol of our own, with one JSON object a line, that carries every game; it also keeps the rules for
/// programs that know none. `uci` and `cecp` carry games on one board. docs/engines.md says every line of all three.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 the other program has ended it, 2 wrong arguments, or input and output broke.\n\nExamples:\n  overboard serve --proto uci\n  overboard serve --proto lines --player mcts:sims=400 --seed 7\n  xboard -fcp 'overboard serve --proto cecp' -variant olympic"
)]
pub struct ServeArgs {
    /// The protocol.
    #[arg(long, value_name = "NAME")]
    pub proto: Protocol,
    /// A player as for `selfplay` [default: a search as deep as its clock lets it; on linked boards a tree search].
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// The base seed: the same one plays the same, where no clock is looked at.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// What is spoken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Protocol {
    /// One JSON object a line, for every game.
    Lines,
    /// UCI, for games on one board; which one is said by its option UCI_Variant.
    Uci,
    /// CECP version 2, as XBoard speaks it, for games on one board.
    Cecp,
}

pub fn run(args: &ServeArgs) -> Result<Exit, CliError> {
    let spec = args.player.as_deref().map(str::parse::<Spec>).transpose()?;
    let host = Host { spec, seed: args.seed };
    let out = Out::to(io::stdout());
    let input = BufReader::new(io::stdin());
    match args.proto {
        Protocol::Lines => serve::lines::serve(input, &out, host)?,
        Protocol::Cecp => serve::cecp::serve(input, &out, host)?,
        Protocol::Uci => serve::uci::serve(input, &out, host)?,
    }
    Ok(Exit::Clean)
}
