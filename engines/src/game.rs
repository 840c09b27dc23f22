//! One game of a batch, from its opening to its end.

use crate::{
    chance::{Chance, Purpose},
    ending::End,
    manifest::Fixture,
    openings::Opening,
    players::{Player, Seats, Spec, Thought},
    table::Table,
};
use overboard_games::playable::Playable;
use overboard_rules::outcome::Cause;
use serde::{Deserialize, Serialize};
use std::{
    io::Write,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

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
    /// What is told of its plies.
    pub told: Told,
}

/// Something that is told of every ply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Datum {
    /// How good its player found the position, in hundredths of a pawn, from the player's own side.
    Score,
    /// How many plies ahead the player looked.
    Depth,
    /// How many positions the player looked at.
    Nodes,
    /// How long it took, in seconds.
    Time,
}

/// What is told of the plies of a game: a list for each thing that is asked for, with an item for each ply, none for
/// those of the opening and where the player has nothing to say.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Told {
    /// How good the player found the position, in hundredths of a pawn, from the player's own side.
    pub score: Option<Vec<Option<i32>>>,
    /// How many plies ahead the player looked.
    pub depth: Option<Vec<Option<u32>>>,
    /// How many positions the player looked at.
    pub nodes: Option<Vec<Option<u64>>>,
    /// How long it took, in seconds.
    pub time: Option<Vec<Option<f64>>>,
}

/// All its numbers are finite.
impl Eq for Told {}

impl Told {
    fn of(tells: &[Datum]) -> Self {
        let has = |datum| tells.contains(&datum);
        Self {
            score: has(Datum::Score).then(Vec::new),
            depth: has(Datum::Depth).then(Vec::new),
            nodes: has(Datum::Nodes).then(Vec::new),
            time: has(Datum::Time).then(Vec::new),
        }
    }

    fn take(&mut self, Thought { score, depth, nodes, time }: Thought) {
        fn add<T>(list: &mut Option<Vec<Option<T>>>, item: Option<T>) {
            list.iter_mut().for_each(|list| list.push(None));
            let last = list.as_mut().and_then(|list| list.last_mut());
            last.into_iter().zip(item).for_each(|(last, item)| *last = Some(item));
        }
        add(&mut self.score, score);
        add(&mut self.depth, depth);
        add(&mut self.nodes, nodes);
        // Nobody reads a clock closer than by millionths.
        add(&mut self.time, time.map(|time| (time * 1e6).round() / 1e6));
    }

    /// Whether each list has an item for each of so many plies.
    #[must_use]
    pub(crate) fn fits(&self, plies: u32) -> bool {
        let Self { score, depth, nodes, time } = self;
        let lengths = [
            score.as_ref().map(Vec::len),
            depth.as_ref().map(Vec::len),
            nodes.as_ref().map(Vec::len),
            time.as_ref().map(Vec::len),
        ];
        lengths.into_iter().flatten().all(|length| length == plies as usize)
    }

    /// Adds the lists to the line of a game.
    pub(crate) fn write(&self, line: &mut Vec<u8>) {
        fn add<T: Serialize>(line: &mut Vec<u8>, name: &str, list: Option<&[T]>) {
            let Some(list) = list else { return };
            // Memory can be written, and so can numbers.
            let _ = write!(line, ",\"{name}\":");
            let _ = serde_json::to_writer(line, list);
        }
        let Self { score, depth, nodes, time } = self;
        add(line, "score", score.as_deref());
        add(line, "depth", depth.as_deref());
        add(line, "nodes", nodes.as_deref());
        add(line, "time", time.as_deref());
    }
}

/// What a game is played under.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The base seed.
    pub seed: u64,
    /// Plies after which the game is adjudicated, as soon as a record can stop.
    pub max_plies: u32,
    /// What is to be told of every ply.
    pub tells: &'a [Datum],
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
    let mut told = Told::of(terms.tells);
    let (moves, plies, end) = run(opening.start.clone(), &opening.plies, &mut seats, terms, &mut told)?;
    Some(Played { fen: opening.fen.clone(), book: opening.plies.len() as u32, moves, plies, end, told })
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
    told: &mut Told,
) -> Option<(String, u32, End)> {
    let mut moves = String::with_capacity(1024);
    let mut plies = 0;
    while (plies < terms.max_plies || !table.game().may_stop()) && table.end().is_none() {
        if terms.give_up.load(Ordering::Relaxed) {
            return None;
        }
        let (player, chance) = &mut seats[table.side() as usize];
        let ply = match book.get(plies as usize) {
            Some(ply) => {
                told.take(Thought::default());
                *ply
            }
            None if terms.tells.is_empty() => match player.choose(&table, chance) {
                Some(ply) => ply,
                None => break,
            },
            None => {
                let begun = Instant::now();
                let Some(ply) = player.choose(&table, chance) else { break };
                told.take(Thought { time: Some(begun.elapsed().as_secs_f64()), ..player.thought() });
                ply
            }
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
