//! The name of an individual, which never changes (OV-41).

use super::roster::KINDS;
use crate::board8::board::BACK;
use overboard_rules::square::{Role, Square};
use std::{fmt, sync::Arc};

/// A step of a name: one of the pieces behind an over-piece, or one of its spares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// The piece on this regular square, from White's point of view; as the outermost step, the over-piece's first
    /// square.
    Square(Square),
    /// The spare piece of this kind that was called in as number n, from 1.
    Spare(Role, u16),
}

impl Step {
    /// The kind of piece that it names, inside a sub-set.
    #[must_use]
    pub fn role(self) -> Option<Role> {
        match self {
            Self::Square(on) => SubSetPlace::of(on).map(SubSetPlace::role),
            Self::Spare(role, _) => KINDS.contains(&role).then_some(role),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Square(on) => on.fmt(f),
            Self::Spare(role, number) => write!(f, "{}{number}", role.letter()),
        }
    }
}

/// The name of an individual: the over-piece from which it came, and the path to it. `e7/a2` is the pawn on `a2` among
/// the pieces of the over-piece that began on `e7`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(Arc<[Step]>);

impl Name {
    /// The name with these steps; `None` if there are none, or the last one names no piece of a sub-set.
    #[must_use]
    pub fn of(steps: &[Step]) -> Option<Self> {
        for inner in steps.get(1..)? {
            inner.role()?;
        }
        Some(Self(steps.into()))
    }

    /// The over-piece that began on a square.
    #[must_use]
    pub fn over_piece(on: Square) -> Self {
        Self([Step::Square(on)].into())
    }

    /// A piece of this one's sub-set.
    #[must_use]
    pub fn inner(&self, step: Step) -> Self {
        let mut steps = self.0.to_vec();
        steps.push(step);
        Self(steps.into())
    }

    /// The piece that began in a place of this one's sub-set.
    pub(super) fn own(&self, place: SubSetPlace) -> Self {
        self.inner(Step::Square(place.square()))
    }

    /// The steps, the outermost first.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The kind of piece that it names, inside a sub-set.
    pub(super) fn role(&self) -> Option<Role> {
        self.0.last()?.role()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            write!(f, "{}{step}", if at > 0 { "/" } else { "" })?;
        }
        Ok(())
    }
}

/// A place in a sub-set: a regular square from White's point of view, `a1` to `h2`, except the king's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SubSetPlace(u8);

/// The number of the king's place, which no other piece has.
pub(super) const KING: u8 = 4;

impl SubSetPlace {
    /// All places in the order P N B R Q, then by square (GEN-8).
    pub const ALL: [Self; 15] = [
        Self(8),
        Self(9),
        Self(10),
        Self(11),
        Self(12),
        Self(13),
        Self(14),
        Self(15),
        Self(1),
        Self(6),
        Self(2),
        Self(5),
        Self(0),
        Self(7),
        Self(3),
    ];

    /// The place of a square.
    #[must_use]
    pub fn of(on: Square) -> Option<Self> {
        let number = on.rank * 8 + on.file;
        (on.file < 8 && on.rank < 2 && number != KING).then_some(Self(number))
    }

    /// Its square.
    #[must_use]
    pub const fn square(self) -> Square {
        Square::new(self.0 % 8, self.0 / 8)
    }

    /// The kind of piece to which it belongs.
    #[must_use]
    pub fn role(self) -> Role {
        BACK.get(usize::from(self.0)).copied().unwrap_or(Role::Pawn)
    }

    /// Its number: 0 to 7 from `a1`, 8 to 15 from `a2`.
    pub(super) const fn number(self) -> u8 {
        self.0
    }

    /// The place with this number.
    pub(super) fn numbered(number: u8) -> Option<Self> {
        (number < 16 && number != KING).then_some(Self(number))
    }

    /// Its index in [`Self::ALL`].
    pub(super) fn order(self) -> usize {
        Self::ALL
            .iter()
            .position(|place| *place == self)
            .unwrap_or_default()
    }

    /// The places of a kind, by square.
    pub fn of_kind(role: Role) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |place| place.role() == role)
    }
}
