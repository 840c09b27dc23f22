//! Sorts an order by move number, as far as that leaves it equivalent.

use super::{Clock, Made, Plan, PlyAt, next_at};
use overboard_games::strategichess::linked::Linked;
use overboard_rules::{game::Game as _, square::Side};
use std::collections::BTreeSet;

impl Plan<'_> {
    /// The same order as far as it matters, with the earliest moves first.
    pub fn earliest_first(&self, first: &Linked, order: Vec<usize>) -> Vec<usize> {
        let (Some(places), Some((barriers, end))) =
            (self.places(&order), self.barriers(first, &order))
        else {
            return order;
        };
        let mut made = self.none_made();
        let mut sorted = Vec::with_capacity(order.len());
        let number = |made: &Made, board: usize| {
            let next = self.next(made, board)?;
            Some((next.number, next.side == Side::Black, board))
        };
        let mut due = BTreeSet::new();
        for board in 0..made.len() {
            due.extend(number(&made, board));
        }
        for part in barriers.windows(2) {
            let mut left = part[1] - part[0];
            while left > 0 {
                let clock = self.clock(&made);
                let is_next = |board: usize| {
                    places[board][made[board] as usize] < part[1]
                        && self.waits_for(&made, &clock, board).is_none()
                        && !self.touches_earlier(&made, board, &places)
                };
                let Some(next) = due.iter().find(|(.., board)| is_next(*board)).copied() else {
                    return order;
                };
                let (.., board) = next;
                due.remove(&next);
                made[board] += 1;
                due.extend(number(&made, board));
                sorted.push(board);
                left -= 1;
            }
        }
        match self.replayed(first, &sorted) {
            Some(position) if position.is_same(&end, false) => sorted,
            _ => order,
        }
    }

    /// Whether the next ply of a board touches one to come that is before it in an order.
    fn touches_earlier(&self, made: &Made, board: usize, places: &[Vec<usize>]) -> bool {
        let ply = next_at(made, board);
        let made = |board: usize| made[board] as usize;
        let place = places[board][ply.at];
        for other in self.touch.touched(ply, made) {
            for (then, there) in places[other].iter().enumerate().skip(made(other)) {
                if *there >= place {
                    break;
                }
                let beside = PlyAt {
                    board: other,
                    at: then,
                };
                if self.touch.touch(ply, beside) {
                    return true;
                }
            }
        }
        false
    }

    /// Which place each ply of each board has in an order that holds all of them.
    pub fn places(&self, order: &[usize]) -> Option<Vec<Vec<usize>>> {
        let mut places: Vec<Vec<usize>> = vec![Vec::new(); self.sheets.len()];
        for (place, board) in order.iter().enumerate() {
            places[*board].push(place);
        }
        for (places, sheet) in places.iter().zip(self.sheets) {
            if places.len() != sheet.entries.len() {
                return None;
            }
        }
        Some(places)
    }

    /// The places in an order that plies must not be moved across, from its beginning to its end, and the position that it
    /// leads to.
    fn barriers(&self, first: &Linked, order: &[usize]) -> Option<(Vec<usize>, Linked)> {
        let mut made = self.none_made();
        let mut position = first.clone();
        let mut barriers = vec![0];
        for (place, board) in order.iter().enumerate() {
            let clock = Clock::default();
            let after = position.after(self.meant(&made, &position, *board)?);
            let is_quiet = !self.counts
                && self.keeps(&position, &after)
                && self.is_quiet(&made, &clock, &position, *board);
            if !is_quiet {
                barriers.extend([place, place + 1]);
            }
            made[*board] += 1;
            position = after;
        }
        barriers.push(order.len());
        barriers.dedup();
        Some((barriers, position))
    }

    fn replayed(&self, first: &Linked, order: &[usize]) -> Option<Linked> {
        let mut made = self.none_made();
        let mut position = first.clone();
        for board in order {
            position.play(self.meant(&made, &position, *board)?);
            made[*board] += 1;
        }
        Some(position)
    }
}
