//! Positions of chess that no legal move leads to: after an act that stands although it was illegal, and those of set-ups.
//!
//! The library plays any move on any board, but sets up only positions in which the side that is not to move is safe. So
//! a position in which it is not is set up with the other side to move, which then passes: its king steps to its own
//! square.

use super::{ChessBy, ChessLaws, Move, attackers, convert::role_to, square_to, wing_to};
use overboard_rules::{
    ply::{Arrival, StandingAct, Wing},
    position::{Irregular, Movegen as _},
    setup::{Impossible, playable},
    square::{Side, Square},
};
use shakmaty::{
    Bitboard, CastlingSide, EnPassantMode, FromSetup as _, Position as _, PositionError,
    PositionErrorKinds, Role as Kind, attacks,
};
use std::num::NonZeroU32;

impl<L: ChessLaws> Irregular for ChessBy<L> {
    fn passed(&self) -> Option<Self> {
        let mut setup = self.position.to_setup(EnPassantMode::Legal);
        setup.swap_turn();
        let number = setup
            .fullmoves
            .saturating_add(u32::from(self.turn() == Side::Black));
        setup.fullmoves = number;
        let position = shakmaty::Chess::from_setup(setup, Self::mode())
            .or_else(PositionError::ignore_too_much_material)
            .ok()?;
        Some(Self {
            is_crowded: self.is_crowded,
            is_late: self.is_late,
            ..Self::of(position)
        })
    }

    fn stood(&self, standing_act: StandingAct) -> Option<Self> {
        self.after_act(self.act_of(standing_act)?)
    }
}

impl<L: ChessLaws> ChessBy<L> {
    /// What the side to move did, legally or not; `None` if it cannot be done.
    pub(crate) fn act_of(&self, standing_act: StandingAct) -> Option<Move> {
        Some(Move(match standing_act {
            StandingAct::Moved {
                from,
                to,
                arrival: Arrival::Here,
                promotion,
            } => match self.castling_meant(from, to) {
                Some(castling) => castling,
                None => self.moved_by(from, to, promotion.map(role_to))?,
            },
            StandingAct::Castled(wing) => self.castling_by(wing)?,
            StandingAct::Passed => step_on_the_spot(&self.position, false)?,
            StandingAct::Moved { .. } | StandingAct::Dropped { .. } => return None,
        }))
    }

    /// The position after an act that stands, whether it was legal or not; `None` if no game can go on from there.
    pub(crate) fn after_act(&self, Move(m): Move) -> Option<Self> {
        let mut position = self.position.clone();
        position.play_unchecked(m);
        let stood = Self {
            is_late: self.is_late,
            is_crowded: self.is_crowded,
            ..Self::as_it_stands(position)
        };
        if !stood.can_go_on() {
            return None;
        }
        Some(stood)
    }

    /// A position of which it is not known whether a legal move leads to it.
    fn as_it_stands(position: shakmaty::Chess) -> Self {
        let mover = position.turn();
        let board = position.board();
        let is_exposed = match board.king_of(!mover) {
            Some(king) => attackers(board, king, mover, board.occupied()).any(),
            None => false,
        };
        Self {
            is_exposed,
            ..Self::of(position)
        }
    }

    /// Whether the side that is not to move is in check.
    #[must_use]
    pub const fn is_exposed(&self) -> bool {
        self.is_exposed
    }

    /// Whether each side has its king, and no pawn is where it should have become another piece.
    fn can_go_on(&self) -> bool {
        let board = self.position.board();
        let has_king = |color| (board.kings() & board.by_color(color)).count() == 1;
        shakmaty::Color::ALL.into_iter().all(has_king)
            && (board.pawns() & Bitboard::BACKRANKS).is_empty()
    }

    /// Castling, if this move of a king means it, whether it has the right or not.
    fn castling_meant(&self, from: Square, to: Square) -> Option<shakmaty::Move> {
        let (us, king) = (self.position.turn(), square_to(from));
        if self.position.board().king_of(us) != Some(king) {
            return None;
        }
        let wing = match self.castling_step(from, to) {
            Some(wing) => wing,
            None => self.wing_onto_rook(from, to)?,
        };
        self.castling_by(wing)
    }

    /// The wing to which a king castles by a move onto its own rook: with its right gone, only that is no other move.
    fn wing_onto_rook(&self, from: Square, to: Square) -> Option<Wing> {
        let rooks = self.position.board().by_piece(self.position.turn().rook());
        if !L::SHUFFLED || from.rank != to.rank || !rooks.contains(square_to(to)) {
            return None;
        }
        Some(if to.file > from.file {
            Wing::KingSide
        } else {
            Wing::QueenSide
        })
    }

    /// The castling of the side to move to a wing, whether it may castle or not; `None` if king and rook cannot get
    /// there.
    fn castling_by(&self, wing: Wing) -> Option<shakmaty::Move> {
        let (board, us, side) = (self.position.board(), self.position.turn(), wing_to(wing));
        let king = board.king_of(us)?;
        let rook = self
            .position
            .castles()
            .rook(us, side)
            .or_else(|| self.rook_without_right(king, side))?;
        if king.rank() != us.backrank() {
            return None;
        }
        let others = board.occupied() ^ king ^ rook;
        let is_free = !others.contains(side.king_to(us)) && !others.contains(side.rook_to(us));
        if !is_free {
            return None;
        }
        Some(shakmaty::Move::Castle { king, rook })
    }

    /// The rook with which a king would castle that has lost its right: the outermost one on that wing; in orthodox chess
    /// both are where they began.
    fn rook_without_right(
        &self,
        king: shakmaty::Square,
        side: CastlingSide,
    ) -> Option<shakmaty::Square> {
        let us = self.position.turn();
        let rooks = self.position.board().by_piece(us.rook()) & Bitboard::from(us.backrank());
        if !L::SHUFFLED {
            let file = if side.is_king_side() {
                shakmaty::File::H
            } else {
                shakmaty::File::A
            };
            let corner = shakmaty::Square::from_coords(file, us.backrank());
            if king.file() != shakmaty::File::E || !rooks.contains(corner) {
                return None;
            }
            return Some(corner);
        }
        let rook = if side.is_king_side() {
            rooks.last()?
        } else {
            rooks.first()?
        };
        if (rook > king) != side.is_king_side() {
            return None;
        }
        Some(rook)
    }

    /// The move of the mover's piece from one square to another, legal or not; a pawn takes in passing where that is
    /// open to it. `None` if there is no such piece, or it cannot become what it is promoted to.
    fn moved_by(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Option<Kind>>,
    ) -> Option<shakmaty::Move> {
        let (board, us) = (self.position.board(), self.position.turn());
        let is_on_board = |square: Square| square.file < 8 && square.rank < 8;
        if from == to || !is_on_board(from) || !is_on_board(to) {
            return None;
        }
        let (from, to) = (square_to(from), square_to(to));
        if !board.by_color(us).contains(from) {
            return None;
        }
        let role = board.role_at(from)?;
        if let Some(kind) = promotion {
            let is_due = role == Kind::Pawn && to.rank() == (!us).backrank();
            if !is_due || matches!(kind, None | Some(Kind::Pawn | Kind::King)) {
                return None;
            }
        }
        let takes_in_passing = role == Kind::Pawn
            && self.position.maybe_ep_square() == Some(to)
            && attacks::pawn_attacks(us, from).contains(to);
        Some(if takes_in_passing {
            shakmaty::Move::EnPassant { from, to }
        } else {
            shakmaty::Move::Normal {
                role,
                from,
                capture: board.role_at(to),
                to,
                promotion: promotion.flatten(),
            }
        })
    }

    /// The position of a set-up, and what says that no game leads to it.
    ///
    /// # Errors
    /// Every reason why it is no position, if there is one for which the rules do not say how it is played.
    pub(super) fn arranged(
        arranged: shakmaty::Setup,
    ) -> Result<(Self, Vec<Impossible>), Vec<Impossible>> {
        let refused = match shakmaty::Chess::from_setup(arranged.clone(), Self::mode()) {
            Ok(position) => return Ok((Self::of(position), Vec::new())),
            Err(refused) => refused,
        };
        let reasons = playable(super::reasons(refused.kinds()))?;
        let position = if refused.kinds().contains(PositionErrorKinds::OPPOSITE_CHECK) {
            Self::exposed(arranged)
        } else {
            despite_oddity(refused).map(Self::of)
        };
        let Some(position) = position else {
            return Err(reasons);
        };
        let is_crowded = reasons.contains(&Impossible::TooMuchMaterial);
        Ok((
            Self {
                is_crowded,
                ..position
            },
            reasons,
        ))
    }

    /// The position of a set-up in which the side that is not to move is in check.
    fn exposed(wanted: shakmaty::Setup) -> Option<Self> {
        let mut before = wanted.clone();
        before.turn = !wanted.turn;
        before.ep_square = None;
        before.halfmoves = wanted.halfmoves.saturating_sub(1);
        let is_late = wanted.turn.is_white() && wanted.fullmoves == NonZeroU32::MIN;
        if wanted.turn.is_white() && !is_late {
            before.fullmoves = NonZeroU32::new(wanted.fullmoves.get() - 1)?;
        }
        let (behind, ahead) = wanted.turn.fold_wb((8, -8), (-8, 8));
        let mut double_step = None;
        if let Some(square) = wanted.ep_square
            && let Some(from) = square.offset(behind)
            && let Some(to) = square.offset(ahead)
        {
            // The double step is made again.
            before.board.discard_piece_at(to);
            before.board.set_piece_at(from, before.turn.pawn());
            double_step = Some(shakmaty::Move::Normal {
                role: Kind::Pawn,
                from,
                capture: None,
                to,
                promotion: None,
            });
        }
        let mut position = match shakmaty::Chess::from_setup(before, Self::mode()) {
            Ok(position) => position,
            Err(refused) => despite_oddity(refused)?,
        };
        let m = match double_step {
            Some(double_step) => double_step,
            None => step_on_the_spot(&position, wanted.halfmoves == 0)?,
        };
        position.play_unchecked(m);
        Some(Self {
            is_late,
            ..Self::as_it_stands(position)
        })
    }
}

/// The position of a set-up that the library refuses only because no game leads to it.
fn despite_oddity(refused: PositionError<shakmaty::Chess>) -> Option<shakmaty::Chess> {
    let possible = refused.ignore_too_much_material();
    possible
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// A move that changes nothing but whose turn it is, and the counters: the king goes to its own square, in the guise of
/// another piece so that its castling rights remain. With `resets` the count of moves without progress begins again.
fn step_on_the_spot(position: &shakmaty::Chess, resets: bool) -> Option<shakmaty::Move> {
    let king = position.board().king_of(position.turn())?;
    Some(shakmaty::Move::Normal {
        role: Kind::Knight,
        from: king,
        capture: resets.then_some(Kind::Pawn),
        to: king,
        promotion: Some(Kind::King),
    })
}
