//! The mega-board: which mega-pieces stand where, in which state, and how they go.

use crate::{
    chess::{lines, steps},
    mega::laws as law,
};
use overboard_rules::{
    ply::Wing,
    rule::Rule,
    square::{Piece, Role, Side},
};

/// The state of a mega-piece (MG-5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Its game is being played.
    Neutral,
    /// Its owner won its game.
    Armed,
    /// Its game was drawn.
    Disarmed,
    /// A king whose owner lost its game.
    Dethroned,
}

impl State {
    /// The state's name, as positions are written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Armed => "armed",
            Self::Disarmed => "disarmed",
            Self::Dethroned => "dethroned",
        }
    }
}

/// A mega-move; a few bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MegaMove {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) promotion: Option<Role>,
}

/// The mega-pieces, the castling rights and the en passant square. Bit 0 of a set is `A1`, bit 8 `A2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    sides: [u64; 2],
    roles: [u64; 6],
    states: [u64; 4],
    /// In the order K Q k q.
    pub castling: [bool; 4],
    /// The square crossed by a double step, where it can be taken in passing.
    pub en_passant: Option<u8>,
}

const BACK: [Role; 8] =
    [Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King, Role::Bishop, Role::Knight, Role::Rook];
/// The commonest first.
const ROLES: [Role; 6] = [Role::Pawn, Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King];
/// What a pawn may become.
pub(crate) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
/// Where king and rook stand for each castling right, and where the king goes.
const CASTLES: [(u8, u8, u8); 4] = [(4, 7, 6), (4, 0, 2), (60, 63, 62), (60, 56, 58)];

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

/// The square a step away.
pub(crate) const fn step(from: u8, (files, ranks): (i8, i8)) -> Option<u8> {
    let (file, rank) = ((from % 8) as i8 + files, (from / 8) as i8 + ranks);
    if file >= 0 && file < 8 && rank >= 0 && rank < 8 { Some((rank * 8 + file) as u8) } else { None }
}

fn leaps(from: u8, steps: &[(i8, i8)]) -> u64 {
    steps.iter().filter_map(|way| step(from, *way)).fold(0, |set, to| set | bit(to))
}

/// What a piece of this kind that is no pawn attacks, the first occupied square of a line included.
pub(crate) fn reach(role: Role, from: u8, occupied: u64) -> u64 {
    match role {
        Role::Knight => steps(from)[1],
        Role::King => steps(from)[0],
        Role::Bishop => lines(from, occupied)[1],
        Role::Rook => lines(from, occupied)[0],
        Role::Queen => lines(from, occupied).into_iter().fold(0, |set, line| set | line),
        _ => 0,
    }
}

pub(crate) const fn forward(side: Side) -> i8 {
    match side {
        Side::White => 1,
        Side::Black => -1,
    }
}

fn pawn_attacks(side: Side, from: u8) -> u64 {
    leaps(from, &[(-1, forward(side)), (1, forward(side))])
}

/// The rank, from 0, on which this side's pawns promote.
pub(crate) const fn last_rank(side: Side) -> u8 {
    match side {
        Side::White => 7,
        Side::Black => 0,
    }
}

impl Field {
    /// No mega-piece.
    pub const EMPTY: Self =
        Self { sides: [0; 2], roles: [0; 6], states: [0; 4], castling: [false; 4], en_passant: None };

    /// The regular array, all neutral (MG-1).
    pub fn start() -> Self {
        let mut field = Self { castling: [true; 4], ..Self::EMPTY };
        for (file, role) in (0..8).zip(BACK) {
            for (side, officers, pawns) in [(Side::White, 0, 8), (Side::Black, 56, 48)] {
                field.put(officers + file, Piece { side, role }, State::Neutral);
                field.put(pawns + file, Piece { side, role: Role::Pawn }, State::Neutral);
            }
        }
        field
    }

    pub fn put(&mut self, square: u8, piece: Piece, state: State) {
        self.clear(square);
        self.sides[piece.side as usize] |= bit(square);
        if let Some(role) = self.roles.get_mut(piece.role as usize) {
            *role |= bit(square);
        }
        self.states[state as usize] |= bit(square);
    }

    pub fn clear(&mut self, square: u8) {
        let sets = self.sides.iter_mut().chain(&mut self.roles).chain(&mut self.states);
        sets.for_each(|set| *set &= !bit(square));
    }

    pub const fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    pub const fn of(&self, side: Side) -> u64 {
        self.sides[side as usize]
    }

    pub const fn kind(&self, role: Role) -> u64 {
        if (role as usize) < 6 { self.roles[role as usize] } else { 0 }
    }

    pub const fn with(&self, state: State) -> u64 {
        self.states[state as usize]
    }

    pub fn piece_at(&self, square: u8) -> Option<Piece> {
        if self.occupied() & bit(square) == 0 {
            return None;
        }
        let side = if self.of(Side::White) & bit(square) != 0 { Side::White } else { Side::Black };
        let role = ROLES.into_iter().find(|role| self.kind(*role) & bit(square) != 0)?;
        Some(Piece { side, role })
    }

    pub fn state_at(&self, square: u8) -> Option<State> {
        [State::Neutral, State::Armed, State::Disarmed, State::Dethroned]
            .into_iter()
            .find(|state| self.with(*state) & bit(square) != 0)
    }

    pub fn king(&self, side: Side) -> Option<u8> {
        squares(self.kind(Role::King) & self.of(side)).next()
    }

    /// The armed mega-pieces of a side that attack a square (MG-8), the board being occupied so.
    pub fn attackers(&self, target: u8, by: Side, occupied: u64) -> u64 {
        let armed = self.of(by) & self.with(State::Armed) & occupied;
        if armed == 0 {
            return 0;
        }
        let from = |role| reach(role, target, occupied) & self.kind(role);
        let officers =
            from(Role::Knight) | from(Role::King) | from(Role::Bishop) | from(Role::Rook) | from(Role::Queen);
        (officers | (pawn_attacks(by.other(), target) & self.kind(Role::Pawn))) & armed
    }

    /// The armed mega-pieces that give mega-check to this side's king.
    pub fn checkers(&self, side: Side) -> u64 {
        self.king(side).map_or(0, |king| self.attackers(king, side.other(), self.occupied()))
    }

    /// The mega-pieces that alone stand between this side's king and an armed piece of the opponent.
    pub fn shields(&self, side: Side) -> u64 {
        let sliders = self.kind(Role::Bishop) | self.kind(Role::Rook) | self.kind(Role::Queen);
        let armed = self.of(side.other()) & self.with(State::Armed) & sliders;
        let Some(king) = self.king(side).filter(|_| armed != 0) else { return 0 };
        if reach(Role::Queen, king, 0) & armed == 0 {
            return 0;
        }
        let occupied = self.occupied();
        let near = reach(Role::Queen, king, occupied) & occupied;
        let attacked = |shield: &u8| self.attackers(king, side.other(), occupied & !bit(*shield)) != 0;
        squares(near).filter(attacked).fold(0, |set, shield| set | bit(shield))
    }

    /// The game on a square was won by a side (MG-6).
    pub fn won(&mut self, square: u8, by: Side) {
        let Some(piece) = self.piece_at(square) else { return };
        match (piece.side == by, piece.role) {
            (true, _) => self.put(square, piece, State::Armed),
            (false, Role::King) => self.put(square, piece, State::Dethroned),
            (false, _) => self.clear(square),
        }
        self.keep_rights();
    }

    /// The game on a square was drawn (MG-6).
    pub fn drawn(&mut self, square: u8) {
        if let Some(piece) = self.piece_at(square) {
            self.put(square, piece, State::Disarmed);
        }
    }

    /// Castling rights go with a king or rook that is not at home or may not move (MG-17).
    pub fn keep_rights(&mut self) {
        for (index, (king, rook, _)) in CASTLES.into_iter().enumerate() {
            let side = if index < 2 { Side::White } else { Side::Black };
            let own = self.of(side);
            self.castling[index] &= self.kind(Role::King) & own & !self.with(State::Dethroned) & bit(king)
                != 0
                && self.kind(Role::Rook) & own & bit(rook) != 0;
        }
    }

    /// Where the pawn stands that a capture on the en passant square takes.
    pub const fn victim_in_passing(to: u8, side: Side) -> u8 {
        match side {
            Side::White => to.wrapping_sub(8),
            Side::Black => to.wrapping_add(8),
        }
    }

    /// The square on which a mega-move captures, if it does.
    pub fn captured(&self, m: MegaMove) -> Option<u8> {
        if self.occupied() & bit(m.to) != 0 {
            return Some(m.to);
        }
        let piece = self.piece_at(m.from)?;
        let in_passing = piece.role == Role::Pawn && m.from % 8 != m.to % 8;
        in_passing.then(|| Self::victim_in_passing(m.to, piece.side))
    }

    /// The wing that a mega-move castles to.
    pub fn wing(&self, m: MegaMove) -> Option<Wing> {
        let is_king = self.kind(Role::King) & bit(m.from) != 0;
        match (is_king, m.to as i8 - m.from as i8) {
            (true, 2) => Some(Wing::KingSide),
            (true, -2) => Some(Wing::QueenSide),
            _ => None,
        }
    }

    /// Where the rook goes from and to when a mega-move castles.
    pub fn rook_of(&self, m: MegaMove) -> Option<(u8, u8)> {
        self.wing(m).map(|wing| match wing {
            Wing::KingSide => (m.from + 3, m.from + 1),
            Wing::QueenSide => (m.from - 4, m.from - 1),
        })
    }

    /// Makes a mega-move of the mega-board alone: what becomes of the games is not told here.
    pub fn play(&mut self, m: MegaMove) {
        let (Some(piece), Some(state)) = (self.piece_at(m.from), self.state_at(m.from)) else { return };
        let rook = self.rook_of(m);
        if let Some(captured) = self.captured(m) {
            self.clear(captured);
        }
        self.clear(m.from);
        let role = m.promotion.unwrap_or(piece.role);
        self.put(m.to, Piece { side: piece.side, role }, state);
        if let Some((from, to)) = rook
            && let (Some(piece), Some(state)) = (self.piece_at(from), self.state_at(from))
        {
            self.clear(from);
            self.put(to, piece, state);
        }
        self.en_passant = None;
        if piece.role == Role::Pawn && m.from.abs_diff(m.to) == 16 {
            self.en_passant = Some(m.from.midpoint(m.to));
        }
        self.keep_rights();
    }

    /// What a mega-piece of a side may capture if it is armed (MG-7): no neutral one, and never a king.
    fn prey(&self, of: Side) -> u64 {
        self.of(of) & (self.with(State::Armed) | self.with(State::Disarmed)) & !self.kind(Role::King)
    }

    /// Shows every mega-move of a side, whatever becomes of its own king.
    pub fn for_each_pseudo(&self, side: Side, visit: &mut impl FnMut(MegaMove)) {
        let movers = self.of(side) & !self.with(State::Dethroned);
        let free = !self.occupied();
        let prey = self.prey(side.other());
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            for from in squares(movers & self.kind(role)) {
                let armed = self.with(State::Armed) & bit(from) != 0;
                let targets = reach(role, from, self.occupied()) & (free | if armed { prey } else { 0 });
                squares(targets).for_each(|to| visit(MegaMove { from, to, promotion: None }));
            }
        }
        for from in squares(movers & self.kind(Role::Pawn)) {
            self.for_each_of_pawn(side, from, prey, visit);
        }
        self.for_each_castling(side, visit);
    }

    fn for_each_of_pawn(&self, side: Side, from: u8, prey: u64, visit: &mut impl FnMut(MegaMove)) {
        let armed = self.with(State::Armed) & bit(from) != 0;
        let free = !self.occupied();
        let mut targets = leaps(from, &[(0, forward(side))]) & free;
        let at_home = from / 8 == last_rank(side.other()).abs_diff(1);
        if targets != 0 && at_home {
            targets |= leaps(from, &[(0, 2 * forward(side))]) & free;
        }
        if armed {
            targets |= pawn_attacks(side, from) & (prey | self.prey_in_passing(side, prey));
        }
        for to in squares(targets) {
            if to / 8 != last_rank(side) {
                visit(MegaMove { from, to, promotion: None });
            } else if armed {
                PROMOTIONS.into_iter().for_each(|role| visit(MegaMove { from, to, promotion: Some(role) }));
            }
        }
    }

    /// The en passant square, where an armed pawn may take there (MG-9).
    fn prey_in_passing(&self, side: Side, prey: u64) -> u64 {
        self.en_passant
            .filter(|to| prey & self.kind(Role::Pawn) & bit(Self::victim_in_passing(*to, side)) != 0)
            .map_or(0, bit)
    }

    fn for_each_castling(&self, side: Side, visit: &mut impl FnMut(MegaMove)) {
        for index in [side as usize * 2, side as usize * 2 + 1] {
            if self.castling[index] && self.against_castling(side, index).is_none() {
                let (from, _, to) = CASTLES[index];
                visit(MegaMove { from, to, promotion: None });
            }
        }
    }

    /// What stands against castling by a right that is there: a square that is occupied or attacked,
    /// and whether it is occupied.
    pub fn against_castling(&self, side: Side, right: usize) -> Option<(u8, bool)> {
        let (king, rook, to) = CASTLES[right];
        let between = |a: u8, b: u8| a.min(b) + 1..a.max(b);
        if let Some(blocked) = between(king, rook).find(|square| self.occupied() & bit(*square) != 0) {
            return Some((blocked, true));
        }
        let attacked = |square: &u8| self.attackers(*square, side.other(), self.occupied()) != 0;
        (king.min(to)..=king.max(to)).find(attacked).map(|square| (square, false))
    }

    /// Whether nothing is left but two kings, both armed or both disarmed (MG-14).
    pub fn is_dead(&self) -> bool {
        let all = self.occupied();
        self.kind(Role::King) == all && (all == self.with(State::Armed) || all == self.with(State::Disarmed))
    }

    /// Why the mega-pieces can stand so in no game, with the rule against it; `waiting` is the side whose king
    /// must be safe. In the middle of a turn it need not be: a board just won may give mega-check.
    pub fn faults(&self, waiting: Option<Side>) -> Vec<(&'static str, &'static Rule)> {
        let mut faults = Vec::new();
        let mut say = |wrong: bool, words, rule| {
            if wrong {
                faults.push((words, rule));
            }
        };
        let kings = |side| (self.kind(Role::King) & self.of(side)).count_ones();
        let sides = [Side::White, Side::Black];
        say(sides.iter().any(|side| kings(*side) == 0), "a mega-king is missing", &law::STATES);
        say(sides.iter().any(|side| kings(*side) > 1), "a side has more than one mega-king", &law::STATES);
        say(
            self.with(State::Dethroned) & !self.kind(Role::King) != 0,
            "a mega-piece other than a king is dethroned",
            &law::STATES,
        );
        say(
            self.kind(Role::Pawn) & 0xff00_0000_0000_00ff != 0,
            "a mega-pawn stands on the first or last rank",
            &law::PROMOTION,
        );
        let material = |side: Side| {
            let count = |role| (self.kind(role) & self.of(side)).count_ones();
            let extra = [(Role::Queen, 1), (Role::Rook, 2), (Role::Bishop, 2), (Role::Knight, 2)];
            count(Role::Pawn)
                + extra.into_iter().map(|(role, few)| count(role).saturating_sub(few)).sum::<u32>()
        };
        say(
            sides.iter().any(|side| material(*side) > 8),
            "a side has more mega-pieces than its promotions allow",
            &law::PROMOTION,
        );
        let mut kept = *self;
        kept.keep_rights();
        say(
            kept.castling != self.castling,
            "a castling right is given where mega-king and mega-rook do not stand at home, or the king is dethroned",
            &law::MEGA_CHECK,
        );
        say(
            waiting.is_some_and(|side| self.checkers(side) != 0),
            "the side that is not to move is in mega-check",
            &law::KING_SAFE,
        );
        faults
    }
}
