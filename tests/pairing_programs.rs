//! Reports written by a pairing program, and its replies to ours: `tests/events/bbp/README.md` says how they
//! were made.

use crate::event_folder::EventFolder;
use overboard_events::rounds::{ByeKind, Round};
use overboard_schedules::ids::TeamNo;
use std::{collections::BTreeSet, fs, path::Path};

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/events/bbp").join(name).display().to_string()
}

fn stored(name: &str) -> String {
    fs::read_to_string(data(name)).unwrap()
}

/// White and Black of each match, and who has which bye.
type Paired = (BTreeSet<(TeamNo, TeamNo)>, BTreeSet<(TeamNo, &'static str)>);

fn paired(round: &Round) -> Paired {
    (
        round.matches.iter().map(|this| (this.white, this.black)).collect(),
        round.byes.iter().map(|bye| (bye.who, bye.kind.as_str())).collect(),
    )
}

/// An event that the program generated is read, written after each of its rounds as the program was given it, and paired by its
/// answer as it had paired it itself: with forfeits, byes of all kinds, players who retire, and points of its own.
#[test]
fn its_events_come_back_and_are_paired_as_they_were() {
    for (name, rounds) in [("odd", 5), ("even", 7), ("three-points", 6)] {
        let event_folder = EventFolder::new();
        event_folder.done(&["event", "import", "@", "--trf", &data(&format!("{name}.trf"))]);
        let whole = event_folder.event();
        assert_eq!(whole.rounds.len(), rounds, "{name}");
        for round in (1..rounds).rev() {
            event_folder.done(&["event", "cancel", "@", &(round + 1).to_string(), "--discard-results"]);
            let report = event_folder.done(&["event", "export", "@", "--plain"]);
            assert_eq!(report, stored(&format!("{name}-{round}.trf")), "{name} after round {round}");
            let reply = data(&format!("{name}-{round}.reply"));
            event_folder.done(&["pair", "set", "@", &(round + 1).to_string(), "--from", &reply]);
            let event = event_folder.event();
            assert_eq!(
                paired(&event.rounds[round]),
                paired(&whole.rounds[round]),
                "{name}, round {}",
                round + 1
            );
            assert_eq!(event_folder.done(&["event", "check", "@"]), "no errors found\n");
            event_folder.done(&["event", "undo", "@"]);
        }
    }
}

/// A Swiss of players from the first to the last round with the program's pairings.
#[test]
fn a_swiss_of_players_is_paired_by_its_answers() {
    let event_folder = EventFolder::new();
    let new =
        ["event", "new", "@", "--name", "Open", "--of", "players", "--system", "by-hand", "--rounds", "4"];
    event_folder.done(&new);
    let names = ["Ann", "Bob", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy"];
    let ratings = ["2100", "2050", "1990", "1930", "1900", "1850", "1800", "1700", "1650"];
    for (name, rating) in names.iter().zip(ratings) {
        event_folder.done(&["event", "enter", "@", name, "--rating", rating]);
    }
    event_folder.done(&["event", "lots", "@", "--initial", "--seed", "3"]);
    event_folder.done(&["event", "request", "@", "half-bye", "Ivy", "--round", "2"]);
    event_folder.done(&["event", "request", "@", "forbid", "Ann", "--other", "Bob"]);
    event_folder.done(&["event", "request", "@", "withdraw", "Hal", "--round", "4"]);
    assert!(event_folder.refused(&["pair", "next", "@"], 2).contains(" 1 1-4 5-2` enters pairs by number"));
    for round in 1..=4_usize {
        let report = event_folder.done(&["event", "export", "@", "--plain"]);
        assert_eq!(report, stored(&format!("ours-{}.trf", round - 1)), "before round {round}");
        let reply = data(&format!("ours-{}.reply", round - 1));
        event_folder.done(&["pair", "set", "@", &round.to_string(), "--from", &reply]);
        for table in 1..=event_folder.event().rounds[round - 1].matches.len() {
            let result = ["1-0", "1/2-1/2", "0-1", "1-0f"][(table + round - 1) % 4];
            event_folder.done(&["result", "@", &round.to_string(), &table.to_string(), result]);
        }
        assert_eq!(event_folder.done(&["event", "check", "@"]), "no errors found\n");
    }
    assert_eq!(event_folder.done(&["event", "export", "@", "--plain"]), stored("ours-4.trf"));
    // The initial colour comes back, for the next report to the program.
    let (file, copy) = (event_folder.beside("plain.trf"), event_folder.beside("copy"));
    fs::write(&file, stored("ours-0.trf")).unwrap();
    event_folder.done(&["event", "import", &copy, "--trf", &file]);
    let initial = event_folder.done(&["event", "set", "@", "swiss.initial"]);
    assert_eq!(event_folder.done(&["event", "set", &copy, "swiss.initial"]), initial);
    let event = event_folder.event();
    let bye = |round: usize, who: u32| {
        event.rounds[round - 1].byes.iter().find(|bye| bye.who == TeamNo::new(who)).map(|bye| bye.kind)
    };
    assert_eq!(
        (bye(1, 9), bye(2, 9), bye(4, 8)),
        (Some(ByeKind::Bye), Some(ByeKind::Half), Some(ByeKind::Zero))
    );
    assert!(event_folder.refused(&["pair", "set", "@", "5", "1-2"], 2).contains("all 4 rounds are paired"));
}

/// A round that is made by numbers needs every participant once, and none that is absent.
#[test]
fn pairs_that_cannot_be_a_round_are_refused() {
    let event = EventFolder::new();
    event.done(&["event", "new", "@", "--of", "players", "--system", "by-hand", "--rounds", "2"]);
    for name in ["Ann", "Bob", "Cy", "Di", "Ed"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["event", "request", "@", "zero-bye", "Ed"]);
    for (pairs, why) in [
        (&["1-2"][..], "Cy, Di would not be paired"),
        (&["1-2", "3-4", "5-1"], "Ed does not take part in round 1"),
        (&["1-2", "3-1"], "Ann is given twice"),
        (&["1-2", "3-9"], "`9`"),
    ] {
        let said = event.refused(&[&["pair", "set", "@", "1"], pairs].concat(), 2);
        assert!(said.contains(why), "{pairs:?}: {said}");
    }
    let file = event.beside("reply.txt");
    for (text, why) in [
        ("3\n1 2\n3 4\n", "says 3 pairs, but there are 2"),
        ("2\n1 2\n3 9\n", "no participant has the number 9"),
    ] {
        fs::write(&file, text).unwrap();
        let said = event.refused(&["pair", "set", "@", "1", "--from", &file], 2);
        assert!(said.contains(why), "{said}");
    }
    event.done(&["pair", "set", "@", "1", "2-1", "3-4"]);
    // Who is missing asked for it, and still does when the round is taken back.
    assert_eq!(event.event().rounds[0].byes[0].kind, ByeKind::Zero);
    event.done(&["event", "cancel", "@", "1"]);
    assert_eq!(event.event().requests.len(), 1);
}

/// What the program does not know of our events it refuses for a reason of its own; what we do not know of its records stays.
#[test]
fn foreign_records_survive() {
    for (code, system) in [
        ("FIDE_DUTCH_2025", ""),
        ("FIDE_DUTCH_2025", "192 FIDE_BURSTEIN\n"),
        ("Rapid for clubs", "192 CUSTOM_SWISS\n"),
    ] {
        let event = EventFolder::new();
        let report = stored("even-3.trf")
            .replace("092 FIDE_DUTCH_2025\n", &format!("092 {code}\n"))
            .replace("142 7\n", &format!("142 7\n{system}"));
        let file = event.beside("in.trf");
        fs::write(&file, &report).unwrap();
        event.done(&["event", "import", "@", "--trf", &file]);
        assert_eq!(event.done(&["event", "export", "@", "--plain"]), report);
        // Also after a change, and in the older edition.
        event.done(&["event", "set", "@", "city", "York"]);
        let changed = event.done(&["event", "export", "@", "--plain"]);
        assert!(changed.contains(&format!("092 {code}\n")) && changed.contains(system), "{changed}");
        assert!(
            event
                .done(&["event", "export", "@", "--plain", "--trf", "16"])
                .contains(&format!("092 {code}\n"))
        );
    }
}
