//! Linked boards in records and lines of coordinates.

use crate::{
    side_by_side::{LinkedBoard, Plies, record},
    strategichess::linked::Linked,
};
use overboard_formats::san::{LINKED, board_index};
use overboard_referee::game::record::Record;
use overboard_rules::{
    game::Step,
    ply::{Arrival, StandingAct},
};

impl Record for Linked {
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

    /// `e4e9`, and `e4e9/B` for one that arrives on another board.
    fn standing_act(&self, at: Option<LinkedBoard>, words: &[u8]) -> Option<StandingAct> {
        let Some(slash) = words.iter().position(|byte| *byte == b'/') else {
            return LINKED.standing_act(words);
        };
        let (from, to) = LINKED.two_squares(&words[..slash])?;
        let board = board_index(&words[slash + 1..])?;
        let arrival = if at == Some(LinkedBoard::One(board)) {
            Arrival::Here
        } else {
            Arrival::Beside(board)
        };
        Some(StandingAct::Moved {
            from,
            to,
            arrival,
            promotion: None,
        })
    }
}
