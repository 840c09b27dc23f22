//! A game in progress as messages describe it.

use crate::{
    ending::End,
    external::lines::{FaultCode, FaultReport, Over, Position, Seat},
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
    (table.game().boards() > 1).then(|| board.to_string())
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
    let fault = || FaultReport {
        code: FaultCode::Unreadable,
        words: format!("there is no board `{}`", shown(name)),
        ..FaultReport::default()
    };
    table.game().board_named(name).ok_or_else(fault)
}

/// The position, this many plies after the start.
#[must_use]
pub fn position<G: Play>(table: &LiveGame<G>, plies: usize) -> Position {
    let game = table.game();
    let end = table.end();
    let legal = match table.board() {
        _ if end.is_some() => Some(0),
        Some(_) => Some(table.plies().len() as u64),
        None => game.choices(),
    };
    Position {
        fen: game.fen(),
        seat: end.is_none().then(|| seat(table)),
        board: if end.is_none() {
            due_board(table)
        } else {
            None
        },
        plies,
        legal,
        status: status(game).word.into(),
        over: end.map(over),
    }
}

/// The legal plies on this board, or on the one that is due, in coordinates; none if the game is over.
///
/// # Errors
/// That there is no such board, or that there are more plies than are listed.
pub fn legal<G: Play>(table: &LiveGame<G>, on: Option<&str>) -> Result<Vec<String>, FaultReport> {
    let game = table.game();
    if on.is_none() && game.choices().is_none_or(|plies| plies > MOST) {
        let words = format!("more plies are legal here than the {MOST} that are listed");
        return Err(FaultReport {
            code: FaultCode::TooMany,
            words,
            ..FaultReport::default()
        });
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
    for (file, rank) in ('A'..='H').flat_map(|file| (1..=8).map(move |rank| (file, rank))) {
        let inner = format!("{name}{dot}{file}{rank}");
        let is_played = game
            .board_named(&inner)
            .is_some_and(|board| game.next_move(board).is_some());
        if is_played {
            boards.push(inner);
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
        FaultReport {
            code,
            words: shown_at_length(&words),
            ..FaultReport::default()
        }
    })
}

/// Whether only the type of the message is unknown.
fn is_typed<M: DeserializeOwned>(text: &str) -> bool {
    let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
    let kind = value
        .as_ref()
        .and_then(|value| value.get("type"))
        .and_then(|kind| kind.as_str());
    kind.is_some_and(|kind| {
        serde_json::from_value::<M>(serde_json::json!({ "type": kind }))
            .is_err_and(|error: serde_json::Error| error.to_string().starts_with("unknown variant"))
    })
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
