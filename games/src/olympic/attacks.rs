//! Attack tables of the board of 25 squares, as bitboards: `a1` is bit 0, then along the ranks.

use overboard_rules::square::{Side, Square};

/// All squares.
pub(super) const BOARD: u32 = (1 << 25) - 1;
const RANK_1: u32 = 0b1_1111;
const FILE_A: u32 = 0x10_8421;
const FILE_E: u32 = FILE_A << 4;

/// A value for each square; padded, so that an index of five bits needs no bounds check.
type BySquare<T> = [T; 32];

/// The squares of a set, `a1` first.
#[derive(Clone, Copy)]
pub(super) struct Bitboard(pub(super) u32);

impl Iterator for Bitboard {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let set = self.0;
        (set != 0).then(|| {
            self.0 = set & (set - 1);
            set.trailing_zeros()
        })
    }
}

/// The index of a square; `None` if it is off this board.
#[inline]
pub(super) const fn index(square: Square) -> Option<u32> {
    if square.file < 5 && square.rank < 5 {
        Some(square.rank as u32 * 5 + square.file as u32)
    } else {
        None
    }
}

/// The square with this index.
#[inline]
pub(super) const fn square_at(index: u32) -> Square {
    Square::new((index % 5) as u8, (index / 5) as u8)
}

/// The squares of a file, counted from 0; none if it is off this board.
#[inline]
pub(super) const fn file(file: u8) -> u32 {
    if file < 5 { FILE_A << file } else { 0 }
}

/// The squares of a rank, counted from 0; none if it is off this board.
#[inline]
pub(super) const fn rank(rank: u8) -> u32 {
    if rank < 5 { RANK_1 << (5 * rank) } else { 0 }
}

/// The rank on which the side promotes.
#[inline]
pub(super) const fn last_rank(side: Side) -> u32 {
    match side {
        Side::White => RANK_1 << 20,
        Side::Black => RANK_1,
    }
}

/// Every piece one square towards the side's last rank.
#[inline]
pub(super) const fn forward(pieces: u32, side: Side) -> u32 {
    match side {
        Side::White => (pieces << 5) & BOARD,
        Side::Black => pieces >> 5,
    }
}

/// Every piece one square towards the side's first rank.
#[inline]
pub(super) const fn backward(pieces: u32, side: Side) -> u32 {
    forward(pieces, side.other())
}

/// Every piece one square towards file `a`.
#[inline]
pub(super) const fn west(pieces: u32) -> u32 {
    (pieces & !FILE_A) >> 1
}

/// Every piece one square towards file `e`.
#[inline]
pub(super) const fn east(pieces: u32) -> u32 {
    (pieces & !FILE_E) << 1
}

/// What pawns attack: diagonally forward (OC-3).
#[inline]
pub(super) const fn pawn_attacks(pieces: u32, side: Side) -> u32 {
    forward(west(pieces) | east(pieces), side)
}

/// What silvers attack: the diagonals and straight forward (OC-4).
#[inline]
pub(super) const fn silver_attacks(pieces: u32, side: Side) -> u32 {
    let beside = west(pieces) | east(pieces);
    forward(beside | pieces, side) | backward(beside, side)
}

/// What golds attack: every direction but diagonally backward (OC-4).
#[inline]
pub(super) const fn gold_attacks(pieces: u32, side: Side) -> u32 {
    let beside = west(pieces) | east(pieces);
    forward(beside | pieces, side) | beside | backward(pieces, side)
}

/// What a king attacks: every direction.
#[inline]
pub(super) const fn king_attacks(pieces: u32) -> u32 {
    let row = west(pieces) | east(pieces) | pieces;
    (forward(row, Side::White) | forward(row, Side::Black) | row) & !pieces
}

/// What a rook on `from` attacks, up to and including the first occupied squares.
#[inline]
pub(super) const fn rook_attacks(from: u32, occupied: u32) -> u32 {
    let (file, rank) = (from % 5, from / 5);
    let along = (occupied >> (5 * rank)) & 31;
    // A multiplication gathers the five squares of a file, and below those of a diagonal, in five adjacent bits.
    let up = (((occupied >> file) & FILE_A).wrapping_mul(0x1_1111) >> 16) & 31;
    ((ON_RANK[file as usize][along as usize] as u32) << (5 * rank))
        | (ON_FILE[rank as usize][up as usize] << file)
}

/// What a bishop on `from` attacks, up to and including the first occupied squares.
#[inline]
pub(super) const fn bishop_attacks(from: u32, occupied: u32) -> u32 {
    let [rising, falling] = DIAGONALS[(from & 31) as usize];
    on_diagonal(from, occupied, rising) | on_diagonal(from, occupied, falling)
}

#[inline]
const fn on_diagonal(from: u32, occupied: u32, diagonal: u32) -> u32 {
    let gathered = ((occupied & diagonal).wrapping_mul(FILE_A) >> 20) & 31;
    (ON_RANK[(from % 5) as usize][gathered as usize] as u32).wrapping_mul(FILE_A) & diagonal
}

/// The squares strictly between two squares on a line; none if they share no line.
#[inline]
pub(super) const fn between(a: u32, b: u32) -> u32 {
    BETWEEN[(a & 31) as usize][(b & 31) as usize]
}

/// The whole rank, file or diagonal through two different squares; none if they share no line.
#[inline]
pub(super) const fn line(a: u32, b: u32) -> u32 {
    LINES[(a & 31) as usize][(b & 31) as usize]
}

/// The squares of a row of five that are attacked from each of its squares, by occupancy.
static ON_RANK: [[u8; 32]; 5] = on_rank();
/// The same for the `a` file.
static ON_FILE: [[u32; 32]; 5] = on_file();
/// The rising and the falling diagonal through each square.
static DIAGONALS: BySquare<[u32; 2]> = diagonals();
static BETWEEN: BySquare<BySquare<u32>> = by_pair(false);
static LINES: BySquare<BySquare<u32>> = by_pair(true);

const fn on_rank() -> [[u8; 32]; 5] {
    let mut table = [[0; 32]; 5];
    let mut at = 0;
    while at < 160 {
        table[at / 32][at % 32] = reach_in_row(at / 32, at % 32);
        at += 1;
    }
    table
}

const fn reach_in_row(from: usize, occupied: usize) -> u8 {
    let mut reach = 0;
    let mut to = from + 1;
    while to < 5 {
        reach |= 1 << to;
        to = if occupied >> to & 1 == 1 { 5 } else { to + 1 };
    }
    let mut left = from;
    while left > 0 {
        left -= 1;
        reach |= 1 << left;
        left = if occupied >> left & 1 == 1 { 0 } else { left };
    }
    reach
}

const fn on_file() -> [[u32; 32]; 5] {
    let mut table = [[0; 32]; 5];
    let mut at = 0;
    while at < 160 * 5 {
        let (from, occupied, rank) = (at / 160, at / 5 % 32, at % 5);
        table[from][occupied] |= (on_rank()[from][occupied] as u32 >> rank & 1) << (5 * rank);
        at += 1;
    }
    table
}

const fn diagonals() -> BySquare<[u32; 2]> {
    let mut table = [[0; 2]; 32];
    let mut at = 0;
    while at < 25 {
        table[at as usize] = [
            ray(at, 1, 1) | ray(at, -1, -1),
            ray(at, 1, -1) | ray(at, -1, 1),
        ];
        at += 1;
    }
    table
}

/// `from` and every square on the way from it to the edge.
const fn ray(from: i32, file_step: i32, rank_step: i32) -> u32 {
    let (mut file, mut rank, mut squares) = (from % 5, from / 5, 0);
    while file >= 0 && file < 5 && rank >= 0 && rank < 5 {
        squares |= 1 << (rank * 5 + file);
        file += file_step;
        rank += rank_step;
    }
    squares
}

const STEPS: [(i32, i32); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
];

const fn by_pair(whole: bool) -> BySquare<BySquare<u32>> {
    let mut table = [[0; 32]; 32];
    let mut at = 0;
    while at < 25 * 25 {
        let (a, b) = (at / 25, at % 25);
        table[a as usize][b as usize] = line_through(a, b, whole);
        at += 1;
    }
    table
}

/// The line through two different squares, or only what is between them; nothing if they share no line.
const fn line_through(a: i32, b: i32, whole: bool) -> u32 {
    let mut direction = 0;
    while direction < 8 {
        let (file, rank) = STEPS[direction];
        let ahead = ray(a, file, rank);
        if a != b && ahead >> b & 1 == 1 {
            return if whole {
                ahead | ray(a, -file, -rank)
            } else {
                ahead & ray(b, -file, -rank) & !(1 << a | 1 << b)
            };
        }
        direction += 1;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &str) -> u32 {
        names
            .split(' ')
            .filter(|name| !name.is_empty())
            .fold(0, |set, name| {
                let [file, rank] = name.as_bytes() else {
                    panic!("{name} is not a square")
                };
                set | 1 << index(Square::new(file - b'a', rank - b'1')).unwrap()
            })
    }

    fn at(name: &str) -> u32 {
        set(name).trailing_zeros()
    }

    /// A slider's reach by walking, square by square.
    fn slide(from: u32, occupied: u32, steps: &[(i32, i32)]) -> u32 {
        let mut reach = 0;
        for (file, rank) in steps {
            let (mut f, mut r) = (from as i32 % 5 + file, from as i32 / 5 + rank);
            while (0..5).contains(&f) && (0..5).contains(&r) {
                reach |= 1 << (r * 5 + f);
                if occupied >> (r * 5 + f) & 1 == 1 {
                    break;
                }
                (f, r) = (f + file, r + rank);
            }
        }
        reach
    }

    #[test]
    fn sliders_stop_at_the_first_piece() {
        let mut occupied = 0x9e37_79b9_u32;
        for _ in 0..2000 {
            occupied = occupied.wrapping_mul(0x915f_77f5).wrapping_add(0x6d2b) ^ occupied >> 13;
            for from in 0..25 {
                let pieces = occupied & BOARD;
                assert_eq!(
                    rook_attacks(from, pieces),
                    slide(from, pieces, &STEPS[..4]),
                    "{from} {pieces:x}"
                );
                assert_eq!(
                    bishop_attacks(from, pieces),
                    slide(from, pieces, &STEPS[4..]),
                    "{from} {pieces:x}"
                );
            }
        }
    }

    #[test]
    fn gold_and_silver_step_as_their_side_faces() {
        assert_eq!(
            gold_attacks(set("c3"), Side::White),
            set("b4 c4 d4 b3 d3 c2")
        );
        assert_eq!(
            gold_attacks(set("c3"), Side::Black),
            set("b2 c2 d2 b3 d3 c4")
        );
        assert_eq!(
            silver_attacks(set("c3"), Side::White),
            set("b4 c4 d4 b2 d2")
        );
        assert_eq!(
            silver_attacks(set("c3"), Side::Black),
            set("b2 c2 d2 b4 d4")
        );
        assert_eq!(gold_attacks(set("a5"), Side::White), set("b5 a4"));
        assert_eq!(silver_attacks(set("e1"), Side::Black), set("d2"));
    }

    #[test]
    fn pawn_and_king_step_as_in_chess_and_never_around_the_edge() {
        assert_eq!(pawn_attacks(set("a2 e2"), Side::White), set("b3 d3"));
        assert_eq!(pawn_attacks(set("e4"), Side::Black), set("d3"));
        assert_eq!(pawn_attacks(set("c5"), Side::White), 0);
        assert_eq!(king_attacks(set("e3")), set("e4 d4 d3 d2 e2"));
        assert_eq!(king_attacks(set("a1")), set("a2 b2 b1"));
    }

    #[test]
    fn lines_join_only_squares_of_one_line() {
        assert_eq!(between(at("a1"), at("e5")), set("b2 c3 d4"));
        assert_eq!(between(at("e5"), at("e3")), set("e4"));
        assert_eq!(between(at("a1"), at("b3")), 0);
        assert_eq!(line(at("b3"), at("c2")), set("a4 b3 c2 d1"));
        assert_eq!(line(at("b3"), at("d2")), 0);
        assert_eq!(line(at("b3"), at("b3")), 0);
    }
}
