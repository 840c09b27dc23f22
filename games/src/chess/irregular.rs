//! What happens in games of chess beside legal moves.

use super::Chess;
use overboard_rules::{
    position::{Irregular, Movegen as _},
    setup::Setup,
    square::{Piece, Role, Side, Square},
};
use shakmaty::{EnPassantMode, FromSetup as _, Position as _};

impl Irregular for Chess {
    fn passed(&self) -> Option<Self> {
        let mut setup = self.position.to_setup(EnPassantMode::Legal);
        setup.swap_turn();
        let number = setup.fullmoves.saturating_add(u32::from(self.turn() == Side::Black));
        setup.fullmoves = number;
        shakmaty::Chess::from_setup(setup, self.position.castles().mode()).ok().map(Self::of)
    }

    fn displaced(&self, from: Square, to: Square) -> Option<Self> {
        let mut setup = self.to_setup();
        let index = |square: Square| usize::from(square.rank) * 8 + usize::from(square.file);
        let mover = setup.board[index(from)].filter(|piece| piece.side == self.turn())?;
        let zeroing = mover.role == Role::Pawn || setup.board[index(to)].is_some();
        setup.board[index(from)] = None;
        setup.board[index(to)] = Some(mover);
        setup.halfmove = if zeroing { 0 } else { setup.halfmove + 1 };
        setup.fullmove += u32::from(setup.turn == Side::Black);
        setup.turn = setup.turn.other();
        setup.en_passant = None;
        keep_rights_at_home(&mut setup);
        Self::from_setup(&setup).ok()
    }
}

fn keep_rights_at_home(setup: &mut Setup) {
    for (index, right) in setup.castling.iter_mut().enumerate() {
        let side = if index < 2 { Side::White } else { Side::Black };
        let rank = if index < 2 { 0 } else { 7 };
        let corner = if index % 2 == 0 { 7 } else { 0 };
        let stands = |file: usize, role| setup.board[rank * 8 + file] == Some(Piece { side, role });
        *right &= stands(4, Role::King) && stands(corner, Role::Rook);
    }
}
