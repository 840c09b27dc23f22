//! Where the games of a round start: always told by the number of the round.

use crate::{
    chance::{Chance, Purpose},
    contest::{Flat, Table},
    manifest::Source,
};
use overboard_formats::notation::Unusable;
use overboard_rules::position::Position;
use std::{collections::HashSet, sync::Arc};

/// How often a round draws anew when its opening was there before.
const DRAWS: usize = 64;

/// How a game starts.
#[derive(Debug)]
pub struct Opening<P: Position> {
    /// FEN of the position it starts from, where that is not the game's first.
    pub fen: Option<String>,
    /// That position.
    pub start: P,
    /// The plies played before the players begin.
    pub plies: Vec<P::Move>,
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
pub struct Openings<P: Position> {
    seed: u64,
    next: u64,
    last: Option<Arc<Opening<P>>>,
    kind: Kind<P>,
}

enum Kind<P> {
    Random { plies: u32, taken: HashSet<u64> },
    Listed(Vec<P>),
}

impl<P: Flat> Openings<P> {
    /// The openings of a manifest; `text` is its file of positions, where it has one.
    ///
    /// # Errors
    /// Positions that cannot be used, or are not those of the manifest.
    pub fn new(source: &Source, text: &str, seed: u64) -> Result<Self, BadOpenings> {
        let kind = match source {
            Source::RandomPlies(plies) => Kind::Random { plies: *plies, taken: HashSet::new() },
            Source::Positions { hash: known, .. } => {
                let lines = lines(text);
                if hash(&lines) != *known {
                    return Err(BadOpenings::Foreign);
                }
                let mut listed = Self::read(&lines)?;
                Chance::of(seed, Purpose::Shuffle).shuffle(&mut listed);
                Kind::Listed(listed)
            }
        };
        Ok(Self { seed, next: 0, last: None, kind })
    }

    /// The positions of a file.
    ///
    /// # Errors
    /// The first line that cannot be used.
    pub fn read(lines: &[(usize, &str)]) -> Result<Vec<P>, BadOpenings> {
        let read = |(line, text): &(usize, &str)| {
            let (position, _) = P::read(text).map_err(|why| BadOpenings::Position { line: *line, why })?;
            let is_over = position.ending().is_some();
            if is_over { Err(BadOpenings::Over { line: *line }) } else { Ok(position) }
        };
        lines.iter().map(read).collect()
    }

    /// The opening of a round; rounds are asked for in their order.
    ///
    /// # Errors
    /// When no random opening of the length asked for goes on.
    pub fn of(&mut self, round: u64) -> Result<Arc<Opening<P>>, BadOpenings> {
        while self.next <= round {
            self.last = Some(Arc::new(self.draw(self.next)?));
            self.next += 1;
        }
        match &self.last {
            Some(opening) => Ok(Arc::clone(opening)),
            None => Err(BadOpenings::Foreign),
        }
    }

    fn draw(&mut self, round: u64) -> Result<Opening<P>, BadOpenings> {
        match &mut self.kind {
            Kind::Listed(positions) => {
                let start = positions[(round % positions.len() as u64) as usize].clone();
                let is_first = start.fen() == P::default().fen();
                let fen = (!is_first).then(|| start.fen());
                Ok(Opening { fen, start, plies: Vec::new() })
            }
            Kind::Random { plies: 0, .. } => {
                Ok(Opening { fen: None, start: P::default(), plies: Vec::new() })
            }
            Kind::Random { plies, taken } => {
                let mut chance = Chance::of(self.seed, Purpose::Opening { round });
                let mut found = None;
                for _ in 0..DRAWS {
                    let Some((position, line)) = wander::<P>(*plies, &mut chance) else { continue };
                    let is_new = taken.insert(position.repetition_key());
                    found = Some(line);
                    if is_new {
                        break;
                    }
                }
                let plies = found.ok_or(BadOpenings::TooLong(*plies))?;
                Ok(Opening { fen: None, start: P::default(), plies })
            }
        }
    }
}

/// So many random plies from the first position; `None` when the game is over behind them.
fn wander<P: Flat>(plies: u32, chance: &mut Chance) -> Option<(P, Vec<P::Move>)> {
    use crate::contest::Contest;
    let mut table = Table::from(P::default());
    let mut line = Vec::new();
    for _ in 0..plies {
        let m = chance.pick(table.plies())?;
        table.play(m);
        line.push(m);
    }
    table.end().is_none().then(|| (table.position().clone(), line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use overboard_formats::notation::Notation;
    use overboard_rules::{chess::Chess, olympic::Olympic};

    #[test]
    fn no_two_rounds_have_one_random_opening() {
        let mut openings = Openings::<Olympic>::new(&Source::RandomPlies(6), "", 3).unwrap();
        let mut seen = HashSet::new();
        for round in 0..2000 {
            let opening = openings.of(round).unwrap();
            let end = opening.plies.iter().fold(opening.start.clone(), |position, m| position.after(*m));
            assert!(end.ending().is_none());
            assert!(seen.insert(end.repetition_key()));
        }
    }

    #[test]
    fn an_opening_is_told_by_its_round_alone() {
        let source = Source::RandomPlies(5);
        let mut one = Openings::<Chess>::new(&source, "", 9).unwrap();
        let mut other = Openings::<Chess>::new(&source, "", 9).unwrap();
        let last = (0..50).map(|round| one.of(round).unwrap().plies.clone()).last();
        assert_eq!(Some(other.of(49).unwrap().plies.clone()), last);
    }

    #[test]
    fn positions_of_a_file_all_come_before_any_comes_again() {
        let text = "# two\n8/8/4k3/8/8/3K4/4P3/8 w - - 0 1\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
        let lines = lines(text);
        let source = Source::Positions { file: "x".into(), count: 2, hash: hash(&lines) };
        let mut openings = Openings::<Chess>::new(&source, text, 4).unwrap();
        let fens: Vec<_> = (0..4).map(|round| openings.of(round).unwrap().start.fen()).collect();
        assert!(fens[0] != fens[1] && fens[..2] == fens[2..]);
        assert!(matches!(Openings::<Chess>::new(&source, "", 4), Err(BadOpenings::Foreign)));
        let over = [(7, "7k/5Q2/5K2/8/8/8/8/8 b - - 0 1")];
        assert_eq!(
            Openings::<Chess>::read(&over).unwrap_err().to_string(),
            "line 7: the game is over in this position"
        );
    }
}
