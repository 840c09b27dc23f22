//! Evaluation of Bughouse. In self-play the boards take turns, one ply each, board A first.
//!
//! Over the board both are played at the same time, each at its own pace; here both have the same pace. A player who has no
//! legal ply waits until the partner has captured something that helps.

use super::{BOARDS, Bughouse, LinkedBoard, Options, laws as law, team};
use crate::{crazyhouse::Crazyhouse, one_board::play::BoardValues as _};
use overboard_referee::game::play::{ClaimedEnd, Play, Tags, admits_listed};
use overboard_rules::{
    outcome::{Cause, Outcome},
    position::Movegen as _,
    square::Side,
};

impl Bughouse {
    /// The sum of a value of both boards for a team; `value` is for the side to move on a board.
    fn sum(&self, side: Side, value: impl Fn(&Crazyhouse) -> i32) -> i32 {
        let of = |board: usize| {
            let here = &self.boards[board];
            let is_own = team(board, here.turn()) == side;
            if is_own { value(here) } else { -value(here) }
        };
        (0..BOARDS).map(of).sum()
    }
}

impl Play for Bughouse {
    fn agreed(tags: Tags<'_>) -> Options {
        Options::of(tags.rules)
    }

    fn admits(rules: &str) -> Result<(), String> {
        admits_listed(&super::INFO, rules)
    }

    /// The next board that has a legal ply.
    fn next_board(&self, last: Option<LinkedBoard>) -> Option<LinkedBoard> {
        let order = if last == Some(LinkedBoard::One(0)) {
            [1, 0]
        } else {
            [0, 1]
        };
        let mut order = order.into_iter();
        order
            .find(|board| !self.is_over() && self.has_ply(*board))
            .map(LinkedBoard::of)
    }

    /// What a team has on both boards and in their pockets.
    fn material(&self, side: Side) -> i32 {
        self.sum(side, Crazyhouse::material)
    }

    fn evaluate(&self, side: Side) -> i32 {
        self.sum(side, Crazyhouse::evaluate)
    }

    fn long_game(_: &Options) -> u32 {
        4_000
    }

    fn claimed_end(&self, _: LinkedBoard) -> ClaimedEnd {
        ClaimedEnd {
            outcome: Outcome::Draw,
            cause: Cause::FiftyMoveClaim,
            moves: format!("{} has no such claim", law::MATCH_END.id),
        }
    }
}
