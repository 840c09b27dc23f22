//! Overchess in records and lines of coordinates.

use crate::{
    coordinates::overchess_lines::{self, words_after},
    overchess::{self, Effects, Over, Ply},
};
use overboard_formats::san::CHESS;
use overboard_pictures::diagram::Panel;
use overboard_referee::game::record::{Beside, Movetext, Record, Seen};
use overboard_rules::{game::Step, path::BoardPath, ply::StandingAct};

impl Record for Over {
    type Movetext = Acts;

    fn words_after(word: &str, next: Option<&str>) -> usize {
        words_after(word, next)
    }

    /// Also accepts a result that ends a sub-game.
    fn at(&self, coordinates: &str) -> Option<Step<Self>> {
        overchess_lines::read(self, coordinates)
    }

    fn in_line(&self, step: &Step<Self>) -> String {
        overchess_lines::text(self, step)
    }

    fn seen(&self, step: &Step<Self>, after: &Self) -> Option<Seen<BoardPath>> {
        overchess_lines::seen(self, step, after)
    }

    fn left(&self, step: &Step<Self>, after: &Self) -> Option<Panel> {
        overchess_lines::left(self, step, after)
    }

    fn beside(
        &self,
        step: &Step<Self>,
        after: &Self,
        brought: &Effects,
        visit: &mut dyn FnMut(Beside<BoardPath>),
    ) {
        overchess_lines::beside(self, step, after, brought, visit);
    }

    fn board_named(&self, name: &str) -> Option<BoardPath> {
        let mut steps = name.split('.').filter(|step| !step.is_empty());
        steps.try_fold(BoardPath::OUTERMOST, |path, step| {
            Some(path.on(overchess::square_named(step)?))
        })
    }

    fn standing_act(&self, _: Option<BoardPath>, words: &[u8]) -> Option<StandingAct> {
        CHESS.standing_act(words)
    }

    const HAS_MOMENTS: bool = true;

    /// Over-moves and consolidations of the outermost game are counted.
    fn is_counted(&self, step: &Step<Self>) -> bool {
        matches!(step, Step::Ply(Ply::Over(_) | Ply::Consolidate(_))) && self.open() == 1
    }
}

/// Over-moves with their numbers and sub-games.
#[derive(Clone, Default, Debug)]
pub struct Acts(overchess_lines::Movetext);

impl Movetext<Over> for Acts {
    fn take(
        &mut self,
        step: &Step<Over>,
        before: &Over,
        after: &Over,
        brought: &Effects,
        remarks: &str,
    ) {
        self.0.take(step, before, after, brought, remarks);
    }

    fn leave_out(&mut self, step: &Step<Over>, before: &Over, after: &Over, brought: &Effects) {
        if self.0.can_leave_out(step) {
            self.0.pass_over(step, before);
        } else {
            self.0.take(step, before, after, brought, "");
        }
    }

    fn open(&mut self, said: &str) {
        self.0.open_with(said);
    }

    fn close(&mut self, remarks: &str, ended: Option<(&str, &str)>) {
        if let Some((game, recorded)) = ended {
            self.0.record_result(game, recorded);
        }
        self.0.say(remarks);
    }

    fn finish(self, last: &Over) -> String {
        self.0.finish(last)
    }

    fn until(self, last: &Over, name: &str) -> (String, Option<String>) {
        let at = last.board_named(name).unwrap_or(BoardPath::OUTERMOST);
        let (text, open) = self.0.until(last, at);
        (text, Some(overchess::said(&open)))
    }
}
