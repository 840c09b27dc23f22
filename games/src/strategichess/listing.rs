//! Every legal move in both spellings, in the order of the coordinates.
//!
//! A position has a hundred moves, and most of the text is the same for all moves of a piece or to a square. So moves
//! stay sets of squares until they are written: where two pieces of a kind can go is found by intersecting their sets,
//! which moves give check by the squares from which the king is attacked, and the order by renumbering the squares as
//! their names sort.

use super::{
    Strategi,
    board::Board,
    lines,
    moves::Move,
    scope::Scope,
    squares::{SquareSet, square_at},
};
use crate::one_board::notation::BoardNotation as _;
use arrayvec::ArrayVec;
use overboard_formats::san::{ShortPart, ShortText};
use overboard_referee::game::listing::SpeltPly;
use overboard_rules::{
    position::Movegen as _,
    square::{Role, Side},
};

/// Squares of the board.
const SQUARES: usize = 196;

const NOTHING: ShortPart = letter(b'x', 0);

/// One letter, or none.
const fn letter(letter: u8, count: u32) -> ShortPart {
    ShortPart::new([letter, 0, 0, 0], count)
}

/// The names of the squares, by number.
static NAMES: [ShortPart; 256] = {
    let mut names = [NOTHING; 256];
    let mut at = 0;
    while at < 256 {
        let (file, rank) = (b'a' + (at % 16) as u8, (at / 16) as u8 + 1);
        names[at] = if rank < 10 {
            ShortPart::new([file, b'0' + rank, 0, 0], 2)
        } else {
            ShortPart::new([file, b'0' + rank / 10, b'0' + rank % 10, 0], 3)
        };
        at += 1;
    }
    names
};

/// Squares renumbered so that sets list them in the order of their names, and back.
struct Order {
    places: [u8; 256],
    squares: [u8; 256],
}

/// The name of an origin is followed by a letter, and digits sort before letters: `a10` before `a1`.
static ORIGINS: Order = order([5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4]);
/// The name of an arrival is followed by nothing: `a1` before `a10` before `a2`.
static ARRIVALS: Order = order([0, 6, 7, 8, 9, 10, 11, 12, 13, 1, 2, 3, 4, 5]);

const fn order(ranks: [u8; 14]) -> Order {
    let mut order = Order {
        places: [0; 256],
        squares: [0; 256],
    };
    let mut at = 0;
    while at < 256 {
        let (file, rank) = (at % 16, at / 16);
        if rank < 14 {
            let place = file as u8 * 16 + ranks[rank];
            order.places[at] = place;
            order.squares[place as usize] = at as u8;
        }
        at += 1;
    }
    order
}

impl Order {
    #[inline(always)]
    fn place(&self, square: u32) -> u32 {
        self.places[usize::from(square as u8)].into()
    }

    /// Calls `visit` with the squares of a set in this order.
    #[inline(always)]
    fn for_each(&self, set: SquareSet, mut visit: impl FnMut(u32)) {
        let mut places = SquareSet::EMPTY;
        set.for_each(|square| places.insert(self.place(square)));
        places.for_each(|place| visit(u32::from(self.squares[usize::from(place as u8)])));
    }
}

/// A piece of the side to move, and where it may go.
struct Mover {
    from: u32,
    role: Role,
    to: SquareSet,
}

/// The squares from which the enemy's king is attacked, by kind of piece.
struct Checks {
    direct: [SquareSet; 6],
    /// Pieces that block a line of their own side's sliders, and the king at its end.
    screens: SquareSet,
    king: u32,
}

impl Checks {
    fn of(board: &Board, side: Side) -> Self {
        let king = board.of_kind(Role::King, side.other()).first();
        let occupied = board.occupied();
        let (straight, slanting) = (
            lines::rook_attacks(king, occupied),
            lines::bishop_attacks(king, occupied),
        );
        let (pawn, knight) = (
            lines::pawn_attacks(king, side.other()),
            lines::knight_attacks(king),
        );
        let mut screens = SquareSet::EMPTY;
        for slider in board.sliders_in_line(king, side) {
            let between = lines::between(king, slider) & occupied;
            if !between.is_crowd() {
                screens |= between & board.all(side);
            }
        }
        let direct = [
            pawn,
            knight,
            slanting,
            straight,
            straight | slanting,
            SquareSet::EMPTY,
        ];
        Self {
            direct,
            screens,
            king,
        }
    }

    /// The squares on which a piece gives check, if it gets there.
    #[inline]
    fn squares(&self, mover: &Mover) -> SquareSet {
        let direct = self
            .direct
            .get(mover.role as usize)
            .copied()
            .unwrap_or_default();
        if !self.screens.has(mover.from) {
            return direct;
        }
        direct | SquareSet::BOARD & !lines::through(self.king, mover.from)
    }
}

/// The pieces of the side to move, and where pieces of a kind can meet.
struct Movers {
    /// Kind by kind, so that nothing has to be looked up by square.
    list: ArrayVec<Mover, SQUARES>,
    /// The renumbered squares of the pieces, and the index in the list for each.
    places: SquareSet,
    numbers: [u8; 256],
    /// By kind, the squares to which more than one of them can go.
    shared: [SquareSet; 6],
}

impl Movers {
    #[inline(always)]
    fn none() -> Self {
        Self {
            list: ArrayVec::new(),
            places: SquareSet::EMPTY,
            numbers: [0; 256],
            shared: [SquareSet::EMPTY; 6],
        }
    }

    /// In place: returning a list of this length would take as long as making it.
    fn take(&mut self, scope: &Scope<'_>) {
        let mut reached = [SquareSet::EMPTY; 6];
        scope.for_each_mover(|from, role, to| {
            if let (Some(reached), Some(shared)) = (
                reached.get_mut(role as usize),
                self.shared.get_mut(role as usize),
            ) {
                *shared |= *reached & to;
                *reached |= to;
            }
            let place = ORIGINS.place(from);
            self.places.insert(place);
            self.numbers[usize::from(place as u8)] = self.list.len() as u8;
            self.list.push(Mover { from, role, to });
        });
    }

    /// Calls `visit` with them in the order of their squares' names.
    #[inline(always)]
    fn for_each(&self, mut visit: impl FnMut(&Mover)) {
        self.places.for_each(|place| {
            if let Some(mover) = self
                .list
                .get(usize::from(self.numbers[usize::from(place as u8)]))
            {
                visit(mover);
            }
        });
    }

    /// As much of a move's origin as distinguishes it from those of other pieces of its kind: nothing, the file, the
    /// rank, or both.
    fn origin(&self, mover: &Mover, to: u32, captures: bool) -> ShortPart {
        if mover.role == Role::Pawn && captures {
            // Captures on a square come from different files.
            return file_name(mover.from);
        }
        if self.shared(mover).has(to) {
            self.shared_origin(mover, to)
        } else {
            NOTHING
        }
    }

    /// The squares to which others of its kind can go as well, among others.
    #[inline]
    fn shared(&self, mover: &Mover) -> SquareSet {
        self.shared
            .get(mover.role as usize)
            .copied()
            .unwrap_or_default()
    }

    fn shared_origin(&self, mover: &Mover, to: u32) -> ShortPart {
        let rivals = || {
            let all = self
                .list
                .iter()
                .filter(|other| other.role == mover.role && other.from != mover.from);
            all.filter(|other| other.to.has(to)).map(|other| other.from)
        };
        if rivals().all(|rival| rival % 16 != mover.from % 16) {
            file_name(mover.from)
        } else if rivals().all(|rival| rival / 16 != mover.from / 16) {
            rank_name(mover.from)
        } else {
            NAMES[usize::from(mover.from as u8)]
        }
    }
}

fn file_name(square: u32) -> ShortPart {
    letter(square_at(square).file + b'a', 1)
}

fn rank_name(square: u32) -> ShortPart {
    let rank = square_at(square).rank + 1;
    if rank < 10 {
        letter(b'0' + rank, 1)
    } else {
        ShortPart::new([b'0' + rank / 10, b'0' + rank % 10, 0, 0], 2)
    }
}

impl Strategi {
    /// Calls `visit` with every legal move in coordinates and as SAN with its sign, in byte order of the coordinates.
    pub(super) fn spell_in_order(&self, visit: &mut impl FnMut(SpeltPly<'_>)) {
        let mut movers = Movers::none();
        movers.take(&self.scope());
        let checks = Checks::of(&self.board, self.turn);
        let enemies = self.board.all(self.turn.other());
        movers.for_each(|mover| {
            let origin = NAMES[usize::from(mover.from as u8)];
            let is_pawn = mover.role == Role::Pawn;
            let piece = letter(mover.role.letter() as u8, u32::from(!is_pawn));
            let checking = checks.squares(mover);
            let special = checking | enemies | movers.shared(mover);
            ARRIVALS.for_each(mover.to, |to| {
                let arrival = NAMES[usize::from(to as u8)];
                let coordinates = ShortText::of(origin, arrival);
                let mut san = ShortText::of(piece, arrival);
                if special.has(to) {
                    let captures = enemies.has(to);
                    san = ShortText::of(piece, movers.origin(mover, to, captures));
                    san.push(letter(b'x', u32::from(captures)));
                    san.push(arrival);
                    if checking.has(to) {
                        san.push(self.sign(Move::new(mover.from, to)));
                    }
                }
                visit(SpeltPly::Short(&coordinates, &san));
            });
        });
    }

    /// The sign of a move that gives check.
    #[cold]
    fn sign(&self, m: Move) -> ShortPart {
        let sign = self.after(m).suffix().as_str().as_bytes();
        letter(sign.first().copied().unwrap_or_default(), sign.len() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overboard_referee::game::listing::Listed;

    /// Each move spelt by itself, as other games do it.
    fn one_by_one(position: &Strategi) -> Vec<[String; 2]> {
        let mut list = Vec::new();
        position.legal_moves(|m| {
            list.push([
                position.coordinates(m).to_string(),
                position.san(m).to_string(),
            ]);
        });
        list.sort_unstable();
        list
    }

    fn spelt(position: &Strategi) -> Vec<[String; 2]> {
        let mut list = Vec::new();
        position.for_each_spelt(&mut |ply| {
            let Listed { coord, san, .. } = ply.into();
            list.push([coord.to_string(), san.to_string()]);
        });
        list
    }

    #[test]
    fn moves_are_spelt_and_sorted_as_one_by_one() {
        for fen in [
            // Queens that need file, rank or both; checks by what moves away; mate.
            "4Q2Q6/14/14/4Q9/14/k13/14/14/14/14/14/14/13K/14 w - 0 1",
            "k13/14/N13/R13/14/14/4B9/14/14/14/14/7R6/13K/RR12 w - 0 1",
            "k13/14/1K12/14/13R/14/14/14/14/14/14/14/14/14 w - 0 1",
            "14/14/14/14/2p1p1p1p5/3P1P1P6/14/14/2PP10/3P10/14/14/13K/k13 w - 0 1",
            "k13/14/14/14/14/14/14/4r9/14/14/4P9/4K9/14/14 w - 0 1",
        ] {
            let position = Strategi::read(fen).unwrap().position;
            assert_eq!(spelt(&position), one_by_one(&position), "{fen}");
        }
    }

    #[test]
    fn moves_of_random_games_are_spelt_and_sorted_as_one_by_one() {
        let mut state = 5_usize;
        for _ in 0..12 {
            let mut position = Strategi::default();
            for ply in 0..400 {
                if ply % 3 == 0 {
                    assert_eq!(
                        spelt(&position),
                        one_by_one(&position),
                        "{}",
                        position.fen()
                    );
                }
                state = state
                    .wrapping_mul(0x5851_f42d_4c95_7f2d)
                    .wrapping_add(0x1405_7b7e_f767_814f);
                let Some(m) = position.pick_legal(|count| (state >> 33) % count) else {
                    break;
                };
                position.play(m);
            }
        }
    }
}
