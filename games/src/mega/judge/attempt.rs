//! Illegal attempts on boards.

use super::Mega;
use crate::mega::{self, Board};
use overboard_formats::{parse::is_result, san::San};
use overboard_referee::{
    game::judge::{Attempt, Judge as _},
    hearing::Hearing,
};
use overboard_rules::{
    game::Said,
    path::BoardPath,
    ply::Written,
    position::{Found, Movegen as _},
};

/// What an attempt is that begins with the address of a board; `None` if it does not. Inside a turn the address is one of
/// that turn.
pub(super) fn with_address(hearing: &Hearing<'_, Mega>, text: &[u8]) -> Option<Attempt> {
    let turn = hearing.referee.open.turns.last();
    let around = turn.map_or(BoardPath::OUTERMOST, |turn| turn.path);
    let (at, act) = addressed(around, text)?;
    if is_result(act) {
        return Some(judged(hearing, at, Said::Draw));
    }
    let language = hearing.state.language();
    Some(match San::parse_in(language, act, Mega::ALPHABET) {
        Ok(san) => judged(hearing, at, Said::Ply(san.written)),
        Err(_) => Attempt::Meaningless,
    })
}

/// The board to which the addresses lead, and what is attempted there.
fn addressed(around: BoardPath, text: &[u8]) -> Option<(BoardPath, &[u8])> {
    let (mut at, mut rest) = (around, text);
    while let Some(dot) = rest.iter().position(|letter| *letter == b'.')
        && let Some(on) = mega::address(&rest[..dot])
    {
        at = at.on(on);
        rest = &rest[dot + 1..];
    }
    if at == around {
        return None;
    }
    Some((at, rest))
}

fn judged(hearing: &Hearing<'_, Mega>, at: BoardPath, said: Said<'_, Mega>) -> Attempt {
    hearing.referee.meaning(at, said).attempt()
}

/// Whether an attempt is legal in the game of its board alone.
pub(super) fn on_own_sheet(
    hearing: &Hearing<'_, Mega>,
    at: BoardPath,
    written: &Written,
) -> Option<Attempt> {
    let Some(Board::Chess(chess)) = hearing.referee.latest().board_at(&at) else {
        return None;
    };
    match chess.find(written) {
        Found::One(_) => Some(Attempt::Legal),
        _ => None,
    }
}
