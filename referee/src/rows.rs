//! What happens in the main line of a record, as rows: made where plies are played, whatever the game.

pub mod as_written;
mod blocks;
mod falls;
mod heard;
pub mod rebuilt;
mod unplayed;

use crate::{
    game::{
        judge::Judge,
        notation::Notation,
        record::{Beside, Scene, Seen, scenes},
    },
    hearing::Hearing,
    record_state::{RecordState, column},
    referee::{Referee, StateAtEnd},
    report::GameResult,
};
use as_written::path_around;
use overboard_formats::{
    encoding::decode,
    parse::{Event, Parser},
    ply_rows::{Kind, PlyRow},
    span::{Span, TextSpan},
};
use overboard_rules::{
    by_side::BySide,
    game::{BoardId as _, Effects as _, Happening, Step},
    rule::Rule,
    square::Side,
};
use std::collections::VecDeque;
use unplayed::Given;

/// Characters are counted within this many bytes of a line, then bytes, as for findings.
const COUNTED: u64 = 64 << 10;

/// The most bytes of remarks, and of tags, that a row holds whose boards are drawn: more is not read on a page.
const WORDS: usize = 1 << 20;

/// Whether there is room in a row for more words.
fn has_room(words: Option<&str>, more: &[u8]) -> bool {
    words.map_or(0, str::len) + more.len() <= WORDS
}

/// A row, with the boards to be drawn for it.
#[derive(Clone, Debug, Default)]
pub struct SeenRow {
    /// The row.
    pub row: PlyRow,
    /// The boards that it changed and those around them, if the options ask for them and they are known.
    pub scenes: Vec<Scene>,
    /// White's and Black's kings as they count at the end, if the game may have many.
    pub kings: Option<BySide<u32>>,
    /// Other boards on which the ply lost the game for its player, with the rule.
    pub forfeited: Vec<(String, &'static Rule)>,
}

impl From<PlyRow> for SeenRow {
    fn from(row: PlyRow) -> Self {
        Self {
            row,
            ..Self::default()
        }
    }
}

/// The rows of a record that have not been returned yet.
#[derive(Default)]
pub struct Rows {
    rows: VecDeque<SeenRow>,
    /// Plies of variations that have not been returned yet, if scenes are kept.
    aside: VecDeque<SeenRow>,
    /// Whether scenes are kept.
    with_scenes: bool,
    /// The first row of which they are.
    drawn_from: u64,
    /// Whether a row holds only so many words: the rows are for a page.
    is_bounded: bool,
    /// How many rows have been returned.
    taken: u64,
    /// How many of them are about plies.
    acts: u32,
    /// The row that remarks belong to. Those before it are complete.
    last: usize,
    /// Rows of plies that are written in the record, not omitted.
    written: u64,
    /// Remarks at the beginning of a game that has no row yet.
    opening: Option<PlyRow>,
    /// The rows of games inside that stop without an end, the innermost first: if remarks follow, or something that is not
    /// judged.
    stopped: Vec<PlyRow>,
    /// An action as far as it has been read, and the number of rows before it.
    action: Option<(String, u64)>,
    /// Line and column of the current token.
    place: Option<(u64, u64)>,
    /// A place in the current line, and its column: characters are counted from there.
    counted: Option<(TextSpan, u64)>,
    /// Whether the current ply is omitted in the record.
    unsaid: bool,
    /// How many rows are about acts that are illegal or not judged.
    unjudged: u64,
    /// The path of the game in whose block the current token is.
    way: String,
    /// Number and side of the last move in that game, and in those around it, the outermost first; `None` where moves are
    /// not numbered one after the other.
    made: Option<(u32, Side)>,
    around: Vec<Option<(u32, Side)>>,
    /// How the block being read ends, as it is written.
    result: Option<String>,
    /// What has been read of a bracket of another game, and the number of findings before it.
    foreign: Option<(String, usize)>,
    /// The number before the next move, as the record gives it.
    given: Option<Given>,
    /// The way to the board of the current ply, of boards inside boards.
    pub(crate) address: Option<String>,
    /// Remarks after the result.
    after: Option<PlyRow>,
    /// Whether the record has ended.
    over: bool,
    /// The bytes of remarks and tags that were left out, since their row has no room for them.
    left_out: u64,
}

impl Rows {
    /// No rows, for a record that has not been read yet.
    pub fn new(with_scenes: bool) -> Self {
        Self {
            with_scenes,
            is_bounded: with_scenes,
            ..Self::default()
        }
    }

    fn push(&mut self, row: PlyRow) {
        // Before an act that is not judged, what the block contains cannot be concluded from the moves.
        let stopped = std::mem::take(&mut self.stopped).into_iter();
        if row.is_unjudged() {
            self.rows.extend(stopped.map(SeenRow::from));
        }
        self.unjudged += u64::from(row.is_unjudged());
        self.note_number(&row);
        self.written += u64::from(!matches!(
            row.kind,
            Kind::Start | Kind::Unsaid | Kind::Result | Kind::Turn | Kind::Flag
        ));
        let is_done = matches!(row.kind, Kind::Ply | Kind::Illegal | Kind::Unjudged);
        let (line, col) = if is_done {
            self.place.unzip()
        } else {
            (None, None)
        };
        self.rows.push_back(PlyRow { line, col, ..row }.into());
    }

    /// Notes the number of a move, from which that of the next one follows if it has none.
    fn note_number(&mut self, row: &PlyRow) {
        let is_elsewhere = row.path != self.way;
        if !row.is_ply() || (row.number.is_none() && !is_elsewhere) {
            return;
        }
        self.made = match row.number.zip(row.side) {
            Some((number, side)) if !is_elsewhere => Some((number, side.into())),
            _ => None,
        };
    }

    /// Keeps how a step has left its board, on which no game is played any more.
    fn see_left(&mut self, scene: Scene) {
        if let Some(last) = self.rows.back_mut() {
            last.scenes.retain(|other| other.path != scene.path);
            last.scenes.push(scene);
        }
    }

    /// Whether scenes of the last row are kept.
    fn draws(&self) -> bool {
        self.with_scenes && self.taken + self.rows.len() as u64 > self.drawn_from
    }

    /// Drops all scenes of a row but that of its own board.
    fn see_alone(&mut self, row: usize) {
        if let Some(seen) = self.rows.get_mut(row) {
            let path = std::mem::take(&mut seen.row.path);
            seen.scenes.retain(|scene| scene.path == path);
            seen.row.path = path;
        }
    }

    /// Stores the scenes of the last row.
    fn see(&mut self, scenes: Vec<Scene>, kings: Option<BySide<u32>>) {
        if let Some(last) = self.rows.back_mut() {
            (last.scenes, last.kings) = (scenes, kings);
        }
    }

    /// Whether there are remarks at the beginning of this game, which was already open in the initial position and so
    /// has no row.
    fn awaits(&self, path: &str) -> bool {
        self.opening
            .as_ref()
            .is_some_and(|opening| !path.is_empty() && opening.path == path)
    }

    /// A game begins; remarks from before go into its row.
    fn begin(&mut self, row: PlyRow) {
        let PlyRow { tags, remarks, .. } = self.opening.take().unwrap_or_default();
        self.rows.push_back(
            PlyRow {
                kind: Kind::Start,
                tags,
                remarks,
                ..row
            }
            .into(),
        );
    }

    fn end_inside(&mut self, way: &str, row: PlyRow) {
        if self.opening.is_some() {
            let (path, ply) = (way.to_owned(), row.ply);
            self.begin(PlyRow {
                path,
                ply,
                ..PlyRow::default()
            });
        }
        self.rows.push_back(
            PlyRow {
                kind: Kind::Result,
                ..row
            }
            .into(),
        );
    }

    /// From here on remarks belong to the last act among the rows from `first` on.
    fn turn_to(&mut self, first: usize) {
        if first >= self.rows.len() {
            return;
        }
        let done =
            |seen: &SeenRow| !matches!(seen.row.kind, Kind::Start | Kind::Result | Kind::End);
        let last = self
            .rows
            .iter()
            .skip(first)
            .rposition(done)
            .map(|at| first + at);
        self.last = last.unwrap_or(self.rows.len() - 1);
    }

    /// From here on remarks belong to the next row of this kind, if there is one.
    fn turn_to_next(&mut self, kind: Kind) -> bool {
        let next = (self.last + 1..self.rows.len()).find(|at| self.rows[*at].row.kind == kind);
        self.last = next.unwrap_or(self.last);
        next.is_some()
    }

    /// The row that remarks belong to.
    fn last(&mut self) -> Option<&mut PlyRow> {
        self.rows.get_mut(self.last).map(|seen| &mut seen.row)
    }

    fn remark(&mut self, event: Event, text: &[u8]) {
        if let Some(row) = std::mem::take(&mut self.stopped).pop() {
            self.rows.push_back(row.into());
            self.last = self.rows.len() - 1;
        }
        let last = self.rows.get_mut(self.last).map(|seen| &mut seen.row);
        let said = self.after.as_mut().or(self.opening.as_mut());
        let Some(row) = said.or(last) else { return };
        if self.is_bounded && !has_room(row.remarks.as_deref(), text) {
            self.left_out += text.len() as u64;
            return;
        }
        row.remark(event, text);
    }

    fn tag(&mut self, parser: &Parser<'_>) {
        let is_start = |row: &&mut PlyRow| row.kind == Kind::Start;
        let last = self.rows.get_mut(self.last).map(|seen| &mut seen.row);
        let opening = self.opening.as_mut();
        let Some(row) = opening.or(last.filter(is_start)) else {
            return;
        };
        let value = parser.text(parser.lexer().tag().value);
        if self.is_bounded && !has_room(row.tags.as_deref(), value) {
            self.left_out += value.len() as u64;
            return;
        }
        row.tag(parser);
    }

    /// Keeps the place of the current token. Each character of a line is counted once.
    fn keep_place(&mut self, parser: &Parser<'_>) {
        let place = *parser.place();
        let from = self
            .counted
            .filter(|(known, _)| known.line == place.line && known.span.from <= place.span.from);
        let is_near = place.span.from.saturating_sub(place.line_start) < COUNTED;
        let column = match from {
            Some((known, column)) if is_near => {
                let between = parser.text(Span::new(known.span.from, place.span.from));
                column + decode(between).0.chars().count() as u64
            }
            _ => column(place, parser),
        };
        self.counted = Some((place, column));
        self.place = Some((place.line, column));
    }

    /// Returns the next complete row.
    fn take(&mut self) -> Option<SeenRow> {
        if self.last == 0 && !self.over {
            return None;
        }
        let mut seen = self.rows.pop_front()?;
        self.last = self.last.saturating_sub(1);
        seen.row.row = self.taken;
        self.taken += 1;
        self.acts += u32::from(seen.row.is_ply());
        seen.row.act = self.acts;
        Some(seen)
    }
}

impl RecordState {
    /// Whether rows are kept at this point.
    #[inline]
    pub fn keeps_rows(&self) -> bool {
        self.rows.is_some() && self.at_main_line()
    }

    /// Whether plies of variations are kept at this point.
    #[inline]
    fn keeps_aside(&self) -> bool {
        self.rows.as_ref().is_some_and(|rows| rows.with_scenes) && !self.brackets.at_main_line()
    }

    /// From here on the plies played are omitted in the record, or are written in it again.
    pub fn mark_unsaid(&mut self, unsaid: bool) {
        if let Some(rows) = &mut self.rows {
            rows.unsaid = unsaid;
        }
    }

    /// A row with the fields that every row has.
    fn row(&self) -> PlyRow {
        PlyRow {
            ply: self.games.whole().plies,
            ..PlyRow::default()
        }
    }

    fn push_row(&mut self, row: PlyRow) {
        if let Some(rows) = &mut self.rows {
            rows.push(row);
        }
    }

    /// The last rows of a record: those of the games inside that stop before their last move is settled, the innermost
    /// first, and that of the whole game, with its moment if no other row has that. `open` are the over-games open inside.
    pub fn end_rows(
        &mut self,
        standing: &StateAtEnd,
        result: &GameResult,
        mut unsettled: Vec<PlyRow>,
        open: &[String],
    ) {
        let Some(rows) = &self.rows else {
            return;
        };
        // What a game begins with is no moment of it. A record may begin inside a game.
        if rows.written == 0 {
            unsettled.clear();
        }
        let is_begun = self.games.whole().plies > 0;
        let whole = unsettled.pop_if(|row| row.path.is_empty());
        let (at, fen) = match whole {
            Some(row) if is_begun => (row.at, row.fen),
            _ => (None, None),
        };
        let inside = unsettled.into_iter().map(|row| stopped(row, self.row()));
        let inside: Vec<_> = inside.collect();
        let row = PlyRow {
            kind: Kind::End,
            at,
            fen,
            result: result
                .record
                .as_ref()
                .map(|record| record.as_it_came().to_owned()),
            ended_by: standing.ruling.map(|ruling| ruling.cause.word().into()),
            rule: result
                .rule
                .or(standing.ruling.map(|ruling| ruling.rule))
                .map(|rule| rule.id.into()),
            ..self.row()
        };
        if let Some(rows) = &mut self.rows {
            // `show --at` has no moment for an inner game of chess that is due but not recorded.
            for SeenRow { row, .. } in rows.rows.iter_mut().skip(rows.last + 1) {
                if row.kind == Kind::Start && !open.contains(&row.path) {
                    row.at = None;
                }
            }
            let remarks = rows.after.take().and_then(|after| after.remarks);
            rows.rows.extend(inside.into_iter().map(SeenRow::from));
            rows.rows.push_back(PlyRow { remarks, ..row }.into());
            rows.over = true;
        }
    }
}

/// The row of a game inside that stops before its last move is settled: where that is, and its moment.
fn stopped(PlyRow { path, at, fen, .. }: PlyRow, row: PlyRow) -> PlyRow {
    PlyRow {
        kind: Kind::End,
        path,
        at,
        fen,
        ..row
    }
}

fn made_by(made: Option<(u32, Side)>, row: PlyRow) -> PlyRow {
    let (number, side) = made.unzip();
    PlyRow {
        number,
        side: side.map(Into::into),
        ..row
    }
}

/// A ply as it is written on its own board: without the path to the board.
#[must_use]
pub fn own_san(san: &str, path: &str) -> String {
    let own = san.strip_prefix(path);
    let own = own.and_then(|own| own.strip_prefix('.'));
    own.unwrap_or(san).to_owned()
}

impl<G: Judge> Hearing<'_, G> {
    /// Plays a legal ply of the current line.
    #[inline]
    pub fn play(&mut self, ply: G::Ply) -> G::Effects {
        if self.state.rows.is_none() {
            self.referee.line.play(ply)
        } else if self.state.keeps_rows() {
            self.reborrow().play_for_rows(ply)
        } else if self.state.keeps_aside() {
            self.reborrow().play_aside(ply)
        } else {
            self.referee.line.play(ply)
        }
    }

    /// Plays a ply of a variation, and keeps how it leaves the boards.
    #[cold]
    fn play_aside(&mut self, ply: G::Ply) -> G::Effects {
        let before = self.referee.latest().clone();
        let brought = self.referee.line.play(ply);
        let step = Step::Ply(ply);
        let now = self.referee.now();
        if let Some(seen) = before.seen(&step, now.latest())
            && now.is_sure()
        {
            let row = self.row_of(seen);
            let row = PlyRow {
                kind: Kind::Ply,
                san: Some(own_san(&before.san(ply), &row.path)),
                ..row
            };
            let mut scenes = self.referee.scenes(&row.path);
            if let Some(panel) = before.left(&step, now.latest()) {
                scenes.retain(|scene| scene.path != row.path);
                scenes.push(Scene {
                    path: row.path.clone(),
                    panel,
                    joined: false,
                    fen: row.fen.clone(),
                    tables: Vec::new(),
                });
            }
            if let Some(rows) = &mut self.state.rows {
                rows.aside.push_back(SeenRow {
                    row,
                    scenes,
                    ..SeenRow::default()
                });
            }
        }
        brought
    }

    #[cold]
    fn play_for_rows(&mut self, ply: G::Ply) -> G::Effects {
        self.state.last.announced = None;
        let before = self.referee.latest().clone();
        let brought = self.referee.line.play(ply);
        let step = Step::Ply(ply);
        let seen = before.seen(&step, self.referee.latest());
        let shown = seen.and_then(|seen| self.row_of_ply(&before, ply, seen, &brought));
        let ended = self.rows_beside(&before, &step, &brought);
        // The effects of an inner game on the one around it are shown at the row that reports them.
        if ended && let (Some(row), Some(rows)) = (shown, &mut self.state.rows) {
            rows.see_alone(row);
        }
        brought
    }

    /// The row of a ply that was played. Returns its index if scenes are kept.
    fn row_of_ply(
        &mut self,
        before: &G,
        ply: G::Ply,
        seen: Seen<G::Board>,
        brought: &G::Effects,
    ) -> Option<usize> {
        let step = Step::Ply(ply);
        let board = seen.board;
        let row = self.row_of(seen);
        let is_counted = self.state.options().choices && row.fen.is_some();
        let choices = is_counted.then(|| before.count_legal());
        let are_blocks_written = self.state.are_blocks_written();
        let rows = self.state.rows.as_mut()?;
        let is_of_a_bracket = rows.unsaid || rows.action.is_some() || row.number.is_none();
        if are_blocks_written && is_of_a_bracket {
            return None;
        }
        if rows.awaits(&row.path) {
            rows.begin(PlyRow {
                path: row.path.clone(),
                ply: row.ply,
                fen: before.fen_on(board),
                ..PlyRow::default()
            });
        }
        let (path, fen) = (row.path.clone(), row.fen.clone());
        rows.push(PlyRow {
            kind: if rows.unsaid { Kind::Unsaid } else { Kind::Ply },
            san: Some(own_san(&before.san(ply), &row.path)),
            coord: Some(before.in_line(&step)),
            choices: choices.filter(|count| *count < u64::MAX),
            ..row
        });
        let shown = self.see(&path);
        let rows = self.state.rows.as_mut()?;
        if let Some(last) = rows.rows.back_mut() {
            let forfeited = brought.forfeited();
            let named = forfeited.map(|(board, rule)| (G::path(board), rule));
            last.forfeited = named.collect();
        }
        let after = self.referee.latest();
        if shown.is_some()
            && let Some(panel) = before.left(&step, after)
        {
            rows.see_left(Scene {
                path,
                panel,
                joined: false,
                fen,
                tables: Vec::new(),
            });
        }
        shown
    }

    /// Stores the scenes of a board for the last row. Returns the row's index if scenes are kept.
    fn see(&mut self, path: &str) -> Option<usize> {
        let rows = self.state.rows.as_mut().filter(|rows| rows.draws())?;
        let now = self.referee.now();
        if now.iter().count() == 1 {
            rows.see(self.referee.scenes(path), now.latest().kings());
        }
        rows.rows.len().checked_sub(1)
    }

    /// Applies something other than a legal ply.
    pub fn happen(&mut self, at: G::Board, event: Happening) -> Option<G::Effects> {
        let before = self
            .state
            .keeps_rows()
            .then(|| self.referee.latest().clone());
        let brought = self.referee.line.happen(at, event)?;
        if let Some(before) = before {
            self.rows_beside(&before, &Step::Event(at, event), &brought);
        }
        Some(brought)
    }

    /// A row from what the game says was seen.
    fn row_of(
        &self,
        Seen {
            board,
            made,
            moment,
            fen,
        }: Seen<G::Board>,
    ) -> PlyRow {
        let now = self.referee.now();
        let is_lost = now
            .lost()
            .iter()
            .any(|lost| lost.contains(board) || board.contains(*lost));
        let known = now.iter().count() == 1 && !is_lost;
        let (at, fen) = if known { (moment, fen) } else { (None, None) };
        let row = made_by(made, self.state.row());
        PlyRow {
            path: G::path(board),
            at,
            fen,
            ..row
        }
    }

    /// Rows for the inner games that a step has ended or begun. Returns whether one has ended.
    fn rows_beside(&mut self, before: &G, step: &Step<G>, brought: &G::Effects) -> bool {
        if self.state.are_blocks_written() {
            return false;
        }
        let after = self.referee.latest();
        let mut games = Vec::new();
        before.beside(step, after, brought, &mut |game| games.push(game));
        let mut ended = false;
        for game in games {
            match game {
                Beside::Begun(seen) => {
                    let row = self.row_of(seen);
                    let path = row.path.clone();
                    if let Some(rows) = &mut self.state.rows {
                        rows.begin(row);
                    }
                    self.see(&path);
                }
                Beside::Stopped(seen) => {
                    let row = stopped(self.row_of(seen), self.state.row());
                    if let Some(rows) = &mut self.state.rows {
                        rows.rows.push_back(row.into());
                    }
                }
                Beside::Ended(coord, outcome, seen) => {
                    ended = true;
                    let row = self.row_of(seen);
                    let path = row.path.clone();
                    let row = PlyRow {
                        result: Some(outcome.to_string()),
                        coord: Some(coord.clone()),
                        ..row
                    };
                    if let Some(rows) = &mut self.state.rows {
                        rows.end_inside(path_around(&coord), row);
                    }
                    self.see(&path);
                }
            }
        }
        ended
    }

    /// The row of the first position.
    pub(crate) fn row_of_start(&mut self) {
        let row = self.state.row();
        let Some(rows) = &mut self.state.rows else {
            return;
        };
        let fen = self.referee.position().map(Notation::fen);
        rows.begin(PlyRow {
            at: fen.as_ref().map(|_| "start".into()),
            fen,
            ..row
        });
        self.see("");
    }
}

impl<G: Judge> Referee<G> {
    /// The boards to be drawn for this one, except those of which nothing is known.
    fn scenes(&self, path: &str) -> Vec<Scene> {
        let now = self.now();
        let is_lost = |scene: &Scene| {
            let lost =
                |board: &G::Board| *board == G::Board::WHOLE || G::path(*board) == scene.path;
            now.lost().iter().any(lost)
        };
        let mut scenes = scenes(now.latest(), path);
        scenes.retain(|scene| !is_lost(scene));
        scenes
    }
}
