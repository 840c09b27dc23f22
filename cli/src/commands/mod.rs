//! The commands. Each is one file with its arguments, its help and what it does.

pub mod bundle;
pub mod check;
mod completions;
pub mod config;
pub mod convert;
pub mod demo;
pub mod desk;
pub mod engine;
pub mod event;
pub mod explain;
pub mod extend;
pub mod fmt;
mod ledger;
mod man;
mod r#match;
pub mod merge;
pub mod moves;
pub mod orders;
pub mod pair;
pub mod perft;
pub mod plan;
mod result;
mod run;
pub mod schema;
pub mod score;
pub mod select;
mod selfplay;
mod serve;
pub mod show;
pub mod standings;
pub mod stats;
mod unbundle;
pub mod view;
pub mod winnable;

use crate::{
    bare,
    config::Config,
    exit::{CliError, Exit},
    folders, help, ui,
};
use clap::{
    ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand,
    builder::styling::{AnsiColor, Styles},
    error::ErrorKind,
};
use std::{ffi::OsString, path::PathBuf};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Tournament and adjudication tools for nested and multi-board chess.
#[derive(Parser, Debug)]
#[command(name = "overboard", version, styles = STYLES, max_term_width = 100, arg_required_else_help = true)]
#[command(
    after_help = "`overboard FILE…` is short for `overboard check FILE…`.\n\nExit codes: 0 no errors, 1 errors found, 2 unreadable input or wrong arguments.\n\nExamples:\n  overboard demo\n  overboard check examples/history.pgn\n  overboard explain CH-14\n  overboard show --at 12b examples/history.pgn"
)]
pub struct Cli {
    /// Use colours. With `auto`, the default, on a terminal, unless the variable NO_COLOR is set.
    #[arg(long, global = true, value_name = "WHEN", display_order = 1_000)]
    pub color: Option<ColorChoice>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    Demo(demo::DemoArgs),
    Check(check::CheckArgs),
    Fmt(fmt::FmtArgs),
    Show(show::ShowArgs),
    View(view::ViewArgs),
    Convert(convert::ConvertArgs),
    Select(select::SelectArgs),
    Bundle(bundle::BundleArgs),
    Unbundle(unbundle::UnbundleArgs),
    Moves(moves::MovesArgs),
    Perft(perft::PerftArgs),
    Winnable(winnable::WinnableArgs),
    Selfplay(selfplay::SelfplayArgs),
    Serve(serve::ServeArgs),
    Desk(desk::DeskArgs),
    Match(r#match::MatchArgs),
    Engine(engine::EngineArgs),
    Extend(extend::ExtendArgs),
    Plan(plan::PlanArgs),
    Run(run::RunArgs),
    Merge(merge::MergeArgs),
    Ledger(ledger::LedgerArgs),
    Stats(stats::StatsArgs),
    Score(score::ScoreArgs),
    Orders(orders::OrdersArgs),
    Event(event::EventArgs),
    Pair(pair::PairArgs),
    Result(result::ResultArgs),
    Standings(standings::StandingsArgs),
    Explain(explain::ExplainArgs),
    Config(config::ConfigArgs),
    Schema(schema::SchemaArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Command {
    /// The files of records that the command reads, if a folder may stand for those in it.
    const fn records_mut(&mut self) -> Option<&mut Vec<PathBuf>> {
        match self {
            Self::Check(args) => Some(&mut args.files),
            Self::Fmt(args) => Some(&mut args.files),
            Self::Convert(args) => Some(&mut args.files),
            Self::Select(args) => Some(&mut args.files),
            Self::Bundle(args) => Some(&mut args.files),
            Self::Unbundle(args) => Some(&mut args.files),
            Self::Stats(args) => Some(&mut args.files),
            Self::Score(args) => Some(&mut args.files),
            Self::Orders(args) => Some(&mut args.files),
            Self::Result(args) => Some(&mut args.from),
            Self::Event(args) => args.command.records_mut(),
            Self::Desk(args) => Some(&mut args.games),
            _ => None,
        }
    }
}

/// All commands with their help.
pub fn described() -> clap::Command {
    help::with_short_help(Cli::command())
}

/// Parses a command line, without the program's name.
pub fn parse(mut words: Vec<OsString>, config: Option<&Config>) -> Result<Cli, clap::Error> {
    let command = configured(Cli::command(), config);
    if let Some(index) = bare::first_file(&words, &command) {
        words.insert(index, "check".into());
    }
    words.insert(0, "overboard".into());
    let found = match command.try_get_matches_from(&words) {
        // Only help shows texts, and making their short forms takes a third of the program's start.
        Err(error) if shows_help(&error) => {
            configured(described(), config).try_get_matches_from(words)
        }
        found => found,
    };
    Cli::from_arg_matches(&found?)
}

fn configured(command: clap::Command, config: Option<&Config>) -> clap::Command {
    match config {
        Some(config) => config.apply(command),
        None => command,
    }
}

fn shows_help(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    )
}

/// Runs the command.
pub fn run(mut cli: Cli, config: &Config) -> Result<Exit, CliError> {
    let folders = cli.command.records_mut().map_or(Ok(Exit::Clean), open)?;
    let done = perform(&cli, config)?;
    Ok(done.max(folders))
}

/// Puts the records in a folder in its place. What is wrong with one folder does not stop the others.
fn open(files: &mut Vec<PathBuf>) -> Result<Exit, CliError> {
    let (records, mut complaints) = folders::records(files);
    *files = records;
    let last = if files.is_empty() {
        complaints.pop()
    } else {
        None
    };
    for error in &complaints {
        ui::complain(error);
    }
    match (last, &complaints[..]) {
        (Some(last), _) => Err(last.into()),
        (None, []) => Ok(Exit::Clean),
        (None, _) => Ok(Exit::Unusable),
    }
}

fn perform(cli: &Cli, config: &Config) -> Result<Exit, CliError> {
    match &cli.command {
        Command::Demo(args) => demo::run(args),
        Command::Check(args) => check::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Show(args) => show::run(args),
        Command::View(args) => view::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Select(args) => select::run(args),
        Command::Bundle(args) => bundle::run(args),
        Command::Unbundle(args) => unbundle::run(args),
        Command::Moves(args) => moves::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Winnable(args) => winnable::run(args),
        Command::Selfplay(args) => selfplay::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Desk(args) => desk::run(args),
        Command::Match(args) => r#match::run(args),
        Command::Engine(args) => engine::run(args),
        Command::Extend(args) => extend::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Run(args) => run::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Ledger(args) => ledger::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Score(args) => score::run(args),
        Command::Orders(args) => orders::run(args),
        Command::Event(args) => event::run(args),
        Command::Pair(args) => pair::run(args),
        Command::Result(args) => args.folder.named(result::run(args)),
        Command::Standings(args) => args.folder.named(standings::run(args)),
        Command::Explain(args) => explain::run(args),
        Command::Config(args) => config::run(args, config, cli.color),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    }
}
