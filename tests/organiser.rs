//! What organisers bring along: tables of their own, several commanders, lots by Varma, sub-games as points.

#![allow(clippy::unwrap_used)]

mod hall;
mod run;

use hall::Hall;
use run::{overboard, told};
use std::{collections::BTreeSet, fs, path::Path};

/// Eight players of two groups, entered in turn.
fn two_groups() -> Hall {
    let hall = Hall::new();
    hall.done(&["event", "new", "@", "--of", "players", "--system", "scheveningen"]);
    for (name, group) in ["Ann", "Bob", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"].iter().zip("ABABABAB".chars())
    {
        hall.done(&["event", "enter", "@", name, "--group", &group.to_string()]);
    }
    hall
}

fn pairs(hall: &Hall) -> Vec<BTreeSet<(u32, u32)>> {
    let event = hall.event();
    event
        .rounds
        .iter()
        .map(|round| round.matches.iter().map(|this| (this.white, this.black)).collect())
        .collect()
}

/// The table of four against four as it is usually printed.
const OFFICIAL: &str = "round;games\n1;A1-B1 A2-B2 B3-A3 B4-A4\n2;B2-A1 B1-A2 A3-B4 A4-B3\n\
                        3;A1-B3 A2-B4 B1-A3 B2-A4\n4;B4-A1 B3-A2 A3-B2 A4-B1\n";

#[test]
fn a_scheveningen_event_follows_a_table_of_its_own() {
    let hall = two_groups();
    let made = two_groups();
    made.done(&["pair", "next", "@", "--all"]);
    assert_eq!(made.done(&["event", "check", "@"]), "nothing is wrong\n");
    // The table as it is printed goes in again and gives the same rounds.
    let file = hall.beside("table.csv");
    fs::write(&file, hall.done(&["pair", "table", "scheveningen", "4", "--to", "csv"])).unwrap();
    hall.done(&["event", "import", "@", "--table", &file]);
    hall.done(&["pair", "next", "@", "--all"]);
    assert_eq!(pairs(&hall), pairs(&made));
    // Another one gives others: group A has the odd numbers, B the even ones.
    hall.done(&["event", "undo", "@"]);
    fs::write(&file, OFFICIAL).unwrap();
    assert!(hall.done(&["event", "import", "@", "--table", &file]).contains("a table of 4 rounds"));
    hall.done(&["pair", "next", "@", "--all"]);
    let rounds = pairs(&hall);
    assert_eq!(rounds[0], BTreeSet::from([(1, 2), (3, 4), (6, 5), (8, 7)]));
    assert_eq!(rounds[3], BTreeSet::from([(8, 1), (6, 3), (5, 4), (7, 2)]));
    assert_eq!(hall.done(&["event", "check", "@"]), "nothing is wrong\n");
    assert!(hall.done(&["pair", "show", "@", "--round", "1"]).contains("Flo"));
    // Somebody changes a round by hand.
    let text = hall.read("rounds/02.csv").replacen("1,,4,1,", "1,,1,4,", 1);
    fs::write(Path::new(&hall.event).join("rounds/02.csv"), text).unwrap();
    let (text, code) = told(&hall.run(&["pair", "check", "@"]));
    assert_eq!(code, 1);
    assert!(
        text.contains("round 2: 1-4 is not in table.csv")
            && text.contains("round 2: 4-1 of table.csv is missing"),
        "{text}"
    );
}

#[test]
fn a_table_that_cannot_be_followed_is_named() {
    let hall = two_groups();
    let file = hall.beside("table.csv");
    let fault = |text: &str| {
        fs::write(&file, text).unwrap();
        let output = hall.run(&["event", "import", "@", "--table", &file]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code().is_some_and(|code| code == 0 || code == 2), "{said}");
        said
    };
    let why = fault("round,games\n1,A1:B1\n");
    assert!(why.contains("table.csv:2:3: expected a game such as 1-6, A1-B3 or 2.1-5.1"), "{why}");
    let why = fault(&OFFICIAL.replace("B3-A3", "B5-A3"));
    assert!(why.contains("table.csv:2:15: nobody here is `B5`; expected a place in a group"), "{why}");
    assert!(hall.refused(&["pair", "next", "@"], 2).contains("nobody here is `B5`"));
    let why = fault(&OFFICIAL.replace("B3-A3", "A4-A3"));
    assert!(why.contains("paired more than once") && why.contains("of one group"), "{why}");
    // A round robin knows no groups, and a Swiss no tables.
    let hall = Hall::new();
    hall.done(&["event", "new", "@", "--system", "swiss-team", "--rounds", "3", "--boards", "1"]);
    fs::write(Path::new(&hall.event).join("table.csv"), "round,games\n1,1-2\n").unwrap();
    let (text, code) = told(&hall.run(&["event", "check", "@"]));
    assert!(code == 1 && text.contains("no table is followed"), "{text}");
    // Three groups are none.
    let hall = Hall::new();
    hall.done(&["event", "new", "@", "--of", "players", "--system", "scheveningen"]);
    for (name, group) in [("Ann", "A"), ("Bob", "B"), ("Cy", "")] {
        hall.done(&["event", "enter", "@", name, "--group", group]);
    }
    let why = hall.refused(&["pair", "next", "@"], 2);
    assert!(
        why.contains(
            "two groups of one size, by the column `team` of players.csv; found 1 in 1, 1 in 2, 1 in none"
        ),
        "{why}"
    );
    assert!(
        hall.refused(&["event", "enter", "@", "Di", "--group", "Leeds"], 2).contains("a number or a letter")
    );
}

/// A Molter event by a table that the program would not make: unequal boards meet, which is told once and allowed.
#[test]
fn a_molter_event_follows_a_table_of_its_own() {
    let hall = Hall::new();
    hall.done(&["event", "new", "@", "--system", "molter", "--boards", "2", "--rounds", "2"]);
    for team in ["Leeds", "York", "Hull", "Ripon"] {
        hall.done(&["event", "enter", "@", team, "--players", &format!("{team} one;{team} two")]);
    }
    let file = hall.beside("table.csv");
    let table = "round,games\n1,1.1-2.2  2.1-1.2  3.1-4.1  4.2-3.2\n2,2.2-3.1  1.2-4.1  4.2-1.1  3.2-2.1\n";
    fs::write(&file, table).unwrap();
    let output = hall.run(&["event", "import", "@", "--table", &file]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("boards 1 and 2 meet"), "{said}");
    hall.done(&["pair", "next", "@"]);
    hall.done(&["pair", "next", "@"]);
    assert!(hall.refused(&["pair", "next", "@"], 2).contains("all 2 rounds are paired"));
    assert_eq!(hall.done(&["event", "check", "@"]), "nothing is wrong\n");
    let shown = hall.done(&["pair", "show", "@", "--round", "2"]);
    assert!(shown.contains("York two") && shown.contains("Hull one"), "{shown}");
    // Against a team-mate nobody plays, whatever a table says.
    fs::write(
        Path::new(&hall.event).join("table.csv"),
        table.replace("1.1-2.2  2.1-1.2", "1.1-1.2  2.1-2.2"),
    )
    .unwrap();
    let (text, code) = told(&hall.run(&["event", "check", "@"]));
    assert!(
        code == 1 && text.contains("table.csv: error: round 1: team 1, board 1 meets team 1, his own"),
        "{text}"
    );
}

/// Two commanders and four lieutenants: the pawns, whom nobody else leads, are led by either commander.
#[test]
fn a_team_of_overchess_has_several_commanders() {
    let hall = Hall::new();
    hall.done(&[
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
    let five = |name: &str| (1..=4).map(|n| format!(";lieutenant={name}{n}")).collect::<String>();
    hall.done(&[
        "event",
        "enter",
        "@",
        "Leeds",
        "--players",
        &format!("commander=Ann;commander=Zoe: A{}", five("W")),
    ]);
    hall.done(&["event", "enter", "@", "York", "--players", &format!("commander=Flo{}", five("B"))]);
    assert_eq!(hall.done(&["event", "check", "@"]), "nothing is wrong\n");
    hall.done(&["pair", "next", "@"]);
    assert!(hall.done(&["event", "cards", "@"]).contains("Commanders: <strong>Ann, Zoe: A</strong>"));
    let head = hall.done(&["event", "cards", "@", "--npgn"]);
    assert!(
        head.contains("[WhiteCommander \"Ann:Zoe%3A A\"]\n[WhiteLieutenants \"R=W1:N=W2:B=W3:Q=W4\"]"),
        "{head}"
    );
    assert!(head.contains("[BlackLieutenants \"P=Flo:R=B1:N=B2:B=B3:Q=B4\"]"), "{head}");
    let file = hall.beside("played.npgn");
    let played = |pawn: &str| {
        let moves = format!(
            "1. e4 d5 2. exd5 <d5: [White \"{pawn}\"] [Black \"Flo\"] 1-0> Qxd5 <d5: [White \"B4\"] 1-0> 3. a3 {{[%resign W]}} 0-1"
        );
        head.replace("[Result \"*\"]", "[Result \"0-1\"]").replace("\n*\n", &format!("\n{moves}\n"))
    };
    for pawn in ["Ann", "Zoe%3A A"] {
        fs::write(&file, played(pawn)).unwrap();
        assert_eq!(told(&overboard(&["check", &file])).1, 0, "{}", told(&overboard(&["check", &file])).0);
    }
    fs::write(&file, played("W1")).unwrap();
    assert!(
        hall.refused(&["result", "@", "1", "--from", &file], 1).contains("the referee finds it infraction")
    );
    // A record that knows one of the two only is not the event's.
    fs::write(&file, played("Ann").replace("Ann:Zoe%3A A", "Ann")).unwrap();
    let why = hall.refused(&["result", "@", "1", "--from", &file], 1);
    assert!(why.contains("the Commander") && why.contains("Ann and not Ann or Zoe: A"), "{why}");
    // Each side has won a sub-game, and Black the game.
    fs::write(&file, played("Zoe%3A A")).unwrap();
    let taken = hall.done(&["result", "@", "1", "--from", &file]);
    assert!(taken.contains("table 1 0-1 (1-1)"), "{taken}");
    let shown = hall.json(&["standings", "@", "--json"]);
    let first = &shown["places"][0];
    assert_eq!(
        (first["name"].as_str(), first["match_points"].as_f64(), first["game_points"].as_f64()),
        (Some("York"), Some(2.0), Some(1.0))
    );
}

/// Sub-games count for who won them: the attacker has White in them, whatever his colour, and draws and variations
/// count for nobody. They end by mate, by a result, or by a resignation.
#[test]
fn sub_games_won_are_taken_from_records() {
    let hall = Hall::new();
    hall.done(&[
        "event",
        "new",
        "@",
        "--game",
        "overchess",
        "--scoring",
        "subgames",
        "--tie-breaks",
        "OTHER_SUBWINS",
    ]);
    for team in ["Leeds", "York"] {
        hall.done(&["event", "enter", "@", team, "--players", &format!("{team}'s player")]);
    }
    hall.done(&["pair", "next", "@"]);
    let head = hall.done(&["event", "cards", "@", "--npgn"]);
    let file = hall.beside("played.npgn");
    let play = |moves: &str, result: &str| {
        let text = head
            .replace("[Result \"*\"]", &format!("[Result \"{result}\"]"))
            .replace("\n*\n", &format!("\n{moves} {result}\n"));
        fs::write(&file, text).unwrap();
        let (text, code) = told(&overboard(&["check", &file]));
        assert_eq!(code, 0, "{text}");
        hall.done(&["result", "@", "1", "--from", &file, "--correct", "--dry-run"])
    };
    // White attacks and is mated: Black has won it. Then Black attacks and wins by a result.
    let mated = "1. e4 d5 2. exd5 <d5: 1. f3 e5 2. g4 Qh4# 0-1> e6 3. Bb5+ c6 4. Bxc6+ <c6: 1/2-1/2>";
    let taken = play(&format!("{mated} 4... Ke7 {{[%resign W]}}"), "0-1");
    assert!(taken.contains("(0-1)"), "{taken}");
    // A variation in which White wins a sub-game counts for nobody.
    let varied = "1. e4 d5 2. exd5 <d5: 0-1> (2. exd5 <d5: 1-0>) 2... e6 {[%resign W]}";
    let taken = play(varied, "0-1");
    assert!(taken.contains("(0-1)"), "{taken}");
}

/// Twelve players, four of them of one federation: by the table they do not meet in the last three rounds.
#[test]
fn numbers_are_drawn_by_the_varma_tables() {
    let drawn = |count: u32, seed: &str| {
        let hall = Hall::new();
        hall.done(&["event", "new", "@", "--of", "players"]);
        let mut text = String::from("id,name,federation\n");
        for id in 1..=count {
            let federation =
                ["ENG", "ENG", "FRA", "ENG", "FRA", "ENG"].get(id as usize - 1).copied().unwrap_or("");
            text.push_str(&format!("{id},Player {id},{federation}\n"));
        }
        let file = hall.beside("players.csv");
        fs::write(&file, text).unwrap();
        hall.done(&["event", "import", "@", "--players", &file]);
        if count > 24 {
            let why = hall.refused(&["event", "lots", "@", "--seed", seed, "--varma"], 2);
            assert!(why.contains("9 to 24 participants, and there are 25"), "{why}");
            return hall;
        }
        assert!(hall.done(&["event", "lots", "@", "--seed", seed, "--varma"]).contains("--varma"));
        hall.done(&["pair", "next", "@", "--all"]);
        hall
    };
    for seed in ["1", "2", "3"] {
        let hall = drawn(12, seed);
        let event = hall.event();
        let federation = |id: u32| event.player(id).unwrap().federation.clone();
        for round in &event.rounds[8..] {
            for this in &round.matches {
                let (white, black) = (federation(this.white), federation(this.black));
                assert!(white.is_empty() || white != black, "{white}: {} meets {}", this.white, this.black);
            }
        }
    }
    drawn(25, "1");
}
