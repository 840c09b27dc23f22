//! Positions as text.

use super::{FORM, address, squares};
use crate::{
    chess::{Chess, laws as regular},
    fen::{AsFen, Fen, RIGHTS, clip, fault, items, six, write_rank, write_state},
    mega::{Board, BoardSetup, Mega, MegaSetup, Options, State},
};
use overboard_referee::game::{
    notation::Notation as _,
    position::{Doubt, FenError, PositionError, ReadPosition},
};
use overboard_rules::{
    path::{BoardPath, MegaSquare},
    refusal::list,
    setup::SetupError,
    square::Square,
};
use std::{
    fmt::{self, Write},
    ops::Range,
};

/// Reads a position of a level from 1 on, and returns whether its form was lenient. The options are not part of the
/// text.
///
/// # Errors
/// What is wrong with the text, or why it is not a position.
pub fn read(text: &str, agreed: Options) -> Result<ReadPosition<Mega>, PositionError> {
    let mut reader = Reader {
        text,
        at: 0,
        path: BoardPath::OUTERMOST,
        free_turns: agreed.free_turns,
        doubts: Vec::new(),
    };
    let mega = reader.game(agreed.level)?;
    reader.skip();
    if reader.at < text.len() {
        let rest = reader.at..text.len();
        let found = clip(&text[rest.clone()]);
        return Ok(fault(
            rest,
            format!("`{found}` follows the position, where nothing may"),
        )?);
    }
    let lenient = mega.fen() != text;
    Ok(ReadPosition {
        position: mega,
        lenient,
        doubts: reader.doubts,
    })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    path: BoardPath,
    free_turns: bool,
    /// What says of the boards read so far that no game leads to them.
    doubts: Vec<Doubt>,
}

/// The fields before the braces, each with its name.
const FIELDS: [&str; 7] = [
    "the placement of the mega-pieces",
    "the side to move",
    "the castling rights",
    "the en passant square",
    "the mega-moves in a row",
    "the number of the turn",
    "the boards used in this turn",
];

impl Reader<'_> {
    fn skip(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(' ').len();
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, mark: char) -> bool {
        self.skip();
        let there = self.peek() == Some(mark);
        self.at += usize::from(there);
        there
    }

    /// A word up to a space or a delimiter.
    fn word(&mut self) -> Range<usize> {
        self.skip();
        let rest = &self.text[self.at..];
        let length = rest.find([' ', '{', '}', ';', ':']).unwrap_or(rest.len());
        let word = self.at..self.at + length;
        self.at = word.end;
        word
    }

    /// Reads a game of this level and everything in it: recurses once for each level.
    fn game(&mut self, level: u8) -> Result<Mega, PositionError> {
        let mut fields = FIELDS.map(|_| 0..0);
        for (field, name) in fields.iter_mut().zip(FIELDS) {
            *field = self.word();
            if field.start == field.end {
                return Ok(fault(field.clone(), format!("{name} is missing: {FORM}"))?);
            }
        }
        let text = self.text;
        let [chess @ .., used] = &fields;
        let (used, moved) = used_boards(text, used)?;
        let named = |name: &str| address(name.as_bytes());
        let counted = ["the mega-moves in a row", "the number of the turn"];
        let mut setup = MegaSetup {
            fields: six(text, chess, named, counted)?,
            used,
            moved,
            boards: Vec::new(),
        };
        if self.eat('{') {
            self.boards(level, &mut setup)?;
        }
        let agreed = Options {
            level,
            free_turns: self.free_turns,
        };
        match Mega::from_setup(agreed, setup) {
            Ok((mega, doubts)) => {
                self.doubts.extend(Doubt::on(&self.here(), doubts));
                Ok(mega)
            }
            Err(SetupError { mut words, rule }) => {
                if !self.path.is_empty() {
                    words = format!("{}: {words}", self.here());
                }
                Err(PositionError::Nested(words, rule))
            }
        }
    }

    /// The board being read, for messages.
    fn here(&self) -> String {
        if self.path.is_empty() {
            "the mega-board".into()
        } else {
            format!("board {}", self.path)
        }
    }

    /// Reads the boards in braces: `A2: …; B1: armed}`.
    fn boards(&mut self, level: u8, setup: &mut MegaSetup) -> Result<(), PositionError> {
        if self.eat('}') {
            return Ok(());
        }
        let mut named = 0_u64;
        loop {
            let word = self.word();
            let Some(on) = address(self.text[word.clone()].as_bytes()) else {
                let found = clip(&self.text[word.clone()]);
                return Ok(fault(
                    word,
                    format!("the address of a board such as A2 was expected, not `{found}`"),
                )?);
            };
            let bit = 1 << (on.rank * 8 + on.file);
            if named & bit != 0 {
                return Ok(fault(
                    word,
                    format!("the board {} occurs twice", MegaSquare(on)),
                )?);
            }
            named |= bit;
            if !self.eat(':') {
                return Ok(fault(
                    self.at..self.at,
                    "`:` was expected after the address".into(),
                )?);
            }
            let outer = self.path;
            self.path = outer.on(on);
            setup.boards.push((on, self.board(level)?));
            self.path = outer;
            if self.eat('}') {
                return Ok(());
            }
            if !self.eat(';') {
                return Ok(fault(
                    self.at..self.at,
                    "`;` or `}` was expected after a board".into(),
                )?);
            }
        }
    }

    fn board(&mut self, level: u8) -> Result<BoardSetup, PositionError> {
        self.skip();
        let start = self.at;
        let word = self.word();
        let state = match &self.text[word] {
            "armed" => Some(State::Armed),
            "disarmed" => Some(State::Disarmed),
            "dethroned" => Some(State::Dethroned),
            _ => None,
        };
        if let Some(state) = state {
            return Ok(BoardSetup::State(state));
        }
        self.at = start;
        if level > 1 {
            return self.game(level - 1).map(BoardSetup::Mega);
        }
        let rest = &self.text[start..];
        let length = rest.find([';', '}', '{']).unwrap_or(rest.len());
        self.at = start + length;
        if self.peek() == Some('{') {
            let what = "a board of chess holds no boards";
            return Ok(fault(self.at..self.at + 1, what.into())?);
        }
        let shift = |FenError { what, bytes }: FenError| FenError {
            what,
            bytes: bytes.start + start..bytes.end + start,
        };
        let setup = Fen::parse(rest[..length].trim_end()).map_err(shift)?.setup;
        let (chess, doubts) = Chess::as_set_up(&setup).map_err(|why| {
            let words = format!("{}: {}", self.here(), list(why, "and"));
            PositionError::Nested(words, &regular::SET_UP)
        })?;
        self.doubts.extend(Doubt::on(&self.here(), doubts));
        Ok(BoardSetup::Chess(Box::new(chess)))
    }
}

/// The boards used in the turn, and whether one of them was moved on: `A2,B2`, or `A2=,B2=` if they were only drawn by
/// agreement.
fn used_boards(text: &str, field: &Range<usize>) -> Result<(Vec<Square>, bool), FenError> {
    let mut used = Vec::new();
    let mut moved = false;
    for item in items(text, field)? {
        let word = &text[item.clone()];
        let name = word.strip_suffix('=').unwrap_or(word);
        let Some(on) = address(name.as_bytes()) else {
            let what = format!(
                "the boards used in this turn are `-` or such as `A2,B2`, not `{}`",
                clip(word)
            );
            return fault(item, what);
        };
        moved |= name == word;
        used.push(on);
    }
    Ok((used, moved))
}

/// Writes a game; recurses once for each level.
pub(super) fn write_game(mega: &Mega, out: &mut String) -> fmt::Result {
    for rank in (0..8).rev() {
        let pieces = (0..8).map(|file| mega.mega_piece_at(Square::new(file, rank)));
        write_rank(out, pieces, |out, piece| {
            out.write_char(piece.piece.letter())
        })?;
        out.push_str(if rank > 0 { "/" } else { "" });
    }
    write_state(
        out,
        mega.turn(),
        mega.castling(),
        RIGHTS,
        mega.en_passant().map(MegaSquare),
    )?;
    write!(out, " {} {} ", mega.halfmove(), mega.fullmove())?;
    write_used(mega, out)?;
    out.push_str(" {");
    let mut first = true;
    for on in squares() {
        let Some(piece) = mega.mega_piece_at(on) else {
            continue;
        };
        let touched = mega.touched_board(on);
        if piece.state == State::Neutral && touched.is_none() {
            continue;
        }
        write!(out, "{}{}: ", if first { "" } else { "; " }, MegaSquare(on))?;
        first = false;
        match touched {
            Some(Board::Chess(chess)) => write!(out, "{}", AsFen(&chess.to_setup()))?,
            Some(Board::Mega(game)) => write_game(&game, out)?,
            None => out.push_str(piece.state.word()),
        }
    }
    out.push('}');
    Ok(())
}

fn write_used(mega: &Mega, out: &mut String) -> fmt::Result {
    let used: Vec<_> = mega.used().collect();
    let mark = if mega.has_moved() { "" } else { "=" };
    let named: Vec<_> = squares()
        .filter(|on| used.contains(on))
        .map(|on| format!("{}{mark}", MegaSquare(on)))
        .collect();
    out.write_str(if named.is_empty() { "-" } else { "" })?;
    out.write_str(&named.join(","))
}
