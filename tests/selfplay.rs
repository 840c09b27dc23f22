//! Self-play: the bytes are the same whatever the threads, interruptions and shards, and every game is legal.

mod believed;
mod booked;
mod books;
mod grows;
mod kept;
mod recorded;
mod stops;

use crate::{
    chance::Chance,
    depth::tries,
    run::{overboard, printed, tool},
};
use rayon::prelude::*;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::Duration,
};

/// A folder that is deleted when the test ends.
struct Room(tempfile::TempDir);

impl Room {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// The words of a command line, followed by the files.
fn words(line: &str, files: &[&Path]) -> Vec<String> {
    let files = files.iter().map(|file| file.to_str().unwrap().to_string());
    line.split(' ')
        .map(ToString::to_string)
        .chain(files)
        .collect()
}

/// Runs the tool; returns its output, its messages and its exit code.
fn report(line: &str, files: &[&Path]) -> (String, String, i32) {
    let output = overboard(&words(line, files));
    let (text, exit) = printed(&output);
    (text, String::from_utf8(output.stderr).unwrap(), exit)
}

/// Runs the tool, which must succeed.
fn done(line: &str, files: &[&Path]) -> String {
    let (text, complaint, exit) = report(line, files);
    assert_eq!(exit, 0, "{line}: {complaint}");
    text
}

/// A few games with every kind of player.
const MIXED: &str = "selfplay --seed 7 --pairs 2 --random-plies 4 --max-plies 120 --player random \
                     --player greedy --player search:depth=2 --player search:nodes=300 --player mcts:sims=20";

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let room = Room::new();
    for (variant, games) in [("chess", tries(100)), ("olympic", tries(200))] {
        let ledger = |jobs: &str, kind: &str| room.file(&format!("{variant}-{kind}-{jobs}"));
        for jobs in ["1", "2", "5"] {
            let random = format!(
                "selfplay --variant {variant} --games {games} --player random -j {jobs} --ledger"
            );
            done(&random, &[&ledger(jobs, "random")]);
            done(
                &format!("{MIXED} --variant {variant} -j {jobs} --ledger"),
                &[&ledger(jobs, "mixed")],
            );
        }
        for kind in ["random", "mixed"] {
            let bytes = fs::read(ledger("1", kind)).unwrap();
            assert!(
                bytes == fs::read(ledger("2", kind)).unwrap(),
                "{variant} {kind}"
            );
            assert!(
                bytes == fs::read(ledger("5", kind)).unwrap(),
                "{variant} {kind}"
            );
        }
    }
}

#[test]
fn any_number_of_threads_plays_the_same_on_linked_boards() {
    let room = Room::new();
    let line = "selfplay --variant strategichess --boards 3 --player mcts:sims=4 --player greedy --player random \
                --pairs 2 --max-plies 150 --ledger";
    for jobs in ["1", "2", "5"] {
        done(
            &format!("{line} {} -j {jobs}", room.file(jobs).display()),
            &[],
        );
    }
    let bytes = fs::read(room.file("1")).unwrap();
    assert!(
        bytes == fs::read(room.file("2")).unwrap() && bytes == fs::read(room.file("5")).unwrap()
    );
}

#[test]
fn any_number_of_threads_plays_the_same_in_overchess() {
    let room = Room::new();
    let line = "selfplay --variant overchess --rules fog:prisoners:reserves=team/2P --player greedy --player random \
                --player search:depth=1 --pairs 1 --max-plies 400 --ledger";
    for jobs in ["1", "2", "5"] {
        done(
            &format!("{line} {} -j {jobs}", room.file(jobs).display()),
            &[],
        );
    }
    let deep = line.replace("fog:", "depth=2:fog:");
    for jobs in ["1", "3"] {
        done(
            &format!(
                "{deep} {} -j {jobs}",
                room.file(&format!("deep-{jobs}")).display()
            ),
            &[],
        );
    }
    assert!(fs::read(room.file("deep-1")).unwrap() == fs::read(room.file("deep-3")).unwrap());
    let bytes = fs::read(room.file("1")).unwrap();
    assert!(
        bytes == fs::read(room.file("2")).unwrap() && bytes == fs::read(room.file("5")).unwrap()
    );
    done("stats", &[&room.file("deep-1")]);
    let stats = done("stats", &[&room.file("1")]);
    assert!(
        stats.contains("ply-cap") || stats.contains("checkmate"),
        "{stats}"
    );
}

#[test]
fn every_game_is_clean() {
    let room = Room::new();
    let positions = room.file("positions");
    fs::write(
        &positions,
        "4k/5/5/P4/K3R[] b - - 0 7\nrbsgk/4p/5/P4/KGSBR[] w - - 0 1\n",
    )
    .unwrap();
    let from_file = format!(
        "selfplay --variant olympic --games 40 --player greedy --openings {} --ledger",
        positions.display()
    );
    [
        "selfplay --games 300 --player random --ledger",
        "selfplay --games 100 --player random --max-plies 60 --ledger",
        "selfplay --variant olympic --games 400 --player random --ledger",
        &format!("{MIXED} --ledger"),
        &format!("{MIXED} --variant olympic --ledger"),
        &from_file,
        "selfplay --variant strategichess --games 12 --player random --ledger",
        &format!("{MIXED} --variant strategichess --ledger"),
        "selfplay --variant strategichess --boards 3 --pairs 3 --player greedy --player random --ledger",
        "selfplay --variant strategichess --boards 2 --rules edition=2025 --pairs 2 --player greedy \
         --player mcts:sims=5 --max-plies 250 --ledger",
        "selfplay --variant overchess --games 4 --player random --ledger",
        "selfplay --variant overchess --games 12 --player random --max-plies 700 --ledger",
        "selfplay --variant overchess --rules fog:prisoners:consolidation:reserves=team/2P1N/3P --games 12 \
         --player random --max-plies 900 --ledger",
        "selfplay --variant overchess --rules prisoners:reserves=set/1P1N/2P:subdraw=both --pairs 3 \
         --player greedy --player random --ledger",
        "selfplay --variant overchess --rules fog:consolidation:subdraw=defender --pairs 2 \
         --player greedy --player search:depth=1 --player mcts:sims=2 --max-plies 300 --ledger",
        "selfplay --variant overchess --rules depth=2 --games 2 --player random --max-plies 50000 --ledger",
        "selfplay --variant overchess --rules depth=2:fog:prisoners:consolidation:reserves=team/2P1N/3P --pairs 2 \
         --player greedy --player random --max-plies 4000 --ledger",
        "selfplay --variant overchess --rules prisoners:depth=2:reserves=set/1P1N/2P:subdraw=both --pairs 1 \
         --player search:depth=1 --player mcts:sims=2 --max-plies 3000 --ledger",
        "selfplay --variant overchess --rules prisoners:consolidation:depth=3 --games 4 --player random \
         --max-plies 5000 --ledger",
        "selfplay --variant overchess --rules depth=64 --games 2 --player random --max-plies 2500 --ledger",
    ]
    .into_par_iter()
    .enumerate()
    .for_each(|(index, line)| {
        let (ledger, records) = (room.file(&index.to_string()), room.file(&format!("{index}.npgn")));
        done(line, &[&ledger]);
        fs::write(&records, done("ledger --to npgn", &[&ledger])).unwrap();
        // A set-up of many individuals is a long line.
        let deep = if line.contains("depth=") { " --allow long-line" } else { "" };
        let check = format!("check --strict --quiet --no-board --allow claimable{deep}");
        let (text, _, exit) = report(&check, &[&records]);
        assert_eq!(exit, 0, "{line}: {text}");
        done("fmt --check", &[&records]);
        let rows = done("ledger --to csv", &[&ledger]);
        assert_eq!(rows.lines().count() - 1, fs::read_to_string(&ledger).unwrap().lines().count());
    });
}

/// Starts a run that can be killed.
fn begin(line: &str, ledger: &Path) -> Child {
    let mut command = tool();
    command
        .args(words(line, &[ledger]))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// A run of this many games between each two of four players; of the six pairs of players, the first three take long, and the
/// others almost no time.
fn slow_first(games: u32) -> String {
    format!(
        "selfplay --player search:nodes=200000 --player greedy --player random --player mcts:sims=2 --games {games} \
         --max-plies 12 -j 4 --ledger"
    )
}

/// Kills [`slow_first`] while three games wait for the first one. A run that is over before that is seen is begun again.
fn kill_while_games_wait(line: &str, ledger: &Path) {
    for _ in 0..20 {
        let mut child = begin(line, ledger);
        while child.try_wait().unwrap().is_none() {
            if booked::games(&booked::ahead(ledger)) >= 3 {
                child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        if booked::ahead(ledger).exists() {
            return;
        }
        fs::remove_file(ledger).unwrap();
    }
    panic!("the first game is over before three others");
}

/// Kills a run this many times, at random moments, and resumes it each time.
fn kill_and_go_on(line: &str, wanted: usize, most: usize, chance: &mut Chance) {
    let room = Room::new();
    let whole = room.file("whole");
    done(line, &[&whole]);
    let whole = fs::read(whole).unwrap();
    let (mut kills, mut run) = (0, 0);
    while kills < wanted {
        let ledger = room.file(&format!("killed-{run}"));
        run += 1;
        loop {
            let mut child = begin(line, &ledger);
            std::thread::sleep(Duration::from_millis(chance.below(most) as u64));
            let is_over = child.try_wait().unwrap().is_some();
            child.kill().unwrap();
            child.wait().unwrap();
            let bytes = fs::read(&ledger).unwrap_or_default();
            assert!(whole.starts_with(&bytes), "{line}: after {kills} kills");
            kills += usize::from(!is_over);
            if is_over || kills >= wanted {
                break;
            }
        }
        done(line, &[&ledger]);
        assert!(
            whole == fs::read(&ledger).unwrap(),
            "{line}: after {kills} kills"
        );
        fs::remove_file(ledger).unwrap();
    }
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let mut chance = Chance::seeded(2027);
    let olympic = "selfplay --variant olympic --seed 3 --pairs 3000 --player random --player greedy -j 2 --ledger";
    kill_and_go_on(olympic, tries(15), 180, &mut chance);
    for (rules, games) in [
        ("fog:prisoners:consolidation", 150),
        ("depth=2:prisoners:consolidation", 60),
    ] {
        let line = format!(
            "selfplay --variant overchess --rules {rules} --seed 3 --games {games} --player random \
             --max-plies 9000 -j 2 --ledger"
        );
        kill_and_go_on(&line, tries(5), 300, &mut chance);
    }
}

/// A small ledger of pairs.
fn small(room: &Room) -> (&'static str, PathBuf, Vec<u8>) {
    let line = "selfplay --variant olympic --pairs 10 --player random --player greedy --ledger";
    let ledger = room.file("small");
    done(line, &[&ledger]);
    let bytes = fs::read(&ledger).unwrap();
    (line, ledger, bytes)
}

#[test]
fn a_torn_line_is_cut_wherever_it_is_torn() {
    let room = Room::new();
    let (line, ledger, bytes) = small(&room);
    let mut chance = Chance::seeded(5);
    for _ in 0..tries(12) {
        let cut = chance.below(bytes.len());
        fs::write(&ledger, &bytes[..cut]).unwrap();
        let (_, said, exit) = report(line, &[&ledger]);
        let is_torn = cut > 0 && bytes[cut - 1] != b'\n';
        assert_eq!(
            (exit, said.contains("incomplete")),
            (0, is_torn),
            "{cut}: {said}"
        );
        assert!(fs::read(&ledger).unwrap() == bytes, "{cut}");
    }
}

#[test]
fn a_flipped_bit_is_found_and_named() {
    let room = Room::new();
    let (line, ledger, bytes) = small(&room);
    let mut chance = Chance::seeded(6);
    for _ in 0..tries(25) {
        // A flipped bit at the end of the last line makes it incomplete: it is cut off and played again.
        let at = chance.below(bytes.len() - 1);
        let bit = chance.pick(&[1, 2, 4, 8, 16, 32, 64, 128]).unwrap();
        let mut flipped = bytes.clone();
        flipped[at] ^= bit;
        fs::write(&ledger, &flipped).unwrap();
        let number = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        let game = format!(
            "line {number} (unit {}, game {})",
            (number - 1) / 2,
            number - 1
        );
        for command in [line, "ledger"] {
            let (_, said, exit) = report(command, &[&ledger]);
            assert_eq!(exit, 2, "{at} {bit}: {said}");
            assert!(number == 1 || said.contains(&game), "{at} {bit}: {said}");
        }
        assert!(
            fs::read(&ledger).unwrap() == flipped,
            "nothing of it is changed"
        );
    }
}

#[test]
fn other_files_and_other_runs_are_refused() {
    let room = Room::new();
    let (line, ledger, bytes) = small(&room);
    let (_, said, exit) = report(&line.replace("--pairs 10", "--pairs 11"), &[&ledger]);
    assert!(exit == 2 && said.contains("belongs to run"), "{said}");
    let text = room.file("text");
    fs::write(&text, "my letters\n").unwrap();
    let (_, said, exit) = report(line, &[&text]);
    assert!(exit == 2 && said.contains("not a ledger"), "{said}");
    assert_eq!(fs::read(&text).unwrap(), b"my letters\n");
    let lock = fs::File::open(&ledger).unwrap();
    lock.lock().unwrap();
    let (_, said, exit) = report(line, &[&ledger]);
    assert!(
        exit == 2 && said.contains("another run is writing"),
        "{said}"
    );
    drop(lock);
    done(line, &[&ledger]);
    assert!(fs::read(&ledger).unwrap() == bytes);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_the_run_with_words() {
    let room = Room::new();
    let ledger = room.file("full");
    let line = "selfplay --variant olympic --pairs 300 --player random --player greedy --ledger";
    let limited = format!(
        "ulimit -f 8; trap '' XFSZ; exec {} {line} {}",
        env!("CARGO_BIN_EXE_overboard"),
        ledger.display()
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &limited])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("games are in the ledger") && said.contains("resume with"),
        "{said}"
    );
    let stopped = fs::read(&ledger).unwrap();
    assert!(stopped.is_empty() || stopped.ends_with(b"\n"));
    done(line, &[&ledger]);
    let whole = room.file("whole");
    done(line, &[&whole]);
    assert!(fs::read(&ledger).unwrap() == fs::read(&whole).unwrap());
}

#[test]
fn shards_make_the_single_run() {
    let room = Room::new();
    let plan = room.file("night.json");
    let what = "--variant olympic --pairs 25 --player random --player greedy";
    done(&format!("plan {what} --shards 4"), &[&plan]);
    let (_, said, exit) = report(&format!("plan {what} --shards 4"), &[&plan]);
    assert!(
        exit == 2 && said.contains("already exists; it was not overwritten"),
        "{said}"
    );
    let (_, said, exit) = report("run", &[&plan]);
    assert!(exit == 2 && said.contains("SLURM_ARRAY_TASK_ID"), "{said}");
    let shards: Vec<_> = (0..4)
        .map(|index| room.file(&format!("night.{index}-of-4.jsonl")))
        .collect();
    for index in [3, 0, 1] {
        done(&format!("run --shard {index}/4"), &[&plan]);
    }
    let merged = room.file("merged");
    let out = merged.to_str().unwrap();
    let merge = |files: &[&Path]| report(&format!("merge --out {out}"), files);
    let (text, _, exit) = merge(&[&shards[3], &shards[0], &shards[1]]);
    assert_eq!(exit, 1);
    assert!(
        text.contains("missing units: 12-17\n") && text.contains("--array=2)\n"),
        "{text}"
    );
    assert!(!merged.exists());
    let last = tool()
        .args(["run"])
        .arg(&plan)
        .env("SLURM_ARRAY_TASK_ID", "2")
        .output()
        .unwrap();
    assert_eq!(last.status.code(), Some(0));
    let all: Vec<&Path> = shards
        .iter()
        .map(PathBuf::as_path)
        .chain([shards[1].as_path()])
        .collect();
    let (text, said, exit) = merge(&all);
    assert_eq!(exit, 0, "{said}");
    assert!(
        text.contains("50 games, 12 of them in more than one ledger"),
        "{text}"
    );
    let single = room.file("single");
    done(&format!("selfplay {what} --ledger"), &[&single]);
    assert!(fs::read(&single).unwrap() == fs::read(&merged).unwrap());

    let foreign = room.file("foreign");
    done(&format!("selfplay {what} --seed 2 --ledger"), &[&foreign]);
    fs::remove_file(&merged).unwrap();
    let (_, said, exit) = merge(&[&shards[0], &foreign]);
    assert!(exit == 2 && said.contains("belongs to run"), "{said}");
    let mut bytes = fs::read(&shards[2]).unwrap();
    let at = bytes.len() - 40;
    bytes[at] ^= 1;
    fs::write(&shards[2], bytes).unwrap();
    let (_, said, exit) = merge(&all);
    assert!(exit == 2 && said.contains("is damaged"), "{said}");
}

#[test]
fn what_cannot_be_played_is_said() {
    let room = Room::new();
    let over = room.file("over");
    fs::write(&over, "8/8/8/8/8/8/8/8 w - - 0 1\n").unwrap();
    let from_file = format!(
        "selfplay --games 1 --player random --openings {}",
        over.display()
    );
    for (line, why) in [
        (
            "selfplay --games 1 --player nobody",
            "expected random, greedy",
        ),
        (
            "selfplay --games 1 --player search:depth=99",
            "from 1 to 64",
        ),
        (
            "selfplay --games 1 --player random --player random",
            "given twice",
        ),
        (
            "selfplay --games 1 --player random --max-plies 5",
            "random ones are played first",
        ),
        (
            "selfplay --games 1 --player random --schedule gauntlet",
            "two players or more",
        ),
        (
            "selfplay --games 1 --player random --variant overchess --rules depth=0",
            "is chess",
        ),
        (
            "selfplay --games 1 --player random --variant overchess --rules depth=65",
            "depth",
        ),
        (
            "selfplay --games 1 --player random --variant overchess --rules frog",
            "not an option of Overchess",
        ),
        (
            "selfplay --games 1 --player random --boards 2",
            "Chess has one board",
        ),
        (
            "selfplay --games 1 --player random --variant strategichess --boards 99",
            "from 1 to 64 boards",
        ),
        (
            "selfplay --games 1 --player random --variant strategichess --rules edition=2025",
            "on linked boards",
        ),
        (
            "selfplay --games 1 --player search:depth=1 --variant strategichess --boards 2",
            "plays on one board only",
        ),
        (&from_file, "over:1: "),
    ] {
        let (_, said, exit) = report(line, &[]);
        assert!(exit == 2 && said.contains(why), "{line}: {said}");
    }
}

/// The summary of a run, as JSON.
fn summary(line: &str) -> Value {
    serde_json::from_str(&done(&format!("{line} --json"), &[])).unwrap()
}

#[test]
fn who_thinks_more_wins_more() {
    for variant in ["chess", "olympic"] {
        for (more, less) in [
            ("greedy", "random"),
            ("search:depth=3", "search:depth=1"),
            ("mcts:sims=80", "mcts:sims=20"),
        ] {
            let line =
                format!("selfplay --variant {variant} --player {more} --player {less} --pairs 12");
            let share = &summary(&line)["meetings"][0];
            let least = share["share_interval"][0]
                .as_f64()
                .or(share["share"].as_f64())
                .unwrap();
            assert!(least > 0.5, "{line}: {share}");
        }
    }
}

#[test]
fn random_chess_ends_as_often_as_published() {
    let games = tries(3000);
    let ends = &summary(&format!(
        "selfplay --games {games} --player random --random-plies 0 --max-plies 50000"
    ))["terminations"];
    let games = games as f64;
    // F. Labelle, 29.28 * 10^9 games by the FIDE Laws, nothing claimed; see tests/random.rs.
    for (end, published) in [
        ("checkmate", 15.4633),
        ("stalemate", 6.5364),
        ("seventy-five-moves", 12.0118),
        ("dead-position", 65.9886),
    ] {
        let share = published / 100.0;
        let error = (games * share * (1.0 - share)).sqrt();
        let count = ends[end].as_f64().unwrap();
        assert!(
            (count - games * share).abs() < 4.0 * error,
            "{end}: {count}"
        );
    }
}
