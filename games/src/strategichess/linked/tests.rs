//! Linked boards, counted by hand.

use super::*;
use crate::registry::{AnyGame, Variant};
use overboard_rules::game::{Game, Happening};

/// Three boards have three times the 97 first moves of one (the rulings page: 291).
#[test]
fn every_board_has_its_first_moves() {
    for edition in [Edition::Of2003, Edition::Of2025] {
        for boards in [1, 2, 3, 8, 27, 200] {
            assert_eq!(
                Linked::first(boards, edition).count_legal(),
                97 * boards as u64
            );
        }
    }
}

/// A position that is read keeps what the rules say about flags, as the first one does.
#[test]
fn a_flag_ends_play_on_all_boards_from_any_position() {
    let fen = fen(&Linked::first(2, Edition::Of2003));
    for (rules, ends) in [("flag=end", true), ("", false)] {
        let read = AnyGame::start_under(Variant::Strategi, rules)
            .unwrap()
            .read_under(&fen, rules)
            .unwrap();
        let AnyGame::Linked(mut linked) = read.position else {
            panic!("{fen}")
        };
        linked
            .happen(LinkedBoard::of(0), Happening::Flag(Side::Black))
            .unwrap();
        assert_eq!(linked.end_by_itself().is_some(), ends, "{rules}");
    }
}
