//! Why a written move is not legal, in any game: the reasons and their wording. Thorough rather than fast, since it is
//! called only when the position did not find the move.

use crate::{
    general as common, geometry,
    outcome::Ruling,
    ply::{Pattern, Wing, Written},
    position::{Found, Position},
    riding::Riding,
    rule::Rule,
    square::{Piece, Role, Side, Square},
};
use std::fmt;

/// Why a written move was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The game had ended in this position.
    Ended(Ruling),
    /// A pass in a game without passes.
    NoPass,
    /// A drop in a game without drops.
    NoDrop,
    /// Castling in a game without it.
    NoCastling,
    /// The side has no piece of this kind.
    NoSuchPiece,
    /// No piece of this kind is where the move says that it comes from.
    NotOnOrigin,
    /// Only the opponent could make this move.
    WrongSide,
    /// A piece of the mover occupies the arrival square.
    OwnPiece(Role),
    /// The move would take a king.
    TakesKing,
    /// Pieces of this kind are on these squares, and none of them moves like this.
    OutOfReach(Vec<Square>),
    /// Pieces on a line with the arrival square, each with the square of what is in between.
    Blocked(Vec<(Square, Square)>),
    /// The piece on the first square shields its king from the pieces on the others.
    Pinned(Square, Vec<Square>),
    /// The king stays in check from these squares.
    StaysInCheck(Vec<Square>),
    /// The king would step into an attack from these squares.
    IntoCheck(Vec<Square>),
    /// Several pieces can make the move.
    Ambiguous(Vec<Square>),
    /// A pawn reaches the last rank without a promotion; what it may become.
    PromotionMissing(&'static str),
    /// The only piece of this kind is in the hand.
    InHand(Role),
    /// A drop written as a promotion.
    DropPromotes,
    /// A promotion to something that is not allowed.
    PromotionRole(Role),
    /// A promotion by a move that does not promote; which moves do.
    NoPromotion(&'static str),
    /// The piece here bars a pawn's way straight ahead.
    PawnBlocked(Square),
    /// The pawn here would move or capture backwards.
    Backward(Square),
    /// A pawn may advance two squares only from its first rank.
    NoDoubleStep(Square),
    /// A pawn never advances two squares in this game.
    OneStep(Square),
    /// There is nothing for the pawn to capture.
    NothingToTake,
    /// The pawn here has moved before, and the move is one of two or three squares.
    HasMoved(Square),
    /// The pawn here is not on a road, and the move is sideways.
    OffRoad(Square),
    /// The pawn here could capture on the square, but no capture is written.
    CaptureMark(Square),
    /// An en passant capture in a game without it.
    NoEnPassant,
    /// The en passant capture is not, or no longer, possible.
    EnPassantOver,
    /// The king moves as in castling on this wing, which is written `O-O` or `O-O-O`.
    WrittenCastling(Wing),
    /// The right to castle has been lost.
    NoCastlingRight(Wing),
    /// A piece is in the way of king or rook.
    CastlingBlocked(Square),
    /// The king is in check, or would cross or reach this square, attacked from those.
    CastlingAttacked(Square, Vec<Square>),
    /// The piece is not in hand; the contents of the hand.
    NotInHand(Vec<(Role, u8)>),
    /// A drop on an occupied square.
    DropOnPiece(Square),
    /// A pawn dropped on its last rank, or on another one that is closed to drops of pawns; which ranks those are.
    PawnOnLastRank(&'static str),
    /// Something about riders and carriers.
    Riding(Riding),
}

impl Reason {
    /// The other squares that the reason refers to.
    fn squares(&self) -> Vec<Square> {
        match self {
            Self::Blocked(pairs) => pairs.iter().flat_map(|(from, by)| [*from, *by]).collect(),
            Self::Pinned(_, by) | Self::StaysInCheck(by) | Self::IntoCheck(by) => by.clone(),
            // With the piece on the square itself, the message can say whether the king is in check or only crosses the
            // square.
            Self::CastlingAttacked(on, by) => by.iter().copied().chain([*on]).collect(),
            Self::Riding(riding) => riding.square().into_iter().collect(),
            Self::PawnBlocked(on) | Self::CastlingBlocked(on) | Self::DropOnPiece(on) => vec![*on],
            _ => Vec::new(),
        }
    }
}

/// A refused move: its side, its text, the reason, and the rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    side: Side,
    written: Written,
    reason: Reason,
    rule: &'static Rule,
    neighbours: Vec<(Square, Piece)>,
    opponent_could: bool,
}

mod whose;

use whose::names_the_opponents;
pub use whose::opponent_could;

impl Refusal {
    /// Why `written` is not a legal move in a position; `None` if it is one.
    #[must_use]
    pub fn of<P: Position>(position: &P, written: &Written) -> Option<Self> {
        if let Found::One(_) = position.find(written) {
            return None;
        }
        let Some(ruling) = position.end_by_itself() else {
            return Some(Self::by_geometry(position, written));
        };
        Some(Self::because(
            position,
            written,
            (Reason::Ended(ruling), &common::ENDED),
        ))
    }

    /// Why `written` is not a legal move, without checking whether the game has ended.
    pub fn by_geometry<P: Position>(position: &P, written: &Written) -> Self {
        let against = position.against(written);
        // That nobody may move a piece with a rider on it says more than whose it is.
        let is_ridden = matches!(against.0, Reason::Riding(Riding::Ridden(_)));
        let against = if !is_ridden && names_the_opponents(position, written) {
            (Reason::WrongSide, P::TURN)
        } else {
            against
        };
        Self::because(position, written, against)
    }

    fn because<P: Position>(
        position: &P,
        written: &Written,
        (reason, rule): (Reason, &'static Rule),
    ) -> Self {
        let standing = |on| Some((on, position.piece_at(on)?));
        let neighbours = reason.squares().into_iter().filter_map(standing).collect();
        let opponent_could =
            matches!(written, Written::Move(pattern) if opponent_could(position, pattern));
        Self {
            side: position.turn(),
            written: *written,
            reason,
            rule,
            neighbours,
            opponent_could,
        }
    }

    /// The reason.
    #[must_use]
    pub const fn reason(&self) -> &Reason {
        &self.reason
    }

    /// The rule that the move breaks.
    #[must_use]
    pub const fn rule(&self) -> &'static Rule {
        self.rule
    }

    /// The legal moves that may have been meant: those between which it is ambiguous, else those of the same kind of
    /// piece, else those to the same square, else all. Sorted by origin and arrival square.
    #[must_use]
    pub fn possible<P: Position>(&self, position: &P) -> Vec<P::Move> {
        let moves = position.moves_in_order();
        let wanted = |keep: &dyn Fn(crate::position::Act) -> bool| {
            moves
                .iter()
                .copied()
                .filter(|m| keep(position.act(*m)))
                .collect::<Vec<_>>()
        };
        let close = match (&self.written, &self.reason) {
            (Written::Move(_), Reason::WrittenCastling(_)) => wanted(&|m| m.castles),
            (Written::Move(pattern), Reason::Ambiguous(from)) => wanted(&|m| {
                m.to == pattern.to && m.from.is_some_and(|square| from.contains(&square))
            }),
            (Written::Move(pattern), _) if pattern.role == Role::Pawn => wanted(&|m| {
                m.role == Role::Pawn && m.from.is_some() && m.to.file.abs_diff(pattern.to.file) <= 1
            }),
            (Written::Move(pattern), _) => {
                wanted(&|m| m.role == pattern.role && m.from.is_some() && !m.castles)
            }
            (Written::Castle(_), _) => wanted(&|m| m.role == Role::King),
            (Written::Drop { role, .. } | Written::PromotedDrop { role, .. }, _) => {
                wanted(&|m| m.from.is_none() && m.role == *role)
            }
            (Written::Pass, _) => Vec::new(),
        };
        if !close.is_empty() {
            return close;
        }
        let same_square = match &self.written {
            Written::Move(Pattern { to, .. })
            | Written::Drop { to, .. }
            | Written::PromotedDrop { to, .. } => wanted(&|m| m.to == *to),
            _ => Vec::new(),
        };
        if same_square.is_empty() {
            moves
        } else {
            same_square
        }
    }
}

/// Whether a pawn move is written as a capture, with the mark or with another file of origin.
#[must_use]
pub fn takes(pattern: &Pattern) -> bool {
    pattern.capture || pattern.file.is_some_and(|file| file != pattern.to.file)
}

/// Whether the arrival square rules the move out, whichever piece makes it, because a king or a piece of the mover is
/// there. If only the opponent could capture that piece, it is a move out of turn instead.
pub fn against_target<P: Position>(position: &P, pattern: &Pattern) -> Option<Reason> {
    let Piece { side, role } = position.piece_at(pattern.to)?;
    if side == position.turn() {
        return Some(match pattern.capture && opponent_could(position, pattern) {
            true => Reason::WrongSide,
            false => Reason::OwnPiece(role),
        });
    }
    (role == Role::King).then_some(Reason::TakesKing)
}

/// The reason if `to` is one step backwards for one of the named pawns; with `takes`, one step diagonally backwards.
#[must_use]
pub fn backward(side: Side, named: &[Square], to: Square, takes: bool) -> Option<Reason> {
    let lies_behind = |from: &&Square| {
        let below = match side {
            Side::White => from.rank.checked_sub(1),
            Side::Black => Some(from.rank + 1),
        };
        below == Some(to.rank) && from.file.abs_diff(to.file) == u8::from(takes)
    };
    named
        .iter()
        .find(lies_behind)
        .map(|from| Reason::Backward(*from))
}

/// Why none of the named pawns can move like this in chess: too far, backwards, or elsewhere.
#[must_use]
pub fn no_pawn_goes(side: Side, pattern: &Pattern, takes: bool, named: Vec<Square>) -> Reason {
    let (to, ahead) = (pattern.to, side == Side::White);
    let lies_two_behind = |from: &&Square| {
        from.file == to.file && from.rank.abs_diff(to.rank) == 2 && (from.rank < to.rank) == ahead
    };
    match named.iter().find(lies_two_behind) {
        Some(from) if !takes => Reason::NoDoubleStep(*from),
        _ => backward(side, &named, to, takes)
            .unwrap_or_else(|| Reason::OutOfReach(near_file(named, to))),
    }
}

/// The pawns on the file of `to` or next to it; all of them if there are none.
#[must_use]
pub fn near_file(pawns: Vec<Square>, to: Square) -> Vec<Square> {
    let near: Vec<_> = pawns
        .iter()
        .copied()
        .filter(|from| from.file.abs_diff(to.file) <= 1)
        .collect();
    if near.is_empty() { pawns } else { near }
}

/// The square of the rook for castling in chess, and the squares on the king's way where it must not be attacked.
#[must_use]
pub const fn castling_way(side: Side, wing: Wing) -> (Square, [Square; 3]) {
    let rank = match side {
        Side::White => 0,
        Side::Black => 7,
    };
    let (rook, way) = match wing {
        Wing::KingSide => (7, [4, 5, 6]),
        Wing::QueenSide => (0, [4, 3, 2]),
    };
    let [from, over, to] = way;
    (
        Square::new(rook, rank),
        [
            Square::new(from, rank),
            Square::new(over, rank),
            Square::new(to, rank),
        ],
    )
}

/// The refusal because of a piece between king and rook, if the side still has the right to castle.
pub fn between_king_and_rook<P: Position>(position: &P, wing: Wing) -> Option<Reason> {
    let (rook, [king, ..]) = castling_way(position.turn(), wing);
    let on = geometry::between(king, rook).find(|square| position.piece_at(*square).is_some())?;
    Some(Reason::CastlingBlocked(on))
}

/// The wing where a king's move to this square would be castling in chess; ignores castling rights and pieces in
/// between.
#[must_use]
pub fn castling_step(king: Square, side: Side, to: Square) -> Option<Wing> {
    [Wing::KingSide, Wing::QueenSide].into_iter().find(|wing| {
        let (_, [from, _, onto]) = castling_way(side, *wing);
        (king, to) == (from, onto)
    })
}

/// The mover's pieces that a pattern names, or why there are none.
///
/// # Errors
/// If there is no such piece, none on the given origin, or only one of the opponent's.
pub fn named<P: Position>(position: &P, pattern: &Pattern) -> Result<Vec<Square>, Reason> {
    let piece = Piece {
        side: position.turn(),
        role: pattern.role,
    };
    let missing = |reason| {
        if opponent_could(position, pattern) {
            Reason::WrongSide
        } else {
            reason
        }
    };
    let all: Vec<_> = position.squares_of(piece).collect();
    if all.is_empty() {
        return Err(missing(Reason::NoSuchPiece));
    }
    let named: Vec<_> = all
        .into_iter()
        .filter(|from| pattern.may_start_on(*from))
        .collect();
    if named.is_empty() {
        Err(missing(Reason::NotOnOrigin))
    } else {
        Ok(named)
    }
}

/// Why none of the named pieces, or more than one, can make the move. Not for pawns.
pub fn against_officers<P: Position>(
    position: &P,
    pattern: &Pattern,
    named: Vec<Square>,
) -> Reason {
    let piece = Piece {
        side: position.turn(),
        role: pattern.role,
    };
    let lined: Vec<_> = named
        .iter()
        .copied()
        .filter(|from| P::moves_so(piece, *from, pattern.to, P::takes(pattern)))
        .collect();
    if lined.is_empty() {
        return Reason::OutOfReach(named);
    }
    let (mut open, mut blocked) = (Vec::new(), Vec::new());
    for from in lined {
        match barrier(position, pattern.role, from, pattern.to) {
            Some(by) => blocked.push((from, by)),
            None => open.push(from),
        }
    }
    if open.is_empty() {
        return Reason::Blocked(blocked);
    }
    among(position, pattern, open)
}

/// The first piece between two squares that stops a piece of this kind; nothing stops a knight.
pub fn barrier<P: Position>(position: &P, role: Role, from: Square, to: Square) -> Option<Square> {
    if role == Role::Knight {
        return None;
    }
    geometry::between(from, to).find(|square| position.piece_at(*square).is_some())
}

/// The reason if several pieces could make the move: all of them would expose their king, or it is ambiguous.
pub fn among<P: Position>(position: &P, pattern: &Pattern, from: Vec<Square>) -> Reason {
    let exposes = |from: &Square| position.exposed_by(*from, pattern).next().is_some();
    let able: Vec<_> = from.iter().copied().filter(|from| !exposes(from)).collect();
    if able.len() > 1 {
        return Reason::Ambiguous(able);
    }
    let first = from[0];
    let by: Vec<_> = position.exposed_by(first, pattern).collect();
    if pattern.role == Role::King {
        Reason::IntoCheck(by)
    } else if position.in_check() {
        Reason::StaysInCheck(by)
    } else {
        Reason::Pinned(first, by)
    }
}

impl Refusal {
    fn name(&self) -> String {
        match &self.written {
            Written::Move(pattern) => format!("{} {}", self.side.adjective(), pattern.role.name()),
            _ => self.side.to_string(),
        }
    }

    /// `the black bishop on g4`.
    fn piece(&self, on: Square) -> String {
        match self.neighbours.iter().find(|(square, _)| *square == on) {
            Some((_, piece)) => format!(
                "the {} {} on {on}",
                piece.side.adjective(),
                piece.role.name()
            ),
            None => on.to_string(),
        }
    }

    /// The file to which a castling king was to move; for any other square, its own file.
    fn castled_to(&self, on: Square) -> u8 {
        match &self.written {
            Written::Castle(Wing::KingSide) => 6,
            Written::Castle(Wing::QueenSide) => 2,
            Written::Move(pattern) => pattern.to.file,
            _ => on.file,
        }
    }

    fn is_king(&self, on: Square) -> bool {
        self.neighbours
            .iter()
            .any(|(square, piece)| *square == on && piece.role == Role::King)
    }

    fn pieces(&self, on: &[Square]) -> String {
        list(on.iter().map(|square| self.piece(*square)), "and")
    }

    fn origin_words(pattern: &Pattern) -> String {
        match (pattern.file, pattern.rank) {
            (Some(file), Some(rank)) => format!("on {}", Square::new(file, rank)),
            (Some(file), None) => format!("on the {}-file", Square::file_letter(file)),
            (None, Some(rank)) => format!("on rank {}", rank + 1),
            (None, None) => "on the board".into(),
        }
    }

    fn explain_drop(&self, role: Role, to: Square, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Reason::NotInHand(held) => {
                let all = held.iter().map(|(role, count)| pieces(*role, *count));
                let contents = match held.as_slice() {
                    [] => "is empty".into(),
                    _ => format!("holds {}", list(all, "and")),
                };
                write!(
                    f,
                    "there is no {} in {}'s hand, which {contents}",
                    role.name(),
                    self.side
                )
            }
            Reason::DropOnPiece(on) => {
                write!(
                    f,
                    "a drop needs an empty square, and {} is there",
                    self.piece(*on)
                )
            }
            Reason::DropPromotes => write!(f, "a drop is never a promotion"),
            Reason::PawnOnLastRank(ranks) => write!(f, "a pawn may not be dropped on {ranks}"),
            Reason::StaysInCheck(by) => write!(
                f,
                "a drop on {to} leaves the {} king in check from {}",
                self.side.adjective(),
                self.pieces(by)
            ),
            _ => Ok(()),
        }
    }

    fn explain_move(&self, pattern: &Pattern, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, role, to) = (self.name(), pattern.role.name(), pattern.to);
        match &self.reason {
            Reason::NoSuchPiece => write!(f, "there is no {name} on the board"),
            Reason::NotOnOrigin => write!(f, "there is no {name} {}", Self::origin_words(pattern)),
            Reason::WrongSide => self.explain_whose(pattern, f),
            Reason::OwnPiece(own) => {
                write!(f, "{to} is occupied by {}'s own {}", self.side, own.name())
            }
            Reason::TakesKing => write!(f, "the king on {to} cannot be captured"),
            Reason::OutOfReach(from) => {
                match &from[..] {
                    [only] => write!(f, "the {name} on {only} cannot move to {to}")?,
                    all => write!(
                        f,
                        "no {name} can move to {to} from {}",
                        list(all.iter(), "or")
                    )?,
                }
                match self.opponent_could {
                    true => write!(
                        f,
                        " (a {} {role} could, but it is {}'s move)",
                        self.side.other().adjective(),
                        self.side
                    ),
                    false => Ok(()),
                }
            }
            Reason::Blocked(pairs) => {
                let each = pairs.iter().map(|(from, by)| {
                    format!("the {name} on {from} is blocked by {}", self.piece(*by))
                });
                f.write_str(&list(each, "and"))
            }
            Reason::Pinned(from, by) => {
                write!(
                    f,
                    "the {name} on {from} is pinned to its king by {}",
                    self.pieces(by)
                )
            }
            Reason::StaysInCheck(by) => {
                write!(
                    f,
                    "it leaves the {} king in check from {}",
                    self.side.adjective(),
                    self.pieces(by)
                )
            }
            Reason::IntoCheck(by) => {
                write!(
                    f,
                    "the {name} would be in check on {to} from {}",
                    self.pieces(by)
                )
            }
            Reason::Ambiguous(from) => {
                write!(
                    f,
                    "ambiguous between the {role}s on {}",
                    list(from.iter(), "and")
                )
            }
            Reason::PromotionMissing(what) => {
                write!(f, "the pawn reaches the last rank and {what}")
            }
            Reason::InHand(role) => write!(
                f,
                "no {name} is on the board, but {} holds one in hand: a drop is written {}@{to}",
                self.side,
                role.letter()
            ),
            Reason::PromotionRole(to) => write!(f, "a {role} cannot become a {}", to.name()),
            Reason::NoPromotion(why) => f.write_str(why),
            Reason::PawnBlocked(on) => write!(f, "the pawn is blocked by {}", self.piece(*on)),
            Reason::Backward(from) if takes(pattern) => {
                write!(
                    f,
                    "the pawn on {from} captures only diagonally forward, and {to} is behind it"
                )
            }
            Reason::Backward(from) => write!(f, "the pawn on {from} never goes back"),
            Reason::NoDoubleStep(from) => {
                write!(
                    f,
                    "the pawn on {from} has already moved and may go only one square"
                )
            }
            Reason::OneStep(from) => write!(f, "the pawn on {from} goes one square at a time"),
            Reason::HasMoved(from) => {
                write!(
                    f,
                    "the pawn on {from} has moved before and may go only one square"
                )
            }
            Reason::OffRoad(from) => {
                write!(
                    f,
                    "the pawn on {from} is not on a road and may not go sideways"
                )
            }
            Reason::CaptureMark(from) => {
                write!(
                    f,
                    "the pawn on {from} goes to {to} only by a capture, which is written with `x`"
                )
            }
            Reason::NoEnPassant => {
                write!(f, "there is nothing to capture on {to}, and no en passant")
            }
            Reason::NothingToTake => write!(f, "there is nothing to capture on {to}"),
            Reason::EnPassantOver => {
                write!(
                    f,
                    "en passant is possible only against a double step made in the move before"
                )
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.reason, &self.written) {
            (Reason::Ended(ruling), _) => {
                write!(f, "the game ended by {} ({})", ruling.cause, ruling.outcome)
            }
            (Reason::NoPass, _) => write!(f, "{} may not pass", self.side),
            (Reason::NoDrop, _) => write!(f, "no piece is dropped in this game"),
            (Reason::NoCastling, _) => write!(f, "this game has no castling"),
            (Reason::WrittenCastling(wing), _) => {
                write!(
                    f,
                    "the king goes so far only when it castles, which is written {}",
                    wing.letters()
                )
            }
            (Reason::NoCastlingRight(wing), _) => {
                let rook = if *wing == Wing::KingSide {
                    "king's"
                } else {
                    "queen's"
                };
                write!(
                    f,
                    "{} no longer has the right to castle with the {rook} rook",
                    self.side
                )
            }
            (Reason::CastlingBlocked(on), _) => {
                write!(f, "{} is in the way of king and rook", self.piece(*on))
            }
            (Reason::CastlingAttacked(square, by), _) => match square.file {
                file if file == self.castled_to(*square) => {
                    write!(
                        f,
                        "the king would be in check on {square} from {}",
                        self.pieces(by)
                    )
                }
                _ if self.is_king(*square) => {
                    write!(f, "the king is in check from {}", self.pieces(by))
                }
                _ => write!(
                    f,
                    "the king would cross {square}, attacked by {}",
                    self.pieces(by)
                ),
            },
            (Reason::Riding(riding), written) => {
                let there = self.neighbours.first().map(|(_, rider)| *rider);
                riding.report(&self.name(), written, there, f)
            }
            (_, Written::Move(pattern)) => self.explain_move(pattern, f),
            (_, Written::Drop { role, to } | Written::PromotedDrop { role, to }) => {
                self.explain_drop(*role, *to, f)
            }
            _ => Ok(()),
        }
    }
}

/// `a rook`, `2 pawns`.
fn pieces(role: Role, count: u8) -> String {
    match count {
        1 => format!("a {}", role.name()),
        n => format!("{n} {}s", role.name()),
    }
}

/// A number with its noun: `1 round`, `2 rounds`.
pub fn counted<T: fmt::Display + PartialEq + From<u8>>(count: T, what: &str) -> String {
    let s = if count == T::from(1) { "" } else { "s" };
    format!("{count} {what}{s}")
}

/// `a, b and c`.
pub fn list<T: fmt::Display>(items: impl IntoIterator<Item = T>, last: &str) -> String {
    let words: Vec<_> = items.into_iter().map(|item| item.to_string()).collect();
    match words.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        Some((end, _)) => end.clone(),
        None => String::new(),
    }
}
