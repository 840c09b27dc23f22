//! How fast random games are played, compared with the same loop on libraries of chess alone, in one run.
//!
//! `cargo bench -p overboard --bench playouts [-- ROUNDS]`: every contestant runs once per round, in
//! turn; the least time of each is printed: processor time on one thread, then wall time on two.

#[path = "../check/clock.rs"]
mod clock;
mod pockets;
mod reference;

use clock::Contestant;
use overboard_engines::{
    batch::{Batch, Done, Keeper},
    book::Book,
    chance::{Chance, Purpose},
    journal::{Header, Journal},
    live_game::LiveGame,
    manifest::{FORMAT, Manifest, PROGRAM, Schedule, Source, laws_of},
    proof::Replay,
    shard::Shard,
};
use overboard_games::{
    bughouse::Bughouse,
    chess::Chess,
    crazyhouse::Crazyhouse,
    metachess::Meta,
    olympic::Olympic,
    one_board::OneBoard,
    registry::Variant,
    strategichess::{
        Strategi,
        linked::{Linked, Options},
    },
};
use overboard_referee::game::play::Play;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{collections::BTreeMap, error::Error, io, path::Path, time::Instant};

const ROUNDS: usize = 5;
/// The games of a run of each game with pockets.
const WITH_POCKETS: u64 = 400;
/// The games by name, with the number of linked boards and the games of a run.
const GAMES: [(&str, u16, u64); 5] = [
    ("Chess", 1, 4_000),
    ("Olympic Chess", 1, 40_000),
    ("StrategiChess", 1, 400),
    ("StrategiChess", 3, 100),
    ("MetaChess #4", 1, 1_000),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args()
        .skip(1)
        .filter(|text| text != "--bench")
        .map(|text| text.parse::<usize>());
    let rounds = numbers.next().transpose()?.unwrap_or(ROUNDS);
    let folder = tempfile::tempdir()?;
    let headers = GAMES.map(|(variant, boards, games)| {
        Header::of(&manifest(variant, boards, games), Shard::WHOLE)
    });
    let [chess, olympic, strategi, linked, meta] = &headers;
    let file = folder.path().join("ledger");
    let three = Options {
        boards: 3,
        ..Options::default()
    };
    let mut contestants: Vec<Contestant<'_>> = vec![
        (
            "chess: shakmaty alone",
            Box::new(|| reference::playouts(GAMES[0].2)),
        ),
        (
            "chess: playouts",
            Box::new(|| playouts::<OneBoard<Chess>>(&(), GAMES[0].2)),
        ),
        (
            "chess: selfplay, no ledger",
            Box::new(|| batch(chess, 1, None)),
        ),
        ("chess: selfplay, ledger", Box::new(|| ledger(chess, &file))),
        (
            "olympic: playouts",
            Box::new(|| playouts::<OneBoard<Olympic>>(&(), GAMES[1].2)),
        ),
        (
            "olympic: selfplay, no ledger",
            Box::new(|| batch(olympic, 1, None)),
        ),
        (
            "olympic: selfplay, ledger",
            Box::new(|| ledger(olympic, &file)),
        ),
        (
            "strategichess: playouts",
            Box::new(|| playouts::<OneBoard<Strategi>>(&(), GAMES[2].2)),
        ),
        (
            "strategichess: no ledger",
            Box::new(|| batch(strategi, 1, None)),
        ),
        (
            "strategichess: ledger",
            Box::new(|| ledger(strategi, &file)),
        ),
        (
            "three linked boards: playouts",
            Box::new(|| playouts::<Linked>(&three, GAMES[3].2)),
        ),
        (
            "three linked boards: no ledger",
            Box::new(|| batch(linked, 1, None)),
        ),
        (
            "three linked boards: ledger",
            Box::new(|| ledger(linked, &file)),
        ),
        (
            "metachess: playouts",
            Box::new(|| playouts::<OneBoard<Meta>>(&(), GAMES[4].2)),
        ),
        (
            "metachess: selfplay, no ledger",
            Box::new(|| batch(meta, 1, None)),
        ),
        (
            "metachess: selfplay, ledger",
            Box::new(|| ledger(meta, &file)),
        ),
        (
            "chess: cozy-chess alone",
            Box::new(|| reference::cozy::playouts(GAMES[0].2)),
        ),
    ];
    contestants.extend(with_pockets());
    let plies: Vec<_> = contestants.iter_mut().map(|(_, run)| run()).collect();
    let best = clock::interleave(rounds, &mut contestants);
    println!(
        "{:<32}{:>12}{:>10}{:>16}{:>12}",
        "one thread", "plies", "CPU s", "million plies/s", "ns/ply"
    );
    for ((name, _), (plies, seconds)) in contestants.iter().zip(plies.iter().zip(&best)) {
        let plies = *plies as f64;
        println!(
            "{name:<32}{plies:>12}{seconds:>10.3}{:>16.3}{:>12.1}",
            plies / seconds / 1e6,
            seconds / plies * 1e9
        );
    }
    let rate = |at: usize| plies[at] as f64 / best[at];
    let cozy = 1 + 3 * headers.len();
    tell_ratios(&headers, &rate, cozy);
    tell_pockets([1, 2, 3].map(|after| rate(cozy + after)));
    tell_costs(&headers, &best, rounds);
    Ok(())
}

/// What a ledger costs, and what a second thread brings.
fn tell_costs(headers: &[Header], best: &[f64], rounds: usize) {
    for (at, header) in headers.iter().enumerate() {
        let Manifest {
            variant, boards, ..
        } = &header.manifest;
        let costs = cost(&best[3 * at + 2..3 * at + 4]);
        let threads = threads(header, rounds);
        println!(
            "{variant}, {boards} boards: the ledger costs {costs:.1} %; two threads beside one {threads:.2}"
        );
    }
}

/// How fast random play is compared with the libraries alone, the second of which is contestant number `cozy`.
fn tell_ratios(headers: &[Header], rate: &dyn Fn(usize) -> f64, cozy: usize) {
    println!();
    for (at, header) in headers.iter().enumerate() {
        let Manifest {
            variant, boards, ..
        } = &header.manifest;
        let own = rate(3 * at + 1);
        println!(
            "{variant}, {boards} boards: playouts beside shakmaty {:.2}, beside cozy-chess {:.2}",
            own / rate(0),
            own / rate(cozy)
        );
    }
}

/// The games with pockets, after a library that knows one of them.
fn with_pockets() -> [Contestant<'static>; 3] {
    [
        (
            "crazyhouse: shakmaty alone",
            Box::new(|| pockets::playouts(WITH_POCKETS)),
        ),
        (
            "crazyhouse: playouts",
            Box::new(|| playouts::<OneBoard<Crazyhouse>>(&Default::default(), WITH_POCKETS)),
        ),
        (
            "bughouse: playouts",
            Box::new(|| playouts::<Bughouse>(&Default::default(), WITH_POCKETS)),
        ),
    ]
}

/// How fast they are compared with that library, of which each board of Bughouse counts as a game.
fn tell_pockets([alone, crazyhouse, bughouse]: [f64; 3]) {
    println!(
        "playouts beside shakmaty's Crazyhouse: Crazyhouse {:.2}, Bughouse {:.2}",
        crazyhouse / alone,
        bughouse / alone
    );
}

/// By how much the second is slower than the first, in per cent.
fn cost(seconds: &[f64]) -> f64 {
    100.0 * (seconds[1] / seconds[0] - 1.0)
}

fn manifest(variant: &str, boards: u16, games: u64) -> Manifest {
    Manifest {
        format: FORMAT,
        program: PROGRAM.into(),
        laws: Variant::of(Some(variant.as_bytes())).map(|game| laws_of(game, boards)),
        variant: variant.into(),
        boards,
        rules: String::new(),
        players: vec!["random".into()],
        schedule: Schedule::Pairs,
        rounds: games,
        games_per_unit: 1,
        seed: 1,
        openings: Source::RandomPlies(0),
        max_plies: 20_000,
        timed: false,
        reports: Vec::new(),
        sprt: None,
        engines: Vec::new(),
        draw_when: None,
        resign_when: None,
    }
}

/// Plays random games to their ends; returns their plies.
fn playouts<G: Play>(options: &G::Options, games: u64) -> u64 {
    let mut plies = 0;
    for game in 0..games {
        let mut chance = Chance::of(1, Purpose::Player { game, seat: 0 });
        let mut table = LiveGame::from(G::start(options).expect("options that can be played"));
        while let Some(ply) = table.any(&mut chance) {
            table.play(ply);
            plies += 1;
        }
    }
    plies
}

/// Counts the plies of a batch, and saves its games if there is a ledger.
struct Counter {
    plies: u64,
    journal: Option<Journal>,
}

impl Keeper for Counter {
    fn take(&mut self, games: &[Done]) -> io::Result<bool> {
        self.plies += games.iter().map(|done| u64::from(done.plies)).sum::<u64>();
        if let Some(journal) = &mut self.journal {
            let lines: Vec<&[u8]> = games.iter().map(|done| &done.line[..]).collect();
            journal.append(&lines.concat())?;
        }
        Ok(true)
    }
}

fn pool(jobs: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .expect("threads")
}

/// Plays a batch; returns its plies.
fn batch(header: &Header, jobs: usize, journal: Option<Journal>) -> u64 {
    let mut counter = Counter { plies: 0, journal };
    let outcome = Batch {
        header,
        book: &Book::default(),
        pool: &pool(jobs),
        engines: None,
    }
    .run(0, BTreeMap::new(), &mut counter);
    assert!(outcome.is_ok(), "{outcome:?}");
    let synced = counter.journal.as_mut().map_or(Ok(()), Journal::sync);
    assert!(synced.is_ok(), "{synced:?}");
    counter.plies
}

/// Plays a batch into a new ledger.
fn ledger(header: &Header, file: &Path) -> u64 {
    let _ = std::fs::remove_file(file);
    let opened = Journal::open(file, header, (Replay::Nothing, &pool(1)), &mut |_| ());
    let (journal, _) = opened.expect("a folder to write to");
    batch(header, 1, Some(journal))
}

/// How much faster two threads are than one in wall time, each at its best.
fn threads(header: &Header, rounds: usize) -> f64 {
    let mut best = [f64::INFINITY; 2];
    for _ in 0..rounds {
        for (jobs, best) in (1..).zip(&mut best) {
            let begun = Instant::now();
            batch(header, jobs, None);
            *best = best.min(begun.elapsed().as_secs_f64());
        }
    }
    best[0] / best[1]
}
