//! Results that are corrected after later rounds were paired: those rounds are held against what they were paired from.

use crate::{
    chance::Chance,
    hall::Hall,
    run::{overboard, told},
};
use std::{fs, path::Path};

/// A Swiss of so many teams of two boards.
fn swiss(teams: u32, rounds: &str) -> Hall {
    let hall = Hall::new();
    hall.done(&["event", "new", "@", "--system", "swiss-team", "--rounds", rounds, "--boards", "2"]);
    for team in 1..=teams {
        hall.done(&[
            "event",
            "enter",
            "@",
            &format!("Club {team}"),
            "--players",
            &format!("Ann {team};Bob {team}"),
        ]);
    }
    hall
}

/// Results by chance for all boards of a round.
fn play(hall: &Hall, round: u32, chance: &mut Chance) {
    let file = hall.beside("results.csv");
    let tables = hall.event().rounds[round as usize - 1].matches.len();
    let row = |(table, board): (usize, u32)| {
        let result = ["1-0", "0-1", "1/2-1/2"][chance.below(3)];
        format!("{table},{board},{result}\n")
    };
    let boards = (1..=tables).flat_map(|table| [(table, 1), (table, 2)]);
    let rows: String = boards.map(row).collect();
    fs::write(&file, format!("table,board,result\n{rows}")).unwrap();
    hall.done(&["result", "@", &round.to_string(), "--csv", &file]);
}

fn explained(hall: &Hall, round: u32) -> String {
    hall.done(&["pair", "explain", "@", "--round", &round.to_string()])
}

/// Takes away what the rounds have kept.
fn forget(hall: &Hall) {
    for entry in fs::read_dir(Path::new(&hall.event).join("rounds")).unwrap().flatten() {
        if entry.file_name().to_string_lossy().ends_with(".from.json") {
            fs::remove_file(entry.path()).unwrap();
        }
    }
}

/// Whatever is corrected, entered or withdrawn later: the rounds stay right, for the reasons they had. Of older events the log
/// knows; without it nobody does.
#[test]
fn rounds_are_held_against_what_they_were_paired_from() {
    for seed in 1..7 {
        let mut chance = Chance::seeded(seed);
        let hall = swiss(7 + u32::try_from(chance.below(4)).unwrap(), "5");
        let mut reasons = Vec::new();
        for round in 1..=4 {
            hall.done(&["pair", "next", "@"]);
            reasons.push(explained(&hall, round));
            play(&hall, round, &mut chance);
            if round == 2 {
                hall.done(&["event", "enter", "@", "Latecomer", "--players", "Lou;Max", "--round", "4"]);
                hall.done(&["event", "request", "@", "forbid", "1", "--other", "3"]);
            }
        }
        // Every result of the first three rounds becomes another one.
        for round in 1..=3_u32 {
            for table in 1..=hall.event().rounds[round as usize - 1].matches.len() {
                let (round, table) = (round.to_string(), table.to_string());
                let result = ["1-0", "0-1", "1/2-1/2"][chance.below(3)];
                hall.done(&["result", "@", &round, &table, result, "--board", "1", "--correct"]);
            }
        }
        hall.done(&["event", "request", "@", "withdraw", "2"]);
        for kept in [true, false] {
            let (said, code) = told(&hall.run(&["event", "check", "@"]));
            assert_eq!(code, 0, "seed {seed}, kept {kept}: {said}");
            assert!(said.contains("note: round 2 was paired when round 1, table "), "{said}");
            assert_eq!(told(&hall.run(&["pair", "check", "@"])).1, 0);
            for (round, reason) in (1..).zip(&reasons) {
                assert_eq!(&explained(&hall, round), reason, "seed {seed}, round {round}, kept {kept}");
            }
            forget(&hall);
        }
        // What the log does not have either is not known, and not wrong; who meets twice does so whatever the results were.
        fs::remove_dir_all(Path::new(&hall.event).join("log")).unwrap();
        let (said, code) = told(&hall.run(&["pair", "check", "@"]));
        assert_eq!(code, 0, "seed {seed}: {said}");
        let warned = String::from_utf8(hall.run(&["pair", "explain", "@", "--round", "4"]).stderr).unwrap();
        assert!(warned.contains("the data from which round 4 was paired are lost"), "{warned}");
        let (file, first) = (Path::new(&hall.event).join("rounds/02.csv"), hall.read("rounds/01.csv"));
        fs::write(file, first).unwrap();
        let (said, code) = told(&hall.run(&["pair", "check", "@"]));
        assert!(code == 1 && said.contains("round 2: ") && said.contains("[C1]"), "seed {seed}: {said}");
    }
}

/// A correction says what stands on the old result.
#[test]
fn a_correction_says_what_stands_on_it() {
    let hall = swiss(6, "4");
    let mut chance = Chance::seeded(3);
    for round in 1..=2 {
        hall.done(&["pair", "next", "@"]);
        play(&hall, round, &mut chance);
    }
    hall.done(&["pair", "next", "@"]);
    let other = |round: usize| {
        let old = hall.event().rounds[round].matches[0].boards[0].result;
        if old == Some("1-0".parse().unwrap()) { "0-1" } else { "1-0" }
    };
    let said = hall.done(&["result", "@", "1", "1", other(0), "--board", "1", "--correct"]);
    assert!(said.contains("rounds 2 to 3 were paired from the old result and stand"), "{said}");
    assert!(said.contains("round 3 has no result yet") && said.contains("event cancel"), "{said}");
    play(&hall, 3, &mut chance);
    let said = hall.json(&["result", "@", "2", "1", other(1), "--board", "1", "--correct", "--json"]);
    assert_eq!(said["notes"].as_array().unwrap().len(), 1, "{said}");
    assert!(hall.refused(&["event", "cancel", "@", "3"], 2).contains("--discard-results"));
    hall.done(&["event", "cancel", "@", "3", "--discard-results"]);
    assert_eq!(hall.event().rounds.len(), 2);
    assert!(!Path::new(&hall.event).join("rounds/03.from.json").exists());
    hall.done(&["pair", "next", "@"]);
    let (said, code) = told(&hall.run(&["event", "check", "@"]));
    assert!(code == 0 && !said.contains("round 3 was paired when"), "{said}");
    hall.done(&["event", "undo", "@"]);
    hall.done(&["event", "undo", "@"]);
    assert_eq!(hall.event().rounds.len(), 3);
}

/// In a knockout the wrong one may be in the next round; the way out is named, and works.
#[test]
fn a_knockout_with_a_correction_goes_on() {
    let hall = Hall::new();
    hall.done(&["event", "new", "@", "--of", "players", "--system", "knockout"]);
    for name in ["Ann", "Bob", "Cy", "Di"] {
        hall.done(&["event", "enter", "@", name]);
    }
    hall.done(&["pair", "next", "@"]);
    hall.done(&["result", "@", "1", "1", "1-0"]);
    hall.done(&["result", "@", "1", "2", "1-0"]);
    hall.done(&["pair", "next", "@"]);
    let said = hall.done(&["result", "@", "1", "1", "0-1", "--correct"]);
    assert!(said.contains("by this result Di goes on, but Ann stands in round 2, table 1"), "{said}");
    assert!(said.contains("event cancel"), "{said}");
    // As it stands nothing is wrong, and the final counts for those who were paired.
    assert_eq!(told(&hall.run(&["event", "check", "@"])).1, 0);
    hall.done(&["event", "cancel", "@", "2"]);
    assert!(hall.done(&["pair", "next", "@"]).contains("Di"));
    assert_eq!(hall.done(&["event", "check", "@"]), "no errors found\n");
}

/// Events whose names no command takes any more are read, with a note.
#[test]
fn names_of_older_events_are_read() {
    let hall = Hall::new();
    hall.done(&["event", "new", "@", "--of", "players"]);
    let text = "id,name\n1,\"Ann\nBell\"\n2,\u{3164}\n3,Bob\u{7}\n4,Cy\n";
    fs::write(Path::new(&hall.event).join("players.csv"), text).unwrap();
    let (said, code) = told(&hall.run(&["event", "check", "@"]));
    assert_eq!(code, 0, "{said}");
    assert_eq!(said.matches("note").count(), 3, "{said}");
    hall.done(&["pair", "next", "@"]);
    hall.done(&["result", "@", "1", "1", "1-0"]);
    assert!(hall.done(&["standings", "@"]).contains("Cy"));
    // Heads of records stay in their lines.
    let heads = hall.beside("heads.npgn");
    fs::write(&heads, hall.done(&["event", "cards", "@", "--npgn"])).unwrap();
    let (said, _) = told(&overboard(&["check", &heads]));
    assert!(said.contains("0 unreadable"), "{said}");
}
