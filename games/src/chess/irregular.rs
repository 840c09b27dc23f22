//! Events in games of chess other than legal moves.

use super::{ChessBy, ChessLaws, color_to, square_from};
use overboard_rules::{
    position::{Irregular, Movegen as _},
    setup::Setup,
    square::{Piece, Role, Side, Square},
};
use shakmaty::{EnPassantMode, FromSetup as _, Position as _};

impl<L: ChessLaws> Irregular for ChessBy<L> {
    fn passed(&self) -> Option<Self> {
        let mut setup = self.position.to_setup(EnPassantMode::Legal);
        setup.swap_turn();
        let number = setup
            .fullmoves
            .saturating_add(u32::from(self.turn() == Side::Black));
        setup.fullmoves = number;
        shakmaty::Chess::from_setup(setup, self.position.castles().mode())
            .ok()
            .map(Self::of)
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
        let homes = [Side::White, Side::Black].map(|side| {
            self.position
                .board()
                .king_of(color_to(side))
                .map(square_from)
        });
        keep_rights_at_home(&mut setup, homes);
        Self::from_setup(&setup).ok()
    }
}

/// Keeps only the rights of kings and rooks that are where they were before; `homes` are the previous squares of
/// White's and Black's king. As long as there was a right, neither had moved.
fn keep_rights_at_home(setup: &mut Setup, homes: [Option<Square>; 2]) {
    for (index, right) in setup.castling.iter_mut().enumerate() {
        let side = if index < 2 { Side::White } else { Side::Black };
        let home = homes[side as usize];
        let stands = |file: u8, role| {
            home.is_some_and(|Square { rank, .. }| {
                setup.board[usize::from(rank) * 8 + usize::from(file)] == Some(Piece { side, role })
            })
        };
        *right &= home.is_some_and(|home| stands(home.file, Role::King))
            && stands(setup.rook_files[index], Role::Rook);
    }
}
