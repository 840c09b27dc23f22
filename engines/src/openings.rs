//! Where the games of a round start: always told by the number of the round.

use crate::{
    chance::{Chance, Purpose},
    manifest::Source,
    table::Table,
};
use overboard_games::{notation::Unusable, playable::Playable};
use std::{collections::HashSet, sync::Arc};

/// How often a round draws anew when its opening was there before.
const DRAWS: usize = 64;

/// How a game starts.
pub struct Opening<G: Playable> {
    /// FEN of the position it starts from, where that is not the game's first.
    pub fen: Option<String>,
    /// That position.
    pub start: Table<G>,
    /// The plies played before the players begin.
    pub plies: Vec<G::Ply>,
}

/// Why a file of positions cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadOpenings {
    /// A line that is no position.
    #[error("line {line}: {why}")]
    Position {
        /// The line, from 1.
        line: usize,
        /// Why.
        why: Unusable,
    },
    /// A position in which the game is over.
    #[error("line {line}: the game is over in this position")]
    Over {
        /// The line, from 1.
        line: usize,
    },
    /// Other positions than those that the manifest was made with.
    #[error("these are not the positions that the run was planned with")]
    Foreign,
    /// No opening of the length asked for.
    #[error("no opening of {0} random plies was found in which the game goes on")]
    TooLong(u32),
}

/// Positions as a file has them: one a line; empty lines and lines that begin with `#` do not count.
#[must_use]
pub fn lines(text: &str) -> Vec<(usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect()
}

/// The hash by which a manifest knows its positions.
#[must_use]
pub fn hash(lines: &[(usize, &str)]) -> String {
    let mut hasher = blake3::Hasher::new();
    for (_, line) in lines {
        hasher.update(line.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize().to_hex()[..32].to_string()
}

/// The openings, round by round from the first.
pub struct Openings<G: Playable> {
    seed: u64,
    next: u64,
    first: Table<G>,
    last: Option<Arc<Opening<G>>>,
    stock: Stock<G>,
}

enum Stock<G: Playable> {
    Random { plies: u32, taken: HashSet<u64> },
    Listed(Vec<Table<G>>),
}

impl<G: Playable> Openings<G> {
    /// The openings of a manifest for a game that begins so; `text` is its file of positions, where it has one.
    ///
    /// # Errors
    /// Positions that cannot be used, or are not those of the manifest.
    pub fn new(first: G, source: &Source, text: &str, seed: u64) -> Result<Self, BadOpenings> {
        let stock = match source {
            Source::RandomPlies(plies) => Stock::Random { plies: *plies, taken: HashSet::new() },
            Source::Positions { hash: known, .. } => {
                let lines = lines(text);
                if hash(&lines) != *known {
                    return Err(BadOpenings::Foreign);
                }
                let mut listed = Self::read(&first, &lines)?;
                Chance::of(seed, Purpose::Shuffle).shuffle(&mut listed);
                Stock::Listed(listed)
            }
        };
        Ok(Self { seed, next: 0, first: Table::from(first), last: None, stock })
    }

    /// The positions of a file, under what was agreed for a game that begins so.
    ///
    /// # Errors
    /// The first line that cannot be used.
    pub fn read(first: &G, lines: &[(usize, &str)]) -> Result<Vec<Table<G>>, BadOpenings> {
        let options = first.options();
        let read = |(line, text): &(usize, &str)| {
            let game = G::read(&options, text).map_err(|why| BadOpenings::Position { line: *line, why })?;
            let table = Table::from(game);
            if table.end().is_some() { Err(BadOpenings::Over { line: *line }) } else { Ok(table) }
        };
        lines.iter().map(read).collect()
    }

    /// The opening of a round; rounds are asked for in their order.
    ///
    /// # Errors
    /// When no random opening of the length asked for goes on.
    pub fn of(&mut self, round: u64) -> Result<Arc<Opening<G>>, BadOpenings> {
        while self.next <= round {
            self.last = Some(Arc::new(self.draw(self.next)?));
            self.next += 1;
        }
        match &self.last {
            Some(opening) => Ok(Arc::clone(opening)),
            None => Err(BadOpenings::Foreign),
        }
    }

    fn draw(&mut self, round: u64) -> Result<Opening<G>, BadOpenings> {
        match &mut self.stock {
            Stock::Listed(positions) => {
                let start = positions[(round % positions.len() as u64) as usize].clone();
                let fen = Some(start.game().fen()).filter(|fen| *fen != self.first.game().fen());
                Ok(Opening { fen, start, plies: Vec::new() })
            }
            Stock::Random { plies: 0, .. } => {
                Ok(Opening { fen: None, start: self.first.clone(), plies: Vec::new() })
            }
            Stock::Random { plies, taken } => {
                let mut chance = Chance::of(self.seed, Purpose::Opening { round });
                let mut found = None;
                for _ in 0..DRAWS {
                    let Some((table, line)) = wander(&self.first, *plies, &mut chance) else { continue };
                    let is_new = taken.insert(table.game().opening_key());
                    found = Some(line);
                    if is_new {
                        break;
                    }
                }
                let plies = found.ok_or(BadOpenings::TooLong(*plies))?;
                Ok(Opening { fen: None, start: self.first.clone(), plies })
            }
        }
    }
}

/// So many random plies from the first position; `None` when the game is over behind them.
fn wander<G: Playable>(first: &Table<G>, plies: u32, chance: &mut Chance) -> Option<(Table<G>, Vec<G::Ply>)> {
    let mut table = first.clone();
    let mut line = Vec::new();
    for _ in 0..plies {
        let ply = table.any(chance)?;
        table.play(ply);
        line.push(ply);
    }
    table.end().is_none().then_some((table, line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use overboard_games::{chess::Chess, game_notation::GameNotation as _, olympic::Olympic};
    use overboard_rules::game::OneBoard;

    type Game = OneBoard<Chess>;

    #[test]
    fn no_two_rounds_have_one_random_opening() {
        let first = OneBoard::<Olympic>::default();
        let mut openings = Openings::new(first, &Source::RandomPlies(6), "", 3).unwrap();
        let mut seen = HashSet::new();
        for round in 0..2000 {
            let opening = openings.of(round).unwrap();
            let mut table = opening.start.clone();
            opening.plies.iter().for_each(|ply| table.play(*ply));
            assert!(table.end().is_none());
            assert!(seen.insert(table.game().opening_key()));
        }
    }

    #[test]
    fn an_opening_is_told_by_its_round_alone() {
        let source = Source::RandomPlies(5);
        let mut one = Openings::new(Game::default(), &source, "", 9).unwrap();
        let mut other = Openings::new(Game::default(), &source, "", 9).unwrap();
        let last = (0..50).map(|round| one.of(round).unwrap().plies.clone()).last();
        assert_eq!(Some(other.of(49).unwrap().plies.clone()), last);
    }

    #[test]
    fn positions_of_a_file_all_come_before_any_comes_again() {
        let text = "# two\n8/8/4k3/8/8/3K4/4P3/8 w - - 0 1\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
        let lines = lines(text);
        let source = Source::Positions { file: "x".into(), count: 2, hash: hash(&lines) };
        let mut openings = Openings::new(Game::default(), &source, text, 4).unwrap();
        let fens: Vec<_> = (0..4).map(|round| openings.of(round).unwrap().start.game().fen()).collect();
        assert!(fens[0] != fens[1] && fens[..2] == fens[2..]);
        assert!(matches!(Openings::new(Game::default(), &source, "", 4), Err(BadOpenings::Foreign)));
        let over = [(7, "7k/5Q2/5K2/8/8/8/8/8 b - - 0 1")];
        assert_eq!(
            Openings::read(&Game::default(), &over).map(drop).unwrap_err().to_string(),
            "line 7: the game is over in this position"
        );
    }
}
