//! `pair trials`: random events of the Swiss system, many at a time.

use crate::{
    exit::{CliError, Exit},
    options::JobsArgs,
    threads, ui,
};
use clap::Args;
use overboard_schedules::{
    generator::{Plan, RandomEvent},
    ids::TeamNo,
    swiss_team::{
        next_round::NextRound,
        pair,
        settings::{PreferenceType, Score, Settings},
    },
};
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;

/// Make many random Swiss events, as JSON Lines.
///
/// Results depend on strength, the rest is random, and the seed determines everything. The first line holds the seed
/// and the parameters; each further line holds one event, with its rounds and the history of each team. Rates are per
/// thousand.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 wrong arguments.\n\nExamples:\n  overboard pair trials --seed 1 --teams 40 --rounds 9\n  overboard pair trials --teams 9 --rounds 5 --forfeits 20 --byes 50 --events 5000 > events.jsonl"
)]
pub struct TrialsArgs {
    /// The seed [default: a random one, printed in the first line].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Teams of an event.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=4096))]
    pub teams: u16,
    /// Rounds of an event.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub rounds: u16,
    /// How many events.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub events: u64,
    /// Boards of a match.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub boards: u16,
    /// Type of colour preferences.
    #[arg(long, value_name = "TYPE", default_value = "a")]
    pub preference: PreferenceType,
    /// Pair by game points.
    #[arg(long, conflicts_with = "accelerate")]
    pub game_points: bool,
    /// Accelerate the first half of the field (C.04.7).
    #[arg(long)]
    pub accelerate: bool,
    /// Drawn boards.
    #[arg(long, value_name = "RATE", default_value_t = 300, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub draws: u16,
    /// Forfeits per team and round.
    #[arg(long, value_name = "RATE", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub forfeits: u16,
    /// Requested byes per team and round.
    #[arg(long, value_name = "RATE", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub byes: u16,
    /// Teams that arrive late.
    #[arg(long, value_name = "RATE", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub late: u16,
    /// Withdrawals per team and round.
    #[arg(long, value_name = "RATE", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub withdrawals: u16,
    /// Forbidden pairs of teams.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub forbidden: u16,
    #[command(flatten)]
    pub threads: JobsArgs,
}

/// Events that are made before any of them is written, and teams of all of these.
const AT_A_TIME: u64 = 256;
const TEAMS_AT_A_TIME: u64 = 1 << 16;
/// Bytes for the graphs of all events that are being paired, and how many each needs for every two teams.
const ROOM: u64 = 256 << 20;
const EACH: u64 = 14;

/// The first line: what was asked for.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Head<'a> {
    /// The seed.
    seed: u64,
    /// The number of events.
    events: u64,
    /// The kind of events.
    plan: &'a Plan,
}

/// A simulated event.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrialReport {
    /// Its number, from 0.
    number: u64,
    /// The strengths of the teams.
    strengths: Vec<u16>,
    /// The rounds.
    rounds: Vec<TrialRound>,
    /// Why the event ended before its last round; null if it did not.
    stopped: Option<String>,
    /// The teams with their histories, as for pairing a further round.
    field: NextRound,
}

/// A round as it was paired.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TrialRound {
    /// The matches, the team with White first.
    matches: Vec<(TeamNo, TeamNo)>,
    /// The team with the bye; null if there is none.
    bye: Option<TeamNo>,
}

pub fn run(args: &TrialsArgs) -> Result<Exit, CliError> {
    let plan = plan(args);
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let mut out = ui::stdout();
    ui::json(
        &mut out,
        &Head {
            seed,
            events: args.events,
            plan: &plan,
        },
    )?;
    out.flush()?;
    let teams = u64::from(args.teams);
    let most = (ROOM / (EACH * teams * teams)).clamp(1, threads::count(args.threads.jobs) as u64);
    let pool = threads::pool(Some(most as u16))?;
    let bar = ui::events_bar(args.events);
    let at_a_time = (TEAMS_AT_A_TIME / teams).min(AT_A_TIME);
    for first in (0..args.events).step_by(at_a_time as usize) {
        let numbers = first..(first + at_a_time).min(args.events);
        let line = |number: u64| {
            let mut line = Vec::new();
            ui::json(&mut line, &play(&plan, seed, number))?;
            bar.inc(1);
            Ok(line)
        };
        let lines: std::io::Result<Vec<Vec<u8>>> =
            pool.install(|| numbers.into_par_iter().map(line).collect());
        let lines = lines?;
        for line in &lines {
            out.write_all(line)?;
        }
    }
    bar.finish_and_clear();
    out.flush()?;
    Ok(Exit::Clean)
}

/// A fresh seed, as random as the hasher of the standard library.
pub fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}

fn plan(args: &TrialsArgs) -> Plan {
    let mut settings = Settings::new(args.rounds);
    settings.preference = args.preference;
    if args.game_points {
        settings.primary = Score::GamePoints;
    }
    Plan {
        settings,
        teams: args.teams,
        boards: args.boards,
        draws: args.draws,
        forfeits: args.forfeits,
        byes: args.byes,
        late: args.late,
        withdrawals: args.withdrawals,
        forbidden: args.forbidden,
        acceleration: args.accelerate,
    }
}

fn play(plan: &Plan, seed: u64, number: u64) -> TrialReport {
    let mut event = RandomEvent::new(plan.clone(), seed, number);
    let (mut rounds, mut stopped) = (Vec::new(), None);
    while !event.is_over() {
        match pair(event.field()) {
            Ok(pairing) => {
                let matches = pairing
                    .matches
                    .iter()
                    .map(|game| (game.white, game.black))
                    .collect();
                rounds.push(TrialRound {
                    matches,
                    bye: pairing.bye,
                });
                event.play(&pairing);
            }
            Err(failure) => {
                stopped = Some(failure.to_string());
                break;
            }
        }
    }
    TrialReport {
        number,
        strengths: event.strengths().to_vec(),
        rounds,
        stopped,
        field: event.field().clone(),
    }
}
