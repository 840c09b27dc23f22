//! Matches with external engines: each fault has its own consequence, and nothing else does.

mod crazyhouse;
mod edits;
mod escape;
mod faults;
mod kept;
mod protocols;
mod real;

use crate::run::{overboard, printed, tool};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

/// An engine played by this test program, as a value of `--engine`.
fn engine(name: &str, does: &str, more: &str) -> String {
    let command = faults::command(does).replace('\'', "'\\''");
    format!("name={name} cmd='{command}' {more}")
}

/// A match that ran to its end.
struct Ran {
    output: Output,
    took: Duration,
    /// The most memory that the runner held at any time, in KiB, without mapped files.
    memory: u64,
    games: Vec<Value>,
}

impl Ran {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
            + &String::from_utf8_lossy(&self.output.stderr)
    }

    /// How many games ended by a fault of this engine, by termination.
    fn faults(&self, name: &str) -> BTreeMap<String, usize> {
        let mut faults = BTreeMap::new();
        for game in &self.games {
            let by = game["fault"]["by"].as_str();
            if by.is_some_and(|by| game[by] == name) {
                *faults
                    .entry(game["termination"].as_str().unwrap().to_owned())
                    .or_default() += 1;
            }
        }
        faults
    }
}

/// Runs a match between these engines, with this ledger.
fn play(words: &[&str], engines: &[String], ledger: &Path) -> Ran {
    let begun = Instant::now();
    let mut child = start(words, engines, ledger);
    let mut memory = 0;
    while child.try_wait().unwrap().is_none() {
        memory = memory.max(held(child.id()));
        thread::sleep(Duration::from_millis(5));
        assert!(
            begun.elapsed() < Duration::from_secs(3600),
            "it hangs: {words:?}"
        );
    }
    let output = child.wait_with_output().unwrap();
    Ran {
        output,
        took: begun.elapsed(),
        memory,
        games: games(ledger),
    }
}

/// Asserts that no player was at fault, that every game was played, and that the records are clean.
fn clean(ran: &Ran, games: usize, ledger: &Path) {
    assert!(
        ran.games.iter().all(|game| game["fault"].is_null()),
        "{}\n{}",
        ran.text(),
        dialogues(ledger)
    );
    complete(ran, games, ledger);
}

/// Asserts that every game was played, that the exit code says whether a player was at fault, and that the
/// records are clean.
fn complete(ran: &Ran, games: usize, ledger: &Path) {
    let exit = i32::from(ran.games.iter().any(|game| !game["fault"].is_null()));
    assert_eq!(
        (ran.games.len(), ran.output.status.code()),
        (games, Some(exit)),
        "{}\n{}",
        ran.text(),
        dialogues(ledger)
    );
    let records = overboard(&["ledger", "--to", "npgn", ledger.to_str().unwrap()]);
    let file = ledger.with_extension("npgn");
    fs::write(&file, records.stdout).unwrap();
    let (text, exit) = printed(&overboard(&["check", "--quiet", file.to_str().unwrap()]));
    assert_eq!(exit, 0, "{text}");
}

/// The dialogues before the first fault of each engine, which a match keeps beside its ledger.
fn dialogues(ledger: &Path) -> String {
    let beside = fs::read_dir(ledger.parent().unwrap())
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let kept = beside.filter(|path| path.to_string_lossy().ends_with(".fault.txt"));
    kept.map(|path| {
        format!(
            "{}:\n{}",
            path.display(),
            fs::read_to_string(&path).unwrap()
        )
    })
    .collect()
}

fn start(words: &[&str], engines: &[String], ledger: &Path) -> Child {
    let mut command = tool();
    command.arg("match").args(words).arg("--ledger").arg(ledger);
    engines.iter().for_each(|engine| {
        command.args(["--engine", engine]);
    });
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn games(ledger: &Path) -> Vec<Value> {
    let text = fs::read_to_string(ledger).unwrap_or_default();
    text.split_inclusive('\n')
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The private memory of a process, in KiB.
fn held(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

/// The processes whose command line contains this mark.
fn processes(mark: &str) -> Vec<PathBuf> {
    let all = fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    all.filter(|path| {
        let words = fs::read(path.join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains(mark)
    })
    .collect()
}

/// Whether these processes end within five seconds.
fn go_away(mark: &str) -> bool {
    let until = Instant::now() + Duration::from_secs(5);
    while !processes(mark).is_empty() {
        if Instant::now() > until {
            return false;
        }
        thread::sleep(Duration::from_millis(20));
    }
    true
}

/// A mode of the faulty engine, and its consequence.
struct Mode {
    name: &'static str,
    /// The first answer with which it goes wrong.
    at: usize,
    /// How its games end; empty if the fault does no harm.
    ends: &'static str,
}

const fn mode(name: &'static str, at: usize, ends: &'static str) -> Mode {
    Mode { name, at, ends }
}

const MODES: [Mode; 18] = [
    mode("exits", 3, "crash"),
    mode("killed", 3, "crash"),
    mode("dies-with-words", 3, "crash"),
    mode("hangs", 3, "stall"),
    mode("chatters", 3, "stall"),
    mode("floods-lines", 3, ""),
    mode("floods-one-line", 3, ""),
    mode("floods-errors", 3, ""),
    mode("illegal", 3, "illegal-move"),
    mode("nonsense", 3, "illegal-move"),
    mode("late", 3, "time-forfeit"),
    mode("twice", 1, ""),
    mode("ignores-quit", 1, ""),
    mode("grandchild", 2, ""),
    mode("grandchild-dies", 2, "crash"),
    mode("no-utf8", 1, ""),
    mode("escapes", 1, ""),
    mode("blanks", 1, ""),
];

/// Plays a match in a mode, and asserts that it has the expected consequence and that the run goes on.
fn run_mode(mode: &Mode, pairs: usize, jobs: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    let mark = format!("mark={}-{}", mode.name, std::process::id());
    let is_flood = mode.name.starts_with("floods");
    // The test machine may be busy, so everything but the engine's clock has plenty of time.
    let on_the_clock = matches!(mode.ends, "stall" | "time-forfeit");
    let time = if on_the_clock {
        "st=0.2"
    } else {
        "nodes=5 stall=60"
    };
    let bad = engine(
        "Bad",
        &format!("mode={} at={} {mark}", mode.name, mode.at),
        time,
    );
    let good = engine("Good", &format!("mode=none {mark}"), "nodes=5 stall=60");
    let pairs_word = pairs.to_string();
    let plies = if is_flood { "9" } else { "30" };
    let words = [
        "--pairs",
        &pairs_word,
        "--max-plies",
        plies,
        "--random-plies",
        "2",
        "-j",
        jobs,
        "--faults",
        "1000",
    ];
    let ran = play(&words, &[bad, good], &ledger);
    let (name, text) = (mode.name, ran.text());
    assert_eq!(ran.games.len(), 2 * pairs, "{name}: {text}");
    let expected: BTreeMap<_, _> = (!mode.ends.is_empty())
        .then(|| (mode.ends.to_owned(), 2 * pairs))
        .into_iter()
        .collect();
    let own = ran.faults("Bad");
    // On a busy machine a sound answer may be late as well.
    let own: BTreeMap<_, _> = own
        .into_iter()
        .filter(|(end, _)| end != "time-forfeit" || mode.ends == *end)
        .collect();
    assert!(
        own == expected || (mode.ends == "stall" && !own.is_empty()),
        "{name}: {own:?} {text}"
    );
    assert_eq!(ran.faults("Good"), BTreeMap::new(), "{name}: {text}");
    assert_eq!(
        ran.output.status.code(),
        Some(i32::from(!ran.faults("Bad").is_empty())),
        "{name}: {text}"
    );
    assert!(ran.memory < 32 << 10, "{name}: {} KiB", ran.memory);
    assert!(go_away(&mark), "{name}: a process is left");
    assert!(
        !text.contains('\u{1b}') && !text.contains('\u{7}'),
        "{name}: {text:?}"
    );
    let transcript = folder.path().join("ledger.1-Bad.fault.txt");
    assert_eq!(transcript.exists(), !ran.faults("Bad").is_empty(), "{name}");
    if let Ok(reported) = fs::read_to_string(transcript) {
        assert!(
            reported.contains("> go ") && reported.starts_with("engine Bad: "),
            "{name}: {reported}"
        );
        assert!(!reported.contains('\u{1b}'), "{name}: {reported:?}");
    }
    ran
}

/// The numbers of games of a soak test: for most modes, and for those that flood the runner with 100 MB a
/// game.
const SOAK: [usize; 2] = [1000, 50];

#[test]
#[ignore = "takes minutes; `just soak` runs it"]
fn soak() {
    println!("| fault | games | ended by | seconds | MiB |\n|---|---|---|---|---|");
    for mode in &MODES {
        let games = SOAK[usize::from(mode.name.starts_with("floods"))];
        let ran = run_mode(mode, games / 2, "32");
        let ends = ran
            .faults("Bad")
            .iter()
            .map(|(end, count)| format!("{end} {count}"))
            .collect::<Vec<_>>()
            .join(", ");
        let ends = if ends.is_empty() {
            "no fault".into()
        } else {
            ends
        };
        let (took, memory) = (ran.took.as_secs_f64(), ran.memory as f64 / 1024.0);
        println!(
            "| {} | {games} | {ends} | {took:.1} | {memory:.1} |",
            mode.name
        );
    }
}

#[test]
fn every_fault_is_decided_and_the_run_goes_on() {
    for mode in &MODES {
        let ran = run_mode(mode, 1, "2");
        assert!(
            ran.took < Duration::from_secs(100),
            "{}: {:?}",
            mode.name,
            ran.took
        );
    }
}

#[test]
fn an_engine_that_cannot_play_is_refused_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    let good = || engine("Good", "mode=none", "nodes=5");
    let refuse = |bad: String, more: &[&str]| {
        let words: Vec<_> = ["--pairs", "1"].iter().chain(more).copied().collect();
        let ran = play(&words, &[bad, good()], &ledger);
        assert_eq!(ran.output.status.code(), Some(2), "{}", ran.text());
        assert!(ran.games.is_empty() && !ledger.exists());
        ran.text()
    };
    let bad = |does: &str, more: &str| engine("Bad", does, &format!("nodes=5 start=0.3 {more}"));
    let said = refuse(bad("mode=exits-at-start", ""), &[]);
    assert!(
        said.contains("engine `Bad`: it ended with exit code 3; no game was played"),
        "{said}"
    );
    let said = refuse(bad("mode=no-uciok", ""), &[]);
    assert!(
        said.contains("it did not answer within 0.3 s of its start"),
        "{said}"
    );
    let said = refuse(engine("Bad", "mode=announces", "nodes=5 start=60"), &[]);
    assert!(
        said.contains("it said more than a megabyte before it was ready"),
        "{said}"
    );
    let said = refuse(bad("mode=slow-ready", ""), &[]);
    assert!(said.contains("it did not answer within 0.3 s"), "{said}");
    let said = refuse("name=Bad cmd=/nowhere/at/all nodes=1".into(), &[]);
    assert!(
        said.contains("`/nowhere/at/all` cannot be started: no such file or folder;"),
        "{said}"
    );
    let said = refuse(bad("mode=none", "option.Speed=3"), &[]);
    assert!(
        said.contains("it has no option `Speed`; it names these: Hash"),
        "{said}"
    );
    let said = refuse(bad("mode=none", ""), &["--variant", "olympic"]);
    assert!(
        said.contains("it does not play Olympic Chess: it has no option UCI_Variant"),
        "{said}"
    );
    let said = refuse(bad("mode=none", ""), &["--variant", "overchess"]);
    assert!(
        said.contains("UCI cannot express") && said.contains("use proto=lines"),
        "{said}"
    );
    let said = refuse("cmd=x".into(), &[]);
    assert!(
        said.contains("engine `x`: no time limit or search limit is given"),
        "{said}"
    );
}

/// A little too late at every move is too late in the end: the margin is given once.
#[test]
fn what_a_margin_gave_is_owed() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    let creeps = engine("Bad", "mode=creeps", "tc=0.2 margin=1");
    let good = engine("Good", "mode=none", "nodes=5");
    let words = ["--pairs", "1", "--max-plies", "400", "-j", "1"];
    let ran = play(&words, &[creeps, good], &ledger);
    let late = BTreeMap::from([("time-forfeit".to_owned(), 2)]);
    assert_eq!(ran.faults("Bad"), late, "{}", ran.text());
    let plies = |game: &Value| game["plies"].as_u64().unwrap();
    assert!(
        ran.games.iter().all(|game| plies(game) > 10),
        "{}",
        ran.text()
    );
}

#[test]
fn an_engine_with_too_many_faults_is_withdrawn() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("two");
    let bad = || engine("Bad", "mode=illegal at=2", "nodes=5");
    let words = [
        "--pairs",
        "50",
        "--max-plies",
        "20",
        "-j",
        "1",
        "--faults",
        "3",
    ];
    let ran = play(
        &words,
        &[bad(), engine("Good", "mode=none", "nodes=5")],
        &ledger,
    );
    assert_eq!(
        (ran.games.len(), ran.output.status.code()),
        (3, Some(1)),
        "{}",
        ran.text()
    );
    let text = ran.text();
    assert!(
        text.contains("stopped after 3 of 100 games: Bad had too many faults"),
        "{text}"
    );
    assert!(text.contains("to resume: "), "{text}");
    // The remaining players go on: games against the faulty one are scored as lost by it, and the others are
    // played.
    let ledger = folder.path().join("three");
    let engines = [
        bad(),
        engine("Good", "mode=none", "nodes=5"),
        engine("Better", "mode=none", "nodes=6"),
    ];
    let words = [
        "--pairs",
        "3",
        "--max-plies",
        "20",
        "-j",
        "1",
        "--faults",
        "2",
    ];
    let ran = play(&words, &engines, &ledger);
    assert_eq!(ran.games.len(), 18, "{}", ran.text());
    let faults = ran.faults("Bad");
    assert_eq!(
        (faults["illegal-move"], faults["withdrawn"]),
        (2, 10),
        "{faults:?}"
    );
    let met = ran.games.iter().filter(|game| game["fault"].is_null());
    assert!(met.clone().count() == 6 && met.clone().all(|game| game["plies"].as_u64() > Some(0)));
}
