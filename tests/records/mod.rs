//! Random legal games of every kind, as records.

use crate::chance::Chance;
use overboard_formats::{
    limits::Limits,
    parse::{Event, Open, Parser},
};
use overboard_games::{
    coordinates::Line,
    overchess::{self, Due, Over, Ply},
    registry::{AnyGame, Variant},
};
use overboard_referee::game::{notation::Notation as _, play::Play as _};
use overboard_rules::{
    game::{Game as _, Happening},
    outcome::Outcome,
    square::Side,
};
use std::ops::{ControlFlow, Range};

/// Boards near mate, and few enough of them for complete games.
pub const NEAR_ENDS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 - {A1: 7k/8/6K1/8/8/8/8/R7 w - - 0 1; A8: 7k/8/6K1/8/8/8/8/R7 w - - 0 1; E1: r7/8/8/8/8/6k1/8/7K b - - 0 1; E8: 7k/5Q2/8/6K1/8/8/8/8 w - - 0 1; H1: r7/8/8/8/8/6k1/8/7K b - - 0 1; H8: 7k/8/8/8/8/1q6/8/K7 b - - 0 1}";

/// What is agreed before a game, and its starting position.
#[derive(Clone, Debug)]
pub struct Agreed {
    pub game: Variant,
    pub boards: u16,
    pub level: Option<u8>,
    pub rules: String,
    pub fen: Option<&'static str>,
}

/// An act of a game in coordinates.
#[derive(Clone)]
pub struct Act {
    pub word: String,
    /// The position that it was made in.
    pub before: AnyGame,
    /// Whether it is written as a ply, or as an item of a turn, and not in a block or not at all.
    pub is_ply: bool,
}

/// A game that was played.
pub struct Played {
    pub acts: Vec<Act>,
    pub last: AnyGame,
    pub text: String,
}

impl Played {
    /// The indices of the acts that are written as plies.
    pub fn plies(&self) -> Vec<usize> {
        let all = 0..self.acts.len();
        all.filter(|nth| self.acts[*nth].is_ply).collect()
    }
}

impl Agreed {
    pub fn on(game: Variant, boards: u16, level: Option<u8>, rules: &str) -> Self {
        Self {
            game,
            boards,
            level,
            rules: rules.into(),
            fen: None,
        }
    }

    pub fn from(self, fen: &'static str) -> Self {
        Self {
            fen: Some(fen),
            ..self
        }
    }

    fn array(&self) -> AnyGame {
        AnyGame::agreed(self.game, self.boards, self.level, &self.rules).unwrap()
    }

    /// The starting position of the game.
    pub fn first(&self) -> AnyGame {
        let array = self.array();
        match self.fen {
            Some(fen) => {
                array
                    .read_under(fen, &self.rules)
                    .unwrap_or_else(|why| panic!("{fen}: {why}"))
                    .position
            }
            None => array,
        }
    }

    /// Plays this number of random plies, and more where a record cannot stop. The record ends with the result reached.
    pub fn play(&self, plies: usize, chance: &mut Chance) -> Played {
        let (mut game, mut acts) = (self.first(), Vec::new());
        let start = self.fen.map_or(String::new(), |fen| format!("{fen}\t"));
        loop {
            let is_stuck = !self.play_one(&mut game, &mut acts, chance);
            let is_over = is_stuck || game.end_by_itself().is_some();
            // A turn of many moves is recorded as a whole, and so are the consequences of a sub-game: an unwritten part
            // of them can end the game.
            let is_whole = match &game {
                AnyGame::Mega(mega) => mega.is_between_turns(),
                AnyGame::Over(over) => over.may_stop(),
                _ => true,
            };
            if !is_over && (acts.len() < plies || !is_whole) {
                continue;
            }
            let words: Vec<_> = acts.iter().map(|act| act.word.as_str()).collect();
            let line = start.clone() + &words.join(" ");
            let line = Line::read_under(&line, self.game, &self.array(), &self.rules)
                .unwrap_or_else(|why| panic!("{why}: {line}"));
            let result = game
                .end_by_itself()
                .map_or("*", |ruling| ruling.outcome.as_str());
            let mut text = String::new();
            line.write_record(result, &mut text).unwrap();
            return Played {
                acts,
                last: game,
                text,
            };
        }
    }

    /// Plays a ply; returns whether there was one.
    fn play_one(&self, game: &mut AnyGame, acts: &mut Vec<Act>, chance: &mut Chance) -> bool {
        let Some(word) = chosen(game, chance) else {
            return false;
        };
        let ply = game.by_coordinates(&word).unwrap();
        let before = game.clone();
        game.play(ply);
        let is_ply = self.game != Variant::Over || is_a_move(&word);
        acts.push(Act {
            word,
            before,
            is_ply,
        });
        if let AnyGame::Over(over) = game
            && let Some(word) = give_up(over, chance)
        {
            let before = game.clone();
            let AnyGame::Over(over) = game else {
                unreachable!()
            };
            let (path, outcome) = (over.path(), outcome(word.rsplit('.').next().unwrap()));
            over.happen(path, Happening::Ended(outcome)).unwrap();
            acts.push(Act {
                word,
                before,
                is_ply: false,
            });
        }
        true
    }
}

fn outcome(result: &str) -> Outcome {
    let all = [
        Outcome::Win(Side::White),
        Outcome::Win(Side::Black),
        Outcome::Draw,
    ];
    all.into_iter()
        .find(|outcome| outcome.as_str() == result)
        .unwrap()
}

/// A random ply: in Overchess, attacks are chosen more often than others.
fn chosen(game: &AnyGame, chance: &mut Chance) -> Option<String> {
    match game {
        AnyGame::Mega(mega) => mega
            .any(&mut |limit| chance.below(limit))
            .map(|ply| mega.coordinates(ply).to_string()),
        AnyGame::Over(over) => {
            let mut plies = Vec::new();
            let _ = over.legal(|ply| {
                plies.push(ply);
                ControlFlow::Continue(())
            });
            let attacks = |ply: &Ply| matches!(ply, Ply::Over(m) if over.current().attacks(*m));
            let attacks: Vec<_> = plies.iter().copied().filter(attacks).collect();
            let from = if attacks.is_empty() || chance.below(3) == 0 {
                &plies
            } else {
                &attacks
            };
            chance
                .pick(from)
                .map(|ply| over.coordinates(ply).to_string())
        }
        _ => {
            let mut plies = Vec::new();
            let _ = game.legal(|ply| {
                plies.push(ply);
                ControlFlow::Continue(())
            });
            chance
                .pick(&plies)
                .map(|ply| game.coordinates(ply).to_string())
        }
    }
}

/// Occasionally, a result that ends the current sub-game.
fn give_up(over: &Over, chance: &mut Chance) -> Option<String> {
    let path = over.path();
    let level = path.len().saturating_sub(1);
    let may = matches!(over.due(), Due::Sub(_))
        && !path.is_empty()
        && over.sub_game_of(level) == Some(path);
    let result = chance
        .pick(&["1-0", "0-1", "1/2-1/2"])
        .filter(|_| may && chance.below(14) == 0)?;
    Some(format!("{}.{result}", overchess::said(&path)))
}

/// Whether an act of Overchess in coordinates is a move, on any board.
fn is_a_move(word: &str) -> bool {
    let own = word
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .split(' ')
        .next()
        .unwrap_or_default();
    own.starts_with(|c: char| c.is_ascii_lowercase())
        && own.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

/// The place of an act in a record.
#[derive(Clone, Debug)]
pub struct ActPlace {
    /// Its bytes.
    pub at: Range<usize>,
    /// The bytes at which the brackets around it open, the outermost first.
    pub inside: Vec<usize>,
    /// Whether it is an item of a turn.
    pub in_turn: bool,
}

/// The result of a block.
#[derive(Clone, Debug)]
pub struct BlockResult {
    pub place: ActPlace,
    /// The number of plies and items before it.
    pub plies: usize,
}

/// The plies of a record and the items of its turns, in their order; the results of its blocks.
pub fn places(text: &str) -> (Vec<ActPlace>, Vec<BlockResult>) {
    let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
    let (mut places, mut open): (Vec<ActPlace>, Vec<(usize, bool)>) = (Vec::new(), Vec::new());
    let mut results = Vec::new();
    loop {
        let event = parser.next().unwrap();
        let span = parser.place().span;
        let at = span.from as usize..span.to as usize;
        let in_turn = open.last().is_some_and(|(_, is_turn)| *is_turn);
        match event {
            Event::Done => return (places, results),
            Event::TurnOpen => open.push((at.start, true)),
            // The square and the verb follow the bracket.
            Event::SubgameOpen | Event::ActionOpen(_) => {
                open.push((text[..at.start].rfind('<').unwrap(), false));
            }
            Event::BlockClose(Open::Turn | Open::Subgame | Open::Action) => drop(open.pop()),
            Event::Ply => {
                places.push(ActPlace {
                    at,
                    inside: open.iter().map(|(from, _)| *from).collect(),
                    in_turn,
                });
            }
            Event::Result if in_turn => {
                places.push(ActPlace {
                    at,
                    inside: open.iter().map(|(from, _)| *from).collect(),
                    in_turn,
                });
            }
            Event::Result if !open.is_empty() => {
                let place = ActPlace {
                    at,
                    inside: open.iter().map(|(from, _)| *from).collect(),
                    in_turn,
                };
                results.push(BlockResult {
                    place,
                    plies: places.len(),
                });
            }
            _ => {}
        }
    }
}
