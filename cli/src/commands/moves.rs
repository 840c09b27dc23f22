//! `moves`: the legal plies of positions.

use crate::{
    args::PositionArgs,
    exit::{Exit, Failure},
    positions, ui,
};
use overboard_formats::{
    any::{AnyPosition, Listed},
    encoding::visible,
};
use overboard_rules::{outcome::Outcome, square::Side};
use serde::{Serialize, Serializer, ser::SerializeSeq};
use std::io::{self, Write};

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
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for Listed { coord, san } in self.0 {
            list.serialize_element(&Ply { coord, san })?;
        }
        list.end()
    }
}

pub fn run(args: &PositionArgs) -> Result<Exit, Failure> {
    positions::each(args, |position, fen, out| answer(position, fen, args, out))
}

fn answer(position: &AnyPosition, fen: &str, args: &PositionArgs, out: &mut Vec<u8>) -> io::Result<()> {
    let mut list = Vec::with_capacity(64);
    position.list_into(&mut list);
    let status = position.status();
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
            writeln!(out, "{}, {} to move, {count} legal {moves}", status.word, position.turn())?;
        }
    }
    let width = list.iter().map(|ply| ply.coord.len()).max().unwrap_or(0);
    list.iter().try_for_each(|Listed { coord, san }| writeln!(out, "  {coord:width$}  {san}"))
}
