//! How men could stand so that a king is mated, by the squares that each of them may ever reach.

use super::walls::{Board, Man, of_promoted};
use shakmaty::{Bitboard, Role, Square, attacks};

/// With more pieces than this the places of all are not tried against each other: it would take too long, and so many
/// pieces hardly ever fail to mate.
const TRIED: usize = 3;

/// Whether a mate is not ruled out: on some square the king may be in check, and each square beside it may be attacked,
/// or filled by a man of its own.
pub(super) fn may_be(board: &Board) -> bool {
    let open = !board.closed();
    let mut places = Bitboard::EMPTY;
    for king in board.kings(!board.winner) {
        for square in king.reach & board.checked() {
            if (attacks::king_attacks(square) & open).is_empty() {
                places.add(square);
            }
        }
    }
    if places.is_empty() {
        return false;
    }
    let officers = officers(board);
    if officers.len() > TRIED {
        return true;
    }
    let men = Men {
        board,
        officers: officers.into_iter().map(|man| views(board, man)).collect(),
        blocks: blocks(board),
    };
    places.into_iter().any(|square| men.may_mate_on(square))
}

/// The winner's pieces, promoted pawns among them.
fn officers(board: &Board) -> Vec<&Man> {
    let is_piece = |man: &&Man| match man.role {
        Role::King => false,
        Role::Pawn => man.promoted.any(),
        _ => true,
    };
    let ours = board.men.iter().filter(|man| man.color == board.winner);
    ours.filter(is_piece).collect()
}

/// A square that a piece may reach, and what it attacks from there.
type View = (Square, Bitboard);

fn views(board: &Board, man: &Man) -> Vec<View> {
    let mut views = Vec::new();
    if man.role != Role::Pawn {
        for from in man.reach {
            let piece = man.role.of(man.color);
            views.push((from, attacks::attacks(from, piece, board.solid)));
        }
    }
    for from in man.promoted {
        views.push((from, of_promoted(from, board.solid)));
    }
    views
}

/// Where each man of the king who would be mated may stand.
fn blocks(board: &Board) -> Vec<Bitboard> {
    let theirs = board.men.iter().filter(|man| man.color != board.winner);
    let officers = theirs.filter(|man| man.role != Role::King);
    officers.map(Man::stands).collect()
}

/// The men who could mate or stand in the way.
struct Men<'a> {
    board: &'a Board,
    officers: Vec<Vec<View>>,
    blocks: Vec<Bitboard>,
}

impl Men<'_> {
    /// Whether the winner's men can stand so that a king on this square is mated.
    fn may_mate_on(&self, square: Square) -> bool {
        let beside = attacks::king_attacks(square);
        let zone = beside.with(square);
        // What matters of a piece is what it attacks of the king and the squares beside him.
        let mut attacked = Vec::with_capacity(self.officers.len());
        for views in &self.officers {
            let mut kinds = Vec::new();
            for (from, view) in views {
                let seen = *view & zone;
                if *from != square && seen.any() && !kinds.contains(&seen) {
                    kinds.push(seen);
                }
            }
            attacked.push(kinds);
        }
        let open = beside & !self.board.by_pawns;
        let checked = self.board.by_pawns.contains(square);
        let left_open = self.left_by_king(open, zone);
        left_open.into_iter().any(|open| {
            let unchecked = if checked { open } else { open.with(square) };
            self.may_be_closed(unchecked, square, &attacked)
        })
    }

    /// What the winner's king may leave open of these squares, from each square that he may reach.
    fn left_by_king(&self, open: Bitboard, zone: Bitboard) -> Vec<Bitboard> {
        let mut left_open = vec![open];
        for king in self.board.kings(self.board.winner) {
            for at in king.reach & !zone {
                let left = open & !attacks::king_attacks(at);
                if !left_open.contains(&left) {
                    left_open.push(left);
                }
            }
        }
        left_open
    }

    /// Whether these pieces can attack the king's square, where that is among the open ones, and close the others together
    /// with men of the king. At most [`TRIED`] deep.
    fn may_be_closed(&self, open: Bitboard, king: Square, attacked: &[Vec<Bitboard>]) -> bool {
        let Some((first, others)) = attacked.split_first() else {
            return !open.contains(king) && is_filled(open, &self.blocks, 0);
        };
        if self.may_be_closed(open, king, others) {
            return true;
        }
        let mut with_first = first.iter().filter(|seen| (**seen & open).any());
        with_first.any(|seen| self.may_be_closed(open & !*seen, king, others))
    }
}

/// Whether each of these squares, at most eight, has a man of its own among those that may stand there.
fn is_filled(open: Bitboard, men: &[Bitboard], used: u32) -> bool {
    let Some(square) = open.first() else {
        return true;
    };
    let rest = open.without(square);
    let mut men_here = (0..men.len()).filter(|at| used & 1 << at == 0 && men[*at].contains(square));
    men_here.any(|at| is_filled(rest, men, used | 1 << at))
}
