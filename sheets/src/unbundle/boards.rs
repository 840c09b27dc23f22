//! Splits the one stream of linked boards into the sheets of the boards.

use super::{first_of, head, identified, refuse_comment, refused};
use crate::{
    Item, Origin, Problem, Sheet, bundle::boards_of, pages::Pages, parted, ravs_after, tags,
};
use overboard_formats::{record::Node, san::board_index};
use overboard_rules::ply::BoardName;
use std::io::{self, Read};

/// The sheets of linked boards as they are written.
pub struct Boards {
    /// How many boards there are.
    count: usize,
    id: String,
    common: tags::Common,
    origin: Origin,
    /// The outer sheet, then those of the boards.
    pages: Pages,
    /// The sheet to which input goes: the outer one before the first ply and after the last result.
    into: usize,
    /// The board that the last number names, and that number.
    addressed: Option<(usize, String)>,
    plies: u32,
    /// Items still to be written after the last ply and its glyphs, each with its sheet.
    owed: Vec<(usize, Item)>,
    /// How many variations are open.
    ravs: usize,
    /// Why the record may not be taken apart, and why it cannot be.
    refused: Option<Problem>,
    wrong: Option<Problem>,
}

impl Boards {
    /// The sheets of a record of which the tags are read: the outer one with the tags, the players and the result, then the
    /// boards.
    ///
    /// # Errors
    /// Those of the file in which sheets wait.
    pub fn begin(mut sheet: Sheet, id: &str) -> io::Result<Self> {
        let id = sheet.tag("GameId").unwrap_or(id).to_owned();
        let refused = refused(&sheet, &id, refuse_comment);
        let common = tags::Common::of(&sheet);
        let count = boards_of(&sheet).unwrap_or(1);
        identified(&mut sheet.items, &id);
        Ok(Self {
            count,
            id,
            common,
            origin: sheet.origin(),
            pages: Pages::begin(&sheet.items)?,
            into: 0,
            addressed: None,
            plies: 0,
            owed: Vec::new(),
            ravs: 0,
            refused,
            wrong: None,
        })
    }

    /// Takes what comes after the tags.
    ///
    /// # Errors
    /// Those of the file in which sheets wait.
    pub fn take(&mut self, item: Item) -> io::Result<()> {
        if self.refused.is_some() {
            return Ok(());
        }
        let (node, origin) = &item;
        if self.ravs == 0 {
            self.refused = refuse_comment(&item);
            if !matches!(node, Node::Glyphs(_) | Node::Nag(_) | Node::Suffix(_)) {
                self.settle()?;
            }
            match node {
                Node::RavOpen => self.ravs = 1,
                Node::Number(number) => self.address(number, *origin),
                Node::Ply(ply) => self.made(ply, *origin),
                Node::Result(_) => self.into = 0,
                _ => {}
            }
        } else {
            self.ravs = ravs_after(self.ravs, node);
        }
        if self.wrong.is_some() {
            Ok(())
        } else {
            self.pages.put(self.into, node)
        }
    }

    /// All is read: whether it can be taken apart.
    ///
    /// # Errors
    /// Those of the file in which sheets wait, and what is wrong with the record.
    pub fn end(&mut self) -> io::Result<Result<(), Problem>> {
        self.settle()?;
        Ok(first_of([&mut self.refused, &mut self.wrong]))
    }

    /// How many sheets there are.
    pub const fn sheets(&self) -> usize {
        self.count + 1
    }

    /// A sheet, in no particular layout.
    pub fn read(&self, sheet: usize) -> impl Read + Send + '_ {
        let (head, tail) = match sheet.checked_sub(1) {
            Some(board) => (self.head(board), &b"*\n\n"[..]),
            None => (String::new(), &b""[..]),
        };
        self.pages.read_within(sheet, head, tail)
    }

    /// The tags of the sheet of a board, which has none of its own.
    fn head(&self, board: usize) -> String {
        let parent = format!("{}/{}", self.id, BoardName(board));
        head(self.common.of_board(board), parent, self.origin)
    }

    /// Writes what is due.
    fn settle(&mut self) -> io::Result<()> {
        for (sheet, (node, _)) in std::mem::take(&mut self.owed) {
            self.pages.put(sheet, &node)?;
        }
        Ok(())
    }

    /// A number gives the board of the next ply.
    fn address(&mut self, number: &str, origin: Origin) {
        let letters = parted(number).1.trim_end_matches('.');
        let Some(board) = board_named(letters, self.count) else {
            let what = format!(
                "`{number}` names no board of this game: on linked boards a number has the letter of one"
            );
            return self.fail(what, origin);
        };
        self.into = board + 1;
        self.addressed = Some((board, number.trim_end_matches('.').into()));
    }

    /// The record cannot be taken apart; only the first reason is kept.
    fn fail(&mut self, what: String, origin: Origin) {
        if self.wrong.is_none() {
            self.wrong = Some(Problem::at("unreadable", what, origin));
        }
    }

    /// A ply was made on the board that the number before it names.
    fn made(&mut self, ply: &str, origin: Origin) {
        let Some((board, number)) = self.addressed.take() else {
            let what = format!(
                "on which board is `{ply}` played? There is no number with the letter of a board before it"
            );
            return self.fail(what, origin);
        };
        self.plies += 1;
        let ordinal = tags::command(format!("seq {}", self.plies), origin);
        self.owed.push((board + 1, ordinal));
        if let Some((board, command)) = arrival(ply, &number, self.count) {
            self.owed.push((board + 1, tags::command(command, origin)));
        }
    }
}

/// The board with these letters, if a game of so many has it.
pub fn board_named(letters: &str, boards: usize) -> Option<usize> {
    let board = usize::from(board_index(letters.as_bytes())?);
    if board < boards { Some(board) } else { None }
}

/// The board on which a ply arrives, and the command to write there: `in R a5 A 12`.
fn arrival(ply: &str, number: &str, boards: usize) -> Option<(usize, String)> {
    let plain = ply.trim_end_matches(['+', '#', '!', '?']);
    let (san, letters) = plain.split_once('/')?;
    let board = board_named(letters, boards)?;
    let piece = match san.chars().next() {
        Some(piece) if piece.is_ascii_uppercase() => piece,
        _ => 'P',
    };
    let digits = san.trim_end_matches(|c: char| c.is_ascii_digit());
    let square = &san[digits.len().checked_sub(1)?..];
    let (number, letters) = parted(number);
    Some((board, format!("in {piece} {square} {letters} {number}")))
}
