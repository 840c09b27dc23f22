//! A game as records and lines of coordinates hold it.

use crate::{game_notation::GameNotation, notation::Notation};
use overboard_formats::san::Spelt;
use overboard_rules::{
    game::{Game, OneBoard, Step},
    square::Side,
};
use std::fmt::Write;

/// A game under way that is told as it is played: what its lines of coordinates mean, and the movetext that they make.
pub trait Recorded: GameNotation {
    /// The movetext of a record as it is made.
    type Movetext: Movetext<Self>;

    /// How many words follow the one that begins a ply, behind which `next` stands.
    fn words_behind(_word: &str, _next: Option<&str>) -> usize {
        0
    }

    /// What these coordinates mean here; `None` where that is not legal.
    fn at(&self, coordinates: &str) -> Option<Step<Self>>;

    /// The same, with the number of legal plies that there are, `None` where 64 bits do not hold it.
    fn at_among(&self, coordinates: &str) -> (Option<Step<Self>>, Option<u64>) {
        let count = self.count_legal();
        (self.at(coordinates), Some(count).filter(|count| *count < u64::MAX))
    }

    /// Whether a referee counts a step made here among the plies of the main line.
    fn is_counted(&self, _step: &Step<Self>) -> bool {
        true
    }

    /// Whether games are played inside it that have moments of their own.
    const HAS_MOMENTS: bool = false;
    /// Shows the moments of a game that went on from here as a line of coordinates tells, those of games inside it too:
    /// each as it is asked for, with its position. None where there are no others than those behind its plies.
    fn for_each_moment(&self, _deeds: &str, _visit: &mut dyn FnMut(&str, &str)) {}

    /// The level, in a game that has levels.
    fn level(&self) -> Option<u8> {
        None
    }
}

/// The movetext of a record as it is made, without the result.
pub trait Movetext<G: Game>: Default {
    /// Takes what was done, the positions before and after it, and what it has brought about.
    fn take(&mut self, step: &Step<G>, before: &G, after: &G, brought: &G::Effects);
    /// The movetext of a game that has got here; its form need not be the canonical one.
    ///
    /// # Errors
    /// What the game stops in the middle of, where no record holds it.
    fn finish(self, last: &G) -> Result<String, &'static str>;
}

impl<P: Notation> Recorded for OneBoard<P> {
    type Movetext = Moves;

    fn at(&self, coordinates: &str) -> Option<Step<Self>> {
        self.0.at(coordinates).map(Step::Ply)
    }

    fn at_among(&self, coordinates: &str) -> (Option<Step<Self>>, Option<u64>) {
        let (mut found, mut count) = (None, 0);
        self.0.for_each_legal(|m| {
            count += 1;
            if found.is_none() && self.0.coordinates(m).eq_ignore_ascii_case(coordinates) {
                found = Some(Step::Ply(m));
            }
        });
        (found, Some(count))
    }
}

/// Numbered moves, one a line.
#[derive(Default, Debug)]
pub struct Moves(String);

impl<P: Notation> Movetext<OneBoard<P>> for Moves {
    fn take(
        &mut self,
        step: &Step<OneBoard<P>>,
        OneBoard(before): &OneBoard<P>,
        OneBoard(after): &OneBoard<P>,
        (): &(),
    ) {
        let Step::Ply(m) = *step else { return };
        // Memory can be written.
        let _ = match before.turn() {
            Side::White => write!(self.0, "{}. ", before.fullmove()),
            Side::Black if self.0.is_empty() => write!(self.0, "{}... ", before.fullmove()),
            Side::Black => Ok(()),
        };
        let _ = writeln!(self.0, "{}{}", Spelt(before.written(m)).text(), after.suffix().as_str());
    }

    fn finish(self, _: &OneBoard<P>) -> Result<String, &'static str> {
        Ok(self.0)
    }
}
