//! Baku acceleration (C.04.7): virtual points for the first half of the field.

use crate::points::Points;

/// The virtual points of each round, from round 1, of the team at a place from 0 in the order of numbers;
/// rounds after the last one named have none. `win` and `draw` are the match points of a won and a drawn
/// match.
///
/// The first group is the first half of the teams, rounded up to an even number. The first half of the
/// rounds, rounded up, is accelerated: the first half of those, rounded up, with a win's points, the
/// others with a draw's.
#[must_use]
pub fn baku(place: usize, teams: usize, rounds: u16, win: Points, draw: Points) -> Vec<Points> {
    if place >= 2 * teams.div_ceil(4) {
        return Vec::new();
    }
    let accelerated = usize::from(rounds).div_ceil(2);
    let full = accelerated.div_ceil(2);
    (0..accelerated).map(|round| if round < full { win } else { draw }).collect()
}
