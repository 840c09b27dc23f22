//! A Swiss event of StrategiChess from the first team to the final standings, with the commands that an organiser uses.

use crate::{
    chance::Chance,
    depth::tries,
    run::{self, printed},
};
use serde_json::Value;
use std::path::Path;

fn overboard(args: &[&str]) -> (String, i32) {
    printed(&run::overboard(args))
}

/// Runs a command, which must succeed; returns its output.
fn done(args: &[&str]) -> String {
    let (reported, exit) = overboard(args);
    assert_eq!(exit, 0, "{args:?}: {reported}");
    reported
}

/// Creates an event of twelve teams of three; returns its folder.
fn twelve_teams(folder: &Path) -> String {
    let cup = folder.join("cup").to_str().unwrap().to_owned();
    let system = ["--system", "swiss-team", "--rounds", "5"];
    done(
        &[
            &[
                "event",
                "new",
                &cup,
                "--game",
                "strategichess",
                "--boards",
                "3",
            ],
            &system[..],
        ]
        .concat(),
    );
    for team in 1..=12 {
        let players = format!("Ann {team};Bob {team};Cy {team}");
        done(&[
            "event",
            "enter",
            &cup,
            &format!("Club {team}"),
            "--players",
            &players,
        ]);
    }
    cup
}

/// Pairs and plays a round: in each match either one side keeps at least one king more, or both keep the same number.
fn play_round(chance: &mut Chance, cup: &str, round: &str) {
    done(&["pair", "next", cup]);
    assert!(done(&["pair", "explain", cup]).contains("Round "));
    for table in ["1", "2", "3", "4", "5", "6"] {
        let results = [("1-0", "2-0"), ("0-1", "1-2"), ("1/2-1/2", "1-1")];
        let (result, kings) = chance.pick(&results).unwrap();
        done(&["result", cup, round, table, result, "--score", kings]);
    }
}

#[test]
fn a_swiss_event_of_twelve_teams_is_played_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let cup = twelve_teams(folder.path());
    let mut chance = Chance::seeded(5);
    for round in ["1", "2", "3", "4", "5"] {
        play_round(&mut chance, &cup, round);
    }
    assert_eq!(overboard(&["pair", "next", &cup]).1, 2);
    done(&["pair", "check", &cup]);
    let round: Value =
        serde_json::from_str(&done(&["pair", "show", &cup, "--round", "1", "--json"])).unwrap();
    let pairs: Vec<_> = round["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| (&game["white"], &game["black"]))
        .collect();
    let first: Vec<(Value, Value)> = [(1, 7), (8, 2), (3, 9), (10, 4), (5, 11), (12, 6)]
        .map(|(white, black)| (white.into(), black.into()))
        .into();
    assert_eq!(
        pairs,
        first
            .iter()
            .map(|(white, black)| (white, black))
            .collect::<Vec<_>>()
    );
    assert!(done(&["standings", &cup]).starts_with("Final standings"));
    let report = done(&["event", "export", &cup]);
    assert!(
        report.lines().any(|line| line.starts_with("192 FIDE_TEAM")),
        "{report}"
    );
    assert_eq!(
        report
            .lines()
            .filter(|line| line.starts_with("310"))
            .count(),
        12,
        "{report}"
    );
}

#[test]
fn a_round_changed_by_hand_is_found_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let cup = twelve_teams(folder.path());
    done(&["pair", "next", &cup]);
    let file = Path::new(&cup).join("rounds/01.csv");
    let text = std::fs::read_to_string(&file).unwrap();
    let changed = text
        .replacen(",1,7,", ",1,9,", 1)
        .replacen(",3,9,", ",3,7,", 1);
    assert_ne!(changed, text);
    std::fs::write(&file, changed).unwrap();
    let (reported, exit) = overboard(&["pair", "check", &cup]);
    assert_eq!(exit, 1, "{reported}");
    assert!(reported.contains("3.6.3"), "{reported}");
}

#[test]
fn the_same_seed_makes_the_same_events_on_any_number_of_threads() {
    let events = tries(300).to_string();
    let trials = |jobs: &str| {
        let size = ["--teams", "9", "--rounds", "5", "--events", &events];
        let rates = [
            "--forfeits",
            "30",
            "--byes",
            "40",
            "--late",
            "50",
            "--withdrawals",
            "10",
            "--forbidden",
            "2",
        ];
        done(
            &[
                &["pair", "trials", "--seed", "7", "-j", jobs],
                &size[..],
                &rates,
            ]
            .concat(),
        )
    };
    let one = trials("1");
    assert_eq!(one, trials("3"));
    let lines: Vec<Value> = one
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (lines.len(), &lines[0]["seed"]),
        (tries(300) + 1, &Value::from(7))
    );
    let whole = lines[1..].iter().filter(|event| event["stopped"].is_null());
    assert!(whole.clone().count() > tries(150));
    assert!(
        whole
            .clone()
            .all(|event| event["rounds"].as_array().unwrap().len() == 5)
    );
}

/// Readings are set by name, named in explanations that depend on them, and explained by their ids.
#[test]
fn readings_are_set_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let cup = twelve_teams(folder.path());
    let said = done(&["pair", "explain", &cup, "sw-1"]);
    assert!(
        said.starts_with("SW-1 in this event: a match that was not played makes no floater.\n")
            && said.contains("swiss.readings.unplayed-floats = \"floaters\"")
            && said.contains("Source: C.04.6, 1.5"),
        "{said}"
    );
    done(&[
        "event",
        "set",
        &cup,
        "swiss.readings.unplayed-floats",
        "floaters",
    ]);
    assert!(
        done(&["pair", "explain", &cup, "SW-1"])
            .starts_with("SW-1 in this event: a match that was not played makes floaters too.\n")
    );
    let (_, exit) = overboard(&["event", "set", &cup, "swiss.readings.numbering", "by-name"]);
    assert_eq!(exit, 2);
    done(&["pair", "next", &cup]);
    assert!(!done(&["pair", "explain", &cup]).contains("SW-1"));
    for table in ["1", "2", "3", "4", "5"] {
        done(&["result", &cup, "1", table, "1-0", "--score", "2-0"]);
    }
    done(&["result", &cup, "1", "6", "1-0f"]);
    done(&["pair", "next", &cup]);
    let said = done(&["pair", "explain", &cup]);
    assert!(
        said.contains("Interpretation SW-1: a match that was not played makes floaters too.")
            && !said.contains("SW-2"),
        "{said}"
    );
    let shown = done(&["explain", "SW-2"]);
    assert!(
        shown.contains("swiss.readings.first-team = \"standings\"") && shown.contains("C.04.7"),
        "{shown}"
    );
    let reading: Value = serde_json::from_str(&done(&["explain", "--json", "SW-5"])).unwrap();
    assert_eq!(
        (&reading["what"], &reading["setting"]),
        (&Value::from("reading"), &Value::Null)
    );
}
