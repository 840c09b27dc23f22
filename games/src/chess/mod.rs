//! Orthodox chess: the game of plain records, and the game inside Overchess and Mega-Chess.
//!
//! Apart from the attack tables, this is the only folder that uses the orthodox-chess library. Listing moves is left to
//! the library. Finding the one move that a written ply means is ours, because it must be faster, and must be able to
//! say why there is none.
//!
//! ```
//! use overboard_games::{chess::Chess, one_board::notation::BoardNotation};
//! use overboard_rules::position::Movegen;
//!
//! let mut chess = Chess::default();
//! chess.play(chess.at("e2e4").unwrap());
//! assert_eq!(chess.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
//! assert_eq!(chess.san(chess.at("g8f6").unwrap()).as_str(), "Nf6");
//! ```

use crate::one_board::holding;
use movegen::origins;
use overboard_rules::{
    hash,
    ply::{Pattern, Wing},
    position::{DrawLaw as _, Movegen},
    refusal::takes,
    setup::{Impossible, Setup, reachable},
    square::{Role, Square},
};
use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Color, EnPassantMode, FromSetup, Position as _,
    PositionErrorKinds, Role as Kind, attacks,
};
use std::{marker::PhantomData, num::NonZeroU32};

mod castling;
mod chess_laws;
mod convert;
mod draws;
mod drops;
mod irregular;
pub mod laws;
mod movegen;
mod notation;
mod pick;
mod refusal;
mod rulings;
pub(crate) mod values;
pub mod winnable;

pub use chess_laws::{ChessLaws, Orthodox};
use convert::{
    color_to, piece_from, piece_to, role_from, role_to, side_from, square_from, square_to, wing_to,
};
pub use notation::*;
pub(crate) use refusal::{against_pawns, regular_rule};

/// A legal position of orthodox chess.
pub type Chess = ChessBy<Orthodox>;

/// A legal position of orthodox chess, or of a game that differs from it in castling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChessBy<L> {
    position: shakmaty::Chess,
    checkers: Bitboard,
    /// Whether the side that is not to move is in check, because an illegal move stands or a set-up says so. Its king is
    /// not taken (GEN-9).
    is_exposed: bool,
    /// Whether there are more pieces than a game can bring about, and so perhaps more moves than the library's list holds.
    is_crowded: bool,
    /// Whether the library counts one move too many: it cannot begin at White's first move where that is so.
    is_late: bool,
    laws: PhantomData<L>,
}

/// A legal move of orthodox chess in the position in which it was found; a few bytes, cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(shakmaty::Move);

/// What a written move means.
pub type Found = overboard_rules::position::Found<Move>;

/// What repetition compares (GEN-4), packed: pieces, side to move, castling rights, legal en passant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snapshot(
    /// White's pieces, the three bits of each piece's kind, counted from 1, and what is beside the board.
    [u64; 5],
);

impl<L: ChessLaws> Default for ChessBy<L> {
    fn default() -> Self {
        L::first().clone()
    }
}

impl<L: ChessLaws> ChessBy<L> {
    /// The position of a set-up.
    ///
    /// # Errors
    /// Every reason why the set-up is not a position (CH-19).
    pub fn from_setup(setup: &Setup) -> Result<Self, Vec<Impossible>> {
        Self::as_set_up(setup).and_then(reachable)
    }

    /// The position of a set-up, and what says that no game leads to it.
    pub(crate) fn as_set_up(setup: &Setup) -> Result<(Self, Vec<Impossible>), Vec<Impossible>> {
        Self::arranged(arrange(setup))
    }

    /// The initial position of orthodox chess.
    pub(crate) fn orthodox() -> Self {
        let array = shakmaty::Chess::default();
        let setup = array.to_setup(EnPassantMode::Legal);
        Self::of(shakmaty::Chess::from_setup(setup, Self::mode()).unwrap_or(array))
    }

    /// Whether no game leads to this position, so that its moves are found without the library's list.
    #[inline]
    const fn is_odd(&self) -> bool {
        self.is_exposed | self.is_crowded
    }

    const fn mode() -> CastlingMode {
        if L::SHUFFLED {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        }
    }

    fn of(position: shakmaty::Chess) -> Self {
        let checkers = position.checkers();
        Self {
            position,
            checkers,
            is_exposed: false,
            is_crowded: false,
            is_late: false,
            laws: PhantomData,
        }
    }

    /// The set-up of this position; its en passant square is only set if a capture is legal.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        let setup = self.position.to_setup(EnPassantMode::Legal);
        let castles = self.position.castles();
        let rooks = RIGHTS.map(|(color, side)| castles.rook(color, side));
        let mut board = [None; 64];
        for (square, piece) in self.position.board() {
            board[usize::from(square)] = Some(piece_from(piece));
        }
        Setup {
            board,
            turn: self.turn(),
            castling: rooks.map(|rook| rook.is_some()),
            rook_files: std::array::from_fn(|right| {
                rooks[right].map_or(Setup::CORNERS[right], |rook| square_from(rook).file)
            }),
            en_passant: setup.ep_square.map(square_from),
            halfmove: setup.halfmoves,
            fullmove: self.fullmove(),
        }
    }

    /// The squares of the pieces that give check.
    pub fn checkers(&self) -> impl Iterator<Item = Square> + use<L> {
        self.checkers.into_iter().map(square_from)
    }

    /// Whether a pawn can step that is on no line with its king. If there is no check, nothing prevents that step.
    #[inline]
    fn has_free_pawn(&self, king: shakmaty::Square) -> bool {
        let board = self.position.board();
        let pawns = board.pawns() & self.position.us() & !whence(Kind::Queen, king);
        let ahead = self.position.turn().fold_wb(pawns.0 << 8, pawns.0 >> 8);
        self.checkers.is_empty() && ahead & !board.occupied().0 != 0
    }

    /// Whether a piece that is neither a pawn nor pinned can move while there is no check: a cheap test,
    /// sufficient for the game to go on.
    fn has_free_officer(&self, king: shakmaty::Square) -> bool {
        let board = self.position.board();
        let us = self.position.us();
        let sliders = self.position.them() & board.sliders();
        let officers = us & !board.pawns() & !board.kings();
        let is_free = |from| {
            (attacks::ray(king, from) & sliders).is_empty()
                && (first_steps(board, from) & !us).any()
        };
        self.checkers.is_empty() && officers.into_iter().any(is_free)
    }

    /// Whether the king can step somewhere: found without a move list, for positions with no free officer.
    fn has_free_king(&self, king: shakmaty::Square) -> bool {
        let board = self.position.board();
        let without_it = board.occupied().without(king);
        let mut steps = (attacks::king_attacks(king) & !self.position.us()).into_iter();
        steps.any(|to| attackers(board, to, !self.position.turn(), without_it).is_empty())
    }

    /// Whether both sides have too few men to mate, whatever happens.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.position.is_insufficient_material()
    }

    #[inline(always)]
    fn find_officer(&self, pattern: &Pattern) -> Found {
        let Some(role) = role_to(pattern.role) else {
            return Found::None;
        };
        let board = self.position.board();
        let us = self.position.turn();
        let to = square_to(pattern.to);
        if pattern.promotion.is_some() || board.by_color(us).contains(to) {
            return Found::None;
        }
        let mut found = Found::None;
        for from in board.by_piece(role.of(us)) & origins(pattern) & whence(role, to) {
            if !is_open(from, to, board.occupied()) || !self.is_safe(from, to, Bitboard::EMPTY) {
                continue;
            }
            if found != Found::None {
                return Found::Several;
            }
            found = Found::One(Move(shakmaty::Move::Normal {
                role,
                from,
                capture: board.role_at(to),
                to,
                promotion: None,
            }));
        }
        if let Found::One(Move(shakmaty::Move::Normal {
            capture: Some(Kind::King),
            ..
        })) = found
        {
            return Found::None;
        }
        found
    }

    #[inline]
    fn find_pawn(&self, pattern: &Pattern) -> Found {
        let board = self.position.board();
        let us = self.position.turn();
        let to = square_to(pattern.to);
        let last = to.rank() == (!us).backrank();
        let promotion = match pattern.promotion {
            Some(Role::Pawn | Role::King) => return Found::None,
            Some(role) => match role_to(role) {
                Some(role) => Some(role),
                None => return Found::None,
            },
            None => None,
        };
        if promotion.is_some() != last {
            return Found::None;
        }
        let pawns = board.by_piece(us.pawn()) & origins(pattern);
        if takes(pattern) {
            self.find_pawn_capture(pawns, to, promotion)
        } else {
            self.find_pawn_advance(pawns, to, promotion)
        }
    }

    fn find_pawn_advance(
        &self,
        pawns: Bitboard,
        to: shakmaty::Square,
        promotion: Option<Kind>,
    ) -> Found {
        let us = self.position.turn();
        let occupied = self.position.board().occupied();
        let Some(behind) = to.offset(us.fold_wb(-8, 8)) else {
            return Found::None;
        };
        let from = if pawns.contains(behind) {
            behind
        } else {
            let fourth = us.fold_wb(shakmaty::Rank::Fourth, shakmaty::Rank::Fifth);
            match behind.offset(us.fold_wb(-8, 8)) {
                Some(start)
                    if to.rank() == fourth
                        && pawns.contains(start)
                        && !occupied.contains(behind) =>
                {
                    start
                }
                _ => return Found::None,
            }
        };
        if occupied.contains(to) || !self.is_safe(from, to, Bitboard::EMPTY) {
            return Found::None;
        }
        Found::One(Move(shakmaty::Move::Normal {
            role: Kind::Pawn,
            from,
            capture: None,
            to,
            promotion,
        }))
    }

    fn find_pawn_capture(
        &self,
        pawns: Bitboard,
        to: shakmaty::Square,
        promotion: Option<Kind>,
    ) -> Found {
        let board = self.position.board();
        let us = self.position.turn();
        let taken = board.role_at(to);
        let en_passant = taken.is_none();
        let victim = if en_passant {
            match (
                self.position.maybe_ep_square(),
                to.offset(us.fold_wb(-8, 8)),
            ) {
                (Some(square), Some(victim)) if square == to => Bitboard::from_square(victim),
                _ => return Found::None,
            }
        } else if taken == Some(Kind::King) || board.by_color(us).contains(to) {
            return Found::None;
        } else {
            Bitboard::EMPTY
        };
        let able = (attacks::pawn_attacks(!us, to) & pawns).into_iter();
        let safe = able.filter(|from| self.is_safe(*from, to, victim));
        Found::only(safe.map(|from| {
            Move(if en_passant {
                shakmaty::Move::EnPassant { from, to }
            } else {
                shakmaty::Move::Normal {
                    role: Kind::Pawn,
                    from,
                    capture: taken,
                    to,
                    promotion,
                }
            })
        }))
    }

    /// Whether our king is unattacked after our piece went from `from` to `to` and the pieces on
    /// `victims` (taken en passant) left (CH-15).
    #[inline]
    fn is_safe(&self, from: shakmaty::Square, to: shakmaty::Square, victims: Bitboard) -> bool {
        let us = self.position.turn();
        let Some(king) = self.position.board().king_of(us) else {
            return true;
        };
        if from != king && self.checkers.is_empty() && victims.is_empty() {
            // Only a slider on the line through king and origin can be let through.
            let line = attacks::ray(king, from);
            if (line & self.position.them() & self.position.board().sliders()).is_empty() {
                return true;
            }
        }
        self.attacks_on_king_after(from, to, victims).is_empty()
    }

    fn attacks_on_king_after(
        &self,
        from: shakmaty::Square,
        to: shakmaty::Square,
        victims: Bitboard,
    ) -> Bitboard {
        let board = self.position.board();
        let us = self.position.turn();
        let Some(king) = board.king_of(us) else {
            return Bitboard::EMPTY;
        };
        let target = if from == king { to } else { king };
        let occupied = (board.occupied() ^ from).with(to) & !victims;
        attackers(board, target, !us, occupied) & !victims & !Bitboard::from_square(to)
    }

    /// The square crossed by a double step in the last move, whether or not a capture there is legal.
    #[must_use]
    pub fn crossed(&self) -> Option<Square> {
        self.position.maybe_ep_square().map(square_from)
    }

    /// Whether the move just played can have given check: by the piece that moved, along a line it left, or
    /// by castling or en passant, which are too rare to examine.
    #[inline]
    fn may_give_check(&self, m: shakmaty::Move) -> bool {
        let shakmaty::Move::Normal {
            role,
            from,
            to,
            promotion,
            ..
        } = m
        else {
            return true;
        };
        let board = self.position.board();
        let mover = !self.position.turn();
        let Some(king) = board.king_of(!mover) else {
            return true;
        };
        let direct = match promotion.unwrap_or(role) {
            Kind::Pawn => attacks::pawn_attacks(mover, to).contains(king),
            officer => whence(officer, to).contains(king) && is_open(king, to, board.occupied()),
        };
        direct || (attacks::ray(king, from) & board.by_color(mover) & board.sliders()).any()
    }

    /// Whether an officer that leaves a square takes castling rights with it.
    #[inline]
    fn loses_rights(&self, role: Kind, from: shakmaty::Square) -> bool {
        let rights = self.position.castles().castling_rights();
        let of_king = Bitboard::from(self.position.turn().backrank());
        (rights
            & if role == Kind::King {
                of_king
            } else {
                from.into()
            })
        .any()
    }

    /// The same for positions that repetition calls the same (GEN-4), and by all likelihood for no others.
    #[must_use]
    #[inline]
    pub fn repetition_hash(&self) -> u128 {
        hash::five(self.snapshot().0)
    }

    /// What repetition compares besides the board: side to move, castling rights, legal en passant.
    #[inline]
    fn beside_the_board(&self) -> u64 {
        let rights = u64::from(self.position.castles().castling_rights());
        let legal = self
            .position
            .maybe_ep_square()
            .and_then(|_| self.position.legal_ep_square());
        let en_passant = legal.map_or(0, |square| u64::from(square) + 1);
        let turn = u64::from(self.position.turn().is_white());
        rights ^ en_passant << 16 ^ turn << 8
    }

    /// The same position with the other side to move, and not a move later; `None` when the side to move is in check.
    pub(crate) fn turned(&self) -> Option<Self> {
        self.position.clone().swap_turn().ok().map(Self::of)
    }
}

impl Move {
    /// The origin; a castling king's for castling.
    #[must_use]
    #[inline]
    pub fn from(self) -> Square {
        square_from(self.0.from().unwrap_or(self.0.to()))
    }

    /// The arrival square; for castling the one that the king reaches.
    #[must_use]
    #[inline]
    pub fn to(self) -> Square {
        match self.0 {
            shakmaty::Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(rook > king);
                square_from(shakmaty::Square::from_coords(
                    side.king_to_file(),
                    king.rank(),
                ))
            }
            m => square_from(m.to()),
        }
    }

    /// The square of the rook that castles too.
    #[must_use]
    pub fn rook(self) -> Option<Square> {
        match self.0 {
            shakmaty::Move::Castle { rook, .. } => Some(square_from(rook)),
            _ => None,
        }
    }

    /// The kind of piece that moves or is dropped.
    #[must_use]
    pub fn role(self) -> Role {
        role_from(self.0.role())
    }

    /// Whether something is taken, en passant too.
    #[must_use]
    #[inline]
    pub fn is_capture(self) -> bool {
        self.0.is_capture()
    }

    /// The kind of piece that is taken, a pawn in passing too.
    #[must_use]
    #[inline]
    pub fn captured(self) -> Option<Role> {
        self.0.capture().map(role_from)
    }

    /// Whether a pawn is taken in passing.
    #[must_use]
    pub fn is_en_passant(self) -> bool {
        self.0.is_en_passant()
    }

    /// The piece promoted to.
    #[must_use]
    pub fn promotion(self) -> Option<Role> {
        self.0.promotion().map(role_from)
    }

    /// The wing castled to.
    #[must_use]
    pub fn wing(self) -> Option<Wing> {
        self.0.castling_side().map(|side| {
            if side.is_king_side() {
                Wing::KingSide
            } else {
                Wing::QueenSide
            }
        })
    }
}

/// The castling rights in the order K Q k q.
const RIGHTS: [(Color, CastlingSide); 4] = [
    (Color::White, CastlingSide::KingSide),
    (Color::White, CastlingSide::QueenSide),
    (Color::Black, CastlingSide::KingSide),
    (Color::Black, CastlingSide::QueenSide),
];

fn arrange(setup: &Setup) -> shakmaty::Setup {
    let mut board = Board::empty();
    let mut castling_rights = Bitboard::EMPTY;
    for (square, piece) in shakmaty::Square::ALL.into_iter().zip(setup.board) {
        if let Some(piece) = piece.and_then(piece_to) {
            board.set_piece_at(square, piece);
        }
    }
    for (right, (color, _)) in RIGHTS.into_iter().enumerate() {
        if setup.castling[right] {
            let file = shakmaty::File::new(u32::from(setup.rook_files[right]));
            castling_rights.add(shakmaty::Square::from_coords(file, color.backrank()));
        }
    }
    shakmaty::Setup {
        board,
        turn: color_to(setup.turn),
        castling_rights,
        ep_square: setup.en_passant.map(square_to),
        halfmoves: setup.halfmove,
        fullmoves: NonZeroU32::new(setup.fullmove).unwrap_or(NonZeroU32::MIN),
        ..shakmaty::Setup::empty()
    }
}

fn reasons(kinds: PositionErrorKinds) -> Vec<Impossible> {
    let reasons = [
        (PositionErrorKinds::EMPTY_BOARD, Impossible::EmptyBoard),
        (PositionErrorKinds::MISSING_KING, Impossible::MissingKing),
        (PositionErrorKinds::TOO_MANY_KINGS, Impossible::TooManyKings),
        (
            PositionErrorKinds::PAWNS_ON_BACKRANK,
            Impossible::PawnsOnLastRank,
        ),
        (
            PositionErrorKinds::INVALID_CASTLING_RIGHTS,
            Impossible::CastlingRights,
        ),
        (
            PositionErrorKinds::INVALID_EP_SQUARE,
            Impossible::EnPassantSquare,
        ),
        (
            PositionErrorKinds::OPPOSITE_CHECK,
            Impossible::OppositeCheck,
        ),
        (
            PositionErrorKinds::IMPOSSIBLE_CHECK,
            Impossible::ImpossibleCheck,
        ),
        (
            PositionErrorKinds::TOO_MUCH_MATERIAL,
            Impossible::TooMuchMaterial,
        ),
    ];
    holding(reasons.map(|(kind, reason)| (kinds.contains(kind), reason)))
}

/// The squares from which an officer could reach a square on an empty board, by kind and square; none for pawns.
static WHENCE: [[Bitboard; 64]; 7] = {
    let mut whence = [[Bitboard::EMPTY; 64]; 7];
    let mut at = 0;
    while at < 64 {
        let to = shakmaty::Square::new(at as u32);
        whence[Kind::Knight as usize][at] = attacks::knight_attacks(to);
        whence[Kind::Bishop as usize][at] = attacks::bishop_attacks(to, Bitboard::EMPTY);
        whence[Kind::Rook as usize][at] = attacks::rook_attacks(to, Bitboard::EMPTY);
        whence[Kind::Queen as usize][at] = attacks::queen_attacks(to, Bitboard::EMPTY);
        whence[Kind::King as usize][at] = attacks::king_attacks(to);
        at += 1;
    }
    whence
};

/// The squares from which an officer could reach a square on an empty board. Together with [`is_open`] this touches few
/// cache lines of small tables, while the attack tables exceed the first-level cache; and it does not branch on the
/// kind of piece.
#[inline]
fn whence(role: Kind, to: shakmaty::Square) -> Bitboard {
    WHENCE[role as usize][usize::from(to)]
}

/// Whether nothing is between two squares; true also if they share no line.
#[inline]
fn is_open(from: shakmaty::Square, to: shakmaty::Square, occupied: Bitboard) -> bool {
    (attacks::between(from, to) & occupied).is_empty()
}

/// The squares next to an officer's that it attacks, or all squares that a knight attacks: if an officer can move at
/// all, it can move to one of these.
fn first_steps(board: &Board, from: shakmaty::Square) -> Bitboard {
    let near = attacks::king_attacks(from);
    // Diagonal neighbours have the same colour, others have not.
    let alike = if from.is_light() {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    };
    match board.role_at(from) {
        Some(Kind::Knight) => attacks::knight_attacks(from),
        Some(Kind::Bishop) => near & alike,
        Some(Kind::Rook) => near & !alike,
        _ => near,
    }
}

/// The pieces of a side that attack a square, if these squares are occupied.
#[inline]
fn attackers(board: &Board, target: shakmaty::Square, side: Color, occupied: Bitboard) -> Bitboard {
    let (queens, bishops, rooks) = (board.queens(), board.bishops(), board.rooks());
    let far = whence(Kind::Bishop, target) & (bishops | queens)
        | whence(Kind::Rook, target) & (rooks | queens);
    let near = attacks::pawn_attacks(!side, target) & board.pawns()
        | attacks::knight_attacks(target) & board.knights()
        | attacks::king_attacks(target) & board.kings();
    let ours = board.by_color(side);
    (far & ours)
        .into_iter()
        .filter(|from| is_open(*from, target, occupied))
        .fold(near & ours, Bitboard::with)
}

/// The pieces that give check to the side to move.
fn checkers(position: &shakmaty::Chess) -> Bitboard {
    let (board, turn) = (position.board(), position.turn());
    board.king_of(turn).map_or(Bitboard::EMPTY, |king| {
        attackers(board, king, !turn, board.occupied())
    })
}
