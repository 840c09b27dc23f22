//! Plies as text.

use super::address;
use crate::{
    chess,
    mega::{Act, Asked, Board, Mega, MegaMove, Ply},
    one_board::notation::BoardNotation,
};
use overboard_formats::{
    canonical::addressed,
    san::{MoveText, PlyText, Spelt, Suffix, push_mega_square},
};
use overboard_rules::{game::Game, path::BoardPath, ply::Written, position::Movegen};
use std::ops::ControlFlow;

/// A ply in coordinates: `A2.e2e4`, `B1C3`, `A2.B1C3`, `A2.1/2-1/2`, `--`.
#[must_use]
pub fn coordinates(ply: &Ply) -> PlyText {
    let mut text = addressed(&ply.path);
    match ply.act {
        Act::Move(m) => text.push_str(&chess::coordinates(m)),
        Act::Mega(m) => text.push_str(&mega_move(m)),
        Act::Draw => text.push_str("1/2-1/2"),
        _ => text.push_str("--"),
    }
    text
}

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

/// The legal ply with these coordinates, in upper or lower case.
#[must_use]
pub fn at(mega: &Mega, text: &str) -> Option<Ply> {
    let mut path = BoardPath::OUTERMOST;
    let mut rest = text;
    while let Some((name, inner)) = rest.split_once('.') {
        if path.len() >= usize::from(mega.level()) {
            return None;
        }
        path = path.on(address(name.as_bytes())?);
        rest = inner;
    }
    let asked = match mega.faced_at(&path)? {
        _ if rest == "1/2-1/2" => Asked::Draw,
        Board::Chess(chess) => Asked::Written(chess.written(chess.at(rest)?)),
        Board::Mega(_) if rest == "--" => Asked::Written(Written::Pass),
        Board::Mega(game) => {
            let mut found = None;
            game.for_each_mega_move(|m| {
                if mega_move(m).eq_ignore_ascii_case(rest) {
                    found = Some(m);
                }
            });
            Asked::Written(game.written(found?))
        }
    };
    mega.judge(&path, asked).ok()
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

/// A legal ply as an item of a turn, with the address of its board and its sign: `A2.e4`.
#[must_use]
pub fn san(mega: &Mega, ply: &Ply) -> PlyText {
    let mut text = addressed(&ply.path);
    if let Some(board) = mega.faced_at(&ply.path) {
        push_san(&mut text, &board, ply.act);
    }
    text
}

/// An act on a board as SAN, without an address.
#[must_use]
pub fn act_san(board: &Board, act: Act) -> PlyText {
    let mut text = PlyText::default();
    push_san(&mut text, board, act);
    text
}

fn push_san(text: &mut PlyText, board: &Board, act: Act) {
    match (act, board) {
        (Act::Move(m), Board::Chess(chess)) => text.push_str(&chess.san(m)),
        (Act::Mega(m), Board::Mega(game)) => {
            let effects = game.clone().play(Ply {
                path: BoardPath::OUTERMOST,
                act,
            });
            text.push_str(&Spelt(game.written(m)).text());
            text.push_str(suffix(effects.checks_at(0)).as_str());
        }
        (Act::Draw, _) => text.push_str("1/2-1/2"),
        _ => text.push_str("--"),
    }
}

/// Calls `visit` with every legal ply in coordinates and as SAN.
pub fn for_each_listed(mega: &Mega, mut visit: impl FnMut(PlyText, PlyText)) {
    let mut last: Option<(BoardPath, Option<Board>)> = None;
    let _ = mega.legal(|ply| {
        let (_, board) = match &mut last {
            Some(known) if known.0 == ply.path => known,
            other => other.insert((ply.path, mega.faced_at(&ply.path))),
        };
        let mut san = addressed(&ply.path);
        if let Some(board) = board {
            push_san(&mut san, board, ply.act);
        }
        visit(coordinates(&ply), san);
        ControlFlow::Continue(())
    });
}
