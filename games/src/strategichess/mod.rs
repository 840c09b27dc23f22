//! StrategiChess on one board: fourteen by fourteen squares, and pawns that go back, go sideways on the
//! roads and stay pawns.
//!
//! The layer below (`board`, `scope`) knows men, their attacks and their moves, whatever kings there
//! are; here are the rules of the game of one board, where each side has one king to lose.

mod board;
mod evaluate;
pub mod laws;
mod lines;
pub mod linked;
mod moves;
mod notation;
mod refusal;
mod scope;
mod setup;
mod squares;
mod tally;
#[cfg(test)]
mod tests;

pub use moves::Move;
pub use notation::read_setup;
pub use setup::StrategiSetup;

use crate::strategichess::laws as law;
use board::Board;
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    ply::{Arrival, Pattern, Written},
    position::{Act, Claims, DrawLaw, Explain, Irregular, Movegen},
    refusal::Reason,
    rule::Rule,
    setup::Impossible,
    square::{Piece, Role, Side, Square},
};
use scope::Scope;
use squares::{Squares, square_at};

/// A legal position of StrategiChess on one board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategi {
    board: Board,
    turn: Side,
    halfmove: u32,
    fullmove: u32,
}

/// What a written move means.
pub type Found = overboard_rules::position::Found<Move>;

/// What repetition compares (GEN-4): men, pawns that have never moved, side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    board: Board,
    turn: Side,
}

impl Default for Strategi {
    /// The array of SC-2.
    fn default() -> Self {
        Self::of(&StrategiSetup::default())
    }
}

impl Strategi {
    fn of(setup: &StrategiSetup) -> Self {
        Self {
            board: Board::of(setup),
            turn: setup.turn,
            halfmove: setup.halfmove,
            fullmove: setup.fullmove.max(1),
        }
    }

    /// The position of a set-up.
    ///
    /// # Errors
    /// Every reason why the set-up can be no position: a king missing or too many, the side not to move
    /// in check, a pawn marked as never moved where none stands, men that the game does not have.
    pub fn from_setup(setup: &StrategiSetup) -> Result<Self, Vec<Impossible>> {
        let kings = setup.kings();
        let missing = kings.contains(&0).then_some(Impossible::MissingKing);
        let crowded = kings.iter().any(|kings| *kings > 1).then_some(Impossible::TooManyKings);
        let mut reasons: Vec<_> = missing.into_iter().chain(crowded).chain(setup.faults()).collect();
        let position = Self::of(setup);
        if position.can_be_taken() {
            reasons.push(Impossible::OppositeCheck);
        }
        if reasons.is_empty() { Ok(position) } else { Err(reasons) }
    }

    /// Whether the side to move attacks a king of the other.
    fn can_be_taken(&self) -> bool {
        let occupied = self.board.occupied();
        let mut kings = self.board.of_kind(Role::King, self.turn.other()).into_iter();
        kings.any(|king| self.board.is_attacked(king, self.turn, occupied))
    }

    /// The set-up of this position.
    #[must_use]
    pub fn to_setup(&self) -> StrategiSetup {
        let (turn, halfmove, fullmove) = (self.turn, self.halfmove, self.fullmove);
        let mut setup = StrategiSetup { turn, halfmove, fullmove, ..StrategiSetup::empty() };
        self.board.arrange(&mut setup);
        setup
    }

    /// Whether a pawn stands on a square that has never moved (SC-5a).
    #[must_use]
    pub fn is_unmoved(&self, square: Square) -> bool {
        squares::index(square).is_some_and(|index| self.board.unmoved().has(index))
    }

    /// The squares from which men of `side` attack `target`; none off the board.
    pub fn attackers(&self, target: Square, side: Side) -> impl Iterator<Item = Square> + use<> {
        let attackers = squares::index(target)
            .map_or(Squares::EMPTY, |target| self.board.attackers(target, side, self.board.occupied()));
        attackers.into_iter().map(square_at)
    }

    /// The squares of the men that give check.
    pub fn checkers(&self) -> impl Iterator<Item = Square> + use<> {
        self.attackers_of_king().into_iter().map(square_at)
    }

    /// Whether neither side can mate, as far as the game calls that dead (SC-11).
    #[must_use]
    pub fn is_dead(&self) -> bool {
        let kings = self.kings();
        let others = self.board.occupied() & !kings;
        let bishops = self.kind(Role::Bishop);
        let light = others & Squares::LIGHT;
        match others.is_crowd() {
            false => others & (self.kind(Role::Rook) | self.kind(Role::Queen)) == Squares::EMPTY,
            true => others == bishops && (light.is_empty() || light == others),
        }
    }

    fn kind(&self, role: Role) -> Squares {
        self.board.of_kind(role, Side::White) | self.board.of_kind(role, Side::Black)
    }

    fn kings(&self) -> Squares {
        self.kind(Role::King)
    }

    #[inline]
    fn scope(&self) -> Scope<'_> {
        Scope::guarding(&self.board, self.turn, self.king_index(self.turn))
    }

    /// The number of the square of a side's king: a position has one.
    #[inline]
    fn king_index(&self, side: Side) -> u32 {
        self.board.of_kind(Role::King, side).first()
    }

    #[inline]
    fn attackers_of_king(&self) -> Squares {
        self.board.attackers(self.king_index(self.turn), self.turn.other(), self.board.occupied())
    }

    #[inline]
    fn find_move(&self, pattern: &Pattern) -> Found {
        let Some(to) = squares::index(pattern.to) else { return Found::None };
        if pattern.promotion.is_some() {
            return Found::None;
        }
        let able = self.board.origins(pattern.role, self.turn, to, pattern.capture) & origins(pattern);
        let mut safe = able.into_iter().filter(|from| self.is_safe(*from, to));
        match (safe.next(), safe.next()) {
            (None, _) => Found::None,
            (Some(from), None) => Found::One(Move::new(from, to)),
            (Some(_), Some(_)) => Found::Several,
        }
    }

    /// Whether the mover's king is unattacked after a man went from one square to another.
    #[inline]
    fn is_safe(&self, from: u32, to: u32) -> bool {
        self.attacks_on_king_after(from, to).is_empty()
    }

    #[inline]
    fn attacks_on_king_after(&self, from: u32, to: u32) -> Squares {
        let king = match self.king_index(self.turn) {
            king if king == from => to,
            king => king,
        };
        let occupied = (self.board.occupied() & !Squares::of(from)).with(to);
        self.board.attackers(king, self.turn.other(), occupied) & !Squares::of(to)
    }

    fn pattern(&self, m: Move) -> Pattern {
        let (from, to, capture) = (m.from(), m.to(), self.captures(m));
        let role = self.board.man_at(m.origin()).map_or(Role::Pawn, |piece| piece.role);
        let file = (role == Role::Pawn && capture).then_some(from.file);
        let pattern =
            Pattern { role, file, rank: None, capture, to, promotion: None, arrival: Arrival::Here };
        pattern.shortest(from, |pattern| self.find_move(pattern) == Found::One(m))
    }

    fn draw(cause: Cause) -> Option<Ruling> {
        Some(Ruling { outcome: Outcome::Draw, cause, rule: &law::DRAWS })
    }
}

impl Movegen for Strategi {
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
        self.board.is_attacked(self.king_index(self.turn), self.turn.other(), self.board.occupied())
    }

    fn has_legal_move(&self) -> bool {
        self.count_legal() > 0
    }

    #[inline]
    fn for_each_legal(&self, mut visit: impl FnMut(Move)) {
        self.scope().list(&mut visit);
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        self.scope().count()
    }

    #[inline]
    fn find(&self, written: &Written) -> Found {
        match written {
            Written::Move(pattern) => self.find_move(pattern),
            Written::Drop { .. } | Written::PromotedDrop { .. } | Written::Castle(_) | Written::Pass => {
                Found::None
            }
        }
    }

    fn written(&self, m: Move) -> Written {
        Written::Move(self.pattern(m))
    }

    #[inline]
    fn captures(&self, m: Move) -> bool {
        self.board.all(self.turn.other()).has(m.arrival())
    }

    fn act(&self, m: Move) -> Act {
        Act {
            from: Some(m.from()),
            to: m.to(),
            promotion: None,
            role: self.board.man_at(m.origin()).map_or(Role::Pawn, |piece| piece.role),
            captures: self.captures(m),
            castles: false,
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let takes = self.board.shift(self.turn, m.origin(), m.arrival());
        self.halfmove = if takes { 0 } else { self.halfmove.saturating_add(1) };
        self.fullmove = self.fullmove.saturating_add(u32::from(self.turn == Side::Black));
        self.turn = self.turn.other();
    }
}

impl Explain for Strategi {
    const TURN: &'static Rule = &crate::chess::laws::TURN;

    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.man_at(squares::index(square)?)
    }

    fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + use<> {
        self.board.of_kind(piece.role, piece.side).into_iter().map(square_at)
    }

    fn king(&self, side: Side) -> Option<Square> {
        self.board.of_kind(Role::King, side).into_iter().next().map(square_at)
    }

    fn exposed_by(&self, from: Square, to: Square) -> impl Iterator<Item = Square> + use<> {
        let attackers = match (squares::index(from), squares::index(to)) {
            (Some(from), Some(to)) => self.attacks_on_king_after(from, to),
            _ => Squares::EMPTY,
        };
        attackers.into_iter().map(square_at)
    }

    /// Without a capture mark no pawn takes: another file of origin is that of a step aside (SC-6b).
    fn takes(pattern: &Pattern) -> bool {
        pattern.capture
    }

    fn walks(piece: Piece, from: Square, to: Square, takes: bool) -> bool {
        refusal::walks(piece, from, to, takes)
    }

    fn against(&self, written: &Written) -> (Reason, &'static Rule) {
        refusal::against(self, written)
    }
}

impl DrawLaw for Strategi {
    type Snapshot = Snapshot;

    const CLAIMS: Claims = Claims::Open(&law::DRAWS);

    const PROGRESS: &'static str = "capture";

    /// Whether positions before this move can never come again: after a capture, and after the first
    /// move of a pawn. Any other move of a pawn can be undone, for pawns go back (SC-6).
    #[inline]
    fn is_irreversible(&self, m: Move) -> bool {
        self.captures(m) || self.board.unmoved().has(m.origin())
    }

    fn end_by_itself(&self) -> Option<Ruling> {
        if !self.has_legal_move() {
            let (outcome, cause) = match self.in_check() {
                true => (Outcome::Win(self.turn.other()), Cause::Checkmate),
                false => (Outcome::Draw, Cause::Stalemate),
            };
            return Some(Ruling { outcome, cause, rule: &law::MATE });
        }
        if self.is_dead() {
            Self::draw(Cause::DeadPosition)
        } else if self.halfmove >= 150 {
            Self::draw(Cause::SeventyFiveMoves)
        } else {
            None
        }
    }

    #[inline]
    fn end_by_record(&self, times: usize, _: &[Snapshot]) -> Option<Ruling> {
        let drawn = times >= 5 || self.halfmove >= 150 || self.is_dead();
        if drawn { self.end_by_itself().or(Self::draw(Cause::Fivefold)) } else { None }
    }

    #[inline]
    fn claimable(&self, times: usize) -> [bool; 2] {
        [times >= 3, self.halfmove >= 100]
    }

    /// Not with a lone king, and not with a king and one knight, bishop or pawn against a lone king
    /// (GEN-10).
    fn can_mate(&self, side: Side) -> bool {
        let others = |side| self.board.all(side) & !self.kings();
        let (own, theirs) = (others(side), others(side.other()));
        let heavy = self.board.straight(side);
        own.is_crowd() || own.meets(heavy) || !own.is_empty() && !theirs.is_empty()
    }

    #[inline]
    fn repetition_key(&self) -> u64 {
        self.board.key() ^ self.turn as u64
    }

    #[inline]
    fn snapshot(&self) -> Snapshot {
        Snapshot { board: self.board, turn: self.turn }
    }
}

impl Irregular for Strategi {
    fn passed(&self) -> Option<Self> {
        (!self.in_check()).then(|| Self { turn: self.turn.other(), ..self.clone() })
    }

    fn displaced(&self, from: Square, to: Square) -> Option<Self> {
        let (from, to) = (squares::index(from)?, squares::index(to)?);
        let mut next = self.clone();
        if from == to || !self.board.all(self.turn).has(from) {
            return None;
        }
        next.board.remove(to);
        next.play(Move::new(from, to));
        if self.board.man_at(to).is_some() {
            next.halfmove = 0;
        }
        Self::from_setup(&next.to_setup()).ok()
    }
}

/// The squares on which a pattern's origin may lie.
#[inline]
fn origins(pattern: &Pattern) -> Squares {
    let file = pattern.file.map_or(Squares::BOARD, Squares::file);
    file & pattern.rank.map_or(Squares::BOARD, Squares::rank)
}
