//! Results corrected after later rounds were paired: those rounds are checked against the results they were paired
//! from.

use crate::{
    chance::Chance,
    event_folder::EventFolder,
    run::{overboard, printed},
};
use std::{fs, path::Path};

/// A Swiss event with this number of teams of two boards.
fn swiss(teams: u32, rounds: &str) -> EventFolder {
    let event = EventFolder::with(&[
        "--system",
        "swiss-team",
        "--rounds",
        rounds,
        "--boards",
        "2",
    ]);
    for team in 1..=teams {
        event.done(&[
            "event",
            "enter",
            "@",
            &format!("Club {team}"),
            "--players",
            &format!("Ann {team};Bob {team}"),
        ]);
    }
    event
}

/// Enters random results for all boards of a round.
fn play(event: &EventFolder, round: u32, chance: &mut Chance) {
    let file = event.beside("results.csv");
    let tables = event.event().rounds[round as usize - 1].matches.len();
    let row = |(table, board): (usize, u32)| {
        let result = ["1-0", "0-1", "1/2-1/2"][chance.below(3)];
        format!("{table},{board},{result}\n")
    };
    let boards = (1..=tables).flat_map(|table| [(table, 1), (table, 2)]);
    let rows: String = boards.map(row).collect();
    fs::write(&file, format!("table,board,result\n{rows}")).unwrap();
    event.done(&["result", "@", &round.to_string(), "--csv", &file]);
}

fn explained(event: &EventFolder, round: u32) -> String {
    event.done(&["pair", "explain", "@", "--round", &round.to_string()])
}

/// Deletes what the rounds recorded about their pairing.
fn forget(event: &EventFolder) {
    for entry in fs::read_dir(Path::new(&event.event).join("rounds"))
        .unwrap()
        .flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".from.json") {
            event.edited(&format!("rounds/{name}"), None);
        }
    }
}

/// Whatever is corrected, entered or withdrawn later, the rounds stay correct, for the reasons they had at the time. In
/// older events these are in the log; without a log they are unknown.
#[test]
fn rounds_are_held_against_what_they_were_paired_from() {
    for seed in 1..7 {
        let mut chance = Chance::seeded(seed);
        let event = swiss(7 + u32::try_from(chance.below(4)).unwrap(), "5");
        let mut reasons = Vec::new();
        for round in 1..=4 {
            event.done(&["pair", "next", "@"]);
            reasons.push(explained(&event, round));
            play(&event, round, &mut chance);
            if round == 2 {
                event.done(&[
                    "event",
                    "enter",
                    "@",
                    "Latecomer",
                    "--players",
                    "Lou;Max",
                    "--round",
                    "4",
                ]);
                event.done(&["event", "request", "@", "forbid", "1", "--other", "3"]);
            }
        }
        // Every result of the first three rounds is changed.
        for round in 1..=3_u32 {
            for table in 1..=event.event().rounds[round as usize - 1].matches.len() {
                let (round, table) = (round.to_string(), table.to_string());
                let result = ["1-0", "0-1", "1/2-1/2"][chance.below(3)];
                event.done(&[
                    "result",
                    "@",
                    &round,
                    &table,
                    result,
                    "--board",
                    "1",
                    "--correct",
                ]);
            }
        }
        event.done(&["event", "request", "@", "withdraw", "2"]);
        for kept in [true, false] {
            let (said, code) = printed(&event.run(&["event", "check", "@"]));
            assert_eq!(code, 0, "seed {seed}, kept {kept}: {said}");
            assert!(
                said.contains("note: round 2 was paired when round 1, table "),
                "{said}"
            );
            assert_eq!(printed(&event.run(&["pair", "check", "@"])).1, 0);
            for (round, reason) in (1..).zip(&reasons) {
                assert_eq!(
                    &explained(&event, round),
                    reason,
                    "seed {seed}, round {round}, kept {kept}"
                );
            }
            forget(&event);
        }
        // What is not in the log either is unknown, not wrong; but a repeated meeting does not depend on results.
        fs::remove_dir_all(Path::new(&event.event).join("log")).unwrap();
        let (said, code) = printed(&event.run(&["pair", "check", "@"]));
        assert_eq!(code, 0, "seed {seed}: {said}");
        let warned =
            String::from_utf8(event.run(&["pair", "explain", "@", "--round", "4"]).stderr).unwrap();
        assert!(
            warned.contains("the data from which round 4 was paired are lost"),
            "{warned}"
        );
        let (file, first) = (
            Path::new(&event.event).join("rounds/02.csv"),
            event.read("rounds/01.csv"),
        );
        fs::write(file, first).unwrap();
        let (said, code) = printed(&event.run(&["pair", "check", "@"]));
        assert!(
            code == 1 && said.contains("round 2: ") && said.contains("[C1]"),
            "seed {seed}: {said}"
        );
    }
}

/// A correction reports what depends on the old result.
#[test]
fn a_correction_says_what_stands_on_it() {
    let event = swiss(6, "4");
    let mut chance = Chance::seeded(3);
    for round in 1..=2 {
        event.done(&["pair", "next", "@"]);
        play(&event, round, &mut chance);
    }
    event.done(&["pair", "next", "@"]);
    let other = |round: usize| {
        let old = event.event().rounds[round].matches[0].boards[0].result;
        if old == Some("1-0".parse().unwrap()) {
            "0-1"
        } else {
            "1-0"
        }
    };
    let said = event.done(&[
        "result",
        "@",
        "1",
        "1",
        other(0),
        "--board",
        "1",
        "--correct",
    ]);
    assert!(
        said.contains("rounds 2 to 3 were paired from the old result and stay as paired"),
        "{said}"
    );
    assert!(
        said.contains("round 3 has no result yet") && said.contains("event cancel"),
        "{said}"
    );
    play(&event, 3, &mut chance);
    let said = event.json(&[
        "result",
        "@",
        "2",
        "1",
        other(1),
        "--board",
        "1",
        "--correct",
        "--json",
    ]);
    assert_eq!(said["notes"].as_array().unwrap().len(), 1, "{said}");
    assert!(
        event
            .refused(&["event", "cancel", "@", "3"], 2)
            .contains("--discard-results")
    );
    event.done(&["event", "cancel", "@", "3", "--discard-results"]);
    assert_eq!(event.event().rounds.len(), 2);
    assert!(!Path::new(&event.event).join("rounds/03.from.json").exists());
    event.done(&["pair", "next", "@"]);
    let (said, code) = printed(&event.run(&["event", "check", "@"]));
    assert!(
        code == 0 && !said.contains("round 3 was paired when"),
        "{said}"
    );
    event.done(&["event", "undo", "@"]);
    event.done(&["event", "undo", "@"]);
    assert_eq!(event.event().rounds.len(), 3);
}

/// In a knockout the wrong team may be in the next round; the message says what to do, and doing that works.
#[test]
fn a_knockout_with_a_correction_goes_on() {
    let event = EventFolder::with(&["--of", "players", "--system", "knockout"]);
    for name in ["Ann", "Bob", "Cy", "Di"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["pair", "next", "@"]);
    event.done(&["result", "@", "1", "1", "1-0"]);
    event.done(&["result", "@", "1", "2", "1-0"]);
    event.done(&["pair", "next", "@"]);
    let said = event.done(&["result", "@", "1", "1", "0-1", "--correct"]);
    assert!(
        said.contains("by this result Di advances, but Ann is paired in round 2, table 1"),
        "{said}"
    );
    assert!(said.contains("event cancel"), "{said}");
    // As it stands nothing is wrong, and the final counts for the teams that were paired.
    assert_eq!(printed(&event.run(&["event", "check", "@"])).1, 0);
    event.done(&["event", "cancel", "@", "2"]);
    assert!(event.done(&["pair", "next", "@"]).contains("Di"));
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
}

/// Events with names that no command accepts any more are still read, with a note.
#[test]
fn names_of_older_events_are_read() {
    let event = EventFolder::with(&["--of", "players"]);
    let text = "id,name\n1,\"Ann\nBell\"\n2,\u{3164}\n3,Bob\u{7}\n4,Cy\n";
    event.edited("players.csv", Some(text));
    let (said, code) = printed(&event.run(&["event", "check", "@"]));
    assert_eq!(code, 0, "{said}");
    assert_eq!(said.matches("note").count(), 3, "{said}");
    event.done(&["pair", "next", "@"]);
    event.done(&["result", "@", "1", "1", "1-0"]);
    assert!(event.done(&["standings", "@"]).contains("Cy"));
    // Tags of records stay on their lines.
    let heads = event.beside("heads.npgn");
    fs::write(&heads, event.done(&["event", "cards", "@", "--npgn"])).unwrap();
    let (said, _) = printed(&overboard(&["check", &heads]));
    assert!(said.contains("0 unreadable"), "{said}");
}
