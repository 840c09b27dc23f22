//! Events of other programs: what is imported proves itself, and whatever speaks against a report is named.

use crate::{event_folder::EventFolder, run::printed};
use overboard_events::{
    Event,
    rounds::GameResult,
    trf::{self, Edition, Trf, proof::prove},
};
use std::fs;

/// A line of a player: number, name, points, rank, and a word for each round, such as `12wl`, opponent, colour, result.
fn player(number: u32, name: &str, points: &str, rank: &str, rounds: &[&str]) -> String {
    let mut line = format!(
        "001 {number:>4} {:>4} {name:<33} {:>4} {:>3} {:>11} {:>10} {points:>4} {rank:>4}",
        "", "", "ENG", "", ""
    );
    for round in rounds {
        let letters: Vec<char> = round.chars().collect();
        let (opponent, rest) = letters.split_at(letters.len() - 2);
        let opponent: String = opponent.iter().collect();
        line.push_str(&format!("  {opponent:>4} {} {}", rest[0], rest[1]));
    }
    line + "\n"
}

/// Imports a report; returns the event, the message and the exit code.
fn imported(text: &[u8], more: &[&str]) -> (EventFolder, String, i32) {
    let event = EventFolder::new();
    let file = event.beside("a.trf");
    fs::write(&file, text).unwrap();
    let mut line = vec!["event", "import", "@", "--trf", &file];
    line.extend(more);
    let output = event.run(&line);
    let (said, code) = printed(&output);
    let said = said + &String::from_utf8_lossy(&output.stderr);
    (event, said, code)
}

/// Two teams of four. The first has an empty chair at board 2, which only its record 300 says; the player opposite has
/// `0000 - +`. By hand: board 1 is won by the first team, 2 by the second without a game, 3 drawn, 4 won by the second:
/// 1.5 to 2.5.
fn one_line_up() -> String {
    let names = ["Ann", "Bob", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"];
    let rounds = ["5w1", "0000--", "7w=", "8b0", "1b0", "0000-+", "3b=", "4w1"];
    let points = ["1.0", "0.0", "0.5", "0.0", "0.0", "1.0", "0.5", "1.0"];
    let mut text = String::from(
        "012 Two teams\n142 1\n192 FIDE_TEAM\n352 WBWB\n362 TW 2.0   TD 1.0   TL 0.0\n",
    );
    for place in 0..8 {
        let number = place as u32 + 1;
        text += &player(number, names[place], points[place], "", &[rounds[place]]);
    }
    text += &format!(
        "310   1 {:<32} {:5} {:6} {:>6} {:>6} {:>3}     1    2    3    4\n",
        "Leeds", "", "", "0.0", "1.5", "2"
    );
    text += &format!(
        "310   2 {:<32} {:5} {:6} {:>6} {:>6} {:>3}     5    6    7    8\n",
        "York", "", "", "2.0", "2.5", "1"
    );
    text + "300   1   1   2    1    0    3    4\n"
}

/// A line-up of one team seats the other as well, whatever the order of the records.
#[test]
fn a_line_up_of_one_team_seats_both() {
    let text = one_line_up();
    let (event, said, code) = imported(text.as_bytes(), &[]);
    assert_eq!(code, 0, "{said}");
    let this = &event.event().rounds[0].matches[0];
    let seats: Vec<_> = this
        .boards
        .iter()
        .map(|board| (board.white, board.black))
        .collect();
    // White has boards 1 and 3.
    assert_eq!(
        seats,
        [
            (Some(1), Some(5)),
            (Some(6), None),
            (Some(3), Some(7)),
            (Some(8), Some(4))
        ]
    );
    let results: Vec<_> = this
        .boards
        .iter()
        .map(|board| board.result.unwrap())
        .collect();
    use GameResult as R;
    assert_eq!(results, [R::White, R::WhiteForfeit, R::Draw, R::White]);
    // Without any record 300, the win against nobody still has its board.
    let text = text.replace("300   1   1   2    1    0    3    4\n", "");
    let (event, said, code) = imported(text.as_bytes(), &[]);
    assert_eq!(code, 0, "{said}");
    let again = &event.event().rounds[0].matches[0];
    assert_eq!(again.boards[1].result, Some(R::WhiteForfeit));
    assert_eq!(again.boards.len(), 4);
}

/// A bye or a forfeit that only the points betray is named, and can be taken from them.
#[test]
fn points_that_do_not_follow_are_named() {
    let text = [
        "012 Open\n142 3\n",
        &player(1, "Ann", "2.5", "1", &["2w1", "3b=", "0000--"]),
        &player(2, "Bob", "1.5", "2", &["1b0", "0000--", "3w1"]),
        &player(3, "Cy", "0.5", "3", &["0000-Z", "1w=", "2b0"]),
    ]
    .concat();
    let (event, said, code) = imported(text.as_bytes(), &[]);
    assert_eq!(code, 2, "{said}");
    assert!(
        !std::path::Path::new(&event.event)
            .join("event.toml")
            .exists()
    );
    let ann = "a.trf:3:81: Ann: points 2.5 in the file, 1.5 by its games; round 3 is written `0000 - -`: perhaps a bye, or a win by forfeit";
    let bob = "a.trf:4:81: Bob: points 1.5 in the file, 1 by its games; round 2 is written `0000 - -`: perhaps a half-point bye";
    assert!(said.contains(ann) && said.contains(bob), "{said}");
    assert!(!said.contains("Cy:"), "{said}");
    let (event, said, code) = imported(text.as_bytes(), &["--take-totals"]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("Ann has a bye in round 3") && said.contains("Bob has a half-bye in round 2"),
        "{said}"
    );
    let shown = event.done(&["standings", "@", "--to", "csv", "--tie-breaks", "WIN"]);
    for (name, points) in [("Ann", "2.5"), ("Bob", "1.5"), ("Cy", "0.5")] {
        let row = shown.lines().find(|row| row.contains(name)).unwrap();
        assert!(row.split(',').any(|cell| cell == points), "{row}");
    }
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
}

/// Three teams of two in the form that TRF16 has for teams, without their points: rulers among the records, and `0000 - -`
/// for a team without an opponent as well as for a win against an empty chair, which only the player's points betray.
fn three_teams() -> String {
    let mut text = String::from(
        "012 Three teams\n082 3\n092 Team Swiss System\n142 2\n\n\
         DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF\n",
    );
    let players = [
        ("Ann", "1.5", ["3w1", "5b="]),
        ("Bob", "2.0", ["4b1", "0000--"]),
        ("Cy", "0.0", ["1b0", "0000--"]),
        ("Di", "0.0", ["2w0", "0000--"]),
        ("Ed", "0.5", ["0000--", "1w="]),
        ("Flo", "0.0", ["0000--", "0000--"]),
    ];
    for (number, (name, points, rounds)) in (1..).zip(players) {
        text += &player(number, name, points, "", &rounds);
    }
    for (name, first) in [("Leeds", 1), ("York", 3), ("Hull", 5)] {
        text += &format!("013 {name:<32}{first:>4} {:>4}\n", first + 1);
    }
    text
}

/// A player of a team has no byes: more points than games are a win against an empty chair.
#[test]
fn a_win_against_an_empty_chair_is_found_by_its_points() {
    let text = three_teams();
    let (_, said, code) = imported(text.as_bytes(), &[]);
    let bob = "Bob: points 2 in the file, 1 by its games; round 2 is without a game, when a board of the match had none: perhaps a win by forfeit";
    assert!(code == 2 && said.contains(bob), "{said}");
    assert!(!said.contains("Flo"), "{said}");
    let (event, said, code) = imported(text.as_bytes(), &["--take-totals"]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("Bob has a win by forfeit in round 2, on board 2"),
        "{said}"
    );
    let boards = &event.event().rounds[1].matches[0].boards;
    // Leeds has Black on board 1, so White on board 2.
    let second = (boards[1].white, boards[1].black, boards[1].result);
    assert_eq!(second, (Some(2), None, Some(GameResult::WhiteForfeit)));
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
}

/// A date that no calendar has is left out, and said.
#[test]
fn impossible_dates_are_named() {
    let text = three_teams() + "042 2026/02/30\n052 2026/03/01\n";
    let (event, said, code) = imported(text.as_bytes(), &["--take-totals"]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("the start `2026/02/30` is not a date (YYYY/MM/DD), and is left out"),
        "{said}"
    );
    assert_eq!(event.event().settings.end, "2026-03-01");
}

/// What a round without an opponent counts for a team, TRF16 does not say.
#[test]
fn byes_of_unknown_worth_are_named() {
    let (event, said, _) = imported(three_teams().as_bytes(), &["--take-totals"]);
    assert!(
        said.contains(
            "what rounds without an opponent count for a team (round 1 Hull, round 2 York)"
        ),
        "{said}"
    );
    for (team, round) in [("Hull", "1"), ("York", "2")] {
        let bye = ["event", "request", "@", "half-bye", team];
        event.done(&[&bye[..], &["--round", round, "--correct"]].concat());
    }
    let shown = event.done(&["standings", "@", "--to", "csv", "--tie-breaks", "GPTS"]);
    let points = |name: &str| {
        let row = shown.lines().find(|row| row.contains(name)).unwrap();
        let cells: Vec<&str> = row.split(',').rev().collect();
        format!("{} {}", cells[1], cells[0])
    };
    // By hand: a bye is a draw, of half the boards.
    assert_eq!(
        ["Leeds", "York", "Hull"].map(points),
        ["4 3.5", "1 1", "1 1.5"]
    );
}

/// Where no bye explains them, the totals are taken as points apart from the games.
#[test]
fn totals_without_a_reason_can_be_taken() {
    let text = one_line_up().replace("2.0    2.5   1", "3.0    4.0   1");
    let (_, said, code) = imported(text.as_bytes(), &[]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("York: match points 3 in the file, 2 by its games"),
        "{said}"
    );
    let (event, said, code) = imported(text.as_bytes(), &["--take-totals"]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("York is given 1 match points and 1.5 game points apart from its games"),
        "{said}"
    );
    let out = event.done(&["event", "export", "@", "--plain"]);
    assert!(
        out.lines()
            .any(|line| line.starts_with("310   2") && line[54..67] == *"   3.0    4.0"),
        "{out}"
    );
}

/// What two players say of the same game must agree.
#[test]
fn contradictions_are_named() {
    let both = |first: &str, second: &str| {
        let rows = [
            player(1, "Ann", "1.0", "", &[first]),
            player(2, "Bob", "1.0", "", &[second]),
        ];
        let text = rows.concat() + &player(3, "Cy", "0.0", "", &["0000-Z"]);
        imported(format!("012 Open\n142 1\n{text}").as_bytes(), &[])
    };
    let (_, said, code) = both("2w1", "1b1");
    assert!(
        code == 2 && said.contains("Ann has `1` and Bob `1` for the same game"),
        "{said}"
    );
    let (_, said, _) = both("2w1", "1w0");
    assert!(said.contains("both Ann and Bob have White"), "{said}");
    let (_, said, _) = both("2w1", "3b0");
    assert!(
        said.contains("Ann plays Bob (number 2), but Bob plays number 3"),
        "{said}"
    );
    let (_, said, _) = both("2w+", "1b+");
    assert!(said.contains("for the same game"), "{said}");
}

/// Ranks follow from the tie-breaks of the file; without a list, from points alone.
#[test]
fn ranks_are_derived_again() {
    let text = |list: &str, ranks: [&str; 4]| {
        let rounds = [
            ["2w1", "3w1"],
            ["1b0", "4w1"],
            ["4b1", "1b0"],
            ["3w0", "2b0"],
        ];
        let points = ["2.0", "1.0", "1.0", "0.0"];
        let mut text = format!("012 Open\n142 2\n{list}");
        for (place, name) in ["Ann", "Bob", "Cy", "Di"].iter().enumerate() {
            text += &player(
                place as u32 + 1,
                name,
                points[place],
                ranks[place],
                &rounds[place],
            );
        }
        text
    };
    // Bob and Cy are level on points and on everything else here.
    for ranks in [
        ["1", "2", "3", "4"],
        ["1", "3", "2", "4"],
        ["1", "0", "2", "3"],
    ] {
        assert_eq!(imported(text("", ranks).as_bytes(), &[]).2, 0, "{ranks:?}");
    }
    let (_, said, code) = imported(text("", ["2", "1", "3", "4"]).as_bytes(), &[]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("Ann: rank 2 in the file, 1 by its games"),
        "{said}"
    );
    assert!(
        said.contains("Bob: rank 1 in the file, 2 to 3 by its games"),
        "{said}"
    );
    // Bob has the Black game against Ann and White against Di, Cy two games with Black.
    let (_, said, code) = imported(text("202 BPG\n", ["1", "2", "3", "4"]).as_bytes(), &[]);
    assert!(
        code == 2 && said.contains("Cy: rank 3 in the file, 2 by its games; by BPG"),
        "{said}"
    );
    assert_eq!(
        imported(text("202 BPG\n", ["1", "3", "2", "4"]).as_bytes(), &[]).2,
        0
    );
}

/// Players in no record of a team stay in the event, with their team if a line-up or their games show it.
#[test]
fn players_in_no_team_are_kept_and_named() {
    let mut text = one_line_up().replace("     5    6    7    8\n", "     5    6    7\n");
    text += &player(9, "Ivy", "0.0", "", &[]);
    let (event, said, code) = imported(text.as_bytes(), &[]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("Hal is in no record of a team, but plays for team 2"),
        "{said}"
    );
    assert!(said.contains("Ivy is in no team"), "{said}");
    let again = event.event();
    assert_eq!(again.players.len(), 9);
    assert_eq!(again.player(8).unwrap().team.unwrap().get(), 2);
    assert_eq!(again.player(9).unwrap().team, None);
    let checked = event.done(&["event", "check", "@"]);
    assert!(checked.contains("note: Ivy has no team"), "{checked}");
    let out = event.done(&["event", "export", "@", "--plain"]);
    assert_eq!(
        out.lines().filter(|line| line.starts_with("001")).count(),
        9
    );
}

/// The same FIDE id twice, and what is not a federation, are named.
#[test]
fn duplicate_ids_are_named() {
    let mut text = String::from("012 Open\n142 1\n");
    for (number, name, rounds) in [(1, "Ann", "2w1"), (2, "Bob", "1b0")] {
        let points = ["1.0", "0.0"][number as usize - 1];
        text += &player(number, name, points, "", &[rounds])
            .replace("ENG            ", "EN1     1234567");
    }
    let (_, said, code) = imported(text.as_bytes(), &[]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("a.trf:4:58: Bob and Ann have the same FIDE id 1234567"),
        "{said}"
    );
    assert!(said.contains("`EN1` is not a federation"), "{said}");
}

/// Names in code pages are read by a guess that is said, or by an option.
#[test]
fn code_pages_are_read() {
    // The bytes were made with Python's codecs, not with the library under test.
    let greek: &[u8] =
        b"\xd0\xe1\xf0\xe1\xe4\xfc\xf0\xef\xf5\xeb\xef\xf2, \xc3\xe9\xfe\xf1\xe3\xef\xf2";
    let polish: &[u8] = b"\xa3ukasz \x8cwierczy\xf1ski, J\xf3zef";
    let western: &[u8] = b"M\xfcller, Andr\xe9";
    let texts = [
        (greek, "GRE", "Παπαδόπουλος, Γιώργος", "ISO-8859-7"),
        (polish, "POL", "Łukasz Świerczyński, Józef", "windows-1250"),
        (western, "GER", "Müller, André", "windows-1252"),
    ];
    for (name, federation, read, encoding) in texts {
        let width = "X".repeat(name.len());
        let text = format!("012 Open\n032 {federation}\n142 1\n")
            + &player(1, &width, "", "", &[])
            + &player(2, "Bob", "", "", &[]);
        let at = text.find(&width).unwrap();
        let mut bytes = text.into_bytes();
        bytes[at..at + name.len()].copy_from_slice(name);
        let (event, said, code) = imported(&bytes, &[]);
        assert_eq!(code, 0, "{said}");
        assert_eq!(event.event().players[0].name.as_it_came(), read);
        assert!(
            said.contains(&format!("it was read as {encoding}")),
            "{said}"
        );
        let (event, said, _) = imported(&bytes, &["--encoding", encoding]);
        assert_eq!(event.event().players[0].name.as_it_came(), read);
        assert!(!said.contains("it was read as"), "{said}");
    }
    let text = "012 Open\n142 1\n".to_owned()
        + &player(1, "Ünal", "", "", &[])
        + &player(2, "Bob", "", "", &[]);
    for big in [false, true] {
        let unit = |unit: u16| {
            if big {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            }
        };
        let bytes: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
        let (event, said, code) = imported(&bytes, &[]);
        assert_eq!(
            (code, event.event().players[0].name.as_it_came()),
            (0, "Ünal"),
            "{said}"
        );
    }
    let (_, said, code) = imported(text.as_bytes(), &["--encoding", "klingon"]);
    assert!(code == 2 && said.contains("windows-1250"), "{said}");
}

/// Records with their fields a column off are read, and written where the format has them.
#[test]
fn fields_a_column_off_are_read() {
    let text = |records: &str| format!("012 A\n001    1      Ann{:59}\n{records}", "");
    let read = |records: &str| Trf::read("a.trf", text(records).as_bytes()).unwrap();
    for record in [
        "362 TW 3.0   TD 1.0   TL 0.0\n",
        "362  TW 3.0  TD 1.0  TL 0.0\n",
        "362 TW  3.0  TD  1.0  TL  0.0\n",
        "362 TW 3 TD 1 TL 0\n",
    ] {
        let values: Vec<String> = read(record)
            .match_points
            .iter()
            .map(|(sign, points)| format!("{sign}{points}"))
            .collect();
        assert_eq!(values, ["TW3", "TD1", "TL0"], "{record}");
    }
    for record in ["162  W 3.0    D 1.0    L 0.0\n", "162 W 3.0 D 1.0 L 0.0\n"] {
        assert_eq!(read(record).game_points.len(), 3, "{record}");
    }
    let usual = "299 -  -1.0   2.5  002 0001 0002\n";
    let closer = "299 - -1.0  2.5   2    1    2\n";
    assert_eq!(read(usual).extra, read(closer).extra);
    assert_eq!(read(usual).extra[0].who.len(), 2);
    // Programs refuse a player's line that ends before the rank.
    let out = read("").write(Edition::Of2016);
    let line = out.lines().find(|line| line.starts_with("001")).unwrap();
    assert_eq!(line.chars().count(), 89);
}

/// A report that this program writes proves itself.
#[test]
fn own_reports_prove_themselves() {
    let event = EventFolder::with(&["--system", "swiss-team", "--rounds", "3", "--boards", "2"]);
    for team in ["Leeds", "York", "Hull"] {
        event.done(&["event", "enter", "@", team, "--players", "Ann;Bob"]);
    }
    for round in ["1", "2"] {
        event.done(&["pair", "next", "@"]);
        event.done(&["result", "@", round, "1: 1-0f ="]);
    }
    for edition in [Edition::Of2016, Edition::Of2026] {
        let text = Trf::from(&event.event()).write(edition);
        let report = Trf::read("a.trf", text.as_bytes()).unwrap();
        let again: Event = trf::event(&report, "a.trf").unwrap();
        let proof = prove(&report, &again);
        assert!(proof.holds() && !proof.has_no_totals, "{proof:?}\n{text}");
    }
}
