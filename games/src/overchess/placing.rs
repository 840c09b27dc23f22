//! The set-up of individuals, one after the other.

use super::{
    army::Places,
    individuals::seen_by,
    name::{KING, SubSetPlace},
};
use overboard_rules::{by_side::BySide, square::Side};

/// The squares of individuals on a side's first and second rank, by place.
pub type Placement = [Option<u8>; 16];

/// The set-ups of a sub-game whose pieces are individuals: the attacker's, then the defender's. Individuals
/// are placed in the order P N B R Q, then by place; an individual with only one possible square is placed
/// automatically.
#[derive(Clone, Debug)]
pub struct Placing {
    /// The individuals of attacker and defender.
    pub armies: BySide<Places>,
    /// The squares of the individuals placed so far.
    pub squares: BySide<Placement>,
}

impl Placing {
    /// A set-up in which these have been placed, and those without a choice.
    pub fn of(armies: BySide<Places>, squares: BySide<Placement>) -> Self {
        let mut placing = Self { armies, squares };
        placing.go_on();
        placing
    }

    /// Who is placed next.
    pub fn due(&self) -> Option<(Side, SubSetPlace)> {
        for side in Side::BOTH {
            let squares = &self.squares[side];
            let is_due = |place: &SubSetPlace| squares[usize::from(place.number())].is_none();
            if let Some(place) = self.armies[side].held().find(is_due) {
                return Some((side, place));
            }
        }
        None
    }

    /// The free regular squares of the next one's kind, from its side's point of view.
    pub fn free(&self) -> Vec<SubSetPlace> {
        let Some((side, next)) = self.due() else {
            return Vec::new();
        };
        let taken = |place: &SubSetPlace| {
            let at = seen_by(side, place.number());
            self.squares[side].contains(&Some(at))
        };
        SubSetPlace::of_kind(next.role())
            .filter(|place| !taken(place))
            .collect()
    }

    /// Puts the next one on a square of its kind.
    pub fn put(&mut self, on: SubSetPlace) {
        self.put_one(on);
        self.go_on();
    }

    fn put_one(&mut self, on: SubSetPlace) {
        if let Some((side, next)) = self.due() {
            self.squares[side][usize::from(next.number())] = Some(seen_by(side, on.number()));
        }
    }

    fn go_on(&mut self) {
        while let [only] = self.free()[..] {
            self.put_one(only);
        }
    }

    /// The squares of all individuals, once all have been placed.
    pub fn done(&self) -> Option<BySide<[u8; 16]>> {
        if self.due().is_some() {
            return None;
        }
        let standing = |squares: Placement| squares.map(|at| at.unwrap_or(KING));
        Some(self.squares.map(standing))
    }
}
