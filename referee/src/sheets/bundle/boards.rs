//! Merges the sheets of linked boards into one stream.

use super::ordinals::misplaced;
use crate::sheets::{
    Item, Origin, Problem, Sheet,
    order::{Arrival, BoardSheet, SheetPly, order},
    stripped, tags,
};
use overboard_formats::{
    canonical::board_number,
    command::{commands, duration},
    lex::Prose,
    record::Node,
    san::{Language, board_index},
};
use overboard_games::{
    registry::{AnyGame, Variant},
    strategichess::linked::{self, Linked},
};
use overboard_rules::square::Side;

/// A number as it is written.
struct Numbered {
    number: u32,
    side: Side,
    text: String,
    origin: Origin,
}

/// A ply with its number and the remarks after it.
struct Piece {
    items: Vec<Item>,
    seq: Option<u64>,
}

/// A board: its pieces, and the same for ordering.
#[derive(Default)]
struct Board {
    pieces: Vec<Piece>,
    sheet: BoardSheet,
}

/// One record of the outer sheet and those of the boards; with notes.
pub fn together(
    root: Sheet,
    sheets: Vec<Sheet>,
    common: &tags::Common,
    language: Option<&'static Language>,
) -> Result<(Vec<Item>, Vec<Problem>), Problem> {
    let mut notes = Vec::new();
    let mut boards = Vec::new();
    let mut leading = Vec::new();
    for (board, mut sheet) in sheets.into_iter().enumerate() {
        let homeless = tags::take_away(&mut sheet.items, &common.of_board(board));
        let end = tags::end_of_tags(&sheet.items);
        let tags = sheet.items.drain(..end).filter(|(node, _)| matches!(node, Node::Tag(..)));
        for (node, origin) in homeless.into_iter().chain(tags) {
            if let Node::Tag(name, value) = node {
                let what = format!(
                    "the tag {name} \"{value}\" of a board has no place in the record and is left out"
                );
                notes.push(Problem::at("note", what, origin));
            }
        }
        let (mut read, before) = pieces(board, sheet.items)?;
        read.sheet.language = language;
        leading.extend(before);
        boards.push(read);
    }
    let order = in_order(&boards, &root)?;
    let mut items = root.items;
    if let Some((_, origin)) = items.iter().find(|(node, _)| matches!(node, Node::Ply(_))) {
        let what = "the outer sheet holds plies of its own beside those of the boards";
        return Err(Problem::at("doubled", what.into(), *origin));
    }
    let end = items.iter().position(|(node, _)| matches!(node, Node::Result(_))).unwrap_or(items.len());
    let tail = items.split_off(end);
    items.extend(leading);
    let mut streams: Vec<_> = boards.into_iter().map(|board| board.pieces.into_iter()).collect();
    for board in order {
        items.extend(streams[board].next().into_iter().flat_map(|piece| piece.items));
    }
    items.extend(tail);
    Ok((items, notes))
}

fn first(root: &Sheet, boards: usize) -> Result<Linked, Problem> {
    let rules = root.tag("Rules").unwrap_or_default();
    let Some(fen) = root.tag("FEN") else { return Ok(Linked::first(boards, linked::edition(rules))) };
    let read =
        AnyGame::start_under(Variant::Strategi, rules).and_then(|first| first.read_under(fen, rules).ok());
    if let Some(AnyGame::Linked(linked)) = read.map(|read| read.position)
        && linked.boards() == boards
    {
        return Ok(*linked);
    }
    let what = "the position of this FEN cannot be used".into();
    Err(Problem::at("unreadable", what, root.place_of("FEN")))
}

/// The plies of a board's sheet, and what comes before the first.
fn pieces(board: usize, items: Vec<Item>) -> Result<(Board, Vec<Item>), Problem> {
    let mut read = Board::default();
    let mut leading = Vec::new();
    let mut numbered: Option<Numbered> = None;
    // What stands between a number and its ply.
    let mut between: Vec<Item> = Vec::new();
    let mut ravs = 0_usize;
    for (node, origin) in items {
        match &node {
            Node::RavOpen => ravs += 1,
            Node::RavClose => {
                ravs = ravs.saturating_sub(1);
            }
            _ => {}
        }
        if ravs == 0 {
            match &node {
                Node::Number(text) => {
                    let (number, side) = number(text, board).ok_or_else(|| foreign(text, board, origin))?;
                    numbered = Some(Numbered { number, side, text: text.clone(), origin });
                    continue;
                }
                Node::Ply(san) => {
                    read.play(board, numbered.take(), std::mem::take(&mut between), san, origin);
                    continue;
                }
                Node::Result(_) => continue,
                Node::Prose(Prose::Brace | Prose::Line, text) => {
                    read.hear(text);
                }
                _ => {}
            }
        }
        match read.pieces.last_mut() {
            _ if numbered.is_some() => between.push((node, origin)),
            Some(piece) => piece.items.push((node, origin)),
            None => leading.push((node, origin)),
        }
    }
    match read.pieces.last_mut() {
        Some(piece) => piece.items.extend(between),
        None => leading.extend(between),
    }
    // A command before the first ply is about this board, so it needs a number of this board before it.
    if let Some(first) = read.pieces.first_mut()
        && leading.iter().any(|(node, _)| holds_a_command(node))
    {
        first.items.splice(1..1, leading.drain(..));
    }
    Ok((read, leading))
}

/// Whether a node is a comment with a command that is of the game, and not of its sheets.
fn holds_a_command(node: &Node) -> bool {
    matches!(node, Node::Prose(Prose::Brace | Prose::Line, text) if commands(stripped(text).1.as_bytes()).next().is_some())
}

impl Board {
    /// Takes a ply, and what is between its number and it; without a number it is the next ply.
    fn play(
        &mut self,
        board: usize,
        numbered: Option<Numbered>,
        between: Vec<Item>,
        san: &str,
        origin: Origin,
    ) {
        let last = self.sheet.entries.last().map(|entry| (entry.number, entry.side));
        let Numbered { number, side, text, origin: there } = numbered.unwrap_or_else(|| {
            let (number, side) = following(last);
            Numbered { number, side, text: String::new(), origin }
        });
        // As it is where it names the board already, with whatever is wrong with it.
        let is_whole = text.bytes().any(|letter| letter.is_ascii_alphabetic());
        let text = if is_whole { text } else { board_number(board as u16, number, side) };
        let items = [(Node::Number(text), there)]
            .into_iter()
            .chain(between)
            .chain([(Node::Ply(san.to_owned()), origin)]);
        self.pieces.push(Piece { items: items.collect(), seq: None });
        let arrivals = std::mem::take(&mut self.sheet.arrivals);
        let san = san.to_owned();
        self.sheet.entries.push(SheetPly {
            number,
            side,
            san,
            ts: None,
            arrivals,
            is_special: false,
            is_claim: false,
            origin,
        });
    }

    /// Reads what the commands of a comment say about the order.
    fn hear(&mut self, comment: &str) {
        for (name, reported) in stripped(comment).0 {
            if name == "in" {
                self.sheet.arrivals.extend(arrival(&reported));
            } else if let (Some(piece), Ok(seq)) = (self.pieces.last_mut(), reported.parse()) {
                piece.seq = Some(seq);
            }
        }
        let Some(entry) = self.sheet.entries.last_mut() else { return };
        for command in commands(comment.as_bytes()) {
            match command.name {
                b"ts" => entry.ts = duration(command.arguments),
                b"flag" | b"stands" => entry.is_special = true,
                b"claim" => entry.is_claim = true,
                _ => {}
            }
        }
    }
}

/// `R a5 A 12`.
fn arrival(reported: &str) -> Option<Arrival> {
    let words: Vec<_> = reported.split_whitespace().collect();
    let [_, _, letters, number] = words[..] else { return None };
    let side = if letters.starts_with(|c: char| c.is_ascii_uppercase()) { Side::White } else { Side::Black };
    let board = usize::from(board_index(letters.as_bytes())?);
    Some(Arrival { board, number: number.parse().ok()?, side })
}

/// `12A.`, `12a.`, `12.` or `12...` on the sheet of a board; `None` for another board's.
fn number(text: &str, board: usize) -> Option<(u32, Side)> {
    let letters = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = text[..text.len() - letters.len()].parse().ok()?;
    let name = letters.trim_end_matches('.');
    if name.is_empty() {
        return Some((number, if letters.len() > 1 { Side::Black } else { Side::White }));
    }
    let known = board_index(name.as_bytes()).map(usize::from) == Some(board);
    let white = name.starts_with(|c: char| c.is_ascii_uppercase());
    known.then_some((number, if white { Side::White } else { Side::Black }))
}

fn foreign(text: &str, board: usize, origin: Origin) -> Problem {
    let name = overboard_rules::ply::BoardName(board);
    Problem::at("unfit", format!("`{text}` is not a number of board {name}, whose sheet this is"), origin)
}

fn following(last: Option<(u32, Side)>) -> (u32, Side) {
    match last {
        None => (1, Side::White),
        Some((number, Side::White)) => (number, Side::Black),
        Some((number, Side::Black)) => (number.saturating_add(1), Side::White),
    }
}

fn in_order(boards: &[Board], root: &Sheet) -> Result<Vec<usize>, Problem> {
    let ordinals = |(board, read): (usize, &Board)| {
        let reported = read.pieces.iter().zip(&read.sheet.entries);
        reported.map(|(piece, entry)| piece.seq.map(|seq| (seq, board, entry.origin))).collect::<Vec<_>>()
    };
    let reported: Option<Vec<_>> = boards.iter().enumerate().flat_map(ordinals).collect();
    let Some(mut reported) = reported else {
        let sheets: Vec<_> = boards.iter().map(|board| board.sheet.clone()).collect();
        return order(&sheets, &first(root, sheets.len())?);
    };
    for pair in reported.windows(2) {
        if pair[0].1 == pair[1].1 && pair[0].0 >= pair[1].0 {
            let what =
                format!("the ordinal {} follows the ordinal {} on the same sheet", pair[1].0, pair[0].0);
            return Err(Problem::at("unfit", what, pair[1].2));
        }
    }
    reported.sort_by_key(|(seq, ..)| *seq);
    for (right, pair) in (1..).zip(reported.windows(2)) {
        let [(seq, _, one), (next, _, other)] = pair else { continue };
        if seq == next {
            let what = format!("two plies say that they are number {seq} of the game");
            return Err(Problem::at("doubled", what, *one).and(*other, "the other one".into()));
        }
        if *seq != right {
            return Err(misplaced(*seq, right, *one));
        }
    }
    Ok(reported.into_iter().map(|(_, board, _)| board).collect())
}
