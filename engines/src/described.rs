//! A game in progress as messages describe it.

use crate::{
    ending::End,
    external::lines::{FaultCode, FaultReport, Over, Position, Seat, fault},
    live_game::LiveGame,
};
use overboard_games::coordinates::shown;
use overboard_referee::game::{listing::status, play::Play};
use overboard_rules::variant::ChessWithin;
use serde::de::DeserializeOwned;

/// The most plies that are listed at once.
pub const MOST: u64 = 1_000_000;

/// An end as a message.
#[must_use]
pub fn over(end: End) -> Over {
    let End { outcome, cause } = end;
    Over {
        result: Some(outcome.to_string()),
        cause: cause.word().into(),
        words: cause.to_string(),
    }
}

/// The board on which a ply is due, on linked boards.
#[must_use]
pub fn due_board<G: Play>(table: &LiveGame<G>) -> Option<String> {
    let board = table.board()?;
    if table.game().boards() < 2 {
        return None;
    }
    Some(board.to_string())
}

/// The seat that is to act.
#[must_use]
pub fn seat<G: Play>(table: &LiveGame<G>) -> Seat {
    Seat {
        side: table.colour(),
        of: due_board(table).unwrap_or_default(),
    }
}

/// The board with this name.
///
/// # Errors
/// That there is none.
pub fn board<G: Play>(table: &LiveGame<G>, name: &str) -> Result<G::Board, FaultReport> {
    let unknown = || {
        let words = format!("there is no board `{}`", shown(name));
        fault(FaultCode::Unreadable, words)
    };
    table.game().board_named(name).ok_or_else(unknown)
}

/// The position, this many plies after the start.
#[must_use]
pub fn position<G: Play>(table: &LiveGame<G>, plies: usize) -> Position {
    let game = table.game();
    let mut position = Position {
        fen: game.fen(),
        seat: None,
        board: None,
        plies,
        legal: Some(0),
        status: status(game).word.into(),
        over: table.end().map(over),
    };
    if position.over.is_none() {
        position.seat = Some(seat(table));
        position.board = due_board(table);
        position.legal = match table.board() {
            Some(_) => Some(table.plies().len() as u64),
            None => game.choices(),
        };
    }
    position
}

/// The legal plies on this board, or on the one that is due, in coordinates; none if the game is over.
///
/// # Errors
/// That there is no such board, or that there are more plies than are listed.
pub fn legal<G: Play>(table: &LiveGame<G>, on: Option<&str>) -> Result<Vec<String>, FaultReport> {
    let game = table.game();
    if on.is_none() && game.choices().is_none_or(|plies| plies > MOST) {
        let words = format!("more plies are legal here than the {MOST} that are listed");
        return Err(fault(FaultCode::TooMany, words));
    }
    let text = |ply: &G::Ply| game.coordinates(*ply).to_string();
    Ok(match on {
        _ if table.end().is_some() => Vec::new(),
        None => table.plies().iter().map(text).collect(),
        Some(name) => {
            let mut plies = Vec::new();
            game.list(Some(board(table, name)?), &mut plies);
            plies.iter().map(text).collect()
        }
    })
}

/// The boards on the squares of this one, by name, that are games themselves and are being played.
///
/// # Errors
/// That there is no such board.
pub fn boards_on<G: Play>(table: &LiveGame<G>, name: &str) -> Result<Vec<String>, FaultReport> {
    board(table, name)?;
    if G::INFO.chess_within != ChessWithin::Boards {
        return Ok(Vec::new());
    }
    let game = table.game();
    let dot = if name.is_empty() { "" } else { "." };
    let mut boards = Vec::new();
    for file in 'A'..='H' {
        for rank in 1..=8 {
            let inner = format!("{name}{dot}{file}{rank}");
            if let Some(board) = game.board_named(&inner)
                && game.next_move(board).is_some()
            {
                boards.push(inner);
            }
        }
    }
    Ok(boards)
}

/// Parses a message, or says what is wrong with its line.
///
/// # Errors
/// That it is no message, or of an unknown type.
pub fn message<M: DeserializeOwned>(text: &str) -> Result<M, FaultReport> {
    serde_json::from_str(text).map_err(|error| {
        let words = error.to_string();
        let unknown = words.starts_with("unknown variant") && is_typed::<M>(text);
        // The parser's word for a type is `variant`, which is something else in chess.
        let (code, words) = if unknown {
            (
                FaultCode::UnknownType,
                words.replacen("unknown variant", "unknown type", 1),
            )
        } else {
            (FaultCode::Unreadable, words)
        };
        fault(code, shown_at_length(&words))
    })
}

/// Whether only the type of the message is unknown.
fn is_typed<M: DeserializeOwned>(text: &str) -> bool {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else {
        return false;
    };
    let Some(kind) = value["type"].as_str() else {
        return false;
    };
    let bare = serde_json::from_value::<M>(serde_json::json!({ "type": kind }));
    bare.is_err_and(|error| error.to_string().starts_with("unknown variant"))
}

/// Shortened: the JSON parser's message may repeat text of the client of any length, in backquotes or after its own
/// words.
fn shown_at_length(words: &str) -> String {
    const LONGEST: usize = 200;
    let parts = words.split('`').enumerate();
    let short = |(index, part): (usize, &str)| match index % 2 {
        0 => part.chars().take(LONGEST).collect(),
        _ => shown(part),
    };
    parts.map(short).collect::<Vec<_>>().join("`")
}
