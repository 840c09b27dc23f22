//! Nested boards in text and in records: converted both ways, in the middle of turns, and after illegal plies.

use crate::{
    depth::tries,
    records::NEAR_ENDS,
    run::{overboard, printed},
    text::{self, judge},
};
use overboard_games::{
    coordinates::Line,
    mega::{self, Mega, Options, Ply},
    registry::Variant,
};
use overboard_pictures::{diagram::Diagram, svg, text as in_text};
use overboard_referee::{
    finding::Verdict,
    game::{
        listing::Listed,
        notation::Notation as _,
        play::Play as _,
        position::{PositionError, ReadPosition},
    },
    report::Report,
};
use overboard_rules::game::Game as _;
use std::ops::ControlFlow;

/// A pseudorandom generator.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

fn by_chance(position: &Mega, chance: &mut Chance) -> Option<Ply> {
    position.any(&mut |limit| chance.below(limit))
}

fn listed(position: &Mega) -> Vec<String> {
    let mut list = Vec::new();
    position.for_each_spelt(&mut |spelt| {
        let Listed { coord, san, .. } = spelt.into();
        list.push(format!("{coord} {san}"));
    });
    list.sort_unstable();
    list
}

#[test]
fn positions_are_read_as_they_are_written_at_any_moment_of_a_turn() {
    let kinds = [
        (1, None, 1),
        (1, Some(NEAR_ENDS), 2),
        (1, Some(NEAR_ENDS), 3),
        (2, None, 4),
        (3, None, 5),
    ];
    let kinds = kinds
        .into_iter()
        .flat_map(|kind| [(kind, false), (kind, true)]);
    let runs = (0..tries(1) as u64).flat_map(|run| kinds.clone().map(move |kind| (run, kind)));
    for (run, ((level, from, seed), free_turns)) in runs {
        let agreed = Options { level, free_turns };
        let mut chance = Chance(seed + 100 * run);
        let mut position = match from {
            Some(fen) => mega::read(fen, agreed).unwrap().position,
            None => Mega::under(agreed),
        };
        for _ in 0..150 {
            let fen = position.fen();
            let ReadPosition {
                position: read,
                lenient,
                ..
            } = mega::read(&fen, agreed).unwrap_or_else(|fault| panic!("{fen}: {fault}"));
            assert!(!lenient, "{fen}");
            assert_eq!(read.fen(), fen);
            if level == 1 {
                assert_eq!(listed(&read), listed(&position), "{fen}");
            }
            let Some(ply) = by_chance(&position, &mut chance) else {
                break;
            };
            let coordinates = position.coordinates(ply);
            assert_eq!(position.by_coordinates(&coordinates), Some(ply));
            if position.play(ply).end().is_some() {
                break;
            }
        }
    }
}

#[test]
fn a_piece_armed_in_the_turn_may_attack_the_waiting_king() {
    let boards = "{E1: armed; H1: 7k/8/8/8/8/8/8/K5R1 w - - 0 1; E8: disarmed}";
    let is_doubted = |used: &str| {
        let fen = format!("4k3/8/8/8/8/8/8/4R2K w - - 0 1 {used} {boards}");
        let read = mega::read(&fen, Options::default()).unwrap();
        !read.doubts.is_empty()
    };
    assert!(!is_doubted("E1"));
    assert!(is_doubted("-"));
}

#[test]
fn what_is_no_position_is_refused_with_its_place_or_its_rule() {
    let with = |boards: &str| format!("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 - {{{boards}}}");
    for (fen, said) in [
        ("", "the placement of the mega-pieces is missing"),
        ("8/8/8/8/8/8/8/8 w - - 0 1 - {}", "a mega-king is missing"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "the boards used in this turn is missing",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 Z9 {}", "not `Z9`"),
        (&with("A1"), "`:` was expected"),
        (&with("A1: armed B1: armed"), "`;` or `}` was expected"),
        (&with("A1: armed; A1: armed"), "occurs twice"),
        (&with("A9: armed"), "the address of a board"),
        (&with("B1: armed"), "no mega-piece stands on B1"),
        (&with("A1: dethroned"), "other than a king is dethroned"),
        (&with("A1: 8/8/8/8/8/8/8/8 w - - 0 1"), "board A1: "),
        (&with("A1: 7k/8/8/8 w - - 0 1"), "the placement stops"),
        (
            &with("A1: R6k/8/6K1/8/8/8/8/8 b - - 0 1"),
            "the game on A1 is over by checkmate",
        ),
        (
            &with("A1: 4k3/8/8/8/8/8/8/4K2R w - - 0 1 {"),
            "holds no boards",
        ),
        (
            &with("A1: armed").replace('}', ""),
            "was expected after a board",
        ),
        (
            &format!("{} x", with("A1: armed")),
            "follows the position, where nothing may",
        ),
        (
            &with("A1: armed").replace(" - {", " A1,A1 {"),
            "occurs twice among those used",
        ),
        (
            &with("A1: armed").replace("w - -", "w K -"),
            "castling right",
        ),
    ] {
        let fault = mega::read(fen, Options::default()).expect_err(fen);
        assert!(fault.to_string().contains(said), "{fen}: {fault}");
        if let PositionError::Text(fault) = fault {
            assert!(fault.bytes.end <= fen.len());
        }
    }
    let deep = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 - {E1: ".repeat(100_000);
    for level in [1, 2, 64] {
        assert!(
            mega::read(
                &deep,
                Options {
                    level,
                    ..Options::default()
                }
            )
            .is_err()
        );
    }
}

#[test]
fn the_deepest_level_is_written_and_read() {
    let mut chance = Chance(9);
    let mut position = Mega::first(64);
    for _ in 0..40 {
        let ply = by_chance(&position, &mut chance).unwrap();
        assert_eq!(
            position.by_coordinates(&position.coordinates(ply)),
            Some(ply)
        );
        position.play(ply);
    }
    let fen = position.fen();
    assert_eq!(
        mega::read(&fen, position.options()).unwrap().position.fen(),
        fen
    );
}

/// The line of a random game, up to the end of a turn.
fn line(agreed: Options, from: Option<&str>, seed: u64, most: usize) -> (String, Mega) {
    let mut chance = Chance(seed);
    let mut position = from.map_or_else(
        || Mega::under(agreed),
        |fen| mega::read(fen, agreed).unwrap().position,
    );
    let mut words = Vec::new();
    while words.len() < most || !position.is_between_turns() {
        let Some(ply) = by_chance(&position, &mut chance) else {
            break;
        };
        words.push(position.coordinates(ply).to_string());
        if position.play(ply).end().is_some() {
            break;
        }
    }
    let start = from.map_or(String::new(), |fen| format!("{fen}\t"));
    (start + &words.join(" "), position)
}

fn record(line: &str, agreed: Options) -> String {
    let mut record = String::new();
    let rules = if agreed.free_turns { "turns=free" } else { "" };
    let read = Line::read_under(line, Variant::Mega, &Mega::under(agreed).into(), rules).unwrap();
    read.write_record("*", &mut record).unwrap();
    record
}

fn only(record: &str) -> Report {
    let mut reports = judge(record.as_bytes());
    assert_eq!(reports.len(), 1, "{record}");
    reports.remove(0)
}

#[test]
fn random_games_are_judged_clean_and_stand_in_canonical_form() {
    let mut ends = 0;
    let kinds = [
        (1, None, 400, 3),
        (1, Some(NEAR_ENDS), 400, 40),
        (2, None, 600, 2),
    ];
    let kinds = kinds
        .into_iter()
        .flat_map(|kind| [(kind, false), (kind, true)]);
    for ((level, from, most, games), free_turns) in kinds {
        let agreed = Options { level, free_turns };
        for seed in 0..tries(games) as u64 {
            let (line, position) = line(agreed, from, seed, most);
            let record = record(&line, agreed);
            let report = only(&record);
            let ended = position.end_by_itself();
            ends += usize::from(ended.is_some());
            assert_eq!(
                report.result.judged,
                ended.map(|ruling| ruling.outcome),
                "{record}"
            );
            let errors = report.findings.iter().filter(|finding| {
                !matches!(
                    finding.code.id,
                    "unknown-result" | "missing-tag" | "long-line" | "check-suffix"
                )
            });
            assert_eq!(
                errors.map(|finding| &finding.message).next(),
                None,
                "{record}"
            );
            assert!(
                report
                    .findings
                    .iter()
                    .all(|finding| finding.code.id != "check-suffix"),
                "{record}"
            );
            let canonical = text::canonical(record.as_bytes());
            assert_eq!(text::canonical(&canonical), canonical);
        }
    }
    assert!(ends > 5, "{ends}");
}

/// The findings in a game with two or three boards in play: the code and the message.
fn said(movetext: &str, boards: &str) -> Vec<(&'static str, String)> {
    said_under("", movetext, boards)
}

/// The same with tags that declare rules.
fn said_under(rules: &str, movetext: &str, boards: &str) -> Vec<(&'static str, String)> {
    let record = format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[FEN \"4k3/p7/8/8/8/8/8/R3K2R w - - 0 1 - {{{boards}}}\"]\n{rules}[SetUp \"1\"]\n[Variant \"Mega-Chess\"]\n\n{movetext} *\n"
    );
    only(&record)
        .findings
        .into_iter()
        .map(|finding| (finding.code.id, finding.message.as_it_came().to_owned()))
        .collect()
}

const TWO: &str = "A1: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1; A7: disarmed; E1: disarmed; E8: disarmed; H1: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

#[test]
fn a_board_with_an_illegal_move_is_not_judged_and_the_others_are() {
    let found = said("1. <A1.e5 H1.e4> <A1.Ke5 H1.Ke7> 2. <A1.Qh8 H1.e6>", TWO);
    let codes: Vec<_> = found.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, ["illegal-move", "illegal-move"], "{found:?}");
    assert!(found[0].1.contains("A1.e5, item 1"), "{found:?}");
    assert!(found[1].1.contains("H1.e6, item 2"), "{found:?}");
}

#[test]
fn what_hangs_on_a_board_that_is_not_judged_is_open() {
    // Whether the mega-rook on A1 may capture depends on whether its board was won in the meantime.
    let found = said("1. <A1.e5 H1.e4> <A1.Ke7 H1.Ke7> 2. Rxa7", TWO);
    let codes: Vec<_> = found.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, ["illegal-move", "open-ply"], "{found:?}");
    // It may never capture like this, whatever happened on its board.
    let found = said("1. <A1.e5 H1.e4> <A1.Ke7 H1.Ke7> 2. Rxa8", TWO);
    assert_eq!(
        found.last().map(|(code, _)| *code),
        Some("illegal-move"),
        "{found:?}"
    );
    // Whether a turn that leaves out the board is incomplete cannot be known.
    let found = said("1. <A1.e5 H1.e4> <A1.Ke7 H1.Ke7> 2. <H1.e5>", TWO);
    assert_eq!(
        found.last().map(|(code, _)| *code),
        Some("open-ply"),
        "{found:?}"
    );
}

/// The tag for free turns (MG-18).
const FREE: &str = "[Rules \"turns=free\"]\n";

#[test]
fn with_free_turns_a_board_that_is_not_judged_waits_or_does_not() {
    let codes = |movetext: &str| {
        let found = said_under(FREE, movetext, TWO);
        found.into_iter().map(|(code, _)| code).collect::<Vec<_>>()
    };
    // The move on A1 may have been check: then White has no second move there, or else must make one.
    assert_eq!(
        codes("1. <A1.e5 H1.e4> Kd8 2. <H1.e5>"),
        ["illegal-move", "open-ply"]
    );
    assert_eq!(
        codes("1. <A1.e5 H1.e4> Kd8 2. <H1.e5 A1.Kd2>"),
        ["illegal-move"]
    );
    assert_eq!(
        codes("1. <A1.e5 H1.e4> Kd8 2. <A1.Kd2 H1.e5> <A1.Ke7 H1.Ke7>"),
        ["illegal-move"]
    );
    // On H1 it is not only White who may move.
    assert_eq!(
        codes("1. <A1.e5 H1.e4> <A1.Ke7 H1.Ke7> 2. Kd2 <H1.Ke6 A1.Ke6>"),
        ["illegal-move"]
    );
}

#[test]
fn with_free_turns_refusals_say_why() {
    let said = |movetext: &str, boards: &str| {
        let found = said_under(FREE, movetext, boards);
        assert_eq!(found.len(), 1, "{found:?}");
        found.into_iter().next().unwrap().1
    };
    let owed = said("1. <H1.e4> <H1.Ke7 A1.Ke7>", TWO);
    assert!(
        owed.contains("stops after 1 board move, and a move can still be made on A1"),
        "{owed}"
    );
    let pass = said("1. --", TWO);
    assert!(
        pass.contains("White may not pass: a move can be made on A1 and H1"),
        "{pass}"
    );
    let check = TWO.replacen("4k3/8/8/8/8/8/4P3/4K3 w", "4k3/4Q3/8/8/8/8/8/4K3 b", 1);
    let waits = said("1. <A1.Qe6 H1.e4>", &check);
    assert!(
        waits.contains("Black's king is in check on A1, and the board waits for Black"),
        "{waits}"
    );
    let twice = said("1. <H1.e4 H1.e5 A1.e4>", TWO);
    assert!(
        twice.contains("a move has already been made on H1 in this turn"),
        "{twice}"
    );
}

#[test]
fn boards_of_free_turns_are_taken_apart_into_games_of_chess() {
    let room = tempfile::tempdir().unwrap();
    let file = room.path().join("free.npgn");
    let agreed = Options {
        free_turns: true,
        ..Options::default()
    };
    for (seed, from) in [(1, None), (2, Some(NEAR_ENDS)), (3, Some(NEAR_ENDS))] {
        let (line, _) = line(agreed, from, seed, 300);
        std::fs::write(&file, record(&line, agreed)).unwrap();
        let (games, exit) = printed(&overboard(&[
            "convert",
            "--to",
            "pgn",
            file.to_str().unwrap(),
        ]));
        assert_eq!(exit, 0, "{games}");
        let parts = games
            .lines()
            .filter(|line| line.starts_with("[Round") && line.ends_with(".2\"]"))
            .count();
        // Boards near their ends are too few for a turn of eight: both sides move on all of them.
        assert_eq!(parts > 0, from.is_none(), "{games}");
        for report in judge(games.as_bytes()) {
            assert_eq!(
                report.verdict,
                Verdict::Clean,
                "{:?}",
                report.findings.first()
            );
        }
    }
}

#[test]
fn pictures_show_where_both_may_move() {
    let (text, exit) = printed(&overboard(&[
        "show",
        "--variant",
        "mega-chess",
        "--rules",
        "turns=free",
        "--board",
        "A2",
        "--ascii",
    ]));
    assert!(
        exit == 0 && text.contains("White to move") && text.contains("Black may move too"),
        "{text}"
    );
    let start = Mega::under(Options {
        free_turns: true,
        ..Options::default()
    });
    let options = in_text::Options {
        ascii: true,
        ..in_text::Options::default()
    };
    assert!(in_text::draw(&start.diagram(&[]), &options).contains("A2 P  wb"));
    let strict = svg::draw(&Mega::first(1).diagram(&[]), &svg::Options::default());
    let free = svg::draw(&start.diagram(&[]), &svg::Options::default());
    assert_eq!(
        free.matches("v1.2z").count(),
        2 * strict.matches("v1.2z").count()
    );
}

#[test]
fn a_turn_that_stops_short_names_the_boards_that_owe_a_move() {
    let found = said("1. <H1.e4> <H1.Ke7>", TWO);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0]
            .1
            .contains("stops after 1 board move, and a move can still be made on A1"),
        "{found:?}"
    );
}

#[test]
fn a_picture_of_all_boards_stays_small() {
    let (_, position) = line(Options::default(), None, 3, 200);
    let drawn = svg::draw(&position.diagram(&[]), &svg::Options::default());
    assert!(drawn.len() < 100_000, "{}", drawn.len());
    let options = in_text::Options {
        ascii: true,
        ..in_text::Options::default()
    };
    let alone = Diagram::of(mega::panel(&position, false));
    assert!(in_text::draw(&alone, &options).contains("to move"));
    let zoomed = mega::zoomed(&position, &mega::path("A2").unwrap()).unwrap();
    assert!(in_text::draw(&zoomed, &options).contains("Board A2"));
    assert!(mega::zoomed(&position, &mega::path("A2.A2").unwrap()).is_none());
}

#[test]
fn untouched_boards_take_no_room() {
    let start = Mega::first(8);
    assert_eq!(start.fen(), Mega::first(1).fen());
    let mut plies = 0;
    let flow = start.legal(|_| {
        plies += 1;
        if plies == 1_000 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert!(flow.is_break());
    const { assert!(Mega::BYTES_OF_A_BOARD < 1_024) };
}

#[test]
fn games_of_self_play_are_legal_and_the_same_on_any_number_of_threads() {
    let room = tempfile::tempdir().unwrap();
    let file = |name: &str| room.path().join(name).to_str().unwrap().to_string();
    std::fs::write(file("openings"), NEAR_ENDS).unwrap();
    let near =
        "selfplay --variant mega-chess --player greedy --player random --pairs 4 --max-plies 301";
    let deep = "selfplay --variant recursive --level 2 --player random --games 2 --random-plies 9 --max-plies 500";
    for (at, (line, openings)) in [(near, true), (deep, false)].into_iter().enumerate() {
        let ledger = |jobs: &str| {
            let ledger = file(&format!("ledger-{at}-{jobs}"));
            let mut words: Vec<_> = line.split_whitespace().map(ToString::to_string).collect();
            words.extend([
                "--jobs".into(),
                jobs.into(),
                "--ledger".into(),
                ledger.clone(),
            ]);
            if openings {
                words.extend(["--openings".into(), file("openings")]);
            }
            let (text, exit) = printed(&overboard(&words));
            assert_eq!(exit, 0, "{text}");
            ledger
        };
        let (one, three) = (ledger("1"), ledger("3"));
        assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(&three).unwrap());
        let (records, exit) = printed(&overboard(&["ledger", "--to", "npgn", &one]));
        assert_eq!(exit, 0);
        for report in judge(records.as_bytes()) {
            assert_eq!(
                report.verdict,
                Verdict::Clean,
                "{:?}",
                report.findings.first()
            );
        }
        assert_eq!(
            String::from_utf8(text::canonical(records.as_bytes())).unwrap(),
            records
        );
    }
}
