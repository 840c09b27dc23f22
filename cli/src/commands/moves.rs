//! `moves`: lists the legal plies of positions.

use crate::{
    exit::{CliError, Exit},
    grid::or_blank,
    position_output::PositionOutput,
    positions::{self, PositionArgs, With},
    ui,
};
use clap::Args;
use overboard_formats::{foreign::visible, san::ShortText};
use overboard_games::registry::AnyGame;
use overboard_referee::game::listing::{Listed, SpeltPly};
use overboard_rules::{outcome::Outcome, ply::BoardName, refusal::counted, square::Side};
use std::io::{self, Write};

/// List the legal moves of positions.
///
/// Moves are listed in coordinates and in the notation of records. A position that ends the game has no moves; its
/// status says how the game ended. Without --fen and --fens, lists the moves of the initial position. Output is flushed
/// after each position, so another program may ask and wait for each answer.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 a position or a file cannot be read.\n\nExamples:\n  overboard moves --variant olympic\n  overboard moves --fen '7k/8/5KQ1/8/8/8/8/8 b - - 0 1'\n  overboard moves --variant olympic --fens positions.txt --json | jq -r '.moves[].san'"
)]
pub struct MovesArgs {
    #[command(flatten)]
    pub positions: PositionArgs,
}

pub fn run(args: &MovesArgs) -> Result<Exit, CliError> {
    let args = &args.positions;
    positions::each(args, With::Listing, |position, fen, out| {
        answer(position, fen, args, out)
    })
}

/// A position and its legal moves.
// They are written by hand below, so these types are only for the schema.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[allow(dead_code, reason = "only its schema is needed")]
pub struct Position {
    /// The position as it was given.
    fen: String,
    /// The legal moves in byte order of `coord`; empty if the position ends the game.
    moves: Vec<Move>,
    /// The status of the position: `ongoing`, `check`, or the word for how the game ends.
    status: String,
    /// `w`, `b` or `draw` if the position ends the game; else null.
    winner: Option<Winner>,
}

/// A legal move.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[allow(dead_code, reason = "only its schema is needed")]
struct Move {
    /// The move in coordinates.
    coord: String,
    /// The move as records write it, with `+` or `#`; on nested boards with the address of its board.
    san: String,
    /// On linked boards: the letter of the board from which the move is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    /// On linked boards: the side that makes the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<MovingSide>,
}

/// How a game ends.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[allow(dead_code, reason = "only its schema is needed")]
enum Winner {
    /// White wins.
    #[serde(rename = "w")]
    White,
    /// Black wins.
    #[serde(rename = "b")]
    Black,
    /// A draw.
    #[serde(rename = "draw")]
    Nobody,
}

/// A side.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[allow(dead_code, reason = "only its schema is needed")]
enum MovingSide {
    /// White.
    #[serde(rename = "w")]
    White,
    /// Black.
    #[serde(rename = "b")]
    Black,
}

/// Writes a position and its legal plies as one object: `fen`, `moves`, `status`, `winner`.
///
/// Written by hand, since nothing in spellings needs escaping, and there are hundreds of them for a position.
fn answer_json(position: &AnyGame, fen: &str, out: &mut PositionOutput) -> io::Result<()> {
    let status = position.status();
    out.write_all(b"{\"fen\":")?;
    ui::json_text(out, fen)?;
    out.write_all(b",\"moves\":[")?;
    if status.outcome.is_none() {
        let before = out.text().len();
        position.for_each_spelt(&mut |ply| push(ply, out));
        // There is no comma after the last one.
        out.cut(out.text().len().saturating_sub(1).max(before));
    }
    let winner = status.outcome.map_or("null", |outcome| match outcome {
        Outcome::Win(Side::White) => "\"w\"",
        Outcome::Win(Side::Black) => "\"b\"",
        Outcome::Draw => "\"draw\"",
    });
    writeln!(
        out,
        "],\"status\":\"{}\",\"winner\":{winner}}}",
        status.word
    )
}

/// More bytes than the object of a ply with two short texts has.
const OBJECT: usize = 96;

/// Writes a ply and a comma: `coord`, `san`, and on linked boards the `board` from which it is made and the `side` that
/// makes it.
#[inline(always)]
fn push(ply: SpeltPly<'_>, out: &mut PositionOutput) {
    match ply {
        SpeltPly::Short(coord, san) => out.put(|room| object(coord, san, room)),
        SpeltPly::Listed(listed) => push_long(listed, out),
    }
}

/// Copies whole words although fewer bytes count: what comes next overwrites the rest. Returns how many count.
#[inline(always)]
fn object(coord: &ShortText, san: &ShortText, room: &mut [u8; OBJECT]) -> usize {
    let [(coord, coord_length), (san, san_length)] = [coord, san].map(ShortText::padded);
    room[..16].copy_from_slice(b"{\"coord\":\"      ");
    room[10..26].copy_from_slice(&coord);
    // No text is longer than its buffer, so nothing is lost by the mask; it removes the bounds check.
    let at = 10 + (coord_length & 31);
    room[at..at + 16].copy_from_slice(b"\",\"san\":\"       ");
    let at = at + 9;
    room[at..at + 16].copy_from_slice(&san);
    let at = at + (san_length & 31);
    room[at..at + 4].copy_from_slice(b"\"}, ");
    at + 3
}

fn push_long(Listed { coord, san, made }: &Listed, out: &mut PositionOutput) {
    // Writing to memory cannot fail.
    let _ = write!(out, "{{\"coord\":\"{coord}\",\"san\":\"{san}\"");
    if let Some((board, side)) = made {
        let side = if *side == Side::White { "w" } else { "b" };
        let _ = write!(
            out,
            ",\"board\":\"{}\",\"side\":\"{side}\"",
            BoardName(usize::from(*board))
        );
    }
    let _ = out.write_all(b"},");
}

fn answer(
    position: &AnyGame,
    fen: &str,
    args: &PositionArgs,
    out: &mut PositionOutput,
) -> io::Result<()> {
    if args.json {
        return answer_json(position, fen, out);
    }
    let mut list = Vec::with_capacity(64);
    let status = position.list_into(&mut list);
    writeln!(out, "{}", visible(fen))?;
    match status.outcome {
        Some(outcome) => writeln!(out, "{outcome} ({})", status.word)?,
        None => {
            let moves = counted(list.len(), "legal move");
            let turn = or_blank(position.turn().map(|side| format!("{side} to move, ")));
            writeln!(out, "{}, {turn}{moves}", status.word)?;
        }
    }
    let width = list.iter().map(|ply| ply.coord.len()).max().unwrap_or(0);
    for Listed { coord, san, .. } in &list {
        out.write_all(b"  ")?;
        out.write_all(coord.as_bytes())?;
        out.pad(width - coord.len() + 2);
        out.write_all(san.as_bytes())?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
