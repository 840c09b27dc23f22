//! Records what changes in a game while it is followed, so that only the last pictures are kept.

use super::{
    Empty, Followed, Still,
    said::said,
    step_changes::{Base, PausedChanges, Step, StepChanges},
    transcript::{players, way_of},
};
use overboard_formats::{
    encoding::decode,
    parse::{Event, Parser},
    ply_rows::{Kind, PlyRow, push_remark},
};
use overboard_referee::{game::record::Scene, report::Report, rows::SeenRow};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A variation as written: texts, and plies by their numbers among those of all variations.
pub type Variation = Vec<Part>;

/// A part of a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Move numbers, brackets, remarks, and plies that are not known.
    Text(String),
    /// A ply, with its move number and as it is written.
    Ply {
        /// With its move number: `12. Nf3`.
        numbered: String,
        /// As written.
        written: String,
    },
}

/// About the most bytes of memory that a game takes while its page is made.
const ROOM: usize = 48 << 20;
/// About the bytes that a row takes beside its texts, that a picture kept of a board takes, and that an open variation takes.
const OF_A_ROW: usize = 1 << 10;
const OF_A_SCENE: usize = 8 << 10;
const OF_A_BRANCH: usize = 1 << 10;

/// How many moves of a board before a game inside are looked at for the one from which it comes.
const MOVES_BEFORE: usize = 1 << 10;

/// What a page has no room for.
#[derive(Clone, Default, Debug)]
pub struct LeftOut {
    /// The steps at the end of the game.
    pub steps: u64,
    /// The line and column of the first of them that has any.
    pub from: Option<(u64, u64)>,
    /// The plies of variations.
    pub plies: u64,
    /// The bytes of comments and tags.
    pub words: u64,
}

impl LeftOut {
    /// Counts a step.
    fn take(&mut self, row: &PlyRow) {
        self.steps += 1;
        if self.from.is_none() {
            self.from = row.line.zip(row.col);
        }
    }

    /// Whether a place in the record is among the steps that were left out.
    pub fn has(&self, place: (u64, u64)) -> bool {
        self.from.is_some_and(|from| from <= place)
    }
}

/// An open variation.
#[derive(Clone)]
struct Branch {
    /// What its first ply follows.
    after: Base,
    /// Its last ply.
    last: Option<usize>,
    /// The boards around it.
    paused: PausedChanges,
}

impl Branch {
    /// What the last ply of this variation follows, which one inside replaces.
    fn replaced(&self, asides: &[Base]) -> Base {
        let last = self.last.and_then(|last| asides.get(last));
        last.copied().unwrap_or(self.after)
    }
}

/// A game that is being recorded.
#[derive(Clone, Default)]
pub struct Recorder {
    changes: StepChanges,
    rows: Vec<PlyRow>,
    /// The rows of moves, by their board.
    moves: HashMap<String, Vec<usize>>,
    last: BTreeMap<String, Scene>,
    /// Rows whose pictures are kept, and the pictures.
    keep: BTreeSet<usize>,
    kept: BTreeMap<usize, Scene>,
    ends: Vec<Still>,
    /// Variations as they are written, by the row that they belong to; the last one may be open.
    variations: Vec<(usize, Variation)>,
    /// What each ply of a variation follows.
    asides: Vec<Base>,
    /// The open variations, the outermost first.
    open: Vec<Branch>,
    /// About the bytes of memory that all but the steps takes.
    bytes: usize,
    left_out: LeftOut,
    /// How many variations are open that are left out.
    depth: u64,
    /// Whether the game may still be played: then its end without a result is no step of it.
    goes_on: bool,
}

/// Whether a row is the end of a record without a result.
fn is_open_end(row: &PlyRow) -> bool {
    row.kind == Kind::End && matches!(row.result.as_deref(), None | Some("*"))
}

impl Recorder {
    /// A recorder for a new game.
    pub fn new(empty: Empty) -> Self {
        Self {
            changes: StepChanges::on(empty.animation),
            keep: empty.keep,
            goes_on: empty.goes_on,
            ..Self::default()
        }
    }

    /// The rows that have been taken.
    pub fn rows(&self) -> &[PlyRow] {
        &self.rows
    }

    /// Whether there is no room for more.
    pub fn is_full(&self) -> bool {
        self.bytes + self.changes.bytes() > ROOM
    }

    /// Adds a row and its scenes, if there is room.
    pub fn take(&mut self, seen: SeenRow) {
        if self.goes_on && is_open_end(&seen.row) {
            return;
        }
        if self.is_full() {
            self.left_out.take(&seen.row);
            return;
        }
        self.bytes += OF_A_ROW + texts(&seen.row);
        self.add(seen);
    }

    fn add(&mut self, seen: SeenRow) {
        let row = &seen.row;
        let is_inside = row.kind == Kind::Start && !row.path.is_empty();
        let names = if is_inside { players(row) } else { None };
        let of = match row.kind {
            Kind::Start if is_inside => Some(self.begun_by(&row.path)),
            Kind::Result => Some(way_of(row).to_owned()),
            _ => None,
        };
        if row.kind == Kind::Result {
            self.draw_end(row);
        }
        let said = said(row.remarks.as_deref().unwrap_or(""));
        self.changes.take(&Step {
            seen: &seen,
            said: &said,
            of,
            names,
        });
        let SeenRow { row, scenes, .. } = seen;
        for scene in scenes {
            let before = self.last.insert(scene.path.clone(), scene);
            self.bytes += if before.is_none() { OF_A_SCENE } else { 0 };
        }
        let at = self.rows.len();
        if self.keep.contains(&at) {
            self.keep_picture(at, &row.path);
        }
        // An instruction about a square, such as where a piece is set up there, is of several words.
        if let Some(san) = &row.san
            && !san.contains(' ')
        {
            self.moves.entry(row.path.clone()).or_default().push(at);
        }
        self.rows.push(row);
    }

    /// Draws the last position of an inner game that is over.
    fn draw_end(&mut self, row: &PlyRow) {
        let Some(scene) = self.last.get(way_of(row)) else {
            return;
        };
        let result = row.result.as_deref().unwrap_or("");
        let title = format!("Final position on {}: {result}", way_of(row));
        let picture = self.changes.still(&scene.panel, &title);
        self.bytes += picture.len() + title.len();
        self.ends.push(Still { title, picture });
    }

    /// Keeps the picture of a row: of its board, or else of the first one.
    fn keep_picture(&mut self, row: usize, path: &str) {
        let first = || self.last.values().next();
        if let Some(scene) = self.last.get(path).or_else(first) {
            self.kept.insert(row, scene.clone());
            self.bytes += OF_A_SCENE;
        }
    }

    /// Adds what is written in variations; `row` is the row that remarks belong to, `plies` are those of the variation
    /// that the event has brought.
    pub fn hear(
        &mut self,
        event: Event,
        parser: &Parser<'_>,
        row: Option<u64>,
        plies: Vec<SeenRow>,
    ) {
        if self.is_full() {
            self.pass(event);
            return;
        }
        match event {
            Event::RavOpen => {
                let is_outermost = self.open.is_empty();
                self.open_branch();
                if is_outermost {
                    let row = usize::try_from(row.unwrap_or(0)).unwrap_or(0);
                    self.variations.push((row, Vec::new()));
                    return;
                }
            }
            Event::RavClose => self.close_branch(),
            Event::End => self.close_branches(),
            _ => {}
        }
        if !self.open.is_empty() {
            self.write(event, parser.text(parser.place().span), plies);
        }
    }

    /// Adds what the event has brought to the text of the open variation.
    fn write(&mut self, event: Event, text: &[u8], plies: Vec<SeenRow>) {
        self.bytes += 4 * text.len();
        let remark = match self.text() {
            Some(remarks) => push_remark(remarks, event, text),
            None => false,
        };
        let word = decode(text).0;
        let written = (event == Event::Ply && !remark).then_some(&*word);
        let count = plies.len();
        for (at, ply) in (1..).zip(plies) {
            let is_last = at == count;
            self.ply(&ply, if is_last { written } else { None });
        }
        if !remark && (written.is_none() || count == 0) {
            self.blank(matches!(&*word, ")" | ">"));
            if let Some(text) = self.text() {
                text.push_str(&word);
            }
        }
    }

    /// A variation opens, which replaces the last ply before it.
    fn open_branch(&mut self) {
        self.bytes += OF_A_BRANCH;
        let row = self.rows.len().checked_sub(1);
        let after = match (self.open.last(), row) {
            (Some(around), _) => around.replaced(&self.asides),
            (None, row) => Base::Row(row.unwrap_or(0)),
        };
        let goes_on = self.open.is_empty() && row.is_some();
        self.open.push(Branch {
            after,
            last: None,
            paused: self.changes.pause(goes_on),
        });
    }

    fn close_branch(&mut self) {
        if let Some(branch) = self.open.pop() {
            self.changes.resume(branch.paused);
        }
    }

    /// Counts what there is no room for of a variation.
    fn pass(&mut self, event: Event) {
        self.depth += self.open.len() as u64;
        self.close_branches();
        match event {
            Event::RavOpen => self.depth += 1,
            Event::RavClose => self.depth = self.depth.saturating_sub(1),
            Event::Ply if self.depth > 0 => self.left_out.plies += 1,
            _ => {}
        }
    }

    fn close_branches(&mut self) {
        while !self.open.is_empty() {
            self.close_branch();
        }
    }

    /// Adds a ply of the innermost variation to the steps and to its text: as written, else as it is spelt.
    fn ply(&mut self, ply: &SeenRow, written: Option<&str>) {
        let Some(branch) = self.open.last_mut() else {
            return;
        };
        let after = branch.last.map_or(branch.after, Base::Aside);
        branch.last = Some(self.asides.len());
        self.asides.push(after);
        self.bytes += OF_A_ROW;
        self.changes.take_aside(after, ply);
        let numbered = super::transcript::numbered(&ply.row);
        let spelt = ply.row.san.as_deref();
        let written = written.or(spelt).unwrap_or_default().to_owned();
        self.blank(false);
        if let Some((_, parts)) = self.variations.last_mut() {
            parts.push(Part::Ply { numbered, written });
        }
    }

    /// The text at the end of the open variation.
    fn text(&mut self) -> Option<&mut String> {
        let parts = &mut self.variations.last_mut()?.1;
        if !matches!(parts.last(), Some(Part::Text(_))) {
            parts.push(Part::Text(String::new()));
        }
        match parts.last_mut() {
            Some(Part::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Separates what follows from what precedes it, unless a bracket does.
    fn blank(&mut self, closes: bool) {
        let Some((_, parts)) = self.variations.last() else {
            return;
        };
        let is_empty = |part: &Part| matches!(part, Part::Text(text) if text.is_empty());
        if closes || parts.iter().all(is_empty) {
            return;
        }
        let Some(text) = self.text() else {
            return;
        };
        if !text.ends_with(['(', '<']) {
            text.push(' ');
        }
    }

    /// The move from which an inner game comes, as written; if that is not known, its square.
    fn begun_by(&self, path: &str) -> String {
        let (around, on) = path.rsplit_once('.').unwrap_or(("", path));
        let there = self.moves.get(around).map(Vec::as_slice);
        for at in there.unwrap_or_default().iter().rev().take(MOVES_BEFORE) {
            let row = &self.rows[*at];
            if let Some(san) = &row.san
                && san.contains(on)
            {
                return super::transcript::numbered(row);
            }
        }
        on.to_owned()
    }

    /// The whole game.
    pub fn finish(self, report: Report, record: Option<String>, words: u64) -> Followed {
        let Self {
            changes,
            rows,
            last,
            kept,
            ends,
            variations,
            left_out,
            ..
        } = self;
        // The outermost board has no name, unless there are linked boards.
        let boards = if last.contains_key("") { 1 } else { last.len() };
        Followed {
            rows,
            changes,
            last,
            kept,
            ends,
            variations,
            report,
            boards,
            record,
            left_out: LeftOut { words, ..left_out },
        }
    }
}

/// The bytes of the texts of a row.
fn texts(row: &PlyRow) -> usize {
    let texts = [
        &row.at,
        &row.fen,
        &row.san,
        &row.coord,
        &row.tags,
        &row.remarks,
    ];
    let lengths = texts.into_iter().flatten().map(String::len);
    // Remarks and tags are read once more for the list of moves.
    2 * lengths.sum::<usize>()
}
