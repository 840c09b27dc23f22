//! A game that is read for a table: what all of its rows share.

use super::{columns::column_of, running::Running};
use overboard_engines::journal::LedgerEntry;
use overboard_formats::{
    header::unescape_list,
    parse::Parser,
    ply_rows::{Kind, PlyRow, tag_pair},
};
use overboard_games::registry::Variant;
use overboard_rules::{by_side::BySide, outcome::Cause};

/// A game, as far as it has been read.
#[derive(Default)]
pub struct Game {
    /// The key of a game: where it is from, and its number there.
    pub key: (String, u64),
    /// Its tags, in order.
    pub tags: Vec<(String, String)>,
    /// The line of its first tag, if its text has a place in a file.
    pub line: Option<u64>,
    is_placed: bool,
    /// The players.
    pub players: BySide<Option<String>>,
    /// Its clocks, as far as only the time of each ply is given.
    clocks: Option<Running>,
    /// Plies that a ledger has counted.
    made: usize,
    /// Whether its record is by programs, which have one clock for each side.
    is_of_a_run: bool,
    is_begun: bool,
}

impl Game {
    /// A game that begins: where it is from, its number there, and whether its text has a place in a file.
    pub fn of(run: &str, number: u64, is_placed: bool) -> Self {
        Self {
            key: (run.to_owned(), number),
            is_placed,
            ..Self::default()
        }
    }

    /// Takes the tag pair that the parser has just read.
    pub fn tag(&mut self, parser: &Parser<'_>) {
        if self.is_placed {
            self.line = self.line.or(Some(parser.place().line));
        }
        self.tags.push(tag_pair(parser));
    }

    /// The first value of a tag.
    pub fn value(&self, name: &str) -> Option<&str> {
        let pair = self.tags.iter().find(|(tag, _)| tag == name);
        pair.map(|(_, value)| value.as_str())
    }

    /// The columns of the tags, each with its value. The tags of the key are no others.
    pub fn columns(&self) -> impl Iterator<Item = (String, &str)> {
        let is_of_key = |tag: &str| self.is_of_a_run && matches!(tag, "Run" | "Game");
        let tags = self.tags.iter().filter(move |(tag, _)| !is_of_key(tag));
        tags.map(|(tag, value)| (column_of(tag), value.as_str()))
    }

    /// Takes what the tags say, when all have been read; a record from a ledger says which game of which run it is.
    pub fn begin(&mut self, booked: Option<&LedgerEntry<'_>>) {
        if std::mem::replace(&mut self.is_begun, true) {
            return;
        }
        let number = self.value("Game").and_then(|number| number.parse().ok());
        if let (Some(run), Some(number)) = (self.value("Run"), number) {
            self.key = (run.to_owned(), number);
            self.is_of_a_run = true;
        }
        if let Some(booked) = booked {
            self.key = (booked.run.clone().into_owned(), booked.game);
            self.is_of_a_run = true;
        }
        self.players = BySide::new("White", "Black").map(|tag| self.player(tag));
        // Between people each of several boards has its own clock.
        if self.is_of_a_run || self.value("Boards").is_none() {
            let both = self.value("TimeControl");
            let controls = BySide::new("WhiteTimeControl", "BlackTimeControl");
            let controls = controls.map(|tag| self.value(tag).or(both));
            self.clocks = Some(Running::of(controls));
        }
    }

    /// The player whom a tag names: one name for all boards, or as it is written.
    fn player(&self, tag: &str) -> Option<String> {
        // The tags of BPGN name each player apart.
        let mut tags = self.tags.clone();
        let _ = Variant::tidy(&mut tags);
        let (_, written) = tags.iter().find(|(known, _)| known == tag)?;
        let mut boards = written.split(':');
        let first = boards.next()?;
        let is_one = self.value("Boards").is_some() && boards.all(|name| name == first);
        Some(if is_one {
            unescape_list(first)
        } else {
            written.to_owned()
        })
    }

    /// Adds to a row what it has in common with others, and what a ledger says of it.
    pub fn complete(&mut self, row: &mut PlyRow, booked: Option<&LedgerEntry<'_>>) {
        self.begin(booked);
        (row.run, row.game) = self.key.clone();
        let players = self.players.clone();
        [row.white, row.black] = players.into_array();
        if !self.is_placed {
            (row.line, row.col) = (None, None);
        }
        if let Some(booked) = booked {
            self.take_said(row, booked);
        }
        if row.is_ply() {
            self.keep_time(row);
        }
        if row.kind == Kind::End && row.path.is_empty() {
            row.ended_by = self.cause(booked, row.ended_by.take());
        }
    }

    /// What a ledger says of a ply. In its record an act that belongs to a longer one has no comment of its own.
    fn take_said(&mut self, row: &mut PlyRow, booked: &LedgerEntry<'_>) {
        if !matches!(row.kind, Kind::Ply | Kind::Unsaid) {
            return;
        }
        let said = booked.thoughts.figures(self.made);
        self.made += 1;
        (row.eval, row.mate, row.depth) = (None, None, None);
        (row.nodes, row.seconds) = (None, None);
        if let Some(side) = row.side {
            row.take_figures(said.for_white(side.into()));
        }
    }

    /// Follows the clocks while only the times of plies are given.
    fn keep_time(&mut self, row: &mut PlyRow) {
        if row.clock.is_some() {
            self.clocks = None;
        }
        if let (Some(clocks), Some(side)) = (&mut self.clocks, row.side) {
            row.clock = clocks.after(side.into(), row.seconds);
        }
    }

    /// Why the game ended: as its ledger says, as its moves say, or as it is recorded.
    pub fn cause(
        &self,
        booked: Option<&LedgerEntry<'_>>,
        by_moves: Option<String>,
    ) -> Option<String> {
        let word = |cause: Cause| cause.word().to_owned();
        let booked = booked.map(|booked| word(booked.end.cause));
        let recorded = || Cause::from_tag(self.value("Termination")?).map(word);
        booked.or(by_moves).or_else(recorded)
    }
}
