//! What is read but not played, as rows: what is illegal, unreadable or not judged, and everything after it.

use super::{Rows, has_room, heard::BeforeEvent, made_by};
use crate::{
    finding::{Finding, Verdict},
    numbering::number_after,
    record_state::RecordState,
};
use overboard_formats::{
    encoding::decode,
    parse::{Event, Open, Parser},
    ply_rows::{Kind, PlyRow, push_remark},
};
use overboard_rules::{ply::BoardName, square::Side, variant::ChessWithin};

/// What a move number says.
pub(super) struct Given {
    made: (u32, Side),
    /// The letter of the board, of linked boards.
    board: Option<String>,
}

impl RecordState {
    /// A bracket of another game is one row, as it is written.
    pub(super) fn report_foreign(
        &mut self,
        event: Event,
        before: BeforeEvent,
        parser: &Parser<'_>,
    ) {
        let text = parser.text(parser.place().span);
        let Some(rows) = &mut self.rows else { return };
        let nothing = || (String::new(), before.findings);
        let (read, _) = rows.foreign.get_or_insert_with(nothing);
        if rows.is_bounded && !has_room(Some(read), text) {
            rows.left_out += text.len() as u64;
        } else {
            push_foreign(read, event, text);
        }
        if self.brackets.in_foreign() {
            return;
        }
        if let Some((read, findings)) = rows.foreign.take() {
            let first = rows.rows.len();
            self.row_of_unplayed(Some(read), BeforeEvent { findings, ..before });
            if let Some(rows) = &mut self.rows {
                rows.turn_to(first);
            }
        }
    }

    /// Whether something up to here is not judged: rows say everything that is written after it.
    pub(super) fn is_as_written(&self) -> bool {
        let has_unjudged = |rows: &Rows| rows.unjudged > 0;
        self.judging.unjudged_from().is_some() || self.rows.as_ref().is_some_and(has_unjudged)
    }

    /// Whether rows say where blocks and brackets are written, and not what they mean: something up to here is not judged,
    /// though the game around it may be judged on.
    pub(super) fn are_blocks_written(&self) -> bool {
        self.is_as_written() && self.has_blocks()
    }

    /// Whether the records of the game have sub-games in blocks.
    pub(super) fn has_blocks(&self) -> bool {
        let game = self.terms.game();
        game.is_some_and(|game| matches!(game.chess_within, ChessWithin::SubGames))
    }

    /// Keeps what the text says that belongs to a row to come: the number of a move, the result of a block.
    pub(super) fn follow_text(&mut self, event: Event, parser: &Parser<'_>) {
        let is_inside = self.brackets.depth() > 0;
        let Some(rows) = &mut self.rows else { return };
        let text = parser.text(parser.place().span);
        match event {
            Event::Number => rows.given = numbered(text),
            Event::Result if is_inside => rows.result = Some(decode(text).0.into_owned()),
            _ => {}
        }
    }

    /// A row for something else than a ply after which nothing is judged: a sub-game that is not due, a set-up, something
    /// left out.
    pub(super) fn mark_unjudged(&mut self, event: Event, before: BeforeEvent, parser: &Parser<'_>) {
        let begins = before.is_judged && self.is_as_written();
        let has_row = self.rows.as_ref().is_some_and(|rows| rows.unjudged > 0);
        let comes_as_row = before.is_ply
            || matches!(
                event,
                Event::Fault(_) | Event::Unread | Event::BlockClose(Open::Action)
            );
        if !begins || has_row || comes_as_row {
            return;
        }
        let label = decode(parser.text(parser.place().span)).0;
        let said = match event {
            Event::SubgameOpen => Some(format!("<{label}:")),
            _ => None,
        };
        self.row_of_unplayed(said, before);
    }

    /// Puts an event after something that is not judged into rows. Returns whether that is all.
    pub(super) fn report_as_written(
        &mut self,
        event: Event,
        before: BeforeEvent,
        parser: &Parser<'_>,
    ) -> bool {
        let (as_written, has_blocks) = (self.is_as_written(), self.has_blocks());
        let text = decode(parser.text(parser.place().span)).0;
        let row = self.row();
        let Some(rows) = &mut self.rows else {
            return false;
        };
        match event {
            Event::SubgameOpen if has_blocks => {
                rows.enter_block(&text);
                if as_written {
                    rows.begin_as_written(row.ply);
                }
                as_written
            }
            Event::BlockClose(Open::Subgame) if has_blocks && as_written => {
                rows.close_as_written(row);
                true
            }
            Event::Unread if as_written => {
                // It has no address.
                (self.last.board, rows.address) = (None, None);
                self.row_of_unplayed(Some(text.into_owned()), before);
                true
            }
            Event::Suffix if as_written => {
                if let Some(turn) = rows.last().filter(|row| row.kind == Kind::Turn) {
                    turn.san = Some(text.into_owned());
                }
                true
            }
            Event::BlockClose(Open::Action) if as_written => {
                let said = rows.action.take().map(|(said, _)| format!("<{said}>"));
                if let Some(said) = said {
                    self.row_of_unplayed(Some(said), before);
                }
                true
            }
            _ => false,
        }
    }

    /// The board that was addressed last.
    fn board_addressed(&self) -> Option<String> {
        let board = self.last.board;
        let board = board.map(|board| BoardName(usize::from(board)).to_string());
        board.or_else(|| self.rows.as_ref()?.address.clone())
    }

    /// The number of a move that was read but not played, where the record gives none: that of a finding of its own, or
    /// the one after the last move.
    fn number_due(&self, finding: Option<&Finding>) -> Option<(u32, Side)> {
        if finding.is_some_and(|finding| finding.number.is_some()) {
            return Some(self.last.number);
        }
        self.rows.as_ref()?.made.map(number_after)
    }

    /// A row for something that was read but not played; without a text for something else than a ply.
    pub(super) fn row_of_unplayed(&mut self, text: Option<String>, before: BeforeEvent) {
        let mut new = self.findings.iter().skip(before.findings);
        let finding = new.rfind(|finding| finding.code.verdict == Verdict::Illegal);
        // What has a bracket is numbered only where the record does it, and has no address.
        let is_bracket = text.as_ref().is_some_and(|text| text.starts_with('<'));
        let (due, path) = if is_bracket {
            (None, None)
        } else {
            let path = finding.map(|finding| finding.path.clone());
            let due = if text.is_some() {
                self.number_due(finding)
            } else {
                None
            };
            (due, path.or_else(|| self.board_addressed()))
        };
        let announced = self.last.announced.take();
        let given = self.rows.as_mut().and_then(|rows| rows.given.take());
        let (given, board) = match given {
            Some(Given { made, board }) => (Some(made), board),
            None => (None, None),
        };
        let made = given.or(announced).or(due);
        let way = if self.has_blocks() {
            self.rows.as_ref().map(|rows| rows.way.clone())
        } else {
            None
        };
        let row = PlyRow {
            kind: if finding.is_some() {
                Kind::Illegal
            } else {
                Kind::Unjudged
            },
            path: way.or(board).or(path).unwrap_or_default(),
            san: text,
            ..made_by(made, self.row())
        };
        let ply = row.ply;
        if let Some(rows) = &mut self.rows {
            let way = rows
                .opening
                .as_ref()
                .map(|opening| opening.path.clone())
                .filter(|way| !way.is_empty());
            if let Some(path) = way {
                rows.begin(PlyRow {
                    path,
                    ply,
                    ..PlyRow::default()
                });
            }
            rows.push(row);
        }
    }
}

/// What a move number says: `12.`, or `12...` for Black; on linked boards `12A.`, or `12a.` for Black.
fn numbered(text: &[u8]) -> Option<Given> {
    let digits = text.iter().take_while(|letter| letter.is_ascii_digit());
    let (digits, rest) = text.split_at(digits.count());
    let letters = rest
        .iter()
        .take_while(|letter| letter.is_ascii_alphabetic());
    let (letters, dots) = rest.split_at(letters.count());
    let side = match (letters.first(), dots) {
        (None, b".") => Side::White,
        (None, b"...") => Side::Black,
        (Some(letter), b".") if letter.is_ascii_uppercase() => Side::White,
        (Some(_), b".") => Side::Black,
        _ => return None,
    };
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let board = (!letters.is_empty()).then(|| decode(letters).0.to_uppercase());
    Some(Given {
        made: (number, side),
        board,
    })
}

/// Adds what was read in a bracket of another game.
fn push_foreign(read: &mut String, event: Event, text: &[u8]) {
    let text = decode(text).0;
    if push_remark(read, event, text.as_bytes()) {
        return;
    }
    let word = match event {
        Event::SubgameOpen => format!("<{text}:"),
        Event::ActionOpen(verb) => format!("<{}", verb.word()),
        Event::Address => format!("{text}."),
        Event::BlockClose(_) => return read.push('>'),
        Event::Suffix => return read.push_str(&text),
        Event::Fault(_) | Event::UnderWay => return,
        _ => text.into_owned(),
    };
    if !read.is_empty() && !read.ends_with(['<', '.']) && word != ":" {
        read.push(' ');
    }
    read.push_str(&word);
}
