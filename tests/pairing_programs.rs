//! Reports that a pairing program has written, and what it answers to ours: `tests/events/bbp/README.md` says how they were made.

use crate::hall::Hall;
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
        let hall = Hall::new();
        hall.done(&["event", "import", "@", "--trf", &data(&format!("{name}.trf"))]);
        let whole = hall.event();
        assert_eq!(whole.rounds.len(), rounds, "{name}");
        for round in (1..rounds).rev() {
            hall.done(&["event", "cancel", "@", &(round + 1).to_string(), "--discard-results"]);
            let report = hall.done(&["event", "export", "@", "--plain"]);
            assert_eq!(report, stored(&format!("{name}-{round}.trf")), "{name} after round {round}");
            let reply = data(&format!("{name}-{round}.reply"));
            hall.done(&["pair", "set", "@", &(round + 1).to_string(), "--from", &reply]);
            let event = hall.event();
            assert_eq!(
                paired(&event.rounds[round]),
                paired(&whole.rounds[round]),
                "{name}, round {}",
                round + 1
            );
            assert_eq!(hall.done(&["event", "check", "@"]), "no errors found\n");
            hall.done(&["event", "undo", "@"]);
        }
    }
}

/// A Swiss of players from the first to the last round with the program's pairings.
#[test]
fn a_swiss_of_players_is_paired_by_its_answers() {
    let hall = Hall::new();
    let new =
        ["event", "new", "@", "--name", "Open", "--of", "players", "--system", "by-hand", "--rounds", "4"];
    hall.done(&new);
    let names = ["Ann", "Bob", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy"];
    let ratings = ["2100", "2050", "1990", "1930", "1900", "1850", "1800", "1700", "1650"];
    for (name, rating) in names.iter().zip(ratings) {
        hall.done(&["event", "enter", "@", name, "--rating", rating]);
    }
    hall.done(&["event", "lots", "@", "--initial", "--seed", "3"]);
    hall.done(&["event", "request", "@", "half-bye", "Ivy", "--round", "2"]);
    hall.done(&["event", "request", "@", "forbid", "Ann", "--other", "Bob"]);
    hall.done(&["event", "request", "@", "withdraw", "Hal", "--round", "4"]);
    assert!(
        hall.refused(&["pair", "next", "@"], 2).contains("`overboard pair set FOLDER 1 1-4 5-2` takes them")
    );
    for round in 1..=4_usize {
        let report = hall.done(&["event", "export", "@", "--plain"]);
        assert_eq!(report, stored(&format!("ours-{}.trf", round - 1)), "before round {round}");
        let reply = data(&format!("ours-{}.reply", round - 1));
        hall.done(&["pair", "set", "@", &round.to_string(), "--from", &reply]);
        for table in 1..=hall.event().rounds[round - 1].matches.len() {
            let result = ["1-0", "1/2-1/2", "0-1", "1-0f"][(table + round - 1) % 4];
            hall.done(&["result", "@", &round.to_string(), &table.to_string(), result]);
        }
        assert_eq!(hall.done(&["event", "check", "@"]), "no errors found\n");
    }
    assert_eq!(hall.done(&["event", "export", "@", "--plain"]), stored("ours-4.trf"));
    let event = hall.event();
    let bye = |round: usize, who: u32| {
        event.rounds[round - 1].byes.iter().find(|bye| bye.who == TeamNo::new(who)).map(|bye| bye.kind)
    };
    assert_eq!(
        (bye(1, 9), bye(2, 9), bye(4, 8)),
        (Some(ByeKind::Bye), Some(ByeKind::Half), Some(ByeKind::Zero))
    );
    assert!(hall.refused(&["pair", "set", "@", "5", "1-2"], 2).contains("all 4 rounds are paired"));
}

/// A round that is made by numbers needs everybody, once, and nobody who is away.
#[test]
fn pairs_that_cannot_be_a_round_are_refused() {
    let hall = Hall::new();
    hall.done(&["event", "new", "@", "--of", "players", "--system", "by-hand", "--rounds", "2"]);
    for name in ["Ann", "Bob", "Cy", "Di", "Ed"] {
        hall.done(&["event", "enter", "@", name]);
    }
    hall.done(&["event", "request", "@", "zero-bye", "Ed"]);
    for (pairs, why) in [
        (&["1-2"][..], "Cy, Di would be in no pair"),
        (&["1-2", "3-4", "5-1"], "Ed does not take part in round 1"),
        (&["1-2", "3-1"], "Ann is named twice"),
        (&["1-2", "3-9"], "`9`"),
    ] {
        let said = hall.refused(&[&["pair", "set", "@", "1"], pairs].concat(), 2);
        assert!(said.contains(why), "{pairs:?}: {said}");
    }
    let file = hall.beside("reply.txt");
    for (text, why) in [
        ("3\n1 2\n3 4\n", "says that there are 3 pairs, and there are 2"),
        ("2\n1 2\n3 9\n", "nobody has the number 9"),
    ] {
        fs::write(&file, text).unwrap();
        let said = hall.refused(&["pair", "set", "@", "1", "--from", &file], 2);
        assert!(said.contains(why), "{said}");
    }
    hall.done(&["pair", "set", "@", "1", "2-1", "3-4"]);
    // Who is missing asked for it, and still does when the round is taken back.
    assert_eq!(hall.event().rounds[0].byes[0].kind, ByeKind::Zero);
    hall.done(&["event", "cancel", "@", "1"]);
    assert_eq!(hall.event().requests.len(), 1);
}

/// What the program does not know of our events it refuses for a reason of its own; what we do not know of its records stays.
#[test]
fn foreign_records_survive() {
    for (code, system) in [
        ("FIDE_DUTCH_2025", ""),
        ("FIDE_DUTCH_2025", "192 FIDE_BURSTEIN\n"),
        ("Rapid for clubs", "192 CUSTOM_SWISS\n"),
    ] {
        let hall = Hall::new();
        let report = stored("even-3.trf")
            .replace("092 FIDE_DUTCH_2025\n", &format!("092 {code}\n"))
            .replace("142 7\n", &format!("142 7\n{system}"));
        let file = hall.beside("in.trf");
        fs::write(&file, &report).unwrap();
        hall.done(&["event", "import", "@", "--trf", &file]);
        assert_eq!(hall.done(&["event", "export", "@", "--plain"]), report);
        // Also after a change, and in the older edition.
        hall.done(&["event", "set", "@", "city", "York"]);
        let changed = hall.done(&["event", "export", "@", "--plain"]);
        assert!(changed.contains(&format!("092 {code}\n")) && changed.contains(system), "{changed}");
        assert!(
            hall.done(&["event", "export", "@", "--plain", "--trf", "16"]).contains(&format!("092 {code}\n"))
        );
    }
}
