//! Whether men could stand so that a king is mated, by the squares that each of them may ever reach.

use super::walls::{Board, Man, of_promoted};
use shakmaty::{Bitboard, Role, Square, attacks};

/// With more pieces than this the places of all are not tried against each other: it would take too long, and so many
/// pieces hardly ever fail to mate.
const TRIED: usize = 3;

/// Whether a mate is not ruled out: on some square the king may be in check, and each square beside it may be attacked,
/// or filled by a man of its own.
pub(super) fn may_be(board: &Board) -> bool {
    let officers = officers(board);
    let open = !board.closed();
    let mut kings = board.kings(!board.winner);
    kings.any(|king| {
        let mut places = (king.reach & board.checked()).into_iter();
        places.any(|square| {
            let is_closed = (attacks::king_attacks(square) & open).is_empty();
            is_closed && (officers.len() > TRIED || may_be_on(board, square, &officers))
        })
    })
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

/// Whether the winner's men can stand so that a king on this square is mated.
fn may_be_on(board: &Board, square: Square, officers: &[&Man]) -> bool {
    let beside = attacks::king_attacks(square);
    let open = beside & !board.by_pawns;
    let mut left_open = vec![open];
    for king in board.kings(board.winner) {
        for at in king.reach & !beside & !Bitboard::from(square) {
            let left = open & !attacks::king_attacks(at);
            if !left_open.contains(&left) {
                left_open.push(left);
            }
        }
    }
    let checked = board.by_pawns.contains(square);
    let mate = Mate { board, square };
    left_open
        .into_iter()
        .any(|open| mate.may_be_closed(open, checked, officers))
}

/// A mate in the making.
struct Mate<'a> {
    board: &'a Board,
    /// Where the king stands.
    square: Square,
}

impl Mate<'_> {
    /// Whether these pieces can give check, unless the king is in check already, and close these squares together with
    /// men of the king. At most [`TRIED`] deep.
    fn may_be_closed(&self, open: Bitboard, checked: bool, officers: &[&Man]) -> bool {
        let Some((first, others)) = officers.split_first() else {
            return checked && self.may_be_filled(open);
        };
        if self.may_be_closed(open, checked, others) {
            return true;
        }
        let mut tried = vec![(open, checked)];
        for attacked in self.attacks_of(first) {
            let now = (open & !attacked, checked || attacked.contains(self.square));
            if tried.contains(&now) {
                continue;
            }
            tried.push(now);
            if self.may_be_closed(now.0, now.1, others) {
                return true;
            }
        }
        false
    }

    /// What a piece attacks from each of the squares that it may reach.
    fn attacks_of(&self, man: &Man) -> Vec<Bitboard> {
        let solid = self.board.solid;
        let away = !Bitboard::from(self.square);
        let mut attacked = Vec::new();
        if man.role != Role::Pawn {
            for from in man.reach & away {
                attacked.push(attacks::attacks(from, man.role.of(man.color), solid));
            }
        }
        for from in man.promoted & away {
            attacked.push(of_promoted(from, solid));
        }
        attacked
    }

    /// Whether men of the king can stand on all these squares.
    fn may_be_filled(&self, open: Bitboard) -> bool {
        let theirs = self
            .board
            .men
            .iter()
            .filter(|man| man.color != self.board.winner);
        let men: Vec<Bitboard> = theirs
            .filter(|man| man.role != Role::King)
            .map(|man| man.stands() & open)
            .filter(|stands| stands.any())
            .collect();
        is_filled(open, &men, 0)
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
