//! Over as records and lines of coordinates hold it.

use crate::{
    coordinates::overs::{self, words_behind},
    overchess::{Effects, Over, Ply},
};
use overboard_rules::game::Step;

use crate::recorded::{Movetext, Recorded};

impl Recorded for Over {
    type Movetext = Acts;

    fn words_behind(word: &str, next: Option<&str>) -> usize {
        words_behind(word, next)
    }

    /// Also a result that ends a sub-game.
    fn at(&self, coordinates: &str) -> Option<Step<Self>> {
        overs::read(self, coordinates)
    }

    const HAS_MOMENTS: bool = true;

    fn for_each_moment(&self, deeds: &str, visit: &mut dyn FnMut(&str, &str)) {
        let visit = |at: &str, fen: &str| -> Result<(), std::convert::Infallible> {
            visit(at, fen);
            Ok(())
        };
        let _ = overs::for_each_moment(self, deeds, visit);
    }

    /// Over-moves and consolidations of the outermost game.
    fn is_counted(&self, step: &Step<Self>) -> bool {
        matches!(step, Step::Ply(Ply::Over(_) | Ply::Consolidate(_))) && self.open() == 1
    }
}

/// Over-moves with their numbers and sub-games.
#[derive(Default, Debug)]
pub struct Acts(overs::Movetext);

impl Movetext<Over> for Acts {
    fn take(&mut self, step: &Step<Over>, before: &Over, after: &Over, brought: &Effects) {
        self.0.take(step, before, after, brought);
    }

    fn finish(self, last: &Over) -> Result<String, &'static str> {
        self.0.finish(last)
    }
}
