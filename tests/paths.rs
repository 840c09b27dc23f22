//! Five events from the first command to the last, as an organiser would run them: the five examples of docs/events.md.
//! Commands and keystrokes are counted, and are those that the page names.

use crate::{
    event_folder::EventFolder,
    run::{overboard, printed},
    walked::Organiser,
};
use overboard_schedules::ids::TeamNo;
use std::{fs, path::Path};

/// The moves of a game on three boards, with the time at each: after twenty minutes White has three kings, and Black
/// two.
fn linked_moves() -> (String, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/linked.npgn");
    let text = fs::read_to_string(path).unwrap();
    let moves = text
        .split_once("\n\n")
        .unwrap()
        .1
        .trim()
        .trim_end_matches("1-0")
        .to_owned();
    // Before the first king falls, all are there.
    let level = moves.split("5B. Nxh12").next().unwrap().to_owned();
    (moves, level)
}

/// The headers of records that `event cards --npgn` prints.
fn heads_in(text: &str) -> Vec<&str> {
    let heads = text.split("\n*\n").map(str::trim);
    heads.filter(|head| !head.is_empty()).collect()
}

/// The score-sheets of a round, one file for each board, as players hand them in.
fn sheets_of(organiser: &Organiser, round: u32) -> Vec<String> {
    let (decided, level) = linked_moves();
    let heads = organiser.event.done(&[
        "event",
        "cards",
        "@",
        "--round",
        &round.to_string(),
        "--npgn",
    ]);
    let mut records = String::new();
    for (index, head) in heads_in(&heads).iter().enumerate() {
        let moves = if (index + round as usize).is_multiple_of(3) {
            &level
        } else {
            &decided
        };
        records.push_str(&format!("{head}\n\n{moves} *\n\n"));
    }
    let whole = organiser.event.beside(&format!("whole{round}.npgn"));
    fs::write(&whole, records).unwrap();
    let (text, code) = printed(&overboard(&["unbundle", &whole]));
    assert_eq!(code, 0, "{text}");
    let mut files = Vec::new();
    for (number, sheet) in text.split("[Event ").skip(1).enumerate() {
        let file = organiser
            .event
            .beside(&format!("sheet{round}-{number}.npgn"));
        fs::write(&file, format!("[Event {sheet}")).unwrap();
        files.push(file);
    }
    // In no particular order.
    let middle = files.len() / 2;
    files.rotate_left(middle);
    files
}

/// A round robin of eight teams of StrategiChess on three boards, with results from the players' sheets.
#[test]
fn a_round_robin_of_strategichess_from_sheets() {
    let o = Organiser::new();
    o.types(&[
        "event",
        "new",
        "@",
        "--game",
        "strategichess",
        "--boards",
        "3",
        "--rules",
        "edition=2003",
    ]);
    for team in [
        "Leeds", "York", "Hull", "Ripon", "Selby", "Thirsk", "Whitby", "Malton",
    ] {
        let players = ["Ann", "Bob", "Cy"]
            .map(|name| format!("{name} {}", &team[..2]))
            .join(";");
        o.types(&[
            "event",
            "enter",
            "@",
            team,
            "--players",
            &players,
            "--captain",
            &format!("Dee {}", &team[..2]),
        ]);
    }
    o.types(&["event", "lots", "@", "--seed", "7"]);
    o.types(&["pair", "next", "@", "--all"]);
    for round in 1..=7_u32 {
        let number = round.to_string();
        let page = o.event.beside("sheets.html");
        o.types(&[
            "event", "cards", "@", "--round", &number, "--sheets", "--out", &page,
        ]);
        assert!(fs::read_to_string(page).unwrap().contains("” send ____"));
        let sheets = sheets_of(&o, round);
        // Three boards for each match, and a sheet about the match as a whole.
        assert_eq!(sheets.len(), 16);
        let bundled = o.event.beside(&format!("round{round}.npgn"));
        // A shell expands the names of the files: `bundle sheet1-*`.
        o.count(&["bundle", &format!("sheet{round}-*"), "--output", &bundled]);
        let mut line = vec!["bundle"];
        line.extend(sheets.iter().map(String::as_str));
        line.extend(["--output", &bundled]);
        o.event.done(&line);
        let words = o.types(&[
            "result", "@", &number, "--from", &bundled, "--expiry", "0:20:00",
        ]);
        assert!(
            words.contains("round") && !words.contains("not taken"),
            "{words}"
        );
        let event = o.event.event();
        assert_eq!(event.open_matches(round as usize), 0);
    }
    // Table 2 of round 3 was not a win: the arbiter saw a king still standing.
    let refused = o
        .event
        .refused(&["result", "@", "3", "2", "1/2-1/2", "--score", "3-3"], 2);
    assert!(refused.contains("--correct"), "{refused}");
    o.types(&[
        "result",
        "@",
        "3",
        "2",
        "1/2-1/2",
        "--score",
        "3-3",
        "--correct",
    ]);
    // And York did not come in round 7.
    let event = o.event.event();
    let york = event.find("York").unwrap();
    let this = event.rounds[6].of(york).unwrap().clone();
    let lost = if this.white == york { "0-1f" } else { "1-0f" };
    o.types(&[
        "result",
        "@",
        "7",
        &this.table.to_string(),
        lost,
        "--correct",
    ]);
    o.is_in_order();
    let shown = o.types(&["standings", "@", "--crosstable"]);
    assert!(shown.starts_with("Final standings"), "{shown}");
    let site = o.event.beside("site");
    o.types(&["event", "publish", "@", &site]);
    let event = o.event.event();
    let kings: i32 = event
        .rounds
        .iter()
        .flat_map(|round| &round.matches)
        .filter_map(|this| event.outcome(this)?.tally)
        .map(|[white, black]| white.0 + black.0)
        .sum();
    // 28 matches: 3-2 where a king fell, 3-3 where none did, 3-0 for the one that was not played.
    let level = (1..=7)
        .map(|round: usize| {
            (0..4)
                .filter(|index| (index + round).is_multiple_of(3))
                .count()
        })
        .sum::<usize>();
    assert!(
        (28 * 50 + level as i32 * 10 - 30..=28 * 50 + level as i32 * 10 + 10).contains(&kings),
        "{kings}"
    );
    o.is_on_the_page("A round robin of eight StrategiChess teams, with score-sheets");
}

/// Results of a round as lines: the better number wins most boards.
fn lines(o: &Organiser, round: usize) -> String {
    let event = o.event.event();
    let mut text = String::new();
    for this in event.rounds[round - 1]
        .matches
        .iter()
        .filter(|this| event.outcome(this).is_none())
    {
        let better = this.white < this.black;
        let boards = match (usize::from(better) + this.white.index() + round) % 4 {
            0 => "1-0 = = 1-0",
            1 => "0-1 1-0 = 0-1",
            2 => "1-0 0-1 = =",
            _ => "= 1-0 0-1 0-1",
        };
        text.push_str(&format!("{}: {boards}\n", this.table));
    }
    text
}

/// Tables of 36 teams and their players, as they come from the federation.
fn lists(o: &Organiser) -> [String; 2] {
    let (mut teams, mut players) = (
        "number;name;group;strength\n".to_owned(),
        "id;team;board;name;rating\n".to_owned(),
    );
    for team in 1..=36 {
        teams.push_str(&format!(
            "{team};Team {team};{};{}\n",
            ["Leeds", "York", "Hull"][team % 3],
            2400 - 20 * team
        ));
        for board in 1..=5 {
            let id = (team - 1) * 5 + board;
            players.push_str(&format!(
                "{id};{team};{board};Player {team}-{board};{}\n",
                2500 - 20 * team - 10 * board
            ));
        }
    }
    let files = ["teams.csv", "players.csv"].map(|name| o.event.beside(name));
    fs::write(&files[0], teams).unwrap();
    fs::write(&files[1], players).unwrap();
    files
}

/// After round 6 of the Swiss, each mistake is put right with one command.
fn put_mistakes_right(o: &Organiser) {
    let event = o.event.event();
    let ninth = event.find("Team 9").unwrap();
    let table = event.rounds[5].of(ninth).unwrap().table.to_string();
    // A game is not over, and another result was entered the wrong way round.
    o.types(&["result", "@", "6", &table, "--board", "2", "--clear"]);
    o.types(&["result", "@", "6", &table, "=", "--board", "2"]);
    let whole = format!("{table}: 0-1 = = 1-0");
    o.types(&[
        "result",
        "@",
        "6",
        &whole,
        "--correct",
        "--by",
        "Dee",
        "--reason",
        "cards swapped",
    ]);
    // On board 4 sat somebody who was never entered.
    o.types(&[
        "event", "enter", "@", "Newcomer", "--team", "Team 9", "--board", "4",
    ]);
    o.types(&[
        "pair",
        "lineup",
        "@",
        "6",
        "Team 9",
        "Player 9-1",
        "Player 9-2",
        "Player 9-3",
        "Newcomer",
        "--correct",
    ]);
    // A bye was none for half a point; a requested one and a withdrawal are cancelled.
    for kind in ["zero-bye", "half-bye"] {
        o.types(&[
            "event",
            "request",
            "@",
            kind,
            "Team 8",
            "--round",
            "2",
            "--correct",
        ]);
    }
    o.types(&[
        "event", "request", "@", "half-bye", "Team 11", "--round", "7",
    ]);
    o.types(&[
        "event",
        "request",
        "@",
        "half-bye",
        "Team 11",
        "--take-back",
    ]);
    o.types(&["event", "request", "@", "withdraw", "Team 12"]);
    o.types(&[
        "event",
        "request",
        "@",
        "withdraw",
        "Team 12",
        "--take-back",
    ]);
    // Round 4 stays as it was paired before a correction, which is a note.
    assert_eq!(printed(&o.event.run(&["event", "check", "@"])).1, 0);
}

/// Thirty-six teams, seven rounds, and everything that goes wrong at such events.
#[test]
fn a_swiss_of_thirty_six_teams_with_every_mishap() {
    let o = Organiser::new();
    o.types(&[
        "event",
        "new",
        "@",
        "--system",
        "swiss-team",
        "--rounds",
        "7",
        "--boards",
        "4",
    ]);
    let [teams, players] = lists(&o);
    o.types(&[
        "event",
        "import",
        "@",
        "--teams",
        &teams,
        "--players",
        &players,
    ]);
    o.types(&["event", "set", "@", "board-order", "free"]);
    o.types(&["event", "lots", "@", "--initial", "--seed", "3"]);
    o.types(&[
        "event", "request", "@", "forbid", "Team 1", "--other", "Team 19",
    ]);
    o.types(&[
        "event", "request", "@", "half-bye", "Team 8", "--round", "2",
    ]);
    let results = |round: usize| {
        let file = o.writes(&format!("round{round}.txt"), &lines(&o, round));
        o.types(&["result", "@", &round.to_string(), "--lines", &file]);
    };
    // Round 1: number 1 does not meet 19. Two players of a team swap boards, one player sits out, one does not come.
    o.types(&["pair", "next", "@"]);
    o.types(&[
        "pair",
        "lineup",
        "@",
        "1",
        "Team 5",
        "Player 5-2",
        "Player 5-1",
        "-",
        "Player 5-5",
    ]);
    let fifth = o.event.event().find("Team 5").unwrap();
    let own = o.event.event().rounds[0].of(fifth).unwrap().clone();
    // Nobody sits on board 3, so only a forfeit is possible there.
    let lost = if own.white == fifth { "0-1f" } else { "1-0f" };
    let refused = o.event.refused(
        &["result", "@", "1", &format!("{}: 1-0 = 1-0 =", own.table)],
        2,
    );
    assert!(refused.contains(" has no player there, so"), "{refused}");
    o.types(&[
        "result",
        "@",
        "1",
        &format!("{}: 1-0 = {lost} =", own.table),
    ]);
    o.types(&["result", "@", "1", "2: 0-1f; 3: 1-0 0-1f = 1-0"]);
    results(1);
    // The wrong round was pasted: it is undone at once as a whole, and entered again.
    o.types(&["event", "undo", "@"]);
    o.types(&["event", "redo", "@"]);
    o.is_in_order();
    // Round 2: a late entry makes the number of teams odd; the arbiter moves a team by hand.
    o.types(&[
        "event",
        "enter",
        "@",
        "Latecomers",
        "--players",
        "Zoe;Yan;Xia;Wim",
        "--round",
        "2",
    ]);
    o.types(&["pair", "next", "@"]);
    let event = o.event.event();
    let [one, two] = [&event.rounds[1].matches[15], &event.rounds[1].matches[16]];
    let set = [
        format!("{}-{}", one.white, two.black),
        format!("{}-{}", two.white, one.black),
    ];
    let said = o.types(&["pair", "set", "@", "2", &set[0], &set[1]]);
    assert!(said.contains("note: round 2"), "{said}");
    o.types(&["event", "undo", "@"]);
    results(2);
    // Round 3: paired too early, taken back, a withdrawal, paired again. A penalty.
    o.types(&["pair", "next", "@"]);
    o.types(&["event", "cancel", "@", "3"]);
    o.types(&["event", "request", "@", "withdraw", "Team 30"]);
    o.types(&["pair", "next", "@"]);
    o.types(&[
        "event",
        "request",
        "@",
        "penalty",
        "Team 7",
        "--round",
        "3",
        "--match-points=-1",
    ]);
    // Neither team came to table 4.
    o.types(&["result", "@", "3", "4: 0-0f"]);
    results(3);
    // Round 4: a result of round 3 was wrong, and round 4 is already paired.
    o.types(&["pair", "next", "@"]);
    let event = o.event.event();
    let wrong = event.rounds[2].matches[0].table;
    let said = o.types(&[
        "result",
        "@",
        "3",
        &format!("{wrong}: 0-1 0-1 0-1 0-1"),
        "--correct",
    ]);
    assert!(said.contains("round 4"), "{said}");
    assert!(
        o.event
            .done(&["pair", "check", "@"])
            .contains("no errors in the pairings")
    );
    assert_eq!(printed(&o.event.run(&["event", "check", "@"])).1, 0);
    results(4);
    // Round 5: the report goes to the federation and comes back unchanged.
    let report = o.event.beside("report.trf");
    o.types(&["event", "export", "@", "--out", &report]);
    let copy = o.event.beside("copy");
    o.types(&["event", "import", &copy, "--trf", &report]);
    for line in [&["standings"][..], &["pair", "show"]] {
        let of = |folder: &str| {
            let (text, code) = printed(&overboard(&[line, &[folder]].concat()));
            assert_eq!(code, 0, "{text}");
            text
        };
        assert_eq!(of(&copy), of(&o.event.event), "{line:?}");
    }
    for round in 5..=7 {
        o.types(&["pair", "next", "@"]);
        if round == 5 {
            let why = o.types(&["pair", "explain", "@", "Team 1", "Team 2"]);
            assert!(why.contains('('), "{why}");
        }
        results(round);
        if round == 6 {
            put_mistakes_right(&o);
        }
        let site = o.event.beside("site");
        o.types(&["event", "publish", "@", &site]);
    }
    assert!(
        o.event
            .refused(&["pair", "next", "@"], 2)
            .contains("all 7 rounds")
    );
    let (said, code) = printed(&o.event.run(&["pair", "check", "@"]));
    assert!(
        code == 0 && said.contains("no errors in the pairings"),
        "{said}"
    );
    let shown = o.types(&["standings", "@"]);
    assert!(
        shown.starts_with("Final standings") && shown.contains("Latecomers"),
        "{shown}"
    );
    o.types(&["standings", "@", "--why", "Team 3", "Team 4"]);
    let packed = o.event.beside("cup.json");
    o.types(&["event", "pack", "@", "--out", &packed]);
    // No pair met twice, and numbers 1 and 19 never met.
    let event = o.event.event();
    let mut met = std::collections::BTreeSet::new();
    for this in event.rounds.iter().flat_map(|round| &round.matches) {
        let played = event.outcome(this).is_some_and(|outcome| outcome.played);
        let pair = (this.white.min(this.black), this.white.max(this.black));
        assert!(!played || met.insert(pair), "{pair:?}");
        assert_ne!(pair, (TeamNo::new(1), TeamNo::new(19)));
    }
    o.is_on_the_page("A Swiss of 36 teams");
}

/// Six against six, and the score of A against B.
#[test]
fn a_scheveningen_match_of_two_clubs() {
    let o = Organiser::new();
    o.types(&[
        "event",
        "new",
        "@",
        "--of",
        "players",
        "--system",
        "scheveningen",
    ]);
    for (index, name) in [
        "Ann", "Bob", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy", "Jo", "Kim", "Lou",
    ]
    .iter()
    .enumerate()
    {
        o.types(&[
            "event",
            "enter",
            "@",
            name,
            "--group",
            ["A", "B"][index % 2],
        ]);
    }
    o.types(&["pair", "next", "@", "--all"]);
    let event = o.event.event();
    let mut points = [0, 0];
    for (round, sheet) in event.rounds.iter().enumerate() {
        let mut line = String::new();
        for this in &sheet.matches {
            let (result, white) =
                [("1-0", 10), ("=", 5), ("0-1", 0)][(this.table as usize + round) % 3];
            line.push_str(&format!(
                "{}{}: {result}",
                if line.is_empty() { "" } else { "; " },
                this.table
            ));
            // Group A has the odd numbers.
            let of_white = usize::from(this.white.get() % 2 == 0);
            points[of_white] += white;
            points[1 - of_white] += 10 - white;
        }
        if round == 3 {
            let shown = o.types(&["standings", "@", "--groups"]);
            assert!(
                shown.lines().next().unwrap().ends_with(" B, unfinished"),
                "{shown}"
            );
        }
        o.types(&["result", "@", &(round + 1).to_string(), &line]);
    }
    o.is_in_order();
    let reported = o.event.json(&["standings", "@", "--groups", "--json"]);
    let score =
        |group: usize| (reported["groups"][group]["match_points"].as_f64().unwrap() * 10.0) as i32;
    assert_eq!([score(0), score(1)], points);
    assert_eq!(
        (points[0] + points[1], reported["open"].as_u64()),
        (360, Some(0))
    );
    assert_eq!(
        reported["groups"][0]["members"],
        serde_json::json!([1, 3, 5, 7, 9, 11])
    );
    // A row for each player of A, a column for each of B, with the sums of both.
    let shown = o.types(&["standings", "@", "--groups"]);
    let half = |tenths: i32| format!("{}", f64::from(tenths) / 10.0);
    assert!(
        shown.starts_with(&format!("A {} – {} B\n", half(points[0]), half(points[1]))),
        "{shown}"
    );
    let rows: Vec<&str> = shown.lines().skip(2).collect();
    assert!(
        rows[0].contains("A \\ B") && rows[0].contains("Bob") && rows[0].ends_with("sum"),
        "{shown}"
    );
    assert_eq!(rows.len(), 8, "{shown}");
    let site = o.event.beside("site");
    o.types(&["event", "publish", "@", &site]);
    let page = fs::read_to_string(Path::new(&site).join("groups.html")).unwrap();
    assert!(page.contains(&format!("A {} – {} B", half(points[0]), half(points[1]))));
    // Only in a Scheveningen event does one group meet another.
    let other = EventFolder::with(&["--of", "players"]);
    assert!(
        other
            .refused(&["standings", "@", "--groups"], 2)
            .contains("Scheveningen")
    );
    o.is_on_the_page("Two clubs, six against six");
}

/// Four teams of Overchess, with roles, a call sheet during the games, and results from their records.
#[test]
fn a_friendly_of_overchess_with_roles_and_calls() {
    let o = Organiser::new();
    o.types(&[
        "event",
        "new",
        "@",
        "--game",
        "overchess",
        "--lieutenants",
        "by-type",
        "--scoring",
        "subgames",
    ]);
    for team in ["Leeds", "York", "Hull", "Ripon"] {
        let letter = &team[..1];
        let lieutenants: String = ["Bob", "Cy", "Di", "Ed", "Flo"]
            .map(|name| format!(";lieutenant={name} {letter}"))
            .concat();
        o.types(&[
            "event",
            "enter",
            "@",
            team,
            "--players",
            &format!("commander=Ann {letter}{lieutenants}"),
        ]);
    }
    o.types(&["pair", "next", "@", "--all"]);
    for round in 1..=3_u32 {
        let number = round.to_string();
        let cards = o.event.beside("cards.html");
        o.types(&["event", "cards", "@", "--round", &number, "--out", &cards]);
        assert!(
            fs::read_to_string(cards)
                .unwrap()
                .contains("who leads what")
        );
        let heads = o.event.beside("heads.npgn");
        o.types(&[
            "event", "cards", "@", "--round", &number, "--npgn", "--out", &heads,
        ]);
        let heads = fs::read_to_string(heads).unwrap();
        let heads = heads_in(&heads);
        assert_eq!(heads.len(), 2);
        let tag = |head: &str, name: &str| {
            head.split(&format!("[{name} \""))
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap()[..1]
                .to_owned()
        };
        // The games so far: a sub-game is in progress at table 1, an attack was just made at table 2.
        let mut files = Vec::new();
        for (index, head) in heads.iter().enumerate() {
            let (white, black) = (tag(head, "WhiteTeam"), tag(head, "BlackTeam"));
            let players = format!("[White \"Bob {white}\"] [Black \"Bob {black}\"]");
            let won = format!(
                "1. e4 d5 2. exd5 <d5: {players} 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 1-0>"
            );
            let moves = [
                format!("{won} 2... Qxd5"),
                format!("1. e4 d5 2. exd5 <d5: {players} 1. e4 *>"),
            ];
            let file = o.event.beside(&format!("table{}.npgn", index + 1));
            fs::write(&file, format!("{head}\n\n{} *\n", moves[index])).unwrap();
            files.push((file, head, won));
        }
        let sheet = o.types(&[
            "event",
            "calls",
            "@",
            "--round",
            &number,
            &files[0].0,
            &files[1].0,
        ]);
        assert!(
            sheet.contains("set-up is due")
                && sheet.contains("has set up")
                && sheet.contains("to move"),
            "{sheet}"
        );
        assert!(
            sheet.contains("8P2R2N1B1Q") && !sheet.contains("no record"),
            "{sheet}"
        );
        // Black resigns, and the record is read.
        for (file, head, won) in &files {
            let head = head.replace("[Result \"*\"]", "[Result \"1-0\"]");
            fs::write(
                file,
                format!("{head}\n\n{won} 2... a6 {{[%resign B]}} 1-0\n"),
            )
            .unwrap();
        }
        let taken = o.types(&["result", "@", &number, "--from", &files[0].0, &files[1].0]);
        assert!(
            taken.contains("table 1: 1-0 (1-0)") && taken.contains("table 2: 1-0 (1-0)"),
            "{taken}"
        );
        let sheet = o.event.done(&["event", "calls", "@", "--round", &number]);
        assert!(sheet.contains("table 2: the match has a result"), "{sheet}");
    }
    o.is_in_order();
    assert!(o.types(&["standings", "@"]).starts_with("Final standings"));
    o.is_on_the_page("An Overchess friendly with roles");
}

/// Eight teams, a bracket, a drawn match, and a result entered the wrong way round.
#[test]
fn a_knockout_with_a_correction() {
    let o = Organiser::new();
    o.types(&["event", "new", "@", "--system", "knockout", "--boards", "4"]);
    for team in [
        "Ayr", "Bath", "Cork", "Deal", "Ely", "Fife", "Goole", "Hull",
    ] {
        let players = ["Ann", "Bob", "Cy", "Di"]
            .map(|name| format!("{name} {}", &team[..1]))
            .join(";");
        o.types(&["event", "enter", "@", team, "--players", &players]);
    }
    o.types(&["pair", "next", "@"]);
    o.types(&[
        "result",
        "@",
        "1",
        "1: 1-0 0-1 = =; 2: 0-1 = 0-1 1-0; 3: = = = =; 4: 1-0 0-1 1-0 =",
    ]);
    assert!(
        o.event
            .refused(&["pair", "next", "@"], 2)
            .contains("round 1, table 3 is drawn")
    );
    o.types(&["result", "@", "1", "3", "0-1", "--play-off"]);
    o.types(&["pair", "next", "@"]);
    let before = o.event.event();
    // Table 1 was entered the wrong way round, and the wrong team is in round 2.
    let first = before.rounds[0].matches[0].clone();
    let went = if before.rounds[1].of(first.white).is_some() {
        first.white
    } else {
        first.black
    };
    let other = if went == first.white {
        first.black
    } else {
        first.white
    };
    let said = o.types(&[
        "result",
        "@",
        "1",
        "1: 0-1 1-0 = =",
        "--correct",
        "--dry-run",
    ]);
    assert!(said.contains("would change"), "{said}");
    let turned = if went == first.white {
        "1: 0-1 1-0 0-1 1-0"
    } else {
        "1: 1-0 0-1 1-0 0-1"
    };
    let said = o.types(&["result", "@", "1", turned, "--correct"]);
    assert!(
        said.contains(&before.called(other))
            && said.contains(&before.called(went))
            && said.contains("event cancel"),
        "{said}"
    );
    o.types(&["event", "cancel", "@", "2"]);
    o.types(&["pair", "next", "@"]);
    let event = o.event.event();
    assert!(event.rounds[1].of(other).is_some() && event.rounds[1].of(went).is_none());
    o.types(&["result", "@", "2", "1: 1-0 0-1 1-0 0-1; 2: 1-0 0-1 1-0 0-1"]);
    o.types(&["pair", "next", "@"]);
    o.types(&["result", "@", "3", "1: = 0-1 = ="]);
    o.is_in_order();
    assert!(o.types(&["standings", "@"]).starts_with("Final standings"));
    let table = o.event.done(&["standings", "@", "--crosstable"]);
    assert!(
        table.contains("out") && !table.contains("absent"),
        "{table}"
    );
    o.is_on_the_page("A knockout with a correction");
}
