//! What stands in the way: pipes in place of files, names too long for a file, what killed commands left behind.
#![cfg(unix)]

use crate::event_folder::EventFolder;
use crate::run::tool;
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// How long a command may take that has nothing to wait for.
const PATIENCE: Duration = Duration::from_secs(60);

/// An event with a round.
fn cup() -> EventFolder {
    let event = EventFolder::new();
    event.done(&[
        "pair", "generate", "@", "--teams", "4", "--rounds", "3", "--boards", "2", "--seed", "1",
    ]);
    event
}

/// Runs a command that must end, however it does.
fn ends(line: &[&str]) {
    let mut command: Command = tool();
    command.args(line);
    let silent = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = silent.spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{line:?} waits for ever");
        }
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_pipe_in_place_of_a_file_of_an_event_is_not_waited_for() {
    for file in [
        "log/last.json",
        "log/changes.jsonl",
        "log/pending",
        "rounds/01.csv",
        "event.toml",
    ] {
        let event = cup();
        let path = Path::new(&event.event).join(file);
        if path.exists() {
            fs::remove_file(&path).unwrap();
        }
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let (site, pack) = (event.beside("site"), event.beside("cup.json"));
        let folder = event.event.as_str();
        for line in [
            &["event", "check", folder][..],
            &["event", "log", folder],
            &["standings", folder],
            &["event", "publish", folder, &site],
            &["event", "pack", folder, "--out", &pack],
            &["event", "set", folder, "name", "Cup"],
            &["event", "repair", folder],
            &["pair", "next", folder],
        ] {
            ends(line);
        }
    }
}

#[test]
fn what_a_killed_unpack_left_is_removed_by_the_next() {
    let event = cup();
    let (pack, again) = (event.beside("cup.json"), event.beside("again"));
    event.done(&["event", "pack", "@", "--out", &pack]);
    let left = event.beside(".tmpaB3xY9.event");
    fs::create_dir_all(Path::new(&left).join("rounds")).unwrap();
    let other = event.beside(".tmp-mine.event");
    fs::create_dir_all(&other).unwrap();
    event.done(&["event", "unpack", &again, &pack]);
    assert!(!Path::new(&left).exists());
    assert!(Path::new(&other).exists(), "this is nobody's draft");
}

/// An engine that makes an illegal move.
const ENGINE: &str = "\
while read -r line; do
    case $line in
        uci) echo 'id name Bad'; echo uciok ;;
        isready) echo readyok ;;
        go*) echo 'bestmove e8e9' ;;
        quit) exit ;;
    esac
done
";

/// The first fault of an engine is kept in a file, however long the name of the engine is.
#[test]
fn an_engine_with_a_long_name_has_a_file_of_its_fault() {
    let folder = tempfile::tempdir().unwrap();
    let name = "N".repeat(300);
    fs::write(folder.path().join("engine.sh"), ENGINE).unwrap();
    let engine = format!("name={name} cmd='sh engine.sh' st=5");
    let mut command = tool();
    command.current_dir(folder.path()).args([
        "match", "--engine", &engine, "--player", "random", "--pairs", "1", "--ledger", "a.jsonl",
    ]);
    command.output().unwrap();
    let names = fs::read_dir(folder.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let faults = names.filter(|name| name.ends_with(".fault.txt"));
    assert_eq!(faults.count(), 1);
}
