//! Typical slips at a tournament desk: each is refused with the reason, and changes nothing.

use crate::{
    event_folder::EventFolder,
    run::{overboard, printed},
};
use std::fs;

/// A league of five teams of two; the first round is paired.
fn league() -> EventFolder {
    let event = EventFolder::with(&["--system", "swiss-team", "--rounds", "3", "--boards", "2"]);
    for team in ["Ash", "Bay", "Cob", "Dun", "Elm"] {
        event.done(&[
            "event",
            "enter",
            "@",
            team,
            "--players",
            &format!("{team}-a;{team}-b"),
        ]);
    }
    event.done(&["pair", "next", "@"]);
    event
}

#[test]
fn slips_at_the_desk_change_nothing() {
    let event = league();
    event.done(&["result", "@", "1", "1: 1-0 ="]);
    let tables = [
        ("teams.csv", "number,name\n1,X\n3,Y\n"),
        ("table.csv", "round,games\n1,1-2\n"),
    ];
    let [teams, table] = tables.map(|(name, text)| {
        let path = event.beside(name);
        fs::write(&path, text).unwrap();
        path
    });
    let before = event.event().write();
    for (args, why) in [
        // The same table number twice in a line: the second one is a slip.
        (
            &["result", "@", "1", "1: = =; 1: 1-0 1-0", "--correct"][..],
            "is given two results",
        ),
        // The return key was pressed too early.
        (&["pair", "lineup", "@", "1", "Ash"], "<PLAYER>"),
        // A board order of the team in which the round was not played.
        (
            &[
                "event", "amend", "@", "Ash", "--player", "Ash-b", "--board", "1",
            ],
            "the order of the roster is fixed",
        ),
        (
            &[
                "event", "amend", "@", "Ash", "--player", "Ash-b", "--birth", "foo",
            ],
            "not a date of birth",
        ),
        (
            &["event", "import", "@", "--table", &table],
            "follows no table",
        ),
        (
            &["event", "import", "@", "--teams", &teams],
            "may not change the pairing numbers",
        ),
        (&["event", "import", "@"], "nothing to import"),
        (
            &["standings", "@", "--after", "9"],
            "round 9 is not paired; the last one is 1",
        ),
        (
            &["event", "set", "@", "rounds", "x"],
            "rounds: expected a whole number, found \"x\"",
        ),
        (
            &["event", "set", "@", "match-points", "3,1"],
            "match-points: expected 3 values",
        ),
        (&["event", "cancel", "@", "1"], "a result in round 1;"),
    ] {
        let output = event.run(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(why), "{args:?}: {said}");
        assert!(event.event().write() == before, "{args:?}");
    }
    // Before the first round an import may change more, but must not make the event invalid.
    event.done(&["event", "cancel", "@", "1", "--discard-results"]);
    let refused = event.run(&["event", "import", "@", "--teams", &teams]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        said.contains("would then have") && said.contains("expected 2, found 3"),
        "{said}"
    );
    event.done(&[
        "event",
        "amend",
        "@",
        "Ash",
        "--player",
        "Ash-b",
        "--birth",
        "1990-05-17",
        "--board",
        "1",
    ]);
}

#[test]
fn players_change_their_group_before_the_first_round() {
    let event = EventFolder::with(&["--of", "players", "--system", "scheveningen"]);
    event.done(&["event", "enter", "@", "Ann"]);
    event.done(&["event", "enter", "@", "Bob", "--group", "B"]);
    event.done(&["event", "amend", "@", "Ann", "--group", "A"]);
    assert_eq!(
        event.event().players[0]
            .team
            .map(overboard_schedules::ids::TeamNo::get),
        Some(1)
    );
}

/// One missing quotation mark, or one missing file, is reported with its cause, and not again through its consequences.
#[test]
fn the_cause_of_many_faults_is_the_one_that_is_named() {
    let event = league();
    let teams = event.read("teams.csv");
    fs::write(
        format!("{}/teams.csv", event.event),
        teams.replacen("1,Ash", "1,\"Ash", 1),
    )
    .unwrap();
    let (said, _) = printed(&event.run(&["event", "check", "@"]));
    assert!(
        said.starts_with("teams.csv: error: this file is not as the log has it")
            && said.contains(
                "\nteams.csv:2:3: error: the quotation mark that opens here is not closed\n"
            ),
        "{said}"
    );
    assert_eq!(said.matches("error:").count(), 2, "{said}");
    fs::remove_file(format!("{}/teams.csv", event.event)).unwrap();
    let (said, _) = printed(&event.run(&["event", "check", "@"]));
    assert!(
        said.starts_with("teams.csv: error: this file is missing"),
        "{said}"
    );
    assert_eq!(said.matches("error:").count(), 1, "{said}");
}

/// Each of several faults is on its own line, and no names of Rust types appear.
#[test]
fn faults_of_settings_are_said_in_plain_words() {
    let event = league();
    let settings = event.read("event.toml");
    fs::write(
        format!("{}/event.toml", event.event),
        settings.clone() + "colour = \"red\"\n",
    )
    .unwrap();
    let output = event.run(&["pair", "next", "@"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("unknown setting `colour`; expected") && !said.contains("u{a}"),
        "{said}"
    );
    fs::write(
        format!("{}/event.toml", event.event),
        settings.replace("swiss-team", "foo"),
    )
    .unwrap();
    let (said, _) = printed(&event.run(&["event", "check", "@"]));
    assert!(
        said.contains("unknown value `foo`; expected one of"),
        "{said}"
    );
    let engines = event.beside("engines.toml");
    fs::write(&engines, "[[engine]\n").unwrap();
    let output = overboard(&["match", "--engines", &engines, "--games", "2"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("line 1, column 10: unclosed array table") && !said.contains("u{a}"),
        "{said}"
    );
}

/// The names in a record are compared with the line-up, and its result with the counted kings.
#[test]
fn a_record_that_contradicts_the_event_is_not_used() {
    let event = EventFolder::with(&[
        "--game",
        "strategichess",
        "--boards",
        "3",
        "--system",
        "round-robin",
    ]);
    event.done(&["event", "enter", "@", "Leeds", "--players", "Ann;Bob;Cy"]);
    event.done(&["event", "enter", "@", "York", "--players", "Di;Ed;Flo"]);
    event.done(&["pair", "next", "@"]);
    let linked = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/linked.npgn");
    let record = fs::read_to_string(linked).unwrap();
    let file = event.beside("played.npgn");
    fs::write(&file, record.replace("Ann:Bob:Cy", "Ann:Bob:Zoe")).unwrap();
    let output = event.run(&["result", "@", "1", "--from", &file]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("board 3, the record has Zoe for Leeds, and the line-up has Cy"),
        "{said}"
    );
    let output = event.run(&["result", "@", "1", "--from", linked, "--expiry", "0:05:00"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains(
            "the record says 1-0, Score 3-2, and the kings counted make it 1/2-1/2 (3-3)"
        ),
        "{said}"
    );
    assert_eq!(output.status.code(), Some(1));
    event.done(&["result", "@", "1", "--from", linked]);
}
