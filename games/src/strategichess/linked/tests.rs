//! Linked boards, counted by hand.

use super::*;
use overboard_rules::game::Game;

/// Three boards have three times the 97 first moves of one (the rulings page: 291).
#[test]
fn every_board_has_its_first_moves() {
    for edition in [Edition::Of2003, Edition::Of2025] {
        for boards in [1, 2, 3, 8, 27, 200] {
            assert_eq!(Linked::first(boards, edition).count_legal(), 97 * boards as u64);
        }
    }
}
