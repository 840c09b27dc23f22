//! Sheets of boards and sub-games that are handed in are put together, and judged as their record is.

mod acts;
mod judged;
mod lost;
mod slips;

use crate::{
    chance::Chance,
    depth::tries,
    text::{self, records},
};
use overboard_formats::{
    limits::Limits,
    parse::{Event, Parser},
    record::{Node, Record},
};
use overboard_games::{
    coordinates::Line,
    overchess::{Due, Over, Ply},
    referee::AnyReferee,
    registry::{AnyGame, Variant},
    strategichess::linked::{self, Edition, Linked},
};
use overboard_referee::{Options, game::record::Record as _};
use overboard_rules::{
    game::{Game as _, Happening, Step},
    outcome::Outcome,
    square::Side,
};
use overboard_sheets::{Problem, Sheet, SheetBundle, unbundle};
use std::{fmt::Write, ops::ControlFlow};

fn canonical(text: &str) -> String {
    String::from_utf8(text::canonical(text.as_bytes())).unwrap()
}

fn sheets(text: &str) -> Vec<String> {
    let record = records(text).remove(0);
    unbundle(&Sheet::of(&record, 0).unwrap(), "#1", Limits::default()).unwrap()
}

fn bundled(text: &str) -> Vec<Result<String, Vec<String>>> {
    let mut bundle = SheetBundle::new(Limits::default());
    let mut unread = Vec::new();
    for record in records(text) {
        unread.extend(bundle.add(&record, 0).err());
    }
    assert!(unread.is_empty(), "{unread:?}");
    let reported = |problem: &Problem| {
        let others = problem
            .others
            .iter()
            .map(|(origin, what)| format!(" | {}: {what}", origin.place.line));
        format!(
            "{} {}: {}{}",
            problem.code,
            problem.origin.place.line,
            problem.message,
            others.collect::<String>()
        )
    };
    let made = bundle.bundle();
    made.map(|made| {
        made.map(|made| canonical(&made.text()))
            .map_err(|problems| problems.iter().map(reported).collect())
    })
    .collect()
}

fn bundle_one(text: &str) -> String {
    let mut all = bundled(text);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
        .unwrap_or_else(|problems| panic!("{problems:?}\n{text}"))
}

fn problems(text: &str) -> Vec<String> {
    bundled(text)
        .into_iter()
        .filter_map(Result::err)
        .flatten()
        .collect()
}

/// Remarks of all kinds after some plies, on the lines of a record in no layout.
fn annotated(moves: &str, chance: &mut Chance) -> String {
    const REMARKS: [&str; 9] = [
        " {A good move.}",
        " $1",
        " {[%clk 0:41:07]}",
        " {[%ts 0:00:41]} {Two at once.}",
        " $2 {x} $10",
        " {[%penalty W +10]}",
        " {He said: \"no\".} $4",
        " {[%eval 0.3] and [%cal Ga1b2]}",
        " ; to the end of the line\n",
    ];
    let mut text = String::new();
    let mut in_tag = false;
    for word in moves.split_inclusive([' ', '\n']) {
        in_tag |= word.starts_with('[');
        let plain = word.trim_end();
        text.push_str(plain);
        let is_ply =
            !in_tag && plain.starts_with(|c: char| c.is_ascii_alphabetic()) && plain.len() > 1
                || plain == "--";
        if is_ply && chance.below(4) == 0 && !plain.contains(':') && !plain.ends_with('>') {
            text.push_str(chance.pick(&REMARKS).unwrap());
            if chance.below(3) == 0 {
                text.push_str(" (1. h4 {Or so.} (1. g4))");
            }
        }
        text.push_str(&word[plain.len()..]);
        in_tag &= !plain.ends_with(']');
    }
    text
}

const OPTIONS: [&str; 5] = [
    "",
    "fog",
    "consolidation",
    "fog:prisoners:consolidation:reserves=team/2P1N",
    "subdraw=both:fog",
];

fn over_game(rules: &str, chance: &mut Chance) -> String {
    let first = AnyGame::start_under(Variant::Over, rules).unwrap();
    let AnyGame::Over(start) = &first else {
        panic!("no over-position")
    };
    let mut over = Over::clone(start);
    let mut words = Vec::new();
    while over.end_by_itself().is_none() {
        let mut all = Vec::new();
        over.legal_moves(|ply| all.push(ply));
        let attacks: Vec<_> = all
            .iter()
            .copied()
            .filter(|ply| matches!(ply, Ply::Over(m) if over.current().attacks(*m)))
            .collect();
        let mut step = Step::Ply(
            chance
                .pick(if attacks.is_empty() { &all } else { &attacks })
                .unwrap(),
        );
        if matches!(over.due(), Due::Sub(_) | Due::Setup(..)) && chance.below(10) == 0 {
            let outcome = chance
                .pick(&[Outcome::Draw, Outcome::Win(Side::White)])
                .unwrap();
            step = Step::Event(over.sub_game_of(0).unwrap(), Happening::Ended(outcome));
        }
        if matches!(over.due(), Due::Over | Due::Sub(_)) && words.len() > 60 {
            break;
        }
        words.push(over.in_line(&step));
        step.make(&mut over);
    }
    let line = Line::read_under(&words.join(" "), Variant::Over, &first, rules).unwrap();
    let tags = [
        "[Site \"?\"]\n[Round \"3\"]\n",
        "[GameId \"7\"]\n[White \"Ann\"]\n",
        "[GameId \"#9\"]\n[Date \"2026.01.02\"]\n",
        "[Event \"?\"]\n",
    ];
    let mut blocks = [
        "[White \"Cy\"]\n[Black \"Di\"]",
        "[White \"?\"]",
        "[Site \"?\"]\n[Round \"3.1w\"]",
        "",
    ]
    .iter()
    .cycle();
    let moves = annotated(line.movetext(), chance);
    let mut reported = String::new();
    for word in moves.split_inclusive(' ') {
        reported.push_str(word);
        let opens = word.starts_with('<') && word.trim_end().ends_with(':') && word.len() < 7;
        if opens && chance.below(2) == 0 {
            reported.push_str(&format!("\n{}\n ", blocks.next().unwrap()));
        }
    }
    let rules = if rules.is_empty() {
        String::new()
    } else {
        format!("[Rules \"{rules}\"]\n")
    };
    format!(
        "{}[Variant \"Overchess\"]\n{rules}\n{reported} *\n",
        chance.pick(&tags).unwrap()
    )
}

fn linked_game(boards: usize, length: usize, chance: &mut Chance, timed: bool) -> String {
    let mut linked = Linked::first(boards, Edition::default());
    let mut text = String::new();
    let mut seconds = 0;
    for _ in 0..length {
        if linked.end_by_itself().is_some() {
            break;
        }
        let mut plies = Vec::new();
        let _ = linked.legal(|ply| {
            plies.push(ply);
            ControlFlow::Continue(())
        });
        let crossing: Vec<_> = plies
            .iter()
            .copied()
            .filter(|ply| ply.over().is_some())
            .collect();
        let Some(ply) = chance.pick(if crossing.is_empty() {
            &plies
        } else {
            &crossing
        }) else {
            break;
        };
        let board = ply.board();
        let number = overboard_formats::canonical::board_number(
            board as u16,
            linked.fullmove(board),
            linked.turn(board),
        );
        seconds += 1 + chance.below(40);
        let _ = write!(text, "{number} {} ", linked::san(&linked, ply));
        if timed {
            let _ = write!(text, "{{[%ts 0:{:02}:{:02}]}} ", seconds / 60, seconds % 60);
        }
        linked.play(ply);
    }
    text
}

fn linked_of(game: AnyGame) -> Linked {
    match game {
        AnyGame::Linked(linked) => *linked,
        _ => panic!("not linked boards"),
    }
}

fn linked_record(boards: usize, moves: &str) -> String {
    let names = |all: &[&str]| all[..boards].join(":");
    format!(
        "[Event \"Match\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Boards \"{}\"]\n[Variant \"StrategiChess\"]\n\n{{Before.}} {moves} *\n",
        names(&["Ann", "Bob%3A", "Cy"]),
        names(&["Di", "Ed", "Flo"]),
        names(&["A", "B", "C"])
    )
}

#[test]
fn what_is_taken_apart_is_put_together_again() {
    let mut chance = Chance::seeded(88);
    let (mut most, mut blocks) = (0, 0);
    for round in 0..tries(60) {
        let record = match round % 6 {
            5 => {
                let boards = 2 + chance.below(2);
                let moves = linked_game(boards, 60, &mut chance, false);
                linked_record(
                    boards,
                    &annotated(&moves, &mut chance)
                        .replace("1. h4", "1A. h4")
                        .replace("1. g4", "1B. g4"),
                )
            }
            round => over_game(OPTIONS[round], &mut chance),
        };
        let whole = canonical(&record);
        let apart = sheets(&whole);
        most = most.max(apart.len());
        blocks += apart.len() - 1;
        let made = bundle_one(&apart.concat());
        let differs = made.lines().zip(whole.lines()).position(|(a, b)| a != b);
        let shown = |text: &str| {
            text.lines()
                .skip(differs.unwrap_or(0).saturating_sub(3))
                .take(8)
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert!(
            made == whole,
            "{}\n---- and not\n{}\n---- of\n{}",
            shown(&made),
            shown(&whole),
            apart.concat()
        );
        // In any order, too.
        let mut mixed = apart.clone();
        mixed.rotate_left(apart.len() / 2);
        assert_eq!(bundle_one(&mixed.concat()), whole);
    }
    assert!(most > 4 && blocks > 120, "{most} {blocks}");
}

fn says_nothing_of_the_course(node: &Node) -> bool {
    matches!(
        node,
        Node::Prose(..) | Node::Nag(_) | Node::Glyphs(_) | Node::Number(_)
    )
}

fn main_line(record: &Record) -> Vec<Node> {
    let mut ravs = 0;
    let mut nodes = Vec::new();
    for node in record.nodes() {
        match node {
            Node::RavOpen => ravs += 1,
            Node::RavClose => ravs -= 1,
            node if ravs == 0 => nodes.push(node.clone()),
            _ => {}
        }
    }
    nodes
}

#[test]
fn sheets_without_ordinals_are_put_together_by_what_they_report() {
    let mut chance = Chance::seeded(5);
    for round in 0..tries(24) {
        let record = match round % 4 {
            3 => linked_record(2, &linked_game(2, 30, &mut chance, true)),
            round => over_game(OPTIONS[round], &mut chance),
        };
        let whole = canonical(&record);
        let apart = sheets(&whole).concat();
        let bare: String = apart
            .split("{[%seq ")
            .enumerate()
            .map(|(at, part)| {
                if at == 0 {
                    part
                } else {
                    part.split_once("]}").unwrap().1
                }
            })
            .collect();
        let remarks = |text: &str| {
            canonical(text)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        };
        let made = bundle_one(&bare);
        // Where a remark stands on the same side of a sub-game as before cannot be known.
        let plies = |text: &str| {
            let all = main_line(&records(text)[0]).into_iter();
            all.filter(|node| !says_nothing_of_the_course(node))
                .collect::<Vec<_>>()
        };
        assert_eq!(plies(&made), plies(&whole), "{}", remarks(&bare));
    }
}

const OVER: &str = "[Event \"Club\"]\n[GameId \"7\"]\n[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 Nf6 3. Nc3 Nxd5 4. Nxd5 *\n\n";
const FIRST: &str = "[Event \"Club\"]\n[Parent \"7/2w\"]\n[White \"Cy\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n";
const SECOND: &str = "[Event \"Club\"]\n[Parent \"7/3b\"]\n\n1-0\n\n";

#[test]
fn sheets_written_by_hand_are_put_together() {
    let made = bundle_one(&format!("{FIRST}{SECOND}{OVER}"));
    assert!(
        made.contains("2. exd5 <d5:\n  [White \"Cy\"]\n  1. e4 e5\n"),
        "{made}"
    );
    assert!(
        made.contains("3. Nc3 Nxd5 <d5:") || made.contains("Nxd5 <d5: 1-0>"),
        "{made}"
    );
    // Under fog the step names the attack, and the sub-game follows the reply.
    let fog = OVER
        .replace("[Variant", "[Rules \"fog\"]\n[Variant")
        .replace("4. Nxd5 ", "4. h3 a6 ");
    let made = bundle_one(&format!("{FIRST}{SECOND}{fog}"));
    assert!(
        made.contains("2. exd5 Nf6 <d5:") && made.contains("4. h3 <d5: 1-0> a6"),
        "{made}"
    );
}

#[test]
fn every_trouble_has_words_of_its_own() {
    let says = |text: &str, words: &str| {
        let problems = problems(text);
        assert!(
            problems.iter().any(|problem| problem.starts_with(words)),
            "{words}: {problems:?}"
        );
    };
    says(
        &format!("{OVER}{SECOND}"),
        "missing-sheet 5: the sub-game on d5",
    );
    says(
        &format!("{OVER}{FIRST}[Event \"x\"]\n[Parent \"8/2w\"]\n\n*\n\n"),
        "unknown-parent",
    );
    says(
        &format!("{OVER}[Event \"x\"]\n[Parent \"7/9w\"]\n\n*\n\n"),
        "bad-parent 8: there is no ply `9w`",
    );
    says(
        &format!("{OVER}[Event \"x\"]\n[Parent \"7/1w\"]\n\n*\n\n"),
        "bad-parent 8: the ply 1w, `e4`, is no attack",
    );
    says(
        &format!("{OVER}[Event \"x\"]\n[Parent \"7\"]\n\n*\n\n"),
        "bad-parent",
    );
    says(
        &format!("{OVER}[Event \"x\"]\n[Parent \"7/2w/3b\"]\n\n*\n\n"),
        "missing-sheet 8: the sheet `7/2w`",
    );
    says(
        "[Event \"x\"]\n[GameId \"1\"]\n[Parent \"2/1w\"]\n\n*\n\n[Event \"x\"]\n[GameId \"2\"]\n[Parent \"1/1w\"]\n\n*\n\n",
        "cycle 3",
    );
    says(
        &format!("{OVER}{FIRST}{}{SECOND}", FIRST.replace("Nc6", "Nh6")),
        "unlike 11: two sheets of this game differ: 2... `Nc6` here | 17: `Nh6` there",
    );
    says(
        &format!("{OVER}{FIRST}{}{SECOND}", FIRST.replace(" 1-0", " 0-1")),
        "unlike",
    );
    says(
        &format!("{OVER}{}{SECOND}", FIRST.replace("Nc6", "Nc5")),
        "unfit 11: over-move 2, sub-game d5",
    );
    says(&format!("{OVER}{OVER}"), "missing-sheet");
    says(&format!("{OVER}{}", OVER.replace("d5 2", "d6 2")), "unlike");
}

#[test]
fn sheets_of_both_players_become_one() {
    let one = FIRST.replace("2. Qh5", "2. Qh5 {[%clk 0:40]} {Early.}");
    let other = FIRST
        .replace("2. Qh5", "2. Qh5 {[%clk 0:39]} {Too early.} $2 (2. Nf3)")
        .replace("[White \"Cy\"]", "[White \"Cyril\"]\n[Black \"Di\"]");
    let made = bundle_one(&format!("{OVER}{one}{SECOND}{other}"));
    assert!(
        made.contains("2. Qh5 {[%clk 0:40]} {Early.} {Too early.} $2 (2. Nf3)"),
        "{made}"
    );
    assert!(made.contains("[White \"Cy\"]\n  [Black \"Di\"]"), "{made}");
    assert_eq!(
        bundle_one(&format!("{OVER}{FIRST}{SECOND}{FIRST}")),
        bundle_one(&format!("{OVER}{FIRST}{SECOND}"))
    );
}

#[test]
fn records_without_sheets_stay_as_they_are() {
    for text in [
        "[Event \"x\"]\n\n1. e4 {[%seq 9]} e5 *",
        "[Event \"x\"]\n[GameId \"1\"]\n\n1. e4 {[%seq 9]} e5 *",
    ] {
        let whole = canonical(text);
        assert_eq!(bundled(&whole), [Ok(whole.clone())]);
        assert_eq!(sheets(&whole), [whole]);
    }
    let refused = |text: &str| {
        unbundle(
            &Sheet::of(&records(text)[0], 0).unwrap(),
            "1",
            Limits::default(),
        )
        .unwrap_err()
        .code
    };
    assert_eq!(
        refused("[Variant \"Mega-Chess\"]\n\n1. <A2.e4 {[%turn 1]}> *"),
        "unsupported"
    );
    // Which board would go with the queen?
    assert_eq!(
        refused("[Variant \"Mega-Chess\"]\n\n1. Qd4 *"),
        "unsupported"
    );
    assert_eq!(
        refused("[Variant \"Overchess\"]\n\n1. e4 {[%seq 1]} *"),
        "unsupported"
    );
    assert_eq!(
        refused("[Variant \"Overchess\"]\n[Parent \"7/1w\"]\n\n1. e4 *"),
        "unsupported"
    );
    assert_eq!(
        refused("[Variant \"Overchess\"]\n[GameId \"7/1w\"]\n\n1. e4 *"),
        "bad-parent"
    );
    assert_eq!(
        refused("[Variant \"StrategiChess\"]\n[Boards \"A:B\"]\n\n1. e4 *"),
        "unreadable"
    );
    assert!(
        Sheet::of(
            &records("[Variant \"Overchess\"]\n\n1. e4 <d5: 1. e4")[0],
            0
        )
        .is_err()
    );
}

fn board(name: &str, moves: &str) -> String {
    format!("[Event \"Match\"]\n[Parent \"7/{name}\"]\n\n{moves} *\n\n")
}

const MATCH: &str = "[Event \"Match\"]\n[White \"Ann:Bob\"]\n[Black \"Di:Ed\"]\n[GameId \"7\"]\n[Boards \"A:B\"]\n[Variant \"StrategiChess\"]\n\n*\n\n";

#[test]
fn boards_are_ordered_by_times_and_arrivals() {
    let order = |a: &str, b: &str| {
        let made = bundle_one(&format!("{MATCH}{}{}", board("A", a), board("B", b)));
        let record = &records(&made)[0];
        record
            .nodes()
            .filter_map(|node| {
                if let Node::Number(text) = node {
                    Some(text.clone())
                } else {
                    None
                }
            })
            .collect::<Vec<_>>()
            .join(" ")
    };
    // Nothing crosses: every order is acceptable.
    assert_eq!(order("1. e7 e8 2. h7", "1. e7 e8"), "1A. 1B. 1a. 1b. 2A.");
    assert_eq!(
        order(
            "1. e7 {[%ts 0:00:09]} e8 {[%ts 0:00:10]}",
            "1. e7 {[%ts 0:00:01]} e8 {[%ts 0:00:30]}"
        ),
        "1B. 1A. 1a. 1b."
    );
    // A knight arrives on b6, and moves on from there.
    assert_eq!(
        order("1. Nn5 e8 2. Nb6/B", "1. e7 e8 {[%in N b6 A 2]} 2. Nc8"),
        "1A. 1B. 1a. 1b. 2A. 2B."
    );
    assert_eq!(
        order("1. Nn5 e8 2. Nb6/B", "1. e7 e8 2. Nbc8"),
        "1A. 1B. 1a. 1b. 2A. 2B."
    );
}

#[test]
fn an_order_that_is_open_and_matters_is_asked_for() {
    let reported =
        |a: &str, b: &str| problems(&format!("{MATCH}{}{}", board("A", a), board("B", b)));
    // Either rook may be the one that goes to a5: whether the other stood in its way is the question.
    let rooks = "14/14/7k6/14/14/14/14/14/14/14/14/7K4R1/14/14 w - 0 1 | 14/14/7k6/14/14/14/14/14/14/14/14/7K6/14/R13 w - 0 1";
    let outer = MATCH.replace(
        "[Variant",
        &format!("[SetUp \"1\"]\n[FEN \"{rooks}\"]\n[Variant"),
    );
    let rooks = |b: &str| {
        bundled(&format!(
            "{outer}{}{}",
            board("A", "1. Ra3/B"),
            board("B", b)
        ))
        .remove(0)
    };
    let open = rooks("1. Ra5").unwrap_err().concat();
    assert!(
        open.starts_with("open-order") && open.contains("1B. Ra5 | 15: 1A. Ra3/B"),
        "{open}"
    );
    assert!(
        rooks("1. Ra5 {[%in R a3 A 1]}")
            .unwrap()
            .contains("1B. Ra5\n1A. Ra3/B")
    );
    assert!(
        rooks("{[%in R a3 A 1]} 1. Ra5")
            .unwrap()
            .contains("1A. Ra3/B\n1B. Ra5")
    );
    assert!(
        rooks("1. Ra5 {[%in R a3 A 1]} Kh11")
            .unwrap()
            .contains("1B. Ra5\n1A. Ra3/B\n1b. Kh11"),
        "it came before the king moved"
    );
    let unfit = reported("1. Nn5 h8 2. Nb6/B", "1. e7 e8 2. Nb6c8 {[%in N b6 A 2]}");
    assert!(unfit[0].starts_with("unfit"), "{unfit:?}");
    assert!(
        reported("1. e7 e8", "1. e7 {[%in N b6 A 2]} e8")[0]
            .contains("by a ply that is on no sheet")
    );
    assert!(problems(&format!("{MATCH}{}", board("A", "1. e7")))[0].starts_with("missing-sheet"));
    let strange = problems(&format!(
        "{MATCH}{}{}",
        board("A", "1. e7"),
        board("C", "1. e7")
    ));
    assert!(
        strange
            .iter()
            .any(|problem| problem.starts_with("bad-parent")),
        "{strange:?}"
    );
    assert!(reported("1B. e7", "1. e7")[0].starts_with("unfit"));
    assert!(reported("1. e7 {[%seq 1]}", "1. e7 {[%seq 1]}")[0].starts_with("doubled"));
    assert!(reported("1. e7 {[%seq 1]}", "1. e7 {[%seq 3]}")[0].starts_with("missing-sheet"));
    // Where a flag falls, every order is tried: here both lead to the same, and there one of them loses the last king.
    assert!(reported("1. e7 {[%flag B:A]}", "1. e7").is_empty());
    let flags = reported("1. e7 {[%flag B:A]}", "1. e7 {[%flag B:B]} e8");
    assert!(flags[0].starts_with("unfit"), "{flags:?}");
}

/// All records of the examples and of the tests, each in canonical form.
fn corpus() -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap();
    let folders = [
        "examples",
        "docs/npgn/suite/notation",
        "rules/examples",
        "games/examples",
    ];
    let files = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let mut all = Vec::new();
    for path in files.map(|entry| entry.unwrap().path()) {
        if path
            .extension()
            .is_none_or(|end| end != "pgn" && end != "npgn")
        {
            continue;
        }
        let Some(text) = text::rewritten(&std::fs::read(&path).unwrap()) else {
            continue;
        };
        let Ok(text) = String::from_utf8(text) else {
            continue;
        };
        let parts = text.split("\n[Event ").enumerate();
        all.extend(parts.map(|(at, part)| {
            if at == 0 {
                part.into()
            } else {
                format!("[Event {part}")
            }
        }));
    }
    all.into_iter().map(|text| canonical(&text)).collect()
}

#[test]
fn every_record_here_is_put_together_as_it_was() {
    let mut many = 0;
    for whole in corpus() {
        let Some(record) = records(&whole).into_iter().next() else {
            continue;
        };
        let apart =
            Sheet::of(&record, 0).and_then(|sheet| unbundle(&sheet, "#1", Limits::default()));
        let Ok(apart) = apart else { continue };
        many += usize::from(apart.len() > 1);
        let made = bundle_one(&apart.concat());
        assert!(
            made == whole,
            "{made}\n---- and not\n{whole}\n---- of\n{}",
            apart.concat()
        );
    }
    assert!(many > 30, "{many}");
}

#[test]
fn a_sub_game_of_which_only_the_result_is_reported_has_a_sheet() {
    let head =
        "[Event \"x\"]\n[Variant \"Overchess\"]\n[Rules \"fog:depth=2:reserves=team/2P\"]\n\n";
    let moves = "1. e4 d5 2. exd5 Nf6 <d5: 1-0> <e5: 1. e4 d5 2. exd5 Nf6 <d5: 0-1> <e5: 1. e4 *> 1-0> <f5: [White \"Cy\"] 0-1> 3. Nc3 <c3: 1/2-1/2> *\n";
    let record = canonical(&format!("{head}{moves}"));
    let mut sheets = sheets(&record);
    assert_eq!(sheets.len(), 7);
    assert!(
        sheets[1].ends_with("\n\n{[%seq 4]} 1-0\n\n"),
        "{}",
        sheets[1]
    );
    // Spares are the outermost game's.
    assert!(
        sheets[1].contains("[Rules \"fog:depth=1\"]"),
        "{}",
        sheets[1]
    );
    assert_eq!(bundle_one(&sheets.concat()), record);
    sheets.reverse();
    assert_eq!(bundle_one(&sheets.concat()), record);
}
