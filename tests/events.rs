//! Events as organisers run them, from the roster to the final table.

use crate::{
    chance::Chance,
    damage::mutated,
    depth::tries,
    event_folder::EventFolder,
    run::{overboard, printed, tool},
};
use overboard_events::{
    Event, Files,
    trf::{Edition, Trf},
};
use overboard_schedules::ids::TeamNo;
use serde_json::Value;
use std::{collections::BTreeMap, fs};

const TEAMS: [(&str, &str); 8] = [
    ("Leeds", "Ann;Bob;Cy"),
    ("York", "Di;Ed;Flo"),
    ("Hull", "Gus;Hal;Ivy"),
    ("Ripon", "Jo;Kim;Lou"),
    ("Selby", "Max;Ned;Oz"),
    ("Whitby", "Pam;Quin;Ray"),
    ("Filey", "Sam;Tea;Uma"),
    ("Thirsk", "Val;Wes;Xi"),
];

/// The kings that two teams have left: the smaller number is the stronger team, and wins by a larger margin the further
/// apart the numbers are; neighbours draw.
fn kings(white: u32, black: u32) -> (&'static str, String) {
    match (white.abs_diff(black), white < black) {
        (1, _) => ("1/2-1/2", "1-1".into()),
        (far, true) => ("1-0", format!("{}-0", if far > 3 { 3 } else { 2 })),
        (far, false) => ("0-1", format!("0-{}", if far > 3 { 3 } else { 2 })),
    }
}

/// Enters the missing results of a round.
fn play(event: &EventFolder, round: u32) {
    let shown = event.json(&["pair", "show", "@", "--round", &round.to_string(), "--json"]);
    for this in shown["matches"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|this| this["result"].is_null())
    {
        let number = |key: &str| this[key].as_u64().unwrap() as u32;
        let (result, score) = kings(number("white"), number("black"));
        let (round, table) = (round.to_string(), number("table").to_string());
        event.done(&["result", "@", &round, &table, result, "--score", &score]);
    }
}

fn places(standings: &Value) -> Vec<(u64, String, f64, f64)> {
    let place = |place: &Value| {
        let number = |key: &str| place[key].as_f64().unwrap();
        (
            place["rank"].as_u64().unwrap(),
            place["name"].as_str().unwrap().to_owned(),
            number("match_points"),
            number("game_points"),
        )
    };
    standings["places"]
        .as_array()
        .unwrap()
        .iter()
        .map(place)
        .collect()
}

/// Eight teams of three in a double round robin of StrategiChess, with a late entry, a withdrawal, a corrected
/// result, and the final table at the end.
#[test]
fn a_whole_event_from_the_roster_to_the_final_table() {
    let event = EventFolder::new();
    let new = [
        "event",
        "new",
        "@",
        "--name",
        "Ridings Cup",
        "--game",
        "strategichess",
        "--boards",
        "3",
        "--cycles",
        "2",
    ];
    event.done(&new);
    assert!(
        event
            .refused(&new, 2)
            .contains("there is already an event in this folder")
    );
    for (name, players) in &TEAMS[..7] {
        event.done(&[
            "event",
            "enter",
            "@",
            name,
            "--players",
            players,
            "--captain",
            &format!("Captain of {name}"),
        ]);
    }
    event.done(&["pair", "next", "@"]);
    play(&event, 1);
    // Leeds has the bye in round 1, and Thirsk enters late: its first match is lost by forfeit.
    assert!(event.read("rounds/01.csv").contains(",,1,,free,"));
    event.done(&[
        "event",
        "enter",
        "@",
        "Thirsk",
        "--players",
        TEAMS[7].1,
        "--round",
        "2",
    ]);
    assert!(event.read("rounds/01.csv").contains("4,,1,8,1-0f,"));
    assert!(
        event
            .refused(
                &["event", "enter", "@", "Goole", "--players", "Yve;Zed;Abe"],
                2
            )
            .contains("this round robin has none")
    );
    for round in 2..=9 {
        event.done(&["pair", "next", "@"]);
        play(&event, round);
    }
    // A wrong result is only replaced on explicit request, and the log keeps the old one.
    let before = event.read("rounds/09.csv");
    let first = event.json(&["pair", "show", "@", "--json"])["matches"][0].clone();
    let (white, black) = (
        first["white"].as_u64().unwrap() as u32,
        first["black"].as_u64().unwrap() as u32,
    );
    let wrong = ["result", "@", "9", "1", "1/2-1/2", "--score", "0-0"];
    assert!(event.refused(&wrong, 2).contains("--correct"));
    let corrected = event.done(&[&wrong[..], &["--correct"]].concat());
    assert!(
        corrected.contains(&format!("1/2-1/2 (0-0) (was {} (", kings(white, black).0)),
        "{corrected}"
    );
    event.done(&["event", "undo", "@", "--dry-run"]);
    assert_ne!(event.read("rounds/09.csv"), before);
    event.done(&["event", "undo", "@"]);
    assert_eq!(event.read("rounds/09.csv"), before);
    event.done(&[&wrong[..], &["--correct"]].concat());
    // Hull has played more than half of its matches, so the others are lost by forfeit.
    let withdrawn = event.done(&["event", "request", "@", "withdraw", "Hull", "--round", "10"]);
    assert!(
        withdrawn.contains("the others are lost by forfeit"),
        "{withdrawn}"
    );
    for round in 10..=14 {
        event.done(&["pair", "next", "@"]);
        play(&event, round);
    }
    assert!(
        event
            .refused(&["pair", "next", "@"], 2)
            .contains("all 14 rounds are paired")
    );
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    assert!(
        event
            .done(&["pair", "check", "@"])
            .starts_with("no errors in the pairings")
    );
    check_the_table(&event, (white, black));
    check_what_is_printed(&event);
    check_the_report(&event);
}

/// Recomputes the points from the files of the rounds alone.
fn check_the_table(event: &EventFolder, corrected: (u32, u32)) {
    let mut points: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    let mut met: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for round in 1..=14 {
        for line in event
            .read(&format!("rounds/{round:02}.csv"))
            .lines()
            .skip(1)
        {
            let cells: Vec<&str> = line.split(',').collect();
            if !cells[1].is_empty() || cells[0].is_empty() {
                continue;
            }
            let (white, black): (u32, u32) = (cells[2].parse().unwrap(), cells[3].parse().unwrap());
            *met.entry((white, black)).or_default() += 1;
            let (won, lost) = match cells[4] {
                "1-0" | "1-0f" => (2.0, 0.0),
                "0-1" | "0-1f" => (0.0, 2.0),
                _ => (1.0, 1.0),
            };
            let kings = |cell: &str, won: f64| match cell {
                "" => {
                    if won > 0.0 {
                        3.0
                    } else {
                        0.0
                    }
                }
                cell => cell.parse::<f64>().unwrap(),
            };
            for (team, match_points, kings) in [
                (white, won, kings(cells[5], won)),
                (black, lost, kings(cells[6], lost)),
            ] {
                let all = points.entry(team).or_default();
                *all = (all.0 + match_points, all.1 + kings);
            }
        }
    }
    // Every team had White once against every other.
    assert_eq!(met.len(), 56);
    assert!(met.values().all(|times| *times == 1) && met.contains_key(&corrected));
    let standings = event.json(&["standings", "@", "--json"]);
    let places = places(&standings);
    for (_, name, match_points, game_points) in &places {
        let number = TEAMS.iter().position(|(team, _)| team == name).unwrap() as u32 + 1;
        assert_eq!((*match_points, *game_points), points[&number], "{name}");
    }
    assert_eq!(
        places
            .iter()
            .map(|place| &place.1[..])
            .take(2)
            .collect::<Vec<_>>(),
        ["Leeds", "York"]
    );
    assert!(places.windows(2).all(|two| two[0].2 >= two[1].2));
}

fn check_what_is_printed(event: &EventFolder) {
    let text = event.done(&["standings", "@", "--crosstable"]);
    assert!(
        text.starts_with("Final standings\n")
            && text.contains("Hull (withdrawn)")
            && text.contains("Cross table")
    );
    let why = event.done(&["standings", "@", "--why", "York", "Thirsk"]);
    assert!(
        why.starts_with("York is ahead of Thirsk.") && why.contains("PTS (C.07, 4)"),
        "{why}"
    );
    let csv = event.done(&["standings", "@", "--to", "csv", "--safe"]);
    assert_eq!(csv.lines().count(), 9);
    let markdown = event.done(&["standings", "@", "--to", "markdown"]);
    assert!(markdown.contains("| Leeds |"));
    let html = event.done(&["standings", "@", "--crosstable", "--to", "html"]);
    assert!(html.contains("@page { size: A4") && html.contains("Ridings Cup"));
    assert!(html.contains("content=\"default-src 'none'; style-src 'sha256-"));
    // Elements that HTML leaves unclosed, and XML does not, stand between here and the title.
    let ((top, _), (_, rest)) = (
        html.split_once("<meta ").unwrap(),
        html.split_once("<title>").unwrap(),
    );
    let xml = format!("{}<title>{rest}", top.replace("<!DOCTYPE html>", ""));
    roxmltree::Document::parse(&xml).expect("every element is closed");
    let cards = event.done(&["event", "cards", "@", "--round", "1"]);
    assert_eq!(cards.matches("class=\"card\"").count(), 3);
    assert!(cards.contains("Captain of York") && cards.contains("instructions"));
    let log = event.done(&["event", "log", "@"]);
    assert!(log.contains("(undone)") && log.contains("Entered Thirsk as number 8"));
}

/// The report reads back as the same event, and the report of that event is identical.
fn check_the_report(event: &EventFolder) {
    let (report, again) = (event.beside("cup.trf"), event.beside("again"));
    event.done(&["event", "export", "@", "--out", &report]);
    overboard(&["event", "import", &again, "--trf", &report]);
    let standings = |folder: &str| {
        let output = overboard(&["standings", folder, "--json", "--tie-breaks", "MPvGP,EMGSB"]);
        places(&serde_json::from_str(&printed(&output).0).unwrap())
    };
    assert_eq!(standings(&again), standings(&event.event));
    let read = |path: &str| Trf::read("cup.trf", &fs::read(path).unwrap()).unwrap();
    let trf = read(&report);
    assert_eq!(
        Trf::read("", trf.write(Edition::Of2026).as_bytes()).unwrap(),
        trf
    );
    let old = event.done(&["event", "export", "@", "--trf", "16"]);
    assert!(old.contains("\n013 Leeds") && !old.contains("\n310"));
    let old_trf = Trf::read("", old.as_bytes()).unwrap();
    assert_eq!(
        Trf::read("", old_trf.write(Edition::Of2016).as_bytes()).unwrap(),
        old_trf
    );
}

/// Twelve teams play five rounds of StrategiChess by the Swiss system.
#[test]
fn a_swiss_of_twelve_teams() {
    let event = EventFolder::with(&[
        "--game",
        "strategichess",
        "--boards",
        "2",
        "--system",
        "swiss-team",
        "--rounds",
        "5",
    ]);
    let names = [
        "Alne",
        "Bedale",
        "Cawood",
        "Dent",
        "Easby",
        "Filey",
        "Grassington",
        "Helmsley",
        "Ilkley",
        "Kirkby",
        "Leyburn",
        "Malton",
    ];
    for name in names {
        event.done(&[
            "event",
            "enter",
            "@",
            name,
            "--players",
            &format!("{name} 1;{name} 2"),
        ]);
    }
    event.done(&[
        "event", "request", "@", "forbid", "Alne", "--other", "Bedale",
    ]);
    event.done(&["event", "request", "@", "half-bye", "Dent", "--round", "2"]);
    for round in 1..=5 {
        event.done(&["pair", "next", "@"]);
        let open = event.run(&["pair", "next", "@"]);
        assert_eq!(
            open.status.code(),
            Some(2),
            "round {round} has no results yet"
        );
        let shown = event.json(&["pair", "show", "@", "--json"]);
        for this in shown["matches"].as_array().unwrap() {
            let number = |key: &str| this[key].as_u64().unwrap();
            let stronger = number("white") < number("black");
            let (result, score) = if stronger {
                ("1-0", "2-0")
            } else {
                ("0-1", "0-1")
            };
            event.done(&[
                "result",
                "@",
                &round.to_string(),
                &number("table").to_string(),
                result,
                "--score",
                score,
            ]);
        }
    }
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    let round2 = event.json(&["pair", "show", "@", "--round", "2", "--json"]);
    let byes: Vec<_> = round2["byes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bye| bye["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(byes, ["bye", "half-bye"]);
    let alone = event.done(&["pair", "explain", "@", "--round", "3", "Alne"]);
    assert!(alone.contains("Alne"));
    assert_eq!(
        event.done(&["pair", "explain", "@", "--round", "3", "--team", "Alne"]),
        alone
    );
    assert!(
        event
            .done(&["pair", "explain", "@", "--round", "1", "Alne", "Bedale"])
            .contains("regulation")
    );
    let standings = event.done(&["standings", "@"]);
    assert!(
        standings.starts_with("Final standings") && standings.contains("Alne"),
        "{standings}"
    );
    let report = event.done(&["event", "export", "@"]);
    assert!(
        report.contains("192 FIDE_TEAM") && report.contains("\n320") && report.contains("\n260")
    );
}

/// The other systems run round by round, with nothing wrong at the end.
#[test]
fn every_system_runs_to_its_end() {
    for (system, extra) in [
        ("scheveningen", &["--of", "players"][..]),
        ("knockout", &["--of", "players"]),
        ("round-robin", &["--of", "players"]),
        ("molter", &["--rounds", "3", "--boards", "2"]),
        ("hutton", &["--boards", "3"]),
    ] {
        let event = EventFolder::new();
        event.done(
            &[
                &["event", "new", "@", "--game", "olympic", "--system", system][..],
                extra,
            ]
            .concat(),
        );
        if extra.contains(&"players") {
            let rows: String = (1..=6)
                .map(|id| format!("{id},{},Player {id}\n", (id + 2) / 3))
                .collect();
            let players = event.beside("players.csv");
            fs::write(&players, format!("id,team,name\n{rows}")).unwrap();
            event.done(&["event", "import", "@", "--players", &players]);
        } else {
            for (name, players) in &TEAMS[..4] {
                event.done(&["event", "enter", "@", name, "--players", players]);
            }
        }
        while event.run(&["pair", "next", "@"]).status.success() {
            let shown = event.json(&["pair", "show", "@", "--json"]);
            let round = shown["round"].to_string();
            for this in shown["matches"].as_array().unwrap() {
                event.done(&["result", "@", &round, &this["table"].to_string(), "1-0"]);
            }
        }
        assert_eq!(
            event.done(&["event", "check", "@"]),
            "no errors found\n",
            "{system}"
        );
        assert!(
            event
                .done(&["standings", "@"])
                .starts_with("Final standings"),
            "{system}"
        );
    }
}

/// Sixteen processes at once: each waits for the others, and no change is lost.
#[test]
fn sixteen_writers_lose_nothing() {
    let event = EventFolder::with(&["--of", "players"]);
    let names: Vec<String> = (0..16).map(|number| format!("Player {number}")).collect();
    let children: Vec<_> = names
        .iter()
        .map(|name| {
            tool()
                .args(["event", "enter", &event.event, name])
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let mut entered: Vec<String> = event
        .event()
        .players
        .iter()
        .map(|player| player.name.line())
        .collect();
    entered.sort();
    let mut wanted = names;
    wanted.sort();
    assert_eq!(entered, wanted);
    assert_eq!(event.done(&["event", "log", "@"]).lines().count(), 17);
}

fn trf() -> Vec<u8> {
    let mut text = String::from(
        "012 Cup\n092 Chess\n142 2\n192 FIDE_TEAM\n352 WB\n162  W 1.0    D 0.5    L 0.0\n",
    );
    for (number, rounds) in [
        (1, "   3 w 1     5 b ="),
        (2, "   4 b 0     6 w +"),
        (3, "   1 b 0  0000 - Z"),
        (4, "   2 w 1"),
        (5, "0000 - U     1 w ="),
        (6, "             2 b -"),
    ] {
        text.push_str(&format!(
            "001 {number:>4} m    {:<33} 1800 ENG     1234567 1990/01/01  1.0    1  {rounds}\n",
            format!("Player, {number}")
        ));
    }
    text.push_str("240 Z 002 0002\n250  2.0      001 002 0001 0002\n260 001 002 0001 0003\n299 W   2.0   1.5  001 0001\n320  1.0  1.0 003\n330 +- 002 001 003\n");
    for (number, members) in [(1, "   1    2"), (2, "   3    4"), (3, "   5    6")] {
        text.push_str(&format!(
            "310 {number:>3} {:<32} {:<5} {:>6} {:>6} {:>6} {:>3}  {members}\n",
            format!("Team {number}"),
            "",
            "",
            "2.0",
            "1.5",
            number
        ));
    }
    text.push_str("NRS    1 something\n### a comment\n");
    text.into_bytes()
}

#[test]
fn reports_of_others_are_read_and_written_again() {
    let read = Trf::read("a.trf", &trf()).unwrap();
    assert_eq!(
        (read.players.len(), read.teams.len(), read.rounds()),
        (6, 3, 2)
    );
    assert_eq!(read.others, ["NRS    1 something"]);
    assert_eq!(read.teams[1].members, [3, 4]);
    assert_eq!(read.byes.as_ref().unwrap().teams, [Some(TeamNo::new(3))]);
    let written = read.write(Edition::Of2026);
    assert_eq!(Trf::read("b.trf", written.as_bytes()).unwrap(), read);
    let again = written.replace('\n', "\r");
    assert_eq!(Trf::read("c.trf", again.as_bytes()).unwrap(), read);
    let event = overboard_events::trf::event(&read, "a.trf").unwrap();
    assert_eq!(
        (event.teams.len(), event.rounds.len(), event.settings.boards),
        (3, 2, 2)
    );
    assert_eq!(event.rounds[0].matches.len(), 1);
    // Column names must be exact; words in cells may vary.
    let fault = |from: &str, to: &str| {
        let text = String::from_utf8(trf()).unwrap().replacen(from, to, 1);
        Trf::read("a.trf", text.as_bytes()).unwrap_err().to_string()
    };
    assert_eq!(
        fault("3 w 1", "3 x 1"),
        "a.trf:7:97: expected w, b or - in column 97, found `x`"
    );
    assert_eq!(
        fault("3 w 1", "9 w 1"),
        "a.trf:7:92: round 1: no player has the start number 9"
    );
    assert_eq!(
        fault("240 Z 002", "240 Q 002"),
        "a.trf:13:5: expected F, H or Z in column 5, found `Q`"
    );
    assert!(
        fault("1800", "18x0")
            .starts_with("a.trf:7:49: expected a rating in columns 49-52, found `18x0`")
    );
}

/// However the bytes are mutated, nothing panics, and whatever can be read can be written and read again.
#[test]
fn mutated_files_never_panic() {
    let whole = trf();
    let mut chance = Chance::seeded(11);
    let table = b"table,board,white,black,result,white_score,black_score,source\n1,,1,2,1-0,2,1,\n1,1,1,2,,,,\n,,3,,bye,,,\n".to_vec();
    let settings = b"name = \"Cup\"\ngame = \"StrategiChess\"\nsystem = \"round-robin\"\nparticipants = \"teams\"\nscoring = \"kings\"\nboards = 3\n".to_vec();
    let roster =
        b"number,name,short,group,captain,strength\n1,Leeds,,,,2000\n2,York,,,,\n3,Hull,,,,\n"
            .to_vec();
    let own = b"round,games\n1,1-2  (3)\n2,3-1 (2)\n3,2-3\n3,(1)\n";
    for _ in 0..tries(2000) {
        let bytes = mutated(&whole, &mut chance);
        if let Ok(read) = Trf::read("a.trf", &bytes) {
            let written = read.write(Edition::Of2026);
            let _ = Trf::read("b.trf", written.as_bytes());
            let _ = overboard_events::trf::event(&read, "a.trf")
                .map(|event| (event.check(), Trf::from(&event)));
        }
        let mut files = Files::from([
            ("event.toml".to_owned(), settings.clone()),
            ("teams.csv".to_owned(), roster.clone()),
            ("rounds/01.csv".to_owned(), table.clone()),
            ("table.csv".to_owned(), own.to_vec()),
        ]);
        let names: Vec<String> = files.keys().cloned().collect();
        let name = &names[chance.below(names.len())];
        let changed = mutated(&files[name], &mut chance);
        files.insert(name.clone(), changed);
        if let Ok(event) = Event::read(&files) {
            let _ = (
                event.check(),
                event.next_round(),
                Trf::from(&event).write(Edition::Of2016),
            );
        }
    }
}
