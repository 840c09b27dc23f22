//! The pockets of both players.

use overboard_rules::{
    by_side::BySide,
    square::{Role, Side},
};

/// The kinds of pieces that a pocket can hold, in the order in which it is written.
pub const HELD: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// How many pieces of each kind White and Black hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pockets(BySide<[u8; 5]>);

/// The index of a kind of piece in a pocket; `None` for one that is never held.
#[inline]
const fn index(role: Role) -> Option<usize> {
    Some(match role {
        Role::Queen => 0,
        Role::Rook => 1,
        Role::Bishop => 2,
        Role::Knight => 3,
        Role::Pawn => 4,
        Role::King | Role::Silver | Role::Gold => return None,
    })
}

impl Pockets {
    /// How many pieces of a kind a side holds.
    #[must_use]
    #[inline]
    pub fn count(&self, side: Side, role: Role) -> u8 {
        index(role).map_or(0, |kind| self.0[side][kind])
    }

    /// The kinds that a side holds, with their numbers, in the order of [`HELD`].
    pub fn held(&self, side: Side) -> impl Iterator<Item = (Role, u8)> + use<> {
        let held = HELD.into_iter().zip(self.0[side]);
        held.filter(|(_, count)| *count > 0)
    }

    /// The number of pieces in both pockets.
    #[must_use]
    pub fn total(&self) -> usize {
        self.0.iter().flatten().copied().map(usize::from).sum()
    }

    /// The pockets as one number; different ones may have the same.
    #[inline]
    pub(super) fn packed(&self) -> u64 {
        let mut packed = 0;
        for count in self.0.iter().flatten() {
            packed = packed << 6 | u64::from(*count & 63);
        }
        packed
    }

    /// Adds a piece to a pocket. A king, which only an illegal act can take, does not go there.
    #[inline]
    pub(super) fn put(&mut self, side: Side, role: Role) {
        if let Some(kind) = index(role) {
            let count = &mut self.0[side][kind];
            *count = count.saturating_add(1);
        }
    }

    /// Takes a piece out of a pocket. Returns whether it was there.
    #[inline]
    pub(super) fn take(&mut self, side: Side, role: Role) -> bool {
        let Some(kind) = index(role) else {
            return false;
        };
        let count = &mut self.0[side][kind];
        let was_there = *count > 0;
        *count = count.saturating_sub(1);
        was_there
    }
}
