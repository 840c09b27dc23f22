//! Random games of Overchess: over-moves, set-ups, sub-games and settling, with equal probability.

use overboard_engines::chance::{Chance, Purpose};
use overboard_games::overchess::{self, Movetext, Options, Over, Ply};
use overboard_referee::game::{notation::Notation as _, play::Play as _, record::Movetext as _};
use overboard_rules::{
    game::{Game, Step},
    perft::perft,
};

/// The options of each run, by name, and its number of games.
pub const RUNS: [(&str, &str, u64); 2] = [
    ("overchess: playouts", "", 20),
    (
        "overchess, all options",
        "fog:prisoners:consolidation:reserves=team/2P1N/2P1N",
        20,
    ),
];

/// What is counted by copying positions: the depth of the game, the plies to its position, and the depth of the count.
pub const COUNTS: [(&str, u8, &str, u32); 4] = [
    ("overchess: perft", 1, "", 4),
    ("in a sub-game: perft", 1, "e2e4 d7d5 e4d5", 4),
    ("depth 2: perft", 2, "", 4),
    (
        "depth 2, innermost: perft",
        2,
        "e2e4 d7d5 e4d5 d5.e2e4 d5.d7d5 d5.e4d5",
        4,
    ),
];

/// Counts lines of plies from a position.
pub fn count(depth: u8, plies: &str, more: u32) -> u64 {
    let mut over = Over::first(depth, Options::default());
    for word in plies.split(' ').filter(|word| !word.is_empty()) {
        over.play(over.by_coordinates(word).expect("a legal ply"));
        while let Some((_, place)) = over.placing() {
            over.play(Ply::Place(place, place));
        }
    }
    perft(&over, more)
}

/// Plays random games to their ends; returns their plies.
pub fn playouts(rules: &str, games: u64) -> u64 {
    let mut plies = 0;
    for game in 0..games {
        playout(rules, 1, game, &mut |_, _| plies += 1);
    }
    plies
}

/// Plays a random game, and calls `see` with every ply before it is played; returns the last position.
fn playout(rules: &str, seed: u64, game: u64, see: &mut impl FnMut(&Over, &Ply)) -> Over {
    let mut chance = Chance::of(seed, Purpose::Player { game, seat: 0 });
    let mut over = Over::first(1, overchess::options(rules));
    while over.end_by_itself().is_none() {
        let Some(ply) = over.any(&mut |bound| chance.below(bound)) else {
            break;
        };
        see(&over, &ply);
        over.play(ply);
    }
    over
}

/// Random games, as records.
pub fn records(rules: &str, games: u64) -> String {
    let record = |game| {
        let mut movetext = Movetext::default();
        let last = playout(rules, 2, game, &mut |over, ply| {
            let mut after = over.clone();
            let effects = after.play(*ply);
            movetext.take(&Step::Ply(*ply), over, &after, &effects, "");
        });
        let moves = movetext.finish(&last);
        let result = last.end_by_itself().expect("an end").outcome;
        let rules = if rules.is_empty() {
            String::new()
        } else {
            format!("[Rules \"{rules}\"]\n")
        };
        format!("[Variant \"Overchess\"]\n[Result \"{result}\"]\n{rules}\n{moves}\n{result}\n\n")
    };
    (0..games).map(record).collect()
}
