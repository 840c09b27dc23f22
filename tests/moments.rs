//! Every moment of a game can be listed and shown, and every game is read back from coordinates.

use crate::{
    chance::Chance,
    depth::tries,
    run::{overboard, printed, tool},
};
use overboard_games::overchess::{Over, Ply, depth, options};
use overboard_referee::game::{notation::Notation as _, record::Record as _};
use overboard_rules::game::{Game as _, Step};
use std::{fs, io::Write, path::Path, process::Stdio};
use tempfile::TempDir;

/// The output of a command with this on its standard input.
pub fn piped(args: &[&str], input: &str) -> String {
    let mut child = tool()
        .args(args)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let (text, exit) = printed(&child.wait_with_output().unwrap());
    assert_eq!(exit, 0, "{args:?}\n{input}");
    text
}

/// The listed moments of a game, each with its position.
pub fn listed(file: &str) -> Vec<(String, String)> {
    let (text, exit) = printed(&overboard(&["show", "--list", file]));
    assert_eq!(exit, 0, "{file}");
    let moment = |line: &str| {
        line.split_once('\t')
            .map(|(at, fen)| (at.to_string(), fen.to_string()))
    };
    text.lines().map(|line| moment(line).unwrap()).collect()
}

pub fn shown(file: &str, at: &str) -> (String, i32) {
    let (text, exit) = printed(&overboard(&["show", "--as-fen", "--at", at, file]));
    (text.trim_end().to_string(), exit)
}

/// Checks that the moments are shown as they are listed; of many, only a sample.
fn are_shown(file: &str) -> Vec<(String, String)> {
    let all = listed(file);
    assert_eq!(all[0].0, "start", "{file}");
    let every = all.len() / 40 + 1;
    for (at, fen) in all.iter().step_by(every).chain(all.last()) {
        assert_eq!(shown(file, at), (fen.clone(), 0), "{file}: {at}");
    }
    all
}

#[test]
fn every_moment_of_a_game_is_listed_and_shown() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    for name in [
        "history.pgn",
        "olympic.npgn",
        "strategichess.npgn",
        "metachess.npgn",
        "linked.npgn",
        "megachess.npgn",
        "megachess-free.npgn",
        "overchess.npgn",
        "kingfall.npgn",
    ] {
        are_shown(examples.join(name).to_str().unwrap());
    }
}

#[test]
fn the_moment_before_a_fault_is_listed_and_shown() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("game.npgn");
    let file = path.to_str().unwrap();
    for (record, last) in [
        ("1. e4 e5 2. Ke5 *", "1b"),
        ("1. e4 e5 2. Nf3 (2. Bc4 *", "2w"),
        ("1. e4 e5 2. Nf3 (2. Bc4 Nc6 (2... Nf6 *", "2w"),
        ("1. e4 e5 2. Nf3 ) Nc6 *", "2b"),
        ("1. e4 e5 2. Nf3 <Nc6 *", "2w"),
        (
            "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5: 1. Qh7 e5 1-0> c6 *",
            "2w.d5.start",
        ),
        (
            "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5: 1. Nf3 Qh3 1-0> c6 *",
            "2w.d5.1w",
        ),
    ] {
        fs::write(&path, record).unwrap();
        let (list, _) = printed(&overboard(&["show", "--list", file]));
        let (at, fen) = list.lines().last().unwrap().split_once('\t').unwrap();
        assert_eq!(at, last, "{record}\n{list}");
        assert_eq!(shown(file, at), (fen.to_owned(), 0), "{record}");
    }
}

/// A game of Overchess that stops before its last over-move is settled.
#[test]
fn an_unsettled_over_move_is_listed_and_shown() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("game.npgn");
    let file = path.to_str().unwrap();
    let page = folder.path().join("game.html").display().to_string();
    for (rules, moves, last) in [
        ("fog", "1. e4 d5 2. exd5 Nf6 {[%draw agreed]} 1/2-1/2", "2b"),
        ("fog", "1. e4 d5 2. exd5 Nf6 <d5: 1. e4 *> *", "2b"),
        ("subdraw=defender", "1. e4 d5 2. exd5 *", "2w"),
        (
            "consolidation",
            "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. f4 *> *",
            "2w",
        ),
        ("prisoners", "1. e4 d5 2. exd5 <d5: *> *", "2w"),
    ] {
        let record = format!("[Variant \"Overchess\"]\n[Rules \"{rules}\"]\n\n{moves}\n");
        fs::write(&path, &record).unwrap();
        let moments = are_shown(file);
        assert_eq!(moments.last().unwrap().0, last, "{record}");
        for args in [
            &["show", "--around", "--at", last, file][..],
            &["view", "--at", last, "-o", &page, file],
        ] {
            let (said, exit) = printed(&overboard(args));
            assert_eq!(exit, 0, "{args:?} {record}\n{said}");
        }
    }
}

/// The moments of a record, each with its position.
fn moments_of_record(record: &str) -> Vec<(String, String)> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("game.npgn");
    fs::write(&file, record).unwrap();
    are_shown(file.to_str().unwrap())
}

#[test]
fn moments_within_a_turn_are_those_behind_its_items() {
    let white = "<A2.e4 B2.e4 C2.e4 D2.e4 E2.e4 F2.e4 G2.e4 H2.e4>";
    let moments = moments_of_record(&format!(
        "[Variant \"Mega-Chess\"]\n\n1. {white} <B2.e5 A2.e5 C2.e5> *\n"
    ));
    let names: Vec<_> = moments.iter().map(|(at, _)| at.as_str()).collect();
    assert_eq!(
        names,
        [
            "start", "1w.A2", "1w.B2", "1w.C2", "1w.D2", "1w.E2", "1w.F2", "1w.G2", "1w", "1b.B2",
            "1b.A2", "1b"
        ]
    );
    assert!(at(&moments, "1w.B2").contains(" w KQkq - 0 1 A2,B2 {A2: "));
    // Deeper turns have the path to the board.
    let inner = white.trim_matches(['<', '>']).replace("A2.", "A1.");
    let moments = moments_of_record(&format!(
        "[Variant \"Recursive Chess\"]\n[Level \"2\"]\n\n1. <A2.<{inner}> B2.Na3> *\n"
    ));
    let names: Vec<_> = moments.iter().map(|(at, _)| at.as_str()).collect();
    assert_eq!(names[..3], ["start", "1w.A2.A1", "1w.A2.B2"]);
    assert!(names.contains(&"1w.A2.H2"), "{names:?}");
}

/// Illegal plies after which both players went on have labels like any other.
#[test]
fn plies_that_stand_are_moments() {
    let linked = "[Variant \"StrategiChess\"]\n[Boards \"A:B\"]\n[White \"Ann:Bob\"]\n[Black \"Cid:Dan\"]\n\n\
        1A. e5 1B. e9 {[%stands e4e9]} 1a. e10 1b. c10 *\n";
    let moments = moments_of_record(linked);
    let names: Vec<_> = moments.iter().map(|(at, _)| at.as_str()).collect();
    assert_eq!(names, ["start", "1A", "1B", "1a", "1b"]);
    let mega = "[Variant \"Mega-Chess\"]\n\n1. <A2.e4 B2.e5 {[%stands e2e5]} C2.e4> *\n";
    let moments = moments_of_record(mega);
    let names: Vec<_> = moments.iter().map(|(at, _)| at.as_str()).collect();
    assert_eq!(names, ["start", "1w.A2", "1w.B2", "1w"]);
}

/// The pawn on e4 captures a queen's sub-set and loses its own queen.
const LOST: &str = "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0>";

/// The moments of a game under these rules.
fn moments_of(rules: &str, moves: &str) -> Vec<(String, String)> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("game.npgn");
    fs::write(
        &file,
        format!("[Variant \"Overchess\"]\n[Rules \"{rules}\"]\n\n{moves} *\n"),
    )
    .unwrap();
    are_shown(file.to_str().unwrap())
}

fn at<'m>(moments: &'m [(String, String)], at: &str) -> &'m str {
    &moments
        .iter()
        .find(|(known, _)| known == at)
        .unwrap_or_else(|| panic!("{at}: {moments:?}"))
        .1
}

#[test]
fn what_is_left_out_belongs_to_the_move_before_it() {
    const PLACEMENT: &str = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
    // Prisoners that nobody names, spares that nobody calls in.
    let moments = moments_of("prisoners:reserves=team/1Q", &format!("{LOST} Nf6"));
    assert_eq!(at(&moments, "2w"), format!("{PLACEMENT} - - 1Q/1Q"));
    assert!(at(&moments, "2w.d5.7w").starts_with("rn1q1bnr/ppp1kB1p/3p2p1/3NN3/4P3"));
    assert!(at(&moments, "2w.d5.start").ends_with(" w KQkq - 0 1"));
    let moments = moments_of(
        "reserves=team/1Q",
        &format!("{LOST} Nf6 3. <reserve d5: Q> d6"),
    );
    let lost = "d5=8P2R2N2B";
    assert_eq!(at(&moments, "2w"), format!("{PLACEMENT} {lost} - 1Q/1Q"));
    // A spare called in before a move belongs to that move.
    assert!(at(&moments, "2b").contains(lost) && !at(&moments, "3w").contains("="));
    // A drawn attack, and a consolidation in place of a move.
    let moments = moments_of(
        "consolidation",
        "1. e4 d5 2. exd5 <d5: 1/2-1/2> <consolidate b7> 3. d4",
    );
    let names: Vec<_> = moments.iter().map(|(at, _)| at.as_str()).collect();
    assert_eq!(
        names,
        ["start", "1w", "1b", "2w.d5.start", "2w", "2b", "3w"]
    );
    assert!(at(&moments, "2b").starts_with("rnbqkbnr/p1p1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w"));
    // An act before any move.
    let moments = moments_of("consolidation", "1. <consolidate b2> d5");
    assert_eq!(moments.len(), 3);
}

/// Lines of random games, from their first positions and from others. Rare acts are made whenever possible.
pub fn lines(rules: &str, chance: &mut Chance) -> Vec<String> {
    let first = Over::first(u8::try_from(depth(rules)).unwrap(), options(rules));
    let (mut over, mut words, mut lines) = (first.clone(), Vec::new(), Vec::new());
    let mut start = String::new();
    for _ in 0..2_000 {
        if over.is_between_turns() && words.len() > 8 && chance.below(2) == 0 {
            lines.push(format!("{start}{}", words.join(" ")));
            words.clear();
            start = format!("{}\t", over.fen());
        }
        if over.end_by_itself().is_some() {
            break;
        }
        let mut plies = Vec::new();
        over.legal_moves(|ply| plies.push(ply));
        // Spares and gifts are mostly saved for the beginning of a line.
        let begins = words.is_empty() || chance.below(12) == 0;
        let is_rare = |ply: &Ply| match ply {
            Ply::Over(m) => over.current().attacks(*m),
            Ply::Consolidate(_) | Ply::Reserve(..) => begins,
            Ply::Take(_) | Ply::Prisoners(_) => true,
            _ => false,
        };
        let rare: Vec<_> = plies.iter().copied().filter(is_rare).collect();
        plies.retain(|ply| begins || !matches!(ply, Ply::Reserve(..)));
        let from = if rare.is_empty() || chance.below(3) == 0 {
            &plies
        } else {
            &rare
        };
        let Some(ply) = chance.pick(from) else { break };
        words.push(over.in_line(&Step::Ply(ply)));
        over.play(ply);
    }
    lines
}

#[test]
fn games_come_back_from_coordinates() {
    let mut chance = Chance::seeded(1122);
    let mut acts = [0; 2];
    for rules in [
        "consolidation",
        "reserves=team/2P1N/3P",
        "prisoners:consolidation:reserves=set/1P1N",
        "fog:prisoners:consolidation:reserves=team/2P1N/2P1N",
        "depth=2:prisoners:consolidation:reserves=team/2P1N/3P",
    ] {
        for _ in 0..tries(4) {
            let lines = lines(rules, &mut chance);
            let begins = |act: &str| {
                lines
                    .iter()
                    .filter(|line| line.contains(&format!("\t{act} ")))
                    .count()
            };
            acts[0] += begins("reserve");
            acts[1] += begins("consolidate");
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let record = piped(
                &[
                    "convert",
                    "--from",
                    "coord",
                    "--variant",
                    "overchess",
                    "--rules",
                    rules,
                    "--to",
                    "npgn",
                ],
                &text,
            );
            assert_eq!(
                piped(&["convert", "--to", "coord"], &record),
                text,
                "{rules}\n{record}"
            );
        }
    }
    assert!(acts.iter().all(|acts| *acts > 2), "{acts:?}");
}
