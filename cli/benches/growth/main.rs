//! How the time of each command grows with the size of records, for each thing that a record can have many of.
//!
//! `cargo bench -p overboard --bench growth [-- ROUNDS]`: every command reads records with n, 2n, 4n and 8n of a thing,
//! in turn; the least processor time of each is taken, less that of an empty record, and the exponent of its growth with
//! the bytes read and written is printed. 1 is linear. What is too steep is measured again, since what other programs do
//! to the memory and the clock can only add to a time. The last line names those that stay above 1.15, of pairing 1.9,
//! where the clock can tell.

#[path = "../check/clock.rs"]
mod clock;
mod things;

use clock::Contestant;
use std::{
    error::Error,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use things::{THINGS, Thing};

const ROUNDS: usize = 5;
/// How often what is too steep is measured again.
const AGAIN: usize = 4;
/// The binary to measure.
const OVERBOARD: &str = env!("CARGO_BIN_EXE_overboard");
/// How many of a thing a record contains.
const SIZES: [usize; 4] = [128, 256, 512, 1024];
/// The steepest growth that is allowed: the times of a loop over everything for everything grow with 2.
const STEEPEST: f64 = 1.15;
/// The same of pairing.
const STEEPEST_OF_PAIRING: f64 = 1.9;
/// Shorter times, in seconds, are too near those of the clock's own steps.
const LEAST: f64 = 0.02;
/// Teams of a Swiss event.
const TEAMS: [u64; 4] = [512, 1024, 2048, 4096];

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args()
        .skip(1)
        .filter(|text| text != "--bench")
        .map(|text| text.parse::<usize>());
    let rounds = numbers.next().transpose()?.unwrap_or(ROUNDS);
    let folder = tempfile::tempdir()?;
    let mut too_steep = Vec::new();
    println!(
        "{:<46}{:>10}{:>12}{:>12}",
        "one core", "exponent", "s at n", "s at 8n"
    );
    for Thing {
        name,
        record,
        copies,
        readers,
    } in THINGS
    {
        let empty = file(folder.path(), "empty.npgn", &record(1))?;
        let one = file(folder.path(), "one.npgn", &record(1).repeat(copies))?;
        let files = SIZES.map(|size| {
            file(
                folder.path(),
                &format!("{size}.npgn"),
                &record(size).repeat(copies),
            )
        });
        let files = files.into_iter().collect::<Result<Vec<_>, _>>()?;
        for reader in readers {
            let run = |path: &PathBuf| {
                let path = path.clone();
                Box::new(move || run(reader, &path)) as Box<dyn FnMut() -> u64>
            };
            let mut contestants: Vec<Contestant<'_>> = vec![("nothing", run(&empty))];
            contestants.extend(files.iter().map(|path| ("much", run(path))));
            let mut bytes = Vec::new();
            for path in &files {
                // Without what every record has, as with the times.
                bytes.push(
                    read_and_written(reader, path)?.saturating_sub(read_and_written(reader, &one)?),
                );
            }
            let row = format!("{name}: {}", reader.join(" "));
            let growth = measure(&bytes, rounds, &mut contestants, STEEPEST);
            growth.print(&row);
            if growth.is_above(STEEPEST) {
                too_steep.push(row);
            }
        }
    }
    // Pairing may take longer than reading and writing its input and output.
    let run = |teams: u64| {
        let line = format!("pair trials --rounds 9 --events 1 --seed 1 --teams {teams}");
        Box::new(move || {
            let line: Vec<_> = line.split(' ').collect();
            run(&line[..line.len() - 1], Path::new(line[line.len() - 1]))
        }) as Box<dyn FnMut() -> u64>
    };
    let mut contestants: Vec<Contestant<'_>> = vec![("nothing", run(2))];
    contestants.extend(TEAMS.map(|teams| ("much", run(teams))));
    let row = "teams: pair trials, 9 rounds";
    let steepest = STEEPEST_OF_PAIRING;
    let growth = measure(&TEAMS, rounds, &mut contestants, steepest);
    growth.print(row);
    if growth.is_above(steepest) {
        too_steep.push(row.into());
    }
    if !too_steep.is_empty() {
        println!("too steep: {}", too_steep.join("; "));
    }
    Ok(())
}

/// How long a command takes for things of each size, without what it takes for almost nothing.
struct Growth {
    /// In seconds, from the smallest.
    times: Vec<f64>,
    exponent: f64,
}

impl Growth {
    fn of(sizes: &[u64], best: &[f64]) -> Self {
        let times: Vec<f64> = best[1..]
            .iter()
            .map(|time| (time - best[0]).max(1e-4))
            .collect();
        let exponent = exponent(sizes, &times);
        Self { times, exponent }
    }

    fn longest(&self) -> f64 {
        self.times[self.times.len() - 1]
    }

    /// Whether it is steeper than allowed, so far as the clock can tell.
    fn is_above(&self, steepest: f64) -> bool {
        self.longest() >= LEAST && self.exponent > steepest
    }

    fn print(&self, row: &str) {
        println!(
            "{row:<46}{:>10.2}{:>12.4}{:>12.4}",
            self.exponent,
            self.times[0],
            self.longest()
        );
    }
}

/// Measures a command, of which the first contestant does almost nothing.
fn measure(
    sizes: &[u64],
    rounds: usize,
    contestants: &mut [Contestant<'_>],
    steepest: f64,
) -> Growth {
    let mut best = clock::interleave(rounds, contestants);
    let mut growth = Growth::of(sizes, &best);
    for _ in 0..AGAIN {
        if !growth.is_above(steepest) {
            break;
        }
        for (best, time) in best.iter_mut().zip(clock::interleave(rounds, contestants)) {
            *best = best.min(time);
        }
        growth = Growth::of(sizes, &best);
    }
    growth
}

/// The slope of the best straight line through the logarithms of sizes and times.
fn exponent(sizes: &[u64], times: &[f64]) -> f64 {
    let points = || {
        sizes
            .iter()
            .zip(times)
            .map(|(size, time)| ((*size as f64).ln(), time.ln()))
    };
    let count = times.len() as f64;
    let (x, y) = points().fold((0.0, 0.0), |(x, y), point| {
        (x + point.0 / count, y + point.1 / count)
    });
    let (up, along) = points().fold((0.0, 0.0), |(up, along), point| {
        (
            up + (point.0 - x) * (point.1 - y),
            along + (point.0 - x) * (point.0 - x),
        )
    });
    up / along
}

/// The number of bytes that a command reads and writes. Positions of linked boards, for instance, are as long as the
/// match has boards, and a list has one for each ply.
fn read_and_written(arguments: &[&str], path: &Path) -> io::Result<u64> {
    let mut command = Command::new(OVERBOARD);
    command
        .args(arguments)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut running = command.spawn()?;
    let written = running
        .stdout
        .take()
        .map_or(Ok(0), |mut out| io::copy(&mut out, &mut io::sink()))?;
    running.wait()?;
    Ok(written + fs::metadata(path)?.len())
}

/// Runs a command on a file, whatever it reports.
fn run(arguments: &[&str], file: &Path) -> u64 {
    let mut command = Command::new(OVERBOARD);
    command
        .args(arguments)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let status = command.status();
    assert!(
        status.is_ok_and(|status| status.code().is_some()),
        "{arguments:?} {}",
        file.display()
    );
    1
}

fn file(folder: &Path, name: &str, text: &str) -> Result<PathBuf, io::Error> {
    let path = folder.join(name);
    fs::write(&path, text)?;
    Ok(path)
}
