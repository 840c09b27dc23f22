//! Random games of chess end in each way as often as others have published. This also tests the ends of games,
//! which counts of leaves do not.

use crate::{chance::Chance, depth::tries, parallel::from_each};
use overboard_games::{chess::Chess, one_board::OneBoard};
use overboard_rules::{
    game::Game as _,
    outcome::{Cause, Outcome},
    position::{DrawLaw as _, Movegen as _},
    repetition::{History, Look, Times},
    square::Side,
};
use std::collections::HashMap;

/// How a game ended, and who won it.
type End = (Cause, Option<Side>);

/// The end after a ply by which a position has come about for the `count`-th time.
fn automatic(chess: &OneBoard<Chess>, count: usize) -> Option<End> {
    let times = Times {
        now: count,
        since: &[],
        has_plies: false,
        look: Look::AfterPly,
    };
    let ruling = chess.ruling(times)?;
    let winner = match ruling.outcome {
        Outcome::Win(side) => Some(side),
        Outcome::Draw => None,
    };
    Some((ruling.cause, winner))
}

/// The end if players claim every draw as soon as it is possible, given the automatic one.
fn claimed(chess: &Chess, count: usize, automatic: Option<End>) -> Option<End> {
    match automatic {
        Some((Cause::SeventyFiveMoves, _)) | None if count >= 3 => {
            Some((Cause::ThreefoldClaim, None))
        }
        Some((Cause::SeventyFiveMoves, _)) | None if chess.halfmove() >= 100 => {
            Some((Cause::FiftyMoveClaim, None))
        }
        end => end,
    }
}

/// Plays random moves to the automatic end; returns it, and the end if draws were claimed.
fn game(chance: &mut Chance) -> [End; 2] {
    let mut game = OneBoard(Chess::default());
    let mut history = History::default();
    history.start(game.key(), game.snapshot());
    let mut by_claim = None;
    while let Some(m) = chance.pick(&game.0.moves_in_order()) {
        let irreversible = game.0.is_irreversible(m);
        game.play(m);
        let count = history.reach(game.key(), game.snapshot(), irreversible).now;
        let automatic = automatic(&game, count);
        by_claim = by_claim.or_else(|| claimed(&game.0, count, automatic));
        if let (Some(end), Some(by_claim)) = (automatic, by_claim) {
            return [end, by_claim];
        }
    }
    unreachable!("a position without a legal move is an end")
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
