//! Sub-sets: what is left of sixteen pieces, and how they are set up.

use crate::{board8::board::BACK, chess::Chess};
use overboard_rules::{
    setup::Setup,
    square::{Piece, Role, Side},
};
use std::fmt::{self, Write};

/// The kinds of pieces that a sub-set can lose, in the order P N B R Q.
pub const KINDS: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];
/// The value of each kind in points (OV-14), in the same order.
const POINTS: [u32; 5] = [1, 3, 3, 5, 9];

/// The order in which the kinds are written.
const WRITTEN: [Role; 5] = [
    Role::Pawn,
    Role::Rook,
    Role::Knight,
    Role::Bishop,
    Role::Queen,
];

/// How many pawns, knights, bishops, rooks and queens there are; the king is not counted (OV-3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Roster([u8; 5]);

impl Roster {
    /// No pieces.
    pub const NONE: Self = Self([0; 5]);
    /// A complete sub-set (OV-20).
    pub const FULL: Self = Self([8, 2, 2, 2, 1]);

    /// Pieces of these kinds.
    pub(crate) fn of(kinds: impl Iterator<Item = Role>) -> Self {
        kinds.fold(Self::NONE, Self::plus)
    }

    /// The number of pieces of a kind.
    #[must_use]
    pub fn count(self, role: Role) -> u8 {
        self.0.get(role as usize).copied().unwrap_or(0)
    }

    /// The kinds that are present, in the order in which they are written, with their numbers.
    pub fn counts(self) -> impl Iterator<Item = (Role, u8)> {
        let counts = WRITTEN.map(|role| (role, self.count(role)));
        counts.into_iter().filter(|(_, count)| *count > 0)
    }

    /// The same with another number of a kind.
    #[must_use]
    pub fn with(mut self, role: Role, count: u8) -> Self {
        if let Some(slot) = self.0.get_mut(role as usize) {
            *slot = count;
        }
        self
    }

    /// One more of a kind.
    #[must_use]
    pub fn plus(self, role: Role) -> Self {
        self.with(role, self.count(role).saturating_add(1))
    }

    /// One less of a kind.
    #[must_use]
    pub fn less(self, role: Role) -> Self {
        self.with(role, self.count(role).saturating_sub(1))
    }

    /// What is missing from a complete sub-set.
    #[must_use]
    pub fn room(self) -> Self {
        self.paired(Self::FULL, |have, full| full.saturating_sub(have))
    }

    /// The smaller number of each kind.
    #[must_use]
    pub fn common(self, other: Self) -> Self {
        self.paired(other, u8::min)
    }

    /// The sum of both.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        self.paired(other, u8::saturating_add)
    }

    /// The pieces of this one without those of the other.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        self.paired(other, u8::saturating_sub)
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// Whether the other has at least as many of each kind.
    #[must_use]
    pub fn fits_in(self, other: Self) -> bool {
        self.common(other) == self
    }

    /// Strength in points (OV-14): P1 N3 B3 R5 Q9, a complete sub-set 39.
    #[must_use]
    pub fn points(self) -> u32 {
        let points = POINTS.into_iter().zip(self.0);
        points
            .map(|(points, count)| points * u32::from(count))
            .sum()
    }

    /// A number that is unique to this roster.
    pub(crate) fn code(self) -> u64 {
        let [a, b, c, d, e] = self.0;
        u64::from_be_bytes([0, 0, 0, a, b, c, d, e])
    }

    /// Calls `visit` with every non-empty part of it.
    pub(crate) fn for_each_part(self, mut visit: impl FnMut(Self)) {
        let mut part = Self::NONE;
        'next: loop {
            for (slot, most) in part.0.iter_mut().zip(self.0) {
                if *slot < most {
                    *slot += 1;
                    visit(part);
                    continue 'next;
                }
                *slot = 0;
            }
            return;
        }
    }

    fn paired(self, other: Self, join: impl Fn(u8, u8) -> u8) -> Self {
        let mut joined = self;
        for (slot, other) in joined.0.iter_mut().zip(other.0) {
            *slot = join(*slot, other);
        }
        joined
    }
}

impl fmt::Display for Roster {
    /// `5P2R1N2B1Q`; `0` is the empty one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (role, count) in self.counts() {
            write!(f, "{count}{}", role.letter())?;
        }
        if self.is_none() {
            f.write_char('0')
        } else {
            Ok(())
        }
    }
}

/// The squares on which the pieces of a sub-set start (OV-4): files of the pawns on the second rank and of the officers
/// on the first, `a` the lowest bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Arrangement {
    /// Files with a pawn.
    pub pawns: u8,
    /// Files with an officer; on each is the kind that is regular there.
    pub officers: u8,
}

const KING: u8 = 1 << 4;

impl Arrangement {
    /// The pieces that it sets up.
    #[must_use]
    pub fn roster(self) -> Roster {
        // At most eight.
        let mut roster = Roster::NONE.with(Role::Pawn, self.pawns.count_ones() as u8);
        for (file, role) in BACK.into_iter().enumerate() {
            if role != Role::King && self.officers >> file & 1 == 1 {
                roster = roster.plus(role);
            }
        }
        roster
    }

    /// Whether the king is on its square.
    #[must_use]
    pub const fn has_king(self) -> bool {
        self.officers & KING != 0
    }

    /// Calls `visit` with every set-up of a roster, fewest bits first.
    pub fn for_each_of(roster: Roster, mut visit: impl FnMut(Self)) {
        let officers = back_ranks(roster);
        let count = u32::from(roster.count(Role::Pawn));
        for pawns in 0..=u8::MAX {
            if pawns.count_ones() != count {
                continue;
            }
            for officers in &officers {
                visit(Self {
                    pawns,
                    officers: *officers,
                });
            }
        }
    }

    /// The only set-up of a roster, if it has only one.
    #[must_use]
    pub fn only_one(roster: Roster) -> Option<Self> {
        for role in KINDS {
            let count = roster.count(role);
            if count > 0 && count < Roster::FULL.count(role) {
                return None;
            }
        }
        let has_pawns = roster.count(Role::Pawn) > 0;
        let pawns = if has_pawns { u8::MAX } else { 0 };
        let mut officers = 0;
        for (file, role) in BACK.into_iter().enumerate() {
            if role == Role::King || roster.count(role) > 0 {
                officers |= 1 << file;
            }
        }
        Some(Self { pawns, officers })
    }
}

/// The sets of files on which the officers of a roster can start.
fn back_ranks(roster: Roster) -> Vec<u8> {
    let fits = |files: &u8| {
        let officers = Arrangement {
            pawns: 0,
            officers: *files,
        };
        officers.has_king() && officers.roster() == roster.with(Role::Pawn, 0)
    };
    (0..=u8::MAX).filter(fits).collect()
}

/// The initial position of a sub-game; the attacker is White (OV-4, OV-5).
pub(crate) fn first_position(attacker: Arrangement, defender: Arrangement) -> Option<Chess> {
    let mut board = [None; 64];
    for (side, pieces, first, second) in [
        (Side::White, attacker, 0, 8),
        (Side::Black, defender, 56, 48),
    ] {
        for (file, officer) in BACK.into_iter().enumerate() {
            for (rank, files, role) in [
                (first, pieces.officers, officer),
                (second, pieces.pawns, Role::Pawn),
            ] {
                if files >> file & 1 == 1 {
                    board[rank + file] = Some(Piece { side, role });
                }
            }
        }
    }
    let castling = [7, 0, 63, 56].map(|corner: usize| board[corner].is_some());
    let setup = Setup {
        board,
        turn: Side::White,
        castling,
        rook_files: Setup::CORNERS,
        en_passant: None,
        halfmove: 0,
        fullmove: 1,
    };
    Chess::from_setup(&setup).ok()
}
