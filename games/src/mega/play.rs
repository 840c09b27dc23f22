//! Evaluation of Recursive Chess by the prospects on its boards, and random choice of boards.

use super::notation::INFO;
use crate::{
    mega::{self, Board, Effects, Mega, Options, Ply, State},
    one_board::play::BoardValues as _,
};
use overboard_referee::game::play::{ClaimedEnd, Play, Tags, admits_listed, pick};
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    path::{BoardPath, squares},
    position::Movegen,
    repetition::Times,
    square::{Piece, Role, Side, Square},
};

impl Play for Mega {
    const LISTED: bool = false;
    const PICKS: bool = true;

    fn agreed(tags: Tags<'_>) -> Options {
        Options {
            level: tags.level,
            free_turns: mega::free_turns(tags.rules),
        }
    }

    fn claimed_end(&self, _: BoardPath) -> ClaimedEnd {
        ClaimedEnd {
            outcome: Outcome::Draw,
            cause: Cause::MegaMovesClaim,
            moves: format!("{} mega-moves in a row", self.halfmove()),
        }
    }

    fn admits(rules: &str) -> Result<(), String> {
        admits_listed(&INFO, rules)
    }

    fn is_chess(options: &Options) -> bool {
        options.level == 0
    }

    /// A random ply on a random board of those that may be moved on, chosen level by level; if none may, a random
    /// mega-move or the pass.
    #[inline]
    fn any(&self, chance: &mut impl FnMut(usize) -> usize) -> Option<Ply> {
        let (path, is_whole) = self.pick_board(chance);
        let act = if is_whole {
            self.pick_act(&path, chance)
        } else {
            pick(&self.acts_on(&path), chance)
        };
        act.map(|act| act.on(path))
    }

    /// Mega-pieces by the values of chess pieces.
    fn material(&self, side: Side) -> i32 {
        let worth = |piece: Piece| {
            if piece.side == side {
                worth(piece.role)
            } else {
                -worth(piece.role)
            }
        };
        squares()
            .filter_map(|on| self.mega_piece_at(on))
            .map(|there| worth(there.piece))
            .sum()
    }

    /// Counts mega-pieces, plus a share for a side whose boards are promising.
    fn evaluate(&self, side: Side) -> i32 {
        let prospects = prospects(self);
        self.material(side)
            + if side == Side::White {
                prospects
            } else {
                -prospects
            }
    }

    /// Each further level turns every square into a board.
    fn long_game(options: &Options) -> u32 {
        (1..options.level).fold(20_000, |plies: u32, _| plies.saturating_mul(64))
    }

    /// The ply's effects include the end.
    fn ended(&self, brought: &Effects, _: Times<'_, ()>) -> Option<Ruling> {
        brought.end()
    }
}

/// The value of a mega-piece, in centipawns.
const fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 325,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King | Role::Silver | Role::Gold => 0,
    }
}

/// The value of a mega-king's board: the king is not lost with its board, but it never moves again.
const THRONE: i32 = 600;
/// Centipawns on a board that count as halfway to winning it.
const HALF_WAY: i32 = 600;

/// White's prospects on the boards: up to half of the value of their mega-pieces while they are being played, and all
/// of that half to the owner of an armed one. Recurses once per level.
fn prospects(mega: &Mega) -> i32 {
    let of = |on: Square| {
        let there = mega.mega_piece_at(on)?;
        let stake = if there.piece.role == Role::King {
            THRONE
        } else {
            worth(there.piece.role)
        } / 2;
        let owners = if there.piece.side == Side::White {
            stake
        } else {
            -stake
        };
        match there.state {
            State::Armed => return Some(owners),
            State::Dethroned => return Some(-owners),
            State::Disarmed => return None,
            State::Neutral => {}
        }
        let white = match mega.touched_board(on)? {
            Board::Chess(chess) if chess.turn() == Side::White => chess.evaluate(),
            Board::Chess(chess) => -chess.evaluate(),
            Board::Mega(inner) => prospects(&inner),
        };
        Some(stake * white / (HALF_WAY + white.abs()))
    };
    squares().filter_map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use overboard_referee::game::notation::Notation as _;

    const MATES: &str = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 - {A1: 7k/8/6K1/8/8/8/8/R7 w - - 0 1; E1: disarmed; E8: disarmed}";

    #[test]
    fn boards_promise_what_their_pieces_are_worth() {
        let of = |fen: &str, side| {
            Mega::read_fen(&Options::default(), fen)
                .unwrap()
                .position
                .evaluate(side)
        };
        let better = of(MATES, Side::White);
        let worse = of(&MATES.replace("R7 w", "r7 w"), Side::White);
        assert!(
            500 < better && better < 750 && 250 < worse && worse < 500,
            "{better} {worse}"
        );
        // For Black the sign is reversed.
        assert_eq!(
            of(
                &MATES.replacen("w - - 0 1 -", "b - - 0 1 -", 1),
                Side::Black
            ),
            -better
        );
    }
}
