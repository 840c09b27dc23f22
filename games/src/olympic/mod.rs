//! Olympic Chess: 25 squares, captured men come back as drops, pawns and silvers become golds.
//!
//! Every move is found by sets of squares on one compact board; nothing is tried out and taken back.

mod attacks;
mod evaluate;
pub mod laws;
mod men;
mod moves;
mod notation;
mod refusal;
mod scope;
mod setup;
#[cfg(test)]
mod tests;

pub use moves::Move;
pub use notation::*;
pub use setup::{HAND, Man, OlympicSetup};

use crate::olympic::laws as law;
use attacks::{Squares, square_at};
use men::{Men, PAWN};
use moves::Origin;
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    ply::{Arrival, Pattern, Written},
    position::{Act, Claims, DrawLaw, Explain, Irregular, Movegen},
    refusal::{Reason, takes},
    rule::Rule,
    setup::Impossible,
    square::{Piece, Role, Side, Square},
};
use scope::Scope;
use setup::hand_index;

/// A legal position of Olympic Chess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Olympic {
    men: Men,
    turn: Side,
    halfmove: u32,
    fullmove: u32,
}

/// What a written move means.
pub type Found = overboard_rules::position::Found<Move>;

/// What repetition compares (OC-10): men with their promotions, hands, side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    men: Men,
    turn: Side,
}

impl Snapshot {
    /// Whether the side to move was in check.
    fn is_check(&self) -> bool {
        let king = self.men.king(self.turn).trailing_zeros();
        self.men.attackers(king, self.turn.other(), self.men.occupied()) != 0
    }
}

impl Default for Olympic {
    /// The array of OC-2: `rbsgk/4p/5/P4/KGSBR[] w - - 0 1`.
    fn default() -> Self {
        let setup = OlympicSetup::default();
        Self { men: Men::of(&setup), turn: setup.turn, halfmove: setup.halfmove, fullmove: setup.fullmove }
    }
}

impl Olympic {
    /// The position of a set-up.
    ///
    /// # Errors
    /// Every reason why the set-up can be no position: a king missing or too many, a pawn where it
    /// would have been promoted (OC-5), the side not to move in check, men that the game does not have.
    pub fn from_setup(setup: &OlympicSetup) -> Result<Self, Vec<Impossible>> {
        let mut reasons: Vec<_> = setup.faults().collect();
        let position = Self {
            men: Men::of(setup),
            turn: setup.turn,
            halfmove: setup.halfmove,
            fullmove: setup.fullmove.max(1),
        };
        if position.can_be_taken() {
            reasons.push(Impossible::OppositeCheck);
        }
        if reasons.is_empty() { Ok(position) } else { Err(reasons) }
    }

    /// Whether the side to move attacks a king of the other.
    fn can_be_taken(&self) -> bool {
        let occupied = self.men.occupied();
        Squares(self.men.king(self.turn.other()))
            .any(|king| self.men.attackers(king, self.turn, occupied) != 0)
    }

    /// The set-up of this position.
    #[must_use]
    pub fn to_setup(&self) -> OlympicSetup {
        let mut board = [None; 25];
        for (index, man) in (0..).zip(&mut board) {
            *man = self.men.man_at(index);
        }
        OlympicSetup {
            board,
            hands: self.men.hands(),
            turn: self.turn,
            halfmove: self.halfmove,
            fullmove: self.fullmove,
        }
    }

    /// The man on a square: a promoted one as what he reverts to.
    #[must_use]
    pub fn man_at(&self, square: Square) -> Option<Man> {
        self.men.man_at(attacks::index(square)?)
    }

    /// How many men of a kind the side holds in hand.
    #[must_use]
    pub fn hand(&self, side: Side, role: Role) -> u8 {
        hand_index(role).map_or(0, |kind| self.men.hand(side)[kind])
    }

    /// The squares from which men of `side` attack `target`; none off the board.
    pub fn attackers(&self, target: Square, side: Side) -> impl Iterator<Item = Square> + use<> {
        let attackers =
            attacks::index(target).map_or(0, |target| self.men.attackers(target, side, self.men.occupied()));
        Squares(attackers).map(square_at)
    }

    /// The squares of the men that give check.
    pub fn checkers(&self) -> impl Iterator<Item = Square> + use<> {
        Squares(self.attackers_of_king()).map(square_at)
    }

    #[inline]
    fn attackers_of_king(&self) -> u32 {
        self.men.attackers(self.king_index(), self.turn.other(), self.men.occupied())
    }

    /// The number of the square of the mover's king: a position has one.
    #[inline]
    fn king_index(&self) -> u32 {
        self.men.king(self.turn).trailing_zeros()
    }

    #[inline]
    fn find_move(&self, pattern: &Pattern) -> Found {
        let Some(to) = attacks::index(pattern.to) else { return Found::None };
        let promotes = match pattern.promotion {
            None => false,
            Some(Role::Gold) => true,
            Some(_) => return Found::None,
        };
        let mut safe =
            Squares(self.candidates(pattern, to, promotes)).filter(|from| self.is_safe(1 << from, to));
        match (safe.next(), safe.next()) {
            (None, _) => Found::None,
            (Some(from), None) => Found::One(Move::shift(from, to, promotes)),
            (Some(_), Some(_)) => Found::Several,
        }
    }

    /// The men that a pattern may mean, were it not for check.
    #[inline]
    fn candidates(&self, pattern: &Pattern, to: u32, promotes: bool) -> u32 {
        if self.men.all(self.turn) >> to & 1 == 1 {
            return 0;
        }
        let last = attacks::last_rank(self.turn);
        let arrives = last >> to & 1 == 1;
        let able = match pattern.role {
            Role::Pawn if promotes == arrives => attacks::BOARD,
            Role::Silver if promotes && !arrives => last,
            Role::Silver => attacks::BOARD,
            _ if promotes => 0,
            Role::Pawn => 0,
            _ => attacks::BOARD,
        };
        self.men.written_as(pattern.role, self.turn) & self.reaching(pattern, to) & able & origins(pattern)
    }

    /// The squares from which a man of the pattern's kind goes to `to`.
    #[inline]
    fn reaching(&self, pattern: &Pattern, to: u32) -> u32 {
        let (occupied, facing, arrival) = (self.men.occupied(), self.turn.other(), 1 << to);
        match pattern.role {
            Role::Rook => attacks::rook_attacks(to, occupied),
            Role::Bishop => attacks::bishop_attacks(to, occupied),
            Role::Gold => attacks::gold_attacks(arrival, facing),
            Role::Silver => attacks::silver_attacks(arrival, facing),
            Role::King => attacks::king_attacks(arrival),
            Role::Pawn if takes(pattern) => attacks::pawn_attacks(arrival & occupied, facing),
            Role::Pawn => attacks::forward(arrival & !occupied, facing),
            Role::Knight | Role::Queen => 0,
        }
    }

    #[inline]
    fn find_drop(&self, role: Role, to: Square) -> Found {
        let (Some(kind), Some(to)) = (hand_index(role), attacks::index(to)) else { return Found::None };
        let closed = if kind == PAWN { attacks::last_rank(self.turn) } else { 0 };
        let is_open = (self.men.occupied() | closed) >> to & 1 == 0;
        if self.men.hand(self.turn)[kind] > 0 && is_open && self.is_safe(0, to) {
            Found::One(Move::drop(kind, to))
        } else {
            Found::None
        }
    }

    /// Whether the mover's king is unattacked after a man went from the one square of `origin`, or
    /// from the hand if it has none, to `to`.
    #[inline]
    fn is_safe(&self, origin: u32, to: u32) -> bool {
        self.attacks_on_king_after(origin, to) == 0
    }

    #[inline]
    fn attacks_on_king_after(&self, origin: u32, to: u32) -> u32 {
        let king = if self.men.king(self.turn) & origin == 0 { self.king_index() } else { to };
        let arrival = 1 << to;
        let occupied = self.men.occupied() & !origin | arrival;
        self.men.attackers(king, self.turn.other(), occupied) & !arrival
    }

    /// Whether only one man goes where a pattern says, whatever becomes of him there: silvers are told
    /// apart by where they go, not by whether they promote.
    fn is_alone(&self, pattern: &Pattern) -> bool {
        let promotion = pattern.promotion.filter(|_| pattern.role == Role::Pawn);
        matches!(self.find_move(&Pattern { promotion, ..*pattern }), Found::One(_))
    }

    fn pattern(&self, m: Move, from: Square) -> Pattern {
        let role = self.piece_at(from).map_or(Role::Pawn, |piece| piece.role);
        let promotion = m.promotes().then_some(Role::Gold);
        let capture = self.captures(m);
        let file = (role == Role::Pawn && capture).then_some(from.file);
        let pattern =
            Pattern { role, file, rank: None, capture, to: m.to(), promotion, arrival: Arrival::Here };
        pattern.shortest(from, |pattern| self.is_alone(pattern))
    }
}

impl Movegen for Olympic {
    type Move = Move;

    fn turn(&self) -> Side {
        self.turn
    }

    fn fullmove(&self) -> u32 {
        self.fullmove
    }

    fn halfmove(&self) -> u32 {
        self.halfmove
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.attackers_of_king() != 0
    }

    fn has_legal_move(&self) -> bool {
        self.count_legal() > 0
    }

    #[inline]
    fn for_each_legal(&self, mut visit: impl FnMut(Move)) {
        Scope::of(&self.men, self.turn).list(&mut visit);
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        Scope::of(&self.men, self.turn).count()
    }

    #[inline]
    fn find(&self, written: &Written) -> Found {
        match written {
            Written::Move(pattern) => self.find_move(pattern),
            Written::Drop { role, to } => self.find_drop(*role, *to),
            Written::Castle(_) | Written::PromotedDrop { .. } | Written::Pass => Found::None,
        }
    }

    fn written(&self, m: Move) -> Written {
        match m.origin() {
            Origin::Hand(kind) => Written::Drop { role: HAND[kind], to: m.to() },
            Origin::Board(from) => Written::Move(self.pattern(m, square_at(from))),
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let to = m.arrival();
        let zeroing = match m.origin() {
            Origin::Board(from) => self.men.shift(self.turn, from, to, m.promotes()),
            Origin::Hand(kind) => {
                self.men.drop(self.turn, kind, to);
                kind == PAWN
            }
        };
        self.halfmove = if zeroing { 0 } else { self.halfmove.saturating_add(1) };
        self.fullmove = self.fullmove.saturating_add(u32::from(self.turn == Side::Black));
        self.turn = self.turn.other();
    }

    #[inline]
    fn captures(&self, m: Move) -> bool {
        self.men.all(self.turn.other()) >> m.arrival() & 1 == 1
    }

    fn act(&self, m: Move) -> Act {
        let moved = m.from().and_then(|from| self.piece_at(from)).map(|piece| piece.role);
        Act {
            from: m.from(),
            to: m.to(),
            promotion: m.promotes().then_some(Role::Gold),
            role: moved.or(m.dropped()).unwrap_or(Role::Pawn),
            captures: self.captures(m),
            castles: false,
        }
    }
}

impl Explain for Olympic {
    const TURN: &'static Rule = &crate::chess::laws::TURN;

    fn piece_at(&self, square: Square) -> Option<Piece> {
        let Man { piece, promoted } = self.men.man_at(attacks::index(square)?)?;
        Some(if promoted { Piece { role: Role::Gold, ..piece } } else { piece })
    }

    fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + use<> {
        Squares(self.men.written_as(piece.role, piece.side)).map(square_at)
    }

    fn king(&self, side: Side) -> Option<Square> {
        Squares(self.men.king(side)).next().map(square_at)
    }

    fn exposed_by(&self, from: Square, to: Square) -> impl Iterator<Item = Square> + use<> {
        let attackers = match (attacks::index(from), attacks::index(to)) {
            (Some(from), Some(to)) => self.attacks_on_king_after(1 << from, to),
            _ => 0,
        };
        Squares(attackers).map(square_at)
    }

    fn walks(piece: Piece, from: Square, to: Square, takes: bool) -> bool {
        refusal::walks(piece, from, to, takes)
    }

    fn against(&self, written: &Written) -> (Reason, &'static Rule) {
        refusal::against(self, written)
    }
}

impl DrawLaw for Olympic {
    type Snapshot = Snapshot;

    const CLAIMS: Claims = Claims::Closed(&law::NO_COUNTS);

    const PROGRESS: &'static str = "capture, or move or drop of a pawn";

    /// Whether positions before this move can never come again: never so. Material does not leave
    /// the game (OC-11): what a capture took can be dropped, taken back and dropped where it stood,
    /// unpromoted, and a pawn that advanced comes back in the same way.
    #[inline]
    fn is_irreversible(&self, _: Move) -> bool {
        false
    }

    #[inline]
    fn repetition_key(&self) -> u64 {
        self.men.key() ^ self.turn as u64
    }

    #[inline]
    fn snapshot(&self) -> Snapshot {
        Snapshot { men: self.men, turn: self.turn }
    }

    fn end_by_itself(&self) -> Option<Ruling> {
        if self.has_legal_move() {
            return None;
        }
        let (outcome, cause) = match self.in_check() {
            true => (Outcome::Win(self.turn.other()), Cause::Checkmate),
            false => (Outcome::Draw, Cause::Stalemate),
        };
        Some(Ruling { outcome, cause, rule: &law::MATE })
    }

    /// The third time is the last: White loses, unless every move of Black since the second gave
    /// check (OC-10).
    #[inline]
    fn end_by_record(&self, times: usize, since: &[Snapshot]) -> Option<Ruling> {
        if times < 3 {
            return None;
        }
        let perpetual = since.iter().filter(|there| there.turn == Side::White).all(Snapshot::is_check);
        let winner = if perpetual { Side::White } else { Side::Black };
        let cause = if perpetual { Cause::PerpetualCheck } else { Cause::Repetition };
        Some(Ruling { outcome: Outcome::Win(winner), cause, rule: &law::REPETITION })
    }

    fn claimable(&self, _: usize) -> [bool; 2] {
        [false, false]
    }

    /// Always: material never leaves the game (OC-11).
    fn can_mate(&self, _: Side) -> bool {
        true
    }
}

impl Irregular for Olympic {
    fn passed(&self) -> Option<Self> {
        (!self.in_check()).then(|| Self { turn: self.turn.other(), ..self.clone() })
    }

    fn displaced(&self, from: Square, to: Square) -> Option<Self> {
        let (from, to) = (attacks::index(from)? as usize, attacks::index(to)? as usize);
        let mut setup = self.to_setup();
        let mover = setup.board[from].take().filter(|man| man.piece.side == self.turn)?;
        let taken = setup.board[to].replace(mover);
        if let Some(man) = taken {
            setup.hands[self.turn as usize][hand_index(man.piece.role)?] += 1;
        }
        let zeroing = taken.is_some() || mover.piece.role == Role::Pawn && !mover.promoted;
        setup.halfmove = if zeroing { 0 } else { setup.halfmove.saturating_add(1) };
        setup.fullmove = setup.fullmove.saturating_add(u32::from(setup.turn == Side::Black));
        setup.turn = setup.turn.other();
        Self::from_setup(&setup).ok()
    }
}

#[inline]
fn origins(pattern: &Pattern) -> u32 {
    pattern.file.map_or(attacks::BOARD, attacks::file) & pattern.rank.map_or(attacks::BOARD, attacks::rank)
}
