//! One game of a batch, from its opening to its end.

use crate::{
    chance::{Chance, Purpose},
    ending::End,
    manifest::Fixture,
    openings::Opening,
    players::{Player, Seats, Spec},
    table::Table,
};
use overboard_games::playable::Playable;
use overboard_rules::outcome::Cause;
use std::sync::atomic::{AtomicBool, Ordering};

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// FEN of the position it started from, where that is not the game's first.
    pub fen: Option<String>,
    /// Plies of the opening.
    pub book: u32,
    /// The plies in coordinates, one space between them.
    pub moves: String,
    /// How many plies that are, those of the opening among them.
    pub plies: u32,
    /// How it ended.
    pub end: End,
}

/// What a game is played under.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The base seed.
    pub seed: u64,
    /// Plies after which the game is adjudicated, as soon as a record can stop.
    pub max_plies: u32,
    /// Whether games are to be given up where they stand; looked at before every ply.
    pub give_up: &'a AtomicBool,
}

/// Plays a game between two players; `None` where one of them does not play such games, or where the game was
/// given up.
#[must_use]
pub fn play<G: Seats>(
    fixture: &Fixture,
    opening: &Opening<G>,
    specs: [Spec; 2],
    terms: Terms<'_>,
) -> Option<Played> {
    let chance = |seat| Chance::of(terms.seed, Purpose::Player { game: fixture.game, seat });
    let mut seats = [(G::seat(specs[0]).ok()?, chance(0)), (G::seat(specs[1]).ok()?, chance(1))];
    let (moves, plies, end) = run(opening.start.clone(), &opening.plies, &mut seats, terms)?;
    Some(Played { fen: opening.fen.clone(), book: opening.plies.len() as u32, moves, plies, end })
}

/// A player with its stream of chance.
type Seat<G> = (Box<dyn Player<G>>, Chance);

/// Plays the opening and then the players' plies; returns all plies, their number, and the end, or nothing of a game
/// that was given up.
fn run<G: Playable>(
    mut table: Table<G>,
    book: &[G::Ply],
    seats: &mut [Seat<G>; 2],
    terms: Terms<'_>,
) -> Option<(String, u32, End)> {
    let mut moves = String::with_capacity(1024);
    let mut plies = 0;
    while (plies < terms.max_plies || !table.game().may_stop()) && table.end().is_none() {
        if terms.give_up.load(Ordering::Relaxed) {
            return None;
        }
        let (player, chance) = &mut seats[table.side() as usize];
        let Some(ply) = book.get(plies as usize).copied().or_else(|| player.choose(&table, chance)) else {
            break;
        };
        if plies > 0 {
            moves.push(' ');
        }
        moves.push_str(&table.game().coordinates(ply));
        seats.iter_mut().for_each(|(player, _)| player.see(&table, ply));
        table.play(ply);
        plies += 1;
    }
    let capped = || End { outcome: table.game().adjudicate(), cause: Cause::PlyCap };
    Some((moves, plies, table.end().unwrap_or_else(capped)))
}
