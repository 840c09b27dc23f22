//! Why a written move is no legal move of orthodox chess.
//!
//! Slow and thorough: asked only after the position did not find the move.

use crate::{
    chess::{Chess, Found, Move},
    laws::{chess as law, common},
    outcome::Ruling,
    ply::{Pattern, Wing, Written},
    rule::Rule,
    square::{Piece, Role, Side, Square},
    walk,
};
use std::fmt;

/// Why a written move was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The game had ended in this position.
    Ended(Ruling),
    /// A pass where the game knows none.
    NoPass,
    /// A drop where the game knows none.
    NoDrop,
    /// The side has no piece of this kind.
    NoSuchPiece,
    /// No piece of this kind stands where the move says that it comes from.
    NotOnOrigin,
    /// Only the opponent could make this move.
    WrongSide,
    /// The arrival square is held by a piece of the mover.
    OwnPiece(Role),
    /// The move would take a king.
    TakesKing,
    /// Pieces of this kind stand here, and none of them moves so.
    OutOfReach(Vec<Square>),
    /// Pieces that stand on a line with the arrival square, and what stands between.
    Blocked(Vec<(Square, Square)>),
    /// The piece on the first square shields its king from the pieces on the others.
    Pinned(Square, Vec<Square>),
    /// The king stays in check from these squares.
    StaysInCheck(Vec<Square>),
    /// The king would step into an attack from these squares.
    IntoCheck(Vec<Square>),
    /// Several pieces can make the move.
    Ambiguous(Vec<Square>),
    /// A pawn reaches the last rank and no piece is named.
    PromotionMissing,
    /// A promotion to something that is not allowed.
    PromotionRole(Role),
    /// A promotion of something else than a pawn on its last rank.
    NoPromotion,
    /// A pawn's way straight ahead is barred by the piece here.
    PawnBlocked(Square),
    /// A pawn may take two steps only from its first rank.
    NoDoubleStep(Square),
    /// Nothing to take for the pawn.
    NothingToTake,
    /// The en passant capture is not, or no longer, possible.
    EnPassantOver,
    /// The right to castle is gone.
    NoCastlingRight(Wing),
    /// A piece stands between king and rook.
    CastlingBlocked(Square),
    /// The king is in check, crosses or reaches this square attacked from those.
    CastlingAttacked(Square, Vec<Square>),
}

impl Reason {
    /// The rule that the move breaks.
    #[must_use]
    pub const fn rule(&self) -> &'static Rule {
        match self {
            Self::Ended(_) => &common::ENDED,
            Self::NoPass | Self::NoDrop | Self::NoSuchPiece | Self::NotOnOrigin | Self::WrongSide => {
                &law::TURN
            }
            Self::OwnPiece(_) => &law::OWN_PIECE,
            Self::TakesKing => &law::CAPTURE,
            // Overwritten by the mover's own rule in `Refusal::rule`.
            Self::OutOfReach(_) => &law::KNIGHT,
            Self::Blocked(_) => &law::NO_JUMP,
            Self::Pinned(..) | Self::StaysInCheck(_) | Self::IntoCheck(_) => &law::KING_SAFETY,
            Self::Ambiguous(_) => &law::ONE_MOVE,
            Self::PromotionMissing | Self::PromotionRole(_) | Self::NoPromotion => &law::PROMOTION,
            Self::PawnBlocked(_) | Self::NoDoubleStep(_) => &law::PAWN_ADVANCE,
            Self::NothingToTake => &law::PAWN_CAPTURE,
            Self::EnPassantOver => &law::EN_PASSANT,
            Self::NoCastlingRight(_) | Self::CastlingBlocked(_) | Self::CastlingAttacked(..) => {
                &law::CASTLING
            }
        }
    }
}

/// A refused move: who wanted what, and why not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    side: Side,
    written: Written,
    reason: Reason,
    neighbours: Vec<(Square, Piece)>,
    opponent_could: bool,
}

impl Refusal {
    /// Why `written` is no legal move in `chess`; `None` when it is one.
    #[must_use]
    pub fn of(chess: &Chess, written: &Written) -> Option<Self> {
        if let Found::One(_) = chess.find(written) {
            return None;
        }
        let reason = match chess.ending() {
            Some(ruling) => Reason::Ended(ruling),
            None => match written {
                Written::Pass => Reason::NoPass,
                Written::Drop { .. } => Reason::NoDrop,
                Written::Castle(wing) => against_castling(chess, *wing),
                Written::Move(pattern) => against_move(chess, pattern),
            },
        };
        let neighbours =
            squares_in(&reason).into_iter().filter_map(|on| Some((on, chess.piece_at(on)?))).collect();
        let opponent_could = matches!(written, Written::Move(pattern) if opponent_could(chess, pattern));
        Some(Self { side: chess.turn(), written: *written, reason, neighbours, opponent_could })
    }

    /// Why.
    #[must_use]
    pub const fn reason(&self) -> &Reason {
        &self.reason
    }

    /// The rule that the move breaks.
    #[must_use]
    pub fn rule(&self) -> &'static Rule {
        match (&self.reason, &self.written) {
            (Reason::OutOfReach(_), Written::Move(pattern)) => movement_rule(pattern),
            (reason, _) => reason.rule(),
        }
    }

    /// The legal moves that come to mind: those it is ambiguous between, else of the same kind of
    /// piece, else to the same square, else all. Sorted by origin and arrival.
    #[must_use]
    pub fn possible(&self, chess: &Chess) -> Vec<Move> {
        let mut moves: Vec<Move> = chess.legal_moves().collect();
        moves.sort_by_key(|m| (m.from(), m.to(), m.promotion()));
        let wanted =
            |keep: &dyn Fn(&Move) -> bool| moves.iter().copied().filter(|m| keep(m)).collect::<Vec<_>>();
        let close = match (&self.written, &self.reason) {
            (Written::Move(pattern), Reason::Ambiguous(from)) => {
                wanted(&|m| m.to() == pattern.to && from.contains(&m.from()))
            }
            (Written::Move(pattern), _) if pattern.role == Role::Pawn => {
                wanted(&|m| m.role() == Role::Pawn && m.to().file.abs_diff(pattern.to.file) <= 1)
            }
            (Written::Move(pattern), _) => wanted(&|m| m.role() == pattern.role && m.wing().is_none()),
            (Written::Castle(_), _) => wanted(&|m| m.role() == Role::King),
            (Written::Drop { to, .. }, _) => wanted(&|m| m.to() == *to),
            (Written::Pass, _) => Vec::new(),
        };
        if !close.is_empty() {
            return close;
        }
        let same_square = match &self.written {
            Written::Move(pattern) => wanted(&|m| m.to() == pattern.to),
            _ => Vec::new(),
        };
        if same_square.is_empty() { moves } else { same_square }
    }
}

fn movement_rule(pattern: &Pattern) -> &'static Rule {
    match pattern.role {
        Role::Pawn if takes(pattern) => &law::PAWN_CAPTURE,
        Role::Pawn => &law::PAWN_ADVANCE,
        Role::Knight => &law::KNIGHT,
        Role::Bishop => &law::BISHOP,
        Role::Rook => &law::ROOK,
        Role::Queen => &law::QUEEN,
        Role::King | Role::Silver | Role::Gold => &law::KING,
    }
}

fn against_castling(chess: &Chess, wing: Wing) -> Reason {
    let side = chess.turn();
    if !chess.may_castle(side, wing) {
        return Reason::NoCastlingRight(wing);
    }
    let rank = if side == Side::White { 0 } else { 7 };
    let at = |file| Square::new(file, rank);
    let (rook, walked) = match wing {
        Wing::KingSide => (at(7), [at(4), at(5), at(6)]),
        Wing::QueenSide => (at(0), [at(4), at(3), at(2)]),
    };
    if let Some(on) = walk::between(at(4), rook).find(|square| chess.piece_at(*square).is_some()) {
        return Reason::CastlingBlocked(on);
    }
    for square in walked {
        let by: Vec<_> = chess.attackers(square, side.other()).collect();
        if !by.is_empty() {
            return Reason::CastlingAttacked(square, by);
        }
    }
    // An attack through the king itself can remain: from beside it along the rank.
    Reason::CastlingAttacked(walked[2], chess.exposed_by(at(4), walked[2]).collect())
}

fn against_move(chess: &Chess, pattern: &Pattern) -> Reason {
    let side = chess.turn();
    match chess.piece_at(pattern.to) {
        Some(Piece { side: owner, role }) if owner == side => return Reason::OwnPiece(role),
        Some(Piece { role: Role::King, .. }) => return Reason::TakesKing,
        _ => {}
    }
    if pattern.role == Role::Pawn { against_pawn(chess, pattern) } else { against_officer(chess, pattern) }
}

/// Whether the opponent has a piece that could make the move, were it his turn.
fn opponent_could(chess: &Chess, pattern: &Pattern) -> bool {
    let side = chess.turn().other();
    let pieces = chess.squares_of(Piece { side, role: pattern.role });
    pieces.filter(|from| pattern.may_start_on(*from)).any(|from| moves_freely(chess, side, from, pattern))
}

fn moves_freely(chess: &Chess, side: Side, from: Square, pattern: &Pattern) -> bool {
    let to = pattern.to;
    match pattern.role {
        Role::Pawn => pawn_walks(side, from, to, takes(pattern)),
        role => {
            has_line(role, from, to)
                && (role == Role::Knight || walk::between(from, to).all(|s| chess.piece_at(s).is_none()))
        }
    }
}

/// Whether a pawn's move is written as a capture, by its mark or by another file of origin.
fn takes(pattern: &Pattern) -> bool {
    pattern.capture || pattern.file.is_some_and(|file| file != pattern.to.file)
}

fn pawn_walks(side: Side, from: Square, to: Square, takes: bool) -> bool {
    let forward = |steps: u8| match side {
        Side::White => from.rank.checked_add(steps),
        Side::Black => from.rank.checked_sub(steps),
    };
    let start = if side == Side::White { 1 } else { 6 };
    if takes {
        from.file.abs_diff(to.file) == 1 && forward(1) == Some(to.rank)
    } else {
        from.file == to.file
            && (forward(1) == Some(to.rank) || (from.rank == start && forward(2) == Some(to.rank)))
    }
}

fn has_line(role: Role, from: Square, to: Square) -> bool {
    match role {
        Role::Knight => walk::a_knight_apart(from, to),
        Role::Bishop => walk::on_a_bishop_line(from, to),
        Role::Rook => walk::on_a_rook_line(from, to),
        Role::Queen => walk::on_a_rook_line(from, to) || walk::on_a_bishop_line(from, to),
        _ => from.distance(to) == 1,
    }
}

fn against_officer(chess: &Chess, pattern: &Pattern) -> Reason {
    let side = chess.turn();
    let all: Vec<_> = chess.squares_of(Piece { side, role: pattern.role }).collect();
    if all.is_empty() {
        return if opponent_could(chess, pattern) { Reason::WrongSide } else { Reason::NoSuchPiece };
    }
    if pattern.promotion.is_some() {
        return Reason::NoPromotion;
    }
    let named: Vec<_> = all.into_iter().filter(|from| pattern.may_start_on(*from)).collect();
    if named.is_empty() {
        return if opponent_could(chess, pattern) { Reason::WrongSide } else { Reason::NotOnOrigin };
    }
    let lined: Vec<_> =
        named.iter().copied().filter(|from| has_line(pattern.role, *from, pattern.to)).collect();
    if lined.is_empty() {
        return Reason::OutOfReach(named);
    }
    let (open, barred): (Vec<_>, Vec<_>) = lined
        .into_iter()
        .map(|from| (from, barrier(chess, pattern.role, from, pattern.to)))
        .partition(|(_, by)| by.is_none());
    if open.is_empty() {
        return Reason::Blocked(barred.into_iter().filter_map(|(from, by)| Some((from, by?))).collect());
    }
    among(chess, pattern, open.into_iter().map(|(from, _)| from).collect())
}

fn barrier(chess: &Chess, role: Role, from: Square, to: Square) -> Option<Square> {
    if role == Role::Knight {
        return None;
    }
    walk::between(from, to).find(|square| chess.piece_at(*square).is_some())
}

/// The reason among pieces that could make the move but for their king, or that all can make it.
fn among(chess: &Chess, pattern: &Pattern, from: Vec<Square>) -> Reason {
    let able: Vec<_> =
        from.iter().copied().filter(|from| chess.exposed_by(*from, pattern.to).next().is_none()).collect();
    if able.len() > 1 {
        return Reason::Ambiguous(able);
    }
    let first = from[0];
    let by: Vec<_> = chess.exposed_by(first, pattern.to).collect();
    if pattern.role == Role::King {
        Reason::IntoCheck(by)
    } else if chess.in_check() {
        Reason::StaysInCheck(by)
    } else {
        Reason::Pinned(first, by)
    }
}

fn against_pawn(chess: &Chess, pattern: &Pattern) -> Reason {
    let side = chess.turn();
    let last = if side == Side::White { 7 } else { 0 };
    if chess.squares_of(Piece { side, role: Role::Pawn }).next().is_none() {
        return if opponent_could(chess, pattern) { Reason::WrongSide } else { Reason::NoSuchPiece };
    }
    let takes = takes(pattern);
    let pawns: Vec<_> = chess
        .squares_of(Piece { side, role: Role::Pawn })
        .filter(|from| pattern.may_start_on(*from) && pawn_walks(side, *from, pattern.to, takes))
        .collect();
    if pawns.is_empty() {
        return no_pawn_walks(chess, pattern, takes);
    }
    if takes && chess.piece_at(pattern.to).is_none() && chess.crossed() != Some(pattern.to) {
        return if can_look_like_en_passant(chess, pattern.to) {
            Reason::EnPassantOver
        } else {
            Reason::NothingToTake
        };
    }
    if !takes {
        let in_the_way = |from: &Square| {
            walk::between(*from, pattern.to).chain([pattern.to]).find(|s| chess.piece_at(*s).is_some())
        };
        let nearest = pawns.iter().min_by_key(|from| from.distance(pattern.to));
        if let Some(on) = nearest.and_then(in_the_way) {
            return Reason::PawnBlocked(on);
        }
    }
    match pattern.promotion {
        None if pattern.to.rank == last => Reason::PromotionMissing,
        Some(_) if pattern.to.rank != last => Reason::NoPromotion,
        Some(role @ (Role::King | Role::Pawn | Role::Silver | Role::Gold)) => Reason::PromotionRole(role),
        _ => among(chess, pattern, pawns),
    }
}

fn no_pawn_walks(chess: &Chess, pattern: &Pattern, takes: bool) -> Reason {
    let side = chess.turn();
    let named: Vec<_> = chess
        .squares_of(Piece { side, role: Role::Pawn })
        .filter(|from| pattern.may_start_on(*from))
        .collect();
    let two_behind = named.iter().copied().find(|from| {
        !takes
            && from.file == pattern.to.file
            && from.rank.abs_diff(pattern.to.rank) == 2
            && (from.rank < pattern.to.rank) == (side == Side::White)
    });
    match two_behind {
        Some(from) => Reason::NoDoubleStep(from),
        None if named.is_empty() && opponent_could(chess, pattern) => Reason::WrongSide,
        None if named.is_empty() => Reason::NotOnOrigin,
        None => {
            let near: Vec<_> =
                named.iter().copied().filter(|from| from.file.abs_diff(pattern.to.file) <= 1).collect();
            Reason::OutOfReach(if near.is_empty() { named } else { near })
        }
    }
}

/// Whether an enemy pawn stands where a double step past `to` would have ended.
fn can_look_like_en_passant(chess: &Chess, to: Square) -> bool {
    let (rank, ended) = if chess.turn() == Side::White { (5, 4) } else { (2, 3) };
    let enemy = Piece { side: chess.turn().other(), role: Role::Pawn };
    to.rank == rank && chess.piece_at(Square::new(to.file, ended)) == Some(enemy)
}

fn squares_in(reason: &Reason) -> Vec<Square> {
    match reason {
        Reason::Blocked(pairs) => pairs.iter().flat_map(|(from, by)| [*from, *by]).collect(),
        Reason::Pinned(_, by)
        | Reason::StaysInCheck(by)
        | Reason::IntoCheck(by)
        | Reason::CastlingAttacked(_, by) => by.clone(),
        Reason::PawnBlocked(on) | Reason::CastlingBlocked(on) => vec![*on],
        _ => Vec::new(),
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
    fn man(&self, on: Square) -> String {
        match self.neighbours.iter().find(|(square, _)| *square == on) {
            Some((_, piece)) => format!("the {} {} on {on}", piece.side.adjective(), piece.role.name()),
            None => on.to_string(),
        }
    }

    fn men(&self, on: &[Square]) -> String {
        list(on.iter().map(|square| self.man(*square)), "and")
    }

    fn origin_words(pattern: &Pattern) -> String {
        match (pattern.file, pattern.rank) {
            (Some(file), Some(rank)) => format!("on {}", Square::new(file, rank)),
            (Some(file), None) => format!("on the {}-file", Square::file_letter(file)),
            (None, Some(rank)) => format!("on rank {}", rank + 1),
            (None, None) => "on the board".into(),
        }
    }

    fn tell_move(&self, pattern: &Pattern, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, role, to) = (self.name(), pattern.role.name(), pattern.to);
        match &self.reason {
            Reason::NoSuchPiece => write!(f, "there is no {name} on the board"),
            Reason::NotOnOrigin => write!(f, "there is no {name} {}", Self::origin_words(pattern)),
            Reason::WrongSide => write!(
                f,
                "it is {}'s move; only a {} {role} can go to {to}",
                self.side,
                self.side.other().adjective()
            ),
            Reason::OwnPiece(own) => write!(f, "{to} is held by {}'s own {}", self.side, own.name()),
            Reason::TakesKing => write!(f, "the king on {to} cannot be taken"),
            Reason::OutOfReach(from) => {
                match &from[..] {
                    [only] => write!(f, "the {name} on {only} does not reach {to}")?,
                    all => write!(f, "no {name} reaches {to}: they stand on {}", list(all.iter(), "and"))?,
                }
                match self.opponent_could {
                    true => write!(
                        f,
                        " (a {} {role} could go there, and it is {}'s move)",
                        self.side.other().adjective(),
                        self.side
                    ),
                    false => Ok(()),
                }
            }
            Reason::Blocked(pairs) => {
                let each = pairs
                    .iter()
                    .map(|(from, by)| format!("the {name} on {from} is blocked by {}", self.man(*by)));
                f.write_str(&list(each, "and"))
            }
            Reason::Pinned(from, by) => {
                write!(f, "the {name} on {from} is pinned to its king by {}", self.men(by))
            }
            Reason::StaysInCheck(by) => {
                write!(f, "it leaves the {} king in check from {}", self.side.adjective(), self.men(by))
            }
            Reason::IntoCheck(by) => write!(f, "the {name} would be in check on {to} from {}", self.men(by)),
            Reason::Ambiguous(from) => {
                write!(f, "ambiguous between the {role}s on {}", list(from.iter(), "and"))
            }
            Reason::PromotionMissing => write!(f, "the pawn reaches the last rank and no piece is named"),
            Reason::PromotionRole(role) => write!(f, "a pawn cannot become a {}", role.name()),
            Reason::NoPromotion if pattern.role == Role::Pawn => {
                write!(f, "a pawn promotes only on the last rank")
            }
            Reason::NoPromotion => write!(f, "only a pawn promotes"),
            Reason::PawnBlocked(on) => write!(f, "the pawn is blocked by {}", self.man(*on)),
            Reason::NoDoubleStep(from) => {
                write!(f, "the pawn on {from} has left its first rank and may go only one square")
            }
            Reason::NothingToTake => write!(f, "there is nothing to take on {to}"),
            Reason::EnPassantOver => {
                write!(f, "en passant is possible only against a double step made in the move before")
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
            (Reason::NoCastlingRight(wing), _) => {
                let rook = if *wing == Wing::KingSide { "king's" } else { "queen's" };
                write!(f, "{} no longer has the right to castle with the {rook} rook", self.side)
            }
            (Reason::CastlingBlocked(on), _) => write!(f, "{} stands between king and rook", self.man(*on)),
            (Reason::CastlingAttacked(square, by), _) => match square.file {
                4 => write!(f, "the king is in check from {}", self.men(by)),
                6 | 2 => write!(f, "the king would be in check on {square} from {}", self.men(by)),
                _ => write!(f, "the king would cross {square}, attacked by {}", self.men(by)),
            },
            (_, Written::Move(pattern)) => self.tell_move(pattern, f),
            _ => Ok(()),
        }
    }
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
