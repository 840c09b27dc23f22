//! Which individual is where in one over-game, and who is off the board.

use super::{
    army::{Army, Individual, Places},
    contest::{Contest, Places as ContestPlaces},
    name::{KING, Name, SubSetPlace},
    placing::Placing,
    state::{Game, has_set},
};
use crate::board8::board::BoardMove as OverMove;
use overboard_rules::{
    by_side::BySide,
    hash,
    path::{index, square},
    square::{Side, Square},
};

/// Nobody is there.
const NOBODY: u8 = u8::MAX;

/// Which individuals the over-pieces of an over-game are. [`Game`] keeps the counts of pieces behind each.
#[derive(Clone, Debug)]
pub(super) struct Individuals {
    /// The over-pieces of White and Black, by place.
    pub sides: BySide<Places>,
    /// The number of the place whose individual is on each square; 16 more for Black.
    pub holders: [u8; 64],
    /// The same for attacked over-pieces, the one to be settled first at index 0.
    pub attacked: [u8; 2],
    /// The set-up in progress for the inner game.
    pub placing: Option<Placing>,
    /// The loser's individuals that the winner may still take.
    pub captives: Places,
    /// The individuals of a consolidated over-piece that may still be handed over.
    pub hand: Places,
}

/// Where an individual is: on a square, or attacked on one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Seat {
    /// On the square with this number.
    On(u8),
    /// In the contest with this index.
    Attacked(usize),
}

/// The number of a place among those of both sides.
const fn holder(side: Side, place: u8) -> u8 {
    side as u8 * 16 + place
}

/// The place of a holder in its set; `None` for nobody.
fn place_of(holder: u8) -> Option<SubSetPlace> {
    if holder == NOBODY {
        return None;
    }
    SubSetPlace::numbered(holder % 16)
}

const fn side_of(holder: u8) -> Side {
    if holder < 16 {
        Side::White
    } else {
        Side::Black
    }
}

/// A square of a side's first two ranks, as the corresponding one of the other side.
pub(super) const fn seen_by(side: Side, number: u8) -> u8 {
    match side {
        Side::White => number,
        Side::Black => number ^ 56,
    }
}

impl Individuals {
    /// Nobody anywhere.
    pub fn nobody() -> Self {
        Self {
            sides: BySide::default(),
            holders: [NOBODY; 64],
            attacked: [NOBODY; 2],
            placing: None,
            captives: Places::default(),
            hand: Places::default(),
        }
    }

    /// Those with which the outermost over-game begins.
    pub fn at_home() -> Self {
        let mut all = Self::nobody();
        for side in Side::BOTH {
            for place in SubSetPlace::ALL {
                let at = seen_by(side, place.number());
                let name = Name::over_piece(square(at));
                all.sides[side].put(place, Individual::untouched(name));
                all.seat(side, place.number(), Seat::On(at));
            }
            all.seat(side, KING, Seat::On(seen_by(side, KING)));
        }
        all
    }

    /// These armies set up on these squares.
    pub fn set_up(sides: BySide<Places>, squares: BySide<[u8; 16]>) -> Self {
        let mut all = Self::nobody();
        for (side, places) in sides.pairs() {
            all.seat(side, KING, Seat::On(seen_by(side, KING)));
            for place in places.held() {
                let number = place.number();
                all.seat(side, number, Seat::On(squares[side][usize::from(number)]));
            }
        }
        Self { sides, ..all }
    }

    /// The hash of everything behind the over-pieces (OV-17).
    pub fn hash(&self) -> u128 {
        let mut words = Vec::with_capacity(100);
        let standing = (0..).zip(self.holders);
        let attacked = (64..).zip(self.attacked);
        for (at, holder) in standing.chain(attacked) {
            if let Some(one) = self.get(holder) {
                let hash = one.army.hash();
                words.extend([at, hash as u64, (hash >> 64) as u64]);
            }
        }
        hash::of(&words)
    }

    pub fn get(&self, holder: u8) -> Option<&Individual> {
        let place = place_of(holder)?;
        self.sides[side_of(holder)].at(place)
    }

    pub fn get_mut(&mut self, holder: u8) -> Option<&mut Individual> {
        let place = place_of(holder)?;
        self.sides[side_of(holder)].at_mut(place)
    }

    pub fn remove(&mut self, holder: u8) -> Option<Individual> {
        let place = place_of(holder)?;
        self.sides[side_of(holder)].take(place)
    }

    /// The individual on a square; on a contested one the attacker.
    pub fn at(&self, on: Square) -> Option<&Individual> {
        self.get(self.holders[usize::from(index(on))])
    }

    /// The attacked over-piece of a contested square; 0 is the one to be settled first.
    pub fn attacked(&self, slot: usize) -> Option<&Individual> {
        self.get(self.attacked.get(slot).copied().unwrap_or(NOBODY))
    }

    /// The pieces of a contest: the attacker and the attacked.
    pub fn parties(&self, contest: &Contest) -> Option<[&Individual; 2]> {
        Some([
            self.get(self.holders[usize::from(contest.to)])?,
            self.get(self.attacked[0])?,
        ])
    }

    /// Puts an individual of a side's place on a square, or among those attacked.
    pub fn seat(&mut self, side: Side, number: u8, seat: Seat) {
        let slot = match seat {
            Seat::On(at) => &mut self.holders[usize::from(at)],
            Seat::Attacked(slot) => &mut self.attacked[slot],
        };
        *slot = holder(side, number);
    }

    /// Moves the individuals of an over-move that is about to be made.
    pub fn carry(&mut self, m: OverMove, game: &Game) {
        let (target, rook) = (game.board.target(m), game.board.rook_of(m));
        let king = self.holders[usize::from(m.from)] % 16 == KING;
        let slot = usize::from(game.contests[0].is_some());
        if let Some(at) = target {
            let victim = self.lift(at);
            if king {
                self.remove(victim);
            } else {
                self.attacked[slot] = victim;
            }
        }
        for (from, to) in [Some((m.from, m.to)), rook].into_iter().flatten() {
            self.holders[usize::from(to)] = self.lift(from);
        }
    }

    /// Takes an individual off its square, and returns its holder.
    fn lift(&mut self, at: u8) -> u8 {
        std::mem::replace(&mut self.holders[usize::from(at)], NOBODY)
    }

    /// The same for an over-piece that is put on another square against the rules (GEN-9); `None` if the result is not
    /// a position.
    pub fn displace(&mut self, from: Square, to: Square, game: &Game) -> Option<()> {
        let attacks = match [from, to].map(|on| game.board.piece_at(index(on))) {
            [Some(mover), Some(taken)] => taken.side != mover.side && has_set(mover),
            _ => false,
        };
        let slot = usize::from(game.contests[0].is_some());
        let arrives = self.lift(index(from));
        let victim = std::mem::replace(&mut self.holders[usize::from(index(to))], arrives);
        if attacks {
            *self.attacked.get_mut(slot)? = victim;
        } else {
            self.remove(victim);
        }
        Some(())
    }

    /// Puts the individuals of a contest where it leaves them; captured ones are removed.
    pub fn rise(&mut self, contest: &Contest, standing: ContestPlaces) {
        let attacker = self.lift(contest.to);
        let attacked = self.attacked[0];
        self.attacked = [self.attacked[1], NOBODY];
        for (holder, at) in [(attacker, standing.attacker), (attacked, standing.defender)] {
            match at {
                Some(at) => self.holders[usize::from(at)] = holder,
                None => drop(self.remove(holder)),
            }
        }
    }

    /// An individual joins the sub-set of the over-piece on a square.
    pub fn join(&mut self, at: u8, from: SubSetPlace, individual: Individual) {
        let holder = self.holders[usize::from(at)];
        if let Some(one) = self.get_mut(holder) {
            let mut places = one.army.places(&one.name);
            places.join(from, individual);
            one.army = Army::of_places(places, &one.name);
        }
    }

    /// The over-piece on a square leaves the board.
    pub fn leave(&mut self, at: u8) -> Option<Individual> {
        let holder = self.lift(at);
        self.remove(holder)
    }
}
