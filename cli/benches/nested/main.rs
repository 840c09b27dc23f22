//! How fast games of nested boards are played and judged, compared with random games on libraries of chess alone
//! in the same run.
//!
//! `cargo bench -p overboard --bench nested [-- ROUNDS]`: a random board of those that may be moved on is picked, level
//! by level, then a random ply on it. Processor time on one thread, the least of all rounds.

#[path = "../check/clock.rs"]
mod clock;
mod overs;
#[path = "../playouts/reference.rs"]
mod reference;

use clock::Contestant;
use overboard_engines::chance::{Chance, Purpose};
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::{
    coordinates::Line,
    mega::{Mega, Ply},
    referee::AnyReferee,
    registry::{AnyGame, Variant},
};
use overboard_referee::{
    Options,
    game::{notation::Notation as _, play::Play as _},
};
use overboard_rules::game::Game as _;
use std::{error::Error, time::Instant};

const ROUNDS: usize = 5;
const LEVELS: [u8; 4] = [1, 2, 4, 8];
/// Plies of a run.
const PLIES: u64 = 400_000;
const GAME: u64 = 8_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args()
        .skip(1)
        .filter(|text| text != "--bench")
        .map(|text| text.parse::<usize>());
    let rounds = numbers.next().transpose()?.unwrap_or(ROUNDS);
    let begun = Instant::now();
    let start = Mega::first(8);
    println!(
        "set-up of level 8: {:?}; used again: {:?}",
        begun.elapsed(),
        {
            let begun = Instant::now();
            std::hint::black_box(Mega::first(8));
            begun.elapsed()
        }
    );
    drop(start);
    println!(
        "bytes of a touched board, but for its history: {}",
        Mega::BYTES_OF_A_BOARD
    );
    let record = record();
    let overs = overs::RUNS.map(|(_, rules, games)| overs::records(rules, games));
    let names = LEVELS.map(|level| format!("level {level}: playouts"));
    let mut contestants: Vec<Contestant<'_>> = vec![(
        "chess: shakmaty alone",
        Box::new(|| reference::playouts(2_000)),
    )];
    for (level, name) in LEVELS.into_iter().zip(&names) {
        contestants.push((name, Box::new(move || playouts(level))));
    }
    contestants.push(("level 1: check, bytes", Box::new(|| check(&record))));
    for (name, rules, games) in overs::RUNS {
        contestants.push((name, Box::new(move || overs::playouts(rules, games))));
    }
    for (name, depth, plies, more) in overs::COUNTS {
        contestants.push((name, Box::new(move || overs::count(depth, plies, more))));
    }
    for (name, records) in ["overchess: check, bytes", "all options: check, bytes"]
        .into_iter()
        .zip(&overs)
    {
        contestants.push((name, Box::new(|| check(records.as_bytes()))));
    }
    contestants.push((
        "chess: cozy-chess alone",
        Box::new(|| reference::cozy::playouts(2_000)),
    ));
    let done: Vec<_> = contestants.iter_mut().map(|(_, run)| run()).collect();
    let best = clock::interleave(rounds, &mut contestants);
    println!(
        "{:<26}{:>12}{:>10}{:>14}{:>10}",
        "one thread", "amount", "CPU s", "millions/s", "ns each"
    );
    for ((name, _), (amount, seconds)) in contestants.iter().zip(done.iter().zip(&best)) {
        let amount = *amount as f64;
        println!(
            "{name:<26}{amount:>12}{seconds:>10.3}{:>14.3}{:>10.1}",
            amount / seconds / 1e6,
            seconds / amount * 1e9
        );
    }
    let rate = |at: usize| done[at] as f64 / best[at];
    let beside = |name: &str, at: usize| {
        let [shakmaty, cozy] = [0, done.len() - 1].map(|library| rate(at) / rate(library));
        println!("{name} beside shakmaty {shakmaty:.2}, beside cozy-chess {cozy:.2}");
    };
    println!();
    beside("level 1: playouts", 1);
    for (at, level) in LEVELS.into_iter().enumerate() {
        println!(
            "level {level}: {:.2} times the time of level 1 a ply",
            rate(1) / rate(at + 1)
        );
    }
    for (at, (name, ..)) in (LEVELS.len() + 2..).zip(overs::RUNS) {
        beside(name, at);
    }
    Ok(())
}

/// A ply on a board picked at random.
fn random(mega: &Mega, chance: &mut Chance) -> Option<Ply> {
    mega.any(&mut |bound| chance.below(bound))
}

fn playouts(level: u8) -> u64 {
    let mut plies = 0;
    for game in 0..PLIES / GAME {
        let mut chance = Chance::of(1, Purpose::Player { game, seat: 0 });
        let mut mega = Mega::first(level);
        for _ in 0..GAME {
            let Some(ply) = random(&mega, &mut chance) else {
                break;
            };
            plies += 1;
            if mega.play(ply).end().is_some() {
                break;
            }
        }
    }
    plies
}

/// Random games of level 1, as records.
fn record() -> Vec<u8> {
    let mut text = String::new();
    for game in 0..40 {
        let mut chance = Chance::of(2, Purpose::Player { game, seat: 0 });
        let mut mega = Mega::first(1);
        let mut line = String::new();
        for plies in 0.. {
            if plies > 1_600 && mega.is_between_turns() {
                break;
            }
            let Some(ply) = random(&mega, &mut chance) else {
                break;
            };
            line.push_str(&mega.coordinates(ply));
            line.push(' ');
            if mega.play(ply).end().is_some() {
                break;
            }
        }
        let first = AnyGame::start_under(Variant::Mega, "").expect("level 1");
        let read = Line::read_under(&line, Variant::Mega, &first, "").expect("legal plies");
        read.write_record("*", &mut text).expect("memory");
    }
    text.into_bytes()
}

fn check(record: &[u8]) -> u64 {
    let mut parser = Parser::new(record, 0, Limits::default());
    let mut referee = AnyReferee::new(Options {
        count_notes: true,
        ..Options::default()
    });
    while let Ok(Some(report)) = referee.judge(&mut parser) {
        assert!(report.findings.is_empty(), "{:?}", report.findings.first());
    }
    record.len() as u64
}
