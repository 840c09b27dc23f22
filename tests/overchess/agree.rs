//! The library and the naive model agree on lists, moves and ends of games.

use super::levels::choose;
use crate::{
    chance::Chance,
    depth::tries,
    naive::overchess::{self as naive, Naive, Sub},
};
use overboard_games::overchess::{self, Due, Over, Ply};
use overboard_referee::game::notation::Notation as _;
use overboard_rules::{
    game::Game as _,
    outcome::{Cause, Outcome},
    perft::perft,
    square::Side,
};
use std::collections::HashMap;

/// The status of a position, in the vocabulary of the naive model.
fn status(game: &Over) -> &'static str {
    match game.end_by_itself().map(|ruling| ruling.cause) {
        Some(Cause::KingFalls) => "kingfall",
        _ if game.due() != Due::Over => "open",
        Some(Cause::Checkmate) => "mate",
        Some(Cause::Stalemate) => "stalemate",
        Some(Cause::DeadPosition) => "dead",
        Some(Cause::SeventyFiveMoves) => "seventyfive",
        Some(_) => "repetition",
        None if game.outermost().in_check() => "check",
        None => "ongoing",
    }
}

fn listed(game: &Over) -> Vec<(String, Ply)> {
    let mut list = Vec::new();
    game.legal_moves(|ply| list.push((game.coordinates(ply).to_string(), ply)));
    list.sort_by(|a, b| a.0.cmp(&b.0));
    list
}

/// A position without the spares of attacked over-pieces, such as `xe4:1P`, which the naive model does not write.
fn without_attacked(fen: &str) -> String {
    let (head, spares) = fen.rsplit_once(' ').unwrap();
    let kept: Vec<_> = spares
        .split(',')
        .filter(|item| !item.starts_with('x'))
        .collect();
    format!(
        "{head} {}",
        if kept.is_empty() {
            "-".into()
        } else {
            kept.join(",")
        }
    )
}

/// Plays a random game with both, and counts in `met` what occurred.
fn play_alike(rules: &str, fen: &str, chance: &mut Chance, met: &mut HashMap<String, u32>) {
    let options = overchess::options(rules);
    let mut ours = overchess::read(fen, 1, options)
        .unwrap_or_else(|why| panic!("{fen}: {why}"))
        .position;
    let mut theirs = Naive::parse(naive::Options::parse(&rules.replace(':', ",")), fen);
    for _ in 0..120 {
        let status = status(&ours);
        let here = || format!("{rules}: {}", ours.fen());
        assert_eq!(status, theirs.status(), "{}", here());
        *met.entry(status.into()).or_default() += 1;
        if ours.due() == Due::Over && status != "kingfall" {
            assert_eq!(without_attacked(&ours.fen()), theirs.fen(), "{rules}");
        }
        if !["open", "ongoing", "check"].contains(&status) {
            return;
        }
        let list = listed(&ours);
        let coords: Vec<_> = list.iter().map(|(coord, _)| coord.clone()).collect();
        assert_eq!(coords, theirs.moves(), "{}", here());
        assert_eq!(ours.count_legal(), list.len() as u64, "{}", here());
        if matches!(ours.due(), Due::Sub(_)) && chance.below(6) == 0 {
            let (outcome, sub) = match chance.below(3) {
                0 => (Outcome::Win(Side::White), Sub::Won),
                1 => (Outcome::Win(Side::Black), Sub::Lost),
                _ => (Outcome::Draw, Sub::Drawn),
            };
            ours.conclude(0, outcome);
            theirs = theirs.resolve(sub);
            continue;
        }
        let (coord, ply) = choose(&ours, &list, chance);
        *met.entry(
            coord
                .split(' ')
                .next()
                .unwrap_or_default()
                .replace(|c: char| c.is_ascii_digit(), ""),
        )
        .or_default() += 1;
        ours.play(ply);
        theirs = theirs.play(&coord);
    }
}

const OPTIONS: [&str; 12] = [
    "",
    "fog",
    "prisoners",
    "consolidation",
    "subdraw=defender",
    "subdraw=both:fog",
    "prisoners:consolidation",
    "fog:prisoners:consolidation",
    "prisoners:reserves=team/2P1N/3P",
    "fog:reserves=team/2P1N1Q/3P2R",
    "fog:prisoners:consolidation:reserves=set/1P1N",
    "subdraw=defender:reserves=set/2P:consolidation",
];

/// Positions in which attacks are soon possible, some with pieces missing.
const BEGINNINGS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - -",
    "r3k2r/pP2pp1p/8/2pPp3/4P3/8/P2p1PPP/R3K2R w KQkq c6 0 1 d5=2P1R,e5=3P1N,b7=1P -",
    "4k3/2P5/8/1pPp4/1R5r/8/4p3/2B1K3 w - b6 0 9 b5=1P,c5=1P1Q,b4=2R1B,h4=1P1N1Q -",
    "3r2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 d8=1P,d1=2P -",
    "r3k3/8/8/3b4/8/5N2/8/R3K2R b KQq - 3 20 a8=1P,d5=1N,f3=1R,a1=2P,h1=0 -",
    "4k3/pp6/8/8/1B6/8/PP4q1/4K2R b K - 0 30 g2=4P,b4=2P,h1=1P1Q -",
    "2k5/8/8/3pP3/8/K7/1r6/8 w - d6 0 5 d5=1P,e5=1P,b2=1N -",
    "4k3/8/3p4/4P3/3B4/8/5n2/4K3 w - - 140 90 d6=0,e5=0,d4=1P,f2=0 -",
];

#[test]
fn random_games_are_played_alike() {
    let mut chance = Chance::seeded(2024);
    let mut met = HashMap::new();
    for rules in OPTIONS {
        for fen in BEGINNINGS {
            let spares = match rules
                .split("reserves=")
                .nth(1)
                .map(|rest| rest.split(':').next().unwrap())
            {
                Some("team/2P1N/3P") => "2P1N/3P",
                Some("team/2P1N1Q/3P2R") => "2P1N1Q/3P2R",
                _ => "-",
            };
            let fen = format!("{} {spares}", fen.trim_end());
            for _ in 0..tries(2) {
                play_alike(rules, &fen, &mut chance, &mut met);
            }
        }
        if rules.contains("set/") {
            let first = Over::first(1, overchess::options(rules)).fen();
            (0..tries(2)).for_each(|_| play_alike(rules, &first, &mut chance, &mut met));
        }
    }
    for word in [
        "kingfall",
        "mate",
        "dead",
        "prisoners",
        "reserve",
        "consolidate",
        "give",
        "done",
    ] {
        assert!(met.contains_key(word), "{word} among {met:?}");
    }
}

/// The counts of the file were made with the naive model. Its positions give the spares that are left, but not the
/// reserves that were agreed: here those are as large as a record can state.
#[test]
fn lines_are_counted_as_the_naive_model_counts_them() {
    let lines = include_str!("../naive/positions/overchess.txt").lines();
    let mut counted = 0;
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let spares = match fields[1].rsplit(' ').next() {
            Some(spares) if spares.contains('/') => ":reserves=team/9P9N9B9R9Q",
            Some(spares) if spares.contains(':') => ":reserves=set/9P9N9B9R9Q",
            _ => "",
        };
        let options = overchess::options(&(fields[0].replace(',', ":") + spares));
        let game = overchess::read(fields[1], 1, options)
            .unwrap_or_else(|why| panic!("{line}: {why}"))
            .position;
        for (depth, count) in (1..).zip(&fields[2..]) {
            assert_eq!(
                perft(&game, depth).to_string(),
                *count,
                "depth {depth} of {line}"
            );
            counted += 1;
        }
    }
    assert_eq!(counted, 200);
}
