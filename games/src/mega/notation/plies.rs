//! Plies as text.

use crate::{
    mega::{Act, Board, MegaMove},
    one_board::notation::BoardNotation,
};
use overboard_formats::san::{MoveText, PlyText, Spelt, Suffix, push_mega_square};
use overboard_rules::{game::Game, path::BoardPath};

/// A mega-move in coordinates, without an address.
#[must_use]
pub fn mega_move(m: MegaMove) -> MoveText {
    let mut text = MoveText::new();
    push_mega_square(&mut text, m.from());
    push_mega_square(&mut text, m.to());
    if let Some(role) = m.promotion() {
        text.push(role.letter().to_ascii_lowercase());
    }
    text
}

/// The sign after a ply: mega-mate, mega-check or neither.
#[must_use]
pub const fn suffix((check, mate): (bool, bool)) -> Suffix {
    match (check, mate) {
        (_, true) => Suffix::Mate,
        (true, false) => Suffix::Check,
        (false, false) => Suffix::None,
    }
}

/// An act on a board as SAN, without an address.
#[must_use]
pub fn act_san(board: &Board, act: Act) -> PlyText {
    let mut text = PlyText::default();
    push_san(&mut text, board, act);
    text
}

pub(super) fn push_san(text: &mut PlyText, board: &Board, act: Act) {
    match (act, board) {
        (Act::Move(m), Board::Chess(chess)) => text.push_str(&chess.san(m)),
        (Act::Mega(m), Board::Mega(game)) => {
            let effects = game.clone().play(act.on(BoardPath::OUTERMOST));
            text.push_str(&Spelt(game.written(m)).text());
            text.push_str(suffix(effects.checks_at(0)).as_str());
        }
        (Act::Draw, _) => text.push_str("1/2-1/2"),
        _ => text.push_str("--"),
    }
}
