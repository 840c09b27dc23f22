//! Games as rows: every game is read back from them, every position in them is valid, and every moment can be shown.

use crate::{
    chance::Chance,
    commands::fed,
    depth::tries,
    moments,
    run::{overboard, printed},
};
use overboard_formats::{
    limits::Limits,
    parse::{Event, Parser},
    ply_rows::{Kind, PlyRow},
    san::board_index,
};
use overboard_games::{
    coordinates::Line,
    mega::Mega,
    overchess::Over,
    registry::{AnyGame, Variant, under_way},
};
use overboard_rules::variant::Sample;
use std::{collections::HashMap, fmt::Write as _, fs, ops::ControlFlow};
use tempfile::TempDir;

mod wrong_boards;

/// The output of a command with this on its standard input, its exit code and its messages.
pub fn run(args: &[&str], input: &str) -> (String, i32, String) {
    let output = fed(&[args, &["-"]].concat(), input);
    let (text, exit) = printed(&output);
    (text, exit, String::from_utf8(output.stderr).unwrap())
}

pub fn piped(args: &[&str], input: &str) -> String {
    let (text, exit, complaints) = run(args, input);
    assert_eq!((exit, complaints.as_str()), (0, ""), "{args:?}\n{input}");
    text
}

fn rows(record: &str) -> Vec<PlyRow> {
    piped(&["convert", "--to", "plies"], record)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Records are read back from rows of both forms, and from JSON Lines, as `fmt` writes them.
pub fn come_back(records: &str) {
    let canonical = piped(&["fmt"], records);
    let json = piped(&["convert", "--to", "jsonl"], &canonical);
    assert_eq!(
        piped(&["convert", "--from", "jsonl", "--to", "npgn"], &json),
        canonical
    );
    for form in ["jsonl", "csv"] {
        let rows = piped(&["convert", "--to", "plies", "--format", form], &canonical);
        let again = piped(&["convert", "--from", "plies", "--to", "npgn"], &rows);
        if again != canonical {
            let differs = canonical.lines().zip(again.lines()).find(|(a, b)| a != b);
            panic!("{form}: {differs:?}\n{canonical}\n---\n{again}\n---\n{rows}");
        }
    }
}

/// A game is also read back from a line of coordinates.
fn comes_back_from_a_line(game: Variant, start: &AnyGame, sample: &Sample, record: &str) {
    let line = piped(&["convert", "--to", "coord"], record);
    let name = *game.info().arguments.last().unwrap();
    let (boards, level) = (
        start.agreed_boards().to_string(),
        sample.level.map(|level| level.to_string()),
    );
    let mut args = vec![
        "convert",
        "--from",
        "coord",
        "--to",
        "npgn",
        "--variant",
        name,
    ];
    args.extend(["--rules", sample.rules]);
    if start.agreed_boards() > 1 {
        args.extend(["--boards", boards.as_str()]);
    }
    if let Some(level) = &level {
        args.extend(["--level", level.as_str()]);
    }
    assert_eq!(
        piped(&["convert", "--to", "coord"], &piped(&args, &line)),
        line,
        "{record}"
    );
}

/// The starting position of the sub-game on one of a game's boards.
fn of_board(start: &AnyGame, path: &str) -> AnyGame {
    let steps = path.split('.').filter(|step| !step.is_empty()).count() as u8;
    match start {
        AnyGame::Mega(mega) if steps < mega.level() => Mega::first(mega.level() - steps).into(),
        AnyGame::Mega(_) => under_way::Chess::default().into(),
        AnyGame::Over(over) if steps == over.depth() => under_way::Chess::default().into(),
        AnyGame::Over(over) => Over::first(over.depth() - steps, over.rules()).into(),
        AnyGame::Linked(_) if steps > 0 => under_way::Strategi::default().into(),
        other => other.clone(),
    }
}

/// Every position in the rows is read as it was written.
fn positions_are_read(start: &AnyGame, rules: &str, rows: &[PlyRow]) -> usize {
    let mut count = 0;
    for (row, fen) in rows.iter().filter_map(|row| Some((row, row.fen.as_ref()?))) {
        let first = of_board(start, &row.path);
        count += 1;
        // One of several linked boards may have a position that is impossible in a game of its own.
        if start.boards() > 1 && !row.path.is_empty() {
            let (again, name) = first
                .read_one_of_several(fen, rules)
                .expect("one of several boards");
            let drawn = again.diagram(&[]);
            assert_eq!(
                again.zoomed(name, drawn).map(|(_, again)| again).as_ref(),
                Ok(fen)
            );
            let first = first.fen();
            let others = format!("{fen} | {}", first.split(" | ").last().unwrap());
            assert_eq!(
                start
                    .read_under(&others, rules)
                    .map(|read| read.position.fen()),
                Ok(others)
            );
            continue;
        }
        match first.read_under(fen, rules) {
            Ok(read) => assert!(read.position.fen() == *fen && !read.lenient, "{row:?}"),
            Err(why) => panic!("{why}: {row:?}"),
        }
    }
    count
}

/// The listed moments of a game are those of its rows; some of them are shown.
fn moments_are_those_listed(record: &str, rows: &[PlyRow]) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("game.npgn");
    fs::write(&file, record).unwrap();
    let file = file.to_str().unwrap();
    let (listed, exit) = printed(&overboard(&["show", "--list", file]));
    assert_eq!(exit, 0, "{record}");
    let listed: Vec<_> = listed
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .collect();
    let of_rows: HashMap<_, _> = rows
        .iter()
        .filter_map(|row| Some((row.at.as_deref()?, row)))
        .collect();
    for (at, fen) in &listed {
        let row = of_rows
            .get(at)
            .unwrap_or_else(|| panic!("{at} is in no row\n{record}"));
        // For linked and nested boards a list shows all of them, and a row shows one.
        if row.path.is_empty() || row.path.contains(|c: char| c.is_ascii_lowercase()) {
            assert_eq!(row.fen.as_deref(), Some(*fen), "{at}\n{record}");
        } else if let (Some(own), true) = (&row.fen, fen.contains(" | ")) {
            let place = board_index(row.path.as_bytes()).unwrap().into();
            assert_eq!(
                fen.split(" | ").nth(place),
                Some(own.as_str()),
                "{at}\n{record}"
            );
        }
    }
    for at in of_rows.keys() {
        assert!(
            listed.iter().any(|(known, _)| known == at),
            "{at} is not listed\n{record}"
        );
    }
    for (at, fen) in listed.iter().step_by(listed.len() / 4 + 1) {
        let (shown, exit) = printed(&overboard(&["show", "--as-fen", "--at", at, file]));
        assert_eq!((shown.trim_end(), exit), (*fen, 0), "{at}\n{record}");
    }
}

/// Adds comments, annotation glyphs and clocks after some plies.
fn annotated(record: &str, chance: &mut Chance) -> String {
    let mut parser = Parser::new(record.as_bytes(), 0, Limits::default());
    let mut places = Vec::new();
    loop {
        match parser.next().unwrap() {
            Event::Ply => places.push(parser.place().span.to as usize),
            Event::Done => break,
            _ => {}
        }
    }
    let mut text = String::new();
    let mut from = 0;
    for at in places {
        if chance.below(4) > 0 {
            continue;
        }
        let at = at + record[at..].find([' ', '\n', '>', '*']).unwrap_or(0);
        let said = [
            "!? ",
            " $14 {two, \"words\"} {apart}",
            " {[%clk 1:00:00]}",
            " {[%eval -0.35] \u{17c}}",
            " {,}",
        ];
        text.push_str(&record[from..at]);
        text.push_str(chance.pick(&said).unwrap());
        from = at;
    }
    text + &record[from..]
}

/// The record of a random game.
fn random_game(game: Variant, start: &AnyGame, sample: &Sample, chance: &mut Chance) -> String {
    let plies = if start.count_legal() > 1_000 { 24 } else { 80 };
    let is_whole =
        |game: &AnyGame| !matches!(game, AnyGame::Mega(mega) if !mega.is_between_turns());
    let (mut here, mut words) = (start.clone(), Vec::new());
    for ply in 0.. {
        if here.end_by_itself().is_some() || (ply >= plies && is_whole(&here)) {
            break;
        }
        let mut list = Vec::new();
        let _ = here.legal(|ply| {
            list.push(ply);
            ControlFlow::Continue(())
        });
        let Some(ply) = chance.pick(&list) else { break };
        words.push(here.coordinates(ply).to_string());
        here.play(ply);
    }
    let line = Line::read_under(&words.join(" "), game, start, sample.rules).unwrap();
    let result = here
        .end_by_itself()
        .map_or("*", |ruling| ruling.outcome.as_str());
    let mut record = String::new();
    line.write_record(result, &mut record).unwrap();
    record
}

#[test]
fn every_game_comes_back_from_rows() {
    let mut chance = Chance::seeded(77);
    for game in Variant::ALL {
        for (sample, start) in game.sampled() {
            let random: Vec<_> = (0..tries(3))
                .map(|_| random_game(*game, &start, &sample, &mut chance))
                .collect();
            let texts: Vec<_> = random
                .iter()
                .map(|record| annotated(record, &mut chance))
                .collect();
            come_back(&texts.concat());
            let record = &random[0];
            comes_back_from_a_line(*game, &start, &sample, record);
            let rows = rows(record);
            assert!(positions_are_read(&start, sample.rules, &rows) > 10);
            moments_are_those_listed(record, &rows);
        }
    }
}

/// Games with many attacks, and all acts other than moves.
#[test]
fn sub_games_come_back_from_rows() {
    let mut chance = Chance::seeded(78);
    let (mut positions, mut inside, mut ended) = (0, 0, 0);
    for rules in [
        "",
        "consolidation",
        "fog:prisoners:consolidation:reserves=team/2P1N/2P1N",
        "prisoners:reserves=set/1P1N:subdraw=both",
        "depth=2:prisoners:consolidation:reserves=team/2P1N/3P",
        "depth=3:fog:subdraw=defender",
    ] {
        let start = AnyGame::start_under(Variant::Over, rules).unwrap();
        for _ in 0..tries(2) {
            let lines = moments::lines(rules, &mut chance);
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let args = [
                "convert",
                "--from",
                "coord",
                "--variant",
                "overchess",
                "--rules",
                rules,
                "--to",
                "npgn",
            ];
            let records = piped(&args, &text);
            come_back(&annotated(&records, &mut chance));
            let rows = rows(&records);
            positions += positions_are_read(&start, rules, &rows);
            inside += rows
                .iter()
                .filter(|row| row.kind == Kind::Start && row.row > 0)
                .count();
            ended += rows.iter().filter(|row| row.kind == Kind::Result).count();
            // A line contains the same acts as the rows, which include results of sub-games.
            let reported = rows
                .iter()
                .filter(|row| matches!(row.kind, Kind::Ply | Kind::Unsaid));
            let words: usize = reported
                .map(|row| row.coord.as_ref().unwrap().split(' ').count())
                .sum();
            let in_lines = lines
                .iter()
                .map(|line| line.rsplit('\t').next().unwrap().split(' '));
            let is_move = |word: &&str| {
                !word.ends_with("1-0") && !word.ends_with("0-1") && !word.ends_with("1/2-1/2")
            };
            assert_eq!(words, in_lines.flatten().filter(is_move).count(), "{rules}");
        }
    }
    assert!(
        positions > 1_000 && inside > 20 && ended > 20,
        "{positions} {inside} {ended}"
    );
}

#[test]
fn moments_of_sub_games_are_those_of_rows() {
    let mut chance = Chance::seeded(79);
    for rules in [
        "prisoners:consolidation:reserves=team/1P/2P",
        "depth=2:prisoners:consolidation",
    ] {
        let lines = moments::lines(rules, &mut chance);
        let args = [
            "convert",
            "--from",
            "coord",
            "--variant",
            "overchess",
            "--rules",
            rules,
            "--to",
            "npgn",
        ];
        for line in lines.iter().take(tries(3)) {
            let record = piped(&args, line);
            moments_are_those_listed(&record, &rows(&record));
        }
    }
}

/// Tags, players, comments, bare results, and what is left out.
#[test]
fn what_stands_around_sub_games_comes_back() {
    let lost =
        "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# {mate} 1-0";
    let mut text = String::new();
    for (rules, moves) in [
        ("prisoners:reserves=team/1Q", format!("1. e4 d5 2. exd5 {{takes}} <d5: [White \"Cy\"] {{begins}} {lost}> {{won}} Nf6")),
        ("prisoners", "1. e4 d5 2. exd5 <d5: 1-0> <prisoners 0> {nobody} 2... Nf6".into()),
        ("prisoners", format!("1. e4 d5 2. exd5 <d5: {lost}> <prisoners Q> {{one}} 2... Nf6")),
        ("reserves=team/1Q", format!("1. e4 d5 2. exd5 <d5: {lost}> 2... Nf6 3. <reserve d5: Q> {{called}} d6")),
        ("consolidation", "1. e4 d5 2. exd5 <d5: [White \"Eve\"] {absent} 1/2-1/2> {so} 2... <consolidate b7> {x} 3. d4".into()),
        ("fog", format!("1. e4 d5 2. exd5 Nf6 <d5: {lost}> 3. d4")),
        ("", "{first} 1. e4 $1 {[%clk 0:10:00][%eval 0.2,20]} d5 ; to the end\n 2. exd5! <d5: 1. e4 {broken off} *>".into()),
    ] {
        let rules = if rules.is_empty() { String::new() } else { format!("[Rules \"{rules}\"]\n") };
        let _ = write!(text, "[Event \"A \\\"cup\\\"\"]\n[Variant \"Overchess\"]\n{rules}\n{moves} *\n\n");
    }
    come_back(&text);
    let rows = rows(&text);
    let find = |said: &str| {
        rows.iter()
            .find(|row| row.remarks.as_deref().is_some_and(|all| all.contains(said)))
            .unwrap()
    };
    assert_eq!(
        (find("begins").kind, find("begins").tags.as_deref()),
        (Kind::Start, Some("[White \"Cy\"]"))
    );
    assert_eq!(
        (find("won").kind, find("won").result.as_deref()),
        (Kind::Result, Some("1-0"))
    );
    assert_eq!(
        (find("mate").path.as_str(), find("mate").san.as_deref()),
        ("d5", Some("Nd5#"))
    );
    assert!(
        rows.iter()
            .any(|row| row.kind == Kind::Unsaid && row.line.is_none())
    );
    let first = find("[%eval");
    assert_eq!(
        (first.clock, first.eval, first.depth),
        (Some(600.0), Some(0.2), Some(20))
    );
}

/// Events on linked boards other than plies, and moves after them; a sub-game that had ended at its set-up
/// and has a block nevertheless.
#[test]
fn what_is_no_ply_comes_back() {
    let linked = |rules: &str, moves: &str| {
        format!(
            "[Variant \"StrategiChess\"]\n[Boards \"A:B:C\"]\n[White \"Ann:Cy:Al\"]\n[Black \"Di:Ed:Jo\"]\n{rules}\n{moves} *\n\n"
        )
    };
    let moves = [
        "1A. h5 {[%flag B:A] first} {second} 1a. -- {passes} 2A. h6 2a. -- 1B. g5 1b. g10",
        "{[%flag W:C]} 1A. h5 1a. g10 1C. -- 1c. h10 2C. --",
        "1A. h5 $1 {[%illegal Nf9]} {[%illegal Nf9]} 1a. -- 1C. g5",
    ];
    let mut text: String = moves.iter().map(|moves| linked("", moves)).collect();
    text += &linked("[Rules \"edition=2025\"]", moves[0]);
    let dead = "[Variant \"Overchess\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1 c4=0,d5=0 - -\"]\n\n1. cxd5";
    text += &format!(
        "{dead} <d5: [White \"Cy\"] {{nobody}} 1/2-1/2> {{so}} Kd7 *\n\n{dead} <d5: 1/2-1/2> Kd7 *\n\n{dead} Kd7 *\n\n"
    );
    come_back(&text);
    let fallen: Vec<_> = rows(&text)
        .into_iter()
        .filter(|row| row.kind == Kind::Flag)
        .collect();
    let known: Vec<_> = fallen
        .iter()
        .map(|row| (row.path.as_str(), row.coord.as_deref().unwrap()))
        .collect();
    assert_eq!(
        known,
        [
            ("A", "flag B:A"),
            ("C", "flag W:C"),
            ("A", "flag B:A"),
            ("A", "flag B:A")
        ]
    );
    assert!(fallen.iter().all(|row| row.fen.is_some()));
    let ats: Vec<_> = fallen
        .iter()
        .map(|row| row.at.as_deref().unwrap())
        .collect();
    assert_eq!(
        ats,
        ["1A", "start", "1A", "1A"],
        "a moment stands after all that happens at it"
    );
    let one = fallen[0].fen.as_deref().unwrap();
    let shown = overboard(&[
        "show",
        "--variant",
        "strategichess",
        "--as-fen",
        "--fen",
        one,
    ]);
    assert_eq!(printed(&shown), (format!("{one}\n"), 0));
    assert!(
        String::from_utf8_lossy(&shown.stderr).contains("one board of several"),
        "{shown:?}"
    );
    for (nth, moves) in moves.into_iter().enumerate().filter(|(nth, _)| *nth != 1) {
        let record = linked(
            if nth == 0 {
                "[Rules \"flag=king\"]"
            } else {
                ""
            },
            moves,
        );
        moments_are_those_listed(&record, &rows(&record));
    }
    for (moves, line) in [
        (moves[0], "A.h4h5 flag B:A A.-- A.h5h6 A.-- B.g4g5 B.g11g10"),
        (moves[1], "flag W:C A.h4h5 A.g11g10 C.-- C.h11h10 C.--"),
        (moves[2], "A.h4h5 flag B:A A.-- C.g4g5"),
    ] {
        let moves_of = |text: &str| text.trim_end().rsplit('\t').next().unwrap().to_string();
        assert_eq!(
            moves_of(&piped(&["convert", "--to", "coord"], &linked("", moves))),
            line
        );
        let args = [
            "convert",
            "--from",
            "coord",
            "--variant",
            "strategichess",
            "--boards",
            "3",
            "--to",
        ];
        assert_eq!(
            moves_of(&piped(&[&args[..], &["coord"]].concat(), line)),
            line
        );
        let record = piped(&[&args[..], &["npgn"]].concat(), line);
        assert!(record.contains("{[%flag "), "{record}");
        piped(&["check", "--quiet"], &record);
    }
}

/// Text after the result.
#[test]
fn what_stands_at_the_end_comes_back() {
    come_back("[Event \"?\"]\n\n1. e4 e5 1-0 {after}\n\n[Event \"?\"]\n\n1. d4 {last} *\n");
}

/// Turns within turns, and commands in and after them.
#[test]
fn turns_come_back() {
    let items = |from: usize, to: usize| -> String {
        [
            "A2.e4",
            "B2.e4",
            "C2.e4 {in}",
            "D2.e4",
            "E2.e4",
            "F2.e4",
            "G2.e4",
            "H2.e4 {last}",
        ][from..to]
            .join(" ")
    };
    let white = items(0, 8);
    let inner = white.replace("A2.", "A1.").replace("B2.", "B1.");
    let text = format!(
        "[Variant \"Mega-Chess\"]\n\n1. <{white}> {{after}} *\n\n\
         [Variant \"Recursive Chess\"]\n[Level \"2\"]\n\n1. <A2.<{inner}> {{between}} B2.<{inner}> C2.<{inner}> D2.<{inner}> E2.<{inner}> F2.<{inner}> G2.<{inner}> H2.<{inner}> {{both}}> {{out}} *\n\n"
    );
    come_back(&text);
    let rows = rows(&text);
    let turn = rows.iter().find(|row| row.kind == Kind::Turn).unwrap();
    assert_eq!(
        (
            turn.at.as_deref(),
            turn.remarks.as_deref(),
            turn.path.as_str()
        ),
        (Some("1w"), Some(" {after}"), "")
    );
    assert_eq!(rows.iter().filter(|row| row.kind == Kind::Turn).count(), 10);
}

/// Plies that are illegal or not judged have rows without positions; an illegal move that stands has a position.
#[test]
fn what_is_not_judged_has_rows() {
    let rows_of = |record: &str| -> (Vec<PlyRow>, i32) {
        let (text, exit, _) = run(&["convert", "--to", "plies"], record);
        (
            text.lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect(),
            exit,
        )
    };
    let kinds = |rows: &[PlyRow]| rows.iter().map(|row| row.kind).collect::<Vec<_>>();
    let (rows, exit) = rows_of("1. e4 e5 2. Ke3 Nf6 *");
    assert_eq!(
        (kinds(&rows), exit),
        (
            vec![
                Kind::Start,
                Kind::Ply,
                Kind::Ply,
                Kind::Illegal,
                Kind::Unjudged,
                Kind::End
            ],
            1
        )
    );
    assert_eq!(
        (rows[3].san.as_deref(), rows[3].number, rows[3].col),
        (Some("Ke3"), Some(2), Some(13))
    );
    assert!(rows[3].fen.is_none() && rows[4].fen.is_none());
    let linked = "[Variant \"StrategiChess\"]\n[Boards \"A:B\"]\n\n1A. e5 1B. e9 {[%stands e4e9]} 1a. e10 1b. c10 *\n";
    let (rows, exit) = rows_of(linked);
    assert_eq!((kinds(&rows)[2], exit), (Kind::Stands, 0));
    assert_eq!(
        (
            rows[2].at.as_deref(),
            rows[2].path.as_str(),
            rows[2].coord.as_deref()
        ),
        (Some("1B"), "B", Some("e4e9"))
    );
    assert!(rows[2].fen.is_some());
    let (rows, _) = rows_of("[Variant \"Nobody knows\"]\n\n1. e4 e5 *\n");
    assert_eq!(
        kinds(&rows),
        [Kind::Start, Kind::Unjudged, Kind::Unjudged, Kind::End]
    );
}

/// Illegal moves that stand are read back, with the moves after them.
#[test]
fn moves_that_stand_come_back() {
    const SEVEN: &str = "B1.a3 C1.a3 D1.a3 E1.a3 F1.a3 G1.a3 H1.a3";
    let mega = format!("1. <A1.Ne4 {{[%stands b1e4]}} {SEVEN}> *");
    for (tags, moves) in [
        (
            "",
            "1. e4 e5 2. Ke3 {[%stands e1e3]} 2... Nf6 3. d4 Nxg3 {[%stands f6g3]} 4. hxg3 *",
        ),
        (
            "",
            "1. e4 e5 2. Bxd7+ {a slip} {[%stands f1d7]} 2... Nxd7 *",
        ),
        (
            "[Variant \"MetaChess\"]\n",
            "1. e4 e5 2. Bd5 {[%stands f1d5]} 2... c6 *",
        ),
        (
            "[Variant \"StrategiChess\"]\n[Boards \"A:B\"]\n",
            "1A. e5 1B. e9 {[%stands e4e9]} 1a. e10 1b. c10 *",
        ),
        ("[Variant \"Mega-Chess\"]\n", &mega),
        ("[Variant \"Mega-Chess\"]\n", "1. Rc4 {[%stands A1C4]} *"),
        (
            "[Variant \"Overchess\"]\n",
            "1. e5 {[%stands e2e5]} 1... d5 2. exd6 <d6: 1-0> *",
        ),
        (
            "[Variant \"Overchess\"]\n",
            "1. e4 e5 2. Bxd7+ {[%stands f1d7]} <d7: 1. e4 e5 1-0> 2... Nxd7 <d7: 1-0> *",
        ),
        (
            "[Variant \"Overchess\"]\n",
            "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Bxf7+ {[%stands f1f7]} 2... Kxf7 3. a3 0-1> *",
        ),
        (
            "[Variant \"Overchess\"]\n[Rules \"depth=2\"]\n",
            "1. e4 d5 2. exd5 <d5: 1. e4 d5 2. Bxd5 {[%stands f1d5]} <d5: 1. e4 e5 2. Bxf7+ {[%stands f1f7]} 2... Kxf7 1-0> 2... Nf6 1-0> 2... Nf6 *",
        ),
    ] {
        let record = format!("[Event \"?\"]\n{tags}\n{moves}\n");
        let kinds: Vec<_> = rows(&record).iter().map(|row| row.kind).collect();
        assert!(kinds.contains(&Kind::Stands), "{record}");
        come_back(&record);
    }
}

/// The page names every column, in order, and every kind of row.
#[test]
fn columns_and_kinds_are_documented() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/json.md")).unwrap();
    let part = page
        .split("## `overboard convert --to plies`")
        .nth(1)
        .unwrap()
        .split("\n## ")
        .next()
        .unwrap();
    let table = |head: &str| -> Vec<String> {
        let rows = part
            .split(head)
            .nth(1)
            .unwrap()
            .lines()
            .skip(2)
            .take_while(|line| line.starts_with('|'));
        let names = rows.flat_map(|line| line.split('|').nth(1).unwrap().split(','));
        names
            .map(|name| name.trim().trim_matches('`').to_owned())
            .collect()
    };
    let csv = piped(
        &["convert", "--to", "plies", "--format", "csv"],
        "1. e4 *\n",
    );
    assert_eq!(
        table("| column | type | meaning |").join(","),
        csv.lines().next().unwrap()
    );
    let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(
        piped(&["convert", "--to", "plies"], "1. e4 *\n")
            .lines()
            .next()
            .unwrap(),
    )
    .unwrap();
    assert_eq!(row.len(), csv.lines().next().unwrap().split(',').count());
    for kind in table("| kind | the row is |") {
        let row = format!("{{\"game\":1,\"step\":0,\"kind\":\"{kind}\",\"ply\":0}}");
        assert!(serde_json::from_str::<PlyRow>(&row).is_ok(), "{row}");
    }
}

/// A table that was changed by hand is converted as far as possible.
#[test]
fn tables_that_make_no_games_are_complained_of() {
    let good = piped(
        &["convert", "--to", "plies"],
        "1. e4 e5 *\n\n1. d4 *\n\n1. c4 *\n",
    );
    let lines: Vec<_> = good.lines().collect();
    let without = |gone: usize| -> String {
        lines
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != gone)
            .map(|(_, line)| format!("{line}\n"))
            .collect()
    };
    for (text, complaint) in [
        (
            without(0),
            "-:1:1: game not converted: its first row, of the kind `start`, is missing",
        ),
        (
            without(1),
            "-:2:1: game not converted: row 1 of the game is missing",
        ),
        (
            good.replace("e2e4", "e2e5"),
            "-:2:1: game not converted: `e2e5` is not a legal move in",
        ),
        (
            good.replacen("\"game\":1", "\"game\":true", 1),
            "-:1:1: game not converted: not a row of a table",
        ),
    ] {
        let (records, exit, complaints) =
            run(&["convert", "--from", "plies", "--to", "coord"], &text);
        assert!(complaints.contains(complaint), "{complaints}\n{text}");
        assert_eq!((records.as_str(), exit), ("d2d4\nc2c4\n", 1), "{text}");
    }
    let csv = piped(
        &["convert", "--to", "plies", "--format", "csv"],
        "1. e4 e5 *\n",
    );
    assert_eq!(
        piped(&["convert", "--from", "plies", "--to", "coord"], &csv),
        "e2e4 e7e5\n"
    );
    let (_, exit, complaints) = run(&["convert", "--to", "fen", "--format", "csv"], "1. e4 *\n");
    assert_eq!(exit, 2, "{complaints}");
}

#[test]
fn spares_before_and_after_a_settlement_stay_two_acts() {
    let lost_two = "1. e4 d5 2. exd5 e6 3. dxe6 fxe6 0-1";
    let acts = "<reserve d5: P> 2... <reserve d5: P> d4";
    come_back(&format!(
        "[Variant \"Overchess\"]\n[Rules \"reserves=team/2P1N/2P1N\"]\n\n1. e4 d5 2. exd5 <d5: {lost_two}> {acts} *\n\n"
    ));
}
