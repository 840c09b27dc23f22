//! How far a position seems to be from a mate by one side, with the help of the other.
//!
//! Two measures, since there are two ways to mate: by force, in which the other side loses its men and then its king; and
//! by minor pieces in a corner, in which the other side's men stand in their own king's way. The weights are those that
//! found mates in the fewest positions among the ends of 1,000 games.

use super::freedom;
use shakmaty::{Bitboard, Board, Color, Square, attacks};

/// Above any other estimate.
pub(super) const FAR: u32 = 255;

/// The distance to a mate by force.
pub(super) fn by_force(board: &Board, winner: Color) -> u32 {
    let Some((own, king)) = kings(board, winner) else {
        return FAR;
    };
    let ours = board.by_color(winner);
    let theirs = board.by_color(!winner);
    let (means, in_the_way) = means(board, winner);
    let has_force = (ours & (board.queens() | board.rooks() | board.pawns())).any();
    let to_take = if has_force {
        7 * theirs.count() as u32
    } else {
        0
    };
    let [file, rank] = [u32::from(king.file()), u32::from(king.rank())];
    let to_edge = file.min(7 - file).min(rank.min(7 - rank));
    // Until there is a queen, the king is needed where a pawn stands in the way of one of his.
    let apart = own.distance(in_the_way.unwrap_or(king));
    (means + to_take + 3 * apart + 3 * to_edge + flights(board, winner, king)).min(FAR)
}

/// What is missing for a queen, and the pawn that stands before the one that could become it.
fn means(board: &Board, winner: Color) -> (u32, Option<Square>) {
    let ours = board.by_color(winner);
    if (ours & board.queens()).any() {
        return (0, None);
    }
    if (ours & board.rooks()).any() {
        return (8, None);
    }
    let to_promotion = |pawn: Square| {
        let rank = u32::from(pawn.rank());
        let steps = winner.fold_wb(7 - rank, rank);
        let ahead = freedom::ahead(pawn, winner);
        let in_the_way = (ahead & board.occupied()).count() as u32;
        let facing = ahead & board.by_color(!winner) & board.pawns();
        let missing = 4 * steps + 4 * in_the_way + 8 * facing.count() as u32;
        (missing, facing.first())
    };
    let pawns = (ours & board.pawns()).into_iter();
    let nearest = pawns.map(to_promotion).min_by_key(|(missing, _)| *missing);
    nearest.map_or((40, None), |(missing, facing)| (20 + missing, facing))
}

/// The distance to a mate by minor pieces in a corner.
pub(super) fn in_a_corner(board: &Board, winner: Color) -> u32 {
    let Some((own, king)) = kings(board, winner) else {
        return FAR;
    };
    let ours = board.by_color(winner);
    let light = (ours & board.bishops() & Bitboard::LIGHT_SQUARES).any();
    let dark = (ours & board.bishops() & Bitboard::DARK_SQUARES).any();
    let others = (ours & !board.bishops() & !board.pawns() & !board.kings()).any();
    let blocks = blocks(board, winner, light, dark);
    let mut least = FAR;
    for corner in CORNERS {
        let is_attacked = if corner.is_light() { light } else { dark };
        if !others && !is_attacked {
            continue;
        }
        let to_corner = 5 * king.distance(corner) + 3 * own.distance(corner).max(2) - 6;
        let about = about_corner(board, winner, king, corner);
        let knight = knight_to(corner, ours & board.knights());
        least = least.min(to_corner + about + blocks_to(corner, blocks) + knight);
    }
    (least + to_come(board, winner, blocks)).min(FAR)
}

const CORNERS: [Square; 4] = [Square::A1, Square::H1, Square::A8, Square::H8];

/// The squares beside a corner that are neither attacked nor filled.
fn about_corner(board: &Board, winner: Color, king: Square, corner: Square) -> u32 {
    let theirs = board.by_color(!winner);
    let without_king = board.occupied().without(king);
    let is_open = |square: &Square| board.attacks_to(*square, winner, without_king).is_empty();
    let beside = attacks::king_attacks(corner) & !theirs;
    3 * beside.into_iter().filter(is_open).count() as u32
}

/// The men of the mated king that can stand in his way, and cannot come between or take.
fn blocks(board: &Board, winner: Color, light: bool, dark: bool) -> Bitboard {
    let knights = (board.by_color(winner) & board.knights()).any();
    let mut blocks = board.knights() | board.bishops();
    if knights {
        blocks |= board.queens() | board.rooks();
    }
    if light && !dark {
        blocks &= !(board.bishops() & Bitboard::LIGHT_SQUARES);
    }
    if dark && !light {
        blocks &= !(board.bishops() & Bitboard::DARK_SQUARES);
    }
    blocks & board.by_color(!winner)
}

/// How far the two nearest of these men are from a corner.
fn blocks_to(corner: Square, blocks: Bitboard) -> u32 {
    let beside = attacks::king_attacks(corner);
    let mut nearest = [8, 8];
    for block in blocks {
        let steps = beside.into_iter().map(|square| block.distance(square));
        let away = steps.min().unwrap_or(8);
        if away < nearest[0] {
            nearest = [away, nearest[0]];
        } else {
            nearest[1] = nearest[1].min(away);
        }
    }
    2 * nearest[0] + nearest[1]
}

fn knight_to(corner: Square, knights: Bitboard) -> u32 {
    let steps = knights
        .into_iter()
        .map(|knight| knight.distance(corner).max(2) - 1);
    2 * steps.min().unwrap_or(0)
}

/// What the other side still has to do: promote a pawn to a man that blocks, and lose what can come between.
fn to_come(board: &Board, winner: Color, blocks: Bitboard) -> u32 {
    let theirs = board.by_color(!winner);
    let heavy = (theirs & !blocks & (board.queens() | board.rooks())).count() as u32;
    if blocks.any() {
        return 3 * heavy;
    }
    let to_promotion = |pawn: Square| {
        let rank = u32::from(pawn.rank());
        4 + 2 * winner.fold_wb(rank, 7 - rank)
    };
    let pawns = (theirs & board.pawns()).into_iter();
    pawns.map(to_promotion).min().unwrap_or(20) + 3 * heavy
}

/// The winner's king and the other one.
fn kings(board: &Board, winner: Color) -> Option<(Square, Square)> {
    Some((board.king_of(winner)?, board.king_of(!winner)?))
}

/// The squares to which a king can go.
fn flights(board: &Board, winner: Color, king: Square) -> u32 {
    let without_it = board.occupied().without(king);
    let is_safe = |to: &Square| board.attacks_to(*to, winner, without_it).is_empty();
    let steps = attacks::king_attacks(king) & !board.by_color(!winner);
    steps.into_iter().filter(is_safe).count() as u32
}
