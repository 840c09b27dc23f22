//! The sheet of a board, read ply by ply as often as it is needed, so that only its packed form is held.

use super::ordinals::ordinals;
use crate::{
    Item, Items, Origin, Problem,
    acts::{ActsAround, OtherAct},
    order::{Arrival, SheetPly},
    packed::{Packed, Packer, Part, Parts, What},
    parted, ravs_after, stripped,
};
use overboard_formats::{
    canonical::board_number,
    command::{commands, duration},
    lex::Prose,
    record::Node,
    san::board_index,
};
use overboard_referee::numbering::number_after;
use overboard_rules::square::Side;

/// A number as it is written.
struct Numbered<'p> {
    number: u32,
    side: Side,
    text: &'p str,
    origin: Origin,
}

/// What comments say about the order of plies.
#[derive(Default)]
struct Heard {
    /// Of the ply before them: its ordinal, its time, and what happened with it.
    seq: Option<u64>,
    ts: Option<u64>,
    /// What arrived before the ply after them.
    arrivals: Vec<Arrival>,
    /// What else happened: after the ply before them, and from the number of the next one on.
    after: Vec<OtherAct>,
    before: Vec<OtherAct>,
}

impl Heard {
    /// Hears a comment, behind the number of the next ply (`is_ahead`) or before it; `mover` is the side to move.
    fn hear(&mut self, comment: &str, is_ahead: bool, mover: Side) {
        let (found, _) = stripped(comment);
        self.seq = ordinals(&found).last().or(self.seq);
        for (name, text) in &found {
            if name == "in" {
                self.arrivals.extend(arrival(text));
            }
        }
        for command in commands(comment.as_bytes()) {
            if command.name == b"ts" {
                self.ts = duration(command.arguments);
            }
            let acts = if is_ahead {
                &mut self.before
            } else {
                &mut self.after
            };
            acts.extend(OtherAct::of(&command, mover));
        }
    }
}

/// What stands between two plies of a sheet: remarks on the first, then, from a number on, what precedes the second.
struct Gap<'p> {
    heard: Heard,
    /// Where it begins, and where the first number stands; the end where no ply follows.
    from: Parts<'p>,
    split: Parts<'p>,
    /// The ply after it.
    ply: Option<Written<'p>>,
}

/// A ply, as it stands on the sheet.
struct Written<'p> {
    number: u32,
    side: Side,
    /// Its number as it is in the record, and where that stands.
    text: String,
    number_origin: Origin,
    san: &'p str,
    origin: Origin,
    /// Where it stands, and where what comes after it begins.
    at: usize,
    after: Parts<'p>,
}

impl Written<'_> {
    fn items(&self) -> [Item; 2] {
        [
            (Node::Number(self.text.clone()), self.number_origin),
            (Node::Ply(self.san.to_owned()), self.origin),
        ]
    }
}

/// Whether a text has the sign that every command begins with.
fn may_command(comment: &str) -> bool {
    comment.contains("[%")
}

impl<'p> Gap<'p> {
    /// What begins here and ends with the next ply; `last` is the number and the side of the ply before it.
    fn read(board: usize, from: Parts<'p>, last: Option<(u32, Side)>) -> Result<Self, Problem> {
        let mut parts = from.clone();
        let mut heard = Heard::default();
        let (mut split, mut numbered) = (None, None::<Numbered<'p>>);
        let mut ravs = 0_usize;
        loop {
            let here = parts.clone();
            let Some((part, origin)) = parts.next() else {
                return Ok(Self {
                    heard,
                    from,
                    split: here,
                    ply: None,
                });
            };
            match part.what() {
                What::RavOpen => ravs += 1,
                What::RavClose => ravs = ravs.saturating_sub(1),
                What::Number if ravs == 0 => {
                    let text = part.text();
                    let (number, side) =
                        number(text, board).ok_or_else(|| foreign(text, board, origin))?;
                    numbered = Some(Numbered {
                        number,
                        side,
                        text,
                        origin,
                    });
                    if split.is_none() {
                        split = Some(here);
                    }
                }
                What::Ply if ravs == 0 => {
                    let at = here.left();
                    let split = split.unwrap_or(here);
                    let ply = written(board, numbered, last, (part, origin), (at, parts));
                    return Ok(Self {
                        heard,
                        from,
                        split,
                        ply: Some(ply),
                    });
                }
                What::Prose(Prose::Brace | Prose::Line)
                    if ravs == 0 && may_command(part.text()) =>
                {
                    let mover = match &numbered {
                        Some(number) => number.side,
                        None => following(last).1,
                    };
                    // Before the first ply there is none that it could be about.
                    heard.hear(part.text(), split.is_some() || last.is_none(), mover);
                }
                _ => {}
            }
        }
    }

    /// The remarks on the ply before it.
    fn remarks(&self) -> Stretch<'p> {
        Stretch {
            parts: self.from.clone(),
            until: self.split.left(),
            ravs: 0,
        }
    }

    /// What stands between the number of the ply after it and that ply.
    fn between(&self) -> Stretch<'p> {
        Stretch {
            parts: self.split.clone(),
            until: match &self.ply {
                Some(ply) => ply.at,
                None => self.split.left(),
            },
            ravs: 0,
        }
    }

    fn last(&self) -> Option<(u32, Side)> {
        let ply = self.ply.as_ref()?;
        Some((ply.number, ply.side))
    }
}

/// A ply with the number before it; without one it is the next ply.
fn written<'p>(
    board: usize,
    numbered: Option<Numbered<'p>>,
    last: Option<(u32, Side)>,
    (part, origin): (Part<'p>, Origin),
    (at, after): (usize, Parts<'p>),
) -> Written<'p> {
    let Numbered {
        number,
        side,
        text,
        origin: number_origin,
    } = numbered.unwrap_or_else(|| {
        let (number, side) = following(last);
        Numbered {
            number,
            side,
            text: "",
            origin,
        }
    });
    // As it is where it names the board already, with whatever is wrong with it.
    let is_whole = text.bytes().any(|letter| letter.is_ascii_alphabetic());
    let text = if is_whole {
        text.to_owned()
    } else {
        board_number(board as u16, number, side)
    };
    Written {
        number,
        side,
        text,
        number_origin,
        san: part.text(),
        origin,
        at,
        after,
    }
}

/// Part of a sheet, without the numbers and results of its main line.
struct Stretch<'p> {
    parts: Parts<'p>,
    until: usize,
    ravs: usize,
}

impl Iterator for Stretch<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        while self.parts.left() > self.until {
            let (part, origin) = self.parts.next()?;
            match part.what() {
                What::RavOpen => self.ravs += 1,
                What::RavClose => self.ravs = self.ravs.saturating_sub(1),
                What::Number | What::Result if self.ravs == 0 => continue,
                _ => {}
            }
            return Some((part.to_node(), origin));
        }
        None
    }
}

/// What a ply of a sheet says of itself for the order of plies.
pub struct OrderedPly {
    pub ply: SheetPly,
    pub seq: Option<u64>,
}

/// The plies of a board's sheet for the order of plies.
pub struct BoardPlies<'p> {
    board: usize,
    gap: Gap<'p>,
    /// What arrived after the last ply, once all were read.
    pub arrivals: Vec<Arrival>,
}

impl<'p> BoardPlies<'p> {
    /// # Errors
    /// A number of another board.
    pub fn of(board: usize, sheet: &'p Packed) -> Result<Self, Problem> {
        Ok(Self {
            board,
            gap: Gap::read(board, sheet.body(), None)?,
            arrivals: Vec::new(),
        })
    }

    /// The next ply; `None` after the last one.
    ///
    /// # Errors
    /// A number of another board.
    pub fn next(&mut self) -> Result<Option<OrderedPly>, Problem> {
        let Some(ply) = &self.gap.ply else {
            self.arrivals.append(&mut self.gap.heard.arrivals);
            return Ok(None);
        };
        let mut next = Gap::read(self.board, ply.after.clone(), self.gap.last())?;
        let mut ordered = OrderedPly {
            ply: SheetPly {
                number: ply.number,
                side: ply.side,
                san: ply.san.into(),
                ts: next.heard.ts,
                arrivals: std::mem::take(&mut self.gap.heard.arrivals),
                acts: None,
                origin: ply.origin,
            },
            seq: next.heard.seq,
        };
        let acts = ActsAround {
            before: std::mem::take(&mut self.gap.heard.before),
            after: std::mem::take(&mut next.heard.after),
        };
        if !acts.before.is_empty() || !acts.after.is_empty() {
            ordered.ply.acts = Some(Box::new(acts));
        }
        self.gap = next;
        Ok(Some(ordered))
    }
}

/// The items of a board's sheet, ply by ply, as they stand in the record.
pub struct BoardItems<'p> {
    board: usize,
    sheet: &'p Packed,
    gap: Gap<'p>,
    /// Whether what stands before the first ply goes after its number, because a command there is about this board.
    is_kept_back: bool,
}

impl<'p> BoardItems<'p> {
    /// # Errors
    /// A number of another board.
    pub fn of(board: usize, sheet: &'p Packed) -> Result<Self, Problem> {
        let gap = Gap::read(board, sheet.body(), None)?;
        let mut items = Self {
            board,
            sheet,
            gap,
            is_kept_back: false,
        };
        items.is_kept_back =
            items.gap.ply.is_some() && items.before_first().any(|item| holds_a_command(&item.0));
        Ok(items)
    }

    /// What stands before the first number.
    fn before_first(&self) -> impl Iterator<Item = Item> + Send + use<'p> {
        let remarks = self
            .sheet
            .head()
            .filter(|(node, _)| !matches!(node, Node::Tag(..)));
        remarks.chain(self.gap.remarks())
    }

    /// What stands before the first ply, if it is not about this board.
    pub fn leading(&self) -> impl Iterator<Item = Item> + Send + use<'p> {
        let first = if self.is_kept_back {
            None
        } else {
            Some(self.before_first())
        };
        first.into_iter().flatten()
    }

    /// The next ply with its number and its remarks; `None` after the last one.
    pub fn piece(&mut self) -> Option<Items<'p>> {
        let kept_back = if std::mem::take(&mut self.is_kept_back) {
            Some(self.before_first())
        } else {
            None
        };
        let [number, san] = self.gap.ply.as_ref()?.items();
        let after = self.gap.ply.as_ref()?.after.clone();
        let between = self.gap.between();
        // What is wrong with a number was found when the order was.
        self.gap = Gap::read(self.board, after, self.gap.last()).ok()?;
        let kept_back = kept_back.into_iter().flatten();
        let before = std::iter::once(number).chain(kept_back).chain(between);
        Some(Box::new(before.chain([san]).chain(self.gap.remarks())))
    }
}

/// Whether a node is a comment with a command that is of the game, and not of its sheets.
fn holds_a_command(node: &Node) -> bool {
    matches!(node, Node::Prose(Prose::Brace | Prose::Line, text) if commands(stripped(text).1.as_bytes()).next().is_some())
}

/// `R a5 A 12`.
fn arrival(text: &str) -> Option<Arrival> {
    let words: Vec<_> = text.split_whitespace().collect();
    let [_, _, letters, number] = words[..] else {
        return None;
    };
    let side = if letters.starts_with(|c: char| c.is_ascii_uppercase()) {
        Side::White
    } else {
        Side::Black
    };
    let board = usize::from(board_index(letters.as_bytes())?);
    Some(Arrival {
        board,
        number: number.parse().ok()?,
        side,
    })
}

/// A sheet of a board with numbers that name no board where they named another one, and what is wrong with the first of
/// these; `None` if it has no such number.
pub fn with_own_numbers(board: usize, sheet: &Packed) -> Option<(Packed, Problem)> {
    let is_foreign =
        |node: &Node| matches!(node, Node::Number(text) if number(text, board).is_none());
    let (node, origin) = main_line(sheet.body_items()).find(|(node, _)| is_foreign(node))?;
    let Node::Number(text) = node else {
        return None;
    };
    let mut kept = Packer::default();
    let mut ravs = 0_usize;
    for (node, origin) in sheet.items() {
        ravs = ravs_after(ravs, &node);
        match &node {
            Node::Number(text) if ravs == 0 && is_foreign(&node) => {
                kept.push(&Node::Number(without_board(text)), origin);
            }
            _ => kept.push(&node, origin),
        }
    }
    Some((kept.finish(), foreign(&text, board, origin)))
}

/// What stands in no variation.
fn main_line(items: impl Iterator<Item = Item>) -> impl Iterator<Item = Item> {
    let mut ravs = 0_usize;
    items.filter(move |(node, _)| {
        ravs = ravs_after(ravs, node);
        ravs == 0
    })
}

/// `12A.`, `12a.`, `12.` or `12...` on the sheet of a board; `None` for another board's.
fn number(text: &str, board: usize) -> Option<(u32, Side)> {
    let (digits, letters) = parted(text);
    let number = digits.parse().ok()?;
    let name = letters.trim_end_matches('.');
    if !name.is_empty() && usize::from(board_index(name.as_bytes())?) != board {
        return None;
    }
    let is_white = if name.is_empty() {
        letters.len() < 2
    } else {
        name.starts_with(|c: char| c.is_ascii_uppercase())
    };
    Some((number, if is_white { Side::White } else { Side::Black }))
}

/// `12.` for `12Z.`, `12...` for `12z.`.
fn without_board(number: &str) -> String {
    let (digits, letters) = parted(number);
    let is_white = letters.starts_with(|c: char| c.is_ascii_uppercase());
    format!("{digits}{}", if is_white { "." } else { "..." })
}

fn foreign(text: &str, board: usize, origin: Origin) -> Problem {
    let name = overboard_rules::ply::BoardName(board);
    Problem::at(
        "unfit",
        format!("`{text}` is not a number of board {name}, whose sheet this is"),
        origin,
    )
}

fn following(last: Option<(u32, Side)>) -> (u32, Side) {
    last.map_or((1, Side::White), number_after)
}
