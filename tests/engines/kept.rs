//! Matches that are killed: finished games are kept, nothing is lost or duplicated, and no engine is left
//! running.

use super::{engine, go_away, held, play, start};
use crate::{chance::Chance, depth::tries, run::overboard};
use std::{fs, thread, time::Duration};

#[test]
fn a_killed_match_continues_as_if_never_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let mark = format!("mark=killed-{}", std::process::id());
    let engines = || {
        let slow = |name: &str| engine(name, &format!("mode=none {mark}"), "nodes=5");
        [slow("One"), slow("Other")]
    };
    let words = |jobs| ["--pairs", "30", "--max-plies", "60", "-j", jobs];
    let whole = play(&words("2"), &engines(), &file("whole"));
    assert_eq!(whole.output.status.code(), Some(0), "{}", whole.text());
    let took = u64::try_from(whole.took.as_millis()).unwrap();
    let whole = fs::read(file("whole")).unwrap();
    let mut chance = Chance::seeded(7);
    let (mut kills, mut round) = (0, 0);
    while kills < tries(20) {
        let ledger = file(&format!("killed-{round}"));
        round += 1;
        for _ in 0..4 {
            // Nor does the number of simultaneous games make a difference.
            let jobs = chance.pick(&["1", "2", "4"]).unwrap();
            let mut run = start(&words(jobs), &engines(), &ledger);
            thread::sleep(Duration::from_millis(chance.below(took as usize) as u64));
            run.kill().unwrap();
            run.wait().unwrap();
            kills += 1;
        }
        let ran = play(&words("2"), &engines(), &ledger);
        assert_eq!(ran.output.status.code(), Some(0), "{}", ran.text());
        assert!(fs::read(&ledger).unwrap() == whole, "{}", ran.text());
    }
    assert!(go_away(&mark), "engines are left");
}

#[test]
fn a_planned_run_played_in_shards_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let engines = [
        engine("One", "mode=none", "nodes=5"),
        engine("Other", "mode=none", "nodes=6"),
    ];
    let words = ["--pairs", "6", "--max-plies", "40"];
    let whole = play(&words, &engines, &folder.path().join("whole"));
    assert_eq!(whole.games.len(), 12, "{}", whole.text());
    let run = |words: &[&str]| {
        let output = overboard(words);
        assert!(
            output.status.success(),
            "{words:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let plan = file("plan.json");
    let named = [
        "--engine",
        &engines[0],
        "--engine",
        &engines[1],
        "--shards",
        "2",
        &plan,
    ];
    run(&[&["plan"][..], &words, &named].concat());
    let allowed = "--allow-commands";
    run(&["run", &plan, "--shard", "0/2", allowed]);
    let other = ["run", &plan, "--shard", "1/2", "--affinity", "-j", "1"];
    run(&[&other[..], &[allowed]].concat());
    run(&[
        "merge",
        "--out",
        &file("merged"),
        &file("plan.0-of-2.jsonl"),
        &file("plan.1-of-2.jsonl"),
    ]);
    assert!(fs::read(file("merged")).unwrap() == fs::read(file("whole")).unwrap());
    let longer = play(
        &["--pairs", "8", "--max-plies", "40"],
        &engines,
        &folder.path().join("longer"),
    );
    assert_eq!(longer.games.len(), 16, "{}", longer.text());
    run(&["extend", &file("merged"), "--pairs", "2", allowed]);
    assert!(fs::read(file("merged")).unwrap() == fs::read(file("longer")).unwrap());
    let reported = run(&["ledger", &file("merged")]);
    assert!(reported.contains("One (Fault): no fault"), "{reported}");
    let stats = run(&["stats", &file("merged")]);
    assert!(stats.contains("One") && stats.contains("Other"), "{stats}");
}

#[test]
fn simultaneous_games_need_no_more_memory() {
    let folder = tempfile::tempdir().unwrap();
    let engines = [
        engine("One", "mode=none", "nodes=5"),
        engine("Other", "mode=none", "nodes=5"),
    ];
    let ran = play(
        &["--pairs", "16", "--max-plies", "20", "-j", "16"],
        &engines,
        &folder.path().join("ledger"),
    );
    assert_eq!(ran.games.len(), 32, "{}", ran.text());
    assert!(
        ran.memory > 0 && ran.memory < 32 << 10,
        "{} KiB",
        ran.memory
    );
    assert_eq!(held(0), 0);
}
