//! Nothing that is said to a command of events is ignored in silence: it is refused, or named.

use crate::event_folder::EventFolder;

/// A setting that means nothing in an event is refused when the event is made, and noted afterwards.
#[test]
fn settings_without_effect_are_named() {
    for (options, why) in [
        (
            &["--game", "overchess", "--boards", "3"][..],
            "--boards has no effect here: a match",
        ),
        (
            &["--game", "overchess", "--pattern", "WB"],
            "--pattern has no effect here: a match",
        ),
        (
            &["--of", "players", "--boards", "3"],
            "a match of this event is a single game",
        ),
        (&["--lieutenants", "full"], "Chess has no lieutenants"),
        (
            &[
                "--of",
                "players",
                "--game",
                "overchess",
                "--lieutenants",
                "solo",
            ],
            "only for events of teams",
        ),
        (
            &["--system", "swiss-team", "--rounds", "5", "--cycles", "2"],
            "swiss-team has no cycles",
        ),
        (
            &["--system", "knockout", "--rounds", "5"],
            "the number of rounds follows from who takes part",
        ),
        (
            &["--rounds", "5"],
            "in the system round-robin the number of rounds follows",
        ),
        (
            &[
                "--game",
                "strategichess",
                "--boards",
                "2",
                "--pattern",
                "WB",
            ],
            "same colour on all linked boards",
        ),
        (
            &[
                "--system",
                "molter",
                "--rounds",
                "2",
                "--boards",
                "2",
                "--pattern",
                "WW",
            ],
            "the pairing table",
        ),
    ] {
        let event = EventFolder::new();
        let said = event.refused(&[&["event", "new", "@"], options].concat(), 2);
        assert!(said.contains(why), "{options:?}: {said}");
        assert!(!std::path::Path::new(&event.event).exists(), "{options:?}");
    }
    // What is the default may be said.
    let event = EventFolder::with(&["--game", "overchess", "--boards", "1", "--cycles", "1"]);
    // Settings may be changed in any order, so those are noted that wait for another one.
    assert!(
        event
            .done(&["event", "set", "@", "boards", "3"])
            .contains("note: this setting has no effect")
    );
    for (key, value) in [
        ("pattern", "WBW"),
        ("board-order", "free"),
        ("swiss.preference", "b"),
    ] {
        assert!(
            event
                .done(&["event", "set", "@", key, value])
                .contains("has no effect"),
            "{key}"
        );
    }
    let said = event.done(&["event", "check", "@"]);
    for key in ["boards", "pattern", "board-order", "swiss.preference"] {
        assert!(
            said.contains(&format!("event.toml: note: `{key}` has no effect: ")),
            "{key}: {said}"
        );
    }
    assert!(
        !event
            .done(&["event", "set", "@", "scoring", "boards"])
            .contains("note")
    );
    event.done(&["event", "set", "@", "swiss.preference", "--default"]);
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
}

/// Options that do not go with what is asked for.
#[test]
fn options_without_effect_are_refused() {
    let event = EventFolder::with(&["--of", "players"]);
    for name in ["Ann", "Bob", "Cy"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["pair", "next", "@"]);
    for (line, why) in [
        (
            &["event", "enter", "@", "Di", "--players", "Ed;Flo"][..],
            "this is an event of players",
        ),
        (
            &["event", "enter", "@", "Di", "--captain", "Ed"],
            "this is an event of players",
        ),
        (
            &["result", "@", "1", "--lines", "x", "--board", "2"],
            "cannot be used with",
        ),
        (
            &["result", "@", "1", "--csv", "x", "--score", "2-1"],
            "cannot be used with",
        ),
        (
            &["result", "@", "1", "--from", "x", "--score", "2-1"],
            "cannot be used with",
        ),
        (
            &["result", "@", "1", "1"],
            "the result of table 1 is missing",
        ),
        (
            &["standings", "@", "--why", "Ann", "Bob", "--to", "html"],
            "cannot be used with",
        ),
        (
            &["standings", "@", "--why", "Ann", "Bob", "--crosstable"],
            "cannot be used with",
        ),
        (
            &["standings", "@", "--players", "--tie-breaks", "BH"],
            "in an event of players the standings without it rank them",
        ),
        (
            &["standings", "@", "--players"],
            "in an event of players the standings without it rank them",
        ),
        (&["standings", "@", "--groups"], "only a Scheveningen event"),
        (
            &["pair", "explain", "@"],
            "error: only rounds of the system swiss-team can be explained",
        ),
        (
            &["standings", "@", "--json", "--to", "csv"],
            "cannot be used with",
        ),
        (&["standings", "@", "--safe"], "--safe is only for --to csv"),
        (
            &["pair", "table", "round-robin", "6", "--boards", "3"],
            "--boards is only for molter and hutton",
        ),
        (
            &["pair", "table", "knockout", "6", "--cycles", "2"],
            "--cycles is only for round-robin and",
        ),
        (
            &["pair", "table", "hutton", "6", "--rounds", "2"],
            "--rounds is only for molter",
        ),
    ] {
        let said = event.refused(line, 2);
        assert!(said.contains(why), "{line:?}: {said}");
    }
}

/// Players of teams have results where boards have them. A match that is forfeited as a whole counts on each board, as in
/// the report.
#[test]
fn players_of_teams_are_ranked_where_they_have_results() {
    let event = EventFolder::with(&["--boards", "3"]);
    for (team, players) in [("Leeds", "Ann;Bob;Cy"), ("York", "Di;Ed")] {
        event.done(&["event", "enter", "@", team, "--players", players]);
    }
    event.done(&["pair", "next", "@"]);
    event.done(&["result", "@", "1", "1", "1-0f"]);
    let places = event.json(&["standings", "@", "--players", "--json"])["places"].clone();
    let points: Vec<_> = (0..5)
        .map(|place| places[place]["game_points"].as_f64().unwrap())
        .collect();
    assert_eq!(points, [1.0, 1.0, 1.0, 0.0, 0.0]);
    let report = event.done(&["event", "export", "@", "--plain"]);
    let own = |line: &&str| line.starts_with("001") && line[80..84].trim() == "1.0";
    assert_eq!(report.lines().filter(own).count(), 3, "{report}");
    let kings = EventFolder::with(&["--game", "strategichess"]);
    let said = kings.refused(&["standings", "@", "--players"], 2);
    assert!(
        said.contains("its players have no results of their own"),
        "{said}"
    );
}

/// Three cycles are three meetings of each pair, with the colours of the first one reversed in the second.
#[test]
fn a_scheveningen_event_has_any_number_of_cycles() {
    let event = EventFolder::with(&[
        "--of",
        "players",
        "--system",
        "scheveningen",
        "--cycles",
        "3",
    ]);
    for (name, group) in [("Ann", "A"), ("Bob", "B"), ("Cy", "A"), ("Di", "B")] {
        event.done(&["event", "enter", "@", name, "--group", group]);
    }
    event.done(&["pair", "next", "@", "--all"]);
    let rounds = event.event().rounds;
    assert_eq!(rounds.len(), 6);
    for white in [1, 3] {
        for black in [2, 4] {
            let sides: Vec<bool> = rounds
                .iter()
                .flat_map(|round| &round.matches)
                .filter_map(|this| match (this.white.get(), this.black.get()) {
                    (one, other) if (one, other) == (white, black) => Some(true),
                    (one, other) if (one, other) == (black, white) => Some(false),
                    _ => None,
                })
                .collect();
            assert_eq!(sides.len(), 3, "{white} meets {black}");
            assert!(
                sides[0] != sides[1] && sides[1] != sides[2],
                "{white} meets {black}: {sides:?}"
            );
        }
    }
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    assert!(
        event
            .refused(&["pair", "next", "@"], 2)
            .contains("all 6 rounds are paired")
    );
    // The report says so, and comes back.
    let report = event.beside("report.trf");
    event.done(&["event", "export", "@", "--plain", "--out", &report]);
    let copy = event.beside("copy");
    event.done(&["event", "import", &copy, "--trf", &report]);
    assert_eq!(
        crate::event_folder::files(std::path::Path::new(&copy)).len(),
        9
    );
    assert!(event.done(&["event", "set", &copy, "cycles"]).contains('3'));
}
