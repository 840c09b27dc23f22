//! Moments of over-games that are sub-games themselves: in every state of a game, `--at` takes those that `--list` lists.

use crate::{
    chance::Chance,
    depth::tries,
    moments::{listed, piped, shown},
    records::Agreed,
    run::{overboard, printed},
};
use overboard_games::{
    coordinates::Line,
    overchess::Over,
    registry::{AnyGame, Variant},
};
use overboard_rules::{position::Movegen as _, square::Side};
use std::{collections::BTreeSet, fs};
use tempfile::TempDir;

/// The moment before a move: that before White's move 3 is `2b`.
fn before(number: u32, side: Side) -> String {
    match side {
        Side::White => format!("{}b", number - 1),
        Side::Black => format!("{number}w"),
    }
}

/// Enters the ways to all games that are open in a position, each with the number of the next move there.
fn enter_ways(over: &Over, ways: &mut BTreeSet<(String, u32)>) {
    let mut way = String::new();
    for level in 0..over.open() {
        let there = over.level(level).unwrap();
        if level > 0 {
            ways.insert((way.clone(), there.fullmove()));
        }
        let Some(contest) = there.contested().next() else {
            return;
        };
        let moment = before(there.fullmove(), there.turn());
        way = format!("{way}{moment}.{}.", contest.to);
    }
    if let Some(chess) = over.current().sub_game() {
        ways.insert((way, chess.fullmove()));
    }
}

/// A random game that stops after any of its acts, and the moments that games inside it might have.
fn broken_off(rules: &str, chance: &mut Chance) -> (String, BTreeSet<String>) {
    let agreed = Agreed::on(Variant::Over, 1, None, rules);
    let played = agreed.play(30 + chance.below(90), chance);
    let count = 1 + chance.below(played.acts.len());
    let mut ways = BTreeSet::new();
    let states = played.acts.iter().map(|act| &act.before);
    for state in states.chain([&played.last]).take(count + 1) {
        let AnyGame::Over(over) = state else {
            unreachable!()
        };
        enter_ways(over, &mut ways);
    }
    let words: Vec<_> = played.acts[..count]
        .iter()
        .map(|act| act.word.as_str())
        .collect();
    let first = agreed.first();
    let line = Line::read_under(&words.join(" "), Variant::Over, &first, rules).unwrap();
    let mut text = String::new();
    line.write_record("*", &mut text).unwrap();
    let labels = ways.into_iter().flat_map(|(way, next)| {
        let moves = (0..=next).flat_map(|number| [format!("{number}w"), format!("{number}b")]);
        let all = moves.chain(["start".into()]);
        all.map(move |label| format!("{way}{label}"))
    });
    let labels = labels.collect();
    (text, labels)
}

#[test]
fn moments_of_inner_over_games_are_listed_where_they_are_taken() {
    let mut chance = Chance::seeded(20_261_127);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("game.npgn");
    let (file, page) = (path.to_str().unwrap(), folder.path().join("game.html"));
    let mut inner = 0;
    for round in 0..tries(24) {
        let rules = [
            "depth=2",
            "depth=2:fog:prisoners",
            "depth=2:consolidation:reserves=team/2P1N/3P",
            "depth=3:prisoners",
            "depth=3:fog:consolidation",
        ][round % 5];
        let (record, labels) = broken_off(rules, &mut chance);
        fs::write(&path, &record).unwrap();
        let moments = listed(file);
        for at in &labels {
            let known = moments.iter().find(|(known, _)| known == at);
            let (fen, exit) = shown(file, at);
            match known {
                Some((_, listed)) => assert_eq!((&fen, exit), (listed, 0), "{at}\n{record}"),
                None => assert_ne!(exit, 0, "{at} is not listed\n{record}"),
            }
        }
        let inside = moments.iter().filter(|(at, _)| at.contains('.'));
        let inside: Vec<_> = inside.map(|(at, _)| at).collect();
        inner += inside.len();
        let Some(last) = inside.last() else {
            continue;
        };
        let view = ["view", "--at", last, "-o", page.to_str().unwrap(), file];
        let (said, exit) = printed(&overboard(&view));
        assert_eq!(exit, 0, "{last}\n{said}\n{record}");
    }
    assert!(inner > 100, "{inner}");
}

/// An over-game inside that was ended from outside, by a result, while its attack was not settled.
#[test]
fn an_inner_over_game_that_was_given_up_keeps_its_last_moment() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("game.npgn");
    let (file, page) = (path.to_str().unwrap(), folder.path().join("game.html"));
    let record = "[Variant \"Overchess\"]\n[Rules \"depth=2\"]\n\n1. e4 d5 2. exd5 <d5: 1. e4 d5 2. exd5 \
        <d5: 1. e4 e5 *> 1-0> Nf6 *\n";
    fs::write(&path, record).unwrap();
    let moments = listed(file);
    let names: Vec<_> = moments.iter().map(|(at, _)| at.as_str()).collect();
    let last = "2w.d5.2w";
    assert_eq!(
        names[names.len() - 4..],
        ["2w.d5.2w.d5.1b", last, "2w", "2b"]
    );
    let fen = &moments[names.len() - 3].1;
    assert_eq!(shown(file, last), (fen.clone(), 0));
    for args in [
        &["show", "--around", "--at", last, file][..],
        &["view", "--at", last, "-o", page.to_str().unwrap(), file],
    ] {
        let (said, exit) = printed(&overboard(args));
        assert_eq!(exit, 0, "{said}");
    }
    let again = piped(
        &["convert", "--from", "plies", "--to", "npgn"],
        &piped(&["convert", "--to", "plies"], record),
    );
    assert!(again.contains("1. e4 e5 *\n  > 1-0\n> Nf6 *"), "{again}");
}

/// An over-game inside in which nothing was played yet: it is set up, with what is written or with what is left out.
#[test]
fn the_start_of_an_inner_over_game_is_a_moment() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("game.npgn");
    let file = path.to_str().unwrap();
    for block in ["", " <d5: *>"] {
        let record =
            format!("[Variant \"Overchess\"]\n[Rules \"depth=2\"]\n\n1. e4 d5 2. exd5{block} *\n");
        fs::write(&path, &record).unwrap();
        let moments = listed(file);
        let start = moments.iter().find(|(at, _)| at == "2w.d5.start");
        let (fen, exit) = shown(file, "2w.d5.start");
        match start {
            Some((_, listed)) => assert_eq!((&fen, exit), (listed, 0), "{record}"),
            None => assert_ne!(exit, 0, "{record}"),
        }
    }
}
