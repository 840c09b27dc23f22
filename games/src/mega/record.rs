//! Mega as records and lines of coordinates hold it.

use crate::mega::{self, Effects, Mega};
use overboard_rules::game::Step;

use crate::recorded::{Movetext, Recorded};

impl Recorded for Mega {
    type Movetext = Turns;

    fn at(&self, coordinates: &str) -> Option<Step<Self>> {
        mega::at(self, coordinates).map(Step::Ply)
    }

    fn level(&self) -> Option<u8> {
        Some(Self::level(self))
    }
}

/// Turns with their numbers.
#[derive(Default, Debug)]
pub struct Turns(mega::Movetext);

impl Movetext<Mega> for Turns {
    fn take(&mut self, step: &Step<Mega>, before: &Mega, _: &Mega, brought: &Effects) {
        if let Step::Ply(ply) = step {
            self.0.take(before, ply, brought);
        }
    }

    fn finish(self, _: &Mega) -> Result<String, &'static str> {
        Ok(self.0.finish())
    }
}
