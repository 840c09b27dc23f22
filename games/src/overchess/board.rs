//! The over-board: which over-pieces stand where, and how they go. Bit 0 of a set is `a1`, bit 8 `a2`.

use crate::chess::{attacks, lines, steps};
use overboard_rules::{
    ply::Wing,
    square::{Piece, Role, Side},
};

use super::roster::BACK;

/// A move on the over-board; a few bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OverMove {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) promotion: Option<Role>,
}

/// The over-pieces, the castling rights and the square crossed by a double step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Board {
    sides: [u64; 2],
    roles: [u64; 6],
    /// In the order K Q k q.
    pub castling: [bool; 4],
    pub en_passant: Option<u8>,
}

/// Where king and rook stand for each castling right, and where they go.
const CASTLES: [(u8, u8, u8, u8); 4] = [(4, 7, 6, 5), (4, 0, 2, 3), (60, 63, 62, 61), (60, 56, 58, 59)];
/// What a pawn may become.
pub(crate) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

pub(crate) const fn bit(square: u8) -> u64 {
    1 << square
}

/// The squares of a set, lowest first.
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        // Less than 64 where there is one.
        (lowest < 64).then_some(lowest as u8)
    })
}

/// The square ahead of a pawn.
fn ahead(side: Side, from: u8) -> Option<u8> {
    match side {
        Side::White => from.checked_add(8).filter(|to| *to < 64),
        Side::Black => from.checked_sub(8),
    }
}

/// The rank, from 0, on which this side's pawns promote.
pub(crate) const fn last_rank(side: Side) -> u8 {
    match side {
        Side::White => 7,
        Side::Black => 0,
    }
}

/// The square of the pawn that is taken by entering `crossed`, for the side that takes.
pub(crate) const fn victim_of(side: Side, crossed: u8) -> u8 {
    match side {
        Side::White => crossed - 8,
        Side::Black => crossed + 8,
    }
}

impl Board {
    pub fn start() -> Self {
        let mut board = Self { castling: [true; 4], ..Self::default() };
        for (file, role) in (0..8).zip(BACK) {
            for (side, officers, pawns) in [(Side::White, 0, 8), (Side::Black, 56, 48)] {
                board.put(officers + file, Piece { side, role });
                board.put(pawns + file, Piece { side, role: Role::Pawn });
            }
        }
        board
    }

    pub fn put(&mut self, square: u8, piece: Piece) {
        self.clear(square);
        self.sides[piece.side as usize] |= bit(square);
        if let Some(role) = self.roles.get_mut(piece.role as usize) {
            *role |= bit(square);
        }
    }

    pub fn clear(&mut self, square: u8) {
        self.sides.iter_mut().chain(&mut self.roles).for_each(|set| *set &= !bit(square));
    }

    pub const fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    pub const fn of(&self, side: Side) -> u64 {
        self.sides[side as usize]
    }

    pub fn kind(&self, role: Role) -> u64 {
        self.roles.get(role as usize).copied().unwrap_or(0)
    }

    /// The sets that tell one placement from another.
    pub const fn words(&self) -> [u64; 8] {
        let [p, n, b, r, q, k] = self.roles;
        [self.sides[0], self.sides[1], p, n, b, r, q, k]
    }

    pub fn piece_at(&self, square: u8) -> Option<Piece> {
        let side = [Side::White, Side::Black].into_iter().find(|side| self.of(*side) & bit(square) != 0)?;
        let role = Role::ALL.into_iter().find(|role| self.kind(*role) & bit(square) != 0)?;
        Some(Piece { side, role })
    }

    pub fn king(&self, side: Side) -> Option<u8> {
        squares(self.kind(Role::King) & self.of(side)).next()
    }

    /// The over-pieces of a side that attack a square.
    pub fn attackers(&self, square: u8, by: Side) -> u64 {
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles;
        let [king, knight] = steps(square);
        let [rook, bishop] = lines(square, self.occupied());
        // What would be attacked from there by the other side's own pawn attacks it.
        let pawn = attacks(Piece { side: by.other(), role: Role::Pawn }, square, 0);
        let leapers = pawn & pawns | king & kings | knight & knights;
        (leapers | rook & (rooks | queens) | bishop & (bishops | queens)) & self.of(by)
    }

    /// The over-pieces of a side that stand between its king and an enemy that would attack it without them.
    pub fn pinned(&self, side: Side) -> u64 {
        let Some(king) = self.king(side) else { return 0 };
        let [_, _, bishops, rooks, queens, _] = self.roles;
        let (occupied, enemy) = (self.occupied(), self.of(side.other()));
        let seen = lines(king, occupied).map(|line| line & self.of(side));
        let [rook, bishop] = lines(king, occupied & !(seen[0] | seen[1]));
        let along = [rook & (rooks | queens) & enemy, bishop & (bishops | queens) & enemy];
        let held = |line: usize| if along[line] == 0 { 0 } else { seen[line] };
        held(0) | held(1)
    }

    pub fn is_attacked(&self, square: u8, by: Side) -> bool {
        self.attackers(square, by) != 0
    }

    /// Whether the king of a side stands attacked.
    pub fn in_check(&self, side: Side) -> bool {
        self.king(side).is_some_and(|king| self.is_attacked(king, side.other()))
    }

    /// Takes from a square the rights that hang on what stands there.
    pub fn lose_rights(&mut self, square: u8) {
        for (right, (king, rook, ..)) in self.castling.iter_mut().zip(CASTLES) {
            *right &= square != king && square != rook;
        }
    }

    /// Where a piece may go from a square, whatever it does to its king: not on to `barred` squares nor
    /// through them.
    // Asked of each piece of a side in turn: what they share is worked out once where this is inlined.
    #[inline(always)]
    pub fn targets(&self, Piece { side, role }: Piece, from: u8, barred: u64) -> u64 {
        let occupied = self.occupied() | barred;
        let enemy = self.of(side.other()) & !barred & !self.kind(Role::King);
        let reach = attacks(Piece { side, role }, from, occupied);
        if role != Role::Pawn {
            return reach & (enemy | !occupied);
        }
        let passing = self.en_passant.map_or(0, bit) & !occupied;
        let mut targets = reach & (enemy | passing);
        if let Some(one) = ahead(side, from).filter(|one| occupied & bit(*one) == 0) {
            targets |= bit(one);
            let home = from / 8 == last_rank(side).abs_diff(6);
            targets |= ahead(side, one).filter(|_| home).map_or(0, bit) & !occupied;
        }
        targets
    }

    /// Shows the moves of a side's piece to its targets.
    #[inline(always)]
    pub fn for_each_pseudo(&self, from: u8, side: Side, barred: u64, mut visit: impl FnMut(OverMove)) {
        let Some(piece) = self.piece_at(from).filter(|piece| piece.side == side) else { return };
        for to in squares(self.targets(piece, from, barred)) {
            if piece.role == Role::Pawn && to / 8 == last_rank(side) {
                PROMOTIONS.into_iter().for_each(|role| visit(OverMove { from, to, promotion: Some(role) }));
            } else {
                visit(OverMove { from, to, promotion: None });
            }
        }
    }

    /// Shows the castlings of a side; the king is nowhere attacked on his way (OV-12).
    pub fn for_each_castling(&self, side: Side, barred: u64, mut visit: impl FnMut(OverMove)) {
        let rights = self.castling.into_iter().zip(CASTLES).skip(side as usize * 2).take(2);
        for (right, (king, rook, to, over)) in rights {
            let lane = between(king, rook);
            let home = self.kind(Role::King) & self.of(side) & bit(king) != 0
                && self.kind(Role::Rook) & self.of(side) & !barred & bit(rook) != 0;
            let free = (self.occupied() | barred) & lane == 0;
            let safe = || [king, over, to].into_iter().all(|at| !self.is_attacked(at, side.other()));
            if right && home && free && safe() {
                visit(OverMove { from: king, to, promotion: None });
            }
        }
    }

    /// The castling that a move is.
    pub fn wing(&self, m: OverMove) -> Option<Wing> {
        let king = self.kind(Role::King) & bit(m.from) != 0 && m.from.abs_diff(m.to) == 2;
        king.then_some(if m.to > m.from { Wing::KingSide } else { Wing::QueenSide })
    }

    /// The square of the piece that a move attacks or takes, in passing too.
    pub fn target(&self, m: OverMove) -> Option<u8> {
        let side = self.piece_at(m.from)?.side;
        if self.of(side.other()) & bit(m.to) != 0 {
            return Some(m.to);
        }
        let aslant = self.kind(Role::Pawn) & bit(m.from) != 0 && m.from % 8 != m.to % 8;
        (aslant && self.en_passant == Some(m.to)).then(|| victim_of(side, m.to))
    }

    /// Makes a move as if every attack succeeded (OV-8); rights stay as they are.
    pub fn make(&mut self, m: OverMove) {
        let Some(piece) = self.piece_at(m.from) else { return };
        let target = self.target(m);
        let wing = self.wing(m);
        self.en_passant = None;
        if let Some(target) = target {
            self.clear(target);
        }
        self.clear(m.from);
        self.put(m.to, Piece { role: m.promotion.unwrap_or(piece.role), ..piece });
        if wing.is_some() {
            for (king, rook, to, over) in CASTLES {
                if (king, to) == (m.from, m.to) {
                    self.clear(rook);
                    self.put(over, Piece { role: Role::Rook, ..piece });
                }
            }
        }
        if piece.role == Role::Pawn && m.from.abs_diff(m.to) == 16 {
            self.en_passant = Some(m.from.midpoint(m.to));
        }
    }

    /// Whether no series of moves leads to mate (GEN-3): bare kings, one minor piece, or bishops of one
    /// colour.
    pub fn is_dead(&self) -> bool {
        const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;
        let bishops = self.kind(Role::Bishop);
        let others = self.occupied() & !self.kind(Role::King);
        let minor = others.count_ones() <= 1 && others & !(bishops | self.kind(Role::Knight)) == 0;
        minor || (others == bishops && (bishops & LIGHT == 0 || bishops & !LIGHT == 0))
    }
}

/// The squares between two of a rank.
fn between(a: u8, b: u8) -> u64 {
    (a.min(b) + 1..a.max(b)).fold(0, |set, square| set | bit(square))
}
