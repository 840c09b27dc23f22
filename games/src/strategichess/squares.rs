//! Sets of squares of a board of fourteen by fourteen, as bits.
//!
//! A rank is a lane of sixteen bits, `a` lowest; the two above file `n` stay empty, so that no step of one or two files
//! wraps from one edge to the other. A square's number is rank times 16 plus file.

use overboard_rules::square::{Side, Square};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SquareSet([u64; 4]);

/// The set of each square.
static SINGLES: [SquareSet; 256] = {
    let mut table = [SquareSet::EMPTY; 256];
    let mut at = 0;
    while at < 256 {
        table[at] = SquareSet::single(at as u32);
        at += 1;
    }
    table
};

/// From a rank to the next.
const RANK: u32 = 16;
/// The squares of a rank.
const LANE: u64 = 0x3fff;
/// The first bit of every lane of a word.
const A_FILE: u64 = !0 / 0xffff;
/// The bit above file `n` in every lane.
const WALL: SquareSet = SquareSet([0x4000_4000_4000_4000; 4]);

/// A direction on the board; the opposite one differs in the bit of 4.
pub(super) type Direction = usize;

/// The steps of the directions: north, east, north-east, north-west, then their opposites. In the first four, square
/// numbers increase.
pub(super) const STEPS: [(i32, i32); 8] = [
    (0, 1),
    (1, 0),
    (1, 1),
    (-1, 1),
    (0, -1),
    (-1, 0),
    (-1, -1),
    (1, -1),
];

/// The directions of a rook.
pub(super) const STRAIGHT: [Direction; 4] = [0, 1, 4, 5];
/// The directions of a bishop.
pub(super) const SLANTING: [Direction; 4] = [2, 3, 6, 7];

/// The difference between the numbers of two adjacent squares, by direction up to its opposite.
const STRIDES: [u32; 4] = [RANK, 1, RANK + 1, RANK - 1];

/// A number that is not a square's.
pub(super) const NOWHERE: u32 = 255;

/// The number of a square; `None` if it is off this board.
#[inline]
pub(super) const fn index(square: Square) -> Option<u32> {
    if square.file < 14 && square.rank < 14 {
        Some(number_of(square.rank as usize, square.file as usize))
    } else {
        None
    }
}

/// The number of the square on a rank and a file, counted from 0.
#[inline]
pub(super) const fn number_of(rank: usize, file: usize) -> u32 {
    rank as u32 * RANK + file as u32
}

/// The home square of a side's pawn, by file.
pub(super) const fn first_square(side: Side, file: u8) -> Square {
    Square::new(file, if matches!(side, Side::White) { 3 } else { 10 })
}

/// The square with this number.
#[inline]
pub(super) const fn square_at(index: u32) -> Square {
    Square::new((index % RANK) as u8, (index / RANK) as u8)
}

/// The origin of a step, or of several in one direction, that ended on a square.
#[inline]
pub(super) const fn origin_of(to: u32, (direction, steps): (Direction, u32)) -> u32 {
    let by = STRIDES[direction & 3] * steps;
    if direction < 4 {
        to.wrapping_sub(by)
    } else {
        to + by
    }
}

impl SquareSet {
    pub const EMPTY: Self = Self([0; 4]);
    /// All squares.
    pub const BOARD: Self = Self([
        A_FILE * LANE,
        A_FILE * LANE,
        A_FILE * LANE,
        LANE << 16 | LANE,
    ]);
    /// The double ranks on which pawns go sideways (SC-1, SC-6a).
    pub const ROADS: Self = Self([
        LANE << 16 | LANE,
        LANE << 48 | LANE << 32,
        0,
        LANE << 16 | LANE,
    ]);
    /// The light squares.
    pub const LIGHT: Self = Self([
        0x1555_2aaa_1555_2aaa,
        0x1555_2aaa_1555_2aaa,
        0x1555_2aaa_1555_2aaa,
        0x1555_2aaa,
    ]);

    /// The set of one square, for constants.
    pub const fn single(index: u32) -> Self {
        let mut words = [0; 4];
        words[(index >> 6 & 3) as usize] = 1 << (index & 63);
        Self(words)
    }

    /// The set of one square; empty off the board.
    ///
    /// From a table: a word that is written into a set by itself has to be stored before the set can be loaded as a
    /// whole, and such stalls took half the time of listing moves.
    #[inline(always)]
    pub fn of(index: u32) -> Self {
        SINGLES[usize::from(index as u8)]
    }

    /// A file, counted from 0; empty off the board.
    #[inline]
    pub const fn file(file: u8) -> Self {
        let lanes = if file < 14 { A_FILE << file } else { 0 };
        Self([lanes, lanes, lanes, lanes & 0xffff_ffff])
    }

    /// A rank, counted from 0; empty off the board.
    #[inline]
    pub const fn rank(rank: u8) -> Self {
        let mut words = [0; 4];
        if rank < 14 {
            words[(rank >> 2) as usize] = LANE << (16 * (rank & 3));
        }
        Self(words)
    }

    /// The rank on which the side's pawns begin (SC-2).
    #[inline]
    pub const fn pawn_rank(side: Side) -> Self {
        match side {
            Side::White => Self::rank(3),
            Side::Black => Self::rank(10),
        }
    }

    #[inline]
    pub const fn has(self, index: u32) -> bool {
        self.0[(index >> 6 & 3) as usize] >> (index & 63) & 1 == 1
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    #[inline]
    pub fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    #[inline]
    pub fn count(self) -> u32 {
        self.0.into_iter().map(u64::count_ones).sum()
    }

    /// Whether the set has two squares or more.
    #[inline]
    pub const fn is_crowd(self) -> bool {
        let [low, high] = self.halves();
        let more = (low & low.wrapping_sub(1)) | (high & high.wrapping_sub(1));
        more != 0 || low != 0 && high != 0
    }

    /// The halves of the set as numbers, the lower squares first.
    #[inline(always)]
    const fn halves(self) -> [u128; 2] {
        let [a, b, c, d] = self.0;
        [a as u128 | (b as u128) << 64, c as u128 | (d as u128) << 64]
    }

    /// The lowest number; [`NOWHERE`] in an empty set.
    ///
    /// By halves: a branch on which of four words has the square would be unpredictable, and a misprediction costs more
    /// than all this.
    #[inline]
    pub const fn first(self) -> u32 {
        let [low, high] = self.halves();
        let (low, high) = (low.trailing_zeros(), 128 + high.trailing_zeros());
        let first = if low < 128 { low } else { high };
        if first > NOWHERE { NOWHERE } else { first }
    }

    /// The highest number; [`NOWHERE`] in an empty set.
    #[inline]
    pub const fn last(self) -> u32 {
        let [low, high] = self.halves();
        let (low, high) = (low.leading_zeros(), high.leading_zeros());
        let before = if high < 128 { high } else { 128 + low };
        // Numbers count down from 255, which an empty set also gives.
        if before > 255 { NOWHERE } else { 255 - before }
    }

    /// The set with this square added.
    #[inline(always)]
    pub fn with(self, index: u32) -> Self {
        self | Self::of(index)
    }

    /// The same in place, for sets that grow square by square before they are read.
    #[inline(always)]
    pub fn insert(&mut self, index: u32) {
        self.0[(index >> 6 & 3) as usize] |= 1 << (index & 63);
    }

    /// The union of both sets, for constants.
    #[inline(always)]
    pub const fn or(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a | e, b | f, c | g, d | h])
    }

    /// Moves what is on one square to the other.
    #[inline]
    pub const fn shift(&mut self, from: u32, to: u32) {
        let (origin, arrival) = ((from >> 6 & 3) as usize, (to >> 6 & 3) as usize);
        let moved = self.0[origin] >> (from & 63) & 1;
        self.0[origin] &= !(1 << (from & 63));
        self.0[arrival] = self.0[arrival] & !(1 << (to & 63)) | moved << (to & 63);
    }

    /// Every number raised.
    #[inline(always)]
    const fn raised(self, by: u32) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let [a, b, c, d] = match (words, self.0) {
            (0, all) => all,
            (1, [a, b, c, _]) => [0, a, b, c],
            (2, [a, b, ..]) => [0, 0, a, b],
            (_, [a, ..]) => [0, 0, 0, a],
        };
        if bits == 0 {
            return Self([a, b, c, d]);
        }
        let rest = 64 - bits;
        Self([
            a << bits,
            b << bits | a >> rest,
            c << bits | b >> rest,
            d << bits | c >> rest,
        ])
    }

    /// Every number lowered.
    #[inline(always)]
    const fn lowered(self, by: u32) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let [a, b, c, d] = match (words, self.0) {
            (0, all) => all,
            (1, [_, b, c, d]) => [b, c, d, 0],
            (2, [_, _, c, d]) => [c, d, 0, 0],
            (_, [.., d]) => [d, 0, 0, 0],
        };
        if bits == 0 {
            return Self([a, b, c, d]);
        }
        let rest = 64 - bits;
        Self([
            a >> bits | b << rest,
            b >> bits | c << rest,
            c >> bits | d << rest,
            d >> bits,
        ])
    }

    /// All squares moved this many steps in a direction. A step off the board ends in a bit that is not a square.
    #[inline(always)]
    const fn moved(self, direction: Direction, steps: u32) -> Self {
        let by = STRIDES[direction & 3] * steps;
        if direction < 4 {
            self.raised(by)
        } else {
            self.lowered(by)
        }
    }

    /// All squares moved one step in a direction; squares off the board are dropped.
    #[inline(always)]
    pub fn step(self, direction: Direction) -> Self {
        self.moved(direction, 1) & Self::BOARD
    }

    /// All squares moved one step forward for the side.
    #[inline]
    pub fn forward(self, side: Side) -> Self {
        match side {
            Side::White => self.step(0),
            Side::Black => self.step(4),
        }
    }

    /// What pawns on these squares attack, towards file `n` and towards file `a`.
    #[inline]
    pub fn pawn_attacks(self, side: Side) -> [Self; 2] {
        match side {
            Side::White => [self.step(2), self.step(3)],
            Side::Black => [self.step(7), self.step(6)],
        }
    }

    /// Every jump of a knight, one set for each kind of jump.
    #[inline]
    pub fn knight_jumps(self) -> [Self; 8] {
        [
            self.raised(2 * RANK + 1) & Self::BOARD,
            self.raised(2 * RANK - 1) & Self::BOARD,
            self.raised(RANK + 2) & Self::BOARD,
            self.raised(RANK - 2) & Self::BOARD,
            self.lowered(2 * RANK + 1) & Self::BOARD,
            self.lowered(2 * RANK - 1) & Self::BOARD,
            self.lowered(RANK + 2) & Self::BOARD,
            self.lowered(RANK - 2) & Self::BOARD,
        ]
    }

    /// What sliders attack in one direction, up to and including the first square that is not `empty`. No square is
    /// attacked twice: only the nearest slider on the way back attacks it.
    #[inline(always)]
    pub fn slide(self, direction: Direction, empty: Self) -> Self {
        if direction == 1 {
            // Subtracting twice the slider from the occupied squares flips every bit up to the first blocker
            // (o^(o-2r)).
            let full = !empty & Self::BOARD | WALL;
            let mut turned = full.0;
            for (word, sliders) in turned.iter_mut().zip(self.0) {
                *word ^= word.wrapping_sub(sliders << 1);
            }
            return Self(turned) & Self::BOARD;
        }
        let (mut reached, mut open) = (self, empty);
        for steps in [1, 2, 4] {
            reached |= open & reached.moved(direction, steps);
            open &= open.moved(direction, steps);
        }
        reached |= open & reached.moved(direction, 8);
        reached.step(direction)
    }

    /// Calls `visit` with the numbers of the set, `a1` first.
    // For sets of a few squares that are all wanted: no state is kept between them.
    #[inline(always)]
    pub fn for_each(self, mut visit: impl FnMut(u32)) {
        for (base, mut word) in [0, 64, 128, 192].into_iter().zip(self.0) {
            while word != 0 {
                visit(base + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }

    /// Mixes the set into a hash.
    #[inline]
    pub fn mix_into(self, key: u64) -> u64 {
        self.0.into_iter().fold(key, |key, word| {
            (key.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }
}

impl BitAnd for SquareSet {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a & e, b & f, c & g, d & h])
    }
}

impl BitOr for SquareSet {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.or(other)
    }
}

impl BitXor for SquareSet {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a ^ e, b ^ f, c ^ g, d ^ h])
    }
}

/// Complements all bits, including those that are not squares: only for removing squares from a set.
impl Not for SquareSet {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([!a, !b, !c, !d])
    }
}

impl BitAndAssign for SquareSet {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for SquareSet {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitXorAssign for SquareSet {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl FromIterator<u32> for SquareSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut set = Self::EMPTY;
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

/// The numbers of a set, `a1` first.
#[derive(Clone)]
pub(super) struct Numbers {
    words: [u64; 4],
    at: u32,
}

impl Iterator for Numbers {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while self.at < 4 {
            let word = &mut self.words[self.at as usize];
            if *word != 0 {
                let number = self.at * 64 + word.trailing_zeros();
                *word &= *word - 1;
                return Some(number);
            }
            self.at += 1;
        }
        None
    }
}

impl IntoIterator for SquareSet {
    type Item = u32;
    type IntoIter = Numbers;

    #[inline]
    fn into_iter(self) -> Numbers {
        Numbers {
            words: self.0,
            at: 0,
        }
    }
}

impl std::fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set()
            .entries(self.into_iter().map(|index| square_at(index).to_string()))
            .finish()
    }
}
