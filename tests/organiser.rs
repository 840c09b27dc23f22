//! Particular needs of organisers: their own tables, several commanders, lots by Varma tables, sub-games as points.

use crate::{
    event_folder::EventFolder,
    run::{overboard, printed},
};
use std::{collections::BTreeSet, fs, path::Path};

/// Eight players in two groups, entered alternately.
fn two_groups() -> EventFolder {
    let event = EventFolder::with(&["--of", "players", "--system", "scheveningen"]);
    for (name, group) in ["Ann", "Bob", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]
        .iter()
        .zip("ABABABAB".chars())
    {
        event.done(&["event", "enter", "@", name, "--group", &group.to_string()]);
    }
    event
}

fn pairs(event_folder: &EventFolder) -> Vec<BTreeSet<(u32, u32)>> {
    let event = event_folder.event();
    event
        .rounds
        .iter()
        .map(|round| {
            round
                .matches
                .iter()
                .map(|this| (this.white.get(), this.black.get()))
                .collect()
        })
        .collect()
}

/// The table of four against four as it is usually printed.
const OFFICIAL: &str = "round;games\n1;A1-B1 A2-B2 B3-A3 B4-A4\n2;B2-A1 B1-A2 A3-B4 A4-B3\n\
                        3;A1-B3 A2-B4 B1-A3 B2-A4\n4;B4-A1 B3-A2 A3-B2 A4-B1\n";

#[test]
fn a_scheveningen_event_follows_a_table_of_its_own() {
    let event = two_groups();
    let made = two_groups();
    made.done(&["pair", "next", "@", "--all"]);
    assert_eq!(made.done(&["event", "check", "@"]), "no errors found\n");
    // The printed table can be read in again, and gives the same rounds.
    let file = event.beside("table.csv");
    fs::write(
        &file,
        event.done(&["pair", "table", "scheveningen", "4", "--to", "csv"]),
    )
    .unwrap();
    event.done(&["event", "import", "@", "--table", &file]);
    event.done(&["pair", "next", "@", "--all"]);
    assert_eq!(pairs(&event), pairs(&made));
    // Another table gives other rounds: group A has the odd numbers, B the even ones.
    event.done(&["event", "undo", "@"]);
    fs::write(&file, OFFICIAL).unwrap();
    assert!(
        event
            .done(&["event", "import", "@", "--table", &file])
            .contains("a table of 4 rounds")
    );
    event.done(&["pair", "next", "@", "--all"]);
    let rounds = pairs(&event);
    assert_eq!(rounds[0], BTreeSet::from([(1, 2), (3, 4), (6, 5), (8, 7)]));
    assert_eq!(rounds[3], BTreeSet::from([(8, 1), (6, 3), (5, 4), (7, 2)]));
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    assert!(
        event
            .done(&["pair", "show", "@", "--round", "1"])
            .contains("Flo")
    );
    // A round is changed by hand.
    let text = event
        .read("rounds/02.csv")
        .replacen("1,,4,1,", "1,,1,4,", 1);
    fs::write(Path::new(&event.event).join("rounds/02.csv"), text).unwrap();
    let (text, code) = printed(&event.run(&["pair", "check", "@"]));
    assert_eq!(code, 1);
    assert!(
        text.contains("round 2: 1-4 is not in table.csv")
            && text.contains("round 2: 4-1 of table.csv is missing"),
        "{text}"
    );
}

#[test]
fn a_table_that_cannot_be_followed_is_named() {
    let event = two_groups();
    let file = event.beside("table.csv");
    let fault = |text: &str| {
        fs::write(&file, text).unwrap();
        let output = event.run(&["event", "import", "@", "--table", &file]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output
                .status
                .code()
                .is_some_and(|code| code == 0 || code == 2),
            "{said}"
        );
        said
    };
    let why = fault("round,games\n1,A1:B1\n");
    assert!(
        why.contains("table.csv:2:3: expected a game such as 1-6, A1-B3 or 2.1-5.1"),
        "{why}"
    );
    let why = fault(&OFFICIAL.replace("B3-A3", "B5-A3"));
    assert!(
        why.contains("table.csv:2:15: no participant is `B5`; expected a place in a group"),
        "{why}"
    );
    let why = fault(&OFFICIAL.replace("B3-A3", "A4-A3"));
    assert!(
        why.contains("paired more than once") && why.contains("in the same group"),
        "{why}"
    );
    // A round robin has no groups, and a Swiss no tables.
    let event = EventFolder::with(&["--system", "swiss-team", "--rounds", "3", "--boards", "1"]);
    fs::write(
        Path::new(&event.event).join("table.csv"),
        "round,games\n1,1-2\n",
    )
    .unwrap();
    let (text, code) = printed(&event.run(&["event", "check", "@"]));
    assert!(code == 1 && text.contains("follows no table"), "{text}");
    // Three groups are refused.
    let event = EventFolder::with(&["--of", "players", "--system", "scheveningen"]);
    for (name, group) in [("Ann", "A"), ("Bob", "B"), ("Cy", "")] {
        event.done(&["event", "enter", "@", name, "--group", group]);
    }
    let why = event.refused(&["pair", "next", "@"], 2);
    assert!(
        why.contains(
            "two groups of the same size (column `team` of players.csv); found 1 in group 1, 1 in group 2, 1 without a group"
        ),
        "{why}"
    );
    assert!(
        event
            .refused(&["event", "enter", "@", "Di", "--group", "Leeds"], 2)
            .contains("a number or a letter")
    );
}

/// A Molter event with its own table: unequal boards meet, which is reported once and allowed.
#[test]
fn a_molter_event_follows_a_table_of_its_own() {
    let event = EventFolder::with(&["--system", "molter", "--boards", "2", "--rounds", "2"]);
    for team in ["Leeds", "York", "Hull", "Ripon"] {
        event.done(&[
            "event",
            "enter",
            "@",
            team,
            "--players",
            &format!("{team} one;{team} two"),
        ]);
    }
    let file = event.beside("table.csv");
    let table =
        "round,games\n1,1.1-2.2  2.1-1.2  3.1-4.1  4.2-3.2\n2,2.2-3.1  1.2-4.1  4.2-1.1  3.2-2.1\n";
    fs::write(&file, table).unwrap();
    let output = event.run(&["event", "import", "@", "--table", &file]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("boards 1 and 2 meet"), "{said}");
    event.done(&["pair", "next", "@"]);
    event.done(&["pair", "next", "@"]);
    assert!(
        event
            .refused(&["pair", "next", "@"], 2)
            .contains("all 2 rounds are paired")
    );
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    let shown = event.done(&["pair", "show", "@", "--round", "2"]);
    assert!(
        shown.contains("York two") && shown.contains("Hull one"),
        "{shown}"
    );
    // Team-mates never meet, whatever the table says.
    fs::write(
        Path::new(&event.event).join("table.csv"),
        table.replace("1.1-2.2  2.1-1.2", "1.1-1.2  2.1-2.2"),
    )
    .unwrap();
    let (text, code) = printed(&event.run(&["event", "check", "@"]));
    let fault = "table.csv: error: round 1: team 1, board 1 meets team 1, the player's own team";
    assert!(code == 1 && text.contains(fault), "{text}");
}

/// Two commanders and four lieutenants: the pawns, which have no lieutenant, are led by either commander.
#[test]
fn a_team_of_overchess_has_several_commanders() {
    let event = EventFolder::with(&[
        "--game",
        "overchess",
        "--lieutenants",
        "by-type",
        "--scoring",
        "subgames",
    ]);
    let five = |name: &str| {
        (1..=4)
            .map(|n| format!(";lieutenant={name}{n}"))
            .collect::<String>()
    };
    event.done(&[
        "event",
        "enter",
        "@",
        "Leeds",
        "--players",
        &format!("commander=Ann;commander=Zoe: A{}", five("W")),
    ]);
    event.done(&[
        "event",
        "enter",
        "@",
        "York",
        "--players",
        &format!("commander=Flo{}", five("B")),
    ]);
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    event.done(&["pair", "next", "@"]);
    assert!(
        event
            .done(&["event", "cards", "@"])
            .contains("Commanders: <strong>Ann, Zoe: A</strong>")
    );
    let head = event.done(&["event", "cards", "@", "--npgn"]);
    assert!(
        head.contains(
            "[WhiteCommander \"Ann:Zoe%3A A\"]\n[WhiteLieutenants \"R=W1:N=W2:B=W3:Q=W4\"]"
        ),
        "{head}"
    );
    assert!(
        head.contains("[BlackLieutenants \"P=Flo:R=B1:N=B2:B=B3:Q=B4\"]"),
        "{head}"
    );
    let file = event.beside("played.npgn");
    let played = |pawn: &str| {
        let moves = format!(
            "1. e4 d5 2. exd5 <d5: [White \"{pawn}\"] [Black \"Flo\"] 1-0> Qxd5 <d5: [White \"B4\"] 1-0> 3. a3 {{[%resign W]}} 0-1"
        );
        head.replace("[Result \"*\"]", "[Result \"0-1\"]")
            .replace("\n*\n", &format!("\n{moves}\n"))
    };
    for pawn in ["Ann", "Zoe%3A A"] {
        fs::write(&file, played(pawn)).unwrap();
        assert_eq!(
            printed(&overboard(&["check", &file])).1,
            0,
            "{}",
            printed(&overboard(&["check", &file])).0
        );
    }
    fs::write(&file, played("W1")).unwrap();
    assert!(
        event
            .refused(&["result", "@", "1", "--from", &file], 1)
            .contains("its verdict is infraction")
    );
    // A record that names only one of the two does not match the event.
    fs::write(&file, played("Ann").replace("Ann:Zoe%3A A", "Ann")).unwrap();
    let why = event.refused(&["result", "@", "1", "--from", &file], 1);
    assert!(
        why.contains("the Commander") && why.contains("Ann in the record, Ann or Zoe: A"),
        "{why}"
    );
    // Each side has won a sub-game, and Black has won the game.
    fs::write(&file, played("Zoe%3A A")).unwrap();
    let taken = event.done(&["result", "@", "1", "--from", &file]);
    assert!(taken.contains("table 1: 0-1 (1-1)"), "{taken}");
    let shown = event.json(&["standings", "@", "--json"]);
    let first = &shown["places"][0];
    assert_eq!(
        (
            first["name"].as_str(),
            first["match_points"].as_f64(),
            first["game_points"].as_f64()
        ),
        (Some("York"), Some(2.0), Some(1.0))
    );
}

/// Sub-games count for the side that won them: the attacker is White in them, whatever the attacker's colour outside;
/// draws and variations do not count. They end by mate, by a result, or by resignation.
#[test]
fn sub_games_won_are_taken_from_records() {
    let event = EventFolder::with(&[
        "--game",
        "overchess",
        "--scoring",
        "subgames",
        "--tie-breaks",
        "OTHER_SUBWINS",
    ]);
    for team in ["Leeds", "York"] {
        event.done(&[
            "event",
            "enter",
            "@",
            team,
            "--players",
            &format!("{team}'s player"),
        ]);
    }
    event.done(&["pair", "next", "@"]);
    let head = event.done(&["event", "cards", "@", "--npgn"]);
    let file = event.beside("played.npgn");
    let play = |moves: &str, result: &str| {
        let text = head
            .replace("[Result \"*\"]", &format!("[Result \"{result}\"]"))
            .replace("\n*\n", &format!("\n{moves} {result}\n"));
        fs::write(&file, text).unwrap();
        let (text, code) = printed(&overboard(&["check", &file]));
        assert_eq!(code, 0, "{text}");
        event.done(&[
            "result",
            "@",
            "1",
            "--from",
            &file,
            "--correct",
            "--dry-run",
        ])
    };
    // White attacks and is mated, so Black has won it. Then Black attacks and wins by a result.
    let mated =
        "1. e4 d5 2. exd5 <d5: 1. f3 e5 2. g4 Qh4# 0-1> e6 3. Bb5+ c6 4. Bxc6+ <c6: 1/2-1/2>";
    let taken = play(&format!("{mated} 4... Ke7 {{[%resign W]}}"), "0-1");
    assert!(taken.contains("(0-1)"), "{taken}");
    // A variation in which White wins a sub-game does not count.
    let varied = "1. e4 d5 2. exd5 <d5: 0-1> (2. exd5 <d5: 1-0>) 2... e6 {[%resign W]}";
    let taken = play(varied, "0-1");
    assert!(taken.contains("(0-1)"), "{taken}");
}

/// Twelve players, four of them from one federation: by the table they do not meet in the last three rounds.
#[test]
fn numbers_are_drawn_by_the_varma_tables() {
    let drawn = |count: u32, seed: &str| {
        let event_folder = EventFolder::with(&["--of", "players"]);
        let mut text = String::from("id,name,federation\n");
        for id in 1..=count {
            let federation = ["ENG", "ENG", "FRA", "ENG", "FRA", "ENG"]
                .get(id as usize - 1)
                .copied()
                .unwrap_or("");
            text.push_str(&format!("{id},Player {id},{federation}\n"));
        }
        let file = event_folder.beside("players.csv");
        fs::write(&file, text).unwrap();
        event_folder.done(&["event", "import", "@", "--players", &file]);
        if count > 24 {
            let why = event_folder.refused(&["event", "lots", "@", "--seed", seed, "--varma"], 2);
            assert!(why.contains("9 to 24 participants, not for 25"), "{why}");
            return event_folder;
        }
        assert!(
            event_folder
                .done(&["event", "lots", "@", "--seed", seed, "--varma"])
                .contains("--varma")
        );
        event_folder.done(&["pair", "next", "@", "--all"]);
        event_folder
    };
    for seed in ["1", "2", "3"] {
        let event_folder = drawn(12, seed);
        let event = event_folder.event();
        let federation = |id: u32| event.player(id).unwrap().federation.clone();
        for round in &event.rounds[8..] {
            for this in &round.matches {
                let (white, black) = (federation(this.white.get()), federation(this.black.get()));
                assert!(
                    white.is_empty() || white != black,
                    "{white:?}: {} meets {}",
                    this.white,
                    this.black
                );
            }
        }
    }
    drawn(25, "1");
}

/// Enters the results of all open matches: the smaller number wins.
fn play(event: &EventFolder, rounds: std::ops::RangeInclusive<u32>) {
    for round in rounds {
        let shown = event.json(&["pair", "show", "@", "--round", &round.to_string(), "--json"]);
        for this in shown["matches"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|this| this["result"].is_null())
        {
            let result = if this["white"].as_u64() < this["black"].as_u64() {
                "1-0"
            } else {
                "0-1"
            };
            event.done(&[
                "result",
                "@",
                &round.to_string(),
                &this["table"].to_string(),
                result,
            ]);
        }
    }
}

/// A participant can withdraw even if all rounds are paired, from the round after their last result.
#[test]
fn who_withdraws_when_all_is_paired_loses_by_forfeit() {
    let event = EventFolder::with(&["--of", "players"]);
    for name in ["Ann", "Bob", "Cy", "Di", "Ed", "Flo"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["pair", "next", "@", "--all"]);
    assert!(
        event
            .done(&["standings", "@"])
            .starts_with("Standings during round 5 (15 results missing)\n")
    );
    play(&event, 1..=3);
    let why = event.refused(&["event", "request", "@", "withdraw", "Di"], 2);
    assert!(
        why.contains("all rounds are paired; --round N gives the first round"),
        "{why}"
    );
    let why = event.refused(
        &["event", "request", "@", "withdraw", "Di", "--round", "3"],
        2,
    );
    assert!(
        why.contains("Di has a result in round 3; a withdrawal counts from round 4 on"),
        "{why}"
    );
    let reported = event.done(&["event", "request", "@", "withdraw", "Di", "--round", "4"]);
    assert!(
        reported
            .contains("at least half of the matches are played, so the others are lost by forfeit"),
        "{reported}"
    );
    assert!(
        event
            .done(&["standings", "@"])
            .starts_with("Standings during round 5 (4 results missing)\n")
    );
    // Number 4 meets 6 with White in round 4, and 3 with Black in round 5 (Berger table of six: 6-5 1-4 2-3, 3-6 4-2
    // 5-1).
    let shown = event.done(&["pair", "show", "@", "--round", "4"]);
    assert!(
        shown
            .lines()
            .any(|line| line.contains("Ann") && line.contains("1-0f") && line.contains("Di")),
        "{shown}"
    );
    assert!(
        !event
            .done(&["event", "cards", "@", "--round", "4", "--npgn"])
            .contains("\"Di\"")
    );
    event.done(&["result", "@", "4", "1", "1-0"]);
    event.done(&["result", "@", "4", "3", "1/2-1/2"]);
    event.done(&["result", "@", "5", "1", "draw"]);
    event.done(&["result", "@", "5", "3", "0-1"]);
    assert!(
        event
            .done(&["standings", "@"])
            .starts_with("Final standings\n")
    );
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    // If it withdraws earlier, none of its results counts.
    event.done(&["event", "undo", "@"]);
    assert!(event.done(&["event", "log", "@"]).contains("(undone)"));
}

/// A drawn match of a knockout is decided by its play-off, whatever its points are made of.
#[test]
fn a_play_off_decides_a_drawn_match() {
    for (options, results) in [
        (
            &["--boards", "2"][..],
            &[&["1-0", "--board", "1"][..], &["1-0", "--board", "2"]][..],
        ),
        (
            &["--game", "strategichess", "--boards", "2"],
            &[&["draw", "--score", "1-1"]],
        ),
        (
            &["--game", "overchess", "--lieutenants", "solo"],
            &[&["1/2-1/2"]],
        ),
    ] {
        let event = EventFolder::new();
        event.done(&[&["event", "new", "@", "--system", "knockout"], options].concat());
        for (team, players) in [("Leeds", "commander=Ann;Bob"), ("York", "commander=Cy;Di")] {
            event.done(&["event", "enter", "@", team, "--players", players]);
        }
        event.done(&["pair", "next", "@"]);
        let early = event.refused(&["result", "@", "1", "1", "0-1", "--play-off"], 2);
        assert!(
            early.contains("a play-off follows a drawn match"),
            "{early}"
        );
        for result in results {
            event.done(&[&["result", "@", "1", "1"], *result].concat());
        }
        assert!(
            event
                .refused(&["result", "@", "1", "1", "1/2-1/2", "--play-off"], 2)
                .contains("1-0 or 0-1 for")
        );
        let reported = event.done(&["result", "@", "1", "1", "0-1", "--play-off"]);
        assert!(
            reported.contains("round 1: table 1: play-off 0-1"),
            "{reported}"
        );
        assert!(
            event
                .refused(&["result", "@", "1", "1", "1-0", "--play-off"], 2)
                .contains("--correct replaces it")
        );
        assert!(event.done(&["pair", "show", "@"]).contains("play-off 0-1"));
        assert!(event.read("rounds/01.csv").starts_with(
            "table,board,white,black,result,white_score,black_score,source,play_off\n"
        ));
        let shown = event.json(&["standings", "@", "--json"]);
        assert_eq!(shown["places"][0]["name"], "York");
        assert_eq!(
            shown["places"][0]["game_points"],
            shown["places"][1]["game_points"]
        );
        assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    }
    // Four teams: the winner of the play-off meets the winner of the other match.
    let event = EventFolder::with(&["--of", "players", "--system", "knockout"]);
    for name in ["Ann", "Bob", "Cy", "Di"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["pair", "next", "@"]);
    event.done(&["result", "@", "1", "1", "draw"]);
    event.done(&["result", "@", "1", "2", "1-0"]);
    let why = event.refused(&["pair", "next", "@"], 2);
    let command = format!(
        "round 1, table 1 is drawn; `overboard result {} 1 1 1-0",
        event.event
    );
    assert!(why.contains(&command), "{why}");
    let loser = event.event().rounds[0].matches[0].white;
    event.done(&["result", "@", "1", "1", "0-1", "--play-off"]);
    event.done(&["pair", "next", "@"]);
    assert!(event.event().rounds[1].of(loser).is_none());
    assert!(
        event
            .refused(&["result", "@", "2", "1", "1-0", "--play-off"], 2)
            .contains("is not drawn")
    );
}

/// In a Hutton event the result of a table counts for its two players.
#[test]
fn games_of_a_hutton_event_count_for_their_players() {
    let event = EventFolder::with(&["--system", "hutton", "--boards", "1"]);
    for team in ["Leeds", "York"] {
        event.done(&[
            "event",
            "enter",
            "@",
            team,
            "--players",
            &format!("{team}'s player"),
        ]);
    }
    event.done(&["pair", "next", "@"]);
    event.done(&["result", "@", "1", "1", "1-0"]);
    let winner = event
        .event()
        .called(event.event().rounds[0].matches[0].white);
    let first = event.json(&["standings", "@", "--players", "--json"])["places"][0].clone();
    assert!(
        first["name"].as_str().unwrap().starts_with(&winner) && first["game_points"] == 1,
        "{first}"
    );
    assert!(
        event
            .refused(&["result", "@", "1", "1", "0-1"], 2)
            .contains("--correct replaces it")
    );
    assert!(
        event
            .refused(&["pair", "next", "@"], 2)
            .contains("the only round is paired")
    );
}

/// A change that cannot be written is undone, and readers see a change that was begun.
#[test]
fn what_cannot_be_written_is_taken_back() {
    let event = two_groups();
    let folder = Path::new(&event.event);
    // A file stands where a folder is needed.
    fs::write(folder.join("rounds"), "").unwrap();
    let why = event.refused(&["pair", "next", "@"], 2);
    assert!(why.contains("; nothing was changed"), "{why}");
    assert!(
        event
            .read("log/changes.jsonl")
            .ends_with(&event.read("log/last.json"))
    );
    fs::remove_file(folder.join("rounds")).unwrap();
    event.done(&["pair", "next", "@"]);
    // Killed before the first file was written: readers see the change, and write nothing.
    let log = folder.join("log/changes.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let begun = text.trim_end().rfind('\n').unwrap() + 1;
    fs::write(&log, &text[..begun]).unwrap();
    fs::remove_file(folder.join("rounds/01.csv")).unwrap();
    assert!(event.done(&["pair", "show", "@"]).starts_with("Round 1\n"));
    assert!(!folder.join("rounds/01.csv").exists());
    event.done(&["result", "@", "1", "1", "1-0"]);
    assert!(folder.join("rounds/01.csv").exists());
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
}

#[test]
fn files_of_spreadsheets_that_cannot_be_read_are_named() {
    let event = two_groups();
    let file = event.beside("players.csv");
    fs::write(&file, b"\xff\xfei\0d\0").unwrap();
    assert!(
        event
            .refused(&["event", "import", "@", "--players", &file], 2)
            .contains("the table has no rows")
    );
    fs::write(&file, "x".repeat(5000)).unwrap();
    assert!(
        event
            .refused(&["event", "import", "@", "--players", &file], 2)
            .len()
            < 400
    );
}

/// Koya (C.07, 9.2) in a round robin of five: with four games each, half of the maximum is 2, and opponents with 2 or
/// 3 points count.
#[test]
fn half_of_the_maximum_leaves_out_the_free_round() {
    let event = EventFolder::with(&["--of", "players", "--tie-breaks", "KS"]);
    for name in ["Ann", "Bob", "Cy", "Di", "Ed"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["pair", "next", "@", "--all"]);
    play(&event, 1..=5);
    let shown = event.json(&["standings", "@", "--json"]);
    // Scores 4, 3, 2, 1, 0: Ann has beaten Bob and Cy, Bob has beaten Cy, Cy lost to both.
    let values: Vec<_> = shown["places"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| place["values"][1].as_f64().unwrap())
        .collect();
    assert_eq!(values, [2.0, 1.0, 0.0, 0.0, 0.0]);
}

/// A match without a result adds nothing to a sum: no dummy opponent takes its place.
#[test]
fn an_open_match_adds_nothing_to_buchholz() {
    let event = EventFolder::with(&[
        "--system",
        "swiss-team",
        "--rounds",
        "3",
        "--boards",
        "1",
        "--tie-breaks",
        "BH",
    ]);
    for team in ["Leeds", "York", "Hull", "Ripon"] {
        event.done(&[
            "event",
            "enter",
            "@",
            team,
            "--players",
            &format!("{team}'s player"),
        ]);
    }
    event.done(&["pair", "next", "@"]);
    for table in ["1", "2"] {
        event.done(&["result", "@", "1", table, "1-0", "--board", "1"]);
    }
    let buchholz = || -> Vec<f64> {
        let shown = event.json(&["standings", "@", "--json"]);
        shown["places"]
            .as_array()
            .unwrap()
            .iter()
            .map(|place| place["values"][1].as_f64().unwrap())
            .collect()
    };
    assert_eq!(buchholz(), [0.0, 0.0, 2.0, 2.0]);
    event.done(&["pair", "next", "@"]);
    assert_eq!(buchholz(), [0.0, 0.0, 2.0, 2.0]);
}

/// A late entry in a round robin with its own table needs a number that is in the table.
#[test]
fn a_table_of_five_has_no_room_for_a_sixth() {
    let event = EventFolder::with(&["--of", "players"]);
    for name in ["Ann", "Bob", "Cy", "Di", "Ed"] {
        event.done(&["event", "enter", "@", name]);
    }
    let file = event.beside("table.csv");
    fs::write(
        &file,
        event.done(&["pair", "table", "round-robin", "5", "--to", "csv"]),
    )
    .unwrap();
    event.done(&["event", "import", "@", "--table", &file]);
    event.done(&["pair", "next", "@"]);
    assert!(
        event
            .refused(&["event", "enter", "@", "Flo"], 2)
            .contains("no place for a late entry")
    );
    play(&event, 1..=1);
    event.done(&["event", "request", "@", "withdraw", "Ed"]);
    event.done(&["pair", "next", "@", "--all"]);
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    assert!(
        event
            .refused(&["pair", "next", "@"], 2)
            .contains("all 5 rounds are paired")
    );
    assert!(
        event
            .done(&["standings", "@"])
            .contains("Ed (withdrawn, results do not count)")
    );
}

/// A name is the same however it is typed, and an invisible one is refused: in commands, tables and reports.
#[test]
fn names_that_look_alike_are_one() {
    let event = EventFolder::with(&["--of", "players"]);
    for name in ["", "   ", "\u{115f}", "\u{3164}", "\u{34f}", "\u{ffa0}"] {
        assert!(
            event
                .refused(&["event", "enter", "@", name], 2)
                .contains("expected a name, found"),
            "{name:?}"
        );
    }
    assert!(
        event
            .refused(&["event", "enter", "@", "Ann\nBob"], 2)
            .contains("cannot contain a line break")
    );
    event.done(&["event", "enter", "@", " Zoe\u{308} "]);
    assert_eq!(event.event().players[0].name, "Zo\u{eb}");
    for name in [
        "Zo\u{eb}",
        "ZOE\u{308}",
        "zo\u{eb}\u{a0}",
        "Zo\u{eb}\u{200b}",
    ] {
        let why = event.refused(&["event", "enter", "@", name], 2);
        assert!(why.contains("is taken: number 1 has it"), "{why}");
    }
    event.done(&["event", "enter", "@", "Bob"]);
    event.done(&["pair", "next", "@"]);
    let file = event.beside("players.csv");
    for (text, why) in [
        (
            "id,name\n1,\"Ann\n2,Bob\n3,Cy\n",
            "players.csv:2:3: the quotation mark that opens here is not closed",
        ),
        (
            "id,name\n1,Ann\n2,\u{3164}\n",
            "players.csv:3:3: expected a name, found only invisible characters",
        ),
    ] {
        fs::write(&file, text).unwrap();
        let said = event.refused(&["event", "import", "@", "--players", &file], 2);
        assert!(said.contains(why), "{said}");
    }
    let (one, other) = ("Zo\u{eb}", "Zoe\u{308}");
    let text = format!(
        "012 Cup\n092 Chess\n142 1\n001    1      {one}\n001    2      {other}\n001    3      \u{3164}\n"
    );
    let (report, again) = (event.beside("cup.trf"), event.beside("again"));
    fs::write(&report, text).unwrap();
    event.done(&["event", "import", &again, "--trf", &report]);
    let (said, code) = printed(&event.run(&["event", "check", &again]));
    assert!(
        code == 1 && said.contains(&format!("the name `{one}` occurs twice")),
        "{said}"
    );
    assert!(
        fs::read_to_string(Path::new(&again).join("players.csv"))
            .unwrap()
            .contains(",Player 3,")
    );
}

/// A refusal says what to do instead.
#[test]
fn refusals_say_how() {
    let event = EventFolder::with(&["--game", "overchess", "--lieutenants", "by-type"]);
    for (name, people) in [
        ("Leeds", "commander=Ann;Bob"),
        ("York", "commander=Flo;Gus"),
    ] {
        let output = event.run(&["event", "enter", "@", name, "--players", people]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains("takes --players 'commander=Ann;lieutenant=Bob'"),
            "{said}"
        );
    }
    event.done(&["pair", "next", "@"]);
    let said = event.refused(&["result", "@", "1", "1", "1-0", "--score", "2-1"], 2);
    assert!(said.contains("event new --scoring subgames"), "{said}");
    // Two dashes are a result here, and for the shell the end of all options.
    assert!(
        event
            .refused(&["result", "@", "1", "1"], 2)
            .contains("the result of table 1 is missing")
    );
    assert!(
        event
            .done(&["result", "@", "1", "1", "--"])
            .contains("table 1: 0-0f")
    );
    // Sheets of a game have to be combined first.
    let sheets = event.beside("sheets.npgn");
    let example = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples/kingfall.npgn")
        .display()
        .to_string();
    overboard(&["unbundle", &example, "--output", &sheets]);
    let output = event.run(&["result", "@", "1", "--from", &sheets]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(1)
            && said.contains("`overboard bundle` puts the sheets of a game together"),
        "{said}"
    );
    // Without lots or a Swiss there is no initial colour.
    assert!(!event.done(&["event", "export", "@"]).contains("\n152 "));
}

/// The drafts of a killed process are deleted by the next change; a folder that is refused stays as it was.
#[test]
fn drafts_of_the_dead_are_swept() {
    let event = EventFolder::new();
    let other = Path::new(&event.beside("other")).to_owned();
    fs::create_dir(&other).unwrap();
    fs::write(other.join("players.csv"), "id,name\n1,Ann\n").unwrap();
    event.refused(&["event", "new", &other.display().to_string()], 2);
    assert!(!other.join(".lock").exists());
    event.done(&["event", "new", "@", "--of", "players"]);
    event.done(&["event", "enter", "@", "Ann"]);
    event.done(&["event", "enter", "@", "Bob"]);
    event.done(&["pair", "next", "@"]);
    let folder = Path::new(&event.event);
    let drafts = [
        "rounds/.tmpAb3dEf",
        "log/.tmpAb3dEf",
        ".tmpAb3dEf",
        "rounds/.tmp",
        "rounds/.tmp-notes",
    ];
    drafts
        .iter()
        .for_each(|name| fs::write(folder.join(name), "1,").unwrap());
    event.done(&["result", "@", "1", "1", "1-0"]);
    // The one beside the settings is too recent to be from a killed process.
    assert_eq!(
        drafts.map(|name| folder.join(name).exists()),
        [false, false, true, true, true]
    );
}

/// Commands do not write what `event check` would report, nor what cannot have been intended.
#[test]
fn what_makes_no_sense_is_not_written() {
    let event = EventFolder::new();
    for name in ["", "  ", "a\nb"] {
        assert!(
            event
                .refused(&["event", "new", "@", "--name", name], 2)
                .contains("name"),
            "{name:?}"
        );
    }
    event.done(&[
        "event",
        "new",
        "@",
        "--system",
        "swiss-team",
        "--rounds",
        "3",
        "--boards",
        "2",
    ]);
    for (line, why) in [
        (
            &["enter", "@", "Leeds", "--players", "Ann;ann"][..],
            "ann occurs twice in the team",
        ),
        (
            &[
                "enter",
                "@",
                "Leeds",
                "--players",
                "Ann;Bob",
                "--captain",
                "Cy\nDi",
            ],
            "a line break",
        ),
        (
            &[
                "enter",
                "@",
                "Leeds",
                "--players",
                "Ann;Bob",
                "--group",
                "Cy\nDi",
            ],
            "a line break",
        ),
        (&["set", "@", "name", ""], "expected a name, found nothing"),
        (&["set", "@", "name", "a\nb"], "a line break"),
        (&["set", "@", "city", "a\nb"], "a line break"),
        (
            &["set", "@", "start", "2026-02-31"],
            "2026-02-31 is not in the calendar",
        ),
        (
            &["set", "@", "match-points", "0,1,2"],
            "none higher than the one before",
        ),
        (
            &["set", "@", "game-points", "1,0,0.5"],
            "none higher than the one before",
        ),
        (
            &["set", "@", "swiss.readings.floats", "none"],
            "unknown setting `floats`",
        ),
        (
            &["set", "@", "swiss.readings.numbering", "both"],
            "unknown value `both`",
        ),
    ] {
        let said = event.refused(&[&["event"], line].concat(), 2);
        assert!(said.contains(why), "{line:?}: {said}");
    }
    for team in ["Leeds", "York", "Hull"] {
        event.done(&["event", "enter", "@", team, "--players", "Ann;Bob"]);
    }
    event.done(&["event", "set", "@", "start", "2026-11-21"]);
    let said = event.refused(&["event", "set", "@", "end", "2026-11-20"], 2);
    assert!(said.contains("comes before the first one"), "{said}");
    let said = event.refused(&["event", "amend", "@", "York", "--captain", "a\nb"], 2);
    assert!(said.contains("a line break"), "{said}");
    event.done(&["event", "request", "@", "forbid", "York", "--other", "Hull"]);
    for two in [["York", "Hull"], ["Hull", "York"]] {
        let said = event.refused(
            &["event", "request", "@", "forbid", two[0], "--other", two[1]],
            2,
        );
        assert!(said.contains("already forbidden to meet"), "{said}");
    }
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
}
