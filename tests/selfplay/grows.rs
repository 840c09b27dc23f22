//! Runs that are extended end with the same bytes as runs that were as long from the start.

use super::{Room, done, kill_while_games_wait, report, slow_first};
use std::fs;

#[test]
fn a_longer_run_is_one_that_was_planned_so() {
    let room = Room::new();
    let positions = room.file("positions");
    fs::write(
        &positions,
        "4k/5/5/P4/K3R[] b - - 0 7\nrbsgk/4p/5/P4/KGSBR[] w - - 0 1\n",
    )
    .unwrap();
    for (name, what, unit) in [
        (
            "pairs",
            "--variant olympic --player greedy --player random".to_string(),
            "pairs",
        ),
        (
            "many",
            "--player greedy --player random --player search:depth=1 --max-plies 60".into(),
            "pairs",
        ),
        (
            "alone",
            "--variant strategichess --boards 2 --player random --max-plies 200".into(),
            "games",
        ),
        (
            "listed",
            format!(
                "--variant olympic --player random --openings {}",
                positions.display()
            ),
            "games",
        ),
        (
            "tested",
            "--variant olympic --player random --player greedy --sprt=-5,5".into(),
            "pairs",
        ),
    ] {
        let (long, grown) = (room.file(&format!("{name}-long")), room.file(name));
        done(&format!("selfplay {what} --{unit} 7 --ledger"), &[&long]);
        done(&format!("selfplay {what} --{unit} 3 --ledger"), &[&grown]);
        done(&format!("extend --{unit} 2"), &[&grown]);
        let text = done(&format!("extend --{unit} 2"), &[&grown]);
        assert!(
            fs::read(&grown).unwrap() == fs::read(&long).unwrap(),
            "{name}: {text}"
        );
        // Nothing is left to do.
        done("extend", &[&grown]);
        assert!(
            fs::read(&grown).unwrap() == fs::read(&long).unwrap(),
            "{name}"
        );
        // The extended run is the one that is resumed.
        done(&format!("selfplay {what} --{unit} 7 --ledger"), &[&grown]);
        assert_eq!(
            report(&format!("selfplay {what} --{unit} 3 --ledger"), &[&grown]).2,
            2
        );
    }
}

#[test]
fn games_that_wait_stay_when_their_run_grows() {
    let room = Room::new();
    let (long, grown) = (room.file("long"), room.file("grown"));
    let ahead = room.file("grown.ahead");
    kill_while_games_wait(&slow_first(1), &grown);
    let (_, said, exit) = report("extend --games 1", &[&grown]);
    // At least three wait; more if the machine is slow.
    assert!(
        exit == 0 && (said.contains(" later games are finished") || !said.contains("0 of 12")),
        "{said}"
    );
    done(&slow_first(2), &[&long]);
    assert!(fs::read(&grown).unwrap() == fs::read(&long).unwrap() && !ahead.exists());
}

#[test]
fn what_cannot_grow_says_why() {
    let room = Room::new();
    let (plan, ledger) = (room.file("plan.json"), room.file("ledger"));
    done(
        "plan --variant olympic --player random --games 8 --shards 2",
        &[&plan],
    );
    done("run --shard 1/2", &[&plan]);
    let shard = room.file("plan.1-of-2.jsonl");
    let (_, said, exit) = report("extend --games 2", &[&shard]);
    assert!(
        exit == 2 && said.contains("this is shard 1/2 of its run") && said.contains("merge"),
        "{said}"
    );
    done("extend", &[&shard]);
    done(
        "selfplay --variant olympic --player random --games 2 --ledger",
        &[&ledger],
    );
    let before = fs::read(&ledger).unwrap();
    let (_, said, exit) = report("extend --pairs 2", &[&ledger]);
    assert!(
        exit == 2 && said.contains("use --games N instead of --pairs N"),
        "{said}"
    );
    let mut damaged = before.clone();
    let at = damaged.len() - 40;
    damaged[at] ^= 1;
    fs::write(&ledger, &damaged).unwrap();
    let (_, said, exit) = report("extend --games 2", &[&ledger]);
    assert!(
        exit == 2 && said.contains("line 2") && fs::read(&ledger).unwrap() == damaged,
        "{said}"
    );
}
