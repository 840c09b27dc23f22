//! Runs that stop early: because a test has decided, or on request.

use super::{Room, done, report, summary, words};
use crate::run::tool;
use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// A test that decides early.
const SOON: &str = "--variant olympic --player greedy --player random --pairs 300 --sprt 0,100";

/// The games of a ledger.
fn games(ledger: &Path) -> usize {
    fs::read_to_string(ledger)
        .unwrap_or_default()
        .lines()
        .count()
}

#[test]
fn a_run_ends_with_the_pair_that_decides_its_test() {
    let room = Room::new();
    let plain = SOON.replace(" --sprt 0,100", "");
    done(
        &format!("selfplay {plain} --ledger"),
        &[&room.file("plain")],
    );
    let whole = fs::read_to_string(room.file("plain")).unwrap();
    for jobs in ["1", "2", "5"] {
        let ledger = room.file(jobs);
        let text = done(&format!("selfplay {SOON} -j {jobs} --ledger"), &[&ledger]);
        let pairs = games(&ledger) / 2;
        assert!(
            games(&ledger).is_multiple_of(2) && (3..200).contains(&pairs),
            "{text}"
        );
        let words = format!("100 is accepted after {pairs} pairs, which ends the run\n");
        assert!(text.ends_with(&words), "{text}");
        for command in ["ledger", "stats"] {
            assert!(done(command, &[&ledger]).contains(&words), "{command}");
        }
        let test = &serde_json::from_str::<Value>(&done("stats --json", &[&ledger])).unwrap()["run_tests"]
            [0];
        assert_eq!(
            (&test["decision"], &test["units"]),
            (&"H1".into(), &pairs.into()),
            "{test}"
        );
        // With one pair fewer it is undecided.
        let short = room.file("short");
        let bytes = fs::read_to_string(&ledger).unwrap();
        let head: String = bytes.split_inclusive('\n').take(2 * pairs - 2).collect();
        fs::write(&short, head).unwrap();
        assert!(done("ledger", &[&short]).contains(&format!(", open after {} pairs\n", pairs - 1)));
        // It resumes to the same end, and does not go on after that.
        done(&format!("selfplay {SOON} -j {jobs} --ledger"), &[&short]);
        done(&format!("selfplay {SOON} -j {jobs} --ledger"), &[&ledger]);
        assert!(
            fs::read_to_string(&short).unwrap() == bytes
                && fs::read_to_string(&ledger).unwrap() == bytes
        );
        // The games are those of the run without a test.
        let moves = |text: &str| -> Vec<String> {
            let lines = text
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).unwrap());
            lines.map(|line| line["moves"].to_string()).collect()
        };
        assert_eq!(moves(&bytes)[..], moves(&whole)[..2 * pairs]);
    }
    assert!(fs::read(room.file("1")).unwrap() == fs::read(room.file("5")).unwrap());
    assert!(fs::read(room.file("1")).unwrap() == fs::read(room.file("2")).unwrap());
}

#[test]
fn shards_make_the_run_that_a_test_has_ended() {
    let room = Room::new();
    let (plan, later) = (room.file("plan.json"), room.file("later.json"));
    done(&format!("plan {SOON} --shards 20"), &[&plan]);
    done(
        &format!("plan {} --shards 20", SOON.replace(" --sprt 0,100", "")),
        &[&later],
    );
    let shards: Vec<_> = (0..3)
        .map(|index| room.file(&format!("plan.{index}-of-20.jsonl")))
        .collect();
    for (index, shard) in shards.iter().enumerate() {
        done(&format!("run --shard {index}/20"), &[&plan]);
        let of_run = room.file("of-run");
        done(
            &format!(
                "run --shard {index}/20 --sprt 0,100 --ledger {}",
                of_run.display()
            ),
            &[&later],
        );
        assert!(fs::read(&of_run).unwrap() == fs::read(shard).unwrap());
        fs::remove_file(of_run).unwrap();
    }
    let (_, said, exit) = report("run --shard 0/20 --sprt 0,50", &[&plan]);
    assert!(exit == 2 && said.contains("another test"), "{said}");
    let (single, merged) = (room.file("single"), room.file("merged"));
    let text = done(&format!("selfplay {SOON} --ledger"), &[&single]);
    let decided = text.lines().last().unwrap();
    let (text, said, exit) = report(
        &format!("merge --out {}", merged.display()),
        &[&shards[2], &shards[0], &shards[1]],
    );
    assert_eq!(exit, 0, "{text}{said}");
    assert!(
        text.contains(decided)
            && text.contains("left out, since a single run would have ended before"),
        "{text}"
    );
    assert!(fs::read(&merged).unwrap() == fs::read(&single).unwrap());
    assert!(done("stats", &[&shards[1], &shards[0], &shards[2]]).contains(decided));
    let (text, _, exit) = report(
        &format!("merge --out {}", room.file("none").display()),
        &[&shards[1]],
    );
    assert!(
        exit == 1 && text.contains("nothing is decided without the first pair of the run"),
        "{text}"
    );
}

#[test]
fn a_test_is_of_one_player_against_another() {
    let room = Room::new();
    for (line, why) in [
        (
            "selfplay --player random --pairs 2 --sprt 0,5",
            "`random` plays against itself",
        ),
        (
            "selfplay --player random --player greedy --pairs 2 --sprt 5,0",
            "must be less than the second",
        ),
        (
            "selfplay --player random --player greedy --pairs 2 --sprt 5",
            "expected two numbers",
        ),
        (
            "selfplay --player random --player greedy --player search:depth=1 --pairs 2 --sprt 0,5",
            "give two",
        ),
        (
            "selfplay --player random --player greedy --schedule gauntlet --pairs 2 --sprt 0,5",
            "give two",
        ),
    ] {
        let (_, said, exit) = report(line, &[]);
        assert!(exit == 2 && said.contains(why), "{line}: {said}");
    }
    let ledger = room.file("ledger");
    done(
        "selfplay --variant olympic --player random --pairs 2 --ledger",
        &[&ledger],
    );
    let (_, said, exit) = report("stats --sprt 0,5", &[&ledger]);
    assert!(
        exit == 2 && said.contains("`random` plays against itself"),
        "{said}"
    );
    let plan = room.file("plan.json");
    done("plan --variant olympic --player random --pairs 2", &[&plan]);
    assert_eq!(report("run --sprt 0,5", &[&plan]).2, 2);
    let open =
        summary("selfplay --variant olympic --player random --player greedy --games 9 --sprt 0,1")
            ["sprt"]
            .clone();
    assert_eq!(
        (&open["decision"], &open["unit"], &open["units"]),
        (&"open".into(), &"game".into(), &9.into())
    );
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

/// Starts a run whose messages can be read.
fn listen(line: &str, ledger: &Path, least: usize) -> Child {
    let mut command = tool();
    command
        .args(words(line, &[ledger]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let begun = Instant::now();
    while games(ledger) < least || !ledger.exists() {
        assert!(begun.elapsed() < Duration::from_secs(300), "{line}");
        sleep(Duration::from_millis(5));
    }
    child
}

/// The output and messages of a stopped run, whose last line is the command that resumes it.
fn stopped(output: &Output) -> (String, String) {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}{said}");
    let last = text
        .lines()
        .last()
        .unwrap()
        .strip_prefix("to resume: ")
        .unwrap()
        .to_string();
    assert!(
        text.starts_with("run ") && text.contains("stopped by a signal after "),
        "{text}"
    );
    (text, last)
}

#[cfg(unix)]
#[test]
fn a_signal_lets_games_end_and_says_how_to_go_on() {
    let room = Room::new();
    let whole = room.file("whole");
    let line =
        "selfplay --variant olympic --player random --player greedy --pairs 1500 -j 2 --ledger";
    done(line, &[&whole]);
    for name in ["INT", "TERM"] {
        let ledger = room.file(&format!("it's {name}"));
        let run = listen_quoted(line, &ledger);
        signal(&run, name);
        let output = run.wait_with_output().unwrap();
        let (text, last) = stopped(&output);
        assert!(text.contains("; no game was cut short"), "{text}");
        let begun = fs::read(&ledger).unwrap();
        assert!(fs::read(&whole).unwrap().starts_with(&begun) && begun.ends_with(b"\n"));
        let again = Command::new("sh").args(["-c", &last]).output().unwrap();
        assert!(again.status.success(), "{last}");
        assert!(fs::read(&whole).unwrap() == fs::read(&ledger).unwrap());
    }
}

/// [`listen`] for a ledger with a space in its name.
fn listen_quoted(line: &str, ledger: &Path) -> Child {
    let mut command = tool();
    command
        .args(line.split(' '))
        .arg(ledger)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while games(ledger) < 10 {
        sleep(Duration::from_millis(2));
    }
    child
}

#[cfg(unix)]
#[test]
fn a_second_signal_gives_up_the_games_under_way() {
    let room = Room::new();
    let ledger = room.file("ledger");
    let line =
        "selfplay --variant strategichess --boards 64 --player greedy --games 3 -j 2 --ledger";
    let run = listen(line, &ledger, 0);
    sleep(Duration::from_millis(500));
    signal(&run, "INT");
    sleep(Duration::from_millis(500));
    signal(&run, "TERM");
    let output = run.wait_with_output().unwrap();
    let (text, last) = stopped(&output);
    assert!(
        text.contains("after 0 of 3 games; 2 games in progress were cut short"),
        "{text}"
    );
    assert!(last.ends_with(ledger.to_str().unwrap()), "{last}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("ten seconds to finish") && said.contains("are cut short"),
        "{said}"
    );
}

/// Running a plan and extending a ledger stop as `selfplay` does, and can be resumed to the same end.
#[cfg(unix)]
#[test]
fn a_signal_stops_plans_and_longer_runs_too() {
    let room = Room::new();
    let line = "--variant olympic --player random --player greedy";
    let (plan, ledger) = (room.file("plan.json"), room.file("plan.0-of-1.jsonl"));
    done(&format!("plan {line} --pairs 1500"), &[&plan]);
    let whole = room.file("whole");
    done(&format!("run -j 2 --ledger {}", whole.display()), &[&plan]);
    let short = room.file("short");
    done(&format!("selfplay {line} --pairs 10 --ledger"), &[&short]);
    let grown = room.file("grown");
    fs::copy(&short, &grown).unwrap();
    done("extend -j 2 --pairs 1500", &[&grown]);
    for name in ["INT", "TERM"] {
        let _ = fs::remove_file(&ledger);
        let mut run = tool();
        run.args(words(
            &format!("run -j 2 --ledger {}", ledger.display()),
            &[&plan],
        ));
        stop_and_go_on(run, name, &ledger, &whole, 10);
        let longer = room.file(&format!("longer-{name}"));
        fs::copy(&short, &longer).unwrap();
        let mut extend = tool();
        extend.args(words("extend -j 2 --pairs 1500", &[&longer]));
        stop_and_go_on(extend, name, &longer, &grown, 40);
    }
}

/// Sends a signal to a run once its ledger has this many games, and completes it with the command that it prints.
#[cfg(unix)]
fn stop_and_go_on(mut command: Command, name: &str, ledger: &Path, whole: &Path, least: usize) {
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while games(ledger) < least {
        assert!(begun.elapsed() < Duration::from_secs(300), "{command:?}");
        sleep(Duration::from_millis(2));
    }
    signal(&child, name);
    let (text, last) = stopped(&child.wait_with_output().unwrap());
    assert!(text.contains("no game was cut short"), "{text}");
    let again = Command::new("sh").args(["-c", &last]).output().unwrap();
    assert!(
        again.status.success(),
        "{last}: {}",
        String::from_utf8_lossy(&again.stderr)
    );
    assert!(
        fs::read(whole).unwrap() == fs::read(ledger).unwrap(),
        "{last}"
    );
}

/// Waiting games are neither read nor written through a link, wherever it leads.
#[cfg(unix)]
#[test]
fn a_link_beside_a_ledger_is_not_followed() {
    let room = Room::new();
    let (ledger, elsewhere) = (room.file("ledger"), room.file("elsewhere"));
    let line = "selfplay --variant olympic --player random --pairs 4 -j 2 --ledger";
    for held in [None, Some("kept as it is")] {
        let _ = fs::remove_file(&elsewhere);
        held.iter()
            .for_each(|text| fs::write(&elsewhere, text).unwrap());
        std::os::unix::fs::symlink(&elsewhere, room.file("ledger.ahead")).unwrap();
        let (_, said, exit) = report(line, &[&ledger]);
        assert!(
            exit == 2 && said.contains("ledger.ahead is a link"),
            "{said}"
        );
        assert_eq!(fs::read_to_string(&elsewhere).ok().as_deref(), held);
        fs::remove_file(room.file("ledger.ahead")).unwrap();
    }
    done(line, &[&ledger]);
}
