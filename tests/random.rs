//! Random games of chess end in each way as often as others have published. This also tests the ends of games,
//! which counts of leaves do not.

use crate::{chance::Chance, depth::tries, parallel::from_each};
use overboard_engines::live_game::LiveGame;
use overboard_games::{chess::Chess, one_board::OneBoard};
use overboard_rules::{
    outcome::{Cause, Outcome},
    square::Side,
};
use std::collections::HashMap;

/// How a game ended, and who won it.
type End = (Cause, Option<Side>);

/// The end of a game by itself.
fn automatic(game: &LiveGame<OneBoard<Chess>>) -> Option<End> {
    let end = game.end()?;
    let winner = match end.outcome {
        Outcome::Win(side) => Some(side),
        Outcome::Draw => None,
    };
    Some((end.cause, winner))
}

/// The end of a game that goes on by itself, if players claim every draw as soon as it is possible.
fn claimed(game: &LiveGame<OneBoard<Chess>>) -> Option<End> {
    let claimable = game.claimable();
    if claimable.repetition {
        Some((Cause::ThreefoldClaim, None))
    } else if claimable.progress {
        Some((Cause::FiftyMoveClaim, None))
    } else {
        None
    }
}

/// Plays random moves to the automatic end; returns it, and the end if draws were claimed.
fn game(chance: &mut Chance) -> [End; 2] {
    let mut game = LiveGame::from(OneBoard(Chess::default()));
    let mut by_claim = None;
    loop {
        let ply = chance.pick(game.plies()).expect("the game goes on");
        game.play(ply);
        if let Some(end) = automatic(&game) {
            return [end, by_claim.unwrap_or(end)];
        }
        by_claim = by_claim.or_else(|| claimed(&game));
    }
}

const GAMES: usize = 3_000;

/// The seeds of the quarters of the games.
const SEEDS: [u64; 4] = [
    2026,
    0x256d_19dd_13a7_bbeb,
    0xe915_602c_9bd8_f456,
    0x8e5c_3937_eab3_d7b5,
];

fn frequencies() -> [HashMap<End, u32>; 2] {
    let walks = from_each(&SEEDS, |_, seed| {
        let mut chance = Chance::seeded(seed);
        (0..GAMES / SEEDS.len())
            .map(|_| game(&mut chance))
            .collect::<Vec<_>>()
    });
    let mut counts = [HashMap::new(), HashMap::new()];
    for ends in walks.into_iter().flatten() {
        for (counts, end) in counts.iter_mut().zip(ends) {
            *counts.entry(end).or_insert(0) += 1;
        }
    }
    counts
}

/// The count is within four standard errors of the published percentage.
fn agrees(what: &str, count: u32, published: f64) {
    let share = published / 100.0;
    let games = tries(GAMES) as f64;
    let expected = share * games;
    let error = (expected * (1.0 - share)).sqrt();
    assert!(
        (f64::from(count) - expected).abs() < 4.0 * error,
        "{what}: {count} of {games}, published {published} %"
    );
}

#[test]
fn random_games_end_as_often_as_published() {
    let [automatic, by_claim] = frequencies();
    let of =
        |counts: &HashMap<End, u32>, cause, side| counts.get(&(cause, side)).copied().unwrap_or(0);

    // F. Labelle, 29.28 * 10^9 games by the FIDE Laws, nothing claimed (wismuth.com/chess/random-games.html).
    agrees(
        "White mates",
        of(&automatic, Cause::Checkmate, Some(Side::White)),
        7.7340,
    );
    agrees(
        "Black mates",
        of(&automatic, Cause::Checkmate, Some(Side::Black)),
        7.7293,
    );
    agrees("stalemate", of(&automatic, Cause::Stalemate, None), 6.5364);
    agrees(
        "seventy-five moves",
        of(&automatic, Cause::SeventyFiveMoves, None),
        12.0118,
    );
    agrees(
        "dead position",
        of(&automatic, Cause::DeadPosition, None),
        65.9886,
    );

    // S. Edwards, 24,478,109 games in which the third repetition and 100 plies without capture or pawn
    // move end the game (talkchess t=59483). His 10^9 games (t=48542: insufficient 56.711 %, fifty moves
    // 19.342 %) also call a minor piece on each side insufficient, which GEN-3 does not.
    agrees(
        "claimed: stalemate",
        of(&by_claim, Cause::Stalemate, None),
        6.13,
    );
    agrees(
        "claimed: threefold",
        of(&by_claim, Cause::ThreefoldClaim, None),
        2.57,
    );
    agrees(
        "claimed: fifty moves",
        of(&by_claim, Cause::FiftyMoveClaim, None),
        22.41,
    );
    agrees(
        "claimed: dead position",
        of(&by_claim, Cause::DeadPosition, None),
        53.59,
    );

    // M. Sedlak, 10^6 games by the same draws (talkchess p=523774).
    agrees(
        "claimed: White mates",
        of(&by_claim, Cause::Checkmate, Some(Side::White)),
        7.6895,
    );
    agrees(
        "claimed: Black mates",
        of(&by_claim, Cause::Checkmate, Some(Side::Black)),
        7.6902,
    );
}
