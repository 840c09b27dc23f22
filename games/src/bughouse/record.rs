//! Bughouse in records and lines of coordinates.

use super::{Bughouse, LinkedBoard};
use crate::side_by_side::{Plies, record};
use overboard_formats::san::CRAZYHOUSE;
use overboard_referee::game::record::Record;
use overboard_rules::{game::Step, ply::StandingAct};

impl Record for Bughouse {
    type Movetext = Plies;

    /// `flag W:A`.
    fn words_after(word: &str, _: Option<&str>) -> usize {
        usize::from(word == "flag")
    }

    fn at(&self, coordinates: &str) -> Option<Step<Self>> {
        record::at(self, coordinates)
    }

    fn is_counted(&self, step: &Step<Self>) -> bool {
        matches!(step, Step::Ply(_))
    }

    fn in_line(&self, step: &Step<Self>) -> String {
        record::in_line(self, step)
    }

    fn board_named(&self, name: &str) -> Option<LinkedBoard> {
        record::board_named(self, name)
    }

    fn standing_act(&self, _: Option<LinkedBoard>, words: &[u8]) -> Option<StandingAct> {
        CRAZYHOUSE.standing_act(words)
    }
}
