//! Which games to play: the options that `selfplay` and `plan` share.

use crate::{
    exit::Failure,
    options::VariantName,
    positions::PositionsError,
    sprt::{SprtArgs, SprtError},
};
use clap::{Args, ValueEnum};
use overboard_engines::{
    batch::{self, Stopped},
    manifest::{FORMAT, Manifest, NoSense, PROGRAM, Schedule, Source, laws_of},
    openings,
    players::Spec,
    stats::Sprt,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// What games are to be played.
#[derive(Args, Debug)]
pub struct GamesArgs {
    /// The game.
    #[arg(long, value_name = "NAME", default_value = "chess", ignore_case = true)]
    pub variant: VariantName,
    /// With --variant strategichess: so many boards side by side.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub boards: u16,
    /// Rules agreed, written as in the tag Rules, such as `edition=2025` or `fog`.
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// Level of Recursive Chess, from 1 to 64 [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub level: Option<u8>,
    /// A player: `random`, `greedy`, `search:depth=N`, `search:nodes=N`, `search:time=SECONDS` or
    /// `mcts:sims=N`; one alone plays against itself.
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    pub players: Vec<String>,
    /// Who meets whom [default: pairs of two players, a round robin of more].
    #[arg(long, value_name = "NAME")]
    pub schedule: Option<ScheduleName>,
    /// Play so many pairs of games for each pairing, with colours swapped and one opening a pair.
    #[arg(long, value_name = "N", conflicts_with = "games", required_unless_present = "games", value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: Option<u64>,
    /// Play so many games for each pairing, colours in turn.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// The base seed: the same one gives the same games on any machine and any number of threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Start from the positions of this file, one a line; every one comes once before any comes again.
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    pub openings: Option<PathBuf>,
    /// Start with so many random plies from the game's first position, other ones each round.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub random_plies: u32,
    /// Stop a game after so many plies, and adjudicate it [default: more than nearly all such games have].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_plies: Option<u32>,
    /// A test that ends the run as soon as it decides.
    #[command(flatten)]
    pub sprt: SprtArgs,
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ScheduleName {
    /// Two players against each other, or one against itself.
    Pairs,
    /// Each player against each other player.
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
}

/// Why games are not played, or not to their end.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// They cannot be played.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A ledger can no longer be written.
    #[error(
        "{path}: {source}; {done} of {total} games are in the ledger. When it can be written again, the same \
         command goes on from there: {go_on}",
        path = path.display()
    )]
    Halted {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
        /// Games in it.
        done: u64,
        /// Games that it is to hold.
        total: u64,
        /// The command that goes on.
        go_on: String,
    },
}

/// What was asked for, as a manifest, and the positions that it starts from.
pub fn manifest(args: &GamesArgs) -> Result<(Manifest, String), Failure> {
    let specs = args.players.iter().map(|name| name.parse::<Spec>()).collect::<Result<Vec<_>, _>>();
    let specs = specs.map_err(|error| BatchError::from(Stopped::from(NoSense::from(error))))?;
    let (openings, positions) = match &args.openings {
        Some(path) => source(path)?,
        None => (Source::RandomPlies(args.random_plies), String::new()),
    };
    let mut manifest = Manifest {
        format: FORMAT,
        program: PROGRAM.into(),
        laws: Some(laws_of(args.variant.game(), args.boards)),
        variant: variant(args)?,
        boards: args.boards,
        rules: args.rules.clone(),
        players: specs.iter().map(Spec::to_string).collect(),
        schedule: schedule(args),
        rounds: args.pairs.or(args.games).unwrap_or(1),
        games_per_unit: if args.pairs.is_some() { 2 } else { 1 },
        seed: args.seed,
        openings,
        max_plies: args.max_plies.unwrap_or(1),
        timed: specs.iter().any(|spec| spec.is_timed()),
        sprt: test(&args.sprt, &args.players)?,
    };
    if args.max_plies.is_none() {
        manifest.max_plies = manifest.long_game().map_err(|why| BatchError::from(Stopped::from(why)))?;
    }
    batch::check(&manifest, &positions).map_err(BatchError::from)?;
    Ok((manifest, positions))
}

/// The test asked for, which needs somebody to be better than.
fn test(args: &SprtArgs, players: &[String]) -> Result<Option<Sprt>, SprtError> {
    match (args.test()?, players) {
        (Some(_), [alone]) => Err(SprtError::Alone(alone.clone())),
        (test, _) => Ok(test),
    }
}

/// The name of the game; the level of Recursive Chess stands behind it.
fn variant(args: &GamesArgs) -> Result<String, PositionsError> {
    let game = args.variant.game();
    match (game.info().has_levels, args.level) {
        (true, level) => Ok(format!("{} {}", game.name(), level.unwrap_or(1))),
        (false, Some(_)) => Err(PositionsError::NoLevel(game.name())),
        (false, None) => Ok(game.name().into()),
    }
}

fn source(path: &Path) -> Result<(Source, String), Failure> {
    let text = positions(path)?;
    let lines = openings::lines(&text);
    let (count, hash) = (lines.len() as u64, openings::hash(&lines));
    Ok((Source::Positions { file: path.display().to_string(), count, hash }, text))
}

/// The text of a file of positions.
pub fn positions(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::file(path, error))
}

fn schedule(args: &GamesArgs) -> Schedule {
    match args.schedule {
        Some(ScheduleName::Pairs) => Schedule::Pairs,
        Some(ScheduleName::RoundRobin) => Schedule::RoundRobin,
        Some(ScheduleName::Gauntlet) => Schedule::Gauntlet,
        None if args.players.len() > 2 => Schedule::RoundRobin,
        None => Schedule::Pairs,
    }
}
