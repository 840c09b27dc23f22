//! The same with cozy-chess, which lists the moves of each piece as a set. It counts plies without progress only up to
//! a hundred and does not check material, so both are done here.

use super::Chance;
use cozy_chess::{BitBoard, Board, Move, Piece};

/// Plays random games to their ends; returns their plies.
pub fn playouts(games: u64) -> u64 {
    let (mut chance, mut keys, mut list) = (Chance::new(), Vec::new(), Vec::new());
    (0..games)
        .map(|_| playout(&mut chance, &mut keys, &mut list))
        .sum()
}

fn playout(chance: &mut Chance, keys: &mut Vec<u64>, list: &mut Vec<Move>) -> u64 {
    let mut board = Board::default();
    let mut quiet = 0;
    keys.clear();
    keys.push(board.hash());
    for plies in 0.. {
        list.clear();
        board.generate_moves(|moves| {
            list.extend(moves);
            false
        });
        if list.is_empty() || is_dead(&board) || quiet >= 150 {
            return plies;
        }
        let m = list[chance.below(list.len())];
        let takes = board.colors(!board.side_to_move()).has(m.to);
        let goes_on = takes || board.pieces(Piece::Pawn).has(m.from);
        board.play_unchecked(m);
        if goes_on {
            quiet = 0;
            keys.clear();
        } else {
            quiet += 1;
        }
        let key = board.hash();
        if keys.iter().filter(|known| **known == key).count() >= 4 {
            return plies + 1;
        }
        keys.push(key);
    }
    0
}

/// Whether neither side could mate: one minor piece, or bishops on squares of one colour.
fn is_dead(board: &Board) -> bool {
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !heavy.is_empty() {
        return false;
    }
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    let of_one_colour = (bishops & BitBoard::DARK_SQUARES).is_empty()
        || (bishops & BitBoard::LIGHT_SQUARES).is_empty();
    match (knights.len(), bishops.len()) {
        (0, _) => of_one_colour,
        (1, 0) => true,
        _ => false,
    }
}
