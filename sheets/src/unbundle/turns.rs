//! Splits a game of Mega-Chess into the sheets of its boards, at every level, while the record is read.
//!
//! The outermost sheet has the mega-moves, and so has that of a board with boards inside. Where a turn of board moves
//! ended there, `{[%turn 8]}` gives the ordinal of the last of them, and the sign after the turn. The sheet goes with its
//! board when a mega-piece carries that along: `{[%on E4]}` stands before the first move in the new place.

use super::{first_of, head, identified, refuse_marks, refused};
use crate::{
    Count, Item, Origin, Problem, Sheet, bundle::turns::unseen::first, pages::Pages, ravs_after,
    tags,
};
use overboard_formats::{
    parse::{Open, result_of},
    record::Node,
};
use overboard_games::{
    mega::{Board, Mega},
    one_board::notation::BoardNotation as _,
};
use overboard_referee::game::notation::Notation as _;
use overboard_rules::{
    path::{MegaSquare, squares},
    square::Side,
};
use std::{
    collections::HashMap,
    io::{self, Read},
};

/// The sheets of a game as they are written.
pub struct Turns {
    id: String,
    common: tags::Common,
    origin: Origin,
    level: usize,
    pages: Pages,
    /// The outermost sheet, then the others in the order of their first moves.
    sheets: Vec<BoardSheet>,
    /// The sheet of a board, by that of the board around it and the square on which it stood at the start.
    by_home: HashMap<(usize, String), usize>,
    /// Where boards stood at the start that were carried along, by the same sheet and where they stand now.
    homes: HashMap<(usize, String), String>,
    /// The starting positions of the boards that have others than the array, by their paths.
    starts: HashMap<String, String>,
    /// The sheets whose turns are open, the innermost last, and the address of the next item.
    open: Vec<usize>,
    address: Option<String>,
    /// The squares on which the boards of the open turns stand.
    way: Vec<String>,
    plies: u32,
    /// The sheet to which remarks go.
    last: usize,
    /// What is still to be written after the last ply and its glyphs, or after the sign of a turn.
    owed: Option<Owed>,
    ravs: usize,
    refused: Option<Problem>,
    wrong: Option<Problem>,
}

/// A comment with a command that belongs to sheets.
fn refuse(item: &Item) -> Option<Problem> {
    refuse_marks(item, &["seq", "turn", "on"])
}

/// The positions of the boards of a game that do not stand in the array, by their paths.
fn starts(game: &Mega) -> HashMap<String, String> {
    let mut starts = HashMap::new();
    let mut left = vec![(String::new(), game.clone())];
    while let Some((way, game)) = left.pop() {
        for on in squares() {
            let path = format!("{way}{}", MegaSquare(on));
            match game.touched_board(on) {
                None => {}
                Some(Board::Chess(chess)) => {
                    starts.insert(path, chess.fen());
                }
                Some(Board::Mega(inner)) => {
                    starts.insert(path.clone(), inner.fen());
                    left.push((format!("{path}."), inner));
                }
            }
        }
    }
    starts
}

/// A sheet that is being written.
struct BoardSheet {
    /// The way to its board at the start.
    path: Vec<String>,
    /// The way to it as the sheet says it.
    on: String,
    count: Count,
    result: &'static str,
}

enum Owed {
    /// The ordinal of a ply.
    Ply,
    /// The end of a turn, and its sign.
    Turn(String),
}

impl Turns {
    /// The sheets of a record of which the tags are read.
    ///
    /// # Errors
    /// Those of the file in which sheets wait.
    pub fn begin(mut sheet: Sheet, id: &str) -> io::Result<Self> {
        let first = first(&sheet.items);
        let level = first.as_ref().map_or(1, |mega| usize::from(mega.level()));
        let starts = first.map_or_else(HashMap::new, |mega| starts(&mega));
        let id = sheet.tag("GameId").unwrap_or(id).to_owned();
        let refused = refused(&sheet, &id, refuse);
        let root = BoardSheet {
            path: Vec::new(),
            on: String::new(),
            count: Count::from(sheet.tag("FEN")),
            result: "*",
        };
        let common = tags::Common::of(&sheet);
        identified(&mut sheet.items, &id);
        Ok(Self {
            id,
            common,
            origin: sheet.origin(),
            level,
            pages: Pages::begin(&sheet.items)?,
            sheets: vec![root],
            by_home: HashMap::new(),
            homes: HashMap::new(),
            starts,
            open: Vec::new(),
            address: None,
            way: Vec::new(),
            plies: 0,
            last: 0,
            owed: None,
            ravs: 0,
            refused,
            wrong: None,
        })
    }

    /// Takes what comes after the tags; `moved` is a legal mega-move in coordinates, if the item is one.
    ///
    /// # Errors
    /// Those of the file in which sheets wait.
    pub fn take(&mut self, item: &Item, moved: Option<&str>) -> io::Result<()> {
        if self.refused.is_some() || self.wrong.is_some() {
            return Ok(());
        }
        let (node, origin) = item;
        if self.ravs > 0 {
            self.ravs = ravs_after(self.ravs, node);
            return self.pages.put(self.last, node);
        }
        self.refused = refuse(item);
        match node {
            // Every sheet has numbers of its own.
            Node::Number(_) => Ok(()),
            Node::Glyphs(_) | Node::Nag(_) if matches!(self.owed, Some(Owed::Ply)) => {
                self.pages.put(self.last, node)
            }
            Node::Suffix(sign) => {
                if let Some(Owed::Turn(owed)) = &mut self.owed {
                    owed.clone_from(sign);
                }
                Ok(())
            }
            node => {
                self.settle(*origin)?;
                self.main_line(node, *origin, moved)
            }
        }
    }

    fn main_line(&mut self, node: &Node, origin: Origin, moved: Option<&str>) -> io::Result<()> {
        match node {
            Node::TurnOpen => {
                match self.address.take() {
                    Some(address) => {
                        let inner = self.board(&address);
                        self.way.push(address);
                        self.open.push(inner);
                    }
                    None => self.open.push(0),
                }
                Ok(())
            }
            Node::Address(address) => {
                self.address = Some(address.clone());
                Ok(())
            }
            Node::Ply(ply) => self.made(ply, origin, moved),
            Node::Result(result) => match self.address.take() {
                Some(address) => self.drawn(&address, result, origin),
                None => {
                    self.last = 0;
                    self.pages.put(0, node)
                }
            },
            Node::BlockClose(Open::Turn) => {
                let closed = self.open.pop().unwrap_or_default();
                self.way.pop();
                self.last = closed;
                self.sheets[closed].count.advance();
                self.owed = Some(Owed::Turn(String::new()));
                Ok(())
            }
            Node::RavOpen => {
                self.ravs = 1;
                self.pages.put(self.last, node)
            }
            _ => self.pages.put(self.last, node),
        }
    }

    /// Whose turn it is in the whole game.
    fn side(&self) -> Side {
        self.sheets[0].count.side
    }

    /// The sheet of the board on a square of the innermost board whose turn is open.
    fn board(&mut self, address: &str) -> usize {
        let around = self.open.last().copied().unwrap_or_default();
        let here = (around, address.to_owned());
        let home = self.homes.get(&here).cloned();
        let home = home.unwrap_or_else(|| address.to_owned());
        if let Some(known) = self.by_home.get(&(around, home.clone())) {
            return *known;
        }
        let mut path = self.sheets[around].path.clone();
        path.push(home.clone());
        if path.len() > self.level {
            let what = format!("`{address}` is on a board of chess, which has no boards inside");
            self.wrong = Some(Problem::at("unreadable", what, self.origin));
        }
        let start = self.starts.get(&path.join("."));
        self.sheets.push(BoardSheet {
            on: path.join("."),
            count: Count::from(start.map(String::as_str)),
            path,
            result: "*",
        });
        let new = self.sheets.len() - 1;
        self.by_home.insert((around, home), new);
        new
    }

    /// A ply was made: on a board, or with a mega-piece.
    fn made(&mut self, ply: &str, origin: Origin, moved: Option<&str>) -> io::Result<()> {
        let sheet = match self.address.take() {
            Some(address) => {
                let sheet = self.board(&address);
                self.say_where(sheet, &address, origin)?;
                sheet
            }
            None if self.open.is_empty() => 0,
            None => {
                let what = format!("the item `{ply}` of a turn lacks the address of its board");
                self.wrong = Some(Problem::at("unreadable", what, origin));
                return Ok(());
            }
        };
        if self.sheets[sheet].path.len() < self.level && ply != "--" {
            let Some(moved) = moved else {
                let what = format!(
                    "`{ply}` is not legal here, so it is not known which boards it carries along; `check` says more"
                );
                self.wrong = Some(Problem::at("unsupported", what, origin));
                return Ok(());
            };
            self.carry(sheet, moved, ply);
        }
        self.number(sheet)?;
        self.pages.put(sheet, &Node::Ply(ply.into()))?;
        self.sheets[sheet].count.advance();
        self.owe_ordinal(sheet);
        Ok(())
    }

    /// A draw was agreed on a board.
    fn drawn(&mut self, address: &str, result: &str, origin: Origin) -> io::Result<()> {
        let sheet = self.board(address);
        self.say_where(sheet, address, origin)?;
        self.plies += 1;
        self.last = sheet;
        self.sheets[sheet].result = result_of(result.as_bytes()).unwrap_or("*");
        self.command(sheet, format!("seq {}", self.plies), origin)?;
        self.pages.put(sheet, &Node::Result(result.into()))
    }

    fn owe_ordinal(&mut self, sheet: usize) {
        self.plies += 1;
        self.last = sheet;
        self.owed = Some(Owed::Ply);
    }

    /// Says on the sheet of a board where that stands now, if it was carried along.
    fn say_where(&mut self, sheet: usize, address: &str, origin: Origin) -> io::Result<()> {
        let on = self.path_to(address);
        if self.sheets[sheet].on == on {
            return Ok(());
        }
        let command = format!("on {on}");
        self.sheets[sheet].on = on;
        self.command(sheet, command, origin)
    }

    /// The path to a square of the innermost board whose turn is open.
    fn path_to(&self, address: &str) -> String {
        let mut path = self.way.join(".");
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(address);
        path
    }

    fn command(&mut self, sheet: usize, command: String, origin: Origin) -> io::Result<()> {
        let node = tags::command(command, origin).0;
        self.pages.put(sheet, &node)
    }

    /// Writes the number of the next ply of a sheet, and `--` where a player is passed over there.
    fn number(&mut self, sheet: usize) -> io::Result<()> {
        let side = self.side();
        let count = &mut self.sheets[sheet].count;
        let mut nodes = Vec::new();
        if count.side != side {
            nodes.extend([Node::Number(count.dots()), Node::Ply("--".into())]);
            count.advance();
        }
        nodes.push(Node::Number(count.dots()));
        for node in &nodes {
            self.pages.put(sheet, node)?;
        }
        Ok(())
    }

    /// A mega-piece carries its board along, and a castling king that of the rook.
    fn carry(&mut self, sheet: usize, moved: &str, ply: &str) {
        let (Some(from), Some(to)) = (moved.get(..2), moved.get(2..4)) else {
            return;
        };
        let rank = &from[1..];
        let mut ways = vec![(from.to_owned(), to.to_owned())];
        if ply.starts_with("O-O-O") {
            ways.push((format!("A{rank}"), format!("D{rank}")));
        } else if ply.starts_with("O-O") {
            ways.push((format!("H{rank}"), format!("F{rank}")));
        }
        for (from, to) in ways {
            let home = self.homes.remove(&(sheet, from.clone()));
            self.homes.insert((sheet, to), home.unwrap_or(from));
        }
    }

    /// Writes what is due.
    fn settle(&mut self, origin: Origin) -> io::Result<()> {
        let command = match self.owed.take() {
            None => return Ok(()),
            Some(Owed::Ply) => format!("seq {}", self.plies),
            Some(Owed::Turn(sign)) => format!("turn {} {sign}", self.plies),
        };
        self.command(self.last, command.trim_end().into(), origin)
    }

    /// All is read: whether it can be taken apart.
    ///
    /// # Errors
    /// Those of the file in which sheets wait, and what is wrong with the record.
    pub fn end(&mut self) -> io::Result<Result<(), Problem>> {
        self.settle(self.origin)?;
        Ok(first_of([&mut self.refused, &mut self.wrong]))
    }

    /// How many sheets there are.
    pub const fn sheets(&self) -> usize {
        self.sheets.len()
    }

    /// A sheet, in no particular layout.
    pub fn read(&self, sheet: usize) -> impl Read + Send + '_ {
        let (head, tail) = match &self.sheets[sheet] {
            _ if sheet == 0 => (String::new(), &b""[..]),
            board if board.result == "*" => (self.head(board), &b" *\n\n"[..]),
            board => (self.head(board), &b"\n\n"[..]),
        };
        self.pages.read_within(sheet, head, tail)
    }

    /// The tags of the sheet of a board, which has none of its own.
    fn head(&self, sheet: &BoardSheet) -> String {
        let start = self.starts.get(&sheet.path.join("."));
        let tags = self
            .common
            .of_mega_board(&sheet.path, self.level, sheet.result, start);
        let parent = format!("{}/{}", self.id, sheet.path.join("/"));
        head(tags, parent, self.origin)
    }
}
