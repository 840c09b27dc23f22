//! Why a written move is no legal move of orthodox chess, and by which law.

use super::{
    Bitboard, ChessBy, ChessLaws, castling, piece_from, piece_to, square_from, square_to, wing_to,
};
use crate::chess::laws as law;
use overboard_rules::{
    geometry,
    ply::{Pattern, Wing, Written},
    position::{Explain, Found, Movegen, Position},
    refusal::{Reason, against_officers, against_target, among, named, no_pawn_goes, takes},
    rule::Rule,
    square::{Piece, Role, Side, Square},
};
use shakmaty::Position as _;

impl<L: ChessLaws> Explain for ChessBy<L> {
    const TURN: &'static Rule = &law::TURN;

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.position
            .board()
            .piece_at(square_to(square))
            .map(piece_from)
    }

    #[inline]
    fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + use<L> {
        let squares = piece_to(piece).map_or(Bitboard::EMPTY, |piece| {
            self.position.board().by_piece(piece)
        });
        squares.into_iter().map(square_from)
    }

    fn exposed_by(&self, from: Square, pattern: &Pattern) -> impl Iterator<Item = Square> + use<L> {
        let (from, to) = (square_to(from), square_to(pattern.to));
        let board = self.position.board();
        let in_passing = self.position.maybe_ep_square() == Some(to)
            && board.pawns().contains(from)
            && from.file() != to.file();
        let victims = match to.offset(self.position.turn().fold_wb(-8, 8)) {
            Some(victim) if in_passing => Bitboard::from_square(victim),
            _ => Bitboard::EMPTY,
        };
        self.attacks_on_king_after(from, to, victims)
            .into_iter()
            .map(square_from)
    }

    fn moves_so(piece: Piece, from: Square, to: Square, takes: bool) -> bool {
        match piece.role {
            Role::Pawn => pawn_walks(piece.side, from, to, takes),
            Role::Knight => geometry::a_knight_apart(from, to),
            Role::Bishop => geometry::on_a_bishop_line(from, to),
            Role::Rook => geometry::on_a_rook_line(from, to),
            Role::Queen => {
                geometry::on_a_rook_line(from, to) || geometry::on_a_bishop_line(from, to)
            }
            Role::King => from.distance(to) == 1,
            Role::Silver | Role::Gold => false,
        }
    }

    fn against(&self, written: &Written) -> (Reason, &'static Rule) {
        let reason = match written {
            Written::Pass => Reason::NoPass,
            Written::Drop { .. } | Written::PromotedDrop { .. } => Reason::NoDrop,
            Written::Castle(wing) => against_castling(self, *wing),
            Written::Move(pattern) => against_move(self, pattern),
        };
        let rule = regular_rule::<L>(&reason, written);
        (reason, rule)
    }
}

/// The law that a move breaks, by the reason against it; games that differ from chess in some of them ask here for the
/// others.
pub(crate) fn regular_rule<L: ChessLaws>(reason: &Reason, written: &Written) -> &'static Rule {
    match reason {
        Reason::OwnPiece(_) => &law::OWN_PIECE,
        Reason::TakesKing => &law::CAPTURE,
        Reason::OutOfReach(_) | Reason::Backward(_) => movement(written),
        Reason::Blocked(_) => &law::NO_JUMP,
        Reason::Pinned(..) | Reason::StaysInCheck(_) | Reason::IntoCheck(_) => &law::KING_SAFETY,
        Reason::Ambiguous(_) => &law::ONE_MOVE,
        Reason::PromotionMissing(_) | Reason::PromotionRole(_) | Reason::NoPromotion(_) => {
            &law::PROMOTION
        }
        Reason::PawnBlocked(_) | Reason::NoDoubleStep(_) => &law::PAWN_ADVANCE,
        Reason::NothingToTake => &law::PAWN_CAPTURE,
        Reason::EnPassantOver => &law::EN_PASSANT,
        Reason::WrittenCastling(_)
        | Reason::NoCastlingRight(_)
        | Reason::CastlingBlocked(_)
        | Reason::CastlingAttacked(..) => L::castling(reason),
        Reason::Ended(_)
        | Reason::NoPass
        | Reason::NoDrop
        | Reason::NoCastling
        | Reason::NoSuchPiece
        | Reason::NotOnOrigin
        | Reason::WrongSide
        | Reason::InHand(_)
        | Reason::DropPromotes
        | Reason::OneStep(_)
        | Reason::HasMoved(_)
        | Reason::OffRoad(_)
        | Reason::CaptureMark(_)
        | Reason::NoEnPassant
        | Reason::NotInHand(..)
        | Reason::DropOnPiece(_)
        | Reason::PawnOnLastRank(_)
        | Reason::Riding(_) => &law::TURN,
    }
}

/// The law of how the piece of a written move goes.
fn movement(written: &Written) -> &'static Rule {
    let Written::Move(pattern) = written else {
        return &law::TURN;
    };
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

fn against_castling<L: ChessLaws>(chess: &ChessBy<L>, wing: Wing) -> Reason {
    // A side that has the right but may not use it has a piece or an attack in the way.
    castling::against(chess, wing_to(wing)).unwrap_or(Reason::NoCastlingRight(wing))
}

fn against_move<L: ChessLaws>(chess: &ChessBy<L>, pattern: &Pattern) -> Reason {
    if let Some(reason) = against_target(chess, pattern) {
        return reason;
    }
    match pattern.role {
        Role::Pawn => against_pawn(chess, pattern),
        Role::King => {
            against_leap(chess, pattern).unwrap_or_else(|| against_officer(chess, pattern))
        }
        _ => against_officer(chess, pattern),
    }
}

/// What is wrong with a king's move that looks like castling.
fn against_leap<L: ChessLaws>(chess: &ChessBy<L>, pattern: &Pattern) -> Option<Reason> {
    let side = chess.turn();
    let king = chess.king(side)?;
    if !pattern.may_start_on(king) || pattern.promotion.is_some() {
        return None;
    }
    let wing = chess.castling_step(king, pattern.to)?;
    Some(match chess.find(&Written::Castle(wing)) {
        Found::One(_) => Reason::WrittenCastling(wing),
        Found::None | Found::Several => against_castling(chess, wing),
    })
}

fn against_officer<L: ChessLaws>(chess: &ChessBy<L>, pattern: &Pattern) -> Reason {
    match named(chess, pattern) {
        Err(Reason::NotOnOrigin) | Ok(_) if pattern.promotion.is_some() => {
            Reason::NoPromotion("only a pawn promotes")
        }
        Err(reason) => reason,
        Ok(from) => against_officers(chess, pattern, from),
    }
}

/// Whether a pawn moves like this on an empty board.
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

fn against_pawn<L: ChessLaws>(chess: &ChessBy<L>, pattern: &Pattern) -> Reason {
    let crossed = chess.crossed() == Some(pattern.to);
    match named(chess, pattern) {
        Ok(named) => against_pawns(chess, pattern, named, crossed, |on| chess.piece_at(on)),
        Err(reason) => reason,
    }
}

/// Why none, or more than one, of the named pawns can make the move; `crossed` says whether an enemy pawn has just
/// crossed the arrival square, and `piece_at` what a pawn finds on a square.
pub(crate) fn against_pawns<P: Position>(
    position: &P,
    pattern: &Pattern,
    named: Vec<Square>,
    crossed: bool,
    piece_at: impl Fn(Square) -> Option<Piece>,
) -> Reason {
    let side = position.turn();
    let last = if side == Side::White { 7 } else { 0 };
    let takes = takes(pattern);
    let mut pawns = named.clone();
    pawns.retain(|from| pawn_walks(side, *from, pattern.to, takes));
    if pawns.is_empty() {
        return no_pawn_goes(side, pattern, takes, named);
    }
    if takes && !crossed && piece_at(pattern.to).is_none() {
        return if can_look_like_en_passant(side, pattern.to, piece_at) {
            Reason::EnPassantOver
        } else {
            Reason::NothingToTake
        };
    }
    if !takes && let Some(on) = in_the_way(position, &pawns, pattern.to) {
        return Reason::PawnBlocked(on);
    }
    match pattern.promotion {
        None if pattern.to.rank == last => Reason::PromotionMissing("no piece is named"),
        Some(_) if pattern.to.rank != last => {
            Reason::NoPromotion("a pawn promotes only on the last rank")
        }
        Some(role @ (Role::King | Role::Pawn | Role::Silver | Role::Gold)) => {
            Reason::PromotionRole(role)
        }
        _ => among(position, pattern, pawns),
    }
}

/// What prevents the nearest of some pawns from advancing to a square.
fn in_the_way<P: Explain>(position: &P, pawns: &[Square], to: Square) -> Option<Square> {
    let nearest = pawns.iter().min_by_key(|from| from.distance(to))?;
    let mut way = geometry::between(*nearest, to).chain([to]);
    way.find(|square| position.piece_at(*square).is_some())
}

/// Whether an enemy pawn is where a double step past `to` would have ended, if `side` is to move.
fn can_look_like_en_passant(
    side: Side,
    to: Square,
    piece_at: impl FnOnce(Square) -> Option<Piece>,
) -> bool {
    let (rank, ended) = if side == Side::White { (5, 4) } else { (2, 3) };
    let enemy = Piece {
        side: side.other(),
        role: Role::Pawn,
    };
    to.rank == rank && piece_at(Square::new(to.file, ended)) == Some(enemy)
}
