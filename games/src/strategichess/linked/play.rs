//! Evaluation of `StrategiChess` on linked boards. In self-play the boards take turns, one ply each, board A first.
//!
//! Over the board, boards are played simultaneously, each at its own pace; here all have the same pace. A closed board
//! is skipped, and a player who has nothing else passes (SC-27).

use crate::{
    one_board::play::BoardValues as _,
    strategichess::{
        Strategi,
        linked::{Linked, LinkedBoard, Options},
    },
};
use overboard_referee::game::{
    notation::Notation as _,
    play::{ClaimedEnd, Play, Tags, key_of, unknown},
};
use overboard_rules::{
    outcome::{Cause, Outcome},
    square::{Role, Side},
};

/// The value of a piece, in centipawns. Kings decide boards, so a king outweighs everything else on a board.
fn worth(role: Role) -> i32 {
    match role {
        Role::King => 6000,
        role => Strategi::worth(role),
    }
}

impl Play for Linked {
    fn claimed_end(&self, _: LinkedBoard) -> ClaimedEnd {
        ClaimedEnd {
            outcome: self.adjudicate(),
            cause: Cause::KingsCounted,
            moves: String::new(),
        }
    }

    fn agreed(tags: Tags<'_>) -> Options {
        Options::of(tags.boards.into(), tags.rules)
    }

    fn admits(rules: &str) -> Result<(), String> {
        if ["", "edition=2003", "edition=2025"].contains(&rules) {
            Ok(())
        } else {
            Err(unknown(rules))
        }
    }

    /// The next board that is open.
    fn next_board(&self, last: Option<LinkedBoard>) -> Option<LinkedBoard> {
        let count = self.boards();
        let first = match last {
            Some(LinkedBoard::One(last)) => usize::from(last) + 1,
            Some(LinkedBoard::All) | None => 0,
        };
        let mut boards = (0..count).map(|step| (first + step) % count);
        boards
            .find(|board| !self.is_closed(*board))
            .map(LinkedBoard::of)
    }

    /// Includes the counters.
    fn opening_key(&self) -> u64 {
        key_of(&self.fen())
    }

    fn material(&self, side: Side) -> i32 {
        let on = |board, side| -> i32 {
            let of_role = |role| worth(role) * self.count_pieces(board, side, role) as i32;
            Role::OF_CHESS.into_iter().map(of_role).sum()
        };
        let of = |side| -> i32 { (0..self.boards()).map(|board| on(board, side)).sum() };
        of(side) - of(side.other())
    }

    /// Boards wait for each other to end, so a match takes longer the more of them there are.
    fn long_game(options: &Options) -> u32 {
        let boards = u32::try_from(options.boards).unwrap_or(u32::MAX);
        boards.saturating_mul(10_000)
    }

    /// The team with more kings wins (SC-30).
    fn adjudicate(&self) -> Outcome {
        self.counted()
    }
}
