//! Tournament Report Files from other programs, and what follows from them.

use crate::{chance::Chance, damage::mutated, depth::tries, event_folder::EventFolder};
use overboard_events::trf::{Edition, Trf};
use overboard_schedules::ids::{RoundNo, TeamNo};
use std::{collections::BTreeSet, fs, path::Path};

/// Teams of one player before the first of five rounds, with additional records for the Swiss system.
fn before_round_one(teams: u32, records: &str) -> String {
    let mut text = String::from("012 Cup\n092 Chess\n142 5\n352 W\n");
    text.push_str(records);
    for number in 1..=teams {
        text.push_str(&format!(
            "001 {number:>4}      {:<33}\n",
            format!("Player {number}")
        ));
    }
    for number in 1..=teams {
        text.push_str(&format!(
            "310 {number:>3} {:<64} {number:>4}\n",
            format!("Team {number}")
        ));
    }
    text
}

/// Imports a report and pairs the next round; returns its pairs with the smaller numbers first.
fn paired(event: &EventFolder, text: &str) -> Vec<(u32, u32)> {
    let file = event.beside("cup.trf");
    fs::write(&file, text).unwrap();
    event.done(&["event", "import", "@", "--trf", &file]);
    event.done(&["pair", "next", "@"]);
    assert!(
        event
            .done(&["pair", "check", "@"])
            .starts_with("no errors in the pairings")
    );
    let matches = event.event().rounds.last().unwrap().matches.clone();
    let numbers = matches
        .iter()
        .map(|this| (this.white.get(), this.black.get()));
    let mut pairs: Vec<_> = numbers
        .map(|(white, black)| (white.min(black), white.max(black)))
        .collect();
    pairs.sort_unstable();
    pairs
}

/// Eight teams: without acceleration the upper half meets the lower; with Baku acceleration each half meets itself; and
/// two teams with their own virtual points meet each other, while the other six are paired as usual.
#[test]
fn virtual_points_decide_who_meets() {
    let pairs = |records: &str| paired(&EventFolder::new(), &before_round_one(8, records));
    assert_eq!(pairs("192 FIDE_TEAM\n"), [(1, 5), (2, 6), (3, 7), (4, 8)]);
    assert_eq!(
        pairs("192 FIDE_TEAM_BAKU\n"),
        [(1, 3), (2, 4), (5, 7), (6, 8)]
    );
    let event = EventFolder::new();
    paired(&event, &before_round_one(8, "192 FIDE_TEAM_BAKU\n"));
    let why = event.done(&["pair", "explain", "@"]);
    assert!(
        why.contains("Virtual points (C.04.7): 2 for Team 1, Team 2, Team 3 and Team 4.\n"),
        "{why}"
    );
    let why = event.done(&["pair", "explain", "@", "1"]);
    assert!(
        why.starts_with("Team 1: score 2 with 2 virtual (C.04.7), no match yet"),
        "{why}"
    );
    let own = "250  2.0      001 003 0001 0002\n";
    assert_eq!(
        pairs(&format!("192 FIDE_TEAM\n{own}")),
        [(1, 2), (3, 6), (4, 7), (5, 8)]
    );
    // The record takes precedence over the code, and points may be in the other column.
    let games = "250       2.0 001 003 0001 0002\n";
    assert_eq!(
        pairs(&format!("192 FIDE_TEAM_BAKU\n{games}")),
        [(1, 2), (3, 6), (4, 7), (5, 8)]
    );
    // Only from round 2 on.
    let late = "250  2.0      002 003 0001 0002\n";
    assert_eq!(
        pairs(&format!("192 FIDE_TEAM\n{late}")),
        [(1, 5), (2, 6), (3, 7), (4, 8)]
    );
}

/// What the code and the records say is exported again.
#[test]
fn the_choices_of_a_swiss_go_in_and_out() {
    for (code, again) in [
        ("FIDE_TEAM", "FIDE_TEAM_TYPEA_MP_GP"),
        ("FIDE_TEAM_BAKU", "FIDE_TEAM_TYPEA_MP_GP_BAKU"),
        ("fide_team_typeb_gp_mp", "FIDE_TEAM_TYPEB_GP_MP"),
        ("FIDE_TEAM_MP", "FIDE_TEAM_MP"),
        ("FIDE_TEAM_TYPEA", "FIDE_TEAM_TYPEA_MP_GP"),
    ] {
        let event = EventFolder::new();
        let records = format!("152 B\n192 {code}\n240 H 001 0003\n");
        let file = event.beside("cup.trf");
        fs::write(&file, before_round_one(6, &records)).unwrap();
        event.done(&["event", "import", "@", "--trf", &file]);
        let out = event.done(&["event", "export", "@"]);
        assert!(
            out.contains(&format!("192 {again}\n")) && out.contains("152 B\n"),
            "{code}: {out}"
        );
        assert!(out.contains("240 H 001 0003\n"), "{out}");
        let other = EventFolder::new();
        let file = other.beside("again.trf");
        fs::write(&file, &out).unwrap();
        other.done(&["event", "import", "@", "--trf", &file]);
        assert_eq!(other.event().settings, event.event().settings);
        assert_eq!(other.event().requests.len(), 1);
        assert_eq!(other.done(&["event", "export", "@"]), out);
    }
}

/// Records 250 are read, and written in the same columns; an event keeps them even if it is paired elsewhere.
#[test]
fn accelerations_are_read_and_written() {
    let records =
        "192 FIDE_TEAM\n250  2.0      001 003 0001 0004\n250  1.0      004 005 0001 0004\n";
    let text = before_round_one(8, records);
    let read = Trf::read("a.trf", text.as_bytes()).unwrap();
    assert_eq!(
        (
            read.accelerations.len(),
            read.accelerations[1].rounds.map(RoundNo::get)
        ),
        (2, [4, 5])
    );
    let written = read.write(Edition::Of2026);
    assert!(
        written.contains(records.split_once('\n').unwrap().1),
        "{written}"
    );
    assert_eq!(Trf::read("b.trf", written.as_bytes()).unwrap(), read);
    assert!(!read.write(Edition::Of2016).contains("\n250"));
    let out = Trf::from(&overboard_events::trf::event(&read, "a.trf").unwrap());
    assert_eq!(out.accelerations, read.accelerations);
    // Single players by the Dutch system: paired elsewhere, and the virtual points are kept.
    let single = "012 Open\n142 9\n192 FIDE_DUTCH_2026_BAKU\n001    1      Ann\n001    2      Bob\n\
                  001    3      Cy\n001    4      Di\n";
    let event =
        overboard_events::trf::event(&Trf::read("c.trf", single.as_bytes()).unwrap(), "c.trf")
            .unwrap();
    let out = Trf::from(&event).write(Edition::Of2026);
    assert!(
        out.contains("250       1.0 001 003 0001 0002\n250       0.5 004 005 0001 0002\n"),
        "{out}"
    );
}

#[test]
fn faults_of_accelerations_have_places() {
    let fault = |record: &str| {
        let code = if record.starts_with("192") {
            "022 Leeds"
        } else {
            "192 FIDE_TEAM"
        };
        let text = format!(
            "012 Cup\n{code}\n{record}\n001    1      Ann\n310   1 Leeds{:>64}\n",
            1
        );
        let read = Trf::read("a.trf", text.as_bytes());
        read.and_then(|trf| overboard_events::trf::event(&trf, "a.trf").map(drop))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        fault("250           001 003 0001 0004"),
        "a.trf:3:5: expected match points in columns 5-8 or points in columns 10-13, found nothing"
    );
    assert_eq!(
        fault("250  x.0      001 003 0001 0004"),
        "a.trf:3:5: expected match points in columns 5-8, found `x.0`"
    );
    assert_eq!(
        fault("250  2.0      003 001 0001 0004"),
        "a.trf:3:19: expected a round in columns 19-21 that is not before 3, found 1"
    );
    assert_eq!(
        fault("250  2.0      001 003 0000 0004"),
        "a.trf:3:23: expected a number from 1 on in columns 23-26, found 0"
    );
    assert_eq!(
        fault("250  2.0      001 003 0001"),
        "a.trf:3:28: expected a number in columns 28-31, found nothing"
    );
    assert_eq!(
        fault("250  2.0      001 003 0001 0004\n250  1.0      003 004 0004 0005"),
        "a.trf:4:1: record 250: two ranges give one team points in one round, from round 3 and team 4 on"
    );
    assert_eq!(
        fault("192 FIDE_TEAM_TYPEC"),
        "a.trf:3:5: expected FIDE_TEAM[_TYPEA|_TYPEB][_MP|_GP][_GP|_MP][_BAKU] in record 192, found `FIDE_TEAM_TYPEC`"
    );
    assert_eq!(
        fault("152 red"),
        "a.trf:3:5: expected W or B in record 152, found `red`"
    );
}

/// A bye in the columns of a round that is not paired yet is a requested one.
#[test]
fn byes_of_the_next_round_are_requests() {
    let line = |head: &str, rounds: &str| format!("{head:<91}{rounds}\n");
    let text = "012 Open\n142 3\n".to_owned()
        + &line("001    1      Ann", "   2 w 1  0000 - H")
        + &line("001    2      Bob", "   1 b 0");
    let event =
        overboard_events::trf::event(&Trf::read("a.trf", text.as_bytes()).unwrap(), "a.trf")
            .unwrap();
    assert_eq!(event.rounds.len(), 1, "{text}");
    let asked = &event.requests[0];
    assert_eq!(
        (asked.round, asked.kind.as_str(), asked.who),
        (RoundNo::new(2), "half-bye", TeamNo::new(1))
    );
    assert!(
        Trf::from(&event)
            .write(Edition::Of2026)
            .contains("240 H 002 0001\n")
    );
}

/// The points of a single player are those of their results (columns 81-84), not twice as many.
#[test]
fn points_of_players_follow_from_their_results() {
    let event = EventFolder::with(&["--of", "players"]);
    for name in ["Ann", "Bob", "Cy", "Di"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["pair", "next", "@"]);
    event.done(&["result", "@", "1", "1", "1-0"]);
    event.done(&["result", "@", "1", "2", "draw"]);
    let out = event.done(&["event", "export", "@"]);
    let points: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("001"))
        .map(|line| line[80..84].trim())
        .collect();
    assert_eq!(points, ["1.0", "0.5", "0.5", "0.0"]);
    assert!(
        event
            .refused(&["event", "new", "@"], 2)
            .contains("there is already an event in this folder")
    );
}

/// Unplayed matches and boards of all kinds count the same in reports of both editions as in the
/// event; also where White's team has Black on the first board, where seats are empty, and in the players' own
/// points.
#[test]
fn forfeits_go_out_and_come_back() {
    let teams = [
        ("Leeds", "Ann;Bob;Cy"),
        ("York", "Di;Ed"),
        ("Ripon", "Flo;Gus;Hal"),
        ("Hull", "Ivy;Jo;Kim"),
    ];
    for pattern in ["WBW", "BWB", "WWB"] {
        let event = EventFolder::with(&["--boards", "3", "--pattern", pattern, "--cycles", "4"]);
        for (name, players) in teams {
            event.done(&["event", "enter", "@", name, "--players", players]);
        }
        event.done(&["pair", "next", "@", "--all"]);
        let kinds = ["1-0f", "0-1f", "0-0f", "1-0", "0-1", "1/2-1/2"];
        let mut chance = Chance::seeded(7);
        for (number, round) in RoundNo::all().zip(event.event().rounds) {
            for this in &round.matches {
                let (table, number) = (this.table.to_string(), number.to_string());
                if chance.below(2) == 0 {
                    event.done(&["result", "@", &number, &table, kinds[chance.below(3)]]);
                    continue;
                }
                for board in &this.boards {
                    // No opponent: White alone wins, or Black, or neither.
                    let result = match (board.white, board.black) {
                        (Some(_), Some(_)) => kinds[chance.below(6)],
                        (Some(_), None) => ["1-0f", "0-0f"][chance.below(2)],
                        (None, Some(_)) => ["0-1f", "0-0f"][chance.below(2)],
                        (None, None) => "0-0f",
                    };
                    event.done(&[
                        "result",
                        "@",
                        &number,
                        &table,
                        result,
                        "--board",
                        &board.board.to_string(),
                    ]);
                }
            }
        }
        // TRF16 does not say by which system rounds were paired, which some tie-breaks and tables go by.
        let shown = |folder: &str, edition: &str| {
            let is_old = edition == "16";
            let list = if is_old {
                "MPvGP,BC,TBR"
            } else {
                "MPvGP,EMGSB,BC,TBR"
            };
            let form = Some("--crosstable").filter(|_| !is_old);
            let line = ["standings", folder, "--tie-breaks", list];
            let teams = event.done(&line.into_iter().chain(form).collect::<Vec<_>>());
            // Nor which team was to have White where nobody played, which counts for the colours of its players.
            let is_told = !is_old || pattern.starts_with('W');
            [
                teams,
                if is_told {
                    event.done(&["standings", folder, "--players"])
                } else {
                    String::new()
                },
            ]
        };
        for edition in ["16", "26"] {
            let (file, again) = (
                event.beside("cup.trf"),
                event.beside(&format!("again{edition}")),
            );
            event.done(&[
                "event", "export", "@", "--trf", edition, "--plain", "--out", &file,
            ]);
            event.done(&["event", "import", &again, "--trf", &file]);
            let trf = Trf::read("cup.trf", &fs::read(&file).unwrap()).unwrap();
            assert!(!trf.forfeits.is_empty() && !trf.line_ups.is_empty());
            assert_eq!(
                shown(&again, edition),
                shown("@", edition),
                "{pattern} {edition}"
            );
        }
    }
}

/// A report of 2016 without comments has no record of the colours on the boards, but has the colours of the players.
/// Who had which bye is in records of 2026, which its other readers skip.
#[test]
fn a_plain_report_of_2016_keeps_colours_and_byes() {
    for pattern in ["WWBB", "WBWB", "WWWW"] {
        let event = EventFolder::with(&[
            "--system",
            "swiss-team",
            "--rounds",
            "4",
            "--boards",
            "4",
            "--pattern",
            pattern,
        ]);
        for team in [
            "Leeds", "York", "Ripon", "Hull", "Selby", "Thirsk", "Whitby",
        ] {
            event.done(&["event", "enter", "@", team, "--players", "Ann;Bob;Cy;Di"]);
        }
        event.done(&["event", "request", "@", "half-bye", "York", "--round", "2"]);
        event.done(&["event", "request", "@", "full-bye", "Leeds", "--round", "2"]);
        for round in ["1", "2", "3"] {
            event.done(&["pair", "next", "@"]);
            event.done(&["result", "@", round, "1: 1-0 = 0-1 1-0; 2: = 0-1 0-1 ="]);
            let left = event.event().rounds.last().unwrap().matches.len();
            (3..=left).for_each(|table| {
                event.done(&["result", "@", round, &table.to_string(), "0-1f"]);
            });
        }
        let (report, copy) = (event.beside("cup.trf"), event.beside("copy"));
        event.done(&[
            "event", "export", "@", "--trf", "16", "--plain", "--out", &report,
        ]);
        event.done(&["event", "import", &copy, "--trf", &report]);
        let copy = overboard_events::store::read(Path::new(&copy)).unwrap();
        for (own, theirs) in event.event().rounds.iter().zip(&copy.rounds) {
            let games = |round: &overboard_events::rounds::Round| {
                let boards = round.matches.iter().filter(|this| this.result.is_none());
                let boards = boards.flat_map(|this| &this.boards);
                let games = boards.map(|board| {
                    (
                        board.white,
                        board.black,
                        board.result.map(|own| own.to_string()),
                    )
                });
                games.collect::<BTreeSet<_>>()
            };
            let byes = |round: &overboard_events::rounds::Round| {
                round
                    .byes
                    .iter()
                    .map(|bye| (bye.who, bye.kind.as_str()))
                    .collect::<BTreeSet<_>>()
            };
            assert_eq!(
                (games(theirs), byes(theirs)),
                (games(own), byes(own)),
                "{pattern}"
            );
        }
        assert_eq!(event.event().rounds.len(), copy.rounds.len());
    }
}

/// Whatever is done to a report with records of the Swiss system, nothing panics, and what comes out of an event is read
/// again.
#[test]
fn mutated_reports_never_panic() {
    let records = "152 W\n192 FIDE_TEAM_TYPEB_MP_GP_BAKU\n240 H 001 0003\n240 Z 004 0001 0002\n\
                   250  2.0      001 003 0001 0004\n250       1.0 004 005 0001 0004\n260 001 003 0001 0002\n";
    let whole = before_round_one(6, records);
    let mut chance = Chance::seeded(5);
    let mut events = 0;
    for _ in 0..tries(1500) {
        let bytes = mutated(whole.as_bytes(), &mut chance);
        let Ok(read) = Trf::read("a.trf", &bytes) else {
            continue;
        };
        let Ok(event) = overboard_events::trf::event(&read, "a.trf") else {
            continue;
        };
        events += 1;
        let _ = (event.check(), event.next_round());
        let out = Trf::from(&event).write(Edition::Of2026);
        Trf::read("b.trf", out.as_bytes()).unwrap();
    }
    assert!(events > 500, "{events}");
}
