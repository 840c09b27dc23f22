//! What a runner costs: its own processor time for each ply of a match between engines that answer at once.
//!
//! This program is also those engines. `cargo bench --bench matches -- [GAMES] [JOBS] [ROUNDS]`; the runners `fastchess`
//! and `c-chess-cli` are measured, too, if they are on the path. The engines play the same games for each of them. Of the
//! rounds the cheapest counts.

#![allow(clippy::unwrap_used)]

mod instant;

use nix::{
    sys::wait::{Id, WaitPidFlag, WaitStatus, waitid},
    unistd::Pid,
};
use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

fn main() {
    let words: Vec<_> = env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    if words.first().is_some_and(|word| word == "engine") {
        let seed = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(1);
        return instant::run(seed);
    }
    let number = |at: usize, usual: u64| {
        words
            .get(at)
            .and_then(|word| word.parse().ok())
            .unwrap_or(usual)
    };
    let (games, jobs, rounds) = (number(0, 200), number(1, 1), number(2, 3));
    println!(
        "{games} games, {jobs} at a time, the cheapest of {rounds} rounds; processor time of the runner alone"
    );
    println!(
        "| runner | games | plies | seconds | µs for a ply | times ours | most memory, MiB | of its own, MiB |\n|---|---|---|---|---|---|---|---|"
    );
    let mut cheapest: [Option<Cost>; 3] = [None, None, None];
    for _ in 0..rounds {
        for (runner, least) in [ours, fastchess, c_chess_cli]
            .into_iter()
            .zip(&mut cheapest)
        {
            let folder = tempfile::tempdir().unwrap();
            let Some((name, command, out)) = runner(folder.path(), games, jobs) else {
                continue;
            };
            let cost = measure(name, command, folder.path(), &out);
            if least
                .as_ref()
                .is_none_or(|least| cost.a_ply() < least.a_ply())
            {
                *least = Some(cost);
            }
        }
    }
    let own = cheapest[0].as_ref().map_or(f64::NAN, Cost::a_ply);
    for cost in cheapest.iter().flatten() {
        let Cost {
            name,
            games,
            plies,
            seconds,
            ..
        } = cost;
        let [memory, anonymous] = [cost.memory, cost.own].map(|kib| kib as f64 / 1024.0);
        let (a_ply, times) = (cost.a_ply(), cost.a_ply() / own);
        println!(
            "| {name} | {games} | {plies} | {seconds:.1} | {a_ply:.1} | {times:.1} | {memory:.1} | {anonymous:.1} |"
        );
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
    command
        .args([
            "--pairs",
            &(games / 2).to_string(),
            "-j",
            &jobs.to_string(),
            "--ledger",
        ])
        .arg(&out);
    for seed in [1, 2] {
        command.args([
            "--engine",
            &format!("name=E{seed} cmd=\"{} engine {seed}\" tc=600+1", this()),
        ]);
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
    command.args([
        "-each",
        "tc=600+1",
        "-rounds",
        &(games / 2).to_string(),
        "-repeat",
    ]);
    command.args([
        "-concurrency",
        &jobs.to_string(),
        "-pgnout",
        &format!("file={}", out.display()),
    ]);
    Some(("fastchess", command, out))
}

fn c_chess_cli(folder: &Path, games: u64, jobs: u64) -> Runner {
    is_there("c-chess-cli")?;
    let out = folder.join("c.pgn");
    let mut command = Command::new("c-chess-cli");
    for seed in [1, 2] {
        command.args([
            "-engine",
            &format!("cmd={} engine {seed}", this()),
            &format!("name=E{seed}"),
        ]);
    }
    command.args(["-each", "tc=600+1", "-games", &games.to_string(), "-repeat"]);
    command.args([
        "-concurrency",
        &jobs.to_string(),
        "-pgn",
        &out.display().to_string(),
        "2",
    ]);
    Some(("c-chess-cli", command, out))
}

fn is_there(program: &str) -> Option<()> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .any(|folder| folder.join(program).exists())
        .then_some(())
}

/// The cost of a run.
struct Cost {
    name: &'static str,
    /// The games played, and all their plies.
    games: usize,
    plies: u64,
    seconds: f64,
    /// Processor time in seconds.
    cpu: f64,
    /// The most memory that it held at a time, in KiB, and how much of it was not mapped files.
    memory: u64,
    own: u64,
}

impl Cost {
    /// Microseconds for a ply.
    fn a_ply(&self) -> f64 {
        1e6 * self.cpu / self.plies as f64
    }
}

/// Runs a runner to its end, and samples its memory meanwhile.
fn measure(name: &'static str, mut command: Command, folder: &Path, out: &Path) -> Cost {
    let begun = Instant::now();
    let quiet = command
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = quiet.spawn().unwrap();
    let process = format!("/proc/{}", child.id());
    let (mut memory, mut own) = (0, 0);
    // It is not reaped until its processor time has been read.
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    let pid = Pid::from_raw(child.id().cast_signed());
    while waitid(Id::Pid(pid), flags).unwrap() == WaitStatus::StillAlive {
        let status = fs::read_to_string(format!("{process}/status")).unwrap_or_default();
        let kib = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok())
                .unwrap_or(0)
        };
        (memory, own) = (memory.max(kib("VmHWM:")), own.max(kib("RssAnon:")));
        thread::sleep(Duration::from_millis(20));
    }
    let seconds = begun.elapsed().as_secs_f64();
    let stat = fs::read_to_string(format!("{process}/stat")).unwrap();
    let fields: Vec<_> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    // Its own time in user and in system mode, in hundredths of a second; that of its children stands after them.
    let cpu = [11, 12]
        .map(|at: usize| fields[at].parse::<f64>().unwrap() / 100.0)
        .iter()
        .sum();
    child.wait().unwrap();
    let plies = plies(out);
    Cost {
        name,
        games: plies.len(),
        plies: plies.iter().sum(),
        seconds,
        cpu,
        memory,
        own,
    }
}

/// Plies of each game of a file.
fn plies(file: &Path) -> Vec<u64> {
    let text = fs::read_to_string(file).unwrap_or_default();
    if text.starts_with('{') {
        let of = |line: &str| {
            line.split("\"plies\":")
                .nth(1)?
                .split(',')
                .next()?
                .parse::<u64>()
                .ok()
        };
        return text.lines().filter_map(of).collect();
    }
    let of = |line: &str| {
        line.split("PlyCount \"")
            .nth(1)?
            .split('"')
            .next()?
            .parse::<u64>()
            .ok()
    };
    text.lines().filter_map(of).collect()
}
