//! `pair trials`: random events of the Swiss system, many at a time.

use crate::{
    args::{PreferenceName, TrialsArgs},
    exit::{Exit, Failure},
    ui,
};
use overboard_schedules::{
    generator::{Plan, RandomEvent},
    ids::TeamNo,
    swiss_team::{
        field::Field,
        pair,
        settings::{PreferenceType, Score, Settings},
    },
};
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;

/// Events that are made before any of them is written.
const AT_A_TIME: u64 = 256;

/// The first line.
#[derive(Serialize)]
struct Head<'a> {
    seed: u64,
    events: u64,
    plan: &'a Plan,
}

/// An event.
#[derive(Serialize)]
struct Told {
    number: u64,
    strengths: Vec<u16>,
    rounds: Vec<ToldRound>,
    stopped: Option<String>,
    field: Field,
}

/// A round as paired, White first.
#[derive(Serialize)]
struct ToldRound {
    matches: Vec<(TeamNo, TeamNo)>,
    bye: Option<TeamNo>,
}

pub fn run(args: &TrialsArgs) -> Result<Exit, Failure> {
    let plan = plan(args);
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let mut out = ui::stdout();
    ui::json(&mut out, &Head { seed, events: args.events, plan: &plan })?;
    out.flush()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::Threads(error.to_string()))?;
    let bar = ui::events_bar(args.events);
    for first in (0..args.events).step_by(AT_A_TIME as usize) {
        let numbers = first..(first + AT_A_TIME).min(args.events);
        let line = |number: u64| {
            let mut line = Vec::new();
            ui::json(&mut line, &play(&plan, seed, number))?;
            bar.inc(1);
            Ok(line)
        };
        let lines: std::io::Result<Vec<Vec<u8>>> =
            pool.install(|| numbers.into_par_iter().map(line).collect());
        let lines = lines?;
        lines.iter().try_for_each(|line| out.write_all(line))?;
    }
    bar.finish_and_clear();
    out.flush()?;
    Ok(Exit::Clean)
}

/// A seed that was not there before, as far as the hasher of the standard library is random.
pub fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}

fn plan(args: &TrialsArgs) -> Plan {
    let mut settings = Settings::new(args.rounds);
    settings.preference = match args.preference {
        PreferenceName::A => PreferenceType::A,
        PreferenceName::B => PreferenceType::B,
        PreferenceName::None => PreferenceType::None,
    };
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

fn play(plan: &Plan, seed: u64, number: u64) -> Told {
    let mut event = RandomEvent::new(plan.clone(), seed, number);
    let (mut rounds, mut stopped) = (Vec::new(), None);
    while !event.is_over() {
        match pair(event.field()) {
            Ok(pairing) => {
                let matches = pairing.matches.iter().map(|game| (game.white, game.black)).collect();
                rounds.push(ToldRound { matches, bye: pairing.bye });
                event.play(&pairing);
            }
            Err(failure) => {
                stopped = Some(failure.to_string());
                break;
            }
        }
    }
    Told { number, strengths: event.strengths().to_vec(), rounds, stopped, field: event.field().clone() }
}
