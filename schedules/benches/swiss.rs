//! How long a round of a Swiss of teams takes.
//!
//! `cargo bench -p overboard-schedules [-- EVENTS]` pairs the rounds of some random events of each size. The
//! table gives the time of round 7, after six rounds (mean and worst), and that of the slowest round.

use overboard_schedules::{
    generator::{Plan, RandomEvent},
    swiss_team::{
        pair,
        settings::{PreferenceType, Settings},
    },
};
use std::time::{Duration, Instant};

const SEED: u64 = 46;
const ROUNDS: u16 = 9;
const SIZES: [u16; 6] = [50, 100, 200, 201, 500, 1000];

fn main() {
    let events: u64 = std::env::args()
        .find_map(|text| text.parse().ok())
        .unwrap_or(5);
    println!(
        "{:>6} {:>6} {:>12} {:>12} {:>12}",
        "teams", "type", "round 7", "worst 7", "slowest"
    );
    let types = [PreferenceType::A, PreferenceType::B];
    for (teams, preference) in SIZES
        .into_iter()
        .flat_map(|teams| types.map(|preference| (teams, preference)))
    {
        let settings = Settings {
            preference,
            ..Settings::new(ROUNDS)
        };
        let times: Vec<Vec<Duration>> = (0..events)
            .map(|number| time_event(&settings, teams, number))
            .collect();
        let sevenths = times.iter().map(|rounds| rounds[6]);
        let middle = sevenths.clone().sum::<Duration>() / events as u32;
        let slowest = times.iter().flatten().max().copied().unwrap_or_default();
        let worst = sevenths.max().unwrap_or_default();
        println!("{teams:>6} {preference:>6?} {middle:>12.2?} {worst:>12.2?} {slowest:>12.2?}");
    }
}

/// The time of each round.
fn time_event(settings: &Settings, teams: u16, number: u64) -> Vec<Duration> {
    let mut event = RandomEvent::new(Plan::plain(settings.clone(), teams, 4), SEED, number);
    let mut times = Vec::new();
    while !event.is_over() {
        let start = Instant::now();
        let pairing = pair(event.field());
        times.push(start.elapsed());
        event.play(&pairing.expect("plain events can be paired"));
    }
    times
}
