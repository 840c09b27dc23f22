//! Sums, legends and performances in tables and on pages of events.

use crate::event_folder::EventFolder;
use std::{fs, path::Path};

/// In a Scheveningen event with kings, cells and sums are of the same score, and the table says which.
#[test]
fn cells_and_sums_of_groups_are_of_one_score() {
    let event = EventFolder::with(&[
        "--game",
        "strategichess",
        "--boards",
        "3",
        "--system",
        "scheveningen",
    ]);
    for (name, group) in [
        ("Leeds", "North"),
        ("Dover", "South"),
        ("York", "North"),
        ("Hove", "South"),
    ] {
        event.done(&[
            "event",
            "enter",
            "@",
            name,
            "--group",
            group,
            "--players",
            "Ann;Bob;Cy",
        ]);
    }
    event.done(&["pair", "next", "@", "--all"]);
    for round in ["1", "2"] {
        event.done(&["result", "@", round, "1: 1-0 2-1; 2: = 1-1"]);
    }
    let csv = event.done(&["standings", "@", "--groups", "--to", "csv"]);
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    // Each row of a member: number, name, two cells, sum.
    for row in &rows[1..3] {
        let points: Vec<f64> = row[2..5].iter().map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(points[0] + points[1], points[2], "{csv}");
        // Two match points for a win, one for a draw; never the two kings of a winner against one.
        assert!(
            points[..2]
                .iter()
                .all(|cell| [0.0, 1.0, 2.0].contains(cell)),
            "{csv}"
        );
    }
    let html = event.done(&["standings", "@", "--groups", "--to", "html"]);
    assert!(
        html.contains("Cells and sums: match points, in parentheses above: kings"),
        "{html}"
    );
    assert!(html.contains("<th scope=\"col\""), "{html}");
    let html = event.done(&["standings", "@", "--crosstable", "--to", "html"]);
    assert!(html.contains(": kings; f is a forfeit"), "{html}");
}

/// A Swiss of two rounds with ratings.
fn rated() -> (EventFolder, String) {
    let event = EventFolder::with(&["--of", "players", "--system", "round-robin"]);
    for (name, rating) in [
        ("Ann", "2000"),
        ("Bob", "1800"),
        ("Cy", "1900"),
        ("Di", "1700"),
    ] {
        event.done(&["event", "enter", "@", name, "--rating", rating]);
    }
    event.done(&["pair", "next", "@", "--all"]);
    for (round, sheet) in (1..).zip(&event.event().rounds) {
        for this in &sheet.matches {
            // The lower number wins, except that Bob and Cy draw.
            let pair = [this.white.get(), this.black.get()];
            let result = match (pair.contains(&2) && pair.contains(&3), pair[0] < pair[1]) {
                (true, _) => "=",
                (false, true) => "1-0",
                (false, false) => "0-1",
            };
            event.done(&[
                "result",
                "@",
                &round.to_string(),
                &this.table.to_string(),
                result,
            ]);
        }
    }
    let site = event.beside("site");
    event.done(&["event", "publish", "@", &site]);
    (event, site)
}

/// The front page begins with the leaders and the newest round; players have their sum, the ratings of their opponents and
/// a performance; the cross table has sums.
#[test]
fn pages_have_leaders_sums_and_performances() {
    let (event, site) = rated();
    let page = |name: &str| fs::read_to_string(Path::new(&site).join(name)).unwrap();
    let index = page("index.html");
    let at = |text: &str| {
        index
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {index}"))
    };
    assert!(
        at(">Ann<") < at("Round 3")
            && at("Round 3") < at("Round 2")
            && at("Round 2") < at("Round 1")
    );
    assert!(
        index.contains("<caption>") && index.contains("scope=\"col\""),
        "{index}"
    );
    // By hand: Ann has 3 of 3 against 1800, 1900 and 1700, a mean of 1800; with 100 % the performance is 800 more.
    let ann = page("player-1.html");
    assert!(
        ann.contains(
            "Points: 3, 3 games played · mean rating of the opponents 1800 · performance 2600"
        ),
        "{ann}"
    );
    // Bob has 1.5 of 3 against 2000, 1900 and 1700, a mean of 1866.67, rounded to 1867; with 50 % that is the performance.
    let bob = page("player-2.html");
    assert!(
        bob.contains(
            "Points: 1.5, 3 games played · mean rating of the opponents 1867 · performance 1867"
        ),
        "{bob}"
    );
    assert!(bob.contains("<td class=\"number\">1900</td>"), "{bob}");
    let cross = event.done(&["standings", "@", "--crosstable", "--to", "csv"]);
    let row = cross
        .lines()
        .rev()
        .find(|line| line.contains(",Ann,"))
        .unwrap();
    assert_eq!(row.split(',').next_back(), Some("3"), "{cross}");
    // A bye is in words that the public knows.
    let event = EventFolder::with(&["--of", "players", "--system", "by-hand", "--rounds", "2"]);
    for name in ["Ann", "Bob", "Cy"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["event", "request", "@", "zero-bye", "Cy"]);
    event.done(&["pair", "set", "@", "1", "1-2"]);
    let shown = event.done(&["pair", "show", "@"]);
    assert!(
        shown.contains("not paired") && !shown.contains("zero-bye"),
        "{shown}"
    );
}

/// The players of teams are ranked by any tie-break.
#[test]
fn players_of_teams_have_performances() {
    let event = EventFolder::with(&["--boards", "1"]);
    let players = event.beside("players.csv");
    fs::write(&players, "player,team,elo\nAnn,Leeds,2000\nBob,York,1800\n").unwrap();
    event.done(&["event", "import", "@", "--players", &players]);
    event.done(&["pair", "next", "@"]);
    let white = event.event().rounds[0].matches[0].boards[0].white;
    event.done(&[
        "result",
        "@",
        "1",
        "1",
        if white == Some(1) { "1-0" } else { "0-1" },
        "--board",
        "1",
    ]);
    let csv = event.done(&[
        "standings",
        "@",
        "--players",
        "--tie-breaks",
        "TPR,ARO",
        "--to",
        "csv",
    ]);
    // A win against 1800, and a loss against 2000: 800 more, 800 less.
    for row in [
        "Ann (Leeds),1,0,0,1,2600,1800",
        "Bob (York),0,0,1,0,1200,2000",
    ] {
        assert!(csv.contains(row), "{csv}");
    }
}

/// Ids that a report has no room for are short in it, and come back from its comments.
#[test]
fn large_ids_come_back_from_reports() {
    let event = EventFolder::with(&["--boards", "2", "--system", "swiss-team", "--rounds", "2"]);
    let players = event.beside("players.csv");
    fs::write(
        &players,
        "id,player,team\n700123,Ann,Leeds\n9,Bob,Leeds\n12000345,Cy,York\n700124,Di,York\n",
    )
    .unwrap();
    event.done(&["event", "import", "@", "--players", &players]);
    event.done(&["pair", "next", "@"]);
    event.done(&["result", "@", "1", "1: 1-0 ="]);
    let report = event.beside("a.trf");
    for edition in ["16", "26"] {
        event.done(&["event", "export", "@", "--trf", edition, "--out", &report]);
        let copy = event.beside(edition);
        event.done(&["event", "import", &copy, "--trf", &report]);
        for file in ["players.csv", "rounds/01.csv", "teams.csv"] {
            assert_eq!(
                fs::read_to_string(Path::new(&copy).join(file)).unwrap(),
                event.read(file)
            );
        }
    }
    event.done(&["event", "export", "@", "--plain", "--out", &report]);
    let text = fs::read_to_string(&report).unwrap();
    let numbers: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("001"))
        .map(|line| line[4..8].trim())
        .collect();
    assert_eq!(numbers, ["1", "2", "3", "4"]);
}
