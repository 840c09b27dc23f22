//! Why a written move is no legal move of StrategiChess on one board, and by which law.

use super::{SquareSet, Strategi, square_at, squares};
use crate::{
    chess::{Chess, Orthodox, laws as regular, regular_rule},
    strategichess::laws as law,
};
use overboard_rules::{
    geometry,
    ply::{Pattern, Written},
    position::{Explain, Movegen},
    refusal::{Reason, against_officers, against_target, among, backward, named, near_file},
    rule::Rule,
    square::{Piece, Role, Side, Square},
};

type Breach = (Reason, &'static Rule);

impl Explain for Strategi {
    const TURN: &'static Rule = &crate::chess::laws::TURN;

    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(squares::index(square)?)
    }

    fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + use<> {
        self.board
            .of_kind(piece.role, piece.side)
            .into_iter()
            .map(square_at)
    }

    fn exposed_by(&self, from: Square, pattern: &Pattern) -> impl Iterator<Item = Square> + use<> {
        let attackers = match (squares::index(from), squares::index(pattern.to)) {
            (Some(from), Some(to)) => self.attacks_on_king_after(from, to),
            _ => SquareSet::EMPTY,
        };
        attackers.into_iter().map(square_at)
    }

    /// Without a capture sign no pawn captures: another file of origin means a sideways step (SC-6b).
    fn takes(pattern: &Pattern) -> bool {
        pattern.capture
    }

    /// A pawn goes two or three squares from its home square.
    fn moves_so(piece: Piece, from: Square, to: Square, takes: bool) -> bool {
        match (piece.role, Step::of(piece.side, from, to)) {
            (Role::Pawn, step) if takes => step == Step::Slant,
            (Role::Pawn, Step::Long) => from == squares::first_square(piece.side, from.file),
            (Role::Pawn, Step::Aside) => is_road(from),
            (Role::Pawn, step) => matches!(step, Step::Ahead | Step::Back),
            _ => Chess::moves_so(piece, from, to, takes),
        }
    }

    fn against(&self, written: &Written) -> (Reason, &'static Rule) {
        match written {
            Written::Pass => (Reason::NoPass, &regular::TURN),
            Written::Drop { .. } | Written::PromotedDrop { .. } => (Reason::NoDrop, &regular::TURN),
            Written::Castle(_) => (Reason::NoCastling, &law::NO_CASTLING),
            Written::Move(pattern) => against_move(self, pattern),
        }
    }
}

fn against_move(position: &Strategi, pattern: &Pattern) -> Breach {
    if let Some(reason) = against_target(position, pattern) {
        return by_chess(reason, pattern);
    }
    if pattern.promotion.is_some() {
        return (
            Reason::NoPromotion("no piece is promoted in this game"),
            &law::NO_PROMOTION,
        );
    }
    match (named(position, pattern), pattern.role) {
        (Err(reason), _) => by_chess(reason, pattern),
        (Ok(from), Role::Pawn) if pattern.capture => against_capture(position, pattern, from),
        (Ok(from), Role::Pawn) => against_step(position, pattern, from),
        (Ok(from), _) => by_chess(against_officers(position, pattern, from), pattern),
    }
}

/// A reason that breaks the same law as in chess, with that law.
fn by_chess(reason: Reason, pattern: &Pattern) -> Breach {
    let rule = regular_rule::<Orthodox>(&reason, &Written::Move(*pattern));
    (reason, rule)
}

/// Why none, or more than one, of the named pawns can capture as written.
fn against_capture(position: &Strategi, pattern: &Pattern, from: Vec<Square>) -> Breach {
    let side = position.turn();
    let takes = |from: &Square| Step::of(side, *from, pattern.to) == Step::Slant;
    let mut able = from.clone();
    able.retain(takes);
    if able.is_empty() {
        let reason = backward(side, &from, pattern.to, true);
        let reason = reason.unwrap_or_else(|| Reason::OutOfReach(near_file(from, pattern.to)));
        return (reason, &law::PAWN_CAPTURE);
    }
    if position.piece_at(pattern.to).is_some() {
        return by_chess(among(position, pattern, able), pattern);
    }
    match looks_like_en_passant(position, pattern.to) {
        true => (Reason::NoEnPassant, &law::NO_EN_PASSANT),
        false => (Reason::NothingToTake, &law::PAWN_CAPTURE),
    }
}

/// Whether an enemy pawn is one or two squares past another, as if to be captured en passant.
fn looks_like_en_passant(position: &Strategi, to: Square) -> bool {
    let side = position.turn();
    let past = |by: u8| match side {
        Side::White => to.rank.checked_sub(by),
        Side::Black => to.rank.checked_add(by),
    };
    let enemy = Some(Piece {
        side: side.other(),
        role: Role::Pawn,
    });
    let stands = |rank| position.piece_at(Square::new(to.file, rank)) == enemy;
    [1, 2].into_iter().filter_map(past).any(stands)
}

/// Why none, or more than one, of the named pawns can move as written.
fn against_step(position: &Strategi, pattern: &Pattern, from: Vec<Square>) -> Breach {
    let goes =
        |from: &Square| Step::of(position.turn(), *from, pattern.to).is_open_to(position, *from);
    let mut able = from.clone();
    able.retain(goes);
    let way = |from: Square| geometry::between(from, pattern.to).chain([pattern.to]);
    let barrier = |from: Square| way(from).find(|square| position.piece_at(*square).is_some());
    let mut open = able.clone();
    open.retain(|from| barrier(*from).is_none());
    if !open.is_empty() {
        return by_chess(among(position, pattern, open), pattern);
    }
    let nearest = able
        .into_iter()
        .min_by_key(|from| from.distance(pattern.to));
    if let Some(from) = nearest
        && let Some(on) = barrier(from)
    {
        let step = Step::of(position.turn(), from, pattern.to);
        return (Reason::PawnBlocked(on), step.rule());
    }
    no_pawn_goes(position, pattern, from)
}

/// Why no named pawn moves like this, by the one that comes nearest to it.
fn no_pawn_goes(position: &Strategi, pattern: &Pattern, from: Vec<Square>) -> Breach {
    let (side, to) = (position.turn(), pattern.to);
    let one = |step: Step| {
        from.iter()
            .copied()
            .find(|from| Step::of(side, *from, to) == step)
    };
    let has_enemy = position.piece_at(to).is_some();
    if has_enemy && let Some(pawn) = one(Step::Slant) {
        return (Reason::CaptureMark(pawn), &law::PAWN_CAPTURE);
    }
    if let Some(pawn) = one(Step::Long) {
        let at_home = squares::first_square(side, pawn.file) == pawn;
        let rule = if at_home {
            &law::FIRST_MOVE
        } else {
            &law::PAWN_ADVANCE
        };
        return (Reason::HasMoved(pawn), rule);
    }
    if let Some(pawn) = one(Step::Aside) {
        return (Reason::OffRoad(pawn), &law::ROADS_ASIDE);
    }
    let near = near_file(from, to);
    let on_file = near.iter().find(|from| from.file == to.file);
    let rule = on_file
        .or(near.first())
        .map_or(&law::PAWN_ADVANCE, |from| Step::of(side, *from, to).rule());
    (Reason::OutOfReach(near), rule)
}

/// The direction of a square from a pawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Straight ahead, next to it.
    Ahead,
    /// Straight ahead, two or three squares away.
    Long,
    /// One step straight backward.
    Back,
    /// On the same rank, next to it.
    Aside,
    /// Diagonally ahead, next to it.
    Slant,
    /// Further straight backward.
    FarBack,
    /// Farther away on the same rank.
    FarAside,
    /// Anywhere else.
    Elsewhere,
}

impl Step {
    fn of(side: Side, from: Square, to: Square) -> Self {
        let up = i16::from(to.rank) - i16::from(from.rank);
        let ahead = if side == Side::White { up } else { -up };
        match (from.file.abs_diff(to.file), ahead) {
            (0, 1) => Self::Ahead,
            (0, 2 | 3) => Self::Long,
            (0, -1) => Self::Back,
            (0, ..-1) => Self::FarBack,
            (1, 0) => Self::Aside,
            (2.., 0) => Self::FarAside,
            (1, 1) => Self::Slant,
            _ => Self::Elsewhere,
        }
    }

    /// Whether the pawn on a square may make such a move if nothing is in its way.
    fn is_open_to(self, position: &Strategi, from: Square) -> bool {
        match self {
            Self::Ahead | Self::Back => true,
            Self::Long => position.is_unmoved(from),
            Self::Aside => is_road(from),
            _ => false,
        }
    }

    /// The rule about such a step.
    const fn rule(self) -> &'static Rule {
        match self {
            Self::Ahead | Self::Long | Self::Elsewhere => &law::PAWN_ADVANCE,
            Self::Back | Self::FarBack => &law::PAWN_RETREAT,
            Self::Aside | Self::FarAside => &law::ROADS_ASIDE,
            Self::Slant => &law::PAWN_CAPTURE,
        }
    }
}

/// Whether a square lies on a road (SC-1).
fn is_road(square: Square) -> bool {
    squares::index(square).is_some_and(|index| SquareSet::ROADS.has(index))
}
