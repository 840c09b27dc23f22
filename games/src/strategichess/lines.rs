//! Lines and jumps from single squares.

use super::squares::{Direction, NOWHERE, SLANTING, STEPS, STRAIGHT, SquareSet};
use overboard_rules::square::Side;

/// A value for each square; an index of eight bits needs no bounds check, and an index that is no square has an empty
/// entry.
type BySquare<T> = [T; 256];

/// The squares in a direction from each square, to the edge.
static RAYS: [BySquare<SquareSet>; 8] = rays();
static STRAIGHT_LINES: BySquare<SquareSet> = lines(STRAIGHT);
static SLANTING_LINES: BySquare<SquareSet> = lines(SLANTING);
static KNIGHT: BySquare<SquareSet> = jumps([
    (1, 2),
    (-1, 2),
    (2, 1),
    (-2, 1),
    (1, -2),
    (-1, -2),
    (2, -1),
    (-2, -1),
]);
static KING: BySquare<SquareSet> = jumps(STEPS);
static PAWN_ATTACKS: [BySquare<SquareSet>; 2] =
    [jumps([(1, 1), (-1, 1)]), jumps([(1, -1), (-1, -1)])];
static PAWN_STEPS: BySquare<SquareSet> = pawn_table();

/// The squares that a knight on a square attacks.
#[inline]
pub(super) fn knight_attacks(from: u32) -> SquareSet {
    KNIGHT[usize::from(from as u8)]
}

/// The squares that a king on a square attacks.
#[inline]
pub(super) fn king_attacks(from: u32) -> SquareSet {
    KING[usize::from(from as u8)]
}

/// What a pawn of a side on a square attacks.
#[inline]
pub(super) fn pawn_attacks(from: u32, side: Side) -> SquareSet {
    PAWN_ATTACKS[side as usize & 1][usize::from(from as u8)]
}

/// The squares one pawn step from a square (SC-5, SC-6, SC-6a).
#[inline]
pub(super) fn pawn_steps(from: u32) -> SquareSet {
    PAWN_STEPS[usize::from(from as u8)]
}

/// The file and the rank of a square, without the square itself.
#[inline]
pub(super) fn straight_lines(from: u32) -> SquareSet {
    STRAIGHT_LINES[usize::from(from as u8)]
}

/// The diagonals of a square, without the square itself.
#[inline]
pub(super) fn slanting_lines(from: u32) -> SquareSet {
    SLANTING_LINES[usize::from(from as u8)]
}

/// What a rook on `from` attacks, up to and including the first occupied squares.
#[inline]
pub(super) fn rook_attacks(from: u32, occupied: SquareSet) -> SquareSet {
    STRAIGHT
        .into_iter()
        .fold(SquareSet::EMPTY, |all, direction| {
            all | along(direction, from, occupied)
        })
}

/// What a bishop on `from` attacks, up to and including the first occupied squares.
#[inline]
pub(super) fn bishop_attacks(from: u32, occupied: SquareSet) -> SquareSet {
    SLANTING
        .into_iter()
        .fold(SquareSet::EMPTY, |all, direction| {
            all | along(direction, from, occupied)
        })
}

#[inline]
fn along(direction: Direction, from: u32, occupied: SquareSet) -> SquareSet {
    let ray = ray(direction, from);
    let met = ray & occupied;
    ray ^ self::ray(
        direction,
        if direction < 4 {
            met.first()
        } else {
            met.last()
        },
    )
}

/// The squares in a direction, to the edge.
#[inline]
pub(super) fn ray(direction: Direction, from: u32) -> SquareSet {
    RAYS[direction & 7][usize::from(from as u8)]
}

/// The direction from one square to another on the same line.
#[inline]
pub(super) const fn direction(from: u32, to: u32) -> Option<Direction> {
    let files = (to & 15) as i32 - (from & 15) as i32;
    let ranks = (to >> 4) as i32 - (from >> 4) as i32;
    if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
        return None;
    }
    match (files.signum(), ranks.signum()) {
        (0, 1) => Some(0),
        (1, 0) => Some(1),
        (1, 1) => Some(2),
        (-1, 1) => Some(3),
        (0, -1) => Some(4),
        (-1, 0) => Some(5),
        (-1, -1) => Some(6),
        (1, -1) => Some(7),
        _ => None,
    }
}

/// The squares strictly between two squares on a line; none if they share no line.
#[inline]
pub(super) fn between(a: u32, b: u32) -> SquareSet {
    direction(a, b).map_or(SquareSet::EMPTY, |there| ray(there, a) & ray(there ^ 4, b))
}

/// The squares from one square through another to the edge; none if they share no line.
#[inline]
pub(super) fn through(from: u32, over: u32) -> SquareSet {
    direction(from, over).map_or(SquareSet::EMPTY, |there| ray(there, from))
}

/// The square this many files and ranks away, or [`NOWHERE`].
const fn offset(from: u32, (files, ranks): (i32, i32)) -> u32 {
    let (file, rank) = ((from & 15) as i32 + files, (from >> 4) as i32 + ranks);
    if file >= 0 && file < 14 && rank >= 0 && rank < 14 {
        (rank * 16 + file) as u32
    } else {
        NOWHERE
    }
}

const fn rays() -> [BySquare<SquareSet>; 8] {
    let mut table = [[SquareSet::EMPTY; 256]; 8];
    let mut at = 0;
    while at < 8 * 256 {
        table[at / 256][at % 256] = steps(at as u32 % 256, at / 256);
        at += 1;
    }
    table
}

const fn steps(from: u32, direction: Direction) -> SquareSet {
    let mut squares = SquareSet::EMPTY;
    let mut to = if SquareSet::BOARD.has(from) {
        offset(from, STEPS[direction])
    } else {
        NOWHERE
    };
    while to != NOWHERE {
        squares = squares.or(SquareSet::single(to));
        to = offset(to, STEPS[direction]);
    }
    squares
}

const fn lines(directions: [Direction; 4]) -> BySquare<SquareSet> {
    let mut table = [SquareSet::EMPTY; 256];
    let mut at = 0;
    while at < 256 {
        let mut one = 0;
        while one < 4 {
            table[at] = table[at].or(steps(at as u32, directions[one]));
            one += 1;
        }
        at += 1;
    }
    table
}

const fn jumps<const N: usize>(steps: [(i32, i32); N]) -> BySquare<SquareSet> {
    let mut table = [SquareSet::EMPTY; 256];
    let mut at = 0;
    while at < 256 * N {
        let from = at / N;
        let to = offset(from as u32, steps[at % N]);
        if SquareSet::BOARD.has(from as u32) && to != NOWHERE {
            table[from] = table[from].or(SquareSet::single(to));
        }
        at += 1;
    }
    table
}

/// One step of pawns ahead, back, and on the roads to either side.
const fn pawn_table() -> BySquare<SquareSet> {
    let (mut table, sideways) = (jumps([(0, 1), (0, -1)]), jumps([(1, 0), (-1, 0)]));
    let mut from = 0;
    while from < 256 {
        if SquareSet::ROADS.has(from as u32) {
            table[from] = table[from].or(sideways[from]);
        }
        from += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategichess::{squares::square_at, tally::Tally};

    /// All square numbers.
    fn all() -> impl Iterator<Item = u32> {
        SquareSet::BOARD.into_iter()
    }

    /// A slider's reach by walking, square by square.
    fn slide(from: u32, occupied: SquareSet, directions: [Direction; 4]) -> SquareSet {
        let mut reach = SquareSet::EMPTY;
        for direction in directions {
            let mut to = offset(from, STEPS[direction]);
            while to != NOWHERE {
                reach = reach.with(to);
                to = if occupied.has(to) {
                    NOWHERE
                } else {
                    offset(to, STEPS[direction])
                };
            }
        }
        reach
    }

    /// Sets of squares, thinner and denser ones.
    fn sets() -> impl Iterator<Item = SquareSet> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        (0..300).map(move |round| {
            all()
                .filter(|_| {
                    state = state
                        .wrapping_mul(0x5851_f42d_4c95_7f2d)
                        .wrapping_add(0x1405_7b7e_f767_814f);
                    (state >> 33) % 12 < round % 7
                })
                .collect()
        })
    }

    #[test]
    fn sliders_stop_at_the_first_piece() {
        for occupied in sets() {
            for from in all() {
                assert_eq!(
                    rook_attacks(from, occupied),
                    slide(from, occupied, STRAIGHT),
                    "{from} {occupied:?}"
                );
                assert_eq!(
                    bishop_attacks(from, occupied),
                    slide(from, occupied, SLANTING),
                    "{from} {occupied:?}"
                );
            }
        }
    }

    #[test]
    fn all_sliders_of_a_direction_slide_at_once() {
        for occupied in sets() {
            let sliders: SquareSet = occupied.into_iter().step_by(3).collect();
            let empty = SquareSet::BOARD & !occupied;
            for direction in 0..8 {
                let each = sliders
                    .into_iter()
                    .map(|from| along(direction, from, occupied));
                let together = each.fold(SquareSet::EMPTY, |all, one| all | one);
                assert_eq!(
                    sliders.slide(direction, empty),
                    together,
                    "{direction} {occupied:?}"
                );
            }
        }
    }

    #[test]
    fn steps_and_jumps_never_go_around_the_edge() {
        for from in all() {
            let one = SquareSet::of(from);
            let jumps = one
                .knight_jumps()
                .into_iter()
                .fold(SquareSet::EMPTY, |all, jump| all | jump);
            assert_eq!(jumps, knight_attacks(from), "{from}");
            let steps = (0..8).fold(SquareSet::EMPTY, |all, direction| all | one.step(direction));
            assert_eq!(steps, king_attacks(from), "{from}");
            for (direction, step) in STEPS.into_iter().enumerate() {
                let to = offset(from, step);
                let expected = if to == NOWHERE {
                    SquareSet::EMPTY
                } else {
                    SquareSet::of(to)
                };
                assert_eq!(one.step(direction), expected, "{from} {direction}");
            }
        }
        assert_eq!(all().count(), 196);
        assert_eq!(
            all().map(|from| knight_attacks(from).count()).sum::<u32>(),
            4 * 2 * 12 * 13
        );
    }

    #[test]
    fn lines_join_only_squares_of_one_line() {
        let at = |file: u32, rank: u32| rank * 16 + file;
        assert_eq!(
            between(at(0, 0), at(3, 3)),
            [at(1, 1), at(2, 2)].into_iter().collect()
        );
        assert_eq!(between(at(13, 13), at(13, 11)), SquareSet::of(at(13, 12)));
        assert_eq!(between(at(0, 0), at(1, 2)), SquareSet::EMPTY);
        assert_eq!(
            through(at(2, 2), at(1, 1)),
            [at(1, 1), at(0, 0)].into_iter().collect()
        );
        assert_eq!(through(at(2, 2), at(3, 4)), SquareSet::EMPTY);
        assert_eq!(direction(at(2, 2), at(2, 2)), None);
    }

    #[test]
    fn many_sets_are_counted_together() {
        let sets: Vec<_> = sets().collect();
        for eights in sets.as_chunks::<8>().0.as_chunks::<3>().0 {
            let mut tally = Tally::default();
            eights.iter().for_each(|sets| tally.take(*sets));
            assert_eq!(
                tally.total(),
                eights
                    .as_flattened()
                    .iter()
                    .map(|set| set.count())
                    .sum::<u32>()
            );
        }
    }

    #[test]
    fn light_squares_and_roads_are_where_they_are() {
        for index in all() {
            let square = square_at(index);
            assert_eq!(SquareSet::LIGHT.has(index), square.is_light(), "{square}");
            assert_eq!(
                SquareSet::ROADS.has(index),
                [0, 1, 6, 7, 12, 13].contains(&square.rank),
                "{square}"
            );
            assert!(
                SquareSet::file(square.file).has(index) && SquareSet::rank(square.rank).has(index)
            );
        }
        let each =
            |set: fn(u8) -> SquareSet| (0..16).fold(SquareSet::EMPTY, |all, at| all | set(at));
        assert_eq!(
            (each(SquareSet::file), each(SquareSet::rank)),
            (SquareSet::BOARD, SquareSet::BOARD)
        );
    }
}
