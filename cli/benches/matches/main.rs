//! What a runner costs: its own processor time for each ply of a match between engines that answer at once.
//!
//! This program is also those engines. `cargo bench --bench matches -- [GAMES] [JOBS]`; the runners `fastchess` and
//! `c-chess-cli` are measured, too, if they are on the path.

#![allow(clippy::unwrap_used)]

mod instant;

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

fn main() {
    let words: Vec<_> = env::args().skip(1).filter(|word| word != "--bench").collect();
    if words.first().is_some_and(|word| word == "engine") {
        let seed = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(1);
        return instant::run(seed);
    }
    let number = |at: usize, usual: u64| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let (games, jobs) = (number(0, 200), number(1, 1));
    let folder = tempfile::tempdir().unwrap();
    println!("{games} games, {jobs} at a time; processor time of the runner alone");
    println!(
        "| runner | seconds | plies | µs for a ply | most memory, MiB | of its own, MiB |\n|---|---|---|---|---|---|"
    );
    let runners = [
        ours(folder.path(), games, jobs),
        fastchess(folder.path(), games, jobs),
        c_chess_cli(folder.path(), games, jobs),
    ];
    for (name, command, out) in runners.into_iter().flatten() {
        let cost = measure(command);
        let plies = plies(&out) as f64;
        let Cost { seconds, cpu, memory, own } = cost;
        let [memory, own] = [memory, own].map(|kib| kib as f64 / 1024.0);
        println!("| {name} | {seconds:.1} | {plies} | {:.1} | {memory:.1} | {own:.1} |", 1e6 * cpu / plies);
    }
}

/// A runner: its name, its command, and the file of games that it writes.
type Runner = Option<(&'static str, Command, std::path::PathBuf)>;

fn this() -> String {
    env::current_exe().unwrap().display().to_string()
}

fn ours(folder: &Path, games: u64, jobs: u64) -> Runner {
    let out = folder.join("ours.jsonl");
    let mut command = Command::new(env!("CARGO_BIN_EXE_overboard"));
    command.args([
        "match",
        "--random-plies",
        "0",
        "--annotate",
        "score,depth,nodes,time",
        "--max-plies",
        "2000",
    ]);
    command.args(["--pairs", &(games / 2).to_string(), "-j", &jobs.to_string(), "--ledger"]).arg(&out);
    for seed in [1, 2] {
        command.args(["--engine", &format!("name=E{seed} cmd=\"{} engine {seed}\" tc=600+1", this())]);
    }
    Some(("overboard", command, out))
}

fn fastchess(folder: &Path, games: u64, jobs: u64) -> Runner {
    is_there("fastchess")?;
    let out = folder.join("fastchess.pgn");
    let mut command = Command::new("fastchess");
    for seed in [1, 2] {
        command.args([
            "-engine",
            &format!("cmd={}", this()),
            &format!("args=engine {seed}"),
            &format!("name=E{seed}"),
        ]);
    }
    command.args(["-each", "tc=600+1", "-rounds", &(games / 2).to_string(), "-repeat"]);
    command.args(["-concurrency", &jobs.to_string(), "-pgnout", &format!("file={}", out.display())]);
    Some(("fastchess", command, out))
}

fn c_chess_cli(folder: &Path, games: u64, jobs: u64) -> Runner {
    is_there("c-chess-cli")?;
    let out = folder.join("c.pgn");
    let mut command = Command::new("c-chess-cli");
    for seed in [1, 2] {
        command.args(["-engine", &format!("cmd={} engine {seed}", this()), &format!("name=E{seed}")]);
    }
    command.args(["-each", "tc=600+1", "-games", &games.to_string(), "-repeat"]);
    command.args(["-concurrency", &jobs.to_string(), "-pgn", &out.display().to_string(), "2"]);
    Some(("c-chess-cli", command, out))
}

fn is_there(program: &str) -> Option<()> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).any(|folder| folder.join(program).exists()).then_some(())
}

/// The cost of a run.
struct Cost {
    seconds: f64,
    /// Processor time in seconds.
    cpu: f64,
    /// The most memory that it held at a time, in KiB, and how much of it was not mapped files.
    memory: u64,
    own: u64,
}

/// Runs a runner to its end, and samples it meanwhile.
fn measure(mut command: Command) -> Cost {
    let begun = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let folder = format!("/proc/{}", child.id());
    let (mut cpu, mut memory, mut own) = (0.0, 0, 0);
    while child.try_wait().unwrap().is_none() {
        let stat = fs::read_to_string(format!("{folder}/stat")).unwrap_or_default();
        let fields: Vec<_> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
        // A tick is a hundredth of a second.
        cpu = f64::max(cpu, (ticks(11) + ticks(12)) / 100.0);
        let status = fs::read_to_string(format!("{folder}/status")).unwrap_or_default();
        let kib = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0)
        };
        (memory, own) = (memory.max(kib("VmHWM:")), own.max(kib("RssAnon:")));
        thread::sleep(Duration::from_millis(20));
    }
    Cost { seconds: begun.elapsed().as_secs_f64(), cpu, memory, own }
}

/// Plies of all games of a file.
fn plies(file: &Path) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    if text.starts_with('{') {
        let of = |line: &str| line.split("\"plies\":").nth(1)?.split(',').next()?.parse::<u64>().ok();
        return text.lines().filter_map(of).sum();
    }
    let of = |line: &str| line.split("PlyCount \"").nth(1)?.split('"').next()?.parse::<u64>().ok();
    text.lines().filter_map(of).sum()
}
