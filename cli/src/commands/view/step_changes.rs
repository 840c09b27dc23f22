//! Every step of a game and what it changes, as numbers for the script of the page.

use super::{said::Said, splice::splices};
use overboard_formats::{
    foreign::{Foreign, visible},
    ply_rows::{Kind, PlyRow, Side},
};
use overboard_pictures::{
    animation::{Animation, Board, Change, Look, Paused},
    diagram::{Panel, WordTable},
};
use overboard_referee::{game::record::Scene, rows::SeenRow};
use overboard_rules::{by_side::BySide, square, variant::SignKind};
use serde_json::{Map, Value, json};
use std::{collections::HashMap, slice};

/// About the bytes that the system takes for a list, for a map, and for what is kept of a board to see how it changes.
const OF_A_LIST: usize = 32;
const OF_A_MAP: usize = 600;
const OF_A_BOARD: usize = 4 << 10;

/// The data for the script of the page.
#[derive(Clone, Default)]
pub struct StepChanges {
    animation: Animation,
    grounds: Vec<Value>,
    wholes: Vec<Value>,
    /// The index of each board that is stored in full, by its contents.
    known: HashMap<String, usize>,
    paths: Vec<String>,
    by_path: HashMap<String, usize>,
    fens: HashMap<String, String>,
    tables: HashMap<String, Vec<WordTable>>,
    steps: Vec<Value>,
    /// The plies of variations.
    asides: Vec<Value>,
    board: Option<usize>,
    at: String,
    kings: Option<BySide<u32>>,
    /// Whether any clock is recorded.
    clocks: bool,
    /// About the bytes of memory that the steps, the variations and the positions take.
    bytes: usize,
}

/// What a ply of a variation follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A row of the game.
    Row(usize),
    /// A ply of a variation, by its number among those of all variations.
    Aside(usize),
}

/// The boards around a variation.
#[derive(Clone)]
pub struct PausedChanges {
    animation: Paused,
    fens: HashMap<String, String>,
}

/// A step, apart from what it changes.
pub struct Step<'a> {
    /// The row and its scenes.
    pub seen: &'a SeenRow,
    /// Its remarks.
    pub said: &'a Said,
    /// The path to the inner game that begins or ends, as in the list of moves.
    pub of: Option<String>,
    /// The names of White and Black in the inner game that begins.
    pub names: Option<[Foreign; 2]>,
}

impl StepChanges {
    /// The steps of a game whose boards may already have drawings.
    pub fn on(mut animation: Animation) -> Self {
        animation.rewind();
        Self {
            animation,
            ..Self::default()
        }
    }

    /// Adds a step.
    pub fn take(&mut self, step: &Step<'_>) {
        let seen = step.seen;
        let path = self.path(&seen.row.path);
        let board = if self.board.replace(path) == Some(path) {
            -1
        } else {
            index(path)
        };
        let at = seen.row.at.as_ref().map(|at| self.moment(at));
        let changes = self.changes(&seen.scenes);
        let mut line = vec![
            json!(letter(&seen.row)),
            json!(board),
            json!(at),
            json!(changes),
        ];
        let more = self.more(step);
        if !more.is_empty() {
            line.push(Value::Object(more));
        }
        while line.last().is_some_and(says_nothing) {
            line.pop();
        }
        self.bytes += bytes_of(&line);
        self.steps.push(Value::Array(line));
    }

    /// About the bytes of memory that it takes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Sets the boards aside for a variation. It begins with them as they are, or with none: then they are stored in
    /// full.
    pub fn pause(&mut self, goes_on: bool) -> PausedChanges {
        let fens = if goes_on {
            self.fens.clone()
        } else {
            HashMap::new()
        };
        PausedChanges {
            animation: self.animation.pause(goes_on),
            fens: std::mem::replace(&mut self.fens, fens),
        }
    }

    /// Continues with the boards around a variation.
    pub fn resume(&mut self, paused: PausedChanges) {
        self.animation.resume(paused.animation);
        self.fens = paused.fens;
    }

    /// Adds a ply of a variation.
    pub fn take_aside(&mut self, after: Base, ply: &SeenRow) {
        let after = match after {
            Base::Row(row) => -1 - index(row),
            Base::Aside(ply) => index(ply),
        };
        let path = self.path(&ply.row.path);
        let changes = self.changes(&ply.scenes);
        let mut aside = vec![json!(after), json!(path), json!(changes)];
        if ply.row.side == Some(Side::Black) {
            aside.push(json!(1));
        }
        self.bytes += bytes_of(&aside);
        self.asides.push(Value::Array(aside));
    }

    /// Marks a step as having a finding.
    pub fn mark(&mut self, step: usize) {
        let Some(Value::Array(line)) = self.steps.get_mut(step) else {
            return;
        };
        line.resize(line.len().max(5), Value::Null);
        match &mut line[4] {
            Value::Object(more) => drop(more.insert("bad".into(), json!(1))),
            other => *other = json!({"bad": 1}),
        }
    }

    /// A moment as the number of leading letters shared with the previous one, followed by the rest.
    fn moment(&mut self, at: &str) -> String {
        let same = leading(&self.at, at).min(35);
        self.at = at.to_owned();
        let digit = char::from_digit(u32::try_from(same).unwrap_or(0), 36).unwrap_or('0');
        format!("{digit}{}", &at[same..])
    }

    fn path(&mut self, path: &str) -> usize {
        if let Some(known) = self.by_path.get(path) {
            return *known;
        }
        self.paths.push(path.to_owned());
        self.by_path.insert(path.to_owned(), self.paths.len() - 1);
        self.bytes += OF_A_BOARD;
        self.paths.len() - 1
    }

    fn changes(&mut self, scenes: &[Scene]) -> Vec<Value> {
        let seen = scenes
            .iter()
            .map(|scene| (scene.path.as_str(), &scene.panel));
        let mut all: Vec<(String, Value)> = Vec::new();
        for change in self.animation.take(seen) {
            let value = self.change(&change);
            all.push((change.path, value));
        }
        for scene in scenes {
            let Some(fen) = self.fen(scene) else {
                continue;
            };
            match all.iter_mut().find(|(path, _)| *path == scene.path) {
                Some((_, Value::Array(items))) => {
                    items.resize(4, Value::Null);
                    items.push(fen);
                }
                _ => {
                    let path = self.path(&scene.path);
                    all.push((scene.path.clone(), json!([path, -1, null, null, fen])));
                }
            }
        }
        all.into_iter().map(|(_, value)| value).collect()
    }

    /// The position of a board, or its differences from the one before.
    fn fen(&mut self, scene: &Scene) -> Option<Value> {
        let fen = scene.fen.as_deref()?;
        let Some(before) = self.fens.insert(scene.path.clone(), fen.to_owned()) else {
            self.bytes += fen.len();
            return Some(json!(fen));
        };
        if before == fen {
            return None;
        }
        let (mut length, mut spliced) = (0, Vec::new());
        for (keep, gone, put) in splices(&before, fen) {
            length += put.len() + 8;
            spliced.extend([json!(keep), json!(gone), json!(put)]);
        }
        if length >= fen.len() {
            return Some(json!(fen));
        }
        Some(Value::Array(spliced))
    }

    fn change(&mut self, change: &Change) -> Value {
        let path = self.path(&change.path);
        let whole = match &change.whole {
            Some(whole) => index(self.whole(whole)),
            None => -1,
        };
        let mut cells = Vec::new();
        for (at, cell) in &change.cells {
            cells.extend([*at, *cell]);
        }
        let mut items = vec![json!(path), json!(whole), json!(cells)];
        let own = change.whole.as_ref().map(|whole| &whole.look);
        if let Some(seen) = change.look.as_ref().or(own) {
            items.push(look(seen));
        }
        Value::Array(items)
    }

    /// The index of a board among those stored in full.
    fn whole(&mut self, board: &Board) -> usize {
        let ground = &board.ground;
        let ground = json!([
            ground.files,
            ground.ranks,
            u8::from(ground.capitals),
            ground.id,
            ground.roads,
            u8::from(ground.turned)
        ]);
        let known = self.grounds.iter().position(|known| *known == ground);
        let mut packed = vec![index(known.unwrap_or(self.grounds.len()))];
        if known.is_none() {
            self.grounds.push(ground);
        }
        for cell in &board.cells {
            match packed.last_mut() {
                Some(empty) if *cell == 0 && *empty < 0 => *empty -= 1,
                _ if *cell == 0 => packed.push(-1),
                _ => packed.push(i64::from(*cell)),
            }
        }
        let packed = Value::from(packed);
        let key = packed.to_string();
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        self.bytes += 2 * bytes_of(slice::from_ref(&packed));
        self.known.insert(key, self.wholes.len());
        self.wholes.push(packed);
        self.wholes.len() - 1
    }

    fn more(&mut self, step: &Step<'_>) -> Map<String, Value> {
        let (row, said) = (&step.seen.row, step.said);
        let mut more = Map::new();
        let mut put = |name: &str, value: Value| more.insert(name.into(), value);
        if let Some(clock) = row.clock {
            self.clocks = true;
            put("clk", json!(clock_words(clock)));
        }
        if let Some(worth) = worth(row) {
            put("eval", json!(worth));
        }
        for (name, marks) in [("csl", &said.squares), ("cal", &said.arrows)] {
            if !marks.is_empty() {
                put(name, json!(marks));
            }
        }
        if row.kind == Kind::Result {
            put("result", json!(row.result));
        }
        if let Some(of) = &step.of {
            put("of", json!(visible(of)));
        }
        if let Some(names) = &step.names {
            put("names", json!(names.each_ref().map(Foreign::shown)));
        }
        if let Some(kings) = step.seen.kings
            && self.kings.replace(kings) != Some(kings)
        {
            put("kings", json!(kings.into_array()));
        }
        let forfeited = &step.seen.forfeited;
        if let Some((_, rule)) = forfeited.first() {
            let lost = Vec::from_iter(forfeited.iter().map(|(path, _)| path.as_str()));
            let law = format!("Lost: {} ({}, {})", lost.join(", "), rule.id, rule.gist);
            put("lost", json!(lost));
            put("law", json!(law));
        }
        let rosters = self.rosters(
            &step.seen.scenes,
            matches!(row.kind, Kind::Result | Kind::Unsaid | Kind::Ply),
        );
        if !rosters.is_empty() {
            put("rosters", json!(rosters));
        }
        more
    }

    /// The lines of tables that a step has changed, before and after it; nothing has changed if a piece has only moved.
    fn rosters(&mut self, scenes: &[Scene], is_known: bool) -> Vec<Value> {
        let mut rosters = Vec::new();
        for scene in scenes {
            if scene.tables.is_empty() {
                continue;
            }
            let before = self.tables.insert(scene.path.clone(), scene.tables.clone());
            if !is_known {
                continue;
            }
            for (was, is) in before.unwrap_or_default().iter().zip(&scene.tables) {
                rosters.extend(changed_lines(was, is));
            }
        }
        rosters
    }

    /// Only the drawings, for another game.
    pub fn into_animation(self) -> Animation {
        self.animation
    }

    /// A board as a separate picture, for readers without script.
    pub fn still(&mut self, panel: &Panel, title: &str) -> String {
        self.animation.still(panel, title)
    }

    /// The drawings, and what a script steps through: facts and lists, which grow with the game.
    pub fn finish(self, about: Map<String, Value>) -> (Animation, Map<String, Value>) {
        let mut data = about;
        data.insert("clocks".into(), json!(self.clocks));
        data.insert("grounds".into(), Value::Array(self.grounds));
        data.insert("wholes".into(), Value::Array(self.wholes));
        data.insert("paths".into(), json!(self.paths));
        data.insert("steps".into(), Value::Array(self.steps));
        data.insert("asides".into(), Value::Array(self.asides));
        (self.animation, data)
    }
}

/// The lines that have gone from a table, and those that have come, where only a piece's square does not count; `None` if
/// there are none.
fn changed_lines(was: &WordTable, is: &WordTable) -> Option<Value> {
    if was.heads != is.heads {
        return None;
    }
    let place = is.heads.iter().position(|head| *head == "on");
    let alike = |one: &Vec<Foreign>, other: &Vec<Foreign>| {
        one.len() == other.len()
            && (0..one.len()).all(|at| Some(at) == place || one[at] == other[at])
    };
    let gone = unmatched(&was.rows, &is.rows, &alike);
    let come = unmatched(&is.rows, &was.rows, &alike);
    if gone.is_empty() && come.is_empty() {
        return None;
    }
    let words = |row: &Vec<Foreign>| Vec::from_iter(row.iter().map(Foreign::line));
    let rows = |rows: Vec<&Vec<Foreign>>| Vec::from_iter(rows.into_iter().map(words));
    Some(json!([is.title.line(), is.heads, rows(gone), rows(come)]))
}

/// Whether a part at the end of a step can be left out.
fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// About the bytes of memory that values take.
fn bytes_of(values: &[Value]) -> usize {
    let (mut bytes, mut open) = (0, vec![values]);
    while let Some(values) = open.pop() {
        bytes += size_of_val(values) + OF_A_LIST;
        for value in values {
            match value {
                Value::String(text) => bytes += text.len() + OF_A_LIST,
                Value::Array(inner) => open.push(inner),
                Value::Object(fields) => {
                    bytes += OF_A_MAP;
                    open.extend(fields.values().map(slice::from_ref));
                }
                _ => {}
            }
        }
    }
    bytes
}

/// The drawings of boards, and their data for a script.
pub fn drawings(animation: Animation) -> (String, Value) {
    let (defs, shapes) = animation.finish();
    let mut drawings = Vec::new();
    for shape in shapes {
        let sign = shape.sign.map_or("", SignKind::name);
        drawings.push(json!([
            shape.id,
            shape.words,
            u8::from(shape.is_board),
            sign
        ]));
    }
    (defs, drawings.into())
}

/// JSON in which no text can end the element that contains it.
pub fn in_page(text: &str) -> String {
    overboard_formats::foreign::json(text)
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}

/// Lines that do not occur among others.
fn unmatched<'a>(
    lines: &'a [Vec<Foreign>],
    others: &[Vec<Foreign>],
    alike: &dyn Fn(&Vec<Foreign>, &Vec<Foreign>) -> bool,
) -> Vec<&'a Vec<Foreign>> {
    let mut left: Vec<_> = others.iter().collect();
    let mut alone: Vec<_> = lines.iter().collect();
    for is_like in [
        &|line: &Vec<Foreign>, other: &Vec<Foreign>| line == other,
        alike,
    ] {
        alone.retain(|line| {
            let found = left.iter().position(|other| is_like(line, other));
            if let Some(at) = found {
                left.swap_remove(at);
            }
            found.is_none()
        });
    }
    alone
}

fn look(look: &Look) -> Value {
    let turn = match look.turn {
        None => 0,
        Some(square::Side::White) => 1,
        Some(square::Side::Black) => 2,
    };
    let bits = turn + 4 * u8::from(look.both) + 8 * u8::from(look.closed);
    let counts = |hand: &Vec<(u32, u8)>| {
        let mut counts = Vec::new();
        for (piece, count) in hand {
            counts.extend([*piece, u32::from(*count)]);
        }
        counts
    };
    let hands = look
        .hands
        .as_ref()
        .map(|[white, black]| [counts(white), counts(black)]);
    match (look.checked.as_slice(), hands) {
        ([], None) => json!([bits]),
        (checked, None) => json!([bits, checked]),
        (checked, hands) => json!([bits, checked, hands]),
    }
}

/// Seconds as `1:05:09`.
pub fn clock_words(seconds: f64) -> String {
    let seconds = seconds.floor();
    let [hours, minutes] = [3600.0, 60.0].map(|unit| (seconds / unit).floor());
    format!("{hours}:{:02}:{:02}", minutes % 60.0, seconds % 60.0)
}

/// The worth of a ply in pawns from White's side, a mate as a number beyond all others.
fn worth(row: &PlyRow) -> Option<f64> {
    match row.mate {
        Some(mate) if mate < 0 => Some(-100.0),
        Some(_) => Some(100.0),
        None => row.eval,
    }
}

/// The kind of a row as a letter, which is a capital if Black made the ply.
fn letter(row: &PlyRow) -> String {
    let kind = small_letter(row.kind);
    if row.side == Some(Side::Black) {
        kind.to_uppercase()
    } else {
        kind.to_owned()
    }
}

const fn small_letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Start => "s",
        Kind::Ply => "p",
        Kind::Unsaid => "u",
        Kind::Stands => "d",
        Kind::Illegal => "i",
        Kind::Unjudged => "j",
        Kind::Flag => "f",
        Kind::Turn => "t",
        Kind::Result => "r",
        Kind::End => "e",
    }
}

/// With how many of the same bytes two texts begin.
fn leading(one: &str, other: &str) -> usize {
    let both = one.bytes().zip(other.bytes());
    both.take_while(|(one, other)| one == other).count()
}

/// An index in a list, for JSON.
fn index(at: usize) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}
