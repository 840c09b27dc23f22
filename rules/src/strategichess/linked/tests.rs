//! Linked boards, counted by hand.

use super::*;

fn plies(linked: &Linked) -> usize {
    let mut count = 0;
    (0..linked.boards()).for_each(|board| linked.for_each_legal(board, |_| count += 1));
    count
}

/// Three boards have three times the 97 first moves of one (the rulings page: 291).
#[test]
fn every_board_has_its_first_moves() {
    for edition in [Edition::Of2003, Edition::Of2025] {
        for boards in [1, 2, 3, 8, 27, 200] {
            assert_eq!(plies(&Linked::start(boards, edition)), 97 * boards);
        }
    }
}
