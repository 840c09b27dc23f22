//! `moves`: the legal plies of positions.

use crate::{
    exit::{Exit, Failure},
    positions::{self, PositionArgs},
    ui,
};
use clap::Args;
use overboard_games::{
    game_notation::{GameNotation as _, Listed},
    registry::AnyGame,
};
use overboard_pictures::foreign::visible;
use overboard_rules::{outcome::Outcome, ply::BoardName, square::Side};
use serde::{Serialize, Serializer, ser::SerializeSeq};
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

/// A position and what can be played in it.
#[derive(Serialize)]
struct Moves<'a> {
    fen: &'a str,
    moves: List<'a>,
    status: &'static str,
    winner: Option<&'static str>,
}

struct List<'a>(&'a [Listed]);

#[derive(Serialize)]
struct Ply<'a> {
    coord: &'a str,
    san: &'a str,
    /// The board that it is made from, on linked boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    /// Who makes it there.
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
}

impl<'a> From<&'a Listed> for Ply<'a> {
    fn from(Listed { coord, san, made }: &'a Listed) -> Self {
        let side = made.map(|(_, side)| if side == Side::White { "w" } else { "b" });
        let board = made.map(|(board, _)| BoardName(usize::from(board)).to_string());
        Self { coord, san, board, side }
    }
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for ply in self.0 {
            list.serialize_element(&Ply::from(ply))?;
        }
        list.end()
    }
}

pub fn run(args: &MovesArgs) -> Result<Exit, Failure> {
    let args = &args.positions;
    positions::each(args, |position, fen, out| answer(position, fen, args, out))
}

fn answer(position: &AnyGame, fen: &str, args: &PositionArgs, out: &mut Vec<u8>) -> io::Result<()> {
    let mut list = Vec::with_capacity(64);
    let status = position.list_into(&mut list);
    if args.json {
        let winner = status.outcome.map(|outcome| match outcome {
            Outcome::Win(Side::White) => "w",
            Outcome::Win(Side::Black) => "b",
            Outcome::Draw => "draw",
        });
        return ui::json(out, &Moves { fen, moves: List(&list), status: status.word, winner });
    }
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
