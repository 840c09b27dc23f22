//! The players of one thread of a batch. Engines keep running from game to game.

use crate::{
    external::{
        pool::{Engine, EnginePool},
        seat::{EngineSeat, Seated},
    },
    game::Pair,
    manifest::{Contender, Fixture},
    openings::Opening,
    players::{Player, Seats},
};
use overboard_rules::{by_side::BySide, square::Side};
use std::sync::atomic::AtomicBool;

/// Idle engines that a thread keeps running in addition to those that play.
const KEPT: usize = 2;

/// The engines of a thread, the most recently used last.
pub(super) struct Bench<'a> {
    engine_pool: Option<&'a EnginePool>,
    contenders: &'a [Contender],
    thread: usize,
    engines: Vec<((usize, bool), Option<Engine<'a>>)>,
}

/// The engines of a game on the bench: each by its player, and whether it is that player's second one.
fn keys(seats: BySide<usize>) -> [(usize, bool); 2] {
    let [white, black] = seats.into_array();
    [(white, false), (black, white == black)]
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        engine_pool: Option<&'a EnginePool>,
        contenders: &'a [Contender],
        thread: usize,
    ) -> Self {
        Self {
            engine_pool,
            contenders,
            thread,
            engines: Vec::new(),
        }
    }

    /// Which of two players have been withdrawn.
    pub(super) fn withdrawn(&self, seats: BySide<usize>) -> BySide<bool> {
        seats.map(|player| {
            self.engine_pool
                .is_some_and(|engines| engines.is_withdrawn(player))
        })
    }

    /// The engines for a game, where players are engines, taken off the bench; a player that meets itself needs two.
    pub(super) fn take(&mut self, seats: BySide<usize>) -> [Option<Engine<'a>>; 2] {
        keys(seats).map(|key| {
            let at = self.engines.iter().position(|(kept, _)| *kept == key);
            match at {
                Some(at) => self.engines.remove(at).1,
                None => self.engine_pool?.engine(key.0),
            }
        })
    }

    /// Takes back the engines of a game, and ends those that have not played for longest.
    pub(super) fn put_back(&mut self, seats: BySide<usize>, engines: [Option<Engine<'a>>; 2]) {
        self.engines.extend(keys(seats).into_iter().zip(engines));
        let over = self.engines.len().saturating_sub(2 + KEPT);
        drop(self.engines.drain(..over));
    }

    /// The players of a game; `None` if a built-in one does not play such games, which was checked before.
    pub(super) fn seat<'b, G: Seats>(
        &self,
        fixture: &Fixture,
        opening: &Opening<G>,
        [one, other]: &'b mut [Option<Engine<'a>>; 2],
        give_up: &'b AtomicBool,
    ) -> Option<Pair<'b, G>> {
        let seat =
            |engine: &'b mut Option<Engine<'a>>, side: Side| -> Option<Box<dyn Player<G> + 'b>> {
                match (self.contenders.get(fixture.seats[side])?, engine) {
                    (Contender::BuiltIn(spec), _) => Some(G::seat(*spec).ok()?),
                    (Contender::Engine, Some(engine)) => {
                        let place = EngineSeat {
                            give_up,
                            thread: self.thread,
                            game: fixture.game,
                            side,
                        };
                        Some(Box::new(Seated::new(engine, place, opening)))
                    }
                    (Contender::Engine, None) => None,
                }
            };
        Some(BySide::new(
            seat(one, Side::White)?,
            seat(other, Side::Black)?,
        ))
    }
}
