//! `moves`: the legal plies of positions.

use crate::{
    exit::{CliError, Exit},
    positions::{self, PositionArgs},
    ui,
};
use clap::Args;
use overboard_formats::san::ShortText;
use overboard_games::{
    game_notation::{GameNotation as _, Listed, Spelling},
    registry::AnyGame,
};
use overboard_pictures::foreign::visible;
use overboard_rules::{outcome::Outcome, ply::BoardName, square::Side};
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
    positions::each(args, |position, fen, out| answer(position, fen, args, out))
}

/// Writes a position and what can be played in it as one object: `fen`, `moves`, `status`, `winner`.
///
/// By hand, since nothing in spellings has to be escaped, and there are hundreds of them for a position.
fn answer_json(position: &AnyGame, fen: &str, out: &mut Vec<u8>) -> io::Result<()> {
    let status = position.status();
    out.extend_from_slice(b"{\"fen\":");
    ui::json_part(out, &fen)?;
    out.extend_from_slice(b",\"moves\":[");
    if status.outcome.is_none() {
        let before = out.len();
        let mut plies = Plies::after(out);
        position.for_each_spelt(&mut |ply| plies.push(ply));
        plies.finish(before);
    }
    let winner = status.outcome.map_or("null", |outcome| match outcome {
        Outcome::Win(Side::White) => "\"w\"",
        Outcome::Win(Side::Black) => "\"b\"",
        Outcome::Draw => "\"draw\"",
    });
    writeln!(out, "],\"status\":\"{}\",\"winner\":{winner}}}", status.word)
}

/// More bytes than the object of a ply with two short texts takes.
const OBJECT: usize = 96;

/// Appends objects of plies to a text, each followed by a comma.
struct Plies<'a> {
    out: &'a mut Vec<u8>,
    /// Where the next byte goes: more bytes are there already.
    end: usize,
}

impl<'a> Plies<'a> {
    fn after(out: &'a mut Vec<u8>) -> Self {
        let end = out.len();
        Self { out, end }
    }

    /// Writes a ply: `coord`, `san`, and on linked boards the `board` that it is made from and the `side` that makes it.
    #[inline]
    fn push(&mut self, ply: Spelling<'_>) {
        match ply {
            Spelling::Short(coord, san) => self.push_short(coord, san),
            Spelling::Listed(listed) => self.push_long(listed),
        }
    }

    /// Copies whole words where fewer bytes count: what comes next is written over the rest.
    #[inline]
    fn push_short(&mut self, coord: &ShortText, san: &ShortText) {
        if self.out.len() < self.end + OBJECT {
            self.out.resize(self.end + 32 * OBJECT, 0);
        }
        let room = self.out.get_mut(self.end..).and_then(<[u8]>::first_chunk_mut::<OBJECT>);
        let Some(room) = room else { return };
        let [(coord, coord_length), (san, san_length)] = [coord, san].map(ShortText::padded);
        room[..10].copy_from_slice(b"{\"coord\":\"");
        room[10..26].copy_from_slice(&coord);
        // No text is longer than its room, so that nothing is lost here; it spares looking whether it fits.
        let at = 10 + (coord_length & 31);
        room[at..at + 9].copy_from_slice(b"\",\"san\":\"");
        let at = at + 9;
        room[at..at + 16].copy_from_slice(&san);
        let at = at + (san_length & 31);
        room[at..at + 3].copy_from_slice(b"\"},");
        self.end += at + 3;
    }

    fn push_long(&mut self, Listed { coord, san, made }: &Listed) {
        self.out.truncate(self.end);
        // Memory can be written.
        let _ = write!(self.out, "{{\"coord\":\"{coord}\",\"san\":\"{san}\"");
        if let Some((board, side)) = made {
            let side = if *side == Side::White { "w" } else { "b" };
            let _ = write!(self.out, ",\"board\":\"{}\",\"side\":\"{side}\"", BoardName(usize::from(*board)));
        }
        self.out.extend_from_slice(b"},");
        self.end = self.out.len();
    }

    /// No comma stands after the last.
    fn finish(self, before: usize) {
        self.out.truncate(self.end.saturating_sub(1).max(before));
    }
}

fn answer(position: &AnyGame, fen: &str, args: &PositionArgs, out: &mut Vec<u8>) -> io::Result<()> {
    if args.json {
        return answer_json(position, fen, out);
    }
    let mut list = Vec::with_capacity(64);
    let status = position.list_into(&mut list);
    writeln!(out, "{}", visible(fen))?;
    match status.outcome {
        Some(outcome) => writeln!(out, "{} ({outcome})", status.word)?,
        None => {
            let count = list.len();
            let moves = if count == 1 { "move" } else { "moves" };
            let turn = position.turn().map_or(String::new(), |side| format!("{side} to move, "));
            writeln!(out, "{}, {turn}{count} legal {moves}", status.word)?;
        }
    }
    let width = list.iter().map(|ply| ply.coord.len()).max().unwrap_or(0);
    for Listed { coord, san, .. } in &list {
        out.extend_from_slice(b"  ");
        out.extend_from_slice(coord.as_bytes());
        out.resize(out.len() + width - coord.len() + 2, b' ');
        out.extend_from_slice(san.as_bytes());
        out.push(b'\n');
    }
    Ok(())
}
