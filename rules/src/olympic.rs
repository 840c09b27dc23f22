//! Olympic Chess: 25 squares, captured men come back as drops, pawns and silvers become golds.
//!
//! Every move is found by sets of squares on one compact board; nothing is tried out and taken back.

mod attacks;
mod men;
mod moves;
mod scope;
mod setup;
#[cfg(test)]
mod tests;

pub use moves::Move;
pub use setup::{HAND, Man, OlympicSetup};

use crate::{
    outcome::Cause,
    ply::{Pattern, Written},
    setup::Impossible,
    square::{Piece, Role, Side, Square},
};
use attacks::{Squares, square_at};
use men::{Men, PAWN};
use moves::Origin;
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

/// What a written move turns out to mean in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// Exactly this legal move.
    One(Move),
    /// No legal move.
    None,
    /// More than one legal move.
    Several,
}

/// What repetition compares (OC-10): men with their promotions, hands, side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    men: Men,
    turn: Side,
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

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// Number of the move to come, from 1.
    #[must_use]
    pub fn fullmove(&self) -> u32 {
        self.fullmove
    }

    /// Plies since the last capture, or move or drop of a pawn.
    #[must_use]
    pub fn halfmove(&self) -> u32 {
        self.halfmove
    }

    /// What stands on a square; a promoted man is a gold.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let Man { piece, promoted } = self.men.man_at(attacks::index(square)?)?;
        Some(if promoted { Piece { role: Role::Gold, ..piece } } else { piece })
    }

    /// Whether a promoted man stands on a square.
    #[must_use]
    pub fn is_promoted(&self, square: Square) -> bool {
        attacks::index(square).is_some_and(|index| self.men.promoted() >> index & 1 == 1)
    }

    /// How many men of a kind the side holds in hand.
    #[must_use]
    pub fn hand(&self, side: Side, role: Role) -> u8 {
        hand_index(role).map_or(0, |kind| self.men.hand(side)[kind])
    }

    /// The squares on which pieces of this kind and side stand, `a1` first; promoted men are golds.
    pub fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + use<> {
        Squares(self.men.written_as(piece.role, piece.side)).map(square_at)
    }

    /// Where the side's king stands.
    #[must_use]
    pub fn king(&self, side: Side) -> Option<Square> {
        Squares(self.men.king(side)).next().map(square_at)
    }

    /// The squares from which men of `side` attack `target`; none off the board.
    pub fn attackers(&self, target: Square, side: Side) -> impl Iterator<Item = Square> + use<> {
        let attackers =
            attacks::index(target).map_or(0, |target| self.men.attackers(target, side, self.men.occupied()));
        Squares(attackers).map(square_at)
    }

    /// Whether the side to move is in check.
    #[must_use]
    #[inline]
    pub fn in_check(&self) -> bool {
        self.attackers_of_king() != 0
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

    /// Calls `visit` with each legal move and drop once, in no particular order.
    #[inline]
    pub fn for_each_legal(&self, mut visit: impl FnMut(Move)) {
        Scope::of(&self.men, self.turn).list(&mut visit);
    }

    /// Number of legal moves and drops.
    #[must_use]
    #[inline]
    pub fn count_legal(&self) -> u64 {
        Scope::of(&self.men, self.turn).count()
    }

    /// Whether the side to move has a legal move or drop at all.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.count_legal() > 0
    }

    /// The end that this position is by itself, if it is one (OC-9, GEN-11).
    #[must_use]
    pub fn ending(&self) -> Option<Cause> {
        if self.has_legal_move() {
            None
        } else if self.in_check() {
            Some(Cause::Checkmate)
        } else {
            Some(Cause::Stalemate)
        }
    }

    /// The legal move that a written ply means: a promoted man is written as a gold, `=G` is a
    /// promotion, a silver without it declines. Regards neither the capture mark, but for pawns, nor
    /// the game's end by repetition; those are the referee's.
    #[must_use]
    #[inline]
    pub fn find(&self, written: &Written) -> Found {
        match written {
            Written::Move(pattern) => self.find_move(pattern),
            Written::Drop { role, to } => self.find_drop(*role, *to),
            Written::Castle(_) | Written::Pass => Found::None,
        }
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

    /// The enemy men that would attack the mover's king if the man on `from` stood on `to`; none off
    /// the board.
    pub fn exposed_by(&self, from: Square, to: Square) -> impl Iterator<Item = Square> + use<> {
        let attackers = match (attacks::index(from), attacks::index(to)) {
            (Some(from), Some(to)) => self.attacks_on_king_after(1 << from, to),
            _ => 0,
        };
        Squares(attackers).map(square_at)
    }

    /// Plays a move that was found in this very position.
    #[inline]
    pub fn play(&mut self, m: Move) {
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

    /// Whether a move takes something.
    #[must_use]
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        self.men.all(self.turn.other()) >> m.arrival() & 1 == 1
    }

    /// Whether positions before this move can never come again: never so. Material does not leave
    /// the game (OC-11): what a capture took can be dropped, taken back and dropped where it stood,
    /// unpromoted, and a pawn that advanced comes back in the same way.
    #[must_use]
    #[inline]
    pub fn is_irreversible(&self, _: Move) -> bool {
        false
    }

    /// The same position with the other side to move, as the null move of a variation leaves it;
    /// `None` when the side to move is in check.
    #[must_use]
    pub fn passed(&self) -> Option<Self> {
        (!self.in_check()).then(|| Self { turn: self.turn.other(), ..self.clone() })
    }

    /// The position after the man on `from` was put on `to`, took what stood there into the hand, and
    /// the turn passed on, legal or not (GEN-9); `None` when no man of the mover stands on `from` or
    /// the result is no position.
    #[must_use]
    pub fn displaced(&self, from: Square, to: Square) -> Option<Self> {
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

    /// A number that is the same for positions that repetition calls the same; different positions
    /// may share one, so equality is settled by [`Self::snapshot`].
    #[must_use]
    #[inline]
    pub fn repetition_key(&self) -> u64 {
        self.men.key() ^ self.turn as u64
    }

    /// What repetition compares of this position.
    #[must_use]
    #[inline]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { men: self.men, turn: self.turn }
    }

    /// A legal move as it is written: no more of the origin than is needed to tell it apart from
    /// other legal moves.
    #[must_use]
    pub fn written(&self, m: Move) -> Written {
        match m.origin() {
            Origin::Hand(kind) => Written::Drop { role: HAND[kind], to: m.to() },
            Origin::Board(from) => Written::Move(self.pattern(m, square_at(from))),
        }
    }

    fn pattern(&self, m: Move, from: Square) -> Pattern {
        let role = self.piece_at(from).map_or(Role::Pawn, |piece| piece.role);
        let promotion = m.promotes().then_some(Role::Gold);
        let capture = self.is_capture(m);
        let file = (role == Role::Pawn && capture).then_some(from.file);
        let pattern = Pattern { role, file, rank: None, capture, to: m.to(), promotion };
        [pattern, Pattern { file: Some(from.file), ..pattern }, Pattern { rank: Some(from.rank), ..pattern }]
            .into_iter()
            .find(|pattern| self.find_move(pattern) == Found::One(m))
            .unwrap_or(Pattern { file: Some(from.file), rank: Some(from.rank), ..pattern })
    }
}

/// Number of lines of play of `depth` plies; mate and stalemate end a line early (GEN-6).
#[must_use]
pub fn perft(position: &Olympic, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal(),
        _ => {
            let mut lines = 0;
            position.for_each_legal(|m| {
                let mut next = position.clone();
                next.play(m);
                lines += perft(&next, depth - 1);
            });
            lines
        }
    }
}

/// Whether a pawn's pattern means a capture.
#[inline]
fn takes(pattern: &Pattern) -> bool {
    pattern.capture || pattern.file.is_some_and(|file| file != pattern.to.file)
}

#[inline]
fn origins(pattern: &Pattern) -> u32 {
    pattern.file.map_or(attacks::BOARD, attacks::file) & pattern.rank.map_or(attacks::BOARD, attacks::rank)
}
