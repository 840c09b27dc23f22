//! Results and tables as people have them: other dashes, other headings, tabs, teams by name.

use crate::event_folder::EventFolder;
use overboard_events::{roster::Role, rounds::GameResult};
use overboard_formats::foreign::Foreign;
use overboard_schedules::ids::TeamNo;
use std::fs;

fn teams() -> EventFolder {
    let event = EventFolder::with(&["--system", "swiss-team", "--rounds", "3", "--boards", "4"]);
    for team in ["Leeds", "York"] {
        event.done(&["event", "enter", "@", team, "--players", "Ann;Bob;Cy;Di"]);
    }
    event.done(&["pair", "next", "@"]);
    event
}

fn results(event: &EventFolder) -> Vec<String> {
    let this = &event.event().rounds[0].matches[0];
    let word = |result: Option<GameResult>| result.map_or("*".into(), |result| result.to_string());
    this.boards.iter().map(|board| word(board.result)).collect()
}

/// Every spelling of a result is one of six.
#[test]
fn results_are_read_in_many_spellings() {
    let spellings = [
        ("1-0", "1–0 1—0 1−0 1‑0 1:0 1‐0 w"),
        ("0-1", "0–1 0−1 0:1 b"),
        (
            "1/2-1/2",
            "½-½ ½–½ ½:½ ½ = 0.5-0.5 0,5-0,5 0,5:0,5 1/2 draw Remis 1/2–1/2 =-=",
        ),
        ("1-0f", "+- +:- +/- +–- 1-0F 1–0f 1:0f"),
        ("0-1f", "-+ -:+ -/+ 0:1f"),
        ("0-0f", "-- -:- -/- 0:0f"),
    ];
    for (result, words) in spellings {
        for word in words.split(' ') {
            let read = word
                .parse::<GameResult>()
                .unwrap_or_else(|()| panic!("{word}"));
            assert_eq!(read.to_string(), result, "{word}");
        }
    }
    for wrong in ["", "2-0", "1-1", "1-", "x", "0", "1", "--0"] {
        assert!(wrong.parse::<GameResult>().is_err(), "{wrong}");
    }
}

/// A match in short, and with its score before the boards.
#[test]
fn a_match_is_read_in_short() {
    for line in [
        "1: 1=01",
        "1: 1–0 ½ 0:1 1-0",
        "1 2,5-1,5 1=01",
        "1: 2½–1½ 1-0 = 0-1 1-0",
    ] {
        let event = teams();
        // By hand: the team with White has White on boards 1 and 3, so 1=01 is 1 + 0.5 + 0 + 0 for it.
        let is_scored = line.contains('5') || line.contains("2½");
        let line = if is_scored {
            line.replace("2,5-1,5", "1,5-2,5").replace("2½–1½", "1½–2½")
        } else {
            line.to_owned()
        };
        event.done(&["result", "@", "1", &line]);
        assert_eq!(results(&event), ["1-0", "1/2-1/2", "0-1", "1-0"], "{line}");
    }
    let event = teams();
    let said = event.refused(&["result", "@", "1", "1: 2.5-1.5 1=01"], 2);
    assert!(
        said.contains("the boards make it 1.5-2.5, and not 2.5-1.5"),
        "{said}"
    );
    let said = event.refused(&["result", "@", "1", "1: 2.5-1.5"], 2);
    assert!(
        said.contains("2.5-1.5 is the score of the match; enter the results of its 4 boards"),
        "{said}"
    );
    event.done(&["result", "@", "1", "1: +*-="]);
    assert_eq!(results(&event), ["1-0f", "*", "0-1f", "1/2-1/2"]);
}

/// All mistakes of a batch are listed at once, and nothing is entered.
#[test]
fn all_mistakes_of_a_batch_are_listed() {
    let event = teams();
    let said = event.refused(&["result", "@", "1", "1: 1-0 x = =; 7: = = = =; 1: = ="], 2);
    for part in [
        "`x` is not a result",
        "round 1 has no table 7",
        "table 1 has 4 boards",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let file = event.beside("results.csv");
    fs::write(&file, "table,board,result\n1,1,x\n1,2,1-0\n1,3,y\n").unwrap();
    let said = event.refused(&["result", "@", "1", "--csv", &file], 2);
    assert!(
        said.contains("found `x`") && said.contains("found `y`"),
        "{said}"
    );
    let said = event.refused(&["result", "@", "1", "1", "1-0", "--board", "9"], 2);
    assert!(said.contains("no board 9"), "{said}");
    assert_eq!(results(&event), ["*"; 4]);
}

fn imported(table: &str) -> (EventFolder, String) {
    let event = EventFolder::with(&["--boards", "2"]);
    let file = event.beside("players.txt");
    fs::write(&file, table).unwrap();
    let output = event.run(&["event", "import", "@", "--players", &file]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    (event, said)
}

/// A table copied from a spreadsheet makes the teams and their players: tabs, any order, other headings.
#[test]
fn a_pasted_table_makes_teams_and_players() {
    let table = "Bo.\tTeam name\tSurname\tFirst name\tRtg\tFed\tFIDE no\tBorn\tGender\tPhone\n\
        1\tLeeds\tBell\tAnn\t2100\teng\t400001\t17.5.1990\tF\t1\n\
        2\tLeeds\tCole\tBob\t0\tENG\t400002\t1991\tm\t2\n\
        2\tYork\tDay\tCy\t-\tENG\t\t\t\t3\n\
        1\tYork\tEve\tDi\t1900\tENG\t\t\t\t4\n";
    let (event, said) = imported(table);
    assert!(said.contains("the column `Phone` is not used"), "{said}");
    let event = event.event();
    let teams: Vec<_> = event
        .teams
        .iter()
        .map(|team| (team.number.get(), team.name.as_it_came()))
        .collect();
    assert_eq!(teams, [(1, "Leeds"), (2, "York")]);
    let ann = &event.players[0];
    assert_eq!(
        (
            ann.name.as_it_came(),
            ann.rating,
            ann.federation.as_it_came()
        ),
        ("Bell, Ann", Some(2100), "ENG")
    );
    assert_eq!(
        (
            ann.birth.as_it_came(),
            ann.sex.as_it_came(),
            ann.fide_id.as_it_came()
        ),
        ("1990-05-17", "w", "400001")
    );
    assert_eq!(event.players[1].rating, None);
    let order: Vec<_> = event
        .roster(event.teams[1].number)
        .iter()
        .map(|player| player.name.as_it_came())
        .collect();
    assert_eq!(order, ["Eve, Di", "Day, Cy"]);
    // The same with the teams apart, by number or by name.
    for (team, of) in [("Leeds", "York"), ("1", "2")] {
        let event = EventFolder::with(&["--boards", "2"]);
        let [teams, players] = ["teams.csv", "players.csv"].map(|name| event.beside(name));
        fs::write(&teams, "Team;No.;Club\nYork;2;\nLeeds;1;North\n").unwrap();
        fs::write(
            &players,
            format!("Player;Team;No.\nAnn;{team};12345\nBob;{of};7\n"),
        )
        .unwrap();
        event.done(&[
            "event",
            "import",
            "@",
            "--teams",
            &teams,
            "--players",
            &players,
        ]);
        let ids: Vec<_> = event
            .event()
            .players
            .iter()
            .map(|player| (player.id, player.team.unwrap().get()))
            .collect();
        assert_eq!(ids, [(7, 2), (12345, 1)]);
        assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    }
}

/// A registration form: a row for each team, with the same table for captains, and a fault named where it stands.
#[test]
fn a_row_may_be_a_whole_team() {
    let table = "Team;Team captain;Board 1;Elo;Board 2;Elo;Reserve\n\
        Leeds;Dee;Bell, Ann;2100;Bob;2000;Flo\n\
        York;Gus;Cy;;Di;1900;\n";
    let event = EventFolder::with(&["--boards", "2"]);
    let file = event.beside("teams.csv");
    fs::write(&file, table).unwrap();
    event.done(&["event", "import", "@", "--teams", &file, "--players", &file]);
    let known = event.event();
    let captains: Vec<_> = known
        .teams
        .iter()
        .map(|team| team.captain.as_it_came())
        .collect();
    assert_eq!(captains, ["Dee", "Gus"]);
    let players: Vec<_> = known
        .players
        .iter()
        .map(|player| {
            let team = player.team.map(TeamNo::get);
            (
                player.name.as_it_came(),
                team,
                player.board,
                player.rating,
                player.role,
            )
        })
        .collect();
    assert_eq!(
        players,
        [
            ("Bell, Ann", Some(1), 1, Some(2100), Role::Player),
            ("Bob", Some(1), 2, Some(2000), Role::Player),
            ("Flo", Some(1), 3, None, Role::Reserve),
            ("Cy", Some(2), 1, None, Role::Player),
            ("Di", Some(2), 2, Some(1900), Role::Player),
        ]
    );
    fs::write(&file, table.replace("1900", "19oo")).unwrap();
    let said = event.refused(&["event", "import", "@", "--players", &file], 2);
    assert!(
        said.contains("teams.csv:3:17: ") && said.contains("found `19oo`"),
        "{said}"
    );
}

fn amend<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&["event", "amend", "@", "Leeds", "--player", "Bob"], words].concat()
}

/// What a table refuses is refused by commands too.
#[test]
fn players_are_amended_as_tables_have_them() {
    let table = "Player;Team;Fed;FIDE no\nAnn;Leeds;ENG;400001\nBob;Leeds;;\n";
    let (event, _) = imported(table);
    let said = event.refused(&amend(&["--federation", "Germany"]), 2);
    assert!(said.contains("`Germany` is not a federation"), "{said}");
    let said = event.refused(&amend(&["--fide-id", "400001"]), 2);
    assert!(
        said.contains("Ann has the FIDE id 400001 already"),
        "{said}"
    );
    event.done(&amend(&["--federation", "ger", "--fide-id", "400002"]));
    assert_eq!(event.event().players[1].federation.as_it_came(), "GER");
}

/// Tables of results and line-ups from spreadsheets too, in any encoding.
#[test]
fn tables_of_a_round_are_read_as_they_are() {
    let event = teams();
    let file = event.beside("round.txt");
    let units = "Bo.\tTable no\tRes\n1\t1\t1–0\n2\t1\t½-½\n3\t1\t0:1\n4\t1\t=\n".encode_utf16();
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    fs::write(&file, bytes).unwrap();
    event.done(&["result", "@", "1", "--csv", &file]);
    assert_eq!(results(&event), ["1-0", "1/2-1/2", "0-1", "1/2-1/2"]);
    fs::write(
        &file,
        "Name\tBrd\tTeam name\nBob\t1\tLeeds\nAnn\t2\tLeeds\n",
    )
    .unwrap();
    event.done(&["event", "set", "@", "board-order", "free"]);
    let said = event.refused(
        &["pair", "lineup", "@", "1", "--csv", &file, "--correct"],
        2,
    );
    assert!(said.contains("must be a forfeit"), "{said}");
    fs::write(
        &file,
        "Name\tBrd\tTeam name\nBob\t1\tLeeds\nAnn\t2\tLeeds\nCy\t3\tLeeds\nDi\t4\tLeeds\n",
    )
    .unwrap();
    event.done(&["pair", "lineup", "@", "1", "--csv", &file, "--correct"]);
}

/// Everything that is wrong with a table is listed at once.
#[test]
fn all_mistakes_of_a_table_are_listed() {
    let event = EventFolder::with(&["--boards", "2"]);
    event.done(&["event", "enter", "@", "Leeds", "--players", "Ann"]);
    let file = event.beside("players.csv");
    fs::write(
        &file,
        "name,team,federation,fide id,rating\nAnn,Leeds,Germany,7,12x\nBob,York,ENG,7,\nCy,,ENG,,\n",
    )
    .unwrap();
    let said = event.refused(&["event", "import", "@", "--players", &file], 2);
    for part in [
        "`Germany` is not a federation; expected three letters such as GER",
        "have the same FIDE id 7",
        "found `12x`",
        "no team has the number or name `York`",
        "the player has no team",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

/// A column of one table for both uses is noted only if neither reads it.
#[test]
fn one_table_for_teams_and_players_has_one_note() {
    let event = EventFolder::with(&["--boards", "2"]);
    let file = event.beside("both.csv");
    fs::write(
        &file,
        "Team,Captain,Short,Board 1,Elo 1,Born 1,Board 2,Shirt\nLeeds,Dee,LDS,Ann,2000,31.02.1990,Bob,red\n",
    )
    .unwrap();
    let notes = |line: &[&str]| {
        let output = event.run(line);
        let said = String::from_utf8(output.stderr).unwrap();
        let columns = said.lines().filter_map(|line| line.split('`').nth(1));
        columns.map(str::to_owned).collect::<Vec<_>>()
    };
    let both = ["event", "import", "@", "--teams", &file, "--players", &file];
    // A date that does not exist is noted as well.
    assert_eq!(notes(&both), ["Shirt", "1990-02-31"]);
    let players = ["event", "import", "@", "--players", &file];
    assert_eq!(notes(&players), ["Captain", "Short", "Shirt", "1990-02-31"]);
}

/// A player's details are entered with the player, and are checked as later changes are.
#[test]
fn players_are_entered_with_their_details() {
    let event = teams();
    let details = [
        "--rating",
        "1950",
        "--title",
        "WFM",
        "--federation",
        "eng",
        "--fide-id",
        "1234567",
        "--birth",
        "1990-05-17",
        "--sex",
        "w",
    ];
    let eve = [
        "event", "enter", "@", "Eve", "--team", "Leeds", "--board", "2",
    ];
    event.done(&[&eve[..], &details].concat());
    let entered = event.event();
    let eve = entered
        .players
        .iter()
        .find(|one| one.name == "Eve")
        .unwrap();
    assert_eq!((eve.rating, eve.board), (Some(1950), 2));
    let texts = [
        &eve.title,
        &eve.federation,
        &eve.fide_id,
        &eve.birth,
        &eve.sex,
    ];
    let texts = texts.map(Foreign::as_it_came);
    assert_eq!(texts, ["WFM", "ENG", "1234567", "1990-05-17", "w"]);
    for (option, value, why) in [
        (
            "--fide-id",
            "1234567",
            "Eve has the FIDE id 1234567 already",
        ),
        ("--federation", "England", "is not a federation"),
        ("--birth", "1990-02-30", "is not a date of birth"),
    ] {
        let line = [
            "event", "enter", "@", "Fay", "--team", "York", option, value,
        ];
        let said = event.refused(&line, 2);
        assert!(said.contains(why), "{said}");
    }
    let team = [
        "event",
        "enter",
        "@",
        "Hull",
        "--players",
        "Kim",
        "--title",
        "GM",
    ];
    let said = event.refused(&team, 2);
    assert!(said.contains("do not belong to a team"), "{said}");
    let open = EventFolder::with(&["--of", "players"]);
    open.done(&[
        "event", "enter", "@", "Ann", "--title", "FM", "--rating", "2310",
    ]);
    let ann = &open.event().players[0];
    assert_eq!((ann.title.as_it_came(), ann.rating), ("FM", Some(2310)));
}

/// Dates that are not in the calendar are refused, and left out of reports of older events.
#[test]
fn reports_have_only_dates_of_the_calendar() {
    let event = teams();
    for day in ["2026-02-30", "2026-13-01", "30.11.2026"] {
        event.refused(&["event", "set", "@", "start", day], 2);
    }
    event.done(&["event", "set", "@", "end", "2026-11-22"]);
    event.done(&[
        "event",
        "amend",
        "@",
        "Leeds",
        "--player",
        "Ann",
        "--birth",
        "1990-05-17",
    ]);
    let players = event
        .read("players.csv")
        .replace("1990-05-17", "1990-02-30");
    event.edited("players.csv", Some(&players));
    let old = event.read("event.toml").replace("2026-11-22", "2026-02-30");
    fs::write(format!("{}/event.toml", event.event), old).unwrap();
    let output = event.run(&["event", "export", "@", "--plain"]);
    let (text, said) = (output.stdout, String::from_utf8(output.stderr).unwrap());
    let text = String::from_utf8(text).unwrap();
    assert!(!text.contains("02/30") && !text.contains("\n052"), "{text}");
    assert!(
        said.contains("the setting end is 2026-02-30, which is not in the calendar")
            && said.contains("the date of birth of Ann is `1990-02-30`"),
        "{said}"
    );
}
