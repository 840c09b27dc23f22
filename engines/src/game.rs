//! One game of a batch, from its opening to its end.

use crate::{
    adjudicate::Adjudicator,
    chance::{Chance, Purpose},
    ending::End,
    live_game::LiveGame,
    manifest::Fixture,
    openings::Opening,
    players::{Act, Player, Thought},
    search::moves_to_mate,
};
use overboard_formats::{figures::Figures, foreign::Foreign, ply_rows};
use overboard_referee::game::play::Play;
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome},
    square::Side,
};
use serde::{Deserialize, Serialize};
use std::{
    io::Write,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The position from which it started as FEN, if it is not that of the game.
    pub fen: Option<String>,
    /// Plies of the opening.
    pub book: u32,
    /// The plies in coordinates, separated by one space.
    pub moves: String,
    /// The number of plies, including those of the opening.
    pub plies: u32,
    /// How it ended.
    pub end: End,
    /// The data of its plies.
    pub thoughts: PlyData,
    /// The fault of an external engine, if that ended the game.
    pub fault: Option<Blame>,
}

/// The fault of an external engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Blame {
    /// The side that it played.
    pub by: ply_rows::Side,
    /// What it did, for people.
    pub why: Foreign,
}

/// A kind of data that can be recorded for every ply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Datum {
    /// The player's score of the position, in centipawns from its own side.
    Score,
    /// The depth of the search, in plies.
    Depth,
    /// The number of nodes.
    Nodes,
    /// The time taken, in seconds.
    Time,
}

/// The data of a game's plies: a list for each kind requested, with an item for each ply, `None` for plies of the
/// opening and where the player reports nothing.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlyData {
    /// The player's score of the position, in centipawns from its own side.
    pub score: Option<Vec<Option<i32>>>,
    /// The depth of the search, in plies.
    pub depth: Option<Vec<Option<u32>>>,
    /// The number of nodes.
    pub nodes: Option<Vec<Option<u64>>>,
    /// The time taken, in seconds.
    pub time: Option<Vec<Option<f64>>>,
}

/// All numbers in it are finite, so equality is reflexive.
impl Eq for PlyData {}

impl PlyData {
    /// What the player said of a ply, given its index, from its own side. Times are to the millisecond, as records have
    /// them.
    #[must_use]
    pub fn figures(&self, index: usize) -> Figures {
        fn item<T: Copy>(list: Option<&Vec<Option<T>>>, index: usize) -> Option<T> {
            *list?.get(index)?
        }
        let score = item(self.score.as_ref(), index);
        let mate = score.and_then(moves_to_mate);
        let eval = if mate.is_none() { score } else { None };
        let time = item(self.time.as_ref(), index);
        Figures {
            eval: eval.map(|score| f64::from(score) / 100.0),
            mate,
            depth: item(self.depth.as_ref(), index),
            nodes: item(self.nodes.as_ref(), index),
            seconds: time.map(|time| (time * 1000.0).round() / 1000.0),
        }
    }

    fn of(reports: &[Datum]) -> Self {
        let has = |datum| reports.contains(&datum);
        Self {
            score: has(Datum::Score).then(Vec::new),
            depth: has(Datum::Depth).then(Vec::new),
            nodes: has(Datum::Nodes).then(Vec::new),
            time: has(Datum::Time).then(Vec::new),
        }
    }

    fn take(
        &mut self,
        Thought {
            score,
            depth,
            nodes,
            time,
        }: Thought,
    ) {
        fn add<T>(list: &mut Option<Vec<Option<T>>>, item: Option<T>) {
            if let Some(list) = list {
                list.push(item);
            }
        }
        add(&mut self.score, score);
        add(&mut self.depth, depth);
        add(&mut self.nodes, nodes);
        // Rounded to microseconds: clocks are not more precise than that.
        add(&mut self.time, time.map(|time| (time * 1e6).round() / 1e6));
    }

    /// Whether each list has an item for each of this many plies.
    #[must_use]
    pub(crate) fn fits(&self, plies: u32) -> bool {
        let lengths = [
            self.score.as_ref().map(Vec::len),
            self.depth.as_ref().map(Vec::len),
            self.nodes.as_ref().map(Vec::len),
            self.time.as_ref().map(Vec::len),
        ];
        lengths
            .into_iter()
            .flatten()
            .all(|length| length == plies as usize)
    }

    /// Adds the lists to the line of a game.
    pub(crate) fn write(&self, line: &mut Vec<u8>) {
        fn add<T: Serialize>(line: &mut Vec<u8>, name: &str, list: Option<&[T]>) {
            let Some(list) = list else { return };
            // Writing to memory cannot fail.
            let _ = write!(line, ",\"{name}\":");
            let _ = serde_json::to_writer(line, list);
        }
        add(line, "score", self.score.as_deref());
        add(line, "depth", self.depth.as_deref());
        add(line, "nodes", self.nodes.as_deref());
        add(line, "time", self.time.as_deref());
    }
}

/// The conditions of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameConditions<'a> {
    /// The base seed.
    pub seed: u64,
    /// The number of plies after which the game is stopped and scored, as soon as a record can stop.
    pub max_plies: u32,
    /// The data to record for every ply.
    pub reports: &'a [Datum],
    /// Ends games by the scores of their players, if that is wanted.
    pub adjudicator: Option<Adjudicator>,
    /// Set to give up games in progress; checked before every ply.
    pub give_up: &'a AtomicBool,
}

/// The two players of a game, White first.
pub type Pair<'a, G> = BySide<Box<dyn Player<G> + 'a>>;

/// Plays a game between two players; `None` if it was given up.
#[must_use]
pub fn play<G: Play>(
    fixture: &Fixture,
    opening: &Opening<G>,
    mut players: Pair<'_, G>,
    terms: GameConditions<'_>,
) -> Option<Played> {
    let mut chances = BySide::new(0, 1).map(|seat| {
        Chance::of(
            terms.seed,
            Purpose::Player {
                game: fixture.game,
                seat,
            },
        )
    });
    let mut course = Course {
        table: opening.start.clone(),
        moves: String::with_capacity(1024),
        plies: 0,
        thoughts: PlyData::of(terms.reports),
        fault: None,
    };
    let end = course.run(&opening.plies, &mut players, &mut chances, terms)?;
    for player in &mut players {
        player.over(end);
    }
    let Course {
        moves,
        plies,
        thoughts,
        fault,
        ..
    } = course;
    Some(Played {
        fen: opening.fen.clone(),
        book: opening.plies.len() as u32,
        moves,
        plies,
        end,
        thoughts,
        fault,
    })
}

/// A game in progress.
struct Course<G: Play> {
    table: LiveGame<G>,
    moves: String,
    plies: u32,
    thoughts: PlyData,
    fault: Option<Blame>,
}

impl<G: Play> Course<G> {
    /// Plays the opening and then the players' plies; returns the end, or `None` if the game was given up.
    fn run(
        &mut self,
        book: &[G::Ply],
        players: &mut Pair<'_, G>,
        chances: &mut BySide<Chance>,
        mut terms: GameConditions<'_>,
    ) -> Option<End> {
        while (self.plies < terms.max_plies || !self.table.game().may_stop())
            && self.table.end().is_none()
        {
            if terms.give_up.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(ply) = book.get(self.plies as usize) {
                self.thoughts.take(Thought::default());
                if let Some(judge) = &mut terms.adjudicator {
                    judge.pass(self.table.side());
                }
                self.play(*ply, players);
                continue;
            }
            let side = self.table.side();
            let clocks = BySide::from_fn(|side| players[side].clock());
            let (player, chance) = (&mut players[side], &mut chances[side]);
            let begun = (!terms.reports.is_empty()).then(Instant::now);
            let ply = match player.act(&self.table, chance, clocks) {
                Act::Play(ply) => ply,
                Act::Nothing => break,
                Act::End { end, fault } => {
                    self.fault = fault.map(|why| Blame {
                        by: side.into(),
                        why,
                    });
                    return Some(end);
                }
                Act::GivenUp => return None,
            };
            let thought = player.thought();
            let time = begun.map(|begun| {
                thought
                    .time
                    .unwrap_or_else(|| begun.elapsed().as_secs_f64())
            });
            self.thoughts.take(Thought { time, ..thought });
            self.play(ply, players);
            let judged = terms
                .adjudicator
                .as_mut()
                .and_then(|judge| judge.hear(side, thought.score));
            if let Some(outcome) = judged
                && self.table.end().is_none()
                && self.table.game().may_stop()
            {
                return Some(End {
                    outcome,
                    cause: Cause::Adjudication,
                });
            }
        }
        let capped = || End {
            outcome: self.table.game().adjudicate(),
            cause: Cause::PlyCap,
        };
        Some(self.table.end().unwrap_or_else(capped))
    }

    fn play(&mut self, ply: G::Ply, players: &mut Pair<'_, G>) {
        if self.plies > 0 {
            self.moves.push(' ');
        }
        let coordinates = self.table.game().coordinates(ply);
        self.moves.push_str(&coordinates);
        for player in players {
            player.see(&self.table, ply, &coordinates);
        }
        self.table.play(ply);
        self.plies += 1;
    }
}

/// A game that is not played, because one of its players was withdrawn.
#[must_use]
pub fn forfeited(withdrawn: BySide<bool>, reports: &[Datum]) -> Played {
    let withdrawn = withdrawn.into_array();
    let (outcome, by) = match withdrawn {
        [true, false] => (Outcome::Win(Side::Black), Side::White),
        [false, true] => (Outcome::Win(Side::White), Side::Black),
        _ => (Outcome::Draw, Side::White),
    };
    let why = match withdrawn {
        [true, true] => "neither player takes part any more",
        _ => "it takes no further part in the run, and the game was not played",
    };
    Played {
        fen: None,
        book: 0,
        moves: String::new(),
        plies: 0,
        end: End {
            outcome,
            cause: Cause::Withdrawn,
        },
        thoughts: PlyData::of(reports),
        fault: Some(Blame {
            by: by.into(),
            why: why.into(),
        }),
    }
}
