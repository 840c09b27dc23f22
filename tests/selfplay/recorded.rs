//! Records that are written while a run is played (`--pgn`), and what is said meanwhile.

use super::{Room, done, report};
use crate::run::{overboard, printed};
use std::{fs, path::Path};

/// Every kind of game, with all that players say of their plies.
const RUNS: [&str; 11] = [
    "--variant chess --player search:depth=2",
    "--variant chess960 --player search:depth=1",
    "--variant olympic --player search:depth=2",
    "--variant crazyhouse --player search:depth=1",
    "--variant crazyhouse960 --player search:depth=1",
    "--variant bughouse --player mcts:sims=4 --max-plies 80",
    "--variant strategichess --player search:depth=1 --max-plies 80",
    "--variant strategichess --boards 3 --player mcts:sims=4 --max-plies 60",
    "--variant metachess --player search:depth=1 --max-plies 80",
    "--variant mega-chess --player mcts:sims=4 --max-plies 80",
    "--variant overchess --player mcts:sims=4 --max-plies 120",
];

fn without_date(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| !line.starts_with("[Date "));
    lines.collect()
}

fn clean(file: &Path) {
    let (text, exit) = printed(&overboard(&["check", "--quiet", file.to_str().unwrap()]));
    assert_eq!(exit, 0, "{text}");
}

#[test]
fn records_of_a_run_are_those_of_its_ledger() {
    for run in RUNS {
        let room = Room::new();
        let [ledger, records] = ["ledger", "games.pgn"].map(|name| room.file(name));
        let line = format!(
            "selfplay {run} --player greedy --pairs 2 --annotate score,depth,nodes,time --quiet --pgn"
        );
        done(
            &format!("{line} {} --ledger", records.display()),
            &[&ledger],
        );
        let grown = fs::read_to_string(&records).unwrap();
        let made = done("ledger --to npgn", &[&ledger]);
        assert_eq!(without_date(&grown), without_date(&made), "{run}");
        assert_eq!(grown.matches("[Event ").count(), 4, "{run}");
        assert!(grown.contains("s, n=") || grown.contains("s}"), "{grown}");
        assert!(!grown.contains("????.??.??"), "{grown}");
        clean(&records);
        // Comments change nothing in what is played.
        let plies = |file: &Path| {
            let rows = done("convert --to coord", &[file]);
            rows.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let [bare, silent] = ["bare.pgn", "silent"].map(|name| room.file(name));
        let line = format!("selfplay {run} --player greedy --pairs 2 --quiet --pgn");
        done(&format!("{line} {} --ledger", bare.display()), &[&silent]);
        assert_eq!(plies(&records), plies(&bare), "{run}");
    }
}

#[test]
fn records_of_a_killed_run_are_continued() {
    const RUN: &str = "selfplay --player random --games 6 --max-plies 40 --quiet --pgn";
    let room = Room::new();
    let [whole, parts, ledger, other] =
        ["whole.pgn", "parts.pgn", "ledger", "other"].map(|name| room.file(name));
    let play = |records: &Path, ledger: &Path| {
        let line = format!("{RUN} {} --ledger", records.display());
        report(&line, &[ledger])
    };
    assert_eq!(play(&whole, &ledger).2, 0);
    let expected = fs::read(&whole).unwrap();
    // Wherever the file was torn, and whether or not the ledger was behind.
    let games = fs::read(&ledger).unwrap();
    for kept in [0, 1, 3, 6] {
        for at in (0..expected.len()).step_by(expected.len() / 40) {
            let lines = games.split_inclusive(|byte| *byte == b'\n');
            let has_more = expected[..at]
                .windows(7)
                .filter(|start| start == b"[Event ")
                .count();
            if has_more.saturating_sub(1) > kept {
                continue;
            }
            fs::write(&other, lines.take(kept).collect::<Vec<_>>().concat()).unwrap();
            fs::write(&parts, &expected[..at]).unwrap();
            let (_, complaint, exit) = play(&parts, &other);
            assert_eq!(exit, 0, "{kept} {at}: {complaint}");
            assert!(fs::read(&parts).unwrap() == expected, "{kept} {at}");
        }
    }
}

#[test]
fn files_of_others_are_left_alone() {
    let room = Room::new();
    let [records, ledger] = ["games.pgn", "ledger"].map(|name| room.file(name));
    let line = format!(
        "selfplay --player random --games 2 --max-plies 40 --pgn {}",
        records.display()
    );
    for (text, why) in [
        ("1. e4 e5 *\n", "holds other records than those of this run"),
        (
            "[Event \"Cup\"]\n\n1. e4 *\n",
            "holds other records than those of this run",
        ),
    ] {
        fs::write(&records, text).unwrap();
        let (_, complaint, exit) = report(&format!("{line} --ledger"), &[&ledger]);
        assert_eq!(exit, 2, "{complaint}");
        assert!(complaint.contains(why), "{complaint}");
        assert_eq!(fs::read_to_string(&records).unwrap(), text);
        fs::remove_file(&records).unwrap();
    }
    done(&line, &[]);
    let written = fs::read(&records).unwrap();
    let (_, complaint, exit) = report(&line, &[]);
    assert_eq!(exit, 2, "{complaint}");
    assert!(complaint.contains("already exists"), "{complaint}");
    assert_eq!(fs::read(&records).unwrap(), written);
    // A new ledger does not know of its games.
    let (_, complaint, exit) = report(&format!("{line} --ledger"), &[&room.file("new")]);
    assert_eq!(exit, 2, "{complaint}");
    assert!(
        complaint.contains("more games of this run than the ledger"),
        "{complaint}"
    );
    assert_eq!(fs::read(&records).unwrap(), written);
}

#[test]
fn the_standing_is_said_as_often_as_asked() {
    let line =
        "selfplay --variant olympic --player greedy --player random --pairs 5 --sprt=0,10 -j 1";
    let (_, said, _) = report(&format!("{line} --report-every 4"), &[]);
    let standings: Vec<_> = said
        .lines()
        .filter(|line| line.contains(" of 10 games"))
        .collect();
    assert_eq!(standings.len(), 2, "{said}");
    for part in [
        "+",
        "Elo ",
        "nElo ",
        "LOS ",
        "pairs by points",
        "LLR ",
        " left",
    ] {
        assert!(standings[0].contains(part), "{part}: {said}");
    }
    let (_, said, _) = report(&format!("{line} --quiet"), &[]);
    assert!(!said.contains("games,"), "{said}");
    let (_, said, exit) = report(&format!("{line} --quiet --report-every 4"), &[]);
    assert_eq!(exit, 2, "{said}");
}
