//! Positions in which a side surely can mate: both sides have moves to spare, and the side has the force.
//!
//! This is no proof. Each condition was put beside the search for mates in the positions made to break it (those that
//! come with the Chess Unwinnability Analyzer) and in the ends of 30,000 games: it never says that a side can mate which
//! cannot. Each part names the position that a simpler one got wrong.

use shakmaty::{Bitboard, Board, Chess, Color, Position as _, Square, attacks};

/// Whether a side surely can mate.
pub(super) fn has(position: &Chess, winner: Color) -> bool {
    let board = position.board();
    if position.is_check() || may_be_walled(board) {
        return false;
    }
    // Both sides: `k7/Pp6/1P6/8/8/8/6K1/6Q1 w` is stalemate after every move.
    let is_free = |side| king_steps(board, side) || officer_moves(board, side);
    Color::ALL.into_iter().all(is_free)
        && (has_force(board, winner) || has_army(board, winner) || has_minors(board, winner))
}

/// Whether pawns that face each other may part the board in two: on each file, or on the one beside it, two of them stand.
#[inline]
pub(super) fn may_be_walled(board: &Board) -> bool {
    let mut files = rams(board);
    files |= files >> 32;
    files |= files >> 16;
    files |= files >> 8;
    let files = files & 0xff;
    (files | files << 1 | files >> 1) & 0xff == 0xff
}

/// The black pawns before which a white one stands.
#[inline]
pub(super) fn rams(board: &Board) -> u64 {
    let pawns = board.pawns();
    (pawns & board.white()).0 << 8 & (pawns & board.black()).0
}

/// Whether a side's king can step to an empty square.
pub(super) fn king_steps(board: &Board, side: Color) -> bool {
    let Some(king) = board.king_of(side) else {
        return false;
    };
    let without_it = board.occupied().without(king);
    let mut steps = (attacks::king_attacks(king) & !board.occupied()).into_iter();
    steps.any(|to| board.attacks_to(to, !side, without_it).is_empty())
}

/// Whether a piece of a side that stands on no line between its king and a slider can go to an empty square.
fn officer_moves(board: &Board, side: Color) -> bool {
    let Some(king) = board.king_of(side) else {
        return false;
    };
    let sliders = board.by_color(!side) & board.sliders();
    let mut officers = officers(board, side).into_iter();
    officers.any(|from| {
        let is_pinned = (attacks::ray(king, from) & sliders).any();
        !is_pinned && (attacked(board, from) & !board.occupied()).any()
    })
}

/// Whether a side has a queen or a rook that moves freely, or a pawn with a clear way to the last rank.
fn has_force(board: &Board, side: Color) -> bool {
    let ours = board.by_color(side);
    // Rooks behind their own pawns reach nothing: `2k5/6p1/6P1/6PK/6P1/6PR/7P/8 b` is dead.
    let roams = |from, least| (attacked(board, from) & !ours).count() >= least;
    (ours & board.queens())
        .into_iter()
        .any(|from| roams(from, 8))
        || (ours & board.rooks())
            .into_iter()
            .any(|from| roams(from, 6))
        || has_passed_pawn(board, side)
}

/// Whether nothing stands before a pawn of a side.
fn has_passed_pawn(board: &Board, side: Color) -> bool {
    let mut pawns = (board.by_color(side) & board.pawns()).into_iter();
    pawns.any(|pawn| (ahead(pawn, side) & board.occupied()).is_empty())
}

/// The squares of a pawn's file before it.
pub(super) fn ahead(pawn: Square, side: Color) -> Bitboard {
    let file = Bitboard::from(pawn.file());
    let behind = Bitboard(u64::MAX.wrapping_shl(u32::from(pawn)));
    match side {
        Color::White => file & behind.without(pawn),
        Color::Black => file & !behind,
    }
}

/// Whether a side has so many pieces, two of them with moves, that few pawns do not hold them.
fn has_army(board: &Board, side: Color) -> bool {
    let officers = officers(board, side);
    // Kings in corners behind pawns are not reached by any number of bishops of the wrong colour:
    // `k6B/1b4B1/5B2/4B3/3B4/1pB5/pP6/K7 w` is dead.
    let kings_go = || Color::ALL.into_iter().all(|side| king_steps(board, side));
    if officers.count() < 4 || rams(board).count_ones() > 2 {
        return false;
    }
    if board.occupied().count() <= 20 && !kings_go() {
        return false;
    }
    let ours = board.by_color(side);
    let moving = officers
        .into_iter()
        .filter(|from| (attacked(board, *from) & !ours).count() >= 2);
    moving.count() >= 2
}

/// Whether a side's bishops and knights can mate: two that do not all keep to squares of one colour, or one if the other
/// side can put a man beside its own king.
fn has_minors(board: &Board, side: Color) -> bool {
    // `k7/1b6/8/8/8/1pB5/pP6/K7 w` is dead: both kings are shut in.
    if !Color::ALL.into_iter().all(|side| king_steps(board, side)) {
        return false;
    }
    let roam =
        |side: Color, from: Square| (attacked(board, from) & !board.by_color(side)).count() >= 3;
    let mut free = Bitboard::EMPTY;
    for from in board.by_color(side) & (board.bishops() | board.knights()) {
        if roam(side, from) {
            free.add(from);
        }
    }
    let knights = free & board.knights();
    let light = free & board.bishops() & Bitboard::LIGHT_SQUARES;
    let dark = free & board.bishops() & Bitboard::DARK_SQUARES;
    let kinds = [knights, light, dark].into_iter().filter(|men| men.any());
    match kinds.count() {
        0 => return false,
        1 if knights.count() < 2 => {}
        _ => return true,
    }
    // What can stand beside the king, and cannot come between or take.
    let theirs = board.by_color(!side);
    let blocks = if knights.any() {
        board.bishops() | board.knights() | board.rooks()
    } else if light.any() {
        board.knights() | board.bishops() & Bitboard::DARK_SQUARES
    } else {
        board.knights() | board.bishops() & Bitboard::LIGHT_SQUARES
    };
    (theirs & blocks).into_iter().any(|from| roam(!side, from)) || has_passed_pawn(board, !side)
}

fn officers(board: &Board, side: Color) -> Bitboard {
    board.by_color(side) & !board.pawns() & !board.kings()
}

fn attacked(board: &Board, from: Square) -> Bitboard {
    board.attacks_from(from)
}
