use super::*;
use crate::perft::perft;

#[test]
fn lines_from_the_array_are_counted() {
    let start = Meta::default();
    assert_eq!([1, 2, 3].map(|depth| perft(&start, depth))[..2], [39, 1_519]);
}
