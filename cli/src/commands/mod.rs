//! The commands. Each is one file with its arguments, its help and what it does.

mod bundle;
mod check;
mod completions;
mod convert;
mod event;
pub mod explain;
pub mod fmt;
mod ledger;
mod man;
mod merge;
mod moves;
mod orders;
mod pair;
mod perft;
pub mod plan;
mod result;
mod run;
mod score;
pub mod select;
mod selfplay;
pub mod show;
mod standings;
pub mod stats;
mod unbundle;

use crate::exit::{Exit, Failure};
use clap::{
    Parser, Subcommand,
    builder::styling::{AnsiColor, Styles},
};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Tournament and adjudication tools for nested and multi-board chess.
#[derive(Parser, Debug)]
#[command(name = "overboard", version, styles = STYLES, max_term_width = 100, disable_help_subcommand = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 no errors, 1 errors found, 2 unreadable input or wrong arguments.\n\nExamples:\n  overboard check examples/history.pgn\n  overboard explain CH-14\n  overboard show --at 12b examples/history.pgn\n  overboard moves --variant olympic"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Judge every game of some files.
    Check(check::CheckArgs),
    /// Write games in canonical form.
    Fmt(fmt::FmtArgs),
    /// Show the position after any move of a game.
    Show(show::ShowArgs),
    /// Turn games into coordinate moves, JSON Lines or FENs, and back.
    Convert(convert::ConvertArgs),
    /// Pick games out of files.
    Select(select::SelectArgs),
    /// Make one record of the score-sheets of its boards and sub-games.
    Bundle(bundle::BundleArgs),
    /// Take nested records apart into score-sheets.
    Unbundle(unbundle::UnbundleArgs),
    /// List the legal moves of positions.
    Moves(moves::MovesArgs),
    /// Count the lines of play behind positions.
    Perft(perft::PerftArgs),
    /// Play many games between players that are built in.
    Selfplay(selfplay::SelfplayArgs),
    /// Write down what is to be played, for many machines.
    Plan(plan::PlanArgs),
    /// Play a plan, or one shard of it.
    Run(run::RunArgs),
    /// Make one ledger of the ledgers of a plan's shards.
    Merge(merge::MergeArgs),
    /// Turn a ledger into games, a table or a summary.
    Ledger(ledger::LedgerArgs),
    /// Tell what games have come to: scores, Elo, tests, lengths, ends.
    Stats(stats::StatsArgs),
    /// Count the kings of StrategiChess matches when time ends.
    Score(score::ScoreArgs),
    /// Print the captains' instructions of StrategiChess matches.
    Orders(orders::OrdersArgs),
    /// Make an event, fill it, look after it.
    Event(event::EventArgs),
    /// Pair rounds of an event, print them, and check them.
    Pair(pair::PairArgs),
    /// Enter results of an event.
    Result(result::ResultArgs),
    /// Print the standings of an event.
    Standings(standings::StandingsArgs),
    /// Tell what a rule or a kind of finding means.
    Explain(explain::ExplainArgs),
    /// Print completions for a shell.
    Completions(completions::CompletionsArgs),
    /// Print a manual page, or write all of them to a folder.
    Man(man::ManArgs),
}

/// Does what was asked.
pub fn run(cli: &Cli) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Check(args) => check::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Show(args) => show::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Select(args) => select::run(args),
        Command::Bundle(args) => bundle::run(args),
        Command::Unbundle(args) => unbundle::run(args),
        Command::Moves(args) => moves::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Selfplay(args) => selfplay::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Run(args) => run::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Ledger(args) => ledger::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Score(args) => score::run(args),
        Command::Orders(args) => orders::run(args),
        Command::Event(args) => event::run(args),
        Command::Pair(args) => pair::run(args),
        Command::Result(args) => result::run(args),
        Command::Standings(args) => standings::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    }
}
