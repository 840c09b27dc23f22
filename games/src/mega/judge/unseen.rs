//! Moves of which nothing is known but that they were made on a board, or on one of several: `[%unseen B2 C2]` in a turn. Records
//! made of sheets have it where sheets are missing.

use super::Mega;
use crate::mega::{self, Act, MegaMove, Ply};
use overboard_referee::{hearing::Hearing, numbering::Unjudged};
use overboard_rules::{
    game::{Happening, Step},
    path::{BoardPath, square},
    ply::StandingAct,
    square::{Role, Square},
};
use std::collections::BTreeSet;

/// Where the boards stand that were carried along with their mega-pieces, by the squares on which they stood at the start.
#[derive(Default)]
pub(super) struct Homes {
    carried: Vec<Carried>,
}

struct Carried {
    home: Square,
    now: Square,
}

impl Homes {
    /// Follows a step on the outermost board.
    pub fn follow(&mut self, step: &Step<Mega>, game: &Mega) {
        match *step {
            Step::Ply(Ply {
                path,
                act: Act::Mega(m),
            }) if path.is_empty() => self.follow_move(m, game),
            Step::Event(at, Happening::Stood(StandingAct::Moved { from, to, .. }))
                if at.is_empty() =>
            {
                self.carry(from, to);
            }
            _ => {}
        }
    }

    fn follow_move(&mut self, m: MegaMove, game: &Mega) {
        let [from, to] = [m.from, m.to].map(square);
        self.carry(from, to);
        let is_king = game
            .mega_piece_at(to)
            .is_some_and(|moved| moved.piece.role == Role::King);
        if is_king && from.file.abs_diff(to.file) == 2 {
            let (corner, beside) = if to.file > from.file { (7, 5) } else { (0, 3) };
            let on = |file| Square { file, ..to };
            self.carry(on(corner), on(beside));
        }
    }

    fn carry(&mut self, from: Square, to: Square) {
        let moved = self.carried.iter().find(|board| board.now == from);
        let home = moved.map_or(from, |board| board.home);
        self.carried
            .retain(|board| board.now != from && board.now != to);
        self.carried.push(Carried { home, now: to });
    }

    /// Where the board is that stood on a square at the start; `None` if another one stands there that captured it.
    fn now(&self, home: Square) -> Option<Square> {
        if let Some(board) = self.carried.iter().find(|board| board.home == home) {
            return Some(board.now);
        }
        if self.carried.iter().any(|board| board.now == home) {
            return None;
        }
        Some(home)
    }
}

/// A move was made on one of the boards that stood on these squares at the start. `None` if one of them is no square.
pub(super) fn unseen(hearing: &mut Hearing<'_, Mega>, homes: &[u8]) -> Option<()> {
    let homes = homes.split(|byte| *byte == b' ').map(mega::address);
    let homes: Vec<_> = homes.collect::<Option<_>>()?;
    hearing.referee.own.short.clear();
    hearing.count_ply();
    let own = &hearing.referee.own;
    let boards = homes.iter().filter_map(|home| own.homes.now(*home));
    let boards: BTreeSet<_> = boards.map(|now| BoardPath::OUTERMOST.on(now)).collect();
    let boards = Vec::from_iter(boards);
    if boards.is_empty() {
        // Others have captured all of them, so something before is not as it was.
        hearing.lose(BoardPath::OUTERMOST, Unjudged::ThisMove);
    } else {
        hearing.lose_one_of(&boards, Unjudged::ThisMove);
    }
    Some(())
}
