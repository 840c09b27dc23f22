//! Bughouse: two boards side by side, two teams, and captured pieces that go to the captor's partner.
//!
//! Each board is one of [`crazyhouse`](crate::crazyhouse), with the same code, except that what is taken on it goes to a
//! pocket of the other board. Here are the link between the boards, mate, the end of the match, and the options.
//!
//! ```
//! use overboard_games::bughouse::Bughouse;
//! use overboard_referee::game::notation::Notation;
//! use overboard_rules::game::Game;
//!
//! let mut match_of_four = Bughouse::start(&Default::default()).unwrap();
//! for ply in ["A.e2e4", "A.d7d5", "A.e4d5"] {
//!     match_of_four.play(match_of_four.by_coordinates(ply).unwrap());
//! }
//! // White of board A took a black pawn: it is in the pocket of Black on board B, White's partner.
//! let fen = match_of_four.fen();
//! assert!(fen.ends_with(" | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[p] w KQkq - 0 1"));
//! ```

mod agreed;
pub mod alone;
pub mod bpgn;
mod game;
mod judge;
pub mod laws;
mod legal;
mod notation;
mod play;
mod record;
mod refusal;
mod repetition;
mod rulings;
#[cfg(test)]
mod tests;

pub use agreed::{DropLaw, MateLaw, Options, PawnRanks, RepetitionLaw};
pub use notation::INFO;

use crate::{chess::Move, crazyhouse::Crazyhouse, side_by_side::LinkedBoard};
use laws as law;
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    position::{DrawLaw as _, Movegen as _},
    square::{Role, Side},
};
use repetition::Occurrences;

/// The number of boards.
pub const BOARDS: usize = 2;

/// A position of both boards.
#[derive(Clone, Debug)]
pub struct Bughouse {
    boards: [Crazyhouse; BOARDS],
    /// The positions that plies on each board led to.
    reached: [Occurrences; BOARDS],
    agreed: Options,
    ended: Option<Ruling>,
    /// Whether pockets may hold more than is known: nobody knows what was taken on a board that is not judged.
    may_hold_more: bool,
}

/// A ply: a move or a drop on one of the boards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ply {
    board: usize,
    made: Move,
}

/// The team, by its colour on board A, that has this side on a board (BH-1).
#[must_use]
pub const fn team(board: usize, side: Side) -> Side {
    if board == 0 { side } else { side.other() }
}

impl Bughouse {
    /// The position with these boards.
    fn arranged(boards: [Crazyhouse; BOARDS], agreed: Options) -> Self {
        let reached = [0, 1].map(|board: usize| {
            let mut reached = Occurrences::default();
            reached.note(boards[board].repetition_key(), boards[board].snapshot());
            reached
        });
        let mut arranged = Self {
            boards,
            reached,
            agreed,
            ended: None,
            may_hold_more: false,
        };
        arranged.ended = arranged.end_of_set_up();
        arranged
    }

    /// A board, as a position of Crazyhouse.
    ///
    /// # Panics
    /// If there is no board with this index.
    #[must_use]
    pub const fn board(&self, board: usize) -> &Crazyhouse {
        &self.boards[board]
    }

    /// Puts a piece that was taken on a board by a side into the partner's pocket (BH-2).
    fn hand_over(&mut self, board: usize, captor: Side, taken: Role) {
        let partners = 1 - board;
        self.boards[partners].put(captor.other(), taken);
        self.reached[partners].interrupt();
    }

    /// Makes a ply, and returns the kind of piece that it takes.
    fn make(&mut self, Ply { board, made }: Ply) -> Option<Role> {
        let mover = self.boards[board].turn();
        let taken = self.boards[board].make(made);
        self.settle(board, mover, taken);
        taken
    }

    /// Takes the consequences of an act of a side on a board.
    fn settle(&mut self, board: usize, mover: Side, taken: Option<Role>) {
        if let Some(taken) = taken {
            self.hand_over(board, mover, taken);
        }
        let here = &self.boards[board];
        self.reached[board].note(here.repetition_key(), here.snapshot());
        if self.ended.is_none() {
            self.ended = self.end_after(board);
        }
    }

    /// How the match ends by a ply on a board.
    fn end_after(&self, board: usize) -> Option<Ruling> {
        if self.is_mated(board) {
            let mated = self.boards[board].turn();
            return Some(mate(Outcome::Win(team(board, mated.other()))));
        }
        self.end_of_moves()
            .or_else(|| self.end_by_repetition(board))
    }

    /// How the match ends by a set-up. If there are mates of both teams, nobody knows which came first.
    fn end_of_set_up(&self) -> Option<Ruling> {
        let mut winners = Vec::new();
        for board in 0..BOARDS {
            if self.is_mated(board) {
                winners.push(team(board, self.boards[board].turn().other()));
            }
        }
        match winners[..] {
            [] => self.end_of_moves(),
            [winner] => Some(mate(Outcome::Win(winner))),
            [one, other] if one == other => Some(mate(Outcome::Win(one))),
            _ => Some(mate(Outcome::Draw)),
        }
    }

    /// A draw where nobody can move any more.
    fn end_of_moves(&self) -> Option<Ruling> {
        if self.may_hold_more || (0..BOARDS).any(|board| self.has_ply(board)) {
            return None;
        }
        Some(Ruling::draw(Cause::Stalemate, &law::MATCH_END))
    }

    /// A draw by the third occurrence, where none has to claim it.
    fn end_by_repetition(&self, board: usize) -> Option<Ruling> {
        let is_auto = self.agreed.repetition == RepetitionLaw::Auto && !self.may_hold_more;
        if !is_auto || self.reached[board].times() < 3 {
            return None;
        }
        Some(Ruling::draw(Cause::Threefold, &law::REPETITION))
    }

    /// Whether the side to move on a board is mated (BH-4).
    fn is_mated(&self, board: usize) -> bool {
        let here = &self.boards[board];
        if !here.in_check() || here.has_move_on_board() {
            return false;
        }
        match self.mate_law() {
            MateLaw::AnyPiece => !here.has_place_to_drop(),
            MateLaw::Pocket => !self.has_ply(board),
        }
    }

    /// Which drops count as answers to a check: where a pocket may hold any piece, those of any.
    fn mate_law(&self) -> MateLaw {
        match self.may_hold_more {
            true => MateLaw::AnyPiece,
            false => self.agreed.mate,
        }
    }

    /// The flag of a side's player on a board falls. Returns whether that changes anything.
    fn fall(&mut self, board: usize, side: Side) -> bool {
        let loser = team(board, side);
        let outcome = match self.ended {
            None => Outcome::Win(loser.other()),
            // The other team's flag fell at the same instant.
            Some(ended) if ended.cause == Cause::Flag && ended.outcome == Outcome::Win(loser) => {
                Outcome::Draw
            }
            Some(_) => return false,
        };
        self.ended = Some(Ruling {
            outcome,
            cause: Cause::Flag,
            rule: &law::MATCH_END,
        });
        true
    }
}

const fn mate(outcome: Outcome) -> Ruling {
    Ruling {
        outcome,
        cause: Cause::Checkmate,
        rule: &law::MATE,
    }
}
