//! One game of a batch, from its opening to its end.

use crate::{
    chance::{Chance, Purpose},
    contest::{Contest, Kind},
    ending::End,
    manifest::Fixture,
    openings::Opening,
    players::{Player, Spec},
};
use overboard_rules::outcome::Cause;

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
pub struct Terms {
    /// The base seed.
    pub seed: u64,
    /// Plies after which the game is adjudicated, as soon as a record can stop.
    pub max_plies: u32,
}

/// Plays a game between two players; `None` where one of them does not play such games.
#[must_use]
pub fn play<K: Kind>(
    kind: &K,
    fixture: &Fixture,
    opening: &Opening<K::Game>,
    specs: [Spec; 2],
    terms: Terms,
) -> Option<Played> {
    let chance = |seat| Chance::of(terms.seed, Purpose::Player { game: fixture.game, seat });
    let mut seats = [(kind.seat(specs[0])?, chance(0)), (kind.seat(specs[1])?, chance(1))];
    let (moves, plies, end) = run(opening.start.clone(), &opening.plies, &mut seats, terms.max_plies);
    Some(Played { fen: opening.fen.clone(), book: opening.plies.len() as u32, moves, plies, end })
}

/// A player with its stream of chance.
type Seat<C> = (Box<dyn Player<C>>, Chance);

/// Plays the opening and then the players' plies; answers all plies, their number, and the end.
fn run<C: Contest>(mut game: C, book: &[C::Ply], seats: &mut [Seat<C>; 2], max: u32) -> (String, u32, End) {
    let mut moves = String::with_capacity(1024);
    let mut plies = 0;
    while (plies < max || !game.may_stop()) && game.end().is_none() {
        let (player, chance) = &mut seats[game.side() as usize];
        let Some(ply) = book.get(plies as usize).copied().or_else(|| player.choose(&game, chance)) else {
            break;
        };
        if plies > 0 {
            moves.push(' ');
        }
        moves.push_str(&game.coordinates(ply));
        game.play(ply);
        plies += 1;
    }
    let capped = || End { outcome: game.adjudicate(), cause: Cause::PlyCap };
    (moves, plies, game.end().unwrap_or_else(capped))
}
