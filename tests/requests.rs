//! Byes, withdrawals, forbidden pairs and penalties: what is accepted, what is refused, and notes on what files
//! contain.

use crate::{event_folder::EventFolder, run::printed};
use std::fs;

/// A request that comes too late or repeats another is refused.
#[test]
fn requests_that_make_no_sense_are_refused() {
    let event = EventFolder::with(&["--system", "swiss-team", "--rounds", "5", "--boards", "1"]);
    for name in ["Ayr", "Bath", "Cork", "Deal", "Ely", "Fife"] {
        event.done(&[
            "event",
            "enter",
            "@",
            name,
            "--players",
            &format!("{name}'s"),
        ]);
    }
    event.done(&["pair", "next", "@"]);
    let refused = |line: &[&str], why: &str| {
        let said = event.refused(&[&["event", "request", "@"], line].concat(), 2);
        assert!(said.contains(why), "{line:?}: {said}");
    };
    refused(
        &["withdraw", "Ayr", "--round", "1"],
        "round 1 is already paired: a withdrawal counts from round 2 on",
    );
    for (kind, noun) in [
        ("half-bye", "half-bye"),
        ("full-bye", "full-bye"),
        ("zero-bye", "zero-bye"),
        ("withdraw", "withdrawal"),
        ("penalty", "penalty"),
    ] {
        refused(
            &[kind, "Ayr", "--round", "9"],
            &format!("there is no round 9 for a {noun}: the event has 5 rounds"),
        );
    }
    refused(
        &["forbid", "Ayr", "--other", "Ely", "--round", "9"],
        "there is no round 9 for a forbidden pair: the event has 5 rounds",
    );
    let late = event.refused(
        &[
            "event",
            "enter",
            "@",
            "Zell",
            "--players",
            "Zoe",
            "--round",
            "9",
        ],
        2,
    );
    assert!(
        late.contains("there is no round 9 for a late entry: the event has 5 rounds"),
        "{late}"
    );
    event.done(&["event", "request", "@", "half-bye", "Ayr", "--round", "3"]);
    refused(
        &["half-bye", "Ayr", "--round", "3"],
        "Ayr already has a half-bye in round 3",
    );
    refused(
        &["full-bye", "Ayr", "--round", "3"],
        "Ayr already has a half-bye in round 3",
    );
    let reported = event.done(&["event", "request", "@", "withdraw", "Ayr", "--round", "2"]);
    assert!(
        reported.contains("the bye requested for a later round is dropped"),
        "{reported}"
    );
    refused(
        &["full-bye", "Ayr", "--round", "4"],
        "Ayr has withdrawn from round 2 on",
    );
    event.done(&[
        "event",
        "enter",
        "@",
        "Goole",
        "--players",
        "Gus",
        "--round",
        "4",
    ]);
    refused(
        &["half-bye", "Goole", "--round", "3"],
        "Goole has not arrived yet in round 3",
    );
    assert_eq!(event.event().requests.len(), 2);
    // Numbers used in rounds stay with their participants; everything else in a table may still be corrected.
    let file = event.beside("teams.csv");
    let teams = event.read("teams.csv");
    for (from, to) in [("Bath", "Hull"), ("7,Goole,,,,\n", ""), ("1,Ayr", "8,Ayr")] {
        fs::write(&file, teams.replace(from, to)).unwrap();
        let said = event.refused(&["event", "import", "@", "--teams", &file], 2);
        assert!(
            said.contains("1 round is paired, so an import may not change the pairing numbers"),
            "{said}"
        );
    }
    fs::write(&file, teams.replace("Bath,", "Bath,BTH")).unwrap();
    event.done(&["event", "import", "@", "--teams", &file]);
    let file = event.beside("players.csv");
    fs::write(
        &file,
        event
            .read("players.csv")
            .replace("2,2,1,Bath's", "9,2,1,Bath's"),
    )
    .unwrap();
    let said = event.refused(&["event", "import", "@", "--players", &file], 2);
    assert!(
        said.contains("Bath's (id 2) is on a board of a round that is already paired"),
        "{said}"
    );
}

/// Where the number of rounds follows from the participants, it is known once a round is paired; elsewhere from the
/// start.
#[test]
fn rounds_that_there_are_not_have_no_requests() {
    let event = EventFolder::with(&["--of", "players", "--system", "by-hand", "--rounds", "3"]);
    for name in ["Ann", "Bob"] {
        event.done(&["event", "enter", "@", name]);
    }
    for line in [
        &["half-bye", "Ann"][..],
        &["forbid", "Ann", "--other", "Bob"],
    ] {
        let why = event.refused(
            &[&["event", "request", "@"], line, &["--round", "4"]].concat(),
            2,
        );
        assert!(
            why.contains("there is no round 4") && why.contains("the event has 3 rounds"),
            "{why}"
        );
    }
    let event = EventFolder::with(&["--of", "players"]);
    for name in ["Ann", "Bob", "Cy", "Di"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["event", "request", "@", "withdraw", "Di", "--round", "4"]);
    event.done(&["pair", "next", "@", "--all"]);
    let (said, code) = printed(&event.run(&["event", "check", "@"]));
    let note = "this withdrawal is not possible: there is no round 4 for a withdrawal: the event has 3 rounds";
    assert!(code == 0 && said.contains(note), "{said}");
    // Nobody loses results because of it, nor because of a withdrawal from a future round on.
    assert!(!event.done(&["standings", "@"]).contains("withdrawn"));
    let reported = event.done(&["event", "request", "@", "withdraw", "Bob", "--round", "3"]);
    assert!(
        reported
            .contains("at least half of the matches are played, so the others are lost by forfeit"),
        "{reported}"
    );
    event.done(&["event", "undo", "@"]);
    let why = event.refused(
        &["event", "request", "@", "withdraw", "Cy", "--round", "4"],
        2,
    );
    assert!(why.contains("there is no round 4"), "{why}");
    // A penalty counts from the round that was the last one when it was given.
    assert!(
        event
            .done(&[
                "event",
                "request",
                "@",
                "penalty",
                "Ann",
                "--match-points=-1"
            ])
            .contains("round 3")
    );
    let shown = event.json(&["standings", "@", "--json"]);
    assert_eq!(shown["places"][3]["name"], "Ann");
    assert_eq!(shown["places"][3]["match_points"], -1);
}

/// A detail that belongs to another kind of request is refused, not ignored.
#[test]
fn a_request_has_what_belongs_to_it() {
    let event = EventFolder::with(&["--of", "players", "--system", "by-hand", "--rounds", "3"]);
    for name in ["Ann", "Bob"] {
        event.done(&["event", "enter", "@", name]);
    }
    let why = event.refused(
        &["event", "request", "@", "half-bye", "Ann", "--other", "Bob"],
        2,
    );
    assert!(why.contains("--other is only for forbid"), "{why}");
    let why = event.refused(
        &[
            "event",
            "request",
            "@",
            "half-bye",
            "Ann",
            "--match-points",
            "1",
        ],
        2,
    );
    assert!(
        why.contains("points are only for a penalty, not for half-bye"),
        "{why}"
    );
}

/// Requests made by mistake can be withdrawn in any order.
#[test]
fn requests_are_taken_back() {
    let event = EventFolder::with(&["--system", "swiss-team", "--rounds", "5", "--boards", "1"]);
    for name in ["Ayr", "Bath", "Cork", "Deal"] {
        event.done(&[
            "event",
            "enter",
            "@",
            name,
            "--players",
            &format!("{name}'s"),
        ]);
    }
    let request = |line: &[&str]| event.done(&[&["event", "request", "@"], line].concat());
    let refused = |line: &[&str], why: &str| {
        let said = event.refused(&[&["event", "request", "@"], line].concat(), 2);
        assert!(said.contains(why), "{line:?}: {said}");
    };
    request(&["half-bye", "Ayr", "--round", "1"]);
    request(&["half-bye", "Ayr", "--round", "3"]);
    request(&["forbid", "Bath", "--other", "Cork"]);
    request(&["withdraw", "Deal", "--round", "2"]);
    refused(
        &["zero-bye", "Ayr", "--take-back"],
        "there is no zero-bye for Ayr",
    );
    refused(
        &["half-bye", "Ayr", "--take-back"],
        "of the rounds 1, 3; --round says which",
    );
    refused(
        &["forbid", "Bath", "--other", "Deal", "--take-back"],
        "there is no forbidden pair for Bath",
    );
    assert!(
        request(&["forbid", "Cork", "--other", "Bath", "--take-back"])
            .contains("Took back: Bath and Cork must not meet from round 1 on")
    );
    event.done(&["pair", "next", "@"]);
    refused(
        &["half-bye", "Ayr", "--round", "1", "--take-back"],
        "round 1 is already paired",
    );
    request(&["half-bye", "Ayr", "--round", "3", "--take-back"]);
    request(&["withdraw", "Deal", "--take-back", "--dry-run"]);
    assert_eq!(event.event().requests.len(), 2);
    event.done(&["result", "@", "1", "1: 1-0"]);
    // A participant that had withdrawn and returns plays from the next round on.
    event.done(&["pair", "next", "@"]);
    assert_eq!(event.event().rounds[1].byes.len(), 2);
    request(&["withdraw", "Deal", "--take-back"]);
    event.done(&["result", "@", "2", "1: 1-0"]);
    event.done(&["pair", "next", "@"]);
    let deal = event.event().find("Deal").unwrap();
    assert!(event.event().rounds[2].of(deal).is_some());
    assert_eq!(printed(&event.run(&["event", "check", "@"])).1, 0);
    assert!(
        event
            .done(&["pair", "check", "@"])
            .starts_with("no errors in the pairings")
    );
}

/// Tables edited by hand may contain more than the commands accept; what is impossible gets a note, and the event goes
/// on.
#[test]
fn requests_that_make_no_sense_are_noted() {
    let event = EventFolder::with(&["--system", "swiss-team", "--rounds", "5", "--boards", "1"]);
    for name in ["Ayr", "Bath", "Cork", "Deal", "Ely", "Fife"] {
        event.done(&[
            "event",
            "enter",
            "@",
            name,
            "--players",
            &format!("{name}'s"),
        ]);
    }
    for (rows, why) in [
        (
            "9,half-bye,1,,,",
            "2: note: this half-bye is not possible: there is no round 9 for a half-bye",
        ),
        (
            "2,half-bye,1,,,\n2,zero-bye,1,,,",
            "3: note: this zero-bye is not possible: Ayr already has a half-bye in round 2",
        ),
        (
            "3,full-bye,2,,,\n2,withdraw,2,,,",
            "2: note: this full-bye is not possible: Bath has withdrawn from round 2",
        ),
        (
            "3,late,3,,,\n2,half-bye,3,,,",
            "3: note: this half-bye is not possible: Cork has not arrived yet in round 2",
        ),
        (
            "9,late,3,,,",
            "2: note: this late entry is not possible: there is no round 9",
        ),
        (
            "3,late,3,,,\n2,late,3,,,",
            "3: note: this late entry is not possible: Cork comes in round 3",
        ),
        (
            "2,withdraw,3,,,\n3,withdraw,3,,,",
            "3: note: this withdrawal is not possible: Cork has already withdrawn",
        ),
        (
            "1,forbid,3,4,,\n2,forbid,4,3,,",
            "3: note: this forbidden pair is not possible: Deal and Cork are",
        ),
        (
            "1,penalty,3,,,",
            "2: note: this penalty is not possible: a penalty needs points",
        ),
    ] {
        let table = format!("round,kind,who,other,match_points,game_points\n{rows}\n");
        event.edited("requests.csv", Some(&table));
        let (said, code) = printed(&event.run(&["event", "check", "@"]));
        assert!(
            code == 0 && said.contains(&format!("requests.csv:{why}")),
            "{rows}: {said}"
        );
        assert_eq!(said.matches("note:").count(), 1, "{said}");
        let reported = event.done(&["event", "check", "@", "--json"]);
        assert!(reported.contains("\"note\":true"), "{reported}");
        event.done(&["pair", "next", "@", "--dry-run"]);
    }
}

/// A player has one score: a penalty counts whichever option gives it, and a report has it in the second field.
#[test]
fn penalties_of_players_count_whichever_option_gives_them() {
    for option in ["--match-points=-0.5", "--game-points=-0.5"] {
        let event = EventFolder::with(&["--of", "players", "--system", "by-hand", "--rounds", "2"]);
        for name in ["Ann", "Bob"] {
            event.done(&["event", "enter", "@", name]);
        }
        event.done(&["pair", "set", "@", "1", "1-2"]);
        event.done(&["result", "@", "1", "1: 1-0"]);
        let ask = ["event", "request", "@", "penalty", "Ann", "--round", "1"];
        let said = event.done(&[&ask[..], &[option]].concat());
        assert!(said.contains("in round 1: points -0.5"), "{said}");
        let points = |event: &EventFolder| {
            let shown = event.json(&["standings", "@", "--json"]);
            shown["places"][0]["match_points"].as_f64().unwrap()
        };
        assert_eq!(points(&event), 0.5);
        let report = event.done(&["event", "export", "@", "--plain"]);
        let record = "299          -0.5  001 0001";
        assert!(report.lines().any(|line| line == record), "{report}");
        // Older reports have it in the first field.
        for text in [
            report.clone(),
            report.replace(record, "299    -0.5   0.0  001 0001"),
        ] {
            let again = EventFolder::new();
            let file = again.beside("a.trf");
            fs::write(&file, text).unwrap();
            again.done(&["event", "import", "@", "--trf", &file]);
            assert_eq!(points(&again), 0.5);
        }
        let both = ["--match-points=-1", "--game-points=-0.5"];
        let said = event.refused(&[&ask[..], &both].concat(), 2);
        assert!(said.contains("players have one score"), "{said}");
    }
}
