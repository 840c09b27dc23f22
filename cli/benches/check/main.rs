//! How fast games are checked, compared with peers and with a lower bound, in one run.
//!
//! `cargo bench -p overboard --bench check [-- ROUNDS [BYTES | FILE]]`: every contestant runs once per round, in turn; the
//! least processor time of each is printed. Without a file of games, random ones are made at the first run and kept in
//! the folder for temporary files.

mod clock;
mod peers;
mod random_games;
mod repetition;

use clock::Contestant;
use overboard_formats::{
    lex::{Kind, Lexer},
    limits::Limits,
};
use std::{
    error::Error,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Instant,
};

const SEED: u64 = 0x0B0A_12D5;
const ROUNDS: usize = 7;
const BYTES: usize = 80_000_000;
/// The binary to measure.
const OVERBOARD: &str = env!("CARGO_BIN_EXE_overboard");

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1).filter(|text| text != "--bench");
    let rounds = words.next().map_or(Ok(ROUNDS), |text| text.parse())?;
    let corpus = match words.next() {
        None => corpus(BYTES)?,
        Some(word) => match word.parse() {
            Ok(bytes) => corpus(bytes)?,
            Err(_) => PathBuf::from(word),
        },
    };
    let plies = agreed_plies(&corpus)?;
    let mut contestants = contestants(&corpus);
    let best = clock::interleave(rounds, &mut contestants);
    let results: Vec<_> = contestants
        .iter()
        .map(|(name, _)| *name)
        .zip(best)
        .collect();
    print_table(&results, fs::metadata(&corpus)?.len(), plies)?;
    print_threads(&corpus, rounds)?;
    Ok(())
}

/// The corpus file, created unless it exists.
fn corpus(bytes: usize) -> Result<PathBuf, Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("random-games-{SEED:x}-{bytes}.pgn"));
    if !path.exists() {
        let unfinished = path.with_extension("part");
        let mut out = BufWriter::new(File::create(&unfinished)?);
        let written = random_games::write(&mut out, bytes, SEED)?;
        out.flush()?;
        fs::rename(unfinished, &path)?;
        println!("made {}: {written:?}", path.display());
    }
    Ok(path)
}

/// The plies that all peers find in the corpus; an error if any of them reports a fault or they differ.
fn agreed_plies(corpus: &Path) -> Result<u64, Box<dyn Error>> {
    let found = [
        peers::lexing(corpus)?,
        peers::bare(corpus)?,
        peers::full(corpus)?,
    ];
    let agreed = found[0];
    if agreed.errors > 0 || found.iter().any(|totals| *totals != agreed) {
        return Err(format!("the peers disagree or find fault: {found:?}").into());
    }
    Ok(agreed.plies)
}

fn contestants(corpus: &Path) -> Vec<Contestant<'_>> {
    let mut contestants: Vec<Contestant<'_>> = vec![
        (
            "limit: newlines",
            Box::new(|| peers::newlines(corpus).unwrap_or(0)),
        ),
        (
            "pgn-reader lexing",
            Box::new(|| plies(peers::lexing(corpus))),
        ),
        ("overboard lexing", Box::new(|| tokens(corpus).unwrap_or(0))),
        ("pgn-reader bare", Box::new(|| plies(peers::bare(corpus)))),
        ("pgn-reader full", Box::new(|| plies(peers::full(corpus)))),
        ("check --quiet", Box::new(|| check(corpus, 1, &["--quiet"]))),
        ("check", Box::new(|| check(corpus, 1, &[]))),
    ];
    if let Some(program) = find_program("pgn-extract") {
        contestants.push((
            "pgn-extract -r",
            Box::new(move || quietly(Command::new(&program).arg("-r").arg(corpus))),
        ));
    }
    contestants
}

fn plies(totals: io::Result<peers::Totals>) -> u64 {
    totals.map_or(0, |totals| totals.plies)
}

fn tokens(corpus: &Path) -> io::Result<u64> {
    let mut lexer = Lexer::new(File::open(corpus)?, 0, Limits::default());
    let mut count = 0;
    while lexer.next()? != Kind::End {
        count += 1;
    }
    Ok(count)
}

/// The whole referee; `--quiet` prints nothing for clean games, as the peers print nothing.
fn check(corpus: &Path, jobs: u16, flags: &[&str]) -> u64 {
    quietly(
        Command::new(OVERBOARD)
            .args(["check", "--jobs", &jobs.to_string()])
            .args(flags)
            .arg(corpus),
    )
}

/// Runs a program without output; returns 1 if it succeeded.
fn quietly(command: &mut Command) -> u64 {
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    u64::from(status.is_ok_and(|status| status.success()))
}

/// Where a program is: on the PATH, or where Debian puts games.
fn find_program(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/games")])
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
}

fn print_table(results: &[(&str, f64)], bytes: u64, plies: u64) -> io::Result<()> {
    let ours = results
        .iter()
        .find(|(name, _)| *name == "check --quiet")
        .map_or(f64::NAN, |(_, seconds)| *seconds);
    let mut out = io::stdout().lock();
    writeln!(out, "{bytes} bytes, {plies} plies, one core")?;
    writeln!(
        out,
        "{:<20}{:>10}{:>10}{:>12}{:>22}",
        "", "CPU s", "MB/s", "Mplies/s", "times check --quiet"
    )?;
    for (name, seconds) in results {
        writeln!(
            out,
            "{name:<20}{seconds:>10.4}{:>10.1}{:>12.2}{:>22.3}",
            bytes as f64 / 1e6 / seconds,
            plies as f64 / 1e6 / seconds,
            seconds / ours
        )?;
    }
    Ok(())
}

/// Wall time of one thread and of two on the same file, and of two programs at once, which is the most that the machine
/// can do.
fn print_threads(corpus: &Path, rounds: usize) -> io::Result<()> {
    let wall = |run: &dyn Fn()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    let judge = |jobs| {
        check(corpus, jobs, &[]);
    };
    let both = || {
        thread::scope(|scope| {
            scope.spawn(|| judge(1));
            judge(1);
        });
    };
    let mut best = [f64::INFINITY; 3];
    for _ in 0..rounds {
        let times = [wall(&|| judge(1)), wall(&|| judge(2)), wall(&both)];
        best = [0, 1, 2].map(|at| best[at].min(times[at]));
    }
    let [one, two, both] = best;
    writeln!(
        io::stdout(),
        "one thread {one:.3} s, two threads {two:.3} s: {:.2} times as fast; two programs at once are {:.2} times \
         as fast as one",
        one / two,
        2.0 * one / both
    )
}
