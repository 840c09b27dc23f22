//! The library and the naive model agree on lists, counts, moves and the end of games.

use super::scattered::scattered;
use crate::{chance::Chance, depth::tries, naive::mega::Naive};
use overboard_games::mega::{self, Mega, Options};
use overboard_referee::game::{listing::Listed, notation::Notation as _};
use overboard_rules::{
    game::Game,
    outcome::{Cause, Ruling},
    perft::perft,
};
use shakmaty::Square;
use std::collections::HashMap;

fn ours(level: u8, free_turns: bool, text: &str) -> Mega {
    let agreed = Options { level, free_turns };
    mega::read(text, agreed)
        .unwrap_or_else(|fault| panic!("{text}: {fault}"))
        .position
}

/// Counts the lines of play for a file of positions, whose counts come from the naive model. Returns the number of
/// positions.
fn counted_alike(positions: &str, free_turns: bool) -> usize {
    let mut all = 0;
    for line in positions
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let fields: Vec<&str> = line.split('\t').collect();
        let game = ours(fields[0].parse().unwrap(), free_turns, fields[1]);
        assert_eq!(game.fen(), fields[1]);
        for (depth, count) in (1..).zip(&fields[2..]).filter(|(_, count)| **count != "-") {
            assert_eq!(
                perft(&game, depth).to_string(),
                *count,
                "depth {depth} of {}",
                fields[1]
            );
        }
        all += 1;
    }
    all
}

#[test]
fn lines_are_counted_as_the_naive_model_counts_them() {
    assert_eq!(
        counted_alike(include_str!("../naive/positions/mega.txt"), false),
        97
    );
}

#[test]
fn lines_of_free_turns_are_counted_as_the_naive_model_counts_them() {
    assert_eq!(
        counted_alike(include_str!("../naive/positions/mega-free.txt"), true),
        97
    );
}

/// The status of a position, in the vocabulary of the naive model.
fn status(game: &Mega) -> &'static str {
    if !game.is_between_turns() {
        return "turn";
    }
    let Some(Ruling { cause, rule, .. }) = game.end_by_itself() else {
        return if game.in_check() { "check" } else { "ongoing" };
    };
    match (cause, rule.id) {
        (Cause::MegaMate, "MG-12") => "mate",
        (Cause::MegaStalemate, "MG-12") => "stalemate",
        (Cause::DeadPosition, "MG-14") => "dead",
        (Cause::MegaMoves, "MG-14") => "moves",
        (_, "MG-14") => "fivefold",
        (other, rule) => panic!("{other:?} by {rule} in {}", game.fen()),
    }
}

/// The legal plies in coordinates, in order.
fn listed(game: &Mega) -> Vec<String> {
    let mut list = Vec::new();
    game.for_each_spelt(&mut |spelt| list.push(Listed::from(spelt).coord.to_string()));
    list.sort();
    list
}

/// Both list the same plies, including passes, and allow the same draws on the outer boards.
fn lists_are_alike(ours: &Mega, theirs: &Naive) {
    let list = listed(ours);
    assert_eq!(list, theirs.moves(), "{}", theirs.text());
    assert_eq!(ours.count_legal(), list.len() as u64, "{}", theirs.text());
    let read = self::ours(ours.level(), ours.has_free_turns(), &theirs.text());
    assert_eq!(listed(&read), list, "read again: {}", theirs.text());
    let (passes, draws) = (theirs.passable(), theirs.drawable());
    for pass in &passes {
        assert!(
            ours.by_coordinates(pass).is_some(),
            "{pass} in {}",
            theirs.text()
        );
    }
    assert_eq!(
        ours.by_coordinates("--").is_some(),
        passes.contains(&"--".into()),
        "{}",
        theirs.text()
    );
    for at in Square::ALL {
        let draw = format!("{}.1/2-1/2", at.to_string().to_uppercase());
        assert_eq!(
            ours.by_coordinates(&draw).is_some(),
            draws.contains(&draw),
            "{draw} in {}",
            theirs.text()
        );
    }
}

/// A legal ply: rarely a draw or a pass, often one that wins a board.
fn choose(game: &Naive, chance: &mut Chance) -> Option<String> {
    let moves = game.moves();
    let kinds = [
        (game.drawable(), 12),
        (game.passable(), 4),
        (
            moves
                .iter()
                .filter(|coord| !coord.contains('.'))
                .cloned()
                .collect(),
            3,
        ),
        (
            moves
                .iter()
                .filter(|coord| WINS.iter().any(|win| coord.ends_with(win)))
                .cloned()
                .collect(),
            3,
        ),
    ];
    let often =
        |(list, one_in): &(Vec<String>, usize)| !list.is_empty() && chance.below(*one_in) == 0;
    let list = kinds
        .into_iter()
        .find(often)
        .map_or(moves, |(list, _)| list);
    chance.pick(&list.iter().collect::<Vec<_>>()).cloned()
}

/// Moves that end games on the boards of [`scattered`].
const WINS: [&str; 8] = [
    "a1a8", "a8a1", "g5f7", "g4f2", "c7c8q", "c2c1q", "g4g6", "g5g3",
];

/// Plays randomly from positions. Returns how often each thing happened to boards and games.
fn play_alike(
    (level, free): (u8, bool),
    games: usize,
    pieces: usize,
    chance: &mut Chance,
) -> HashMap<String, u32> {
    let mut met: HashMap<String, u32> = HashMap::new();
    for _ in 0..tries(games) {
        let mut theirs = scattered(level.into(), free, pieces, chance);
        let mut ours = ours(level, free, &theirs.text());
        for _ in 0..2 + chance.below(16) {
            let status = status(&ours);
            assert_eq!(status, theirs.status(), "{}", theirs.text());
            assert_eq!(ours.fen(), theirs.text());
            *met.entry(status.into()).or_default() += 1;
            if ["mate", "stalemate", "dead", "moves", "fivefold"].contains(&status) {
                break;
            }
            lists_are_alike(&ours, &theirs);
            let Some(coord) = choose(&theirs, chance) else {
                panic!("no ply in {}", theirs.text())
            };
            let ply = ours
                .by_coordinates(&coord)
                .unwrap_or_else(|| panic!("no {coord} in {}", theirs.text()));
            ours = ours.after(ply);
            theirs = theirs.play(&coord);
            for state in ["armed", "disarmed", "dethroned"] {
                let often = theirs.text().matches(&format!(": {state}")).count();
                *met.entry(format!("{state} {}", often.min(3))).or_default() += 1;
            }
        }
    }
    met
}

#[test]
fn games_of_level_one_are_played_alike() {
    let met = play_alike((1, false), 500, 9, &mut Chance::seeded(71));
    for status in ["turn", "ongoing", "check", "mate", "moves", "dethroned 1"] {
        assert!(
            met.get(status).is_some_and(|count| *count >= 5),
            "{status}: {met:?}"
        );
    }
}

#[test]
fn games_of_few_pieces_are_played_to_their_ends_alike() {
    let met = play_alike((1, false), 600, 2, &mut Chance::seeded(72));
    for status in ["turn", "ongoing", "check", "mate", "stalemate", "dead"] {
        assert!(
            met.get(status).is_some_and(|count| *count >= 2),
            "{status}: {met:?}"
        );
    }
}

#[test]
fn games_of_level_two_are_played_alike() {
    let met = play_alike((2, false), 60, 3, &mut Chance::seeded(73));
    assert!(met.get("turn").is_some_and(|count| *count >= 50), "{met:?}");
}

#[test]
fn games_of_free_turns_are_played_alike() {
    let met = play_alike((1, true), 500, 9, &mut Chance::seeded(74));
    for status in ["turn", "ongoing", "check", "mate", "moves", "dethroned 1"] {
        assert!(
            met.get(status).is_some_and(|count| *count >= 5),
            "{status}: {met:?}"
        );
    }
    let met = play_alike((1, true), 300, 2, &mut Chance::seeded(75));
    for status in ["mate", "stalemate", "dead"] {
        assert!(
            met.get(status).is_some_and(|count| *count >= 1),
            "{status}: {met:?}"
        );
    }
    let met = play_alike((2, true), 60, 3, &mut Chance::seeded(76));
    assert!(met.get("turn").is_some_and(|count| *count >= 50), "{met:?}");
}

/// The first turns, in which Black may open boards, and later turns on boards where one side moves repeatedly.
#[test]
fn games_from_the_array_with_free_turns_are_played_alike() {
    for (level, plies, seed) in [(1, 120, 77), (2, 30, 78)] {
        let mut chance = Chance::seeded(seed);
        let mut theirs = Naive::start_free(level);
        let mut ours = ours(level as u8, true, &theirs.text());
        for _ in 0..plies {
            lists_are_alike(&ours, &theirs);
            let Some(coord) = choose(&theirs, &mut chance) else {
                break;
            };
            ours = ours.after(ours.by_coordinates(&coord).unwrap());
            theirs = theirs.play(&coord);
            assert_eq!(ours.fen(), theirs.text());
        }
    }
}
