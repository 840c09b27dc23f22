//! Score-sheets: splits one nested record into the sheets that people write at their boards, and merges the sheets into
//! one record.
//!
//! A sub-game of Overchess, or a board among linked ones, has a sheet of its own: a plain record with a tag
//! Parent, which names the sheet that it belongs to (by the tag GameId of that one) and the way from there:
//! `7/12w` is the sub-game of the over-move 12 of White in game 7, `7/12w.e5` the one on e5 that is played
//! after that over-move, `7/12w/7b` the one after Black's move 7 within it, `7/B` board B.
//!
//! [`unbundle`] writes `{[%seq 17]}` after every ply, its ordinal in the whole game, and on the sheet of a
//! board `{[%in R a5 A 12]}` where a piece arrives from another one (`a` where Black sends it);
//! [`SheetBundle::bundle`] drops both. Tags that a sub-game does not have, and a record needs, are supplied
//! from the outer record and dropped again; where a sub-game has such a tag with the very value that would be
//! supplied, the tag Stated lists its name. A game without a GameId gets one that begins with `#`. A sub-game
//! that is Overchess itself is played by individuals: its sheet gives in the tag Around the position of the
//! whole game in which it begins.
//!
//! ```
//! use overboard_formats::{limits::Limits, parse::Parser, record::Record};
//! use overboard_sheets::{Sheet, unbundle};
//!
//! let text = "[Variant \"StrategiChess\"]\n[Boards \"A:B\"]\n\n1A. e4 1B. d4 *";
//! let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
//! let record = Record::read(&mut parser).unwrap().expect("one record");
//! let sheet = Sheet::of(&record, 0).expect("a sheet");
//! let sheets = unbundle(&sheet, "7", Limits::default()).expect("two boards");
//! let has = |parent: &str| sheets.iter().any(|sheet| sheet.contains(parent));
//! assert!(has("[Parent \"7/A\"]") && has("[Parent \"7/B\"]"));
//! ```

mod acts;
mod bundle;
#[cfg(test)]
mod chance;
pub mod chess_records;
mod gather;
mod inside;
mod judge;
mod judging;
mod order;
mod packed;
mod pages;
mod pairs;
mod reconcile;
mod splitter;
mod tags;
mod text;
mod unbundle;

#[cfg(test)]
#[path = "../../tests/depth/mod.rs"]
mod depth;
#[cfg(test)]
#[path = "../../tests/near_edges/mod.rs"]
mod near_edges;

pub use bundle::{Bundled, JudgedIn, SheetBundle};
pub use gather::{Gathered, Gatherer};
pub use splitter::{NotApart, NotWritten, Sheets};
pub use unbundle::unbundle;

use overboard_formats::{
    parse::{GrammarFault, Open, Verb},
    record::{Node, Record},
    span::TextSpan,
};
use overboard_referee::numbering::number_of;
use overboard_rules::square::Side;

/// Where a node stands: in which file or record, as the caller counts them, and where in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file, or the record.
    pub file: usize,
    /// The place in it.
    pub place: TextSpan,
}

impl Origin {
    /// That of what stands on no sheet.
    const NOWHERE: Self = Self {
        file: usize::MAX,
        place: TextSpan::NOWHERE,
    };

    /// That of what has no place in the first file.
    const FIRST: Self = Self {
        file: 0,
        place: TextSpan::NOWHERE,
    };

    /// The column of the first byte, counted in bytes from 1.
    #[must_use]
    pub const fn column(&self) -> u64 {
        judging::column(self.place)
    }
}

/// A node and where it comes from.
pub type Item = (Node, Origin);

/// The nodes of a record, made while they are taken.
type Items<'a> = Box<dyn Iterator<Item = Item> + Send + 'a>;

/// A record as a list of its nodes.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The nodes, in order.
    pub items: Vec<Item>,
}

impl Sheet {
    /// The nodes of a record.
    ///
    /// # Errors
    /// A record of which something could not be read.
    pub fn of(record: &Record, file: usize) -> Result<Self, Problem> {
        for (fault, place) in record.faults() {
            let place = *place;
            if let Some(problem) = unreadable(fault, Origin { file, place }) {
                return Err(problem);
            }
        }
        Ok(Self {
            items: items_of(record, file),
        })
    }

    /// Where the record begins.
    #[must_use]
    pub fn origin(&self) -> Origin {
        match self.items.first() {
            Some((_, origin)) => *origin,
            None => Origin::FIRST,
        }
    }

    /// The value of one of its tags.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        Tagged::tag(self, name)
    }

    /// The record as text, in no particular layout.
    #[must_use]
    pub fn text(&self) -> String {
        text::rendered(&self.items)
    }

    /// Where a tag stands.
    fn place_of(&self, name: &str) -> Origin {
        for (node, origin) in &self.items {
            if matches!(node, Node::Tag(known, _) if known == name) {
                return *origin;
            }
        }
        self.origin()
    }
}

/// The nodes of a record of a file.
fn items_of(record: &Record, file: usize) -> Vec<Item> {
    let mut items = Vec::new();
    for (node, place) in record.placed() {
        let place = *place;
        items.push((node.clone(), Origin { file, place }));
    }
    items
}

/// What a fault in a text is to those who make sheets of it; nothing where it leaves no doubt about what is meant.
fn unreadable(fault: &GrammarFault, origin: Origin) -> Option<Problem> {
    let is_forgiven = matches!(
        fault,
        GrammarFault::Mark
            | GrammarFault::NoResult
            | GrammarFault::NumberForm
            | GrammarFault::EnPassantMark
            | GrammarFault::ResultInRav
    );
    if is_forgiven {
        return None;
    }
    let what = "this record cannot be read; `check` says why";
    Some(Problem::at("unreadable", what.into(), origin))
}

/// What has tags.
trait Tagged {
    /// The value of one of them.
    fn tag(&self, name: &str) -> Option<&str>;

    /// The last step of the way in the tag Parent.
    fn last_step(&self) -> &str {
        let way = self.tag("Parent").unwrap_or_default();
        way.rsplit('/').next().unwrap_or_default()
    }
}

impl Tagged for [Item] {
    fn tag(&self, name: &str) -> Option<&str> {
        let (_, value) = tags::header(self).find(|(known, _)| *known == name)?;
        Some(value)
    }
}

impl Tagged for Sheet {
    fn tag(&self, name: &str) -> Option<&str> {
        self.items[..].tag(name)
    }
}

/// Why sheets cannot be put together, or a record cannot be split.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Which kind of problem: `unreadable` `unsupported` `bad-parent` `unknown-parent` `cycle` `missing-sheet`
    /// `doubled` `unlike` `unfit` `open-order`, or, of what does not keep a record from being written, `note`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub origin: Origin,
    /// Other places that belong to it, each with what stands there.
    pub others: Vec<(Origin, String)>,
}

impl Problem {
    fn at(code: &'static str, message: String, origin: Origin) -> Self {
        Self {
            code,
            message,
            origin,
            others: Vec::new(),
        }
    }

    fn and(mut self, origin: Origin, what: String) -> Self {
        self.others.push((origin, what));
        self
    }
}

/// The number of the next ply in a game of one board, or in the over-game.
#[derive(Clone, Copy, Debug)]
struct Count {
    number: u32,
    side: Side,
}

impl Count {
    /// The number of the first ply of a record, from its FEN.
    fn from(fen: Option<&str>) -> Self {
        let fields: Vec<_> = fen.unwrap_or_default().split_whitespace().take(6).collect();
        let side = if fields.get(1) == Some(&"b") {
            Side::Black
        } else {
            Side::White
        };
        let number = fields
            .get(5)
            .and_then(|number| number.parse().ok())
            .unwrap_or(1);
        Self { number, side }
    }

    /// `12...`.
    fn dots(self) -> String {
        number_of(self.number, self.side)
    }

    /// That of the ply after so many more.
    fn after(self, plies: usize) -> Self {
        let halves = plies + usize::from(self.side == Side::Black);
        let number = self
            .number
            .saturating_add(u32::try_from(halves / 2).unwrap_or(u32::MAX));
        Self {
            number,
            side: if halves.is_multiple_of(2) {
                Side::White
            } else {
                Side::Black
            },
        }
    }

    const fn advance(&mut self) {
        self.number = self
            .number
            .saturating_add(matches!(self.side, Side::Black) as u32);
        self.side = self.side.other();
    }
}

/// The square that a ply goes to, as it is written.
fn target(ply: &str) -> Option<&str> {
    let plain = ply.trim_end_matches(['+', '#', '!', '?']);
    let plain = plain.split_once('=').map_or(plain, |(plain, _)| plain);
    let square = plain.get(plain.len().checked_sub(2)?..)?;
    overboard_games::overchess::square_named(square)?;
    Some(square)
}

/// The digits with which a move number begins, and what stands after them.
fn parted(number: &str) -> (&str, &str) {
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
    number.split_at(number.len() - rest.len())
}

/// Whether a node ends a ply of the over-game that is no move, after the action that was opened last.
fn ends_a_consolidation(node: &Node, last: Option<Verb>) -> bool {
    matches!(node, Node::BlockClose(Open::Action)) && last == Some(Verb::Consolidate)
}

/// How many variations are open after a node.
const fn ravs_after(ravs: usize, node: &Node) -> usize {
    match node {
        Node::RavOpen => ravs + 1,
        Node::RavClose => ravs.saturating_sub(1),
        _ => ravs,
    }
}

/// The name and the arguments of the commands `%seq` and `%in` in a comment, and what is left of it.
fn stripped(comment: &str) -> (Vec<(String, String)>, String) {
    without(comment, &["seq", "in"])
}

/// The same of commands with these names.
fn without(comment: &str, names: &[&str]) -> (Vec<(String, String)>, String) {
    let mut found = Vec::new();
    let mut rest = String::with_capacity(comment.len());
    let mut from = 0;
    for command in overboard_formats::command::commands(comment.as_bytes()) {
        if names.iter().any(|name| name.as_bytes() == command.name) {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            found.push((text(command.name), text(command.arguments)));
            rest.push_str(comment.get(from..command.bytes.start).unwrap_or_default());
            from = command.bytes.end;
        }
    }
    rest.push_str(comment.get(from..).unwrap_or_default());
    let rest = if found.is_empty() {
        rest
    } else {
        rest.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    (found, rest)
}
